//! gettext's PO, which translation tools read. A pack has one text for each English one, so no context is needed but for
//! the texts of the card, which may read like a display string.

use super::Translation;
use crate::ruleset::Use;

/// The strings as a PO file. Translations of strings that are no longer shown come last, as obsolete entries.
pub(super) fn write(of: &Translation) -> String {
    let mut out = String::new();
    let language = of.language.as_deref().unwrap_or_default().replace('-', "_");
    let project = of.ruleset.as_deref().unwrap_or_default();
    let header = format!(
        "Project-Id-Version: {project}\nLanguage: {language}\nMIME-Version: 1.0\n\
         Content-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n"
    );
    push(&mut out, "msgid", "");
    line(&mut out, "msgstr \"\"");
    header.split_inclusive('\n').for_each(|field| line(&mut out, &quoted(field)));
    for (key, english, translation) in of.card() {
        line(&mut out, &format!("\n#: manifest.json:/{key}\nmsgctxt \"package {key}\""));
        push(&mut out, "msgid", english);
        push(&mut out, "msgstr", translation);
    }
    for string in &of.strings {
        line(&mut out, "");
        string.uses.iter().for_each(|place| line(&mut out, &format!("#: {}", reference(place))));
        push(&mut out, "msgid", &string.text);
        push(&mut out, "msgstr", string.translation.as_deref().unwrap_or_default());
    }
    for stale in &of.stale {
        line(&mut out, "");
        push(&mut out, "#~ msgid", &stale.text);
        push(&mut out, "#~ msgstr", &stale.translation);
    }
    out
}

fn push(out: &mut String, keyword: &str, text: &str) {
    line(out, &format!("{keyword} {}", quoted(text)));
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

/// `file:pointer`. References end at blank space, so it is written as in the fragment of an address (RFC 6901,
/// section 6), and `%` with it.
fn reference(place: &Use) -> String {
    let mut text = format!("{}:", place.file);
    for c in place.pointer.chars() {
        if c == '%' || c.is_whitespace() || c.is_control() {
            text.extend(c.encode_utf8(&mut [0; 4]).bytes().map(|byte| format!("%{byte:02X}")));
        } else {
            text.push(c);
        }
    }
    text
}

/// In double quotes, with the escapes of C.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_ascii_control() => out.push_str(&format!("\\{:03o}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
