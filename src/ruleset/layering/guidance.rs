use serde_json::Value;

/// Puts a layer's text after what the Game Master is told already (LR2), a space between: the text is one line, and the
/// budget of its length counts one character for each (docs/spec/decisions.md#q33).
pub fn append(ruleset: &mut Value, gm: &Value) {
    for (key, own) in [("guidance", "checkGuidance"), ("worldGuidance", "worldGuidance")] {
        let Some(more) = gm[key].as_str() else { continue };
        let text = match ruleset["gm"][own].as_str() {
            Some(before) => format!("{before} {more}"),
            None => more.to_owned(),
        };
        if ruleset["gm"].is_object() {
            ruleset["gm"][own] = text.into();
        }
    }
}
