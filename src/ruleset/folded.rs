//! Text as the engine compares and joins it (docs/spec/checks.md): "trimmed" and "folded".

/// Without the blanks around it that JavaScript trims: every Unicode blank and U+FEFF, but not U+0085.
pub fn trimmed(text: &str) -> &str {
    text.trim_matches(|sign: char| sign == '\u{feff}' || sign.is_whitespace() && sign != '\u{85}')
}

/// Trimmed and in lower case: how damage types are compared.
pub fn folded(text: &str) -> String {
    trimmed(text).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_are_those_of_javascript() {
        for blank in [
            "\t", "\n", "\u{b}", "\u{c}", "\r", " ", "\u{a0}", "\u{1680}", "\u{2003}", "\u{2028}", "\u{3000}",
            "\u{feff}",
        ] {
            assert_eq!(trimmed(&format!("{blank}a b{blank}")), "a b", "{blank:?}");
        }
        for sign in ["\u{85}", "\u{200b}", "\u{180e}"] {
            assert_eq!(trimmed(sign), sign, "{sign:?}");
        }
        assert_eq!(folded(" Kälte\u{feff}"), "kälte");
    }
}
