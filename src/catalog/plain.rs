//! Ordinary entries, read in one go.
//!
//! Nearly every entry of a catalog is just what the format says: its keys, each once, each value of its type and within
//! its limits. Such an entry is read here several times as fast as key by key, which is most of what a search through
//! a large catalog takes. Anything else, wrong or only worth a note, is not this reader's: it gives nothing, and the
//! reader that can say what is the matter, and where, reads the entry anew. The rules are the same ones for both.

use super::draft::{self, Draft, ListedFile};
use super::engine_range::EngineRange;
use super::entry::{Entry, FileOffer, PackOffer};
use super::findings::Findings;
use super::manifest::{Localization, Manifest};
use super::offers::{self, Beside, MAX_ARTIFACT, MAX_PACK, MAX_PACKS, PACKS_API};
use super::reading::is_category;
use super::rules::{Origin, judge_ruleset};
use crate::json::fits;
use crate::types::{Api, ByteSize, Expected, HttpsUrl, Language, Pointer, Version};
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

/// The ruleset an ordinary entry offers.
pub(super) fn entry(text: &str) -> Option<Entry> {
    let Only(plain): Only<PlainEntry> = serde_json::from_str(text).ok()?;
    if !plain.category.is_none_or(is_category) {
        return None;
    }
    for address in [plain.icon_url, plain.documentation_url].into_iter().flatten() {
        address.parse::<HttpsUrl>().ok()?;
    }
    let draft = draft(plain.manifest).filter(|draft| draft.kinds == ["ruleset"])?;
    let mut found = Findings::default();
    judge_ruleset(&draft, &Pointer::root(), Origin::Entry, &mut found);
    let artifact = file(&plain.artifact.0, plain.artifact.0.url.parse().ok()?, MAX_ARTIFACT, &mut found)?;
    let packs = match plain.locales {
        Some(locales) => packs(locales, &draft, &artifact.url, &mut found)?,
        None => Vec::new(),
    };
    let nothing_found = found.reasons.is_empty() && found.notes.is_empty();
    let manifest = draft.finish(plain.manifest).filter(|_| nothing_found)?;
    Some(Entry { manifest, artifact, packs, notes: Vec::new() })
}

/// An ordinary manifest, of whatever kind.
pub(super) fn manifest(text: &str) -> Option<Manifest> {
    let raw: &RawValue = serde_json::from_str(text).ok()?;
    draft(raw)?.finish(raw)
}

fn draft(raw: &RawValue) -> Option<Draft> {
    let Only(plain): Only<PlainManifest> = serde_json::from_str(raw.get()).ok()?;
    let Only(engine) = plain.engine;
    let engine = EngineRange { min: engine.min.parse().ok()?, max_exclusive: engine.max_exclusive.parse().ok()? };
    let Only(api) = plain.capability_api;
    let version: Version = plain.version.parse().ok()?;
    let Only(Contributions { assets: Only(Assets { paths: assets }) }) = plain.contributions;
    let ordinary = plain.schema_version == draft::NEWEST_SCHEMA
        && engine.lane_fault().is_none()
        && api.major >= 1
        && is_built_within(&engine, &plain.built_against.0)
        && version.is_canonical()
        && fits(&plain.name, 1, 120)
        && fits(&plain.description, 0, 2000)
        && !plain.kind.is_empty()
        && assets.len() <= draft::MAX_ASSETS
        && assets.iter().all(|path| draft::is_asset_name(path));
    ordinary.then_some(())?;
    Some(Draft {
        schema: Some(plain.schema_version),
        id: Some(plain.id.parse().ok()?),
        name: Some(plain.name.into_owned()),
        version: Some(version),
        description: plain.description.into_owned(),
        engine: Some(engine),
        api: Some(Api { major: api.major, minor: api.minor }),
        kinds: owned(plain.kind),
        entrypoints: Vec::new(),
        permissions: owned(plain.permissions),
        restart_required: plain.restart_required,
        assets: Some(owned(assets)),
        files: files(&plain.files)?,
        localizations: localizations(plain.localizations)?,
    })
}

fn owned(texts: Vec<&str>) -> Vec<String> {
    texts.into_iter().map(str::to_owned).collect()
}

fn is_built_within(range: &EngineRange, built: &BuiltAgainst) -> bool {
    draft::is_commit(built.engine_commit) && built.engine_version.parse().is_ok_and(|version| range.contains(&version))
}

fn files(listed: &[Only<DeclaredFile>]) -> Option<Vec<ListedFile>> {
    if listed.is_empty() || listed.len() > draft::MAX_FILES {
        return None;
    }
    let file = |Only(file): &Only<DeclaredFile>| {
        let bytes = Some(file.bytes).filter(|bytes| *bytes <= draft::MAX_FILE)?;
        let expected = Expected { sha256: file.sha256.parse().ok()?, bytes: ByteSize(bytes) };
        // Where it stands is told by who can tell it.
        Some(ListedFile { at: Pointer::root(), path: Some(file.path.parse().ok()?), expected: Some(expected) })
    };
    let files: Vec<ListedFile> = listed.iter().map(file).collect::<Option<_>>()?;
    let mut found = Findings::default();
    draft::refuse_clashes(&files, &mut found);
    found.reasons.is_empty().then_some(files)
}

fn localizations(cards: Members<Only<Card>>) -> Option<BTreeMap<Language, Localization>> {
    if cards.0.len() > draft::MAX_LOCALIZATIONS {
        return None;
    }
    let mut read = BTreeMap::new();
    for (key, Only(Card { name, description })) in cards.0 {
        let fitting = name.as_ref().is_none_or(|Text(name)| fits(name, 1, 120))
            && description.as_ref().is_none_or(|Text(description)| fits(description, 0, 2000));
        let owned = |text: Option<Text>| text.map(|Text(text)| text.into_owned());
        let card = Localization { name: owned(name), description: owned(description) };
        read.insert(fitting.then(|| key.parse().ok()).flatten()?, card);
    }
    Some(read)
}

fn file(plain: &PlainFile, url: HttpsUrl, most: ByteSize, found: &mut Findings) -> Option<FileOffer> {
    offers::note_blob(&Pointer::root(), Some(&url), found);
    let bytes = Some(ByteSize(plain.bytes)).filter(|bytes| (ByteSize(1)..=most).contains(bytes))?;
    Some(FileOffer { url, expected: Expected { sha256: plain.sha256.parse().ok()?, bytes } })
}

fn packs(
    locales: Members<Only<PlainPack>>,
    draft: &Draft,
    artifact: &HttpsUrl,
    found: &mut Findings,
) -> Option<Vec<PackOffer>> {
    if draft.api < Some(PACKS_API) || locales.0.len() > MAX_PACKS {
        return None;
    }
    let root = Pointer::root();
    let beside = Beside::of(draft, Some(artifact));
    let mut packs: Vec<PackOffer> = Vec::with_capacity(locales.0.len());
    for (key, Only(pack)) in locales.0 {
        let language = offers::read_language(key, &root, found)?;
        let url = beside.address(pack.url).or_else(|| pack.url.parse().ok())?;
        offers::judge_url(&url, &root, key, &beside, found);
        let plain = PlainFile { url: pack.url, sha256: pack.sha256, bytes: pack.bytes };
        let file = file(&plain, url, MAX_PACK, found)?;
        let ordinary = fits(&pack.name, 1, 120)
            && fits(&pack.description, 0, 2000)
            && !offers::is_close_to_the_limit(file.expected.bytes)
            && packs.iter().all(|other| other.language != language);
        ordinary.then_some(())?;
        let (name, description) = (pack.name.into_owned(), pack.description.into_owned());
        packs.push(PackOffer { language, file, name, description });
    }
    Some(packs)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct PlainEntry<'a> {
    #[serde(borrow)]
    manifest: &'a RawValue,
    #[serde(borrow, default, deserialize_with = "given")]
    category: Option<&'a str>,
    #[serde(borrow)]
    artifact: Only<PlainFile<'a>>,
    #[serde(borrow, default, deserialize_with = "given")]
    icon_url: Option<&'a str>,
    #[serde(borrow, default, deserialize_with = "given")]
    documentation_url: Option<&'a str>,
    #[serde(borrow, default, deserialize_with = "given")]
    locales: Option<Members<'a, Only<PlainPack<'a>>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlainFile<'a> {
    url: &'a str,
    sha256: &'a str,
    bytes: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlainPack<'a> {
    url: &'a str,
    sha256: &'a str,
    bytes: u64,
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow)]
    description: Cow<'a, str>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct PlainManifest<'a> {
    schema_version: u64,
    capability_api: Only<CapabilityApi>,
    #[serde(borrow)]
    built_against: Only<BuiltAgainst<'a>>,
    id: &'a str,
    #[serde(borrow)]
    name: Cow<'a, str>,
    version: &'a str,
    #[serde(borrow, default)]
    description: Cow<'a, str>,
    #[serde(borrow, default)]
    localizations: Members<'a, Only<Card<'a>>>,
    #[serde(borrow)]
    engine: Only<Engine<'a>>,
    #[serde(borrow)]
    kind: Vec<&'a str>,
    #[serde(rename = "entrypoints")]
    _entrypoints: Only<Nothing>,
    #[serde(borrow)]
    contributions: Only<Contributions<'a>>,
    #[serde(borrow)]
    files: Vec<Only<DeclaredFile<'a>>>,
    #[serde(borrow)]
    permissions: Vec<&'a str>,
    #[serde(default)]
    restart_required: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CapabilityApi {
    major: u32,
    minor: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct BuiltAgainst<'a> {
    engine_version: &'a str,
    engine_commit: &'a str,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Engine<'a> {
    min: &'a str,
    max_exclusive: &'a str,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Contributions<'a> {
    #[serde(borrow)]
    assets: Only<Assets<'a>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Assets<'a> {
    #[serde(borrow)]
    paths: Vec<&'a str>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DeclaredFile<'a> {
    path: &'a str,
    sha256: &'a str,
    bytes: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Card<'a> {
    #[serde(borrow, default, deserialize_with = "given")]
    name: Option<Text<'a>>,
    #[serde(borrow, default, deserialize_with = "given")]
    description: Option<Text<'a>>,
}

/// Text that borrows where it holds no escape sequence.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// A value that may be left out, and is not `null`.
fn given<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

/// A structure written as an object. Left to itself it would also be read from an array of its values.
struct Only<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Only<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Object<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Object<T> {
            type Value = Only<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Only<T>, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(Only)
            }
        }
        from.deserialize_map(Object(PhantomData))
    }
}

/// The members of an object whose keys are free, in the order of the text.
struct Members<'a, T>(Vec<(&'a str, T)>);

impl<T> Default for Members<'_, T> {
    fn default() -> Self {
        Members(Vec::new())
    }
}

impl<'de: 'a, 'a, T: Deserialize<'de>> Deserialize<'de> for Members<'a, T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct InOrder<'a, T>(PhantomData<Members<'a, T>>);
        impl<'de: 'a, 'a, T: Deserialize<'de>> Visitor<'de> for InOrder<'a, T> {
            type Value = Members<'a, T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        from.deserialize_map(InOrder(PhantomData))
    }
}
