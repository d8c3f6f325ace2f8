//! DiceFrame content packs: rule files, their dice and combat declarations, the audits of them, and all that rulepack
//! says of them. Pure functions on what was read, but for the search of files an audit begins with.
//!
//! This is the one door: `audit` on the command line is [`AuditCommand`] and [`run()`], and `explain` takes [`GROUPS`].
//! The feature `diceframe` closes it, and rulepack is then without this folder.

mod args;
mod codes;
pub mod combat;
pub mod dice;
mod face;
pub mod rules;
mod run;

pub use args::{ABOUT, AuditCommand, EXAMPLES};
pub use codes::{GROUPS, PACK};
pub use run::run;
