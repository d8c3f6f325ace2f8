//! The human face of every report.

mod built;
mod cards;
mod changes;
mod doctor;
mod explain;
mod listing;
mod small;

pub use changes::{Asked, Told};
pub use doctor::Checkup;
pub use explain::Codes;
pub use small::{CacheContent, CacheDir};
