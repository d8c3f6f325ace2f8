//! Value references: the one way by which anything in a ruleset reads a number (docs/spec/checks.md#value-references).

use super::super::names::{Names, is_wound_track};
use super::super::node::Node;
use super::super::whole::Whole;
use super::readings::{ReadingKind, Readings};
use super::refs;
use crate::json::excerpt;
use crate::types::{Problems, codes};

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
pub fn check_value(ruleset: &Whole<'_>, reference: &Node<'_>, may: Reads, found: &mut Problems) {
    check_names(ruleset, reference, found);
    check_reads(reference, may, &mut Readings::of(ruleset), found);
}

pub(super) fn check_reads(reference: &Node<'_>, may: Reads, readings: &mut Readings<'_, '_>, found: &mut Problems) {
    let forbidden = [
        (may.live, ReadingKind::Live, codes::VALUE_READS_LIVE, "a value here cannot depend on what changes in play"),
        (
            may.modifiers,
            ReadingKind::Modifier,
            codes::VALUE_READS_MODIFIER,
            "modifiers of skills and saves depend on it",
        ),
        (
            may.list_sums,
            ReadingKind::ListSum,
            codes::VALUE_READS_LIST_SUM,
            "a value here cannot depend on the sum of a list",
        ),
    ];
    for (_, kind, code, why) in forbidden.into_iter().filter(|(allowed, ..)| !allowed) {
        if let Some(read) = readings.first(reference.value(), kind) {
            found.push(reference.problem(code, format!("this value reads {read}, but {why}")));
        }
    }
}

pub(super) fn check_names(ruleset: &Whole<'_>, reference: &Node<'_>, found: &mut Problems) {
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
            let message = format!("`read` is `penalty`, but the track `{track}` does not count wounds");
            found.push(
                read.problem(codes::WRONG_REFERENCE_TYPE, message)
                    .hint("use a track with `kinds`: only such a track has a penalty"),
            );
        }
    }
    if let Some(sum) = get("listSum") {
        check_list_sum(names, &sum, found);
    }
    if let Some(stat) = get("itemStat") {
        check_item_stat(ruleset, &stat, found);
    }
}

fn check_list_sum(names: &Names<'_>, sum: &Node<'_>, found: &mut Problems) {
    let Some(list) = refs::one(&names.lists, sum, "list", found) else { return };
    let columns = Names::columns(list);
    refs::typed(&columns, sum, "column", &["number"], found);
    refs::typed(&columns, sum, "onlyWhen", &["boolean"], found);
}

fn check_item_stat(ruleset: &Whole<'_>, read: &Node<'_>, found: &mut Problems) {
    if !ruleset.root.has("items") {
        let message = "`itemStat` reads a character's items, but the ruleset has no `items`";
        return found.push(read.problem(codes::ITEMS_NEEDED, message));
    }
    let names = &ruleset.names;
    let counts = read.text_of("pick") == Some("count");
    if counts {
        refs::one(&names.stats, read, "stat", found);
    } else {
        refs::typed(&names.stats, read, "stat", &["number"], found);
    }
    let picks_a_number = matches!(read.text_of("pick"), Some("sum" | "max" | "min"));
    if picks_a_number && !read.has("stat") {
        found.push(read.problem(codes::MISSING_KEY, "`stat` is missing; only `\"pick\": \"count\"` needs none"));
    }
    for (key, ids) in [("slot", &names.slots), ("category", &names.categories), ("tag", &names.tags)] {
        refs::one(ids, read, key, found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

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
        let mut found = Problems::default();
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
            (json!({"derived": "burden"}), Reads::NOTHING_LIVE, ""),
            (json!({"derived": "burden"}), Reads::NOTHING_LIVE_NO_LIST_SUM, "value-reads-list-sum"),
            (json!({"saveMod": "steel"}), Reads::NOTHING_LIVE_NO_LIST_SUM, "value-reads-list-sum"),
            (json!({"derived": "far"}), Reads::ANYTHING, ""),
        ];
        for (reference, may, wanted) in cases {
            assert_eq!(found(&sheet(), &reference, may).join(", "), wanted, "{reference} {may:?}");
        }
    }
}
