use crate::ruleset::folded::trimmed;
use serde_json::Value;

/// Puts the text of layers after what the Game Master is told already (LR2, N124): each trimmed, a space between, and
/// nothing of what is empty. Where nothing is left, the ruleset's own text stays as it is.
pub fn append(ruleset: &mut Value, layers: &[&Value]) {
    for (key, own) in [("guidance", "checkGuidance"), ("worldGuidance", "worldGuidance")] {
        let texts = [&ruleset["gm"][own]].into_iter().chain(layers.iter().map(|layer| &layer["gm"][key]));
        let texts: Vec<&str> = texts.filter_map(Value::as_str).map(trimmed).filter(|text| !text.is_empty()).collect();
        let text = texts.join(" ");
        if let Some(gm) = ruleset["gm"].as_object_mut().filter(|_| !text.is_empty()) {
            gm.insert(own.to_owned(), text.into());
        }
    }
}
