//! What a condition, a level of exhaustion, or an item that is worn does to whoever has it
//! (docs/spec/ruleset.md#effect).

use super::clauses::Words;
use crate::json::excerpt;
use crate::ruleset::node::Node;
use crate::ruleset::rules::refs;
use crate::types::{Problems, codes};

/// Who an effect is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    Condition,
    /// Of a track or a derived value.
    Level,
    /// Worn, carried, or more than its bearer masters.
    Item,
}

/// What lasts until something happens, or is about somebody else: of conditions alone, which know when and whom
/// (N20, N24).
const OF_CONDITIONS: [&str; 4] =
    ["half-move-to-stand", "ends-on-damage", "cannot-target-source", "cannot-approach-source"];

/// The names in an effect, and what of it goes together.
pub fn check_effect<'a>(words: Words<'_, 'a>, of: Of, effect: &Node<'a>, found: &mut Problems) {
    check_names(words, effect, found);
    check_narrowing(effect, found);
    check_dice(words, of, effect, found);
    for word in effect.list("effects").filter(|_| of != Of::Condition) {
        if let Some(name) = word.text().filter(|name| OF_CONDITIONS.contains(name)) {
            let message = format!("`{name}` is only allowed in conditions");
            found.push(word.problem(codes::EFFECT_OF_CONDITIONS, message));
        }
    }
}

/// N18: an effect names saves or skills to narrow what it does to them, so it does something to them.
fn check_narrowing(effect: &Node<'_>, found: &mut Problems) {
    for (key, what, effects) in [
        ("saves", "saves", ["own-saves-advantage", "own-saves-disadvantage"]),
        ("skills", "checks", ["own-checks-advantage", "own-checks-disadvantage"]),
    ] {
        let Some(names) = effect.get(key) else { continue };
        let by_effect = effect.list("effects").any(|word| word.text().is_some_and(|word| effects.contains(&word)));
        let by_modifier = effect.list("modifiers").any(|modifier| modifier.text_of("to") == Some(what));
        if !by_effect && !by_modifier {
            let message = format!("`{key}` limits what the effect does to {what}, but it does nothing to them");
            let hint = format!("add `{}`, `{}` or a modifier to {what}", effects[0], effects[1]);
            found.push(names.problem(codes::EFFECT_NARROWS_NOTHING, message).at_key().hint(hint));
        }
    }
}

/// N17: a fight that throws a pool adds no dice to it; what an item does to saves and checks is no part of the fight.
///
/// Dice that go with no such modifier are the shape's.
fn check_dice(words: Words<'_, '_>, of: Of, effect: &Node<'_>, found: &mut Problems) {
    if !words.fight.is_pool {
        return;
    }
    let added_to: &[&str] = if of == Of::Item { &["attacks"] } else { &["attacks", "saves", "checks"] };
    for modifier in effect.list("modifiers") {
        if let Some(dice) = modifier.get("dice")
            && let Some(to) = modifier.text_of("to").filter(|to| added_to.contains(to))
        {
            let message = format!("a fight that rolls a pool of dice cannot add other dice to {to}");
            found.push(dice.problem(codes::MODIFIER_DICE_IN_POOL_FIGHT, message));
        }
    }
}

fn check_names<'a>(words: Words<'_, 'a>, effect: &Node<'a>, found: &mut Problems) {
    let names = words.names;
    refs::each(&names.saves, effect, "failsSaves", found);
    for changed in std::iter::once(effect.clone()).chain(effect.list("modifiers")) {
        refs::each(&names.saves, &changed, "saves", found);
        refs::each(&names.skills, &changed, "skills", found);
    }
    for (id, change) in refs::members(effect, "abilities") {
        if let Some(ability) = refs::key(&names.abilities, id, &change, found) {
            check_set(ability, &change, found);
        }
    }
    check_resistances(words, effect, found);
}

/// N26: a score is set to what the ability can be.
fn check_set(ability: &Node<'_>, change: &Node<'_>, found: &mut Problems) {
    let range = ability.number_of("min").zip(ability.number_of("max"));
    if let Some(set) = change.get("set")
        && let Some((number, (min, max))) = set.number().zip(range)
        && !(min..=max).contains(&number)
    {
        let id = excerpt(ability.text_of("id").unwrap_or_default());
        found.push(
            set.problem(codes::ABILITY_CHANGE, format!("`{id}` is set to {number}, but ranges from {min} to {max}")),
        );
    }
}

/// The damage types and conditions somebody stands better or worse than others, of an effect or a creature.
///
/// What a damage type is resisted *except* from is a tag of items (N89).
pub fn check_resistances<'a>(words: Words<'_, 'a>, holder: &Node<'a>, found: &mut Problems) {
    let names = words.names;
    for kind in ["resist", "vulnerable", "immune"] {
        for entry in holder.list(kind) {
            if let Some(name) = entry.text() {
                words.fight.damage_type_named(name, &entry, found);
            }
            words.fight.damage_type(&entry, "type", found);
            refs::each(&names.tags, &entry, "except", found);
        }
    }
    refs::each(&names.conditions, holder, "conditionImmunities", found);
}
