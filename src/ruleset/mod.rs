//! What a ruleset says. So far: what makes one unusable at install ([`essentials()`]), and which Capability API its
//! features need ([`needs`]).

mod essentials;
mod gate_table;
mod gates;

pub use essentials::{Essentials, essentials};
pub use gates::{Need, needs};
