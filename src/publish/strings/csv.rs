//! A table for spreadsheets: `english`, `translation`, `places`, as RFC 4180 has it, every field in quotes.
//!
//! A text that begins with `=`, `+`, `-` or `@` stays as it is: with a sign put before it, it would no longer be the
//! string that is to be translated. Who opens such a file imports its columns as text.

use super::{Malformed, Translation};
use crate::package::PackTexts;

const ENGLISH: &str = "english";
const TRANSLATION: &str = "translation";
const PLACES: &str = "places";

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
    let fields = fields.map(|field| format!("\"{}\"", field.replace('"', "\"\"")));
    out.push_str(&fields.join(","));
    out.push_str("\r\n");
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
        let field = |column: usize| row.get(column).cloned().unwrap_or_default();
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
    fn what_is_no_table_of_strings_says_where() {
        for (table, line) in [("", 1), ("a,b\n", 1), ("english,translation\na,b\nc,\"d\n\n", 3)] {
            assert_eq!(read(table).unwrap_err().line, line, "{table}");
        }
    }
}
