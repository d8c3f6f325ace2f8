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

    /// The budget under `budget`, where there are fights to take it from.
    pub fn budget(&self, holder: &Node<'a>, found: &mut Problems) {
        if self.fight.combat.is_some() {
            refs::one(&self.names.budgets, holder, "budget", found);
        }
    }

    /// The catalogs a reaction under `reaction` answers to, and whether there is anything left to cancel (N63). `true`
    /// alone names none.
    pub fn reaction(&self, holder: &Node<'a>, found: &mut Problems) {
        let Some(reaction) = holder.get("reaction") else { return };
        if let Some(against) = reaction.get("against") {
            refs::each(&self.names.catalogs, &against, "catalogs", found);
        }
        if let Some(on) = reaction.text_of("on").filter(|on| reaction.has("cancels") && ["hit", "harmed"].contains(on))
        {
            let message = format!("it is too late to cancel anything on `{on}`");
            found.push(reaction.problem(codes::REACTION_CANCELS, message));
        }
    }
}

/// What asks whoever it meets for a save against a number it does not give itself: the save, else the conditions that
/// end by one, else the further damage (N70).
pub fn asks_for_save<'a>(used: &Node<'a>) -> Option<Node<'a>> {
    let of = |key: &str, asks: fn(&Node<'_>) -> bool| used.get(key).filter(|list| list.items().any(|item| asks(&item)));
    used.get("save")
        .or_else(|| of("applies", |applied| applied.has("saveEnds")))
        .or_else(|| of("plus", |clause| clause.get("save").is_some_and(|save| !save.has("difficulty"))))
}

/// N38: hardness is what a blow that spends initiative has to get through.
pub fn check_hardness(fight: &Fight<'_>, hardness: &Node<'_>, found: &mut Problems) {
    if fight.spends_no_initiative() {
        let message = "hardness is for attacks that spend initiative, but no style of the ruleset spends it";
        found.push(hardness.problem(codes::HARDNESS, message).at_key());
    }
}

/// N50: a number of strikes that is given is one at least.
pub fn check_strikes(attack: &Node<'_>, found: &mut Problems) {
    let strikes = attack.get("strikes").and_then(|strikes| strikes.get("const"));
    if let Some(strikes) = strikes
        && let Some(number) = strikes.number().filter(|number| *number < 1.0)
    {
        found.push(strikes.problem(codes::STRIKES, format!("an attack has {number} strikes, but needs at least 1")));
    }
}

/// A long shot goes no less far than a good one. `distance` reads what is given as a number.
pub fn check_range(range: &Node<'_>, distance: impl Fn(&Node<'_>) -> Option<f64>, found: &mut Problems) {
    if let Some((normal, long)) = range.get("normal").zip(range.get("long"))
        && let Some((good, far)) = distance(&normal).zip(distance(&long))
        && far < good
    {
        found.push(long.problem(codes::RANGE_ORDER, format!("`long` is {far}, below `normal` ({good})")));
    }
}

/// N40: a natural result is the face of the one die thrown.
pub fn check_naturals(throw: &Node<'_>, found: &mut Problems) {
    let count = throw.get("dice").and_then(|dice| dice.number_of("count"));
    let Some((naturals, count)) = throw.get("naturals").zip(count.filter(|count| *count > 1.0)) else { return };
    let what = naturals.members().find_map(|(_, natural)| natural.text().filter(|what| *what != "none"));
    if let Some(what) = what {
        let message = format!("`{}` requires a single die, but this rolls {count}", excerpt(what));
        found.push(naturals.problem(codes::NATURALS_NEED_ONE_DIE, message));
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
        let message = format!("`{key}` is `{}`, but fights use dice with {die} faces", excerpt(text));
        found.push(dice.problem(codes::POOL_DICE, message).hint(format!("write it with d{die}")));
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
