//! Texts that are shown because of what was declared elsewhere: cells of text columns, words of filters, choices.

use super::Reader;
use serde_json::Value;
use std::collections::HashMap;

/// What of a sheet and of items holds text, by the types the ruleset declares, in the order it declares them.
///
/// A cell of another type is a number, dice, or the value of an enum, which is shown by its label. That the texts of a
/// creature's sheet and of an item's stats are shown as those of catalog rows is our reading
/// (docs/spec/decisions.md#q19).
pub(super) struct TextCells<'a> {
    columns: HashMap<&'a str, Vec<&'a str>>,
    fields: Vec<&'a str>,
    stats: Vec<&'a str>,
}

impl<'a> TextCells<'a> {
    pub fn of(ruleset: &'a Value) -> Self {
        let texts = |list: Option<&'a Value>| ids_of(list, &["text", "longtext"]);
        let lists = ruleset.pointer("/sheet/lists").and_then(Value::as_array).into_iter().flatten();
        let columns = lists.filter_map(|list| Some((list.get("id")?.as_str()?, texts(list.get("columns")))));
        TextCells {
            columns: columns.collect(),
            fields: texts(ruleset.pointer("/sheet/fields")),
            stats: texts(ruleset.pointer("/items/stats")),
        }
    }

    fn columns(&self, list: &str) -> Vec<&'a str> {
        self.columns.get(list).cloned().unwrap_or_default()
    }
}

/// The filters of a catalog that its entries answer with words.
fn text_filters(catalog: &Value) -> Vec<&str> {
    ids_of(catalog.get("filters"), &["text", "tags"])
}

/// The ids of what has one of these types.
fn ids_of<'a>(list: Option<&'a Value>, types: &[&str]) -> Vec<&'a str> {
    let declared = list.and_then(Value::as_array).into_iter().flatten();
    let of_type = declared.filter(|one| one.get("type").and_then(Value::as_str).is_some_and(|of| types.contains(&of)));
    of_type.filter_map(|one| one.get("id")?.as_str()).collect()
}

/// The values of an enum or a state in their order, each by its label, or as it is where it has none; then labels that
/// belong to no value.
pub(super) fn choices<'a>(reader: &mut Reader<'a>, declared: &'a Value) {
    let labels = declared.get("valueLabels");
    let values = || declared.get("values").and_then(Value::as_array).into_iter().flatten();
    for (index, value) in values().enumerate() {
        let key = value.as_str().filter(|value| labels.is_some_and(|labels| labels.get(value).is_some()));
        match key {
            Some(key) => {
                reader.member(declared, "valueLabels", |reader, labels| reader.member(labels, key, Reader::text))
            }
            None => reader.member(declared, "values", |reader, _| reader.item(index, value, Reader::text)),
        }
    }
    let is_value = |key: &str| values().any(|value| value.as_str() == Some(key));
    reader.member(declared, "valueLabels", |reader, labels| {
        reader.members(labels, |reader, key, label| {
            if !is_value(key) {
                reader.text(label);
            }
        });
    });
}

/// Which filters of a catalog its entries answer with text.
pub(super) fn take_filters<'a>(reader: &mut Reader<'a>, catalog: &'a Value) {
    reader.filters = text_filters(catalog);
}

/// What an entry answers to the filters of its catalog.
pub(super) fn filter_words<'a>(reader: &mut Reader<'a>, entry: &'a Value) {
    reader.member(entry, "filters", |reader, answers| {
        for filter in reader.filters.clone() {
            reader.member(answers, filter, |reader, answer| {
                reader.text(answer);
                reader.items(answer, Reader::text);
            });
        }
    });
}

/// The cells of a catalog row.
pub(super) fn row<'a>(reader: &mut Reader<'a>, row: &'a Value) {
    let columns = reader.cells.columns(row.get("list").and_then(Value::as_str).unwrap_or_default());
    reader.member(row, "values", |reader, values| texts(reader, values, &columns));
}

/// The rows of a creature's own sheet.
pub(super) fn creature_rows<'a>(reader: &mut Reader<'a>, sheet: &'a Value) {
    reader.member(sheet, "lists", |reader, lists| {
        reader.members(lists, |reader, list, rows| {
            let columns = reader.cells.columns(list);
            reader.items(rows, |reader, row| texts(reader, row, &columns));
        });
    });
}

/// The fields of a creature's own sheet.
pub(super) fn creature_fields<'a>(reader: &mut Reader<'a>, sheet: &'a Value) {
    let fields = reader.cells.fields.clone();
    reader.member(sheet, "fields", |reader, values| texts(reader, values, &fields));
}

/// The stats of an item.
pub(super) fn stats<'a>(reader: &mut Reader<'a>, item: &'a Value) {
    let stats = reader.cells.stats.clone();
    reader.member(item, "stats", |reader, values| texts(reader, values, &stats));
}

fn texts<'a>(reader: &mut Reader<'a>, values: &'a Value, keys: &[&str]) {
    keys.iter().for_each(|key| reader.member(values, key, Reader::text));
}
