use super::gate_table::{GATES, Gate, PLACES, Test};
use super::whole::FILE;
use crate::types::{Api, Pointer, Problem, codes};
use serde_json::Value;

/// The most places reported of one gate: enough to act on, few enough to read.
const MAX_PLACES: usize = 20;

/// A place where a ruleset uses something that came with a certain Capability API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Need {
    /// The minor of API 1 that is needed at least.
    pub minor: u32,
    /// What it brought, in words that fit "… needs Capability API 1.x".
    pub feature: &'static str,
    /// Where the feature stands.
    pub pointer: Pointer,
    /// The catalog file it stands in; nothing for ruleset.json itself.
    pub file: Option<String>,
}

impl Test {
    fn holds(&self, value: &Value, ruleset: &Value) -> bool {
        let is_among = |words: &[&str], text: &str| words.contains(&text);
        match self {
            Test::Present => true,
            Test::NotEmpty => value.as_array().is_some_and(|items| !items.is_empty()),
            Test::Object => value.is_object(),
            Test::NotNumber => !value.is_number(),
            Test::Lacks(key) => value.as_object().is_some_and(|object| !object.contains_key(*key)),
            Test::Words(words) => value.as_str().is_some_and(|text| is_among(words, text)),
            Test::WordsBut(words) => value.as_str().is_some_and(|text| !is_among(words, text)),
            Test::Also(holds) => holds(value, ruleset),
        }
    }
}

/// Everything a ruleset uses that needs a certain Capability API, by rising minor; at most 20 places of each feature.
///
/// `catalogs` are the catalog files by path. What has the wrong shape uses nothing.
fn needs(ruleset: &Value, catalogs: &[(String, Value)]) -> Vec<Need> {
    GATES.iter().flat_map(|gate| uses(gate, ruleset, catalogs)).collect()
}

/// The same of what a declared API does not know, which is mostly nothing and then costs nothing. An API of another
/// major is another language; nothing is said about it.
pub(super) fn needs_above(declared: Api, ruleset: &Value, catalogs: &[(String, Value)]) -> Vec<Need> {
    gates_above(declared).flat_map(|gate| uses(gate, ruleset, catalogs)).collect()
}

/// The oldest Capability API that knows all a ruleset uses, and what it uses that is no older: what the manifest of a
/// lone `ruleset.json` would have to declare, once it has one.
pub fn minimum_api(ruleset: &Value, catalogs: &[(String, Value)]) -> Option<(Api, Vec<Need>)> {
    let mut needs = needs(ruleset, catalogs);
    let minor = needs.iter().map(|need| need.minor).max()?;
    needs.retain(|need| need.minor == minor);
    Some((Api { major: 1, minor }, needs))
}

/// K10: the one problem that the declared API does not know what is used, at the first place of what needs the newest;
/// with the features that need less, since one number mends it all. `needs` are what is above it, by rising minor.
pub(super) fn undeclared(needs: &[Need], declared: Api) -> Option<Problem> {
    let mut by_feature: Vec<&[Need]> = needs.chunk_by(|a, b| (a.minor, a.feature) == (b.minor, b.feature)).collect();
    let newest = by_feature.pop()?;
    let others: Vec<&Need> = by_feature.iter().rev().map(|places| &places[0]).collect();
    Some(undeclared_features(&newest[0], newest.len() - 1, &others, declared))
}

/// How many of the features that need less a finding names.
const NAMED: usize = 4;

fn undeclared_features(first: &Need, more: usize, others: &[&Need], declared: Api) -> Problem {
    let more = match more {
        0 => String::new(),
        1 => " and in one more place".to_owned(),
        more if more + 1 < MAX_PLACES => format!(" and in {more} more places"),
        // There may be places that were not counted.
        more => format!(" and in at least {more} more places"),
    };
    let named: Vec<String> =
        others.iter().take(NAMED).map(|need| format!("{} (1.{})", need.feature, need.minor)).collect();
    let others = match (named.as_slice(), others.len().saturating_sub(NAMED)) {
        ([], _) => String::new(),
        (named, 0) => format!("; also newer: {}", named.join(", ")),
        (named, rest) => format!("; also newer: {} and {rest} more", named.join(", ")),
    };
    let message = format!(
        "{} (here{more}) requires Capability API 1.{}, but the manifest declares {declared}{others}",
        first.feature, first.minor
    );
    let file = first.file.as_deref().unwrap_or(FILE).to_owned();
    let hint = format!("declare capabilityApi 1.{} or newer in the manifest", first.minor);
    let problem = Problem { file: Some(file), ..Problem::new(codes::K10, &first.pointer, message) };
    problem.needing(Api { major: 1, minor: first.minor }).hint(hint)
}

/// [`needs_above`] of one catalog file. One at a time: a file takes many times its size once it is read.
pub(super) fn needs_above_in_file(declared: Api, ruleset: &Value, file: &str, catalog: &Value) -> Vec<Need> {
    gates_above(declared).flat_map(|gate| uses_in(gate, ruleset, catalog, Some(file))).collect()
}

fn gates_above(declared: Api) -> impl Iterator<Item = &'static Gate> {
    GATES.iter().filter(move |gate| declared.major == 1 && gate.minor > declared.minor)
}

fn uses(gate: &Gate, ruleset: &Value, catalogs: &[(String, Value)]) -> Vec<Need> {
    let in_files = catalogs.iter().flat_map(|(file, catalog)| uses_in(gate, ruleset, catalog, Some(file)));
    uses_in(gate, ruleset, ruleset, None).into_iter().chain(in_files).take(MAX_PLACES).collect()
}

/// The uses in one document: a catalog file, or the ruleset itself.
fn uses_in(gate: &Gate, ruleset: &Value, document: &Value, file: Option<&str>) -> Vec<Need> {
    let mut needs = Vec::new();
    let spots = gate.spots.iter().flat_map(|spot| expand(spot.path).into_iter().map(move |path| (spot, path)));
    for (spot, path) in spots {
        let path = match (path.strip_prefix("entry."), file) {
            (Some(rest), Some(_)) => format!("entries[].{rest}"),
            (Some(rest), None) => format!("catalogs[].entries[].{rest}"),
            (None, None) => path,
            // Only entries stand in catalog files.
            (None, Some(_)) => continue,
        };
        walk(document, &steps(&path), &mut Vec::new(), &mut |value, trail| {
            if needs.len() < MAX_PLACES && spot.test.holds(value, ruleset) {
                let pointer = trail.iter().fold(Pointer::root(), |at, part| match part {
                    Part::Key(key) => at.at(key),
                    Part::Item(index) => at.at(index),
                });
                let Gate { minor, feature, .. } = *gate;
                needs.push(Need { minor, feature, pointer, file: file.map(str::to_owned) });
            }
        });
    }
    needs
}

/// The paths a path stands for, once the name it may begin with is replaced.
fn expand(path: &str) -> Vec<String> {
    let named = PLACES.iter().find_map(|(name, places)| Some((path.strip_prefix(name)?.strip_prefix('.')?, places)));
    match named {
        Some((rest, places)) => places.iter().map(|place| format!("{place}.{rest}")).collect(),
        None => vec![path.to_owned()],
    }
}

enum Step<'p> {
    /// One of these keys, joined by `|`.
    Keys(&'p str),
    Items,
    Values,
}

fn steps(path: &str) -> Vec<Step<'_>> {
    let mut steps = Vec::new();
    for part in path.split('.').filter(|part| !part.is_empty()) {
        let keys = part.trim_end_matches("[]");
        steps.push(if keys == "*" { Step::Values } else { Step::Keys(keys) });
        if keys.len() < part.len() {
            steps.push(Step::Items);
        }
    }
    steps
}

/// A step that was taken.
#[derive(Clone, Copy)]
enum Part<'p> {
    Key(&'p str),
    Item(usize),
}

/// Calls `found` with every value the steps lead to, and with the keys and indices on the way there.
fn walk<'v>(
    value: &'v Value,
    steps: &[Step<'v>],
    trail: &mut Vec<Part<'v>>,
    found: &mut impl FnMut(&'v Value, &[Part<'v>]),
) {
    let Some((step, rest)) = steps.split_first() else { return found(value, trail) };
    let mut enter = |part: Part<'v>, value: &'v Value| {
        trail.push(part);
        walk(value, rest, trail, found);
        trail.pop();
    };
    match (step, value) {
        (Step::Keys(keys), Value::Object(object)) => {
            for key in keys.split('|') {
                if let Some(value) = object.get(key) {
                    enter(Part::Key(key), value);
                }
            }
        }
        (Step::Values, Value::Object(object)) => object.iter().for_each(|(key, value)| enter(Part::Key(key), value)),
        (Step::Items, Value::Array(items)) => {
            // Through what is neither no step leads on.
            let leads_on = |value: &Value| rest.is_empty() || value.is_object() || value.is_array();
            items
                .iter()
                .enumerate()
                .filter(|(_, value)| leads_on(value))
                .for_each(|(index, value)| enter(Part::Item(index), value));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;
    use std::collections::BTreeSet;

    /// For each row: what shows the feature, and a neighbour that does not. What begins with `entry` is put into an
    /// entry of a catalog.
    #[rustfmt::skip]
    const ROWS: &[(u32, &str, &str)] = &[
        (21, r#"{"catalogs":[{}]}"#, r#"{"catalogs":[]}"#),
        (22, r#"{"battle":{}}"#, r#"{"battles":{}}"#),
        (23, r#"entry {"rows":[{"values":{},"scaled":{"uses":{}}}]}"#, r#"entry {"rows":[{"values":{"scaled":1}}]}"#),
        (24, r#"{"resolution":{"kind":"dice-pool"}}"#, r#"{"resolution":{"kind":"dice-sum"}}"#),
        (25, r#"{"layers":[{}]}"#, r#"{"layers":[]}"#),
        (25, r#"{"gm":{"worldGuidance":"x"}}"#, r#"{"gm":{"sheetGuidance":"x"}}"#),
        (26, r#"{"combat":{}}"#, r#"{"coverage":{"combat":true}}"#),
        (26, r#"entry {"mechanics":{"targetCount":2}}"#, r#"entry {"mechanics":{"targets":"any"}}"#),
        (26, r#"entry {"mechanics":{"budget":"act"}}"#, r#"entry {"mechanics":{"range":2}}"#),
        (27, r#"{"catalogs":[{"holds":"creatures"}]}"#, r#"{"catalogs":[{"holds":"rows"}]}"#),
        (27, r#"entry {"creature":{}}"#, r#"entry {"rows":[]}"#),
        (28, r#"{"combat":{"distance":{}}}"#, r#"{"combat":{"economy":{}}}"#),
        (28, r#"{"combat":{"attacks":[{"reach":{}}]}}"#, r#"{"combat":{"attacks":[{"name":"n"}]}}"#),
        (28, r#"entry {"creature":{"actions":[{"range":{"normal":2}}]}}"#, r#"entry {"creature":{"actions":[{"range":2}]}}"#),
        (28, r#"entry {"creature":{"actions":[{"area":{}}]}}"#, r#"entry {"mechanics":{"area":{}}}"#),
        (29, r#"entry {"mechanics":{"plus":[]}}"#, r#"entry {"mechanics":{"amount":{}}}"#),
        (29, r#"entry {"mechanics":{"kind":"rider"}}"#, r#"entry {"mechanics":{"kind":"attack"}}"#),
        (29, r#"entry {"creature":{"riders":[]}}"#, r#"entry {"creature":{"traits":[]}}"#),
        (29, r#"entry {"creature":{"actions":[{"damage":{"plus":[]}}]}}"#, r#"entry {"creature":{"actions":[{"damage":{"flat":1}}]}}"#),
        (29, r#"{"combat":{"attacks":[{"strikes":{}}]}}"#, r#"{"combat":{"contests":[{"strike":true}]}}"#),
        (29, r#"{"combat":{"conditions":[{"saves":["s"]}]}}"#, r#"{"combat":{"conditions":[{"failsSaves":["s"]}]}}"#),
        (29, r#"{"combat":{"conditions":[{"effects":["resist-all"]}]}}"#, r#"{"combat":{"conditions":[{"effects":["speed-zero"]}]}}"#),
        (29, r#"{"combat":{"standardEffects":{}}}"#, r#"{"combat":{"standard":[]}}"#),
        (30, r#"{"sheet":{"live":{"tracks":[{"levels":[]}]}}}"#, r#"{"sheet":{"live":{"tracks":[{"min":0}]}}}"#),
        (30, r#"{"resolution":{"spend":[]}}"#, r#"{"resolution":{"target":{}}}"#),
        (30, r#"entry {"mechanics":{"check":{}}}"#, r#"entry {"mechanics":{"save":{}}}"#),
        (32, r#"{"combat":{"attacks":[{"strikesCappedBy":{}}]}}"#, r#"{"combat":{"attacks":[{"strikes":{}}]}}"#),
        (33, r#"entry {"mechanics":{"reaction":{"on":"aimed"}}}"#, r#"entry {"mechanics":{"reaction":true}}"#),
        (34, r#"entry {"creature":{"sheet":{}}}"#, r#"entry {"creature":{"saves":{}}}"#),
        (37, r#"{"resolution":{"explode":{"from":10,"min":8}}}"#, r#"{"resolution":{"explode":{"from":10}}}"#),
        (37, r#"{"resolution":{"double":{}}}"#, r#"{"resolution":{"double":{"from":10}}}"#),
        (37, r#"entry {"mechanics":{"check":{"explode":8}}}"#, r#"entry {"mechanics":{"check":{"dice":1}}}"#),
        (37, r#"{"resolution":{"pool":{"abilityPlusAbility":true}}}"#, r#"{"resolution":{"pool":{"min":1}}}"#),
        (37, r#"{"resolution":{"botch":{"rule":"halfOrMore"}}}"#, r#"{"resolution":{"botch":{"upTo":1}}}"#),
        (37, r#"{"sheet":{"live":{"tracks":[{"max":{"const":3}}]}}}"#, r#"{"sheet":{"live":{"tracks":[{"max":3}]}}}"#),
        (37, r#"{"sheet":{"live":{"tracks":[{"alwaysShow":true}]}}}"#, r#"{"sheet":{"live":{"pools":[{"hideWhen":{}}]}}}"#),
        (37, r#"{"gm":{"sheetSummary":{"lists":[{"columns":["a"]}]}}}"#, r#"{"gm":{"sheetSummary":{"lists":[{"groupBy":"a"}]}}}"#),
        (37, r#"{"gm":{"sheetSummary":{"lists":[{"list":"l","nameColumn":"c"}]}},"sheet":{"lists":[{"id":"l","columns":[{"id":"c","type":"enum"}]}]}}"#, r#"{"gm":{"sheetSummary":{"lists":[{"list":"l","nameColumn":"c"}]}},"sheet":{"lists":[{"id":"l","columns":[{"id":"c","type":"text"}]}]}}"#),
        (38, r#"{"resolution":{"adjust":[]}}"#, r#"{"resolution":{"proficiency":{}}}"#),
        (38, r#"{"resolution":{"spend":[{"reroll":{}}]}}"#, r#"{"resolution":{"spend":[{"dice":1}]}}"#),
        (38, r#"{"resolution":{"spend":[{"perCheck":"pool"}]}}"#, r#"{"resolution":{"spend":[{"perCheck":2}]}}"#),
        (38, r#"{"resolution":{"spend":[{},{},{}]}}"#, r#"{"resolution":{"spend":[{},{}]}}"#),
        (39, r#"{"sheet":{"derived":[{"of":[{"liveTrack":"t"}]}]}}"#, r#"{"sheet":{"derived":[{"of":[{"field":"f"}]}]}}"#),
        (39, r#"{"sheet":{"skills":[{"cap":{"const":1}}]}}"#, r#"{"sheet":{"skills":[{"ability":"a"}]}}"#),
        (39, r#"{"sheet":{"fields":[{"hideWhen":{"in":[1]}}]}}"#, r#"{"sheet":{"fields":[{"hideWhen":{"equals":1}}]}}"#),
        (40, r#"{"sheet":{"live":{"tracks":[{"fill":"indexed"}]}}}"#, r#"{"sheet":{"live":{"tracks":[{"kinds":[]}]}}}"#),
        (40, r#"{"rests":[{"restore":[{"kind":"k"}]}]}"#, r#"{"rests":[{"restore":[{"track":"k"}]}]}"#),
        (41, r#"{"sheet":{"abilities":[{"section":"s"}]}}"#, r#"{"sheet":{"fields":[{"section":"s"}]}}"#),
        (41, r#"{"sheet":{"sections":[{"untrained":"harder"}]}}"#, r#"{"sheet":{"sections":[{"label":"l"}]}}"#),
        (42, r#"{"sheet":{"live":{"states":[]}}}"#, r#"{"sheet":{"live":{"conditions":[]}}}"#),
        (42, r#"{"sheet":{"derived":[{"op":"enumTable"}]}}"#, r#"{"sheet":{"derived":[{"op":"stepTable"}]}}"#),
        (42, r#"{"rests":[{"restore":[{"state":"s"}]}]}"#, r#"{"rests":[{"restore":[{"pool":"s"}]}]}"#),
        (43, r#"{"combat":{"checks":[]}}"#, r#"{"coverage":{"checks":true}}"#),
        (43, r#"entry {"creature":{"checks":{}}}"#, r#"entry {"creature":{"saves":{}}}"#),
        (44, r#"entry {"mechanics":{"reaction":{"on":"used"}}}"#, r#"entry {"mechanics":{"reaction":{"on":"aimed"}}}"#),
        (44, r#"entry {"creature":{"actions":[{"reaction":{"against":{}}}]}}"#, r#"entry {"creature":{"actions":[{"reaction":{"on":"aimed"}}]}}"#),
        (45, r#"{"combat":{"conditions":[{"modifiers":[]}]}}"#, r#"{"combat":{"conditions":[{"condition":"c"}]}}"#),
        (45, r#"{"combat":{"conditions":[{"effects":["own-checks-advantage"]}]}}"#, r#"{"combat":{"conditions":[{"effects":["own-saves-advantage"]}]}}"#),
        (45, r#"{"combat":{"levels":[]}}"#, r#"{"combat":{"threat":{}}}"#),
        (45, r#"entry {"mechanics":{"applies":[{"duration":{"rounds":1,"at":"turn-start"}}]}}"#, r#"entry {"mechanics":{"applies":[{"duration":{"rounds":1}}]}}"#),
        (45, r#"entry {"creature":{"actions":[{"applies":[{"endsAfter":"attacked"}]}]}}"#, r#"entry {"creature":{"actions":[{"applies":[{"saveEnds":{"at":"turn-end"}}]}]}}"#),
        (46, r#"entry {"mechanics":{"reaction":{"on":"hit"}}}"#, r#"entry {"mechanics":{"reaction":{"on":"harmed"}}}"#),
        (46, r#"entry {"creature":{"actions":[{"self":true}]}}"#, r#"entry {"mechanics":{"targets":"self"}}"#),
        (47, r#"{"combat":{"kind":"dice-pool"}}"#, r#"{"combat":{"kind":"attack-vs-defense"}}"#),
        (47, r#"{"combat":{"spendLimits":[]}}"#, r#"{"combat":{"abilities":[]}}"#),
        (47, r#"entry {"creature":{"soak":{}}}"#, r#"entry {"creature":{"resist":[]}}"#),
        (47, r#"{"combat":{"attacks":[{"toHit":{"skill":{}}}]}}"#, r#"{"combat":{"attacks":[{"toHit":{"ability":{}}}]}}"#),
        (47, r#"{"combat":{"initiative":{"each":"round"}}}"#, r#"{"combat":{"initiative":{"dice":{}}}}"#),
        (48, r#"{"combat":{"initiative":{"pool":{}}}}"#, r#"{"combat":{"initiative":{"modifier":{}}}}"#),
        (49, r#"{"items":{}}"#, r#"{"sheet":{"lists":[{"id":"items"}]}}"#),
        (49, r#"{"catalogs":[{"holds":"items"}]}"#, r#"{"catalogs":[{"holds":"creatures"}]}"#),
        (49, r#"entry {"item":{}}"#, r#"entry {"rows":[{"list":"item"}]}"#),
        (51, r#"{"items":{"propose":true}}"#, r#"{"items":{"native":true}}"#),
        (52, r#"{"sheet":{"derived":[{"of":{"itemStat":{}}}]}}"#, r#"{"sheet":{"derived":[{"of":{"livePool":"p"}}]}}"#),
        (53, r#"entry {"item":{"worn":{}}}"#, r#"entry {"item":{"slots":{}}}"#),
        (53, r#"{"combat":{"levels":[{"skills":["s"]}]}}"#, r#"{"combat":{"levels":[{"saves":["s"]}]}}"#),
        (53, r#"{"combat":{"conditions":[{"modifiers":[{"mode":"advantage"}]}]}}"#, r#"{"combat":{"conditions":[{"modifiers":[{"flat":1}]}]}}"#),
        (53, r#"entry {"item":{"requires":[{"otherwise":{"modifiers":[{"saves":["s"]}]}}]}}"#, r#"entry {"item":{"requires":[{"otherwise":{"modifiers":[{"flat":1}]}}]}}"#),
        (53, r#"{"items":{"rarityCaps":[{"bonus":1}]}}"#, r#"{"items":{"rarityCaps":[{"stats":{}}]}}"#),
        (54, r#"entry {"item":{"requires":[]}}"#, r#"entry {"item":{"binds":{}}}"#),
        (54, r#"entry {"item":{"carried":{"abilities":{}}}}"#, r#"entry {"item":{"carried":{"skills":[]}}}"#),
        (54, r#"{"combat":{"levels":[{"derived":"d"}]}}"#, r#"{"combat":{"levels":[{"track":"t"}]}}"#),
        (55, r#"entry {"item":{"attack":{}}}"#, r#"entry {"mechanics":{"kind":"attack"}}"#),
        (55, r#"entry {"creature":{"immune":["x",{"type":"y"}]}}"#, r#"entry {"creature":{"immune":["x"]}}"#),
        (56, r#"entry {"item":{"worn":{"effects":["speed-zero"]}}}"#, r#"entry {"item":{"worn":{"effects":["own-saves-advantage"]}}}"#),
        (56, r#"entry {"item":{"worn":{"modifiers":[{"to":"defense"}]}}}"#, r#"entry {"item":{"worn":{"modifiers":[{"to":"checks"}]}}}"#),
        (56, r#"entry {"item":{"carried":{"resist":["x"]}}}"#, r#"entry {"creature":{"resist":["x"]}}"#),
        (56, r#"{"combat":{"pool":{"hardness":{}}}}"#, r#"{"combat":{"pool":{"soak":{}}}}"#),
        (56, r#"entry {"creature":{"hardness":1}}"#, r#"entry {"creature":{"soak":{}}}"#),
        (57, r#"entry {"item":{"attack":{"clip":{}}}}"#, r#"entry {"item":{"attack":{"damage":{}}}}"#),
        (58, r#"entry {"item":{"attack":{"onHit":[]}}}"#, r#"entry {"item":{"attack":{"range":{}}}}"#),
        (58, r#"{"combat":{"offHand":{}}}"#, r#"{"combat":{"opportunity":{}}}"#),
        (59, r#"entry {"item":{"charges":{}}}"#, r#"entry {"item":{"stack":1}}"#),
        (60, r#"entry {"item":{"use":{"restore":{}}}}"#, r#"entry {"item":{"use":{"amount":{}}}}"#),
        (61, r#"entry {"item":{"charges":{"breaksOn":{}}}}"#, r#"entry {"creature":{"actions":[{"recharge":{}}]}}"#),
        (62, r#"entry {"item":{"use":{"gate":{}}}}"#, r#"entry {"item":{"use":{"save":{}}}}"#),
        (63, r#"{"items":{"lootTables":[]}}"#, r#"{"items":{"rarities":[]}}"#),
        (63, r#"entry {"creature":{"loot":"l"}}"#, r#"entry {"creature":{"tier":"l"}}"#),
        (64, r#"{"layers":[{"currencies":{}}]}"#, r#"{"items":{"currencies":[]}}"#),
        (64, r#"{"items":{"lootTables":[{"entries":[{"coins":"c"}]}]}}"#, r#"{"items":{"lootTables":[{"entries":[{"item":"c"}]}]}}"#),
        (65, r#"{"items":{"market":{}}}"#, r#"{"items":{"carry":{}}}"#),
        (65, r#"entry {"item":{"service":true}}"#, r#"entry {"item":{"cost":{}}}"#),
        (77, r#"{"sheet":{"migrations":[]}}"#, r#"{"sheet":{"version":2}}"#),
        (794, r#"{"sheet":{"migrations":[{"steps":[{"setColumn":{}}]}]}}"#, r#"{"sheet":{"migrations":[{"steps":[{"rename":"field"}]}]}}"#),
        (813, r#"{"layers":[{"items":{}}]}"#, r#"{"layers":[{"fields":[]}]}"#),
    ];

    fn ruleset(snippet: &str) -> Value {
        match snippet.strip_prefix("entry ") {
            Some(entry) => json!({"catalogs": [{"entries": [serde_json::from_str::<Value>(entry).unwrap()]}]}),
            None => serde_json::from_str(snippet).unwrap(),
        }
    }

    fn minors(ruleset: &Value) -> Vec<u32> {
        needs(ruleset, &[]).iter().map(|need| need.minor).collect()
    }

    #[test]
    fn each_row_is_found_and_its_neighbour_is_not() {
        for (minor, shows, neighbour) in ROWS {
            assert!(minors(&ruleset(shows)).contains(minor), "{minor} {shows}");
            assert!(!minors(&ruleset(neighbour)).contains(minor), "{minor} {neighbour}");
        }
    }

    #[test]
    fn every_spot_of_the_table_has_a_row_that_shows_it() {
        let samples: Vec<Value> = ROWS.iter().map(|(_, shows, _)| ruleset(shows)).collect();
        for gate in GATES {
            for spot in gate.spots {
                let one = Gate { spots: std::slice::from_ref(spot), ..*gate };
                assert!(
                    samples.iter().any(|sample| !uses(&one, sample, &[]).is_empty()),
                    "{} {}",
                    gate.minor,
                    spot.path
                );
            }
        }
    }

    #[test]
    fn the_table_rises_and_has_every_row_that_shows_in_a_ruleset() {
        assert!(GATES.is_sorted_by_key(|gate| gate.minor));
        let minors: BTreeSet<u32> = GATES.iter().map(|gate| gate.minor).collect();
        let other = [31, 35, 36, 50];
        let shown = (20..=65).filter(|minor| !other.contains(minor)).chain([77, 794, 813]);
        assert_eq!(minors, shown.collect());
    }

    #[test]
    fn catalog_files_are_looked_through_like_inline_entries() {
        let file = json!({"catalog": "beasts", "entries": [{}, {"creature": {"sheet": {}}}]});
        let found = needs(&json!({}), &[("catalogs/beasts.json".to_owned(), file)]);
        let told: Vec<_> =
            found.iter().map(|need| (need.minor, need.file.as_deref(), need.pointer.to_string())).collect();
        assert_eq!(
            told,
            [
                (20, None, String::new()),
                (27, Some("catalogs/beasts.json"), "/entries/1/creature".to_owned()),
                (34, Some("catalogs/beasts.json"), "/entries/1/creature/sheet".to_owned()),
            ]
        );
    }

    #[test]
    fn a_feature_used_everywhere_is_told_twenty_times() {
        let entries = vec![json!({"item": {}}); 500];
        let found = minors(&json!({"catalogs": [{"entries": entries}]}));
        assert_eq!(found.iter().filter(|minor| **minor == 49).count(), MAX_PLACES);
    }

    #[test]
    fn the_minimum_api_is_the_newest_that_is_needed_and_told_with_all_that_needs_it() {
        let ruleset = json!({"layers": [{"items": {}}, {}, {"items": {}}], "battle": {}});
        let (api, because) = minimum_api(&ruleset, &[]).unwrap();
        let places: Vec<_> = because.iter().map(|need| need.pointer.to_string()).collect();
        assert_eq!(
            (api, places.join(" ")),
            (Api { major: 1, minor: 813 }, "/layers/0/items /layers/2/items".to_owned())
        );
        assert_eq!(minimum_api(&json!({}), &[]).unwrap().0, Api { major: 1, minor: 20 });
    }

    #[test]
    fn k10_is_told_once_at_the_first_place_of_what_needs_the_newest() {
        let told = |ruleset: &Value, minor| {
            let declared = Api { major: 1, minor };
            let found = undeclared(&needs_above(declared, ruleset, &[]), declared);
            found.into_iter().map(|problem| (problem.pointer.unwrap(), problem.message)).collect::<Vec<_>>()
        };
        let entries = |count| json!({"catalogs": [{"entries": vec![json!({"item": {}}); count]}]});
        assert_eq!(told(&entries(2), 49), []);
        for (count, more) in
            [(1, "(here)"), (2, "one more place"), (3, "in 2 more places"), (99, "in at least 19 more")]
        {
            let found = told(&entries(count), 48);
            assert_eq!(found.len(), 1);
            assert_eq!(found[0].0, "/catalogs/0/entries/0/item");
            assert!(found[0].1.contains(more), "{}", found[0].1);
        }
        let all = told(&json!({"layers": [{"items": {}}], "items": {}}), 20);
        assert_eq!((all.len(), all[0].0.as_str()), (1, "/layers/0/items"));
        let others = "the manifest declares 1.20; also newer: items (1.49), layers and world text (1.25)";
        assert!(all[0].1.ends_with(others), "{}", all[0].1);
        // Two features may have come with one API.
        let coins = json!([{"entries": [{"coins": "c"}]}]);
        let both = told(&json!({"layers": [{"currencies": {}}], "items": {"lootTables": coins}}), 63);
        assert_eq!((both.len(), both[0].0.as_str()), (1, "/items/lootTables/0/entries/0/coins"));
        assert!(both[0].1.ends_with("also newer: layers that remove coins (1.64)"), "{}", both[0].1);
        let other = Api { major: 2, minor: 0 };
        assert_eq!(undeclared(&needs_above(other, &entries(1), &[]), other), None);
    }

    #[test]
    fn a_comment_uses_nothing() {
        assert_eq!(minors(&json!({"$comment": {"battle": {}}, "sheet": {"$comment": {"migrations": []}}})), [20]);
    }

    fn highest(text: &str) -> u32 {
        let ruleset = serde_json::from_str(text).unwrap();
        needs(&ruleset, &[]).iter().map(|need| need.minor).max().unwrap()
    }

    #[test]
    fn the_engines_own_examples_need_what_they_use() {
        // A list sum.
        assert_eq!(highest(include_str!("../../testdata/rulesets/ember-roads.json")), 39);
        // A live reading.
        assert_eq!(highest(include_str!("../../testdata/rulesets/gravewatch.json")), 39);
    }

    proptest! {
        #[test]
        fn no_shape_panics(picks in prop::collection::vec((0..ROWS.len(), 0..ROWS.len()), 1..4)) {
            // Each row's value where another row's key stands.
            for (a, b) in picks {
                let mut sample = ruleset(ROWS[a].1);
                let inner = ruleset(ROWS[b].1);
                if let Some(object) = sample.as_object_mut() {
                    object.values_mut().for_each(|value| *value = inner.clone());
                }
                prop_assert!(minors(&sample).starts_with(&[20]));
            }
        }
    }
}
