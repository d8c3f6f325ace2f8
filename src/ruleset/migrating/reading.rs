use crate::json::whole_number;
use serde_json::Value;
use std::cell::RefCell;
use std::collections::HashMap;

/// How deep values may read values: far more than a sheet has derived values.
const DEEPEST: usize = 100;

/// A sheet as the ruleset reads it: the numbers its references come to. What a sheet does not store has its default.
pub struct Reading<'a> {
    ruleset: &'a Value,
    build: &'a Value,
    /// What is worked out already, by kind and id.
    known: RefCell<HashMap<(&'static str, String), f64>>,
}

impl<'a> Reading<'a> {
    /// `build` is the sheet's.
    pub fn of(ruleset: &'a Value, build: &'a Value) -> Self {
        Reading { ruleset, build, known: RefCell::default() }
    }

    /// Whether the sheet shows a live pool: not hidden, its maximum above 0 (docs/spec/checks.md#mr7,
    /// docs/spec/decisions.md#q8).
    pub fn shows_pool(&self, id: &str) -> bool {
        let Some(pool) = declared(&self.ruleset["sheet"]["live"]["pools"], id) else { return false };
        !self.hides(pool) && self.value(&pool["max"], 0) > 0.0
    }

    /// Whether the sheet shows a track: one that is not hidden (MR7).
    pub fn shows_track(&self, id: &str) -> bool {
        declared(&self.ruleset["sheet"]["live"]["tracks"], id).is_some_and(|track| !self.hides(track))
    }

    fn hides(&self, declared: &Value) -> bool {
        let Some(rule) = declared.get("hideWhen") else { return false };
        let Some(value) = rule["field"].as_str().map(|id| self.field(id)) else { return false };
        if let Some(wanted) = rule.get("equals") {
            return same(&value, wanted);
        }
        if let Some(unwanted) = rule.get("notEquals") {
            return !same(&value, unwanted);
        }
        rule["in"].as_array().is_some_and(|values| values.iter().any(|wanted| same(&value, wanted)))
    }

    /// What a field holds, or its default: of a number without one 0 or what is nearest to it, of an enum the first
    /// value.
    fn field(&self, id: &str) -> Value {
        let stored = &self.build["fields"][id];
        if !stored.is_null() {
            return stored.clone();
        }
        let Some(field) = declared(&self.ruleset["sheet"]["fields"], id) else { return Value::Null };
        if let Some(default) = field.get("default") {
            return default.clone();
        }
        match field["type"].as_str() {
            Some("number") => {
                let (min, max) = (field["min"].as_f64(), field["max"].as_f64());
                let number = 0.0_f64.max(min.unwrap_or(0.0)).min(max.unwrap_or(f64::MAX));
                serde_json::Number::from_f64(number).map_or(Value::Null, Value::Number)
            }
            Some("enum") => field["values"][0].clone(),
            Some("boolean") => Value::Bool(false),
            _ => Value::String(String::new()),
        }
    }

    fn number_of_field(&self, id: &str) -> f64 {
        self.field(id).as_f64().unwrap_or(0.0)
    }

    /// What a value reference comes to on this sheet. Live values are none of the sheet's and count 0.
    fn value(&self, reference: &Value, depth: usize) -> f64 {
        let Some((kind, what)) =
            reference.as_object().and_then(|members| members.iter().find(|(key, _)| *key != "$comment"))
        else {
            return 0.0;
        };
        if depth > DEEPEST {
            return 0.0;
        }
        let id = what.as_str().unwrap_or_default();
        match kind.as_str() {
            "const" => what.as_f64().unwrap_or(0.0),
            "field" => self.number_of_field(id),
            "derived" => self.once("derived", id, || self.derived(id, depth + 1)),
            "abilityScore" => self.score(id),
            "abilityMod" => self.modifier(id),
            "abilityModFromField" => self.field(id).as_str().map_or(0.0, |ability| self.modifier(ability)),
            "skillMod" => self.once("skills", id, || self.trained("skills", id, depth + 1)),
            "saveMod" => self.once("saves", id, || self.trained("saves", id, depth + 1)),
            "listSum" => self.list_sum(what),
            _ => 0.0,
        }
    }

    /// Works a value out the first time it is read: where each reads the one before it twice, the work would double
    /// with every one of them. To itself a value is 0.
    fn once(&self, kind: &'static str, id: &str, work: impl FnOnce() -> f64) -> f64 {
        let key = (kind, id.to_owned());
        if let Some(known) = self.known.borrow().get(&key) {
            return *known;
        }
        self.known.borrow_mut().insert(key.clone(), 0.0);
        let value = work();
        self.known.borrow_mut().insert(key, value);
        value
    }

    fn derived(&self, id: &str, depth: usize) -> f64 {
        let Some(derived) = declared(&self.ruleset["sheet"]["derived"], id) else { return 0.0 };
        let of = || derived["of"].as_array().into_iter().flatten().map(|reference| self.value(reference, depth));
        match derived["op"].as_str() {
            Some("sum") => of().sum(),
            Some("min") => of().reduce(f64::min).unwrap_or(0.0),
            Some("max") => of().reduce(f64::max).unwrap_or(0.0),
            Some("stepTable") => stepped(&derived["table"], self.value(&derived["from"], depth)),
            Some("scale") => {
                let scaled = self.value(&derived["of"], depth) * derived["multiplier"].as_f64().unwrap_or(0.0);
                rounded(scaled, &derived["round"])
            }
            Some("enumTable") => {
                let word = derived["from"]["field"].as_str().map(|field| self.field(field));
                let found = word.as_ref().and_then(Value::as_str).and_then(|word| derived["table"][word].as_f64());
                found.or(derived["default"].as_f64()).unwrap_or(0.0)
            }
            _ => 0.0,
        }
    }

    fn score(&self, id: &str) -> f64 {
        let default = || declared(&self.ruleset["sheet"]["abilities"], id)?["default"].as_f64();
        self.build["abilities"][id].as_f64().or_else(default).unwrap_or(0.0)
    }

    fn modifier(&self, id: &str) -> f64 {
        let score = self.score(id);
        let how = &self.ruleset["resolution"]["abilityModifier"];
        match how["op"].as_str() {
            Some("floorHalfMinusTen") => ((score - 10.0) / 2.0).floor(),
            Some("stepTable") => stepped(&how["table"], score),
            _ => score,
        }
    }

    /// A skill or a save: its ability, its tier, its bonus, no more than its cap.
    fn trained(&self, kind: &str, id: &str, depth: usize) -> f64 {
        let Some(trained) = declared(&self.ruleset["sheet"][kind], id) else { return 0.0 };
        let ability = trained["ability"].as_str().map_or(0.0, |ability| self.modifier(ability));
        let bonus = self.build["bonuses"][id].as_f64().unwrap_or(0.0);
        let sum = ability + self.tier(kind, id, depth) + bonus;
        match trained.get("cap") {
            Some(cap) => sum.min(self.value(cap, depth)),
            None => sum,
        }
    }

    fn tier(&self, kind: &str, id: &str, depth: usize) -> f64 {
        let resolution = &self.ruleset["resolution"];
        let tiers = &resolution["proficiencyTiers"];
        let stored = self.build[kind][id].as_str();
        let Some(tier) = stored.and_then(|tier| declared(tiers, tier)).or_else(|| tiers.get(0)) else { return 0.0 };
        let multiplier = tier["multiplier"].as_f64().unwrap_or(0.0);
        let proficiency = match resolution["proficiency"].get("bonus") {
            Some(bonus) if multiplier != 0.0 => rounded(multiplier * self.value(bonus, depth), &tier["round"]),
            _ => 0.0,
        };
        proficiency + tier["flat"].as_f64().unwrap_or(0.0)
    }

    fn list_sum(&self, sum: &Value) -> f64 {
        let (Some(list), Some(column)) = (sum["list"].as_str(), sum["column"].as_str()) else { return 0.0 };
        let columns = declared(&self.ruleset["sheet"]["lists"], list).map_or(&Value::Null, |list| &list["columns"]);
        let default = |column: &str| declared(columns, column).and_then(|column| column.get("default"));
        let rows = self.build["lists"][list].as_array().into_iter().flatten();
        let counts = |row: &&Value| match sum["onlyWhen"].as_str() {
            Some(flag) => row.get(flag).or(default(flag)).and_then(Value::as_bool) == Some(true),
            None => true,
        };
        rows.filter(counts).filter_map(|row| row.get(column).or(default(column)).and_then(Value::as_f64)).sum()
    }
}

/// What is declared under an id in a list.
fn declared<'a>(list: &'a Value, id: &str) -> Option<&'a Value> {
    list.as_array()?.iter().find(|item| item["id"].as_str() == Some(id))
}

/// The value of the last step at or below the input; below the first, that of the first.
fn stepped(table: &Value, input: f64) -> f64 {
    let steps = table.as_array().into_iter().flatten().filter_map(|step| step[0].as_f64().zip(step[1].as_f64()));
    let mut reached = None;
    for (threshold, value) in steps {
        if reached.is_some() && threshold > input {
            break;
        }
        reached = Some(value);
    }
    reached.unwrap_or(0.0)
}

fn rounded(number: f64, how: &Value) -> f64 {
    match how.as_str() {
        Some("up") => number.ceil(),
        // Halves go up, as JavaScript rounds.
        Some("nearest") => (number + 0.5).floor(),
        _ => number.floor(),
    }
}

/// Whether two scalars are the same; `3` is `3.0`.
fn same(one: &Value, other: &Value) -> bool {
    one == other || one.as_f64().zip(other.as_f64()).is_some_and(|(one, other)| one == other)
}

/// The version a sheet is stored at.
pub fn version(sheet: &Value) -> Option<u64> {
    whole_number(sheet.get("v")?).filter(|version| *version >= 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn value(ruleset: &Value, build: &Value, reference: Value) -> f64 {
        Reading::of(ruleset, build).value(&reference, 0)
    }

    #[test]
    fn references_come_to_what_the_sheet_holds_or_its_defaults() {
        let ruleset = json!({
            "resolution": {"abilityModifier": {"op": "floorHalfMinusTen"}, "proficiency": {"bonus": {"derived": "prof"}},
                "proficiencyTiers": [{"id": "none"}, {"id": "full", "multiplier": 1}, {"id": "half", "multiplier": 0.5, "round": "up", "flat": 1}]},
            "sheet": {
                "abilities": [{"id": "dex", "default": 10}],
                "skills": [{"id": "stealth", "ability": "dex"}, {"id": "climb", "ability": "dex", "cap": {"const": 1}}],
                "fields": [{"id": "level", "type": "number", "min": 1, "max": 20}, {"id": "class", "type": "enum", "values": ["dex", "mage"]}],
                "derived": [{"id": "prof", "op": "stepTable", "from": {"field": "level"}, "table": [[1, 2], [5, 3]]},
                    {"id": "half", "op": "scale", "of": {"field": "level"}, "multiplier": 0.5},
                    {"id": "dice", "op": "enumTable", "from": {"field": "class"}, "table": {"mage": 6}, "default": 8},
                    {"id": "least", "op": "min", "of": [{"const": 4}, {"derived": "prof"}]}],
                "lists": [{"id": "gear", "columns": [{"id": "bulk", "default": 2}, {"id": "worn"}]}]}});
        let stored = json!({"abilities": {"dex": 15}, "fields": {"level": 7, "class": "mage"}, "bonuses": {"stealth": 1},
            "skills": {"stealth": "half", "climb": "full"},
            "lists": {"gear": [{"bulk": 5, "worn": true}, {"worn": true}, {"bulk": 9, "worn": false}, {"bulk": 1}]}});
        for (reference, empty, full) in [
            (json!({"const": 2.5}), 2.5, 2.5),
            (json!({"field": "level"}), 1.0, 7.0),
            (json!({"derived": "prof"}), 2.0, 3.0),
            (json!({"derived": "half"}), 0.0, 3.0),
            (json!({"derived": "dice"}), 8.0, 6.0),
            (json!({"derived": "least"}), 2.0, 3.0),
            (json!({"abilityScore": "dex"}), 10.0, 15.0),
            (json!({"abilityMod": "dex"}), 0.0, 2.0),
            (json!({"abilityModFromField": "class"}), 0.0, -5.0),
            (json!({"skillMod": "stealth"}), 0.0, 2.0 + 2.0 + 1.0 + 1.0),
            (json!({"skillMod": "climb"}), 0.0, 1.0),
            (json!({"listSum": {"list": "gear", "column": "bulk", "onlyWhen": "worn"}}), 0.0, 7.0),
            (json!({"listSum": {"list": "gear", "column": "bulk"}}), 0.0, 17.0),
            (json!({"livePool": "hp"}), 0.0, 0.0),
            (json!({}), 0.0, 0.0),
        ] {
            assert_eq!(value(&ruleset, &json!({}), reference.clone()), empty, "{reference}");
            assert_eq!(value(&ruleset, &stored, reference.clone()), full, "{reference}");
        }
    }

    #[test]
    fn values_that_read_one_another_in_a_circle_come_to_an_end() {
        let ruleset = json!({"sheet": {"derived": [{"id": "a", "op": "sum", "of": [{"derived": "a"}]}]}});
        assert_eq!(value(&ruleset, &json!({}), json!({"derived": "a"})), 0.0);
        let twice = json!([{"derived": "a"}, {"derived": "a"}]);
        let ruleset = json!({"sheet": {"derived": [{"id": "a", "op": "sum", "of": twice}]}});
        assert_eq!(value(&ruleset, &json!({}), json!({"derived": "a"})), 0.0);
    }

    #[test]
    fn a_value_is_worked_out_once_however_many_read_it() {
        let derived = |index: u32| {
            let of = match index {
                0 => json!([{"const": 1}]),
                _ => json!([{"derived": format!("d{}", index - 1)}, {"derived": format!("d{}", index - 1)}]),
            };
            json!({"id": format!("d{index}"), "op": "sum", "of": of})
        };
        let ruleset = json!({"sheet": {"derived": (0..60).map(derived).collect::<Vec<_>>()}});
        assert_eq!(value(&ruleset, &json!({}), json!({"derived": "d59"})), 2_f64.powi(59));
    }
}
