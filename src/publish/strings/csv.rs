//! A table for spreadsheets: `english`, `translation`, `places`, as RFC 4180 has it, every field in quotes.
//!
//! A spreadsheet takes a field for a formula by its first sign, in quotes or not. So such a field gets a `'` before it,
//! which makes it text to a spreadsheet, and loses it when it is read back.

use super::Translation;
use super::spots::{Malformed, Spots};
use crate::ruleset::PackTexts;
use csv::{QuoteStyle, Terminator, WriterBuilder};
use csv_core::{ReadFieldResult, ReaderBuilder};

const ENGLISH: &str = "english";
const TRANSLATION: &str = "translation";
const PLACES: &str = "places";

/// What makes a text of a field.
const AS_TEXT: &str = "'";

/// What a spreadsheet takes for the beginning of a formula, or passes over on the way to one; some read the wide signs
/// alike.
const BEGINS_FORMULA: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

pub(super) fn write(of: &Translation) -> String {
    let mut rows = vec![[ENGLISH, TRANSLATION, PLACES].map(str::to_owned)];
    for (key, english, translation) in of.card() {
        rows.push([english.to_owned(), translation.to_owned(), place_of(key)]);
    }
    for string in &of.strings {
        let places: Vec<String> = string.uses.iter().map(|place| format!("{}:{}", place.file, place.pointer)).collect();
        rows.push([string.text.clone(), string.translation.clone().unwrap_or_default(), places.join("\n")]);
    }
    table(&rows)
}

/// Where a text of the card stands.
fn place_of(key: &str) -> String {
    format!("manifest.json:/{key}")
}

fn table(rows: &[[String; 3]]) -> String {
    let mut builder = WriterBuilder::new();
    let builder = builder.quote_style(QuoteStyle::Always).terminator(Terminator::CRLF);
    let mut writer = builder.from_writer(Vec::new());
    for row in rows {
        let marked = row.each_ref().map(|field| format!("{}{field}", mark_of(field)));
        writer.write_record(&marked).unwrap_or_else(|_| unreachable!("rows of a table are equally long"));
    }
    let bytes = writer.into_inner().unwrap_or_else(|_| unreachable!("memory takes what is written to it"));
    String::from_utf8(bytes).unwrap_or_else(|_| unreachable!("texts in quotes are text"))
}

/// What stands before a field so that it is taken for text. A field that looks as if it had got it already gets one
/// more, so each is read back as it was.
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

/// A field, and the byte it begins at.
struct Field {
    at: usize,
    text: String,
}

/// What a table translates. Spreadsheets save it with semicolons or tabs where a comma parts decimals; the columns are
/// known by their names, in any order.
pub(super) fn read(file: &str) -> Result<(PackTexts, Spots), Malformed> {
    let mut rows = rows(file)?.into_iter();
    let names = rows.next().unwrap_or_default();
    let column = |name: &str| names.iter().position(|column| column.text.trim().eq_ignore_ascii_case(name));
    let (Some(english), Some(translation)) = (column(ENGLISH), column(TRANSLATION)) else {
        let why = format!("the header does not have the columns `{ENGLISH}` and `{TRANSLATION}`");
        return Err(Malformed::new(0, why));
    };
    let places = column(PLACES);
    let (mut texts, mut spots) = (PackTexts::default(), Spots::default());
    for row in rows {
        let field = |column: usize| row.get(column).map(|field| text_of(&field.text).to_owned()).unwrap_or_default();
        let begin = row.first().map_or(0, |field| field.at);
        let at = |column: usize| row.get(column).map_or(begin, |field| field.at);
        let place = places.map(field).unwrap_or_default();
        if let Some(key) = ["name", "description"].into_iter().find(|key| place == place_of(key)) {
            let text = if key == "name" { &mut texts.name } else { &mut texts.description };
            *text = Some(field(translation));
            spots.card(key, at(english), at(translation));
        } else if !field(english).is_empty() {
            spots.string(&field(english), at(english), at(translation));
            texts.strings.push((field(english), field(translation)));
        }
    }
    Ok((texts, spots))
}

/// The records of a table. `csv` tells only where a record begins, so its engine is asked field by field.
fn rows(file: &str) -> Result<Vec<Vec<Field>>, Malformed> {
    let text = file.trim_start_matches('\u{feff}');
    let mark = file.len() - text.len();
    let mut reader = ReaderBuilder::new().delimiter(delimiter_of(text)).build();
    let (mut rows, mut row) = (Vec::new(), Vec::new());
    let mut field = vec![0; text.len()];
    let (mut at, mut begin, mut filled) = (0, 0, 0);
    loop {
        if filled == 0 && row.is_empty() && at == begin {
            // The reader passes over what is left of the line end before.
            at += text[at..].len() - text[at..].trim_start_matches(['\r', '\n']).len();
            begin = at;
        }
        let (result, read, written) = reader.read_field(&text.as_bytes()[at..], &mut field[filled..]);
        at += read;
        filled += written;
        match result {
            ReadFieldResult::InputEmpty | ReadFieldResult::OutputFull => {}
            ReadFieldResult::Field { record_end } => {
                if is_open(&text[begin..at]) {
                    return Err(Malformed::new(mark + begin, "this quote is not closed"));
                }
                row.push(Field { at: mark + begin, text: String::from_utf8_lossy(&field[..filled]).into_owned() });
                (begin, filled) = (at, 0);
                if record_end {
                    rows.push(std::mem::take(&mut row));
                }
            }
            ReadFieldResult::End => return Ok(rows),
        }
    }
}

/// The sign that stands most often in the header.
fn delimiter_of(text: &str) -> u8 {
    let header = text.lines().next().unwrap_or_default();
    let count = |sign: &u8| header.bytes().filter(|byte| byte == sign).count();
    [b',', b';', b'\t'].into_iter().max_by_key(count).unwrap_or(b',')
}

/// Whether a field as it is written opens a quote that it does not close, which the reader takes for the field's end.
fn is_open(written: &str) -> bool {
    written.starts_with('"') && !written.matches('"').count().is_multiple_of(2)
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
            let (texts, _) = read(table).unwrap();
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
        let (texts, _) = read("english,translation\r\n=Rope,+1\r\n'=Rope,'tis\r\n").unwrap();
        let expected = [("=Rope", "+1"), ("=Rope", "'tis")];
        assert_eq!(texts.strings, expected.map(|(id, text)| (id.to_owned(), text.to_owned())));
    }

    proptest! {
        #[test]
        fn no_field_is_a_formula_and_each_is_read_as_it_was(field in "['=+@\t\r\n＝-]{0,4}[a\",]{0,2}|\\PC{0,4}") {
            let table = table(&[["a", "b", "c"].map(str::to_owned), [field.clone(), String::new(), field.clone()]]);
            let rows = rows(&table).map_err(|wrong| TestCaseError::fail(wrong.why))?;
            prop_assert_eq!((rows.len(), rows[1].len(), rows[1][1].text.as_str()), (2, 3, ""));
            prop_assert!(rows[1].iter().all(|field| table[field.at..].starts_with('"')));
            let written = &rows[1][0].text;
            prop_assert!(!written.starts_with(BEGINS_FORMULA), "{}", written);
            prop_assert_eq!(text_of(written), &field);
            if !field.starts_with(AS_TEXT) {
                prop_assert_eq!(text_of(written.strip_prefix(AS_TEXT).unwrap_or(written)), &field);
            }
        }
    }

    #[test]
    fn what_is_no_table_of_strings_says_where() {
        for (table, place) in [
            ("", "line 1, column 1"),
            ("a,b\n", "line 1, column 1"),
            ("english,translation\na,b\nc,\"d\n\n", "line 3, column 3"),
            ("\u{feff}english,translation\r\nж,\"d", "line 2, column 3"),
        ] {
            let told = read(table).unwrap_err().in_words(table);
            assert!(told.starts_with(place), "{told}");
        }
    }

    #[test]
    fn a_text_is_found_where_its_field_begins() {
        let table = "\u{feff}english,translation\r\n\r\n\"a\r\nb\",\"x\"\r\nжар,y\r\n";
        let (_, spots) = read(table).unwrap();
        let pointer = crate::types::Pointer::root().at("ruleset");
        let problem = |key: &str| crate::types::Problem::new(crate::types::codes::T05, &pointer.at(key), "");
        let mut problems = [problem("жар"), problem("a\r\nb"), problem("a\r\nb").at_key()];
        spots.locate(table, &mut problems);
        let places = problems.map(|problem| (problem.line.unwrap(), problem.column.unwrap()));
        assert_eq!(places, [(5, 5), (4, 4), (3, 1)]);
    }
}
