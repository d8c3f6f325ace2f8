//! A table for spreadsheets: `english`, `translation`, `places`, as RFC 4180 has it, every field in quotes.
//!
//! A text that begins with `=`, `+`, `-` or `@` stays as it is: with a sign put before it, it would no longer be the
//! string that is to be translated. Who opens such a file imports its columns as text.

use super::Translation;

pub(super) fn write(of: &Translation) -> String {
    let mut out = String::new();
    row(&mut out, ["english", "translation", "places"]);
    for (key, english, translation) in of.card() {
        row(&mut out, [english, translation, &format!("manifest.json:/{key}")]);
    }
    for string in &of.strings {
        let places: Vec<String> = string.uses.iter().map(|place| format!("{}:{}", place.file, place.pointer)).collect();
        row(&mut out, [&string.text, string.translation.as_deref().unwrap_or_default(), &places.join("\n")]);
    }
    out
}

fn row(out: &mut String, fields: [&str; 3]) {
    let fields = fields.map(|field| format!("\"{}\"", field.replace('"', "\"\"")));
    out.push_str(&fields.join(","));
    out.push_str("\r\n");
}
