use crate::ruleset;
use crate::ruleset::{DisplayString, Originals};
use serde_json::Value;

/// What is known of the display strings of a ruleset. Of one that could not be read that is nothing.
#[derive(Debug, Default)]
pub struct Known {
    texts: Vec<DisplayString>,
    /// Whether there may be more: in a catalog file that is missing or cannot be read.
    in_part: bool,
}

impl Known {
    /// `files` are the catalog files that could be read.
    pub fn of(ruleset: &Value, files: &[(String, Value)]) -> Self {
        Known { texts: ruleset::display_texts(ruleset, files), in_part: ruleset::catalogs_left_out(ruleset, files) }
    }

    /// The strings made ready to hold language packs against them. Where some are not known no key of a pack is stale,
    /// and where none are nothing can be held against them.
    pub fn originals(&self) -> Option<Originals<'_>> {
        let originals = (!self.texts.is_empty()).then(|| Originals::new(&self.texts))?;
        Some(if self.in_part { originals.in_part() } else { originals })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::check_pack_against;
    use serde_json::json;

    #[test]
    fn no_key_is_stale_while_a_catalog_file_is_missing() {
        let ruleset = json!({"name": "Salt {kind}", "catalogs": [{"id": "a", "asset": "catalogs/a.json"}]});
        let pack = r#"{"_meta": {"locale": "ru", "direction": "ltr"}, "package": {"name": "x", "description": "y"},
                       "ruleset": {"Salt {kind}": "Соль", "Lamp": "Лампа", "Old lamp": "Лампа"}}"#;
        let told = |known: &Known| {
            let report = check_pack_against(pack.as_bytes(), &"ru".parse().unwrap(), known.originals().as_ref());
            let codes: Vec<_> = report.problems.into_iter().map(|problem| problem.code.as_str()).collect();
            (codes.join(" "), report.coverage.translated, report.coverage.stale)
        };
        let file = ("catalogs/a.json".to_owned(), json!({"entries": [{"label": "Lamp"}]}));
        assert_eq!(told(&Known::of(&ruleset, &[file])), ("placeholder-mismatch T05".to_owned(), 4, 1));
        assert_eq!(told(&Known::of(&ruleset, &[])), ("placeholder-mismatch".to_owned(), 3, 0));
        assert_eq!(told(&Known::default()), ("placeholder-mismatch".to_owned(), 0, 0));
    }
}
