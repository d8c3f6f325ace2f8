//! Texts, numbers and words of JSON, one by one: whether they are spelled as they must be.

use std::ops::Range;

/// What is wrong within one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flaw {
    /// The file ends before the text does.
    OpenText,
    /// The line ends before the text does.
    LineEnd,
    Control,
    Escape,
    HalfPair,
    NoWord,
    NoNumber,
    TooLarge,
}

/// What one is, as far as it goes.
#[derive(Debug, Default)]
pub(super) struct Literal {
    /// The first flaw, and the bytes it is about.
    pub flaw: Option<(Flaw, Range<usize>)>,
    /// How many bytes at its end are none of it.
    pub rest: usize,
}

impl Literal {
    fn flawed(flaw: Flaw, at: Range<usize>) -> Self {
        Literal { flaw: Some((flaw, at)), rest: 0 }
    }
}

/// A token that begins with a quote.
pub(super) fn text(token: &str) -> Literal {
    let bytes = token.as_bytes();
    let mut at = 1;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => return Literal::default(),
            b'\\' => match escape(&bytes[at..]) {
                Ok(length) => at += length,
                Err((Flaw::OpenText, _)) => break,
                Err((flaw, length)) => {
                    let end = (at + length).min(bytes.len());
                    return Literal::flawed(flaw, at..token.ceil_char_boundary(end));
                }
            },
            b'\n' | b'\r' => return Literal::flawed(Flaw::LineEnd, at..at + 1),
            ..0x20 => return Literal::flawed(Flaw::Control, at..at + 1),
            _ => at += 1,
        }
    }
    Literal::flawed(Flaw::OpenText, 0..token.len())
}

/// The length of the escape that these bytes begin with, or what is wrong with it and how long that is.
fn escape(bytes: &[u8]) -> Result<usize, (Flaw, usize)> {
    let unit = |at: usize| {
        let digits = bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
        let all_hex = digits.iter().all(u8::is_ascii_hexdigit);
        let digits = std::str::from_utf8(digits).ok().filter(|_| all_hex)?;
        u16::from_str_radix(digits, 16).ok()
    };
    match bytes.get(1) {
        None => Err((Flaw::OpenText, 1)),
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(2),
        Some(b'u') => match (unit(0), unit(6)) {
            (None, _) => Err((Flaw::Escape, 2)),
            (Some(0xD800..0xDC00), Some(0xDC00..0xE000)) => Ok(12),
            (Some(0xD800..0xE000), _) => Err((Flaw::HalfPair, 6)),
            (Some(_), _) => Ok(6),
        },
        Some(_) => Err((Flaw::Escape, 2)),
    }
}

/// A token of neither quotes nor signs of JSON: a number, or one of its three words.
pub(super) fn bare(token: &str) -> Literal {
    let is_of_it = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    let length = token.find(|c| !is_of_it(c)).filter(|length| *length > 0).unwrap_or(token.len());
    let (spelled, rest) = token.split_at(length);
    let flaw = match spelled.as_bytes().first() {
        Some(b'0'..=b'9' | b'-' | b'+' | b'.') if !is_number(spelled) => Some(Flaw::NoNumber),
        Some(b'0'..=b'9' | b'-' | b'+' | b'.') => {
            spelled.parse::<f64>().is_ok_and(f64::is_infinite).then_some(Flaw::TooLarge)
        }
        _ if ["true", "false", "null"].contains(&spelled) => None,
        _ => Some(Flaw::NoWord),
    };
    Literal { flaw: flaw.map(|flaw| (flaw, 0..length)), rest: rest.len() }
}

/// Whether this is a number as RFC 8259 has it.
fn is_number(spelled: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = spelled.strip_prefix('-').unwrap_or(spelled);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.strip_prefix(['+', '-']).unwrap_or(exponent)),
        None => (unsigned, "0"),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let is_whole = digits(whole) && (whole == "0" || !whole.starts_with('0'));
    is_whole && digits(fraction) && digits(exponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_spelled_right_has_no_flaw() {
        for token in ["true", "0", "-0", "-12.50e+3", "1E9", "18446744073709551616", "1e-999"] {
            assert_eq!(bare(token).flaw, None, "{token}");
        }
        for token in [r#""""#, r#""ä\"\\\/\b\f\n\r\t\u00e4\uD83D\ude00""#] {
            assert_eq!(text(token).flaw, None, "{token}");
        }
    }

    #[test]
    fn a_flaw_is_told_with_its_bytes() {
        for (token, flaw, at) in [
            ("True", Flaw::NoWord, 0..4),
            ("nullx", Flaw::NoWord, 0..5),
            ("'a'", Flaw::NoWord, 0..3),
            ("012", Flaw::NoNumber, 0..3),
            ("1.", Flaw::NoNumber, 0..2),
            (".5", Flaw::NoNumber, 0..2),
            ("+5", Flaw::NoNumber, 0..2),
            ("1e", Flaw::NoNumber, 0..2),
            ("1e999", Flaw::TooLarge, 0..5),
            ("-", Flaw::NoNumber, 0..1),
        ] {
            assert_eq!(bare(token).flaw, Some((flaw, at)), "{token}");
        }
        for (token, flaw, at) in [
            (r#""a"#, Flaw::OpenText, 0..2),
            (r#""a\"#, Flaw::OpenText, 0..3),
            ("\"a\n\"", Flaw::LineEnd, 2..3),
            ("\"a\t\"", Flaw::Control, 2..3),
            (r#""\ä""#, Flaw::Escape, 1..4),
            (r#""\u12g4""#, Flaw::Escape, 1..3),
            (r#""\ud800""#, Flaw::HalfPair, 1..7),
            (r#""\udc00x""#, Flaw::HalfPair, 1..7),
        ] {
            assert_eq!(text(token).flaw, Some((flaw, at)), "{token}");
        }
    }

    #[test]
    fn what_stands_right_behind_is_none_of_it() {
        assert_eq!(bare("1//why").rest, 5);
        assert_eq!(bare("//why").rest, 0);
    }
}
