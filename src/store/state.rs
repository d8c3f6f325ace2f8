//! Our own record, `rulepack.json`: the language, what is held back, a receipt for every version installed, and what
//! was imported.

use super::layout::LOCALES;
use super::own_file::OwnFile;
use super::record::Fault;
use super::rest::{Others, WithRest};
use crate::types::{ByteSize, Expected, HttpsUrl, Language, PackageId, Sha256, Version};
use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::fmt;

/// What rulepack remembers that the engine's registry has no key for.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct State {
    schema: SchemaOne,
    /// The language set by `rulepack language`; the system's when there is none.
    pub language: Option<Language>,
    pub packages: BTreeMap<PackageId, WithRest<PackageState>>,
    /// What was imported, by the rulesets' own ids.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub imported: BTreeMap<PackageId, WithRest<Imported>>,
    /// What a newer rulepack keeps beside all that.
    #[serde(flatten)]
    others: Others,
}

/// What is remembered of one imported ruleset: its versions, of which the newest is the active one. All of it is here,
/// since the engine's registry does not name it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Imported {
    pub versions: BTreeMap<u64, ImportedVersion>,
}

/// One version as it was put on disk.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ImportedVersion {
    pub name: String,
    pub installed_at: String,
    /// Every file but the translation.
    pub files: Vec<OwnFile>,
    /// The one translation kept.
    #[serde(default)]
    pub pack: Option<KeptPack>,
    /// Whether the record was lost and made again of what lies on disk. Whether it was imported with a translation it
    /// then does not tell.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rebuilt: bool,
}

impl ImportedVersion {
    /// Everything that was put into its folder.
    pub fn all_files(&self) -> Vec<OwnFile> {
        let pack = self
            .pack
            .as_ref()
            .map(|pack| OwnFile { path: format!("{LOCALES}/{}.json", pack.language), expected: Some(pack.file) });
        self.files.iter().cloned().chain(pack).collect()
    }
}

impl Imported {
    /// The version in force.
    pub fn active(&self) -> Option<(u64, &ImportedVersion)> {
        self.versions.last_key_value().map(|(number, version)| (*number, version))
    }
}

/// The one format there is, which [`State::parse`] looks for first of all.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct SchemaOne;

impl Serialize for SchemaOne {
    fn serialize<S: serde::Serializer>(&self, into: S) -> Result<S::Ok, S::Error> {
        into.serialize_u64(1)
    }
}

/// What is remembered of one installed ruleset.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PackageState {
    /// Kept away from `update` by `hold`.
    #[serde(default)]
    pub held: bool,
    /// As in the registry, for rebuilding a registry that cannot be read.
    pub active: Option<Version>,
    #[serde(default)]
    pub previous: Option<Version>,
    #[serde(default)]
    pub installed_at: Option<String>,
    #[serde(default)]
    pub versions: BTreeMap<String, Receipt>,
}

/// What was put on disk for one version.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Receipt {
    /// The artifact it came from; unknown for what somebody else installed.
    #[serde(default)]
    pub artifact: Option<Expected>,
    /// The stored `manifest.json`.
    #[serde(default)]
    pub manifest: Option<Expected>,
    /// The one language pack kept.
    #[serde(default)]
    pub pack: Option<KeptPack>,
    /// Packs that went and could not be removed, so that it is tried again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<KeptPack>,
    /// Every language pack that the catalog's entry of this version offered when it was installed, so that a version
    /// gone back to finds its pack in the cache (docs/spec/commands.md#language).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub offered: Vec<Offered>,
    /// By which catalog entry, and for which language, `pack` (or that there is none) was found right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settled: Option<Settled>,
}

/// A language pack that a catalog's entry offered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "FlatOffer", into = "FlatOffer")]
pub struct Offered {
    pub language: Language,
    pub url: HttpsUrl,
    pub file: Expected,
    /// What the ruleset is called in this language.
    pub name: Option<String>,
}

/// The same as it is written: all on one level, which a run with nothing to do reads more quickly than it would
/// flatten.
#[derive(Serialize, Deserialize)]
struct FlatOffer {
    language: Language,
    url: HttpsUrl,
    sha256: Sha256,
    bytes: ByteSize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
}

impl From<FlatOffer> for Offered {
    fn from(FlatOffer { language, url, sha256, bytes, name }: FlatOffer) -> Self {
        Offered { language, url, file: Expected { sha256, bytes }, name }
    }
}

impl From<Offered> for FlatOffer {
    fn from(Offered { language, url, file: Expected { sha256, bytes }, name }: Offered) -> Self {
        FlatOffer { language, url, sha256, bytes, name }
    }
}

/// What a pack was chosen by. The same again comes to the same pack.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settled {
    /// The digest of the entry's bytes in the catalog.
    pub entry: String,
    pub language: Language,
}

/// A language pack on disk.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "FlatPack", into = "FlatPack")]
pub struct KeptPack {
    pub language: Language,
    pub file: Expected,
}

/// A pack as it is written: all on one level.
#[derive(Serialize, Deserialize)]
struct FlatPack {
    language: Language,
    sha256: Sha256,
    bytes: ByteSize,
}

impl From<FlatPack> for KeptPack {
    fn from(FlatPack { language, sha256, bytes }: FlatPack) -> Self {
        KeptPack { language, file: Expected { sha256, bytes } }
    }
}

impl From<KeptPack> for FlatPack {
    fn from(KeptPack { language, file: Expected { sha256, bytes } }: KeptPack) -> Self {
        FlatPack { language, sha256, bytes }
    }
}

impl Receipt {
    /// Records another pack, or none, and what it was chosen by. Gives the one recorded before.
    pub fn put_pack(&mut self, pack: Option<KeptPack>, settled: Option<Settled>) -> Option<KeptPack> {
        self.settled = settled;
        std::mem::replace(&mut self.pack, pack)
    }
}

impl State {
    /// Knows of nothing but what was imported.
    pub fn of_imports(imported: BTreeMap<PackageId, Imported>) -> Self {
        let imported = imported.into_iter().map(|(id, imported)| (id, imported.into())).collect();
        State { imported, ..State::default() }
    }

    /// Reads the record. One with a higher schema is a newer rulepack's, and no damage.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, Fault> {
        super::record::refuse_newer(bytes)?;
        if let Some(why) = crate::json::too_much(bytes) {
            return Err(Fault::Damaged(why));
        }
        serde_json::from_slice(bytes).map_err(|error| Fault::Damaged(error.to_string()))
    }

    /// What can be known of a record that is damaged: every part that was whole before the first place nobody can read,
    /// or that is whole where the record is JSON all the same.
    pub(super) fn salvage(bytes: &[u8]) -> Self {
        let mut state = State::default();
        // How it ends is known: what was come to until then is what there is.
        let _ = serde_json::Deserializer::from_slice(bytes).deserialize_map(Salvage(&mut state));
        state
    }

    pub fn to_text(&self) -> String {
        let text = serde_json::to_string_pretty(self);
        text.unwrap_or_else(|_| unreachable!("texts and numbers are always JSON")) + "\n"
    }

    /// What is remembered of one version of a package.
    pub fn receipt(&self, id: &PackageId, version: &Version) -> Option<&Receipt> {
        self.packages.get(id)?.versions.get(version.as_str())
    }

    pub fn is_held(&self, id: &PackageId) -> bool {
        self.packages.get(id).is_some_and(|package| package.held)
    }
}

impl<'de> Deserialize<'de> for State {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(Whole)
    }
}

/// Reads a record that must be whole.
struct Whole;

impl<'de> Visitor<'de> for Whole {
    type Value = State;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<State, A::Error> {
        fn once<'de, T, A: MapAccess<'de>>(value: &mut Option<T>, map: &mut A) -> Result<(), A::Error>
        where
            T: Deserialize<'de>,
        {
            match value.replace(map.next_value()?) {
                Some(_) => Err(A::Error::custom("a key is there twice")),
                None => Ok(()),
            }
        }
        let (mut schema, mut language, mut packages, mut imported) = (None::<IgnoredAny>, None, None, None);
        let mut others = Others::default();
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "schema" => once(&mut schema, &mut map)?,
                "language" => once(&mut language, &mut map)?,
                "packages" => once(&mut packages, &mut map)?,
                "imported" => once(&mut imported, &mut map)?,
                _ => others.keep(key, map.next_value()?),
            }
        }
        let (packages, imported) = (packages.unwrap_or_default(), imported.unwrap_or_default());
        Ok(State { schema: SchemaOne, language: language.flatten(), packages, imported, others })
    }
}

/// Takes out of a damaged record what is whole, one value at a time.
struct Salvage<'a>(&'a mut State);

impl<'de> Visitor<'de> for Salvage<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let State { language, packages, imported, .. } = self.0;
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "language" => *language = read_one(map.next_value()?).flatten(),
                "packages" => map.next_value_seed(Each(packages))?,
                "imported" => map.next_value_seed(Each(imported))?,
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

/// The same for the entries of one map of it.
struct Each<'a, T>(&'a mut BTreeMap<PackageId, T>);

impl<'de, T: DeserializeOwned> DeserializeSeed<'de> for Each<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de, T: DeserializeOwned> Visitor<'de> for Each<'_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            let value = read_one(map.next_value()?);
            self.0.extend(key.parse().ok().zip(value));
        }
        Ok(())
    }
}

fn read_one<T: DeserializeOwned>(raw: &RawValue) -> Option<T> {
    serde_json::from_str(raw.get()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_and_read_back() {
        let mut state = State { language: "pt-BR".parse().ok(), ..State::default() };
        let pack = KeptPack { language: "pt".parse().unwrap(), file: Expected::of(b"{}") };
        let receipt = Receipt { artifact: Some(Expected::of(b"x")), pack: Some(pack), ..Receipt::default() };
        let versions = BTreeMap::from([("1.0.0".to_owned(), receipt)]);
        let package = PackageState { held: true, active: "1.0.0".parse().ok(), versions, ..Default::default() };
        state.packages.insert("demo".parse().unwrap(), package.into());
        assert!(!state.to_text().contains("imported"), "older programs know no such key");
        let files = vec![OwnFile { path: "ruleset.json".to_owned(), expected: Some(Expected::of(b"{}")) }];
        let version =
            ImportedVersion { name: "Demo".to_owned(), installed_at: String::new(), files, pack: None, rebuilt: false };
        state.imported.insert(
            "demo".parse().unwrap(),
            Imported { versions: BTreeMap::from([(10, version.clone()), (9, version)]) }.into(),
        );
        assert_eq!(state.imported.values().next().unwrap().active().unwrap().0, 10);
        assert_eq!(State::parse(state.to_text().as_bytes()).unwrap(), state);
    }

    #[test]
    fn a_newer_schema_is_newer_and_anything_else_damaged() {
        const TWICE: &str = r#"{"schema":1,"packages":{},"packages":{}}"#;
        for wrong in
            ["{}", "", "\0\0", "[]", "{\"schema\":0}", "{\"schema\":\"2\"}", "{\"schema\":1,\"packages\":1}", TWICE]
        {
            assert!(matches!(State::parse(wrong.as_bytes()), Err(Fault::Damaged(_))), "{wrong:?}");
        }
        let crowd = format!("{{\"schema\":1,\"x\":[{{}}{}]}}", ",{}".repeat(300_000));
        assert!(matches!(State::parse(crowd.as_bytes()), Err(Fault::Damaged(_))));
        for newer in ["{\"schema\":2}", "{\"schema\":3,\"packages\":[]}"] {
            assert!(matches!(State::parse(newer.as_bytes()), Err(Fault::Newer(_))), "{newer:?}");
        }
        assert!(State::parse(b"{\"schema\":1}").is_ok());
    }

    const LATER: &str = r#"{"schema":1,"later":[1],"language":"ru","packages":{"demo":{"held":true,"active":null,"later":2,
        "versions":{"1.0.0":{"later":{"x":3}}}},"tiny":{"held":true,"active":null}},
        "imported":{"mine":{"later":4,"versions":{"1":{"name":"Mine","installedAt":"","files":[],"later":5}}}}}"#;

    #[test]
    fn keys_nobody_knows_are_written_back() {
        let text = State::parse(LATER.as_bytes()).unwrap().to_text();
        assert_eq!(text.matches("later").count(), 5, "{text}");
        // To the last digit, and however deep.
        let odd = format!("{}1.10{}", "[".repeat(500), "]".repeat(500));
        let text = State::parse(format!("{{\"schema\":1,\"later\":{odd}}}").as_bytes()).unwrap().to_text();
        assert!(text.contains(&odd), "{text}");
        assert_eq!(State::parse(text.as_bytes()).unwrap().to_text(), text);
    }

    #[test]
    fn what_is_whole_of_a_damaged_record_is_saved() {
        let whole = State::parse(LATER.as_bytes()).unwrap();
        let cut = State::salvage(&LATER.as_bytes()[..LATER.find("tiny").unwrap()]);
        assert_eq!((cut.language, cut.packages.len()), (whole.language.clone(), 1));
        assert!(cut.packages.values().next().unwrap().held);
        let odd = State::salvage(LATER.replace("{\"held\":true,\"active\":null}", "7").as_bytes());
        assert_eq!((odd.packages.len(), odd.imported), (1, whole.imported));
        for nothing in ["", "\0\0", "[]", "7", "{\"language\":\"?\"}"] {
            assert_eq!(State::salvage(nothing.as_bytes()), State::default(), "{nothing:?}");
        }
    }
}
