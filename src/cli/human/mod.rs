//! The human face of every report.

mod built;
mod cards;
mod changes;
mod check;
mod doctor;
mod explain;
mod listing;
mod meaning;
mod show;
mod small;
mod strings;
mod summary;
mod verify;

pub use built::{Build, Entry};
pub use changes::{Asked, Told};
pub use check::Check;
pub use doctor::Checkup;
pub use explain::Codes;
pub use meaning::{Filed, Migration};
pub use small::{CacheContent, CacheDir};
pub use strings::Strings;
pub use verify::Verify;
