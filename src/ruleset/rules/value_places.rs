//! Where value references stand.

use super::super::node::Node;
use super::super::whole::Whole;
use super::places::each;
use super::readings::{ReadingKind, Readings, held_by};
use super::values::{Reads, check_names, check_reads};
use crate::json::excerpt;
use crate::types::{Problems, codes};

/// Every place of `ruleset.json` that holds a value reference, and what may be read there. Derived values have their
/// own rule.
const PLACES: &[(&str, Reads)] = &[
    ("resolution.proficiency.bonus", Reads::NOTHING_LIVE_NO_MODIFIER),
    ("resolution.spend[].perCheck", Reads::ANYTHING),
    ("resolution.adjust[].value", Reads::ANYTHING),
    ("sheet.skills[].cap", Reads::NO_MODIFIER),
    ("sheet.saves[].cap", Reads::NO_MODIFIER),
    ("sheet.live.pools[].max", Reads::NOTHING_LIVE),
    ("sheet.live.tracks[].max", Reads::NOTHING_LIVE),
    ("items.binding.max", Reads::NOTHING_LIVE),
    ("items.carry.encumberedAbove", Reads::NOTHING_LIVE),
    ("items.carry.limit", Reads::NOTHING_LIVE),
    ("items.market.sellers[].only.value", Reads::ANYTHING),
    ("combat.defense", Reads::ANYTHING),
    ("combat.initiative.modifier", Reads::ANYTHING),
    ("combat.initiative.pool", Reads::ANYTHING),
    ("combat.pool.hardness", Reads::ANYTHING),
    ("combat.pool.soak.all", Reads::ANYTHING),
    ("combat.pool.soak.byKind.*", Reads::ANYTHING),
    ("combat.economy.movement", Reads::ANYTHING),
    ("combat.attacks[].strikes", Reads::ANYTHING),
    ("combat.abilities[].toHit", Reads::ANYTHING),
    ("combat.abilities[].saveDifficulty", Reads::ANYTHING),
    ("combat.checks[].value", Reads::ANYTHING),
    ("combat.spendLimits[].max", Reads::ANYTHING),
];

/// The same of each entry of a catalog.
const ENTRY_PLACES: &[(&str, Reads)] = &[
    ("rows[].scaled.*.from", Reads::NOTHING_LIVE_NO_LIST_SUM),
    ("mechanics.scales.from", Reads::NOTHING_LIVE),
    ("item.requires[].value", Reads::ANYTHING),
    ("item.use.gate.check.value", Reads::ANYTHING),
    ("item.use.gate.unless.value", Reads::ANYTHING),
];

/// And what only fights look at (N02).
const ENTRY_PLACES_IN_FIGHTS: &[(&str, Reads)] = &[
    ("item.attack.toHit.proficiency", Reads::ANYTHING),
    ("item.attack.strikes", Reads::ANYTHING),
    ("item.use.toHit.proficiency", Reads::ANYTHING),
];

/// Every value reference there is, but for those of derived values.
pub(super) fn check(ruleset: &Whole<'_>, found: &mut Problems) {
    let mut readings = Readings::of(ruleset);
    let mut look_below = |scope: &Node<'_>, places: &[(&str, Reads)]| {
        for (path, may) in places {
            for reference in each(scope, path) {
                check_names(ruleset, &reference, found);
                check_reads(&reference, *may, &mut readings, found);
            }
        }
    };
    look_below(&ruleset.root, PLACES);
    let in_fights = ruleset.root.has("combat");
    for entry in ruleset.catalogs.iter().flat_map(|catalog| &catalog.entries) {
        look_below(entry, ENTRY_PLACES);
        if in_fights {
            look_below(entry, ENTRY_PLACES_IN_FIGHTS);
        }
    }
    check_modifiers(ruleset, found);
}

/// What modifiers of skills and saves are made of.
const MADE_OF: &[&str] = &["resolution.proficiency.bonus", "sheet.skills[].cap", "sheet.saves[].cap"];

/// N121: modifiers are worked out after the last derived value they are made of, so none down to that one holds a
/// modifier itself, whether it is read or not.
fn check_modifiers(ruleset: &Whole<'_>, found: &mut Problems) {
    let derived = each(&ruleset.root, "sheet.derived[]");
    let made_of = MADE_OF.iter().flat_map(|path| each(&ruleset.root, path));
    let read: Vec<_> = made_of.filter_map(|reference| reference.text_of("derived")).collect();
    let Some(last) = derived.iter().rposition(|derived| derived.text_of("id").is_some_and(|id| read.contains(&id)))
    else {
        return;
    };
    let id = excerpt(derived[last].text_of("id").unwrap_or_default());
    for derived in &derived[..=last] {
        if let Some(read) = held_by(derived.value(), ReadingKind::Modifier) {
            let message = format!("this derived value reads {read}, but modifiers depend on `{id}`");
            let hint = "move it below the last derived value that the proficiency bonus or a `cap` reads";
            found.push(derived.problem(codes::VALUE_READS_MODIFIER, message).hint(hint));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_place_is_looked_at() {
        let wrong = json!({"field": "none"});
        for (path, _) in PLACES {
            let mut value = wrong.clone();
            for step in path.rsplit('.') {
                value = match step.strip_suffix("[]") {
                    Some(key) => json!({key: [value]}),
                    None => json!({step: value}),
                };
            }
            if !value["sheet"].is_object() {
                value["sheet"] = json!({});
            }
            let mut found = Problems::default();
            check(&Whole::new(&value, &[]), &mut found);
            assert_eq!(found.len(), 1, "{path}");
        }
        let item = json!({"requires": [{"value": wrong}], "attack": {"strikes": wrong, "toHit": {"proficiency": wrong}},
                          "use": {"gate": {"check": {"value": wrong}, "unless": {"value": wrong}}}});
        let row = json!({"rows": [{"scaled": {"uses": {"from": wrong}}}], "mechanics": {"scales": {"from": wrong}}});
        let ruleset = json!({"sheet": {}, "combat": {}, "catalogs": [{"asset": "catalogs/a.json"}, {"entries": [{"item": item}]}]});
        let files = [("catalogs/a.json".to_owned(), json!({"entries": [row]}))];
        let mut found = Problems::default();
        check(&Whole::new(&ruleset, &files), &mut found);
        let files: Vec<_> = found.iter().map(|p| p.file.as_deref().unwrap()).collect();
        assert_eq!((files.len(), files.iter().filter(|file| **file == "catalogs/a.json").count()), (7, 2));
    }
}
