//! The keys that mechanics of rows and uses of items share, and what of them goes together
//! (docs/spec/checks.md#mechanics).

use super::clauses::{Words, check_pool_dice};
use crate::ruleset::node::Node;
use crate::types::{Problems, codes};

/// Checks what an entry or an item does when it is used.
///
/// `has_wounds` is whether it has no room for temporary health.
pub fn check_used<'a>(words: Words<'_, 'a>, used: &Node<'a>, has_wounds: bool, found: &mut Problems) {
    let fight = words.fight;
    words.save(used, found);
    words.applies(used, found);
    words.plus(used, found);
    words.budget(used, found);
    fight.damage_type(used, "damageType", found);
    check_plus(used, found);
    if let Some(free) = used.get("free").filter(|_| used.has("budget")) {
        let message = "`free` and `budget` contradict each other: a free use takes nothing of a turn";
        found.push(free.problem(codes::FREE_WITH_BUDGET, message));
    }
    if let Some(temporary) = used.get("temporary").filter(|_| has_wounds) {
        let message = "health is a wound track, which cannot have temporary health";
        found.push(temporary.problem(codes::TEMPORARY_ON_WOUNDS, message));
    }
    check_damage_dice(words, used, found);
}

/// Further damage comes on top of damage.
fn check_plus(used: &Node<'_>, found: &mut Problems) {
    let Some(plus) = used.get("plus") else { return };
    if used.text_of("kind") == Some("heal") {
        found.push(plus.problem(codes::PLUS_NEEDS_AMOUNT, "`plus` is extra damage, but a heal does none"));
    } else if !used.has("amount") {
        found.push(plus.problem(codes::PLUS_NEEDS_AMOUNT, "`plus` is added to `amount`, but there is no `amount`"));
    }
}

/// N72: what mends is no damage; its dice are its own.
fn check_damage_dice(words: Words<'_, '_>, used: &Node<'_>, found: &mut Problems) {
    if used.text_of("kind") == Some("heal") {
        return;
    }
    let amounts = ["amount", "perCostStep"].into_iter().filter_map(|key| used.get(key));
    for clause in amounts.chain(used.list("plus")) {
        check_pool_dice(words.fight, &clause, "dice", found);
    }
}
