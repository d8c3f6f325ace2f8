//! For maintainers, authors and translators: checking what is to be published, building it, and what is to be
//! translated.

mod build;
mod inspect;
mod report;

pub use crate::package::Container;
pub use build::{Built, BuiltPackage, Containers, Order, build};
pub use inspect::{Inspection, inspect};
pub use report::{Findings, Summary};
