//! The human face of every report.

mod cards;
mod changes;
mod check;
mod doctor;
mod findings;
mod listing;
mod small;

pub use changes::{Asked, Told};
pub use check::Check;
pub use doctor::Checkup;
pub use findings::shown_path;
pub use small::{CacheContent, CacheDir};
