//! The tokens of any bytes at all, as JSON would have them: what finds places in a text has to go on where a parser
//! gives up.

use std::borrow::Cow;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    OpenObject,
    OpenList,
    Close,
    Comma,
    Colon,
    Text,
    /// A number, a word, or rubbish.
    Other,
}

/// One token, and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub kind: Kind,
    pub start: usize,
    pub end: usize,
}

/// A byte order mark at the beginning is passed over.
pub(super) fn lex(text: &[u8]) -> impl Iterator<Item = Token> {
    let mut at = mark(text);
    std::iter::from_fn(move || {
        at += text[at..].iter().position(|byte| !is_blank(*byte))?;
        let start = at;
        let token = token_at(text, start);
        at = token.end;
        Some(token)
    })
}

/// The token that begins at `start`, which is no blank and lies within the text.
pub(super) fn token_at(text: &[u8], start: usize) -> Token {
    let (kind, length) = match text[start] {
        b'{' => (Kind::OpenObject, 1),
        b'[' => (Kind::OpenList, 1),
        b'}' | b']' => (Kind::Close, 1),
        b',' => (Kind::Comma, 1),
        b':' => (Kind::Colon, 1),
        b'"' => (Kind::Text, text_length(&text[start..])),
        _ => (Kind::Other, other_length(&text[start..])),
    };
    Token { kind, start, end: start + length }
}

/// What a text token says, without its quotes; nothing when it is no JSON.
pub(super) fn unquoted(token: &[u8]) -> Option<Cow<'_, [u8]>> {
    let inner = token.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    if !inner.contains(&b'\\') {
        return Some(Cow::Borrowed(inner));
    }
    serde_json::from_slice::<String>(token).ok().map(|text| Cow::Owned(text.into_bytes()))
}

/// The bytes of the byte order mark a text begins with.
pub(super) fn mark(text: &[u8]) -> usize {
    if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// The length of the string at the start of `text`, both quotes included, or to the end where it is not closed.
fn text_length(text: &[u8]) -> usize {
    let mut at = 1;
    while let Some(next) = text[at..].iter().position(|byte| matches!(byte, b'"' | b'\\')) {
        at += next;
        if text[at] == b'"' {
            return at + 1;
        }
        at = (at + 2).min(text.len());
    }
    text.len()
}

fn other_length(text: &[u8]) -> usize {
    let ends = |byte: &u8| is_blank(*byte) || matches!(byte, b'{' | b'}' | b'[' | b']' | b',' | b':' | b'"');
    text.iter().position(ends).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<&str> {
        lex(text.as_bytes()).map(|token| &text[token.start..token.end]).collect()
    }

    #[test]
    fn tokens_are_told_apart_however_they_are_laid_out() {
        assert_eq!(
            tokens("\u{feff}{\"a\\\"]\":[1.5e3,\r\n\ttrue ] }"),
            ["{", "\"a\\\"]\"", ":", "[", "1.5e3", ",", "true", "]", "}"]
        );
        assert_eq!(tokens("<html> \"open \\"), ["<html>", "\"open \\"]);
        assert_eq!(tokens("\"\\"), ["\"\\"]);
        assert_eq!(tokens(""), [""; 0]);
    }

    #[test]
    fn a_text_is_read_with_its_escapes_and_borrowed_without() {
        assert!(matches!(unquoted(b"\"plain\""), Some(Cow::Borrowed(b"plain"))));
        assert_eq!(unquoted(br#""\u0061\/""#).as_deref(), Some(&b"a/"[..]));
        assert_eq!(unquoted(br#""\x""#), None);
        assert_eq!(unquoted(b"\""), None);
    }
}
