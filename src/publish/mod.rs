//! For maintainers, authors and translators: checking what is to be published, building it, and what is to be
//! translated.

mod artifact;
mod build;
mod catalogs;
mod check;
mod companion;
mod folder;
mod inspect;
mod kind;
mod known;
mod line_ends;
mod look;
mod minimum_api;
mod packs;
mod place;
mod read;
mod report;
mod shared;
pub mod strings;
mod unread;
pub mod verify;

pub use crate::package::Container;
pub use artifact::finding;
pub use build::{BaseUrl, Built, BuiltPackage, Containers, EntryOrder, MadeEntry, Order, build, entry};
pub use check::{CheckReport, CheckRequest, Checked, check};
pub use inspect::{Inspection, inspect, inspect_packed};
pub use known::Known;
pub use minimum_api::{MinimumApi, NeededBy};
pub use read::{STDIN, failure as unreadable, named, stdin};
pub use report::{Findings, Summary};
pub use shared::{Reading, Shared, read_shared};
