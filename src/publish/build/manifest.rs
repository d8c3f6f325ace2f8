use crate::catalog::MANIFEST_KEYS;
use crate::json::Object;
use crate::types::{Expected, Pointer, SafePath};
use serde::Serialize;
use serde_json::json;

/// A manifest's text with `files[]` set to these files and `contributions.assets.paths` to the first `assets` of them.
/// What else it says, and its order, stays; a key that was missing comes where official manifests have it. The error
/// completes a sentence about it.
pub fn complete(manifest: &str, files: &[(SafePath, Vec<u8>)], assets: usize) -> Result<String, String> {
    let manifest = Object::parse(manifest, Pointer::root())?;
    let mut keys = Keys::of(&manifest);
    let contributions = match manifest.get("contributions") {
        Some(value) => Some(Object::parse(value.get(), Pointer::root())?),
        None => None,
    };
    let listed = match contributions.as_ref().and_then(|contributions| contributions.get("assets")) {
        Some(value) => Some(Object::parse(value.get(), Pointer::root())?),
        None => None,
    };
    let paths: Vec<&str> = files.iter().take(assets).map(|(path, _)| path.as_str()).collect();
    let mut in_assets = listed.as_ref().map(Keys::of).unwrap_or_default();
    in_assets.set("paths", json!(paths).to_string());
    let mut in_contributions = contributions.as_ref().map(Keys::of).unwrap_or_default();
    in_contributions.set("assets", in_assets.text());
    keys.set("contributions", in_contributions.text());
    keys.set("files", declared(files));
    Ok(keys.text())
}

fn declared(files: &[(SafePath, Vec<u8>)]) -> String {
    #[derive(Serialize)]
    struct Declared<'a> {
        path: &'a str,
        #[serde(flatten)]
        expected: Expected,
    }
    let declared: Vec<Declared<'_>> =
        files.iter().map(|(path, bytes)| Declared { path: path.as_str(), expected: Expected::of(bytes) }).collect();
    json_text(&declared)
}

pub(super) fn json_text(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| unreachable!("texts, numbers and lists are JSON"))
}

/// The members of an object in order, each value as its text.
#[derive(Default)]
struct Keys(Vec<(String, String)>);

impl Keys {
    fn of(object: &Object<'_>) -> Self {
        Keys(object.fields().map(|(key, value)| (key.to_owned(), value.get().to_owned())).collect())
    }

    fn set(&mut self, key: &str, value: String) {
        if let Some((_, known)) = self.0.iter_mut().find(|(name, _)| name == key) {
            *known = value;
            return;
        }
        let rank = |key: &str| MANIFEST_KEYS.iter().position(|name| *name == key);
        let before = self.0.iter().position(|(name, _)| rank(name) > rank(key)).unwrap_or(self.0.len());
        self.0.insert(before, (key.to_owned(), value));
    }

    fn text(&self) -> String {
        let members: Vec<String> = self.0.iter().map(|(key, value)| format!("{}:{value}", json_text(key))).collect();
        format!("{{{}}}", members.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_assets_are_set_and_all_else_stays_where_it_is() {
        let files = [("ruleset.json".parse().unwrap(), b"{}".to_vec())];
        let text = complete(
            r#"{"id":"a","x":1.10,"contributions":{"assets":{"y":[],"paths":["old"]}},"permissions":[]}"#,
            &files,
            1,
        );
        assert_eq!(
            text.unwrap(),
            concat!(
                r#"{"id":"a","x":1.10,"contributions":{"assets":{"y":[],"paths":["ruleset.json"]}},"#,
                r#""files":[{"path":"ruleset.json","sha256":"44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a","bytes":2}],"#,
                r#""permissions":[]}"#
            )
        );
        let bare = complete(r#"{"permissions":[],"id":"a"}"#, &files, 1).unwrap();
        assert!(bare.starts_with(r#"{"contributions":{"assets":{"paths":["ruleset.json"]}},"files":["#), "{bare}");
        assert!(complete("[]", &files, 1).is_err() && complete(r#"{"contributions":3}"#, &files, 1).is_err());
    }
}
