//! What a ruleset says: what makes one unusable at install ([`essentials()`]), everything that is wrong with one
//! ([`check()`]) or broken since the version before ([`against()`]), and which Capability API its features need
//! ([`minimum_api`]); and what one means: its layers, its translations and the migrations of its sheets.
//!
//! ```
//! use rulepack::ruleset::{Migrator, Translation, with_layers};
//! use serde_json::json;
//!
//! let text = include_str!("../../catalog-example/packages/ember-roads/ruleset.json");
//! let ruleset = serde_json::from_str(text).unwrap();
//!
//! // As the game reads it with a layer on.
//! let winter = with_layers(&ruleset, &[], &["hard_winter"]).unwrap();
//! assert_eq!((winter.active, winter.dropped.len()), (vec!["hard_winter".to_owned()], 0));
//! assert_eq!(winter.ruleset["resolution"]["difficultyLadder"][0]["dc"], 7);
//!
//! // A sheet that was stored before a field had its name of today.
//! let sheet = json!({"v": 1, "build": {"fields": {"hardiness": 3}}});
//! let migrated = Migrator::new(&ruleset).migrate(sheet).unwrap();
//! assert_eq!(migrated.sheet["build"]["fields"]["toughness"], 3);
//!
//! // A display string in the reader's language; numbered names keep their number.
//! let russian = Translation::of(&json!({"ruleset": {"Goblin": "Гоблин"}}));
//! assert_eq!(russian.say("Goblin 2").as_deref(), Some("Гоблин 2"));
//! ```

mod breaking;
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

pub use breaking::{Edition, Losses, Lost, against};
pub use check::{Setting, as_meant, check, check_in};
pub use essentials::{Essentials, essentials, essentials_of};
pub use gates::{Need, minimum_api};
pub use layering::{Dropped, Hidden, Layered, Undone, UnknownLayer, with_layers};
pub use migrating::{Migrated, Migrator, Moved, NoSheet};
pub use pack::{
    Coverage, Original, Originals, PackFacts, PackFault, PackReport, PackTexts, check_pack, check_pack_against,
    check_pack_all, is_blank,
};
pub use rules::{misnamed_catalog_files, missing_files};
pub use shape::oversize;
pub use strings::{DisplayString, Use, catalog_files, catalogs_left_out, display_strings, display_texts};
pub use translation::{Translation, say_in};
