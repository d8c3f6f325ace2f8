//! The rules of the codes of the audits, made by `build.rs` of the tables in `codes/`.

use crate::types::rule::{Base, Edit, Example, Group, Level, Rule};

include!(concat!(env!("OUT_DIR"), "/diceframe_codes.rs"));

/// What they are about, in the order they are explained in.
pub const GROUPS: [&Group; 3] = [&RULES, &COMBAT, &DICE];

/// Where the page of codes says that the examples of these are a change to.
pub const PACK: &str = " or, for DiceFrame, to [an example pack](../testdata/diceframe/packs-harbor/)";
