use super::lexer::lex;

/// The deepest nesting that is taken from others. It leaves room for what their text is put into: `serde_json` reads
/// nothing below 127 levels, and the engine's registry holds manifests three levels down.
pub const MAX_DEPTH: usize = 100;

/// Whether a valid JSON text nests more than [`MAX_DEPTH`] levels of objects and arrays.
pub fn is_too_deep(valid: &str) -> bool {
    // What opens no more than that is not nested deeper, and counting brackets is quicker than pairing them.
    let opening = valid.bytes().filter(|byte| matches!(byte, b'{' | b'[')).count();
    opening > MAX_DEPTH && depth(valid) > MAX_DEPTH
}

/// How many objects and arrays a valid JSON text nests within one another.
pub fn depth(valid: &str) -> usize {
    let (mut open, mut deepest) = (0_usize, 0);
    for token in tokens(valid) {
        match token {
            "{" | "[" => open += 1,
            "}" | "]" => open = open.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(open);
    }
    deepest
}

/// The tokens of a valid JSON text as they are spelled: brackets, `,`, `:`, and whole strings, numbers and words.
pub(super) fn tokens(valid: &str) -> impl Iterator<Item = &str> {
    lex(valid.as_bytes()).map(|token| &valid[token.start..token.end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_in_strings_do_not_nest() {
        assert_eq!(depth("3"), 0);
        for (levels, too_deep) in [(MAX_DEPTH, false), (MAX_DEPTH + 1, true)] {
            assert_eq!(is_too_deep(&format!("{}{}", "[".repeat(levels), "]".repeat(levels))), too_deep);
        }
        assert!(!is_too_deep(&format!("[\"{}\"]", "[".repeat(500))));
        assert_eq!(depth(r#"{"[[[": "\"[[\\", "b": [{}]}"#), 3);
        assert_eq!(
            tokens(r#" {"a\"" : -1.50e3,"ä":[ true ]} "#).collect::<Vec<_>>(),
            ["{", r#""a\"""#, ":", "-1.50e3", ",", "\"ä\"", ":", "[", "true", "]", "}"]
        );
    }
}
