use super::MANIFEST;
use super::engine_range::EngineRange;
use super::findings::Findings;
use super::manifest::{DeclaredFile, Localization, Manifest};
use crate::json::{self, MAX_DEPTH, Object, boolean, integer, list, parsed, text, texts};
use crate::types::{
    Api, ByteSize, Expected, Language, PackageId, Pointer, Rule, SafePath, Severity, Sha256, Version, codes,
};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

/// The newest manifest schema this tool reads.
const NEWEST_SCHEMA: u64 = 2;
/// The most files of a package: the engine opens no archive of more entries, and `manifest.json` is one of them
/// (docs/spec/catalog.md#archives).
const MAX_FILES: usize = 8191;
const MAX_FILE: u64 = 100 << 20;
/// The most languages whose card a manifest's own `localizations` give: the rest would only fill the memory.
const MAX_LOCALIZATIONS: usize = 200;
/// The most assets of a package (docs/spec/catalog.md#assets).
const MAX_ASSETS: usize = 256;

/// The entrypoints there are (docs/spec/catalog.md#common-keys).
pub(super) const ENTRYPOINTS: &[&str] = &["server", "client", "agents", "knowledge"];
/// What packages are known to contribute (docs/spec/catalog.md#assets).
const CONTRIBUTIONS: &[&str] =
    &["assets", "slots", "conversationGame", "agentDetail", "gameSurface", "homeBrowserTab", "homeWidgets"];

/// The keys of a manifest, in the order official ones have them (docs/spec/catalog.md#schema-version-2).
pub const MANIFEST_KEYS: &[&str] = &[
    "schemaVersion",
    "capabilityApi",
    "builtAgainst",
    "id",
    "name",
    "version",
    "description",
    "localizations",
    "engine",
    "kind",
    "entrypoints",
    "contributions",
    "files",
    "permissions",
    "restartRequired",
];

/// A manifest as far as it could be read, so that one wrong value does not hide what the rules say about the others.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub schema: Option<u64>,
    pub id: Option<PackageId>,
    pub name: Option<String>,
    pub version: Option<Version>,
    pub description: String,
    pub engine: Option<EngineRange>,
    pub api: Option<Api>,
    pub kinds: Vec<String>,
    pub entrypoints: Vec<Entrypoint>,
    pub permissions: Vec<String>,
    pub restart_required: bool,
    /// `contributions.assets.paths`, empty when there are none, nothing when they could not be read.
    pub assets: Option<Vec<String>>,
    /// Where these stand, or the innermost of what leads there.
    pub assets_at: Pointer,
    pub files: Vec<ListedFile>,
    pub localizations: BTreeMap<Language, Localization>,
}

/// What `entrypoints` names under a key: the path of a file, or nothing that could be one.
#[derive(Debug)]
pub(super) struct Entrypoint {
    pub key: String,
    pub path: Option<String>,
}

/// One element of `files[]` as far as it could be read.
#[derive(Debug)]
pub(super) struct ListedFile {
    pub at: Pointer,
    pub path: Option<SafePath>,
    pub expected: Option<Expected>,
}

impl Draft {
    /// Reads `manifest`, whose text is `raw`. Nothing is read of a manifest of a newer schema, whose keys may mean
    /// something else: that one reason is all there is to say.
    pub fn read(manifest: &Object<'_>, raw: &RawValue, found: &mut Findings) -> Option<Self> {
        if json::is_too_deep(raw.get()) {
            let message = format!("the manifest is nested deeper than {MAX_DEPTH} levels");
            found.refuse(codes::MANIFEST_DEPTH, manifest.at(), message);
            return None;
        }
        let schema = manifest.required(
            "schemaVersion",
            codes::MANIFEST_SCHEMA_VERSION,
            integer(1, u64::MAX),
            &mut found.reasons,
        );
        if let Some(newer) = schema.filter(|schema| *schema > NEWEST_SCHEMA) {
            let message = format!("the manifest has schemaVersion {newer}; this rulepack reads up to {NEWEST_SCHEMA}");
            found.refuse(codes::NEWER_MANIFEST, &manifest.at().at("schemaVersion"), message);
            return None;
        }
        let engine = read_engine(manifest, found);
        let (assets_at, assets) = read_assets(manifest, found);
        let reasons = &mut found.reasons;
        let draft = Draft {
            schema,
            id: manifest.required("id", codes::MANIFEST_ID, parsed, reasons),
            name: manifest.required("name", codes::MANIFEST_NAME, text(1, 120), reasons).map(Cow::into_owned),
            version: manifest.required("version", codes::MANIFEST_VERSION, parsed, reasons),
            description: manifest
                .optional("description", codes::MANIFEST_DESCRIPTION, text(0, 2000), reasons)
                .map(Cow::into_owned)
                .unwrap_or_default(),
            kinds: read_kinds(manifest, found),
            entrypoints: read_entrypoints(manifest, found),
            permissions: manifest
                .required("permissions", codes::MANIFEST_PERMISSIONS, texts, &mut found.reasons)
                .unwrap_or_default(),
            restart_required: manifest
                .optional("restartRequired", codes::MANIFEST_RESTART_REQUIRED, boolean, &mut found.reasons)
                .unwrap_or_default(),
            api: read_api(manifest, schema, found),
            assets,
            assets_at,
            files: read_files(manifest, found),
            localizations: read_localizations(manifest, found),
            engine,
        };
        read_built_against(manifest, &draft, found);
        manifest.report_strangers(MANIFEST_KEYS, &mut found.notes);
        if let Some(version) = draft.version.as_ref().filter(|version| !version.is_canonical()) {
            let message = format!("`{version}` is not written as Semantic Versioning requires");
            found.note(codes::VERSION_SPELLING, &manifest.at().at("version"), message);
        }
        Some(draft)
    }

    /// The paths in `files[]` that could be read.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.iter().filter_map(|file| Some(file.path.as_ref()?.as_str()))
    }

    /// Whether `entrypoints` names a file under this key.
    pub fn has_entrypoint(&self, key: &str) -> bool {
        self.entrypoints.iter().any(|entrypoint| entrypoint.key == key && entrypoint.path.as_deref() != Some(""))
    }

    /// The manifest, if all it needs could be read.
    pub fn finish(self, raw: &RawValue) -> Option<Manifest> {
        let declared = |file: ListedFile| Some(DeclaredFile { path: file.path?, expected: file.expected? });
        Some(Manifest {
            raw: raw.to_owned().into(),
            id: self.id?,
            name: self.name?,
            version: self.version?,
            description: self.description,
            engine: self.engine?,
            api: self.api,
            kinds: self.kinds,
            assets: self.assets.unwrap_or_default(),
            files: self.files.into_iter().map(declared).collect::<Option<_>>()?,
            localizations: self.localizations,
        })
    }
}

fn read_engine(manifest: &Object<'_>, found: &mut Findings) -> Option<EngineRange> {
    const CODE: &Rule = codes::MANIFEST_ENGINE;
    let engine = manifest.required_object("engine", CODE, &mut found.reasons)?;
    let min: Option<Version> = engine.required("min", CODE, parsed, &mut found.reasons);
    let max_exclusive: Option<Version> = engine.required("maxExclusive", CODE, parsed, &mut found.reasons);
    engine.report_strangers(&["min", "maxExclusive"], &mut found.notes);
    let range = EngineRange { min: min?, max_exclusive: max_exclusive? };
    if let Some(why) = range.lane_fault() {
        found.note(codes::ENGINE_RANGE, engine.at(), why);
    }
    Some(range)
}

fn read_kinds(manifest: &Object<'_>, found: &mut Findings) -> Vec<String> {
    let kinds = manifest.required("kind", codes::MANIFEST_KIND, texts, &mut found.reasons);
    if kinds.as_ref().is_some_and(Vec::is_empty) {
        found.refuse(codes::MANIFEST_KIND, &manifest.at().at("kind"), "`kind` is an empty list");
    }
    kinds.unwrap_or_default()
}

/// What `entrypoints` names. A key nobody knows yet is an entrypoint only if it names a file: what else it may hold
/// is no reason to refuse the package (B01).
fn read_entrypoints(manifest: &Object<'_>, found: &mut Findings) -> Vec<Entrypoint> {
    let Some(entrypoints) = manifest.required_object("entrypoints", codes::MANIFEST_ENTRYPOINTS, &mut found.reasons)
    else {
        return Vec::new();
    };
    let names_a_file = |value: &RawValue| value.get().starts_with('"') && value.get() != "\"\"";
    let is_one = |key: &str, value: &RawValue| ENTRYPOINTS.contains(&key) || names_a_file(value);
    // An entrypoint nobody knows is refused as an entrypoint (K7), and once.
    entrypoints.report_unless(is_one, &mut found.notes);
    let path = |value| text(0, usize::MAX)(value).ok().map(Cow::into_owned);
    let named = entrypoints.fields().filter(|(key, value)| is_one(key, value));
    named.map(|(key, value)| Entrypoint { key: key.to_owned(), path: path(value) }).collect()
}

/// Schema version 2 must declare a Capability API, version 1 must not (docs/spec/catalog.md#schema-version-2).
fn read_api(manifest: &Object<'_>, schema: Option<u64>, found: &mut Findings) -> Option<Api> {
    const CODE: &Rule = codes::MANIFEST_CAPABILITY_API;
    if !is_second_schema(manifest, "capabilityApi", CODE, schema, found) {
        return None;
    }
    let api = manifest.required_object("capabilityApi", CODE, &mut found.reasons)?;
    let major = api.required("major", CODE, integer(1, u32::MAX.into()), &mut found.reasons);
    let minor = api.required("minor", CODE, integer(0, u32::MAX.into()), &mut found.reasons);
    api.report_strangers(&["major", "minor"], &mut found.notes);
    Some(Api { major: major?.try_into().ok()?, minor: minor?.try_into().ok()? })
}

fn read_built_against(manifest: &Object<'_>, draft: &Draft, found: &mut Findings) {
    const CODE: &Rule = codes::MANIFEST_BUILT_AGAINST;
    if !is_second_schema(manifest, "builtAgainst", CODE, draft.schema, found) {
        return;
    }
    let Some(built) = manifest.required_object("builtAgainst", CODE, &mut found.reasons) else { return };
    let version: Option<Version> = built.required("engineVersion", CODE, parsed, &mut found.reasons);
    built.required("engineCommit", CODE, commit, &mut found.reasons);
    built.report_strangers(&["engineVersion", "engineCommit"], &mut found.notes);
    // A range that holds no engine at all has its own finding.
    if let (Some(version), Some(range)) = (version, &draft.engine)
        && range.min.precedence(&range.max_exclusive).is_lt()
        && !range.contains(&version)
    {
        let message = format!(
            "built against engine {version}, which is outside its own range from {} to below {}",
            range.min, range.max_exclusive
        );
        found.note(codes::BUILT_AGAINST_RANGE, &built.at().at("engineVersion"), message);
    }
}

/// Whether a key of schema version 2 is to be read; in version 1 it is refused.
fn is_second_schema(
    manifest: &Object<'_>,
    key: &str,
    code: &'static Rule,
    schema: Option<u64>,
    found: &mut Findings,
) -> bool {
    if schema == Some(1) && manifest.get(key).is_some() {
        found.refuse(
            code,
            &manifest.at().at(key),
            format!("`{key}` is only allowed in schemaVersion 2, but this is version 1"),
        );
    }
    schema == Some(2)
}

fn commit(value: &RawValue) -> Result<(), String> {
    let text = text(0, usize::MAX)(value)?;
    if is_commit(&text) { Ok(()) } else { Err("is not a commit: expected 40 lowercase hexadecimal digits".to_owned()) }
}

fn is_commit(text: &str) -> bool {
    let hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    text.len() == 40 && text.bytes().all(hex)
}

/// The assets, and where they are listed as far as anything of that is there: as their paths, as contributions, or the
/// whole manifest.
fn read_assets(manifest: &Object<'_>, found: &mut Findings) -> (Pointer, Option<Vec<String>>) {
    const CODE: &Rule = codes::MANIFEST_CONTRIBUTIONS;
    if manifest.get("contributions").is_none() {
        return (manifest.at().clone(), Some(Vec::new()));
    }
    let at = manifest.at().at("contributions");
    let Some(contributions) = manifest.optional_object("contributions", CODE, &mut found.reasons) else {
        return (at, None);
    };
    note_strange_contributions(&contributions, found);
    if contributions.get("assets").is_none() {
        return (at, Some(Vec::new()));
    }
    let Some(assets) = contributions.optional_object("assets", CODE, &mut found.reasons) else { return (at, None) };
    let paths = assets.required("paths", CODE, texts, &mut found.reasons);
    assets.report_strangers(&["paths"], &mut found.notes);
    if assets.get("paths").is_none() {
        return (at, None);
    }
    let at = assets.at().at("paths");
    let paths = paths.filter(|paths| are_assets(paths, &at, found));
    (at, paths)
}

/// What a package contributes grows with the engine, so what is not known here need not be wrong.
fn note_strange_contributions(contributions: &Object<'_>, found: &mut Findings) {
    for (key, _) in contributions.fields().filter(|(key, _)| !CONTRIBUTIONS.contains(key)) {
        let message = format!("`{}` is not a known contribution", json::excerpt(key));
        found.note_as(Severity::Warning, codes::UNKNOWN_KEY, &contributions.at().at(key), message);
    }
}

fn are_assets(paths: &[String], at: &Pointer, found: &mut Findings) -> bool {
    if paths.len() > MAX_ASSETS {
        let message = format!("{} assets, but at most {MAX_ASSETS} are allowed", paths.len());
        found.refuse(codes::ASSET_COUNT, at, message);
        return false;
    }
    for (index, path) in paths.iter().enumerate().filter(|(_, path)| !is_asset_name(path)) {
        let message = format!("`{}` is not the name of an image or a JSON file", json::excerpt(path));
        found.note(codes::ASSET_PATHS, &at.at(index), message);
    }
    true
}

/// Whether the engine takes this for an asset (docs/spec/catalog.md#assets).
fn is_asset_name(path: &str) -> bool {
    let extension = path.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    let known = extension.is_some_and(|it| matches!(it.as_str(), "gif" | "jpg" | "jpeg" | "png" | "webp" | "json"));
    known && path.encode_utf16().count() <= SafePath::MAX
}

fn read_files(manifest: &Object<'_>, found: &mut Findings) -> Vec<ListedFile> {
    const CODE: &Rule = codes::MANIFEST_FILES;
    let at = manifest.at().at("files");
    let Some(items) = manifest.required("files", CODE, list, &mut found.reasons) else { return Vec::new() };
    if items.is_empty() || items.len() > MAX_FILES {
        found.refuse(CODE, &at, format!("{} files, but 1 to {MAX_FILES} are allowed", items.len()));
        return Vec::new();
    }
    let mut files = Vec::with_capacity(items.len());
    for (index, item) in items.into_iter().enumerate() {
        match Object::parse(item.get(), at.at(index)) {
            Ok(file) => files.push(read_file(&file, found)),
            Err(why) => found.refuse(CODE, &at.at(index), format!("the file {why}")),
        }
    }
    refuse_clashes(&files, found);
    files
}

fn read_file(file: &Object<'_>, found: &mut Findings) -> ListedFile {
    const CODE: &Rule = codes::MANIFEST_FILES;
    let written = file.required("path", CODE, text(0, usize::MAX), &mut found.reasons);
    let path = written.and_then(|path| match path.parse::<SafePath>() {
        Ok(path) => Some(path),
        Err(why) => {
            let message = format!("`{}` cannot be a file of a package: {why}", json::excerpt(&path));
            found.refuse(codes::UNSAFE_PATH, &file.at().at("path"), message);
            None
        }
    });
    let sha256: Option<Sha256> = file.required("sha256", CODE, parsed, &mut found.reasons);
    let bytes = file.required("bytes", CODE, integer(0, MAX_FILE), &mut found.reasons);
    file.report_strangers(&["path", "sha256", "bytes"], &mut found.notes);
    let expected = sha256.zip(bytes).map(|(sha256, bytes)| Expected { sha256, bytes: ByteSize(bytes) });
    ListedFile { at: file.at().clone(), path, expected }
}

/// No two files may be one file, or a file the folder of another, on a disk that ignores case; and none may be the
/// manifest, which is not among its own files.
fn refuse_clashes<'a>(files: &'a [ListedFile], found: &mut Findings) {
    const CODE: &Rule = codes::DUPLICATE_PATH;
    let folded = |file: &'a ListedFile| file.path.as_ref().map(|path| (path.folded(), path, &file.at));
    let named: Vec<(String, &SafePath, &Pointer)> = files.iter().filter_map(folded).collect();
    let mut by_name: HashMap<&str, &SafePath> = HashMap::with_capacity(named.len());
    for (name, path, at) in &named {
        if name.split('/').next() == Some(MANIFEST) {
            found.refuse(
                codes::MANIFEST_PATH,
                &at.at("path"),
                "`manifest.json` is the manifest's own name in a package",
            );
        }
        if let Some(other) = by_name.insert(name, path) {
            found.refuse(
                CODE,
                &at.at("path"),
                format!("`{path}` and `{other}` are the same file where case is ignored"),
            );
        }
    }
    for (name, path, at) in &named {
        let mut folders = name.match_indices('/').map(|(end, _)| &name[..end]);
        if let Some(other) = folders.find_map(|folder| by_name.get(folder)) {
            found.refuse(CODE, &at.at("path"), format!("`{path}` is inside `{other}`, which is also a file"));
        }
    }
}

/// Name and description by language. What is wrong here costs a translated card and nothing else.
fn read_localizations(manifest: &Object<'_>, found: &mut Findings) -> BTreeMap<Language, Localization> {
    const CODE: &Rule = codes::MANIFEST_LOCALIZATIONS;
    const KEYS: &[&str] = &["name", "description", "homeBrowserTab", "homeWidgets"];
    let mut read = BTreeMap::new();
    let Some(all) = manifest.optional_object("localizations", CODE, &mut found.notes) else { return read };
    if all.fields().len() > MAX_LOCALIZATIONS {
        let message = format!("{} languages, but only the first {MAX_LOCALIZATIONS} are read", all.fields().len());
        found.note(CODE, all.at(), message);
    }
    for (key, value) in all.fields().take(MAX_LOCALIZATIONS) {
        let at = all.at().at(key);
        let Ok(language) = key.parse::<Language>() else {
            found.note(CODE, &at, format!("`{}` is not a language tag", json::excerpt(key)));
            continue;
        };
        let one = match Object::parse(value.get(), at) {
            Ok(one) => one,
            Err(why) => {
                found.note(CODE, &all.at().at(key), format!("`{key}` {why}"));
                continue;
            }
        };
        one.report_strangers(KEYS, &mut found.notes);
        let name = one.optional("name", CODE, text(1, 120), &mut found.notes).map(Cow::into_owned);
        let description = one.optional("description", CODE, text(0, 2000), &mut found.notes).map(Cow::into_owned);
        note_home(&one, CODE, found);
        read.insert(language, Localization { name, description });
    }
    read
}

/// What a localization says of the Home page, which no ruleset has a part in and the engine judges all the same.
fn note_home(one: &Object<'_>, code: &'static Rule, found: &mut Findings) {
    if let Some(tab) = one.optional_object("homeBrowserTab", code, &mut found.notes) {
        tab.report_strangers(&["label", "ariaLabel"], &mut found.notes);
        tab.optional("label", code, text(1, 40), &mut found.notes);
        tab.optional("ariaLabel", code, text(1, 100), &mut found.notes);
    }
    let Some(widgets) = one.optional_object("homeWidgets", code, &mut found.notes) else { return };
    for (id, value) in widgets.fields() {
        let at = widgets.at().at(id);
        let group = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
        if !id.split('-').all(group) {
            let why = "is not a widget id: expected groups of lowercase letters and digits joined by `-`";
            found.note(code, &at, format!("`{}` {why}", json::excerpt(id)));
        }
        match Object::parse(value.get(), at) {
            Ok(widget) => {
                widget.report_strangers(&["label", "description"], &mut found.notes);
                widget.optional("label", code, text(1, 80), &mut found.notes);
                widget.optional("description", code, text(0, 200), &mut found.notes);
            }
            Err(why) => found.note(code, &widgets.at().at(id), format!("`{}` {why}", json::excerpt(id))),
        }
    }
}
