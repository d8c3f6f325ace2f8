//! What a ruleset says: what makes one unusable at install ([`essentials()`]), everything that is wrong with one
//! ([`check()`]), and which Capability API its features need ([`needs`]).

mod check;
mod essentials;
mod gate_table;
mod gates;
mod names;
mod node;
mod rules;
mod strings;
mod whole;

pub use check::check;
pub use essentials::{Essentials, essentials, missing_catalogs};
pub use gates::{Need, needs};
pub use strings::{DisplayString, Use, display_strings};
