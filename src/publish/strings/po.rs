//! gettext's PO, which translation tools read. A pack has one text for each English one, so no context is needed but
//! for the texts of the card, which may read like a display string.
//!
//! It is read here since a fault that `polib` finds has no position.

use super::Translation;
use super::spots::{Malformed, Spots};
use crate::ruleset::PackTexts;
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

/// What a PO file translates. A fuzzy translation is none, as it is to gettext; an obsolete one counts as any other.
pub(super) fn read(file: &str) -> Result<(PackTexts, Spots), Malformed> {
    let mut reader = Reader::default();
    let mut at = file.len() - file.trim_start_matches('\u{feff}').len();
    for line in file[at..].split_inclusive('\n') {
        let indent = line.len() - line.trim_start().len();
        reader.line(at + indent, line.trim())?;
        at += line.len();
    }
    reader.end();
    Ok((reader.texts, reader.spots))
}

#[derive(Default)]
struct Reader {
    texts: PackTexts,
    spots: Spots,
    entry: Entry,
    /// What a line that is only a text goes on with.
    last: Option<Part>,
}

#[derive(Default)]
struct Entry {
    fuzzy: bool,
    context: Vec<u8>,
    id: Vec<u8>,
    id_at: usize,
    text: Option<Vec<u8>>,
    text_at: usize,
}

#[derive(Clone, Copy)]
enum Part {
    Context,
    Id,
    Text,
}

impl Reader {
    /// Takes a line that begins at this byte, without the blank space around it.
    fn line(&mut self, mut at: usize, mut line: &str) -> Result<(), Malformed> {
        if let Some(obsolete) = line.strip_prefix("#~") {
            let inner = obsolete.trim_start();
            (at, line) = (at + line.len() - inner.len(), inner);
        }
        if line.starts_with('#') || line.is_empty() {
            // A comment stands before its entry.
            if self.entry.text.is_some() {
                self.end();
            }
            self.entry.fuzzy |= line.starts_with("#,") && line.contains("fuzzy");
            return Ok(());
        }
        let Some(quote) = line.find('"') else {
            return Err(Malformed::new(at, "this is neither a quoted text nor a comment"));
        };
        let keyword = line[..quote].trim_end();
        let part = match keyword {
            "" => self.last.ok_or_else(|| Malformed::new(at, "this text has no keyword"))?,
            "msgctxt" => Part::Context,
            "msgid" => Part::Id,
            "msgstr" => Part::Text,
            _ => return Err(Malformed::new(at, format!("`{keyword}` is not used in language packs"))),
        };
        if !keyword.is_empty() && !matches!(part, Part::Text) && self.entry.text.is_some() {
            self.end();
        }
        self.last = Some(part);
        let at = at + quote;
        let begins = !keyword.is_empty();
        let into = match part {
            Part::Context => &mut self.entry.context,
            Part::Id => {
                self.entry.id_at = if begins { at } else { self.entry.id_at };
                &mut self.entry.id
            }
            Part::Text => {
                self.entry.text_at = if begins { at } else { self.entry.text_at };
                self.entry.text.get_or_insert_default()
            }
        };
        unquote(&line[quote..], into).map_err(|why| Malformed::new(at, why))
    }

    /// The entry is complete.
    fn end(&mut self) {
        let Entry { fuzzy, context, id, id_at, text, text_at } = std::mem::take(&mut self.entry);
        self.last = None;
        let [context, id, text] =
            [context, id, text.unwrap_or_default()].map(|text| String::from_utf8_lossy(&text).into_owned());
        let text = if fuzzy { String::new() } else { text };
        match (context.as_str(), id.is_empty()) {
            ("package name", _) => {
                self.spots.card("name", id_at, text_at);
                self.texts.name = Some(text);
            }
            ("package description", _) => {
                self.spots.card("description", id_at, text_at);
                self.texts.description = Some(text);
            }
            // The header is the translation of nothing.
            (_, true) => {
                let language = text.lines().find_map(|field| field.strip_prefix("Language:"));
                let language = language.map(str::trim).filter(|language| !language.is_empty());
                self.spots.locale(text_at);
                self.texts.locale = self.texts.locale.take().or(language.map(|language| language.replace('_', "-")));
            }
            (_, false) => {
                self.spots.string(&id, id_at, text_at);
                self.texts.strings.push((id, text));
            }
        }
    }
}

/// Adds the bytes of a text in quotes: escapes may spell them one by one.
fn unquote(quoted: &str, into: &mut Vec<u8>) -> Result<(), &'static str> {
    let inner =
        quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).ok_or("this text has no closing quote")?;
    let mut bytes = inner.bytes().peekable();
    while let Some(byte) = bytes.next() {
        if byte != b'\\' {
            into.push(byte);
            continue;
        }
        let escaped = bytes.next().ok_or("this text has no closing quote")?;
        into.push(match escaped {
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'a' => 7,
            b'b' => 8,
            b'v' => 11,
            b'f' => 12,
            b'0'..=b'7' => {
                let mut value = u32::from(escaped - b'0');
                for _ in 0..2 {
                    let Some(digit) = bytes.next_if(|byte| (b'0'..=b'7').contains(byte)) else { break };
                    value = value * 8 + u32::from(digit - b'0');
                }
                u8::try_from(value).map_err(|_| "this text has an escape that is not a byte")?
            }
            other => other,
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(po: &str) -> Vec<(String, String)> {
        read(po).unwrap().0.strings
    }

    #[test]
    fn what_tools_write_is_read() {
        let po = r#"# comment
msgid ""
msgstr ""
"Language: pt_BR\n"
"X: y\n"

#: a:/b
msgid "one"
msgstr ""
"um "
"\"\\\t\303\251"
msgid "two"
msgstr "dois"
#, c-format, fuzzy
#| msgid "thre"
msgid "three"
msgstr "quatro"

msgctxt "package name"
msgid "one"
msgstr "Nome"

#~ msgid "old"
#~ msgstr "velho"
"#;
        let (texts, _) = read(po).unwrap();
        assert_eq!((texts.locale.as_deref(), texts.name.as_deref()), (Some("pt-BR"), Some("Nome")));
        let expected = [("one", "um \"\\\té"), ("two", "dois"), ("three", ""), ("old", "velho")];
        assert_eq!(texts.strings, expected.map(|(id, text)| (id.to_owned(), text.to_owned())));
        assert_eq!(strings(&po.replace('\n', "\r\n")), texts.strings);
    }

    #[test]
    fn what_is_no_po_file_says_where() {
        for (po, line, column) in [
            ("{", 1, 1),
            ("msgid \"a\"\n  msgstr \"b", 2, 10),
            ("\n\"a\"", 2, 1),
            ("\u{feff}msgid_plural \"a\"", 1, 1),
            ("msgid \"ж\"\r\nmsgstr[0] \"b\"", 2, 1),
            ("#~ msgid \"\\777\"", 1, 10),
        ] {
            let told = read(po).unwrap_err().in_words(po);
            assert!(told.starts_with(&format!("line {line}, column {column}: ")), "{po}: {told}");
        }
    }
}
