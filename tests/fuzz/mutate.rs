//! New inputs out of old ones: by bytes, by the numbers a binary format holds, and by the tokens of JSON.

use super::random::Random;
use std::ops::Range;

/// No mutated input is longer: what a parser does with much of it is another test's business.
const LONGEST: usize = 32 << 10;

/// What parsers stumble over: numbers at the edges, half characters, paths that climb, words that mean something.
const WORDS: &[&str] = &[
    "null",
    "true",
    "[]",
    "{}",
    "[[]]",
    "{\"\":{}}",
    "\"\"",
    "-1",
    "0",
    "-0.0",
    "1.0",
    "2.5",
    "1e999",
    "-1e999",
    "1e-999",
    "255",
    "256",
    "65535",
    "65536",
    "4294967295",
    "4294967296",
    "9007199254740993",
    "18446744073709551615",
    "18446744073709551616",
    "1E400",
    "01",
    "+1",
    ".5",
    "NaN",
    "\"\\ud800\"",
    "\"\\udc00\\ud800\"",
    "\"\\u0000\"",
    "\"\\\"\"",
    "\"\\",
    "\"..\"",
    "\"../../x\"",
    "\"/etc/passwd\"",
    "\"C:\\\\x\"",
    "\"nul.json\"",
    "\"a:b\"",
    "\"ruleset\"",
    "\"en\"",
    "\"RU\"",
    "\"zh-Hant\"",
    "\"1.0.0\"",
    "\"1.0.0-0\"",
    "\"__proto__\"",
    "\"manifest\"",
    "\"files\"",
    "\"schema\"",
    "\"https://example.org/x\"",
    "\"http://[::1]/\"",
    ",",
    ":",
    "{",
    "}",
    "[",
    "]",
    "\u{feff}",
    "\u{202e}",
    "\u{200d}",
    "\u{1b}[2J",
    "\r\n",
    "\0",
    "@latin",
    "-x-",
    "PK\u{3}\u{4}",
    "PK\u{1}\u{2}",
    "PK\u{5}\u{6}",
    "<html>",
    "rulepack-catalog 1 ",
];

/// One to eight changes of an input; `other` is what pieces are taken from.
pub fn mutated(input: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = input.to_vec();
    for _ in 0..=random.below(8) {
        let looks_like_json = bytes.iter().any(|byte| matches!(byte, b'{' | b'['));
        if looks_like_json && random.below(2) == 0 {
            by_token(&mut bytes, random);
        } else {
            by_byte(&mut bytes, other, random);
        }
        bytes.truncate(LONGEST);
    }
    bytes
}

fn by_byte(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let range = random.range(bytes.len());
    match random.below(11) {
        0 if !bytes.is_empty() => bytes[range.start] ^= 1 << random.below(8),
        1 if !bytes.is_empty() => bytes[range.start] = random.next() as u8,
        2 => drop(bytes.drain(range)),
        3 => {
            let piece = bytes[range.clone()].repeat(1 + random.below(3));
            insert(bytes, range.end, &piece);
        }
        4 => {
            let piece = other[random.range(other.len())].to_vec();
            insert(bytes, range.start, &piece);
        }
        5 => {
            let tail = other[random.below(other.len() + 1)..].to_vec();
            bytes.truncate(range.start);
            bytes.extend(tail);
        }
        6 => bytes.truncate(range.start),
        7 => insert(bytes, range.start, random.pick(WORDS).as_bytes()),
        8 => {
            let piece = vec![random.next() as u8; 1 + random.below(64)];
            insert(bytes, range.start, &piece);
        }
        _ => number(bytes, random),
    }
}

fn insert(bytes: &mut Vec<u8>, at: usize, piece: &[u8]) {
    bytes.splice(at..at, piece.iter().copied());
}

/// Sets a binary number to an edge: in a record of a zip more often than anywhere.
fn number(bytes: &mut [u8], random: &mut Random) {
    let records: Vec<usize> = (0..bytes.len().saturating_sub(4)).filter(|at| bytes[*at..].starts_with(b"PK")).collect();
    let at = match records.len() {
        0 => random.below(bytes.len()),
        _ => records[random.below(records.len())] + 4 + random.below(44),
    };
    let edges = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fff_ffff, 0xffff_ffff, u64::MAX, bytes.len() as u64];
    let value = edges[random.below(edges.len())].wrapping_add(random.next() % 3).wrapping_sub(1);
    let width = [1, 2, 4, 8][random.below(4)];
    if let Some(place) = bytes.get_mut(at..at + width) {
        place.copy_from_slice(&value.to_le_bytes()[..width]);
    }
}

fn by_token(bytes: &mut Vec<u8>, random: &mut Random) {
    let tokens = tokens(bytes);
    if tokens.is_empty() {
        return;
    }
    let token = tokens[random.below(tokens.len())].clone();
    let another = tokens[random.below(tokens.len())].clone();
    match random.below(8) {
        0 | 1 => drop(bytes.splice(token, random.pick(WORDS).bytes())),
        2 => drop(bytes.drain(token)),
        3 => {
            let piece = bytes[another].to_vec();
            bytes.splice(token, piece);
        }
        // A member, an element, or whatever stands between two tokens, once more.
        4 => {
            let (start, end) = (token.start.min(another.start), token.end.max(another.end));
            let piece = [b",", &bytes[start..end.min(start + 2048)]].concat();
            insert(bytes, end, &piece);
        }
        5 => {
            let most = if random.below(8) == 0 { 300 } else { 3 };
            let levels = 1 + random.below(most);
            insert(bytes, token.end, "]".repeat(levels).as_bytes());
            insert(bytes, token.start, "[".repeat(levels).as_bytes());
        }
        6 => {
            let piece = [&bytes[token.clone()], b","].concat().repeat(1 + random.below(200));
            insert(bytes, token.start, &piece);
        }
        _ => {
            let inside = token.start + 1..token.end.saturating_sub(1).max(token.start + 1);
            if bytes[token.start] == b'"' && inside.end <= bytes.len() {
                let word = random.pick(WORDS).trim_matches('"');
                bytes.splice(inside.start..inside.start + random.below(inside.len() + 1), word.bytes());
            }
        }
    }
}

/// The tokens of something like JSON: brackets, signs, strings, words.
fn tokens(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let length = match rest[0] {
            b'"' => string_length(rest),
            b if b.is_ascii_alphanumeric() || b == b'-' => {
                rest.iter().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'+' | b'.')).count()
            }
            _ => 1,
        };
        if !rest[0].is_ascii_whitespace() {
            found.push(at..at + length);
        }
        at += length;
    }
    found
}

fn string_length(rest: &[u8]) -> usize {
    let mut escaped = false;
    let end = rest.iter().skip(1).position(|byte| {
        let closes = *byte == b'"' && !escaped;
        escaped = *byte == b'\\' && !escaped;
        closes
    });
    end.map_or(rest.len(), |end| end + 2)
}
