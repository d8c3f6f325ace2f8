//! The engine's registry, `installed.json`: read, changed record by record, written back with everything that is not
//! ours as it was (docs/spec/catalog.md#engine-registry).

use super::limits::MOST_RECORD;
use super::record::{self, Fault};
use super::{Layout, StoreError};
use crate::types::{PackageId, Version};
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// The registry as read.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    /// In the file's own order. Where one was replaced or removed there is nothing.
    records: Vec<Option<Record>>,
    /// Where the records of an id stand: a run asks once and again for every ruleset there is.
    places: HashMap<Arc<str>, Vec<usize>>,
    /// Top-level keys this tool does not know, kept as they are.
    others: Vec<(String, Box<RawValue>)>,
    /// Whether the file was there at all.
    present: bool,
}

/// One record, read once: every look at the registry asks all of them whose they are.
#[derive(Clone, Debug)]
struct Record {
    raw: Box<RawValue>,
    id: Option<Arc<str>>,
    /// What it says, if it is a ruleset's and can be read. Most of a file of rubbish is not, and takes no room for it.
    ruleset: Option<Box<Installed>>,
}

impl From<Box<RawValue>> for Record {
    fn from(raw: Box<RawValue>) -> Self {
        let ruleset = read_ruleset(&raw).map(Box::new);
        let id = match &ruleset {
            Some(ruleset) => Some(ruleset.id.as_str().into()),
            None => whose(&raw).map(|id| (&*id).into()),
        };
        Record { raw, id, ruleset }
    }
}

impl Record {
    /// Whether it is known to be a package that is no ruleset, or not a ruleset alone.
    fn is_of_other_kind(&self) -> bool {
        self.ruleset.is_none() && kinds(&self.raw).is_some_and(|kinds| !is_ruleset(&kinds))
    }
}

/// What rulepack reads of a ruleset's record.
#[derive(Clone, Debug)]
pub struct Installed {
    pub id: PackageId,
    pub version: Version,
    /// The manifest as the catalog published it.
    pub manifest: Arc<RawValue>,
    pub previous: Option<Previous>,
    pub installed_at: String,
    pub legacy: bool,
    /// What the engine marked the record as faulty for. No record written here is.
    pub fault: Option<String>,
}

/// By what one state of a record is told from another, whoever wrote the file since: a program that rewrites it may
/// spell all else anew.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Mark {
    pub(super) version: Option<String>,
    previous_version: Option<String>,
    pub(super) installed_at: Option<String>,
}

impl Mark {
    /// A record that says none of it is marked by nothing, which still is not the mark of no record.
    pub(super) fn of(raw: &RawValue) -> Self {
        serde_json::from_str(raw.get()).unwrap_or_default()
    }
}

/// The version kept for rollback.
#[derive(Clone, Debug)]
pub struct Previous {
    pub version: Version,
    /// Not every engine wrote it; the version folder's own manifest stands in
    /// (docs/spec/catalog.md#updates-and-rollback).
    pub manifest: Option<Arc<RawValue>>,
}

/// A record as it is written: exactly the engine's keys, in the engine's order.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RecordOut<'a> {
    id: &'a PackageId,
    version: &'a Version,
    manifest: &'a RawValue,
    installed_at: &'a str,
    status: &'static str,
    error: Option<()>,
    readiness: &'static str,
    readiness_error: Option<()>,
    legacy: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    previous_version: Option<&'a Version>,
    #[serde(skip_serializing_if = "Option::is_none")]
    previous_manifest: Option<&'a RawValue>,
}

impl Installed {
    /// The record's JSON. A ruleset has no server part to wait for, so it is ready at once; a package of another kind,
    /// which only a rebuilt registry holds, may have one.
    pub fn to_record(&self) -> Box<RawValue> {
        let out = RecordOut {
            id: &self.id,
            version: &self.version,
            manifest: &self.manifest,
            installed_at: &self.installed_at,
            status: "active",
            error: None,
            readiness: if self.has_server() { "pending" } else { "ready" },
            readiness_error: None,
            legacy: self.legacy,
            previous_version: self.previous.as_ref().map(|previous| &previous.version),
            previous_manifest: self.previous.as_ref().and_then(|previous| previous.manifest.as_deref()),
        };
        serde_json::value::to_raw_value(&out).unwrap_or_else(|_| unreachable!("texts and JSON are always JSON"))
    }
}

#[derive(Deserialize)]
struct ServerPart {
    entrypoints: Entrypoints,
}

#[derive(Deserialize)]
struct Entrypoints {
    server: Option<String>,
}

impl Installed {
    fn has_server(&self) -> bool {
        let part = serde_json::from_str::<ServerPart>(self.manifest.get());
        part.is_ok_and(|part| part.entrypoints.server.is_some_and(|server| !server.is_empty()))
    }
}

/// The part of any record that tells whose it is; everything else may be missing.
#[derive(Deserialize)]
struct Whose<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RecordIn<'a> {
    id: PackageId,
    version: Version,
    #[serde(borrow)]
    manifest: &'a RawValue,
    installed_at: String,
    #[serde(default)]
    legacy: bool,
    #[serde(borrow)]
    status: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
    previous_version: Option<Version>,
    #[serde(borrow)]
    previous_manifest: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct OnlyManifest<'a> {
    #[serde(borrow)]
    manifest: Kinds<'a>,
}

#[derive(Deserialize)]
struct Kinds<'a> {
    #[serde(borrow)]
    kind: Vec<Cow<'a, str>>,
}

/// What the registry has under an id.
#[derive(Clone, Debug)]
pub enum Registered {
    Nothing,
    Ruleset(Box<Installed>),
    /// A package that carries code: the engine's business alone.
    OtherKind,
    /// A record that cannot be read, neither by rulepack nor by the engine.
    Unreadable,
}

impl Registry {
    /// Reads the registry. A file that is not there is an empty one; one that cannot be read is an error, never an
    /// empty registry (docs/spec/commands.md#store-6).
    pub fn read(layout: &Layout) -> Result<Self, StoreError> {
        Self::of(layout, Self::bytes(layout)?.as_deref())
    }

    /// The file's bytes, if it is there. One that is larger than a registry may be is damaged.
    pub(super) fn bytes(layout: &Layout) -> Result<Option<Vec<u8>>, StoreError> {
        record::read(&layout.registry()).map_err(|error| match error {
            StoreError::OversizedRecord { path } => StoreError::DamagedRegistry { why: too_large(), path },
            other => other,
        })
    }

    /// The same of bytes already read.
    pub(super) fn of(layout: &Layout, bytes: Option<&[u8]>) -> Result<Self, StoreError> {
        let Some(bytes) = bytes else { return Ok(Registry::default()) };
        let path = layout.registry();
        Self::parse(bytes).map_err(|fault| match fault {
            Fault::Damaged(why) => StoreError::DamagedRegistry { path, why },
            Fault::Newer(found) => StoreError::NewerRegistry { path, found },
        })
    }

    pub(super) fn parse(bytes: &[u8]) -> Result<Self, Fault> {
        let document: Document = serde_json::from_slice(bytes).map_err(|error| Fault::Damaged(error.to_string()))?;
        record::is_one("schemaVersion", document.schema_version)?;
        // Only now: what a newer engine keeps there may be no list.
        let records = document.packages.ok_or_else(|| Fault::Damaged("packages is missing".to_owned()))?;
        let records = crate::json::list(records).map_err(|why| Fault::Damaged(format!("packages {why}")))?;
        let mut registry = Registry { others: document.others, present: true, ..Registry::default() };
        records.into_iter().for_each(|raw| registry.push(raw.to_owned().into()));
        Ok(registry)
    }

    fn push(&mut self, record: Record) {
        if let Some(id) = &record.id {
            self.places.entry(id.clone()).or_default().push(self.records.len());
        }
        self.records.push(Some(record));
    }

    fn records(&self) -> impl Iterator<Item = &Record> {
        self.records.iter().flatten()
    }

    /// The records of an id, in the file's order.
    fn records_of(&self, id: &str) -> impl Iterator<Item = &Record> {
        self.places.get(id).into_iter().flatten().filter_map(|place| self.records[*place].as_ref())
    }

    /// Makes an empty registry one that is written.
    pub(super) fn make_present(&mut self) {
        self.present = true;
    }

    /// Whether the file was there.
    pub fn is_present(&self) -> bool {
        self.present
    }

    /// The rulesets in it by their ids: the file's own order changes with every update. Records of other packages, and
    /// those nobody can read, are not among them. Of an id that stands there twice the first record counts.
    pub fn rulesets(&self) -> Vec<Installed> {
        self.sorted().into_iter().cloned().collect()
    }

    /// The same, borrowed.
    pub(super) fn sorted(&self) -> Vec<&Installed> {
        let mut rulesets: Vec<&Installed> = self.records().filter_map(|record| record.ruleset.as_deref()).collect();
        rulesets.sort_by(|one, other| one.id.cmp(&other.id));
        rulesets.dedup_by(|one, other| one.id == other.id);
        rulesets
    }

    /// What it has under an id, which need not be one.
    pub fn look_up(&self, id: &str) -> Registered {
        if let Some(ruleset) = self.records_of(id).find_map(|record| record.ruleset.as_ref()) {
            return Registered::Ruleset(ruleset.clone());
        }
        match self.records_of(id).next() {
            None => Registered::Nothing,
            Some(_) if self.records_of(id).any(Record::is_of_other_kind) => Registered::OtherKind,
            Some(_) => Registered::Unreadable,
        }
    }

    /// The ids of rulesets whose record nobody can read.
    pub fn unreadable_rulesets(&self) -> Vec<String> {
        let unreadable = self.records().filter(|record| record.ruleset.is_none());
        let unreadable = unreadable.filter(|record| kinds(&record.raw).is_some_and(|kinds| is_ruleset(&kinds)));
        unreadable.filter_map(|record| record.id.as_deref().map(str::to_owned)).collect()
    }

    pub fn ruleset(&self, id: &PackageId) -> Option<Installed> {
        self.records_of(id.as_str()).find_map(|record| record.ruleset.as_deref()).cloned()
    }

    /// Whether any record, readable or not and of whatever kind, has this id.
    pub fn has(&self, id: &str) -> bool {
        self.places.contains_key(id)
    }

    /// The raw record of an id.
    pub fn record(&self, id: &PackageId) -> Option<&RawValue> {
        self.records_of(id.as_str()).next().map(|record| &*record.raw)
    }

    /// By what the record of an id is told from earlier and later ones.
    pub(super) fn mark(&self, id: &PackageId) -> Option<Mark> {
        self.record(id).map(Mark::of)
    }

    /// Replaces every record of this id by the one given, which goes last, as the engine does it.
    pub fn put(&mut self, id: &PackageId, record: Option<Box<RawValue>>) {
        for place in self.places.remove(id.as_str()).unwrap_or_default() {
            self.records[place] = None;
        }
        record.into_iter().for_each(|record| self.push(record.into()));
        self.present = true;
    }

    /// The file's text: two spaces of indentation, everything not ours as it was read.
    pub fn to_text(&self) -> String {
        let mut text = String::from("{\"schemaVersion\":1,\"packages\":[");
        for (n, record) in self.records().enumerate() {
            if n > 0 {
                text.push(',');
            }
            text.push_str(record.raw.get());
        }
        text.push(']');
        for (key, value) in &self.others {
            text.push_str(&format!(",{}:{}", serde_json::Value::from(key.as_str()), value.get()));
        }
        text.push('}');
        crate::json::pretty(&text).unwrap_or(text)
    }
}

fn whose(raw: &RawValue) -> Option<Cow<'_, str>> {
    serde_json::from_str::<Whose>(raw.get()).ok().map(|whose| whose.id)
}

/// The kinds of package a record names, as far as that can be read whatever else is wrong with it.
fn kinds(raw: &RawValue) -> Option<Kinds<'_>> {
    Some(serde_json::from_str::<OnlyManifest>(raw.get()).ok()?.manifest)
}

/// Whether this is a ruleset's record, and the one of this id.
pub(super) fn is_record_of(raw: &RawValue, id: &PackageId) -> bool {
    read_ruleset(raw).is_some_and(|record| record.id == *id)
}

/// A ruleset that is something else besides carries code, and so is the engine's business.
fn is_ruleset(kinds: &Kinds) -> bool {
    !kinds.kind.is_empty() && kinds.kind.iter().all(|kind| kind == "ruleset")
}

fn read_ruleset(raw: &RawValue) -> Option<Installed> {
    let record: RecordIn = serde_json::from_str(raw.get()).ok()?;
    if !is_ruleset(&serde_json::from_str(record.manifest.get()).ok()?) {
        return None;
    }
    let previous_manifest = record.previous_manifest.map(shared);
    // A version is not its own past.
    let previous_version = record.previous_version.filter(|previous| *previous != record.version);
    Some(Installed {
        id: record.id,
        version: record.version,
        manifest: shared(record.manifest),
        previous: previous_version.map(|version| Previous { version, manifest: previous_manifest }),
        installed_at: record.installed_at,
        legacy: record.legacy,
        fault: fault(record.status, record.error),
    })
}

fn shared(raw: &RawValue) -> Arc<RawValue> {
    raw.to_owned().into()
}

/// What a record marked as faulty says was the reason. What waits for a restart is not faulty.
fn fault(status: Option<&RawValue>, error: Option<&RawValue>) -> Option<String> {
    let text = |raw: Option<&RawValue>| raw.and_then(|raw| serde_json::from_str::<String>(raw.get()).ok());
    let is_faulty = text(status).as_deref() == Some("error");
    is_faulty.then(|| text(error).unwrap_or_else(|| "no reason given".to_owned()))
}

fn too_large() -> String {
    format!("it is larger than {} MiB", MOST_RECORD >> 20)
}

/// The file itself, with its unknown keys.
#[derive(Default)]
struct Document<'a> {
    schema_version: Option<&'a RawValue>,
    packages: Option<&'a RawValue>,
    others: Vec<(String, Box<RawValue>)>,
}

impl<'de> Deserialize<'de> for Document<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Keys;
        impl<'de> Visitor<'de> for Keys {
            type Value = Document<'de>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object with schemaVersion and packages")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Document<'de>, A::Error> {
                let mut document = Document::default();
                while let Some(key) = map.next_key::<String>()? {
                    match key.as_str() {
                        "schemaVersion" => document.schema_version = Some(map.next_value()?),
                        "packages" => document.packages = Some(map.next_value()?),
                        "__proto__" => {
                            map.next_value::<IgnoredAny>()?;
                        }
                        _ => document.others.push((key, map.next_value()?)),
                    }
                }
                Ok(document)
            }
        }
        from.deserialize_map(Keys)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const OTHER: &str = r#"{"id":"chess","version":"2.0.0","future":{"x":1.10},"manifest":{"kind":["turn-game"]}}"#;

    fn ruleset(id: &str, version: &str) -> Installed {
        let manifest = format!(r#"{{"id":"{id}","kind":["ruleset"],"unknown":12345678901234567890}}"#);
        Installed {
            id: id.parse().unwrap(),
            version: version.parse().unwrap(),
            manifest: RawValue::from_string(manifest).unwrap().into(),
            previous: None,
            installed_at: "2026-01-01T00:00:00.000Z".to_owned(),
            legacy: false,
            fault: None,
        }
    }

    #[test]
    fn what_is_not_ours_is_written_back_as_it_was() {
        let text = format!(r#"{{"packages":[{OTHER},"rubbish"],"schemaVersion":1,"later":[true]}}"#);
        let mut registry = Registry::parse(text.as_bytes()).unwrap();
        let demo = ruleset("demo", "1.0.0");
        registry.put(&demo.id, Some(demo.to_record()));
        let written = registry.to_text();
        for kept in ["1.10", "\"rubbish\"", "\"later\"", "12345678901234567890"] {
            assert!(written.contains(kept), "{kept} is gone from {written}");
        }
        let again = Registry::parse(written.as_bytes()).unwrap();
        assert_eq!(again.rulesets().len(), 1);
        assert!(again.has("chess"));
        assert_eq!(again.to_text(), written);
    }

    #[test]
    fn a_record_has_exactly_the_engines_keys() {
        let mut demo = ruleset("demo", "1.0.0");
        demo.previous = Some(Previous { version: "0.9.0".parse().unwrap(), manifest: Some(demo.manifest.clone()) });
        let record: serde_json::Value = serde_json::from_str(demo.to_record().get()).unwrap();
        let keys: Vec<&str> = record.as_object().unwrap().keys().map(String::as_str).collect();
        let engines = [
            "error",
            "id",
            "installedAt",
            "legacy",
            "manifest",
            "previousManifest",
            "previousVersion",
            "readiness",
            "readinessError",
            "status",
            "version",
        ];
        assert_eq!(keys, engines);
    }

    #[test]
    fn damage_is_never_an_empty_registry() {
        for damaged in [
            "",
            "{",
            "[]",
            "null",
            "\0\0\0\0",
            r#"{"packages":[]}"#,
            r#"{"schemaVersion":1}"#,
            r#"{"schemaVersion":"1","packages":[]}"#,
            r#"{"schemaVersion":1,"packages":{}}"#,
            // More records than anybody has.
            &format!(r#"{{"schemaVersion":1,"packages":[0{}]}}"#, ",0".repeat(70_000)),
        ] {
            assert!(matches!(Registry::parse(damaged.as_bytes()), Err(Fault::Damaged(_))), "{damaged:?}");
        }
        for newer in [r#"{"schemaVersion":2,"packages":[]}"#, r#"{"packages":{"demo":{}},"schemaVersion":3}"#] {
            assert!(matches!(Registry::parse(newer.as_bytes()), Err(Fault::Newer(_))), "{newer}");
        }
    }

    proptest! {
        #[test]
        fn no_bytes_panic(bytes in any::<Vec<u8>>()) {
            let _ = Registry::parse(&bytes);
        }
    }
}
