use super::super::names::Names;
use super::super::whole::Whole;
use super::places::each;
use super::refs;
use crate::types::Problems;

/// What of a sheet the Game Master is told (docs/spec/checks.md#rests-and-game-master).
pub(super) fn check(ruleset: &Whole<'_>, found: &mut Problems) {
    let names = &ruleset.names;
    for summary in each(&ruleset.root, "gm.sheetSummary") {
        refs::each(&names.fields, &summary, "fields", found);
        refs::each(&names.derived, &summary, "derived", found);
        for told in summary.list("lists") {
            let Some(list) = refs::one(&names.lists, &told, "list", found) else { continue };
            let columns = Names::columns(list);
            refs::typed(&columns, &told, "nameColumn", &["text", "enum"], found);
            refs::each(&columns, &told, "columns", found);
            refs::one(&columns, &told, "groupBy", found);
            refs::typed(&columns, &told, "onlyWhen", &["boolean"], found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::rules::told as findings;
    use serde_json::{Value, json};

    fn told(summary: Value) -> String {
        let columns = json!([{"id": "name", "type": "text"}, {"id": "sort", "type": "enum"}, {"id": "notes", "type": "longtext"},
                             {"id": "bulk", "type": "number"}, {"id": "packed", "type": "boolean"}]);
        let sheet = json!({"fields": [{"id": "calling"}], "derived": [{"id": "guard"}], "lists": [{"id": "gear", "columns": columns}]});
        let ruleset = json!({"sheet": sheet, "gm": {"sheetSummary": summary}});
        findings(check, &ruleset).join(", ").replace("/gm/sheetSummary", "")
    }

    #[test]
    fn the_summary_names_what_the_sheet_has() {
        assert_eq!(told(json!({"fields": ["calling"], "derived": ["guard"]})), "");
        assert_eq!(
            told(json!({"fields": ["guard"], "derived": ["calling"]})),
            "unknown-id /fields/0, unknown-id /derived/0"
        );
        let cases = [
            (
                json!({"list": "gear", "nameColumn": "name", "columns": ["bulk", "sort"], "groupBy": "sort", "onlyWhen": "packed"}),
                "",
            ),
            (json!({"list": "gear", "nameColumn": "sort"}), ""),
            (json!({"list": "gear", "nameColumn": "notes"}), "wrong-reference-type /lists/0/nameColumn"),
            (json!({"list": "gear", "nameColumn": "none"}), "unknown-id /lists/0/nameColumn"),
            (json!({"list": "gear", "columns": ["bulk", "none"]}), "unknown-id /lists/0/columns/1"),
            (json!({"list": "gear", "groupBy": "none"}), "unknown-id /lists/0/groupBy"),
            (json!({"list": "gear", "onlyWhen": "bulk"}), "wrong-reference-type /lists/0/onlyWhen"),
            (json!({"list": "none", "nameColumn": "none"}), "unknown-id /lists/0/list"),
        ];
        for (list, wanted) in cases {
            assert_eq!(told(json!({"lists": [list]})), wanted, "{list}");
        }
    }
}
