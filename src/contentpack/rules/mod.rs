//! Rule files: reading them with what they extend, and their audit.
//!
//! A [`Rule`] is a file with everything it inherits merged into it; the other audits begin there.

mod extends;
mod host;
mod load;
mod merge;
mod source;

pub use host::Host;
pub use load::{DiceSystem, Loader, Rule, dice_system, load};
pub use merge::merge;
pub use source::Source;
