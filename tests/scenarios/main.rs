//! The scenario tests: the real program, run as its users run it, against a real server or a folder on disk.
//!
//! One binary for all of them, so that linking is paid once. One module an area; `kit` is what they share.

mod accepted;
mod artifacts;
#[cfg(feature = "diceframe")]
mod audit_combat;
#[cfg(feature = "diceframe")]
mod audit_dice;
#[cfg(feature = "diceframe")]
mod audit_rules;
#[cfg(unix)]
mod beside;
mod breaking;
mod build;
mod catalog;
mod catalog_copy;
mod check;
#[cfg(target_os = "linux")]
mod disk;
#[cfg(unix)]
mod doctor;
mod downloads;
mod example_is_current;
mod explain;
mod hostile;
mod imports;
mod json;
mod kept_languages;
#[cfg(unix)]
mod kills;
mod kit;
mod kit_works;
mod language;
mod lifecycle;
#[cfg(unix)]
mod links;
mod mending;
mod migrate;
mod mistakes;
mod packs;
mod people;
#[cfg(target_os = "linux")]
mod power;
mod readme;
mod semantics;
mod show;
#[cfg(unix)]
mod signals;
#[cfg(unix)]
mod soak;
mod store;
mod strings;
mod together;
mod tour;
mod translate;
mod verify;
mod verify_every_kind;
mod waiting;
