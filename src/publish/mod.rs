//! For maintainers, authors and translators: building what is to be published, verifying what is, and what is to be
//! translated.

mod build;
pub mod strings;
pub mod verify;

pub use crate::package::Container;
pub use build::{BaseUrl, Built, Containers, EntryOrder, MadeEntry, Order, build, entry};
