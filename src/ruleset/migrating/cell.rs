use serde_json::Value;

/// The value of a cell as `where` compares it: of texts neither case nor the blanks around them count, `3` is `3.0`
/// (MR6).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Cell {
    Text(String),
    /// The bits of a double that is not -0.
    Number(u64),
    /// Its JSON.
    Other(String),
}

impl Cell {
    pub fn of(value: &Value) -> Self {
        match value {
            Value::String(text) => Cell::Text(text.trim().to_lowercase()),
            Value::Number(number) => Cell::Number((number.as_f64().unwrap_or_default() + 0.0).to_bits()),
            other => Cell::Other(other.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn case_blanks_and_the_spelling_of_numbers_do_not_count() {
        let are_same = |one: Value, other: Value| Cell::of(&one) == Cell::of(&other);
        assert!(are_same(json!(" DAGGER "), json!("dagger")));
        assert!(are_same(json!(3), json!(3.0)) && are_same(json!(-0.0), json!(0)));
        assert!(are_same(json!(true), json!(true)) && are_same(json!(null), json!(null)));
        assert!(!are_same(json!("3"), json!(3)) && !are_same(json!("true"), json!(true)));
        assert!(!are_same(json!("long sword"), json!("long  sword")) && !are_same(json!(0.5), json!(0)));
    }
}
