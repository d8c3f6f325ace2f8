//! What a combat block declares, and fights by it.
//!
//! A block is read once ([`read()`]): every field that breaks a rule is a finding, and only a block without any becomes
//! a `Combat`, which the fights are fought by. Nothing is guessed and nothing is evaluated as code.
//!
//! [`fight`] is how a fight goes; [`referee`] computes the same fight a second time and shares nothing with it;
//! [`audit`] has both do many fights and tells what they show, and what can be proven without them.

pub mod audit;
mod block;
pub mod fight;
mod formula;
mod proofs;
mod range;
mod read;
pub mod referee;
mod snapshot;
mod warnings;

pub use read::read;

use crate::types::Problems;
use serde_json::Value;

/// Every finding about the `combat` block of a resolved rule (one that `extends` has been followed for): the errors C01
/// to C37 and the warnings C40 and C42 to C44. Pointers are those of the resolved rule. A rule without the block has
/// none, and gets no finding.
pub fn check(rule: &Value, problems: &mut Problems) {
    if let Some(combat) = read(rule, problems) {
        warnings::warn(&combat, problems);
        warnings::warn_of_flaws(&combat, problems);
    }
}
