//! A table for spreadsheets: `english`, `translation`, `places`, as RFC 4180 has it, every field in quotes.
//!
//! A spreadsheet takes a field for a formula by its first sign, in quotes or not. So such a field gets a `'` before it,
//! which makes it text to a spreadsheet, and loses it when it is read back.

use super::{Malformed, Translation};
use crate::ruleset::PackTexts;

const ENGLISH: &str = "english";
const TRANSLATION: &str = "translation";
const PLACES: &str = "places";

/// What makes a text of a field.
const AS_TEXT: &str = "'";

/// What a spreadsheet takes for the beginning of a formula, or passes over on the way to one; some read the wide signs
/// alike.
const BEGINS_FORMULA: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

pub(super) fn write(of: &Translation) -> String {
    let mut out = String::new();
    row(&mut out, [ENGLISH, TRANSLATION, PLACES]);
    for (key, english, translation) in of.card() {
        row(&mut out, [english, translation, &place_of(key)]);
    }
    for string in &of.strings {
        let places: Vec<String> = string.uses.iter().map(|place| format!("{}:{}", place.file, place.pointer)).collect();
        row(&mut out, [&string.text, string.translation.as_deref().unwrap_or_default(), &places.join("\n")]);
    }
    out
}

/// Where a text of the card stands.
fn place_of(key: &str) -> String {
    format!("manifest.json:/{key}")
}

fn row(out: &mut String, fields: [&str; 3]) {
    let fields = fields.map(|field| format!("\"{}{}\"", mark_of(field), field.replace('"', "\"\"")));
    out.push_str(&fields.join(","));
    out.push_str("\r\n");
}

/// What stands before a field so that it is taken for text. A field that looks as if it had got it already gets one more,
/// so each is read back as it was.
fn mark_of(field: &str) -> &'static str {
    if is_formula(field) { AS_TEXT } else { "" }
}

/// The text of a field. Some spreadsheets save the mark, some do not; without one it is the text already. Only where a
/// text itself begins with `'` and then such a sign does that make a difference: the `'` is taken for the mark.
fn text_of(field: &str) -> &str {
    field.strip_prefix(AS_TEXT).filter(|text| is_formula(text)).unwrap_or(field)
}

fn is_formula(field: &str) -> bool {
    field.trim_start_matches(AS_TEXT).starts_with(BEGINS_FORMULA)
}

/// What a table translates. Spreadsheets save it with semicolons or tabs where a comma parts decimals; the columns are
/// known by their names, in any order.
pub(super) fn read(text: &str) -> Result<PackTexts, Malformed> {
    let text = text.trim_start_matches('\u{feff}');
    let header = text.lines().next().unwrap_or_default();
    let delimiter = [',', ';', '\t'].into_iter().max_by_key(|sign| header.matches(*sign).count()).unwrap_or(',');
    let mut rows = rows(text, delimiter)?.into_iter();
    let names = rows.next().unwrap_or_default();
    let column = |name: &str| names.iter().position(|column| column.trim().eq_ignore_ascii_case(name));
    let (Some(english), Some(translation)) = (column(ENGLISH), column(TRANSLATION)) else {
        let why = format!("does not name the columns `{ENGLISH}` and `{TRANSLATION}`");
        return Err(Malformed { line: 1, why });
    };
    let places = column(PLACES);
    let mut texts = PackTexts::default();
    for row in rows {
        let field = |column: usize| row.get(column).map(|field| text_of(field).to_owned()).unwrap_or_default();
        let place = places.map(field).unwrap_or_default();
        if place == place_of("name") {
            texts.name = Some(field(translation));
        } else if place == place_of("description") {
            texts.description = Some(field(translation));
        } else if !field(english).is_empty() {
            texts.strings.push((field(english), field(translation)));
        }
    }
    Ok(texts)
}

fn rows(text: &str, delimiter: char) -> Result<Vec<Vec<String>>, Malformed> {
    let mut rows = Vec::new();
    let mut row: Vec<String> = Vec::new();
    let mut field = String::new();
    // The line on which the quote stands that is open.
    let mut quote = None;
    let mut line = 1;
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        line += u64::from(sign == '\n');
        match (sign, quote) {
            ('"', Some(_)) if signs.next_if_eq(&'"').is_some() => field.push('"'),
            ('"', Some(_)) => quote = None,
            (_, Some(_)) => field.push(sign),
            ('"', None) if field.is_empty() => quote = Some(line),
            ('\r', None) if signs.peek() == Some(&'\n') => {}
            ('\n', None) => {
                row.push(std::mem::take(&mut field));
                rows.push(std::mem::take(&mut row));
            }
            (_, None) if sign == delimiter => row.push(std::mem::take(&mut field)),
            (_, None) => field.push(sign),
        }
    }
    if let Some(line) = quote {
        return Err(Malformed { line, why: "opens a quote that nothing closes".to_owned() });
    }
    if !field.is_empty() || !row.is_empty() {
        row.push(field);
        rows.push(row);
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_spreadsheets_save_is_read() {
        for table in [
            "english,translation,places\r\n\"a, b\",\"x \"\"y\"\"\nz\",\r\nc,,\r\nd,w,manifest.json:/name\r\n",
            "\u{feff}Places;English;Translation\n;a, b;\"x \"\"y\"\"\nz\"\n;c;\nmanifest.json:/name;d;w",
            "translation\tenglish\tplaces\n\"x \"\"y\"\"\nz\"\ta, b\n\tc\n\nw\td\tmanifest.json:/name",
        ] {
            let texts = read(table).unwrap();
            let expected = [("a, b", "x \"y\"\nz"), ("c", "")];
            assert_eq!(texts.strings, expected.map(|(id, text)| (id.to_owned(), text.to_owned())), "{table}");
            assert_eq!(texts.name.as_deref(), Some("w"), "{table}");
        }
    }

    #[test]
    fn what_a_spreadsheet_would_run_is_marked_as_text() {
        for (text, written) in [
            ("=Rope", "'=Rope"),
            ("+1", "'+1"),
            ("-", "'-"),
            ("@home", "'@home"),
            ("\t=1", "'\t=1"),
            ("\r=1", "'\r=1"),
            ("＝1", "'＝1"),
            ("'=1", "''=1"),
            ("'tis", "'tis"),
            ("''", "''"),
            ("a=b", "a=b"),
            ("", ""),
        ] {
            assert_eq!(format!("{}{text}", mark_of(text)), written);
        }
        // As a spreadsheet saves it that drops the mark, and as one does that keeps it.
        let texts = read("english,translation\r\n=Rope,+1\r\n'=Rope,'tis\r\n").unwrap();
        let expected = [("=Rope", "+1"), ("=Rope", "'tis")];
        assert_eq!(texts.strings, expected.map(|(id, text)| (id.to_owned(), text.to_owned())));
    }

    proptest! {
        #[test]
        fn no_field_is_a_formula_and_each_is_read_as_it_was(field in "['=+@\t\r\n＝-]{0,4}[a\",]{0,2}|\\PC{0,4}") {
            let mut table = String::new();
            row(&mut table, [&field, "", &field]);
            let rows = rows(&table, ',').map_err(|wrong| TestCaseError::fail(wrong.why))?;
            prop_assert_eq!((rows.len(), rows[0].len(), rows[0][1].as_str()), (1, 3, ""));
            let written = &rows[0][0];
            prop_assert!(!written.starts_with(BEGINS_FORMULA), "{}", written);
            prop_assert_eq!(text_of(written), &field);
            if !field.starts_with(AS_TEXT) {
                prop_assert_eq!(text_of(written.strip_prefix(AS_TEXT).unwrap_or(written)), &field);
            }
        }
    }

    #[test]
    fn what_is_no_table_of_strings_says_where() {
        for (table, line) in [("", 1), ("a,b\n", 1), ("english,translation\na,b\nc,\"d\n\n", 3)] {
            assert_eq!(read(table).unwrap_err().line, line, "{table}");
        }
    }
}
