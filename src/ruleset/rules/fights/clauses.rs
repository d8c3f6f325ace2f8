//! What mechanics, item uses and creature actions have in common: damage, saves, conditions put on somebody, reactions.
//! Here are the names they use; what goes with what is each one's own.

use super::fight::Fight;
use crate::json::excerpt;
use crate::ruleset::names::Names;
use crate::ruleset::node::Node;
use crate::ruleset::rules::refs;
use crate::types::{Problems, codes};

/// The words of a fight, and everything else with a name.
#[derive(Clone, Copy, Debug)]
pub struct Words<'w, 'a> {
    pub names: &'w Names<'a>,
    pub fight: &'w Fight<'a>,
}

impl<'a> Words<'_, 'a> {
    /// The save under `save`.
    pub fn save(&self, holder: &Node<'a>, found: &mut Problems) {
        if let Some(save) = holder.get("save") {
            refs::one(&self.names.saves, &save, "save", found);
        }
    }

    /// The conditions under `applies`, and the saves that end them.
    pub fn applies(&self, holder: &Node<'a>, found: &mut Problems) {
        for applied in holder.list("applies") {
            refs::one(&self.names.conditions, &applied, "condition", found);
            if let Some(ends) = applied.get("saveEnds") {
                refs::one(&self.names.saves, &ends, "save", found);
            }
        }
    }

    /// The damage types and saves of the clauses under `plus`.
    pub fn plus(&self, holder: &Node<'a>, found: &mut Problems) {
        for clause in holder.list("plus") {
            self.fight.damage_type(&clause, "type", found);
            self.save(&clause, found);
        }
    }

    /// The catalogs a reaction under `reaction` answers to. `true` alone names none.
    pub fn reaction(&self, holder: &Node<'a>, found: &mut Problems) {
        if let Some(against) = holder.get("reaction").and_then(|reaction| reaction.get("against")) {
            refs::each(&self.names.catalogs, &against, "catalogs", found);
        }
    }
}

/// Whether a key is there and not `false`, which says as much as its absence.
pub fn says(holder: &Node<'_>, key: &str) -> bool {
    holder.get(key).is_some_and(|value| value.flag() != Some(false))
}

/// That the dice under `key` are the die of a pool fight: damage there is thrown into the same pool.
pub fn check_pool_dice(fight: &Fight<'_>, amount: &Node<'_>, key: &str, found: &mut Problems) {
    let Some((die, dice)) = fight.pool_die.zip(amount.get(key)) else { return };
    let Some(text) = dice.text() else { return };
    // What is no dice at all is the shape's.
    if let Some(sides) = sides(text)
        && sides != die
    {
        let message = format!("`{key}` is `{}`, but fights are thrown with dice of {die} faces", excerpt(text));
        found.push(dice.problem(codes::POOL_DICE, message).hint(format!("write it in d{die}")));
    }
}

/// The faces of dice such as `2d6+1`.
fn sides(dice: &str) -> Option<f64> {
    let (_, rest) = dice.split_once('d')?;
    rest.split(['+', '-']).next()?.parse::<u32>().ok().map(f64::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_tell_their_faces() {
        for (dice, faces) in
            [("1d10", Some(10.0)), ("12d6+3", Some(6.0)), ("2d8-1", Some(8.0)), ("d", None), ("x", None)]
        {
            assert_eq!(sides(dice), faces, "{dice}");
        }
    }
}
