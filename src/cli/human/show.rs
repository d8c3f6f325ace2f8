//! A ruleset as a page a person can read: what is rolled, what stands on a sheet, and what its layers do.

use crate::app::Shown;
use crate::face::term::{LongWord, Role, Stream, clean, width, wrap};
use crate::face::{Report, to_json};
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;

/// The columns beside which the text of a line stands.
const LABEL: usize = 14;
/// The widest a page gets: longer lines are hard to read.
const WIDEST: usize = 100;
/// The most items told of a list. No list of a sound ruleset comes near, but for the entries of catalogs, which are
/// counted.
const TOLD: usize = 1000;
/// The fewest columns a text beside its label is readable in.
const NARROWEST: usize = 24;

impl Report for Shown {
    fn json(&self) -> Box<RawValue> {
        to_json(self)
    }

    fn show(&self, out: &mut Stream, _verbose: bool) {
        let none = BTreeMap::new();
        let strings = self.translation.as_ref().map_or(&none, |translation| &translation.strings);
        let page = Page { shown: self, words: Words { strings } };
        page.head(out);
        page.resolution(out);
        page.sheet(out);
        page.live(out);
        page.catalogs(out);
        page.layers(out);
    }
}

/// What texts of the ruleset read in the reader's language.
struct Words<'a> {
    strings: &'a BTreeMap<String, String>,
}

impl Words<'_> {
    fn say<'t>(&'t self, text: &'t str) -> &'t str {
        self.strings.get(text).map_or(text, String::as_str)
    }

    /// The text under a key.
    fn say_of<'t>(&'t self, value: &'t Value, key: &str) -> &'t str {
        self.say(value[key].as_str().unwrap_or_default())
    }

    /// The labels of a list, one after the other.
    fn labels(&self, list: &Value) -> String {
        told(list, |item| self.say_of(item, "label").to_owned()).join(", ")
    }
}

struct Page<'a> {
    shown: &'a Shown,
    words: Words<'a>,
}

impl Page<'_> {
    fn ruleset(&self) -> &Value {
        &self.shown.ruleset
    }

    fn head(&self, out: &mut Stream) {
        let ruleset = self.ruleset();
        let name = self.words.say_of(ruleset, "name");
        let title = format!("{name} ({} {})", ruleset["id"].as_str().unwrap_or_default(), ruleset["version"]);
        let look = out.look();
        for line in lines(&title, look.width, 0) {
            out.line(look.palette.paint(Role::Strong, line));
        }
        for text in [self.words.say_of(ruleset, "edition"), self.words.say_of(&ruleset["coverage"], "summary")] {
            paragraph(text, out);
        }
        if let Some(translation) = &self.shown.translation {
            row("language", &translation.language, out);
        }
        if !self.shown.layers.is_empty() {
            row("layers on", &self.shown.layers.join(", "), out);
        }
    }

    fn resolution(&self, out: &mut Stream) {
        let resolution = &self.ruleset()["resolution"];
        heading("Checks", out);
        row("dice", &dice(resolution), out);
        let is_pool = resolution["kind"] == "dice-pool";
        let step = |step: &Value| format!("{} {}", self.words.say_of(step, "label"), difficulty(step, is_pool));
        row("difficulty", &told(&resolution["difficultyLadder"], step).join(", "), out);
        row("training", &self.words.labels(&resolution["proficiencyTiers"]), out);
    }

    fn sheet(&self, out: &mut Stream) {
        let sheet = &self.ruleset()["sheet"];
        heading(&format!("Sheet (version {})", sheet["version"]), out);
        let ability = |ability: &Value| {
            let (min, max) = (&ability["min"], &ability["max"]);
            format!("{} {min} to {max}", self.words.say_of(ability, "label"))
        };
        row("abilities", &told(&sheet["abilities"], ability).join(", "), out);
        for key in ["skills", "saves"] {
            row(key, &told(&sheet[key], |skill| self.trained(skill, sheet)).join(", "), out);
        }
        row("fields", &told(&sheet["fields"], |field| self.field(field)).join("; "), out);
        row("derived", &self.words.labels(&sheet["derived"]), out);
        row("lists", &self.words.labels(&sheet["lists"]), out);
    }

    /// A skill or save with the ability it is of.
    fn trained(&self, skill: &Value, sheet: &Value) -> String {
        let label = self.words.say_of(skill, "label");
        let ability =
            items(&sheet["abilities"]).find(|ability| !ability["id"].is_null() && ability["id"] == skill["ability"]);
        match ability {
            Some(ability) => format!("{label} ({})", self.words.say_of(ability, "label")),
            None => label.to_owned(),
        }
    }

    fn field(&self, field: &Value) -> String {
        let label = self.words.say_of(field, "label");
        match field["type"].as_str() {
            Some("number") => format!("{label}: {} to {}", field["min"], field["max"]),
            Some("enum") => {
                let said = |value: &str| match field["valueLabels"][value].as_str() {
                    Some(label) => self.words.say(label).to_owned(),
                    None => self.words.say(value).to_owned(),
                };
                let value = |value: &Value| value.as_str().map(said).unwrap_or_default();
                format!("{label}: {}", told(&field["values"], value).join(", "))
            }
            Some("boolean") => format!("{label}: yes or no"),
            _ => format!("{label}: text"),
        }
    }

    fn live(&self, out: &mut Stream) {
        let live = &self.ruleset()["sheet"]["live"];
        if live.is_null() {
            return;
        }
        heading("In play", out);
        row("pools", &self.words.labels(&live["pools"]), out);
        let track = |track: &Value| {
            let label = self.words.say_of(track, "label");
            match (track["kinds"].is_array(), track["max"].as_f64()) {
                (true, _) => format!("{label} (wounds: {})", self.words.labels(&track["kinds"])),
                (false, Some(_)) => format!("{label} {} to {}", track["min"], track["max"]),
                (false, None) => label.to_owned(),
            }
        };
        row("tracks", &told(&live["tracks"], track).join(", "), out);
        row("states", &self.words.labels(&live["states"]), out);
        row("conditions", &self.words.labels(&live["conditions"]), out);
        row("rests", &self.words.labels(&self.ruleset()["rests"]), out);
    }

    fn catalogs(&self, out: &mut Stream) {
        let items_of = &self.ruleset()["items"];
        let catalogs = &self.ruleset()["catalogs"];
        let all: Vec<&Value> = items(catalogs).collect();
        if all.is_empty() && items_of.is_null() {
            return;
        }
        heading("Catalogs", out);
        for catalog in all {
            let count = catalog["entries"].as_array().map_or(0, Vec::len);
            let id = catalog["id"].as_str().unwrap_or_default();
            let hidden = self.shown.hidden_entries.iter().filter(|hidden| hidden.catalog == id).count();
            let mut text = format!("{count} {}", if count == 1 { "entry" } else { "entries" });
            if hidden > 0 {
                let _ = write!(text, ", {hidden} of them hidden by the layers");
            }
            row(self.words.say_of(catalog, "label"), &text, out);
        }
        untold(catalogs).into_iter().for_each(|more| row("", &more, out));
        for family in items(&items_of["currencies"]) {
            let coin = |coin: &Value| format!("{} {}", self.words.say_of(coin, "label"), coin["value"]);
            let coins = told(&family["units"], coin);
            row("coins", &format!("{}: {}", self.words.say_of(family, "label"), coins.join(", ")), out);
        }
        row("sellers", &self.words.labels(&items_of["market"]["sellers"]), out);
    }

    fn layers(&self, out: &mut Stream) {
        let all = &self.ruleset()["layers"];
        let layers: Vec<&Value> = items(all).collect();
        let conflicts = conflicts(&layers);
        if layers.is_empty() {
            return;
        }
        heading("Layers", out);
        for (layer, conflicts) in layers.into_iter().zip(conflicts) {
            let id = layer["id"].as_str().unwrap_or_default();
            let is_on = self.shown.layers.iter().any(|active| active == id);
            let label = format!("{}{}", self.words.say_of(layer, "label"), if is_on { " (on)" } else { "" });
            let mut told = Vec::new();
            let look = out.look();
            let painted = look.palette.paint(Role::Id, clean(id));
            let beside = format!("  {id}  {label}");
            if width(&clean(&beside)) <= look.width {
                out.line(format!("  {painted}  {}", clean(&label)));
            } else {
                out.line(format!("  {painted}"));
                told.push(label);
            }
            told.extend(self.why_left_out(id).map(|reason| format!("skipped: {reason}")));
            let summary = self.words.say_of(layer, "summary");
            told.extend((!summary.is_empty()).then(|| summary.to_owned()));
            told.extend(effects(layer));
            if !conflicts.is_empty() {
                told.push(format!("not together with {}", conflicts.join(", ")));
            }
            told.iter().for_each(|text| indented(text, out));
        }
        untold(all).into_iter().for_each(|more| indented(&more, out));
    }

    /// Why a layer that was chosen is not applied.
    fn why_left_out(&self, id: &str) -> Option<&str> {
        self.shown.dropped_layers.iter().find(|dropped| dropped.id == id).map(|dropped| dropped.reason.as_str())
    }
}

/// What is rolled for a check.
fn dice(resolution: &Value) -> String {
    if resolution["kind"] == "dice-pool" {
        let sides = resolution["die"]["sides"].as_u64().unwrap_or(10);
        return format!(
            "as many d{sides} as the number on the sheet; each {} or higher is a success",
            resolution["target"]["default"]
        );
    }
    let dice = &resolution["dice"];
    let (count, sides) = (dice["count"].as_u64().unwrap_or(1), dice["sides"].as_u64().unwrap_or(20));
    format!("{count}d{sides} plus the number on the sheet")
}

fn difficulty(step: &Value, is_pool: bool) -> String {
    if !is_pool {
        return step["dc"].to_string();
    }
    match step["target"].as_u64() {
        Some(target) => format!("{} at {target}", step["successes"]),
        None => step["successes"].to_string(),
    }
}

/// What a layer does, a line an effect.
fn effects(layer: &Value) -> Vec<String> {
    let mut told = Vec::new();
    if layer["gm"].is_object() {
        told.push("gives the Game Master more instructions".to_owned());
    }
    for field in items(&layer["fields"]) {
        let default = field["default"].as_str().map(|value| format!(", with the default {value}"));
        let (values, id) = (texts(&field["removeValues"]), text(field, "id"));
        told.push(format!("removes {values} from the field `{id}`{}", default.unwrap_or_default()));
    }
    if layer["difficultyLadder"].is_array() {
        told.push("has its own difficulties".to_owned());
    }
    for rule in items(&layer["catalogs"]) {
        let hide = &rule["hide"];
        let compared = hide.as_object().into_iter().flatten().find(|(key, _)| *key != "filter" && *key != "$comment");
        let compared = compared.map(|(key, value)| match key.as_str() {
            "notIn" => format!("not among {}", texts(value)),
            "equals" => format!("equal to {}", value.as_str().unwrap_or_default()),
            above_or_below => format!("{above_or_below} {value}"),
        });
        let (catalog, filter) = (text(rule, "id"), text(hide, "filter"));
        told.push(format!("hides entries of `{catalog}` with `{filter}` {}", compared.unwrap_or_default()));
    }
    for (key, what) in [("removeUnits", "coins"), ("removeFamilies", "currency families")] {
        if layer["currencies"][key].is_array() {
            told.push(format!("removes {what}: {}", texts(&layer["currencies"][key])));
        }
    }
    let market = &layer["items"]["market"];
    if market["removeSellers"].is_array() {
        told.push(format!("removes sellers: {}", texts(&market["removeSellers"])));
    }
    match market["unsold"].as_array().map_or(0, Vec::len) {
        0 => {}
        1 => told.push("removes one kind of goods from every seller".to_owned()),
        count => told.push(format!("removes {count} kinds of goods from every seller")),
    }
    for table in items(&layer["items"]["lootTables"]) {
        told.push(format!("has its own loot table `{}`", text(table, "id")));
    }
    told
}

/// The layers each cannot be on with, whichever of the two says so.
fn conflicts<'l>(layers: &[&'l Value]) -> Vec<Vec<&'l str>> {
    let named = |layer: &&'l Value| (text(layer, "id"), items(&layer["conflicts"]).filter_map(Value::as_str).collect());
    let named: Vec<(&str, HashSet<&str>)> = layers.iter().map(named).collect();
    let with = |(id, names): &(&str, HashSet<&str>)| {
        let others = named.iter().filter(|(other, _)| other != id);
        others.filter(|(other, theirs)| names.contains(other) || theirs.contains(id)).map(|(other, _)| *other).collect()
    };
    named.iter().map(with).collect()
}

/// The items of a list that are told.
fn items(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten().take(TOLD)
}

/// What is told of each item of a list, and how many more there are.
fn told(list: &Value, tell: impl Fn(&Value) -> String) -> Vec<String> {
    items(list).map(tell).chain(untold(list)).collect()
}

fn untold(list: &Value) -> Option<String> {
    let more = list.as_array()?.len().checked_sub(TOLD).filter(|more| *more > 0)?;
    Some(format!("and {more} more"))
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

fn texts(list: &Value) -> String {
    told(list, |item| item.as_str().unwrap_or_default().to_owned()).join(", ")
}

fn heading(text: &str, out: &mut Stream) {
    out.line("");
    out.line(out.look().palette.paint(Role::Strong, clean(text)));
}

/// A label and what is said of it; nothing is said of what is empty. The text stands beside the label, or below one
/// that is too wide for that, and below all of them on a screen too narrow for two columns.
fn row(label: &str, text: &str, out: &mut Stream) {
    if text.is_empty() {
        return;
    }
    let look = out.look();
    let is_narrow = look.width < 2 + LABEL + NARROWEST;
    let indent = if is_narrow { 4 } else { 2 + LABEL };
    let mut text = lines(text, look.width, indent).into_iter();
    let label = clean(label);
    let used = width(&label);
    if is_narrow || used >= LABEL {
        for line in lines(&label, look.width, 2) {
            out.line(format!("  {}", look.palette.paint(Role::Dim, line)));
        }
    } else if let Some(first) = text.next() {
        out.line(format!("  {}{}{first}", look.palette.paint(Role::Dim, &label), " ".repeat(LABEL - used)));
    }
    for line in text {
        out.line(format!("{}{line}", " ".repeat(indent)));
    }
}

fn paragraph(text: &str, out: &mut Stream) {
    if !text.is_empty() {
        lines(text, out.look().width, 0).into_iter().for_each(|line| out.line(line));
    }
}

fn indented(text: &str, out: &mut Stream) {
    for line in lines(text, out.look().width, 6) {
        out.line(format!("      {line}"));
    }
}

fn lines(text: &str, columns: usize, indent: usize) -> Vec<String> {
    wrap(&clean(text), columns.min(WIDEST).saturating_sub(indent).max(NARROWEST / 2), LongWord::Break)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn of_a_list_without_end_the_first_items_are_told_and_the_rest_is_counted() {
        let list = json!(vec![json!("x"); TOLD + 7]);
        let all = told(&list, |item| item.as_str().unwrap_or_default().to_owned());
        assert_eq!((all.len(), all.last().map(String::as_str)), (TOLD + 1, Some("and 7 more")));
        assert_eq!(told(&json!(["x"]), |_| "y".to_owned()), ["y"]);
        assert_eq!(told(&json!(null), |_| "y".to_owned()), [""; 0]);
    }

    #[test]
    fn layers_conflict_whichever_of_the_two_says_so() {
        let layers =
            [json!({"id": "a", "conflicts": ["b"]}), json!({"id": "b"}), json!({"id": "c", "conflicts": ["c"]})];
        let layers: Vec<&Value> = layers.iter().collect();
        assert_eq!(conflicts(&layers), [vec!["b"], vec!["a"], vec![]]);
    }
}
