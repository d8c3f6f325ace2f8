//! A ruleset as a page a person can read: what is rolled, what stands on a sheet, and what its layers do.

use crate::app::Shown;
use crate::face::term::{LongWord, Role, Stream, clean, width, wrap};
use crate::face::{Report, to_json};
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The columns beside which the text of a line stands.
const LABEL: usize = 14;
/// The widest a page gets: longer lines are hard to read.
const WIDEST: usize = 100;
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
        let labels: Vec<&str> = items(list).map(|item| self.say_of(item, "label")).collect();
        labels.join(", ")
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
        let ladder: Vec<String> = items(&resolution["difficultyLadder"])
            .map(|step| format!("{} {}", self.words.say_of(step, "label"), difficulty(step, is_pool)))
            .collect();
        row("difficulty", &ladder.join(", "), out);
        row("training", &self.words.labels(&resolution["proficiencyTiers"]), out);
    }

    fn sheet(&self, out: &mut Stream) {
        let sheet = &self.ruleset()["sheet"];
        heading(&format!("Sheet (version {})", sheet["version"]), out);
        let abilities: Vec<String> = items(&sheet["abilities"])
            .map(|ability| {
                let (min, max) = (&ability["min"], &ability["max"]);
                format!("{} {min} to {max}", self.words.say_of(ability, "label"))
            })
            .collect();
        row("abilities", &abilities.join(", "), out);
        for (name, key) in [("skills", "skills"), ("saves", "saves")] {
            let trained: Vec<String> = items(&sheet[key]).map(|skill| self.trained(skill, sheet)).collect();
            row(name, &trained.join(", "), out);
        }
        let fields: Vec<String> = items(&sheet["fields"]).map(|field| self.field(field)).collect();
        row("fields", &fields.join("; "), out);
        row("worked out", &self.words.labels(&sheet["derived"]), out);
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
                let values: Vec<String> = items(&field["values"]).filter_map(Value::as_str).map(said).collect();
                format!("{label}: {}", values.join(", "))
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
        let tracks: Vec<String> = items(&live["tracks"])
            .map(|track| {
                let label = self.words.say_of(track, "label");
                match (track["kinds"].is_array(), track["max"].as_f64()) {
                    (true, _) => format!("{label} (wounds: {})", self.words.labels(&track["kinds"])),
                    (false, Some(_)) => format!("{label} {} to {}", track["min"], track["max"]),
                    (false, None) => label.to_owned(),
                }
            })
            .collect();
        row("tracks", &tracks.join(", "), out);
        row("states", &self.words.labels(&live["states"]), out);
        row("conditions", &self.words.labels(&live["conditions"]), out);
        row("rests", &self.words.labels(&self.ruleset()["rests"]), out);
    }

    fn catalogs(&self, out: &mut Stream) {
        let items_of = &self.ruleset()["items"];
        let all: Vec<&Value> = items(&self.ruleset()["catalogs"]).collect();
        if all.is_empty() && items_of.is_null() {
            return;
        }
        heading("Catalogs", out);
        for catalog in all {
            let count = items(&catalog["entries"]).count();
            let id = catalog["id"].as_str().unwrap_or_default();
            let hidden = self.shown.hidden_entries.iter().filter(|hidden| hidden.catalog == id).count();
            let mut text = format!("{count} {}", if count == 1 { "entry" } else { "entries" });
            if hidden > 0 {
                let _ = write!(text, ", {hidden} of them not offered while the layers are on");
            }
            row(self.words.say_of(catalog, "label"), &text, out);
        }
        for family in items(&items_of["currencies"]) {
            let coins: Vec<String> = items(&family["units"])
                .map(|coin| format!("{} {}", self.words.say_of(coin, "label"), coin["value"]))
                .collect();
            row("coins", &format!("{}: {}", self.words.say_of(family, "label"), coins.join(", ")), out);
        }
        row("sellers", &self.words.labels(&items_of["market"]["sellers"]), out);
    }

    fn layers(&self, out: &mut Stream) {
        let layers: Vec<&Value> = items(&self.ruleset()["layers"]).collect();
        if layers.is_empty() {
            return;
        }
        heading("Layers", out);
        for layer in &layers {
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
            told.extend(self.why_left_out(id).map(|reason| format!("left out: {reason}")));
            let summary = self.words.say_of(layer, "summary");
            told.extend((!summary.is_empty()).then(|| summary.to_owned()));
            told.extend(effects(layer));
            let conflicts = conflicts(layer, &layers);
            if !conflicts.is_empty() {
                told.push(format!("not together with {}", conflicts.join(", ")));
            }
            told.iter().for_each(|text| indented(text, out));
        }
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
            "as many d{sides} as the number on the sheet; each at {} or higher is a success",
            resolution["target"]["default"]
        );
    }
    let dice = &resolution["dice"];
    let (count, sides) = (dice["count"].as_u64().unwrap_or(1), dice["sides"].as_u64().unwrap_or(20));
    format!("{count}d{sides} and the number on the sheet")
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
        told.push("tells the Game Master more".to_owned());
    }
    for field in items(&layer["fields"]) {
        let default = field["default"].as_str().map(|value| format!(", whose default is {value} then"));
        let (values, id) = (texts(&field["removeValues"]), text(field, "id"));
        told.push(format!("takes {values} out of the field `{id}`{}", default.unwrap_or_default()));
    }
    if layer["difficultyLadder"].is_array() {
        told.push("has difficulties of its own".to_owned());
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
        told.push(format!("hides of `{catalog}` what has `{filter}` {}", compared.unwrap_or_default()));
    }
    for (key, what) in [("removeUnits", "coins"), ("removeFamilies", "families of coins")] {
        if layer["currencies"][key].is_array() {
            told.push(format!("takes out {what}: {}", texts(&layer["currencies"][key])));
        }
    }
    let market = &layer["items"]["market"];
    if market["removeSellers"].is_array() {
        told.push(format!("takes out sellers: {}", texts(&market["removeSellers"])));
    }
    match items(&market["unsold"]).count() {
        0 => {}
        1 => told.push("takes one kind of wares off every seller".to_owned()),
        count => told.push(format!("takes {count} kinds of wares off every seller")),
    }
    for table in items(&layer["items"]["lootTables"]) {
        told.push(format!("has a loot table `{}` of its own", text(table, "id")));
    }
    told
}

/// The layers this one cannot be on with, whichever of the two says so.
fn conflicts(layer: &Value, layers: &[&Value]) -> Vec<String> {
    let names = |one: &Value, other: &Value| items(&one["conflicts"]).any(|named| *named == other["id"]);
    let others = layers.iter().filter(|other| other["id"] != layer["id"]);
    others
        .filter(|other| names(layer, other) || names(other, layer))
        .map(|other| text(other, "id").to_owned())
        .collect()
}

fn items(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

fn texts(list: &Value) -> String {
    items(list).filter_map(Value::as_str).collect::<Vec<_>>().join(", ")
}

fn heading(text: &str, out: &mut Stream) {
    out.line("");
    out.line(out.look().palette.paint(Role::Strong, clean(text)));
}

/// A label and what is said of it; nothing is said of what is empty. The text stands beside the label, or below one that is
/// too wide for that, and below all of them on a screen too narrow for two columns.
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
