use super::draft::Draft;
use super::element::Element;
use super::entry::{Entry, FileOffer, PackOffer, Reading};
use super::findings::Findings;
use super::manifest::Manifest;
use super::offers::{read_artifact, read_packs};
use super::other_kinds::{KINDS, judge_other};
use super::rules::{Origin, judge_ruleset, means_ruleset};
use crate::json::{Object, excerpt, parsed, text, texts};
use crate::types::{HttpsUrl, Pointer, Problem, Problems, Severity, codes};
use serde_json::value::RawValue;
use url::Url;

const KEYS: &[&str] = &["manifest", "category", "artifact", "iconUrl", "documentationUrl", "locales"];

/// Reads an entry of `packages[]` from its JSON text. Each stands alone: one that cannot be used costs no other.
///
/// ```
/// use rulepack::catalog::{Reading, read_entry};
///
/// let catalog: serde_json::Value = serde_json::from_str(include_str!("../../catalog-example/catalog.json")).unwrap();
/// for entry in catalog["packages"].as_array().unwrap() {
///     match read_entry(&entry.to_string()) {
///         Reading::Ruleset(entry) => println!("{} {}", entry.manifest.id, entry.manifest.version),
///         Reading::OtherKind { id, .. } => println!("{id} is for the engine to install"),
///         Reading::Unusable { reasons, .. } => panic!("{reasons:?}"),
///     }
/// }
/// ```
pub fn read_entry(text: &str) -> Reading {
    Element::of(text).read()
}

impl Element<'_> {
    /// Reads an element by the rules of docs/spec/catalog.md#entry to #artifact that need no download. Pointers in what
    /// it finds begin at the entry.
    ///
    /// Unusable is an entry that misses what an installer needs or breaks what docs/spec/commands.md#reading-entries
    /// lists. What the engine is stricter about (unknown keys, icons, categories) becomes a note of the entry, most of
    /// severity error, so that `catalog verify` fails on it and an install does not.
    pub fn read(&self) -> Reading {
        if let (Some(id), Some(kinds)) = (self.id(), self.manifest().and_then(other_kinds)) {
            return Reading::OtherKind { id: id.into_owned(), kinds };
        }
        let Judged { id, manifest, offers, reasons, notes, .. } = self.judge();
        match (manifest, offers) {
            (Some(manifest), Some((artifact, packs))) if reasons.is_empty() => {
                Reading::Ruleset(Box::new(Entry { manifest, artifact, packs, notes }))
            }
            (manifest, _) => Reading::Unusable { id, reasons, notes, manifest: manifest.map(Box::new) },
        }
    }

    /// The same whatever kind the package is of, by the rules of that kind: for whoever judges a whole catalog.
    pub fn judge(&self) -> Judged {
        let mut found = Findings::default();
        found.reasons.extend(self.fault.clone());
        let id = self.id().map(String::from);
        let is_ruleset = self.manifest().is_some_and(is_ruleset);
        let (manifest, offers) = match self.entry() {
            Some(entry) => read_parts(entry, self.manifest(), is_ruleset, &mut found),
            None => (None, None),
        };
        let (reasons, notes) = found.complete(id.as_deref());
        Judged { id, manifest, offers, reasons, notes }
    }
}

/// An element of `packages[]` after all that can be known of it before a download.
#[derive(Debug)]
pub struct Judged {
    /// The package, where as much can be read.
    pub id: Option<String>,
    pub manifest: Option<Manifest>,
    /// Its artifact and its language packs.
    pub offers: Option<Offers>,
    /// Why it cannot be used.
    pub reasons: Vec<Problem>,
    /// What else there is to say of it.
    pub notes: Vec<Problem>,
}

/// What is offered for download.
type Offers = (FileOffer, Vec<PackOffer>);

/// Reasons and notes.
type Told = (Vec<Problem>, Vec<Problem>);

impl Manifest {
    /// Reads a manifest from its JSON text by the rules every package meets (docs/spec/catalog.md#common-keys,
    /// #schema-version-2), with every reason why it cannot be one.
    ///
    /// Keys nobody knows yet pass. What only the entries of a catalog must meet, `locales/` in files[] (K11) for one,
    /// is [`Element::read`]'s to judge: a shared package file may carry translations (K12).
    ///
    /// # Errors
    /// Everything that makes it unusable.
    pub fn parse(text: &str) -> Result<Self, Vec<Problem>> {
        match Self::read_and(text, |_, _| ()) {
            (Some(manifest), (reasons, _)) if reasons.is_empty() => Ok(manifest),
            (_, (reasons, _)) => Err(reasons),
        }
    }

    /// Reads one and lets `judge` say what else is wrong with it.
    fn read_and(text: &str, judge: impl FnOnce(&Draft, &mut Findings)) -> (Option<Self>, Told) {
        let mut found = Findings::default();
        let raw = serde_json::from_str::<&RawValue>(text).map_err(|error| format!("is not JSON: {error}"));
        let read = raw.and_then(|raw| Ok((raw, Object::parse(raw.get(), Pointer::root())?)));
        let manifest = match read {
            Ok((raw, object)) => Draft::read(&object, raw, &mut found).and_then(|draft| {
                judge(&draft, &mut found);
                draft.finish(raw)
            }),
            Err(why) => {
                found.refuse(codes::MANIFEST_SHAPE, &Pointer::root(), format!("the manifest {why}"));
                None
            }
        };
        let told = found.complete(manifest.as_ref().map(|manifest| manifest.id.as_str()));
        (manifest, told)
    }

    /// Reads the manifest of a ruleset that stands alone, as an author has it at hand or an artifact holds it: the
    /// manifest, if it is one, and everything wrong with it by the rules an entry's is judged by, those included that
    /// an installer lets pass. It may list translations in files[] (K12).
    pub fn read(text: &str) -> (Option<Self>, Vec<Problem>) {
        let judge = |draft: &Draft, found: &mut Findings| judge_ruleset(draft, &Pointer::root(), Origin::File, found);
        let (manifest, (mut reasons, notes)) = Self::read_and(text, judge);
        reasons.extend(notes);
        (manifest, reasons)
    }
}

/// The kinds of a package that is none of ours: not a ruleset, or also something nobody knows yet.
fn other_kinds(manifest: &Object<'_>) -> Option<Vec<String>> {
    let kinds = texts(manifest.get("kind")?).ok().filter(|kinds| !kinds.is_empty())?;
    let ours = kinds.iter().any(|kind| kind == "ruleset") && kinds.iter().all(|kind| KINDS.contains(&kind.as_str()));
    (!ours).then_some(kinds)
}

/// Whether a package is a ruleset. One that does not say what it is may be one, if it holds what only rulesets do.
fn is_ruleset(manifest: &Object<'_>) -> bool {
    let assets = || {
        let contributions = Object::parse(manifest.get("contributions")?.get(), Pointer::root()).ok()?;
        let assets = Object::parse(contributions.get("assets")?.get(), Pointer::root()).ok()?;
        texts(assets.get("paths")?).ok()
    };
    match manifest.get("kind").map(texts) {
        Some(Ok(kinds)) if !kinds.is_empty() => other_kinds(manifest).is_none(),
        _ => assets().is_some_and(|paths| paths.iter().any(|path| means_ruleset(path))),
    }
}

/// The manifest, if it can be read, and what is offered for download, if there is an artifact.
fn read_parts(
    entry: &Object<'_>,
    manifest: Option<&Object<'_>>,
    is_ruleset: bool,
    found: &mut Findings,
) -> (Option<Manifest>, Option<Offers>) {
    entry.report_strangers(KEYS, &mut found.notes);
    read_store_page(entry, &mut found.notes);
    if entry.get("category").is_none() {
        let message = "`category` is missing, so engines list the package under `misc`";
        found.note_as(Severity::Warning, codes::ENTRY_CATEGORY, entry.at(), message);
    }
    let raw = entry.get("manifest");
    let draft = match manifest.zip(raw) {
        Some((manifest, raw)) => {
            let Some(draft) = Draft::read(manifest, raw, found) else { return (None, None) };
            match is_ruleset {
                true => judge_ruleset(&draft, manifest.at(), Origin::Entry, found),
                false => judge_other(&draft, manifest, found),
            }
            draft
        }
        None => Draft::default(),
    };
    let (url, artifact) = read_artifact(entry, found);
    let packs = match (is_ruleset, entry.get("locales")) {
        (true, _) => read_packs(entry, &draft, url.as_ref(), found),
        (false, None) => Vec::new(),
        (false, Some(_)) => {
            let message = "only a ruleset has language packs";
            found.refuse(codes::LOCALES_SHAPE, &entry.at().at("locales"), message);
            Vec::new()
        }
    };
    (raw.and_then(|raw| draft.finish(raw)), artifact.map(|artifact| (artifact, packs)))
}

/// What only a store page shows.
#[derive(Debug)]
pub(crate) struct StorePage {
    pub icon_url: Option<HttpsUrl>,
    pub documentation_url: Option<String>,
    pub category: Option<String>,
}

/// Reads what only a store page shows: wrong, it hides the entry from engines and costs an installer nothing.
pub(crate) fn read_store_page(entry: &Object<'_>, notes: &mut Problems) -> StorePage {
    let icon_url = entry.optional("iconUrl", codes::ENTRY_ICON, parsed::<HttpsUrl>, notes);
    let documentation_url = entry.optional("documentationUrl", codes::ENTRY_DOCUMENTATION, page, notes);
    let category = entry.optional("category", codes::ENTRY_CATEGORY, text(0, usize::MAX), notes);
    if let Some(category) = category.as_deref().filter(|name| !is_category(name)) {
        let message = format!("`{}` is not writer, tracker or misc", excerpt(category));
        notes.push(Problem::new(codes::ENTRY_CATEGORY, &entry.at().at("category"), message));
    }
    StorePage { icon_url, documentation_url, category: category.map(Into::into) }
}

/// The address of a page: it is opened in a browser, so it may be plain http.
fn page(value: &RawValue) -> Result<String, String> {
    let written = text(1, usize::MAX)(value)?;
    match Url::parse(&written) {
        Ok(url) if matches!(url.scheme(), "https" | "http") => Ok(written.into()),
        _ => Err(format!("is `{}`, but should be the address of a page", excerpt(&written))),
    }
}

fn is_category(name: &str) -> bool {
    matches!(name, "writer" | "tracker" | "misc")
}

#[cfg(test)]
mod tests {
    use super::super::sample::{self, notes, reasons};
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    #[test]
    fn what_a_usable_entry_says() {
        let Reading::Ruleset(entry) = read_entry(&sample::entry(|_| ()).to_string()) else { panic!() };
        assert_eq!(entry.manifest.id.as_str(), "ember-roads");
        assert_eq!(entry.manifest.files.len(), 2);
        assert_eq!(entry.artifact.expected.bytes.0, 40_000);
        assert_eq!(entry.packs[0].language.as_str(), "ru");
    }

    #[test]
    fn of_localizations_without_end_the_first_are_read() {
        let endless = |entry: &mut Value| {
            let letters = || 'a'..='z';
            let tags = letters().flat_map(|a| letters().map(move |b| format!("{a}{b}-Latn")));
            entry["manifest"]["localizations"] = tags.map(|tag| (tag, json!({"name": "x"}))).collect();
        };
        let Reading::Ruleset(entry) = read_entry(&sample::entry(endless).to_string()) else { panic!() };
        assert!(entry.manifest.localizations.len() <= 200);
        assert!(entry.notes[0].message.contains("676 languages"), "{:?}", entry.notes[0]);
    }

    #[test]
    fn keys_nobody_knows_never_make_an_entry_unusable_and_are_carried() {
        let strange = |entry: &mut Value| {
            entry["preview"] = json!(true);
            entry["x"] = Value::Null;
            let manifest = &mut entry["manifest"];
            for place in ["engine", "capabilityApi", "builtAgainst", "entrypoints", "contributions"] {
                manifest[place]["x"] = json!({"deep": [1.10]});
            }
            manifest["contributions"]["assets"]["x"] = json!(1);
            manifest["files"][0]["x"] = json!(1);
            manifest["localizations"]["de"]["x"] = json!(1);
            manifest["preview"] = json!(true);
        };
        let told = notes(strange);
        assert_eq!(told.len(), 11, "{told:#?}");
        assert!(told.iter().all(|note| note.starts_with("unknown-key ")));
        let Reading::Ruleset(entry) = read_entry(&sample::entry(strange).to_string()) else { panic!() };
        assert!(entry.manifest.raw.get().contains("\"preview\":true"));
        let warned = entry.notes.iter().filter(|note| note.severity == Severity::Warning);
        assert!(warned.map(|note| note.pointer.as_deref()).eq([Some("/manifest/contributions/x")]));
        assert!(entry.notes.iter().all(|note| note.hint.is_some()));
        assert!(entry.notes.iter().all(|note| note.package.as_deref() == Some("ember-roads")));
    }

    #[test]
    fn a_key_written_twice_counts_as_last_written() {
        let text =
            sample::entry(|_| ()).to_string().replace("\"name\":\"Ember Roads\"", "\"name\":3,\"name\":\"Last\"");
        let Reading::Ruleset(entry) = read_entry(&text) else { panic!() };
        assert_eq!(entry.manifest.name, "Last");
    }

    #[test]
    fn a_package_of_another_kind_is_not_judged() {
        let kinds = |kinds: Value| {
            let entry = sample::entry(|entry| {
                entry["manifest"]["kind"] = kinds;
                entry["manifest"]["schemaVersion"] = json!(9);
                entry["artifact"] = json!(null);
            });
            match read_entry(&entry.to_string()) {
                Reading::OtherKind { id, kinds } => Some((id, kinds.join(" "))),
                _ => None,
            }
        };
        let of = |kinds: &str| Some(("ember-roads".to_owned(), kinds.to_owned()));
        assert_eq!(kinds(json!(["agent"])), of("agent"));
        assert_eq!(kinds(json!(["hologram"])), of("hologram"));
        assert_eq!(kinds(json!(["ruleset", "hologram"])), of("ruleset hologram"));
        for unreadable in [json!([]), json!("agent"), json!(["agent", 3]), json!(null), json!(["ruleset"])] {
            assert_eq!(kinds(unreadable.clone()), None, "{unreadable}");
        }
        assert_eq!(reasons(|entry| entry["manifest"]["kind"] = json!("ruleset")), ["manifest-kind /manifest/kind"]);
        let nameless = sample::entry(|entry| {
            entry["manifest"]["kind"] = json!(["agent"]);
            entry["manifest"]["id"] = json!(7);
        });
        assert!(matches!(read_entry(&nameless.to_string()), Reading::Unusable { id: None, .. }));
    }

    #[test]
    fn a_newer_manifest_has_that_one_reason() {
        let newer = |entry: &mut Value| {
            entry["manifest"]["schemaVersion"] = json!(3);
            entry["manifest"]["files"] = json!({});
        };
        assert_eq!(reasons(newer), ["newer-manifest /manifest/schemaVersion"]);
        let Reading::Unusable { id, reasons, .. } = read_entry(&sample::entry(newer).to_string()) else { panic!() };
        assert_eq!(id.as_deref(), Some("ember-roads"));
        assert!(reasons[0].hint.as_deref().unwrap().contains("newer rulepack"));
    }

    #[test]
    fn all_reasons_are_told_not_the_first() {
        let told = reasons(|entry| {
            entry["manifest"]["name"] = json!(null);
            entry["manifest"]["engine"] = json!({"min": 2});
            entry["manifest"]["permissions"] = json!(["network"]);
            entry["artifact"]["bytes"] = json!(-1);
            entry["locales"]["ru"]["bytes"] = json!("many");
        });
        assert_eq!(
            told,
            [
                "manifest-engine /manifest/engine/min",
                "manifest-engine /manifest/engine",
                "manifest-name /manifest/name",
                "K7 /manifest/permissions",
                "artifact-bytes /artifact/bytes",
                "pack-bytes /locales/ru/bytes",
            ]
        );
    }

    #[test]
    fn what_only_a_store_page_shows_is_noted() {
        assert_eq!(notes(|entry| entry["iconUrl"] = json!("icon.png")), ["entry-icon /iconUrl"]);
        for wrong in [json!(3), json!("how-to-play.md"), json!("ftp://example.org/a")] {
            assert_eq!(notes(|entry| entry["documentationUrl"] = wrong), ["entry-documentation /documentationUrl"]);
        }
        assert_eq!(notes(|entry| entry["documentationUrl"] = json!("http://example.org")), [""; 0]);
        assert_eq!(notes(|entry| entry["category"] = json!("rules")), ["entry-category /category"]);
        assert_eq!(notes(|entry| entry["category"] = json!(null)), ["entry-category /category"]);
        assert_eq!(notes(|entry| entry["category"] = json!("tracker")), [""; 0]);
    }

    #[test]
    fn what_is_no_entry_says_so() {
        for (text, code) in
            [("3", "entry-shape"), ("<html>", "entry-shape"), ("{}", "manifest-shape"), ("", "entry-shape")]
        {
            let Reading::Unusable { id: None, reasons, .. } = read_entry(text) else { panic!("{text}") };
            assert_eq!(reasons[0].code.as_str(), code, "{text}");
        }
    }

    fn any_value() -> impl Strategy<Value = Value> {
        prop_oneof![
            Just(Value::Null),
            Just(json!({})),
            Just(json!([])),
            Just(json!([[], {}, 3, "x"])),
            any::<bool>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ]
    }

    /// Puts a value in a place chosen by a number, wherever that leads.
    fn put(value: &mut Value, mut path: u64, new: Value) {
        let children = match value {
            Value::Object(map) => map.values_mut().collect(),
            Value::Array(items) => items.iter_mut().collect(),
            _ => Vec::new(),
        };
        let count = children.len() as u64 + 1;
        let step = path % count;
        path /= count;
        match children.into_iter().nth(step as usize) {
            Some(child) => put(child, path, new),
            None => *value = new,
        }
    }

    proptest! {
        #[test]
        fn no_entry_panics_and_each_unusable_one_says_why(edits in prop::collection::vec((any::<u64>(), any_value()), 1..4)) {
            let entry = sample::entry(|entry| edits.into_iter().for_each(|(path, new)| put(entry, path, new)));
            if let Reading::Unusable { reasons, .. } = read_entry(&entry.to_string()) {
                prop_assert!(!reasons.is_empty());
                prop_assert!(reasons.iter().all(|reason| reason.severity == Severity::Error));
            }
        }

        #[test]
        fn no_text_panics(text in any::<String>()) {
            let _ = read_entry(&text);
        }
    }
}
