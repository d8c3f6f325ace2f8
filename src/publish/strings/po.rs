//! gettext's PO, which translation tools read. A pack has one text for each English one, so no context is needed but for
//! the texts of the card, which may read like a display string.

use super::{Malformed, Translation};
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
pub(super) fn read(text: &str) -> Result<PackTexts, Malformed> {
    let mut reader = Reader::default();
    for (line, text) in text.trim_start_matches('\u{feff}').lines().zip(1..).map(|(text, line)| (line, text.trim())) {
        reader.line(text).map_err(|why| Malformed { line, why })?;
    }
    reader.end();
    Ok(reader.texts)
}

#[derive(Default)]
struct Reader {
    texts: PackTexts,
    entry: Entry,
    /// What a line that is only a text goes on with.
    last: Option<Part>,
}

#[derive(Default)]
struct Entry {
    fuzzy: bool,
    context: Vec<u8>,
    id: Vec<u8>,
    text: Option<Vec<u8>>,
}

#[derive(Clone, Copy)]
enum Part {
    Context,
    Id,
    Text,
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), String> {
        let line = line.strip_prefix("#~").map_or(line, str::trim_start);
        if line.starts_with('#') || line.is_empty() {
            // A comment stands before its entry.
            if self.entry.text.is_some() {
                self.end();
            }
            self.entry.fuzzy |= line.starts_with("#,") && line.contains("fuzzy");
            return Ok(());
        }
        let (keyword, rest) = match line.find('"') {
            Some(at) => (line[..at].trim_end(), &line[at..]),
            None => return Err("is neither a text in quotes nor a comment".to_owned()),
        };
        let part = match keyword {
            "" => self.last.ok_or("is a text that belongs to nothing")?,
            "msgctxt" => Part::Context,
            "msgid" => Part::Id,
            "msgstr" => Part::Text,
            _ => return Err(format!("begins with `{keyword}`, which has no meaning in a language pack")),
        };
        if !keyword.is_empty() && !matches!(part, Part::Text) && self.entry.text.is_some() {
            self.end();
        }
        self.last = Some(part);
        let into = match part {
            Part::Context => &mut self.entry.context,
            Part::Id => &mut self.entry.id,
            Part::Text => self.entry.text.get_or_insert_default(),
        };
        unquote(rest, into)
    }

    /// The entry is complete.
    fn end(&mut self) {
        let Entry { fuzzy, context, id, text } = std::mem::take(&mut self.entry);
        self.last = None;
        let [context, id, text] =
            [context, id, text.unwrap_or_default()].map(|text| String::from_utf8_lossy(&text).into_owned());
        let text = if fuzzy { String::new() } else { text };
        match (context.as_str(), id.is_empty()) {
            ("package name", _) => self.texts.name = Some(text),
            ("package description", _) => self.texts.description = Some(text),
            // The header is the translation of nothing.
            (_, true) => {
                let language = text.lines().find_map(|field| field.strip_prefix("Language:"));
                let language = language.map(str::trim).filter(|language| !language.is_empty());
                self.texts.locale = self.texts.locale.take().or(language.map(|language| language.replace('_', "-")));
            }
            (_, false) => self.texts.strings.push((id, text)),
        }
    }
}

/// Adds the bytes of a text in quotes: escapes may spell them one by one.
fn unquote(quoted: &str, into: &mut Vec<u8>) -> Result<(), String> {
    let inner = quoted
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
        .ok_or("has a text without its closing quote")?;
    let mut bytes = inner.bytes().peekable();
    while let Some(byte) = bytes.next() {
        if byte != b'\\' {
            into.push(byte);
            continue;
        }
        let escaped = bytes.next().ok_or("has a text without its closing quote")?;
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
                u8::try_from(value).map_err(|_| "has an escape that is no byte")?
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
        read(po).unwrap().strings
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
        let texts = read(po).unwrap();
        assert_eq!((texts.locale.as_deref(), texts.name.as_deref()), (Some("pt-BR"), Some("Nome")));
        let expected = [("one", "um \"\\\té"), ("two", "dois"), ("three", ""), ("old", "velho")];
        assert_eq!(texts.strings, expected.map(|(id, text)| (id.to_owned(), text.to_owned())));
        assert_eq!(strings(&po.replace('\n', "\r\n")), texts.strings);
    }

    #[test]
    fn what_is_no_po_file_says_where() {
        for (po, line) in [
            ("{", 1),
            ("msgid \"a\"\nmsgstr \"b", 2),
            ("\n\"a\"", 2),
            ("msgid_plural \"a\"", 1),
            ("msgid \"a\"\nmsgstr[0] \"b\"", 2),
            ("msgid \"\\777\"", 1),
        ] {
            assert_eq!(read(po).unwrap_err().line, line, "{po}");
        }
    }
}
