//! The human face of every report.

mod cards;
mod changes;
mod doctor;
mod listing;
mod small;
mod strings;

pub use changes::{Asked, Told};
pub use doctor::Checkup;
pub use small::{CacheContent, CacheDir};
pub use strings::Strings;
