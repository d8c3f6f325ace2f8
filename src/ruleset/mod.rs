//! What a ruleset says: what makes one unusable at install ([`essentials()`]), everything that is wrong with one
//! ([`check()`]), and which Capability API its features need ([`needs`]).

mod against;
mod check;
mod essentials;
mod gate_table;
mod gates;
mod names;
mod node;
mod rules;
mod shape;
mod strings;
mod whole;

pub use against::against;
pub use check::{check, check_readable};
pub use essentials::{Essentials, essentials};
pub use gates::{Need, minimum_api, needs};
pub use shape::oversize;
pub use strings::{DisplayString, Use, display_strings};
