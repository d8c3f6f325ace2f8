use crate::ruleset::migrating::Cell;
use crate::ruleset::names::Names;
use crate::ruleset::node::Node;
use crate::ruleset::rules::cells::check_cell;
use crate::ruleset::rules::held_to::held_to;
use crate::ruleset::whole::Whole;
use crate::types::{Problems, codes};
use std::collections::HashSet;

/// M13: what a `setColumn` names is on the sheet, and its values are ones those columns can hold. Of the column that it
/// sets, `where` may ask for any text: stored rows still have the words that an older version of the column had.
pub(super) fn check(whole: &Whole<'_>, step: &Node<'_>, found: &mut Problems) {
    let Some(set) = step.get("setColumn") else { return };
    let Some(list) = set.get("list").and_then(|list| whole.names.lists.resolve_as(codes::M13, &list, found)) else {
        return;
    };
    let columns = Names::columns(list);
    let set_column = set.text_of("column");
    for (id, values) in set.get("where").iter().flat_map(|conditions| conditions.members()) {
        let Some(column) = columns.named_as(codes::M13, id, &values, found) else { continue };
        // What an enum column has a value for that equals it as `where` compares.
        let known: HashSet<Cell> = column.list("values").map(|known| Cell::of(known.value())).collect();
        let may_be_older =
            set_column == Some(id) && matches!(column.text_of("type"), Some("enum" | "text" | "longtext"));
        let is_held =
            |value: &Node<'_>| (may_be_older && value.text().is_some()) || known.contains(&Cell::of(value.value()));
        for value in values.items().filter(|value| !is_held(value)) {
            held_to(codes::M13, found, |found| check_cell(column, &value, found));
        }
    }
    let column = set.get("column").and_then(|column| columns.resolve_as(codes::M13, &column, found));
    if let Some((column, to)) = column.zip(set.get("to")) {
        held_to(codes::M13, found, |found| check_cell(column, &to, found));
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::of_steps;
    use serde_json::{Value, json};

    fn set(list: &str, conditions: Value, column: &str, to: Value) -> Vec<String> {
        let found = of_steps(json!([{"setColumn": {"list": list, "where": conditions, "column": column, "to": to}}]));
        found.iter().map(|found| found.replace("/0/setColumn", "")).collect()
    }

    #[test]
    fn columns_are_set_to_what_they_can_hold() {
        let conditions = json!({"name": ["Dagger", " rapier "], "ability": ["STR"], "bonus": [0, 9], "worn": [true]});
        for (column, to) in
            [("ability", json!("finesse")), ("bonus", json!(3)), ("worn", json!(false)), ("name", json!(""))]
        {
            assert_eq!(set("attacks", conditions.clone(), column, to), [""; 0], "{column}");
        }
    }

    #[test]
    fn a_word_that_the_column_no_longer_has_may_be_replaced() {
        assert_eq!(set("attacks", json!({"ability": ["con", "str"]}), "ability", json!("finesse")), [""; 0]);
        let beyond = "x".repeat(500);
        assert_eq!(set("attacks", json!({"name": [beyond]}), "name", json!("Dagger")), [""; 0]);
        assert_eq!(set("attacks", json!({"ability": [3]}), "ability", json!("str")), ["M13 /where/ability/0"]);
        assert_eq!(set("attacks", json!({"bonus": ["x"]}), "bonus", json!(1)), ["M13 /where/bonus/0"]);
    }

    #[test]
    fn m13_each_fault_is_told_where_it_stands() {
        let name = || json!({"name": ["Dagger"]});
        assert_eq!(set("attack", name(), "ability", json!("str")), ["M13 /list"]);
        assert_eq!(set("attacks", json!({"title": ["x"]}), "ability", json!("str")), ["M13 /where/title"]);
        assert_eq!(set("attacks", name(), "abilities", json!("str")), ["M13 /column"]);
        assert_eq!(set("attacks", name(), "ability", json!("STR")), ["M13 /to"]);
        assert_eq!(set("attacks", name(), "bonus", json!(10)), ["M13 /to"]);
        assert_eq!(set("attacks", name(), "worn", json!("yes")), ["M13 /to"]);
        assert_eq!(set("attacks", json!({"name": [3]}), "bonus", json!(1)), ["M13 /where/name/0"]);
        assert_eq!(set("attacks", json!({"ability": ["str", "con"]}), "bonus", json!(1)), ["M13 /where/ability/1"]);
        assert_eq!(set("attacks", json!({"bonus": [1.5]}), "bonus", json!(1)), ["M13 /where/bonus/0"]);
    }
}
