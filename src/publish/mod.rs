//! For maintainers, authors and translators: checking what is to be published, building it, and what is to be
//! translated.

mod inspect;
mod report;
pub mod strings;

pub use inspect::{Inspection, inspect};
pub use report::{Findings, Summary};
