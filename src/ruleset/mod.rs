//! What a ruleset says: what makes one unusable at install ([`essentials()`]), everything that is wrong with one
//! ([`check()`]) or broken since the version before ([`against()`]), and which Capability API its features need
//! ([`minimum_api`]).

mod against;
#[cfg(test)]
mod cases;
mod check;
mod essentials;
mod folded;
mod gate_table;
mod gates;
mod layering;
mod migrating;
mod names;
mod node;
mod pack;
mod rules;
mod shape;
mod strings;
mod translation;
mod whole;

pub use against::against;
pub use check::{check, check_readable};
pub use essentials::{Essentials, essentials, essentials_of};
pub use gates::{Need, minimum_api};
pub use layering::{Dropped, Hidden, Layered, Undone, UnknownLayer, with_layers};
pub use migrating::{Migrated, Migrator, Moved, NoSheet};
pub use pack::{
    Coverage, Originals, PackFacts, PackFault, PackReport, PackTexts, check_pack, check_pack_against, check_pack_all,
};
pub use rules::missing_files;
pub use shape::oversize;
pub use strings::{DisplayString, Use, catalog_files, catalogs_left_out, display_strings, display_texts};
pub use translation::{Translation, say_in};
