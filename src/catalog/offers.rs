//! What an entry offers for download: the artifact and the language packs beside it.

use super::draft::Draft;
use super::entry::{FileOffer, PackOffer};
use super::findings::Findings;
use crate::json::{Object, excerpt, integer, parsed, text};
use crate::types::{Api, ByteSize, Expected, HttpsUrl, Language, Pointer, Sha256};
use std::borrow::Cow;

/// The largest artifact (catalog format, section 2).
pub const MAX_ARTIFACT: ByteSize = ByteSize::mib(100);
/// The largest language pack: the seed's "8 MB", read as all the engine's limits are (open question Q4).
pub const MAX_PACK: ByteSize = ByteSize::mib(8);
/// The most language packs of one ruleset.
pub const MAX_PACKS: usize = 40;

/// The Capability API that brought language packs.
const PACKS_API: Api = Api { major: 1, minor: 811 };

/// An entry's artifact.
pub(super) fn read_artifact(entry: &Object<'_>, found: &mut Findings) -> (Option<HttpsUrl>, Option<FileOffer>) {
    let Some(artifact) = entry.required_object("artifact", "artifact-shape", &mut found.reasons) else {
        return (None, None);
    };
    artifact.report_strangers(&["url", "sha256", "bytes"], &mut found.notes);
    let url = artifact.required("url", "artifact-url", parsed, &mut found.reasons);
    let expected = read_expected(&artifact, ["artifact-sha256", "artifact-bytes"], MAX_ARTIFACT, found);
    note_blob(&artifact, url.as_ref(), found);
    let offer = url.clone().zip(expected).map(|(url, expected)| FileOffer { url, expected });
    (url, offer)
}

fn read_expected(file: &Object<'_>, codes: [&str; 2], most: ByteSize, found: &mut Findings) -> Option<Expected> {
    let sha256: Option<Sha256> = file.required("sha256", codes[0], parsed, &mut found.reasons);
    let bytes = file.required("bytes", codes[1], integer(1, most.0), &mut found.reasons);
    Some(Expected { sha256: sha256?, bytes: ByteSize(bytes?) })
}

/// An address of a code-hosting page about a file instead of the file (B22).
fn note_blob(file: &Object<'_>, url: Option<&HttpsUrl>, found: &mut Findings) {
    let blob = |url: &&HttpsUrl| url.url().host_str() == Some("github.com") && url.url().path().contains("/blob/");
    if let Some(url) = url.filter(blob) {
        found.note("blob-url", &file.at().at("url"), format!("{url} is a page about the file"));
    }
}

/// The language packs an entry lists (catalog format, section 4). Every rule that is broken makes the whole entry
/// unusable (contract, section 3).
pub(super) fn read_packs(
    entry: &Object<'_>,
    draft: &Draft,
    artifact: Option<&HttpsUrl>,
    found: &mut Findings,
) -> Vec<PackOffer> {
    let Some(locales) = entry.optional_object("locales", "locales-shape", &mut found.reasons) else {
        return Vec::new();
    };
    if let Some(api) = draft.api.filter(|api| *api < PACKS_API) {
        let message = format!("language packs need Capability API {PACKS_API}, the manifest declares {api}");
        found.refuse("T08", locales.at(), message);
    }
    locales.report_repeated(&mut found.notes);
    let count = locales.fields().len();
    if count > MAX_PACKS {
        found.refuse("T10", locales.at(), format!("{count} language packs, where at most {MAX_PACKS} are allowed"));
        return Vec::new();
    }
    let mut packs: Vec<PackOffer> = Vec::with_capacity(count);
    for (key, value) in locales.fields() {
        let at = locales.at().at(key);
        let language = read_language(key, &at, found);
        let pack = match Object::parse(value.get(), at) {
            Ok(pack) => read_pack(&pack, key, language, draft, artifact, found),
            Err(why) => {
                found.refuse("pack-shape", &locales.at().at(key), format!("the pack `{}` {why}", excerpt(key)));
                None
            }
        };
        let Some(pack) = pack else { continue };
        if packs.iter().any(|other| other.language == pack.language) {
            let message = format!("`{key}` is another spelling of `{}`, which is listed already", pack.language);
            found.refuse("pack-language", &locales.at().at(key), message);
        }
        packs.push(pack);
    }
    packs
}

/// The language a pack is listed under: `^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$`, a tag, and not English itself.
fn read_language(key: &str, at: &Pointer, found: &mut Findings) -> Option<Language> {
    let mut subtags = key.split('-');
    let first = subtags.next().unwrap_or_default();
    let fits = (2..=3).contains(&first.len())
        && first.bytes().all(|byte| byte.is_ascii_lowercase())
        && subtags.all(|tag| (2..=8).contains(&tag.len()) && tag.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    let language = key.parse::<Language>().ok();
    // `eng` is an alias of `en`, so the canonical spelling decides.
    if language.as_ref().is_some_and(|language| *language == Language::english()) {
        found.refuse("T10", at, "a pack in English, which is the ruleset itself");
        return None;
    }
    match language.filter(|_| fits) {
        Some(language) => {
            if language.is_english() {
                found.warn("pack-language", at, format!("`{key}` is a kind of English; nobody is given this pack"));
            }
            Some(language)
        }
        None => {
            found.refuse("pack-language", at, format!("`{}` is not the code of a language", excerpt(key)));
            None
        }
    }
}

fn read_pack(
    pack: &Object<'_>,
    key: &str,
    language: Option<Language>,
    draft: &Draft,
    artifact: Option<&HttpsUrl>,
    found: &mut Findings,
) -> Option<PackOffer> {
    pack.report_strangers(&["url", "sha256", "bytes", "name", "description"], &mut found.notes);
    let url: Option<HttpsUrl> = pack.required("url", "pack-url", parsed, &mut found.reasons);
    if let Some(url) = &url {
        judge_url(url, pack, key, draft, artifact, found);
    }
    note_blob(pack, url.as_ref(), found);
    let expected = read_expected(pack, ["pack-sha256", "pack-bytes"], MAX_PACK, found);
    // Eight million bytes are what a stricter reader of "8 MB" takes.
    if let Some(size) = expected.map(|expected| expected.bytes).filter(|size| size.0 >= 8_000_000) {
        found.warn("pack-bytes", &pack.at().at("bytes"), format!("{} bytes are close to the limit", size.0));
    }
    let name = pack.required("name", "pack-card", text(1, 120), &mut found.reasons).map(Cow::into_owned);
    let description = pack.required("description", "pack-card", text(0, 2000), &mut found.reasons).map(Cow::into_owned);
    let file = FileOffer { url: url?, expected: expected? };
    Some(PackOffer { language: language?, file, name: name?, description: description? })
}

/// A pack lies beside its artifact and is named for the package, its version and the language, in the very spelling
/// it is listed under (open question Q24). What could not be read is not held against the address.
fn judge_url(
    url: &HttpsUrl,
    pack: &Object<'_>,
    key: &str,
    draft: &Draft,
    artifact: Option<&HttpsUrl>,
    found: &mut Findings,
) {
    let at = pack.at().at("url");
    if url.url().query().is_some() || url.url().fragment().is_some() {
        found.refuse("pack-url", &at, format!("{url} has a query or a fragment"));
    }
    if let Some(artifact) = artifact.filter(|artifact| artifact.folder() != url.folder()) {
        found.refuse("pack-url", &at, format!("{url} does not lie in the artifact's folder {}", artifact.folder()));
    }
    if let (Some(id), Some(version)) = (&draft.id, &draft.version) {
        let wanted = format!("{id}-{version}.{key}.json");
        if url.file_name() != wanted {
            found.refuse("pack-url", &at, format!("{url} is not named `{}`", excerpt(&wanted)));
        }
    }
}
