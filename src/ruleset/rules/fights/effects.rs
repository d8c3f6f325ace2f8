//! What a condition, a level of exhaustion, or an item that is worn does to whoever has it
//! (docs/spec/ruleset.md#effect).

use super::clauses::Words;
use crate::ruleset::node::Node;
use crate::ruleset::rules::refs;
use crate::types::Problems;

/// The names in an effect.
pub fn check_effect<'a>(words: Words<'_, 'a>, effect: &Node<'a>, found: &mut Problems) {
    let names = words.names;
    refs::each(&names.saves, effect, "failsSaves", found);
    for changed in std::iter::once(effect.clone()).chain(effect.list("modifiers")) {
        refs::each(&names.saves, &changed, "saves", found);
        refs::each(&names.skills, &changed, "skills", found);
    }
    refs::keys(&names.abilities, effect, "abilities", found);
    check_resistances(words, effect, found);
}

/// The damage types and conditions somebody stands better or worse than others, of an effect or a creature.
///
/// What a damage type is resisted *except* from is a word for items: mostly a tag, but a category or a rarity is not
/// refused either, since nothing says that it must be a tag.
pub fn check_resistances<'a>(words: Words<'_, 'a>, holder: &Node<'a>, found: &mut Problems) {
    let names = words.names;
    for kind in ["resist", "vulnerable", "immune"] {
        for entry in holder.list(kind) {
            if let Some(name) = entry.text() {
                words.fight.damage_type_named(name, &entry, found);
            }
            words.fight.damage_type(&entry, "type", found);
            for word in entry.list("except") {
                let Some(name) = word.text() else { continue };
                refs::any_of(&[&names.tags, &names.categories, &names.rarities], name, &word, found);
            }
        }
    }
    refs::each(&names.conditions, holder, "conditionImmunities", found);
}
