//! Value references: the one way by which anything in a ruleset reads a number (ruleset checks, section 4).

use super::super::names::{Ids, Names, is_wound_track};
use super::super::node::Node;
use super::super::whole::Whole;
use super::places::each;
use super::refs;
use crate::json::excerpt;
use crate::types::Problem;
use serde_json::Value;
use std::collections::HashSet;

/// What may be read at a place, beyond what may be read everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reads {
    /// Numbers that change in play: live tracks and pools, worn items, the state a form or stance is in. A maximum that
    /// followed them would change under what it bounds.
    pub live: bool,
    /// Modifiers of skills and saves. What these are themselves made of cannot read them.
    pub modifiers: bool,
    /// Sums over a list, at any depth. What a list's own rows are scaled by cannot read them.
    pub list_sums: bool,
}

impl Reads {
    pub const ANYTHING: Reads = Reads { live: true, modifiers: true, list_sums: true };
    /// Maxima of live pools and tracks, of bindings, carried weight, and what mechanics scale by.
    pub const NOTHING_LIVE: Reads = Reads { live: false, ..Reads::ANYTHING };
    /// What caps a skill or a save.
    pub const NO_MODIFIER: Reads = Reads { modifiers: false, ..Reads::ANYTHING };
    /// The proficiency bonus.
    pub const NOTHING_LIVE_NO_MODIFIER: Reads = Reads { live: false, ..Reads::NO_MODIFIER };
    /// What a column of a catalog's row is scaled from.
    pub const NOTHING_LIVE_NO_LIST_SUM: Reads = Reads { live: false, list_sums: false, ..Reads::ANYTHING };
}

/// One value reference, `{"derived": "guard"}`: what it names is there and of the right kind, and it reads nothing that
/// `may` forbids at its place, be it by way of derived values or of what caps a skill.
///
/// That it has exactly one key is the shape's. `sheet.derived` reads only what is declared above the reader; its
/// own rule adds that to this.
pub fn check_value(ruleset: &Whole<'_>, reference: &Node<'_>, may: Reads, found: &mut Vec<Problem>) {
    check_names(ruleset, reference, found);
    let forbidden = [
        (may.live, Kind::Live, "value-reads-live", "this place reads nothing that changes in play"),
        (may.modifiers, Kind::Modifier, "value-reads-modifier", "modifiers of skills and saves are made of this value"),
        (may.list_sums, Kind::ListSum, "value-reads-list-sum", "this place reads no sum over a list, however far away"),
    ];
    for (_, kind, code, why) in forbidden.into_iter().filter(|(allowed, ..)| !allowed) {
        if let Some(read) = first_reading(ruleset, reference.value(), kind) {
            found.push(reference.error(code, format!("this value reads {read}, but {why}")));
        }
    }
}

fn check_names(ruleset: &Whole<'_>, reference: &Node<'_>, found: &mut Vec<Problem>) {
    let names = &ruleset.names;
    let get = |key: &str| reference.get(key);
    refs::typed(&names.fields, reference, "field", &["number"], found);
    refs::typed(&names.fields, reference, "abilityModFromField", &["enum"], found);
    let plain = [
        ("derived", &names.derived),
        ("abilityScore", &names.abilities),
        ("abilityMod", &names.abilities),
        ("skillMod", &names.skills),
        ("saveMod", &names.saves),
        ("livePool", &names.pools),
    ];
    for (key, ids) in plain {
        refs::one(ids, reference, key, found);
    }
    if let Some(named) = get("liveTrack") {
        let track = names.tracks.resolve(&named, found);
        let read = get("read").filter(|read| read.text() == Some("penalty"));
        if let (Some(track), Some(read)) = (track, read)
            && !is_wound_track(track)
        {
            let track = excerpt(named.text().unwrap_or_default());
            let message = format!("`read` asks for the penalty of the track `{track}`, which counts no wounds");
            found.push(read.error("wrong-reference-type", message).hint("only a track with `kinds` has a penalty"));
        }
    }
    if let Some(sum) = get("listSum") {
        check_list_sum(names, &sum, found);
    }
    if let Some(stat) = get("itemStat") {
        check_item_stat(ruleset, &stat, found);
    }
}

fn check_list_sum(names: &Names<'_>, sum: &Node<'_>, found: &mut Vec<Problem>) {
    let Some(list) = refs::one(&names.lists, sum, "list", found) else { return };
    let columns = Names::columns(list);
    refs::typed(&columns, sum, "column", &["number"], found);
    refs::typed(&columns, sum, "onlyWhen", &["boolean"], found);
}

fn check_item_stat(ruleset: &Whole<'_>, read: &Node<'_>, found: &mut Vec<Problem>) {
    if !ruleset.root.has("items") {
        let message = "`itemStat` reads what items a character has, but the ruleset has no `items`";
        return found
            .push(read.error("items-needed", message).hint("declare the item vocabulary, or read something else"));
    }
    let names = &ruleset.names;
    let counts = read.text_of("pick") == Some("count");
    if counts {
        refs::one(&names.stats, read, "stat", found);
    } else {
        refs::typed(&names.stats, read, "stat", &["number"], found);
    }
    if !counts && read.has("pick") && !read.has("stat") {
        found.push(read.error("missing-key", "`stat` is missing; only `pick` `count` reads no stat"));
    }
    for (key, ids) in [("slot", &names.slots), ("category", &names.categories), ("tag", &names.tags)] {
        refs::one(ids, read, key, found);
    }
}

/// Something that not every place may read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Live,
    Modifier,
    ListSum,
}

impl Kind {
    /// What a reference itself reads of this kind, in words that follow "reads".
    fn read_by(self, reference: &Value) -> Option<String> {
        let named = |key: &str, what: &str| Some(format!("{what} `{}`", excerpt(reference.get(key)?.as_str()?)));
        match self {
            // An `enumTable` is the one reader of a live state; its `from` is looked at as a reference is.
            Kind::Live => named("liveTrack", "the live track")
                .or_else(|| named("livePool", "the live pool"))
                .or_else(|| named("liveState", "the live state"))
                .or_else(|| reference.get("itemStat").map(|_| "the items at hand".to_owned())),
            Kind::Modifier => {
                named("skillMod", "the modifier of the skill").or_else(|| named("saveMod", "the modifier of the save"))
            }
            Kind::ListSum => {
                let list = reference.get("listSum")?.get("list").and_then(Value::as_str).unwrap_or_default();
                Some(format!("a sum over the list `{}`", excerpt(list)))
            }
        }
    }
}

/// The first reading of a kind in all that a reference reads, in words that follow "reads".
///
/// Works off a list rather than calling itself: a hostile file may chain thousands of derived values, and a faulty one
/// may chain them to a circle.
fn first_reading<'v>(ruleset: &Whole<'v>, reference: &'v Value, kind: Kind) -> Option<String> {
    let mut seen = HashSet::new();
    let mut open = vec![(reference, None)];
    while let Some((reference, through)) = open.pop() {
        if let Some(read) = kind.read_by(reference) {
            return Some(match through {
                Some(through) => format!("{read} by way of {through}"),
                None => read,
            });
        }
        // All that stands above a derived value is looked at with it, so nothing further on is new.
        if kind == Kind::Modifier && through.is_some() {
            continue;
        }
        for (what, node) in reads_on(ruleset, reference, kind) {
            if seen.insert(std::ptr::from_ref(node)) {
                let id = node.get("id").and_then(Value::as_str).unwrap_or_default();
                let through = Some(format!("the {what} `{}`", excerpt(id)));
                open.extend(references_of(node).into_iter().map(|reference| (reference, through.clone())));
            }
        }
    }
    None
}

/// The derived values, skills and saves whose own references a reference reads.
///
/// Where modifiers are forbidden, each derived value down to the one read counts, read or not: the modifiers are worked
/// out after the last of them (ruleset checks, section 4: "up to and including the one they read").
fn reads_on<'v>(ruleset: &Whole<'v>, reference: &Value, kind: Kind) -> Vec<(&'static str, &'v Value)> {
    let names = &ruleset.names;
    let named = |key: &str, ids: &Ids<'v>| Some(ids.get(reference.get(key)?.as_str()?)?.value());
    if kind == Kind::Modifier {
        let Some(last) = named("derived", &names.derived) else { return Vec::new() };
        let derived = ruleset.root.value().pointer("/sheet/derived").and_then(Value::as_array);
        let mut all: Vec<_> = derived.into_iter().flatten().collect();
        all.truncate(all.iter().position(|derived| std::ptr::eq(*derived, last)).map_or(0, |index| index + 1));
        return all.into_iter().map(|derived| ("derived value", derived)).collect();
    }
    let kinds = [
        ("derived value", "derived", &names.derived),
        ("skill", "skillMod", &names.skills),
        ("save", "saveMod", &names.saves),
    ];
    kinds.into_iter().filter_map(|(what, key, ids)| Some((what, named(key, ids)?))).collect()
}

/// The references a derived value is worked out from, or the one that caps a skill or a save.
fn references_of(node: &Value) -> Vec<&Value> {
    let of = node.get("of").into_iter().flat_map(|of| match of {
        Value::Array(items) => items.iter().collect(),
        one => vec![one],
    });
    of.chain(node.get("from")).chain(node.get("cap")).collect()
}

/// Every place of `ruleset.json` that holds a value reference, and what may be read there. Derived values have their own
/// rule.
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
    ("item.attack.toHit.proficiency", Reads::ANYTHING),
    ("item.attack.strikes", Reads::ANYTHING),
    ("item.use.toHit.proficiency", Reads::ANYTHING),
    ("item.use.gate.check.value", Reads::ANYTHING),
    ("item.use.gate.unless.value", Reads::ANYTHING),
];

/// Every value reference there is, but for those of derived values.
pub(super) fn check(ruleset: &Whole<'_>, found: &mut Vec<Problem>) {
    for (path, may) in PLACES {
        for reference in each(&ruleset.root, path) {
            check_value(ruleset, &reference, *may, found);
        }
    }
    for entry in ruleset.catalogs.iter().flat_map(|catalog| &catalog.entries) {
        for (path, may) in ENTRY_PLACES {
            for reference in each(entry, path) {
                check_value(ruleset, &reference, *may, found);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn sheet() -> Value {
        json!({
            "sheet": {
                "abilities": [{"id": "wits"}],
                "skills": [{"id": "sneak"}, {"id": "soothe", "cap": {"livePool": "grit"}}],
                "saves": [{"id": "steel", "cap": {"derived": "burden"}}],
                "fields": [{"id": "level", "type": "number"}, {"id": "key", "type": "enum"}],
                "derived": [
                    {"id": "plain", "op": "sum", "of": [{"const": 1}, {"field": "level"}]},
                    {"id": "burden", "op": "sum", "of": [{"listSum": {"list": "gear", "column": "bulk"}}]},
                    {"id": "grit_left", "op": "scale", "of": {"livePool": "grit"}, "multiplier": 2},
                    {"id": "far", "op": "stepTable", "from": {"derived": "grit_left"}, "table": [[0, 0]]},
                    {"id": "stance", "op": "enumTable", "from": {"liveState": "form"}, "table": {}},
                    {"id": "steady", "op": "enumTable", "from": {"field": "key"}, "table": {}},
                    {"id": "seen", "op": "max", "of": [{"skillMod": "sneak"}, {"const": 1}]},
                    {"id": "after", "op": "sum", "of": [{"const": 1}]},
                    {"id": "round", "op": "sum", "of": [{"derived": "round"}]}],
                "lists": [{"id": "gear", "columns": [{"id": "bulk", "type": "number"}, {"id": "packed", "type": "boolean"}]}],
                "live": {"pools": [{"id": "grit"}], "tracks": [{"id": "heat"}, {"id": "harm", "kinds": []}],
                         "states": [{"id": "form"}]}},
            "items": {"stats": [{"id": "guard", "type": "number"}, {"id": "made_of", "type": "text"}],
                      "slots": [{"id": "hand"}], "categories": [{"id": "tool"}], "tags": [{"id": "old"}]}})
    }

    fn found(ruleset: &Value, reference: &Value, may: Reads) -> Vec<String> {
        let mut found = Vec::new();
        check_value(&Whole::new(ruleset, &[]), &Node::root(reference, "ruleset.json"), may, &mut found);
        found.iter().map(|p| format!("{} {}", p.code, p.pointer.as_deref().unwrap()).trim_end().to_owned()).collect()
    }

    #[test]
    fn a_reference_names_what_there_is_and_what_is_a_number() {
        let cases = [
            (json!({"const": 3}), ""),
            (json!({"field": "level"}), ""),
            (json!({"field": "key"}), "wrong-reference-type /field"),
            (json!({"field": "none"}), "unknown-id /field"),
            (json!({"abilityModFromField": "key"}), ""),
            (json!({"abilityModFromField": "level"}), "wrong-reference-type /abilityModFromField"),
            (json!({"derived": "stance"}), ""),
            (json!({"derived": "level"}), "unknown-id /derived"),
            (json!({"abilityScore": "wits"}), ""),
            (json!({"abilityMod": "sneak"}), "unknown-id /abilityMod"),
            (json!({"skillMod": "steel"}), "unknown-id /skillMod"),
            (json!({"saveMod": "steel"}), ""),
            (json!({"livePool": "heat"}), "unknown-id /livePool"),
            (json!({"liveTrack": "heat", "read": "remaining"}), ""),
            (json!({"liveTrack": "heat", "read": "penalty"}), "wrong-reference-type /read"),
            (json!({"liveTrack": "harm", "read": "penalty"}), ""),
            (json!({"liveTrack": "grit", "read": "penalty"}), "unknown-id /liveTrack"),
            (json!({"listSum": {"list": "gear", "column": "bulk", "onlyWhen": "packed"}}), ""),
            (json!({"listSum": {"list": "gear", "column": "packed"}}), "wrong-reference-type /listSum/column"),
            (
                json!({"listSum": {"list": "gear", "column": "bulk", "onlyWhen": "bulk"}}),
                "wrong-reference-type /listSum/onlyWhen",
            ),
            (json!({"listSum": {"list": "none", "column": "none"}}), "unknown-id /listSum/list"),
            (json!({"itemStat": {"stat": "guard", "from": "worn", "pick": "sum", "slot": "hand"}}), ""),
            (
                json!({"itemStat": {"stat": "made_of", "from": "worn", "pick": "sum"}}),
                "wrong-reference-type /itemStat/stat",
            ),
            (json!({"itemStat": {"stat": "made_of", "from": "worn", "pick": "count"}}), ""),
            (json!({"itemStat": {"from": "all", "pick": "count", "category": "tool", "tag": "old"}}), ""),
            (json!({"itemStat": {"from": "all", "pick": "count", "category": "old"}}), "unknown-id /itemStat/category"),
            (json!({"itemStat": {"from": "all", "pick": "min"}}), "missing-key /itemStat"),
        ];
        for (reference, wanted) in cases {
            assert_eq!(found(&sheet(), &reference, Reads::ANYTHING).join(", "), wanted, "{reference}");
        }
        let mut bare = sheet();
        bare.as_object_mut().unwrap().remove("items");
        let reference = json!({"itemStat": {"stat": "guard", "from": "worn", "pick": "sum", "tag": "x"}});
        assert_eq!(found(&bare, &reference, Reads::ANYTHING), ["items-needed /itemStat"]);
    }

    #[test]
    fn what_a_place_forbids_is_found_however_far_away_it_is_read() {
        let cases = [
            (json!({"livePool": "grit"}), Reads::NOTHING_LIVE, "value-reads-live"),
            (json!({"itemStat": {"from": "all", "pick": "count"}}), Reads::NOTHING_LIVE, "value-reads-live"),
            (json!({"derived": "far"}), Reads::NOTHING_LIVE, "value-reads-live"),
            (json!({"derived": "stance"}), Reads::NOTHING_LIVE, "value-reads-live"),
            (json!({"derived": "steady"}), Reads::NOTHING_LIVE, ""),
            (json!({"derived": "plain"}), Reads::NOTHING_LIVE, ""),
            (json!({"skillMod": "soothe"}), Reads::NOTHING_LIVE, "value-reads-live"),
            (json!({"skillMod": "sneak"}), Reads::NOTHING_LIVE, ""),
            (json!({"derived": "round"}), Reads::NOTHING_LIVE, ""),
            (json!({"derived": "stance"}), Reads::NO_MODIFIER, ""),
            (json!({"skillMod": "sneak"}), Reads::NO_MODIFIER, "value-reads-modifier"),
            (json!({"saveMod": "steel"}), Reads::NO_MODIFIER, "value-reads-modifier"),
            (json!({"derived": "seen"}), Reads::NO_MODIFIER, "value-reads-modifier"),
            (json!({"derived": "after"}), Reads::NO_MODIFIER, "value-reads-modifier"),
            (json!({"derived": "burden"}), Reads::NOTHING_LIVE, ""),
            (json!({"derived": "burden"}), Reads::NOTHING_LIVE_NO_LIST_SUM, "value-reads-list-sum"),
            (json!({"saveMod": "steel"}), Reads::NOTHING_LIVE_NO_LIST_SUM, "value-reads-list-sum"),
            (json!({"derived": "far"}), Reads::ANYTHING, ""),
        ];
        for (reference, may, wanted) in cases {
            assert_eq!(found(&sheet(), &reference, may).join(", "), wanted, "{reference} {may:?}");
        }
    }

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
            let mut found = Vec::new();
            check(&Whole::new(&value, &[]), &mut found);
            assert_eq!(found.len(), 1, "{path}");
        }
        let item = json!({"requires": [{"value": wrong}], "attack": {"strikes": wrong, "toHit": {"proficiency": wrong}},
                          "use": {"gate": {"check": {"value": wrong}, "unless": {"value": wrong}}}});
        let row = json!({"rows": [{"scaled": {"uses": {"from": wrong}}}], "mechanics": {"scales": {"from": wrong}}});
        let ruleset = json!({"catalogs": [{"asset": "catalogs/a.json"}, {"entries": [{"item": item}]}]});
        let files = [("catalogs/a.json".to_owned(), json!({"entries": [row]}))];
        let mut found = Vec::new();
        check(&Whole::new(&ruleset, &files), &mut found);
        let files: Vec<_> = found.iter().map(|p| p.file.as_deref().unwrap()).collect();
        assert_eq!((files.len(), files.iter().filter(|file| **file == "catalogs/a.json").count()), (7, 2));
    }
}
