//! The rules of every code but those of DiceFrame, a constant each, and what they are about, made by `build.rs` of the
//! tables in `docs/codes`. One that is raised nowhere is dead code.

use super::rule::{Base, Edit, Example, Group, Level, Rule};

include!(concat!(env!("OUT_DIR"), "/codes.rs"));
