//! Rule files: reading them with what they extend, and their audit.
//!
//! A [`Rule`] is a file with everything it inherits merged into it; the other audits begin there.

mod audit;
mod check;
mod dice_system;
mod extends;
mod find;
mod gather;
mod host;
mod inheritance;
mod load;
mod merge;
mod pack;
mod read;
mod source;
#[cfg(test)]
mod tests;
mod twins;
mod world;

pub(in crate::diceframe) use audit::in_order;
pub use audit::{AuditReport, Request, audit};
pub use dice_system::DiceSystem;
pub use gather::gather;
pub(in crate::diceframe) use inheritance::owners;
pub use load::{Rule, load};
pub(in crate::diceframe) use read::{kind, name, said};
pub use source::SourceFile;
