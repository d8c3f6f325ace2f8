//! What is asked of a rule once it is read. Everything here looks at plain values and pushes findings whose pointers
//! are into them; which file a finding belongs to is told apart afterwards.

mod advantage;
mod attributes;
mod checks;
mod currency;
mod formulas;
mod keys;
mod skills;
mod special_stats;

use super::dice_system::DiceSystem;
use super::source::SourceFile;
use crate::diceframe::combat;
use crate::types::Problems;
use serde_json::Value;
use std::sync::Arc;

/// What is asked of every rule, and of one that does not load, too: D03, D04, D31.
pub(super) fn always(rule: &Value, problems: &mut Problems) {
    currency::check(rule, problems);
    special_stats::check(rule, problems);
}

/// What is asked of a rule that loads, beyond [`always`]: D09 to D16, D18, D19, D25, D30, D32 to D35, D37, D38, and the
/// C codes.
pub(super) fn loaded(rule: &Value, dice: DiceSystem, chain: &[Arc<SourceFile>], problems: &mut Problems) {
    advantage::check(rule, dice, problems);
    checks::check(rule, dice, problems);
    attributes::check(rule, problems);
    formulas::check(rule, problems);
    skills::check(rule, dice, chain, problems);
    keys::check(rule, problems);
    combat::check(rule, problems);
}
