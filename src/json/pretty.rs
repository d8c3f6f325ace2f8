use super::tokens::{MAX_DEPTH, is_too_deep, tokens};
use serde::de::Error as _;
use serde_json::value::RawValue;

/// The same JSON with an indentation of two spaces, as `JSON.stringify(value, null, 2)` lays it out, every key, number
/// and string where and as it was spelled. Refuses what is no JSON or nests deeper than [`MAX_DEPTH`].
pub fn pretty(text: &str) -> Result<String, serde_json::Error> {
    let valid = serde_json::from_str::<&RawValue>(text)?.get();
    if is_too_deep(valid) {
        return Err(serde_json::Error::custom(format!("nested deeper than {MAX_DEPTH} levels")));
    }
    let mut out = String::with_capacity(valid.len() * 2);
    let mut level = 0_usize;
    let mut rest = tokens(valid).peekable();
    while let Some(token) = rest.next() {
        match token {
            "{" | "[" => {
                out.push_str(token);
                if let Some(close) = rest.next_if(|next| matches!(*next, "}" | "]")) {
                    out.push_str(close);
                } else {
                    level += 1;
                    new_line(&mut out, level);
                }
            }
            "}" | "]" => {
                level -= 1;
                new_line(&mut out, level);
                out.push_str(token);
            }
            "," => {
                out.push(',');
                new_line(&mut out, level);
            }
            ":" => out.push_str(": "),
            scalar => out.push_str(scalar),
        }
    }
    Ok(out)
}

fn new_line(out: &mut String, level: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", level));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::Value;

    #[test]
    fn what_was_published_keeps_its_order_and_spelling() {
        let published = r#"{"z":1.10,"a":[12345678901234567890,1E400,"\u00e4\ud800 [,{\"",[],{ }],"a":null}"#;
        let expected = r#"{
  "z": 1.10,
  "a": [
    12345678901234567890,
    1E400,
    "\u00e4\ud800 [,{\"",
    [],
    {}
  ],
  "a": null
}"#;
        assert_eq!(pretty(published).unwrap(), expected);
        assert_eq!(pretty(expected).unwrap(), expected);
    }

    #[test]
    fn what_is_no_json_or_nests_without_end_is_refused() {
        for wrong in ["", "{", "[1,]", "\u{feff}{}", "{} {}", "NaN"] {
            assert!(pretty(wrong).is_err(), "{wrong:?}");
        }
        let nested = |levels| "[".repeat(levels) + &"]".repeat(levels);
        assert!(pretty(&nested(MAX_DEPTH)).is_ok());
        assert!(pretty(&nested(MAX_DEPTH + 1)).is_err());
        assert!(pretty(&nested(1 << 20)).is_err());
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from)
        ];
        leaf.prop_recursive(4, 32, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::btree_map(any::<String>(), inner, 0..6)
                    .prop_map(|map| Value::Object(map.into_iter().collect()))
            ]
        })
    }

    proptest! {
        #[test]
        fn lays_out_as_serde_json_does_where_spelling_is_the_same(value in any_json()) {
            let laid_out = pretty(&value.to_string()).unwrap();
            prop_assert_eq!(&laid_out, &serde_json::to_string_pretty(&value).unwrap());
        }

        #[test]
        fn no_text_panics(text in r#"[\[\]{}:,"\\ a1.e-]{0,40}"#) {
            let _ = pretty(&text);
        }
    }
}
