use super::lexer::{Kind, lex, unquoted};

/// What a value begins as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Object,
    List,
    /// Text, number or word.
    Scalar,
}

/// More than any file that is told by its keys has.
const MOST: usize = 64;

/// The keys of the object that a text begins with, each with what its value begins as: enough to tell what kind of file
/// it is, also of one that is cut short or broken further on. Nothing of a text that begins otherwise.
pub fn outline(text: &[u8]) -> Vec<(String, Shape)> {
    let mut found = Vec::new();
    let mut depth = 0_usize;
    let mut key: Option<String> = None;
    let mut is_value_next = false;
    for token in lex(text) {
        let shape = match token.kind {
            Kind::OpenObject => Shape::Object,
            Kind::OpenList => Shape::List,
            _ => Shape::Scalar,
        };
        match (depth, token.kind) {
            (0, Kind::OpenObject) => {}
            (0, _) => break,
            (1, Kind::Comma) => is_value_next = false,
            (1, Kind::Colon) => is_value_next = true,
            (1, Kind::Text) if !is_value_next => {
                let text = unquoted(&text[token.start..token.end]);
                key = text.map(|text| String::from_utf8_lossy(&text).into_owned());
            }
            (1, Kind::Close) => break,
            (1, _) if is_value_next => found.extend(key.take().map(|key| (key, shape))),
            _ => {}
        }
        match shape {
            Shape::Object | Shape::List => depth += 1,
            Shape::Scalar if token.kind == Kind::Close => depth -= 1,
            Shape::Scalar => {}
        }
        if found.len() == MOST {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_keys_of_the_outermost_object_are_told_even_of_a_broken_text() {
        let told = |text: &str| {
            let told = outline(text.as_bytes());
            told.into_iter().map(|(key, shape)| format!("{key} {shape:?}")).collect::<Vec<_>>()
        };
        assert_eq!(
            told("\u{feff} {\"a\": {\"x\": [1]}, \"\\u0062\": [], \"c\" : \"d\", \"e\": ] \"f\": 1"),
            ["a Object", "b List", "c Scalar"]
        );
        for text in ["", "[{\"a\": 1}]", "\"a\"", "PK\u{3}\u{4}"] {
            assert_eq!(told(text), [""; 0], "{text}");
        }
        assert_eq!(told("{\"a\": 1} {\"b\": 1}"), ["a Scalar"]);
    }

    proptest! {
        #[test]
        fn no_bytes_panic(text in prop::collection::vec(prop::sample::select(b"{}[]:,\"\\a1\xff".to_vec()), 0..60)) {
            outline(&text);
        }
    }
}
