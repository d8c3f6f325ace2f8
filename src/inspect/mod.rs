//! What lies at a path and what it says: a package in hand, however it lies there, and everything that is wrong with it.

pub(crate) mod artifact;
mod catalogs;
mod check;
pub(crate) mod companion;
mod contents;
pub(crate) mod folder;
pub(crate) mod kind;
mod known;
pub(crate) mod line_ends;
mod look;
mod minimum_api;
pub(crate) mod packs;
pub(crate) mod place;
pub(crate) mod read;
mod report;
mod shared;
pub(crate) mod unread;

pub use artifact::finding;
pub(crate) use check::check_folders;
pub use check::{CheckReport, CheckRequest, Checked, check};
pub use contents::{Documents, Inspection, inspect, inspect_packed};
pub use known::Known;
pub use minimum_api::{MinimumApi, NeededBy};
pub use read::{STDIN, failure as unreadable, named, stdin};
pub use report::{Findings, Summary};
pub use shared::{Reading, Shared, read_shared};
