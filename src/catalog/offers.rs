//! What an entry offers for download: the artifact and the language packs beside it.

use super::draft::Draft;
use super::entry::{FileOffer, PackOffer};
use super::findings::Findings;
use crate::json::{Object, excerpt, integer, parsed, text};
use crate::types::{
    Api, ByteSize, Expected, HttpsUrl, Language, Pointer, Problem, Rule, Severity, Sha256, codes, is_tag,
};
use serde_json::value::RawValue;
use std::borrow::Cow;

/// The largest artifact (docs/spec/catalog.md#entry).
pub const MAX_ARTIFACT: ByteSize = ByteSize::mib(100);
/// The largest language pack: the "8 MB" of docs/spec/catalog.md#language-packs, read as all the engine's limits are
/// (docs/spec/decisions.md#q4).
pub const MAX_PACK: ByteSize = ByteSize::mib(8);
/// The most language packs of one ruleset.
pub const MAX_PACKS: usize = 40;

/// The Capability API that brought language packs, and bundles with them.
pub const PACKS_API: Api = Api { major: 1, minor: 811 };

/// An entry's artifact.
pub(super) fn read_artifact(entry: &Object<'_>, found: &mut Findings) -> (Option<HttpsUrl>, Option<FileOffer>) {
    let Some(artifact) = entry.required_object("artifact", codes::ARTIFACT_SHAPE, &mut found.reasons) else {
        return (None, None);
    };
    let url = artifact.required("url", codes::ARTIFACT_URL, parsed, &mut found.reasons);
    let expected = read_expected(&artifact, [codes::ARTIFACT_SHA256, codes::ARTIFACT_BYTES], MAX_ARTIFACT, found);
    artifact.report_strangers(&["url", "sha256", "bytes"], &mut found.notes);
    note_blob(artifact.at(), url.as_ref(), found);
    let offer = url.clone().zip(expected).map(|(url, expected)| FileOffer { url, expected });
    (url, offer)
}

fn read_expected(
    file: &Object<'_>,
    codes: [&'static Rule; 2],
    most: ByteSize,
    found: &mut Findings,
) -> Option<Expected> {
    let sha256: Option<Sha256> = file.required("sha256", codes[0], parsed, &mut found.reasons);
    let bytes = file.required("bytes", codes[1], integer(1, most.0), &mut found.reasons);
    Some(Expected { sha256: sha256?, bytes: ByteSize(bytes?) })
}

/// An address of a code-hosting page about a file instead of the file (B22).
fn note_blob(file: &Pointer, url: Option<&HttpsUrl>, found: &mut Findings) {
    let blob = |url: &&HttpsUrl| {
        // The text is looked at first: hardly any address needs taking apart.
        url.as_str().contains("/blob/") && {
            let url = url.url();
            url.host_str() == Some("github.com") && url.path().contains("/blob/")
        }
    };
    if let Some(url) = url.filter(blob) {
        found.note(codes::BLOB_URL, &file.at("url"), format!("{url} is a page about the file, not the file"));
    }
}

/// The language packs an entry lists (docs/spec/catalog.md#language-packs). Every rule that is broken makes the whole
/// entry unusable (docs/spec/commands.md#reading-entries).
pub(super) fn read_packs(
    entry: &Object<'_>,
    draft: &Draft,
    artifact: Option<&HttpsUrl>,
    found: &mut Findings,
) -> Vec<PackOffer> {
    let Some(locales) = entry.optional_object("locales", codes::LOCALES_SHAPE, &mut found.reasons) else {
        return Vec::new();
    };
    if let Some(api) = draft.api.filter(|api| *api < PACKS_API) {
        let message = format!("language packs require Capability API {PACKS_API}, but the manifest declares {api}");
        found.reasons.push(Problem::new(codes::T08, locales.at(), message).needing(PACKS_API));
    }
    let count = locales.fields().len();
    if count > MAX_PACKS {
        found.refuse(codes::T10, locales.at(), format!("{count} language packs, but at most {MAX_PACKS} are allowed"));
        return Vec::new();
    }
    let beside = Beside::of(draft, artifact);
    let mut packs: Vec<PackOffer> = Vec::with_capacity(count);
    let mut keys = Vec::with_capacity(count);
    for (key, value) in locales.fields() {
        let at = locales.at().at(key);
        let language = read_language(key, &at, found);
        let pack = match Object::parse(value.get(), at) {
            Ok(pack) => read_pack(&pack, key, language, &beside, found),
            Err(why) => {
                found.refuse(codes::PACK_SHAPE, &locales.at().at(key), format!("the pack `{}` {why}", excerpt(key)));
                None
            }
        };
        let Some(pack) = pack else { continue };
        // As written: two codes that were made one, such as `aam` and `aas`, are told apart by nothing else.
        if let Some(n) = packs.iter().position(|other| other.language == pack.language) {
            let message = format!("`{key}` is another spelling of `{}`, which is already listed", keys[n]);
            found.refuse(codes::PACK_LANGUAGE, &locales.at().at(key), message);
        }
        packs.push(pack);
        keys.push(key);
    }
    packs
}

/// The language a pack is listed under: a tag, and not English itself. Tags are compared without case, and `_` is `-`
/// (B02), so another spelling than `^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$` is the publisher's to mend and costs no reader
/// the ruleset.
fn read_language(key: &str, at: &Pointer, found: &mut Findings) -> Option<Language> {
    // `eng` is an alias of `en`, so the canonical spelling decides.
    let is_nearly_a_tag = || is_tag(key) || is_tag(&key.to_ascii_lowercase().replace('_', "-"));
    let language = key.parse::<Language>().ok().filter(|_| is_nearly_a_tag());
    let Some(language) = language else {
        found.refuse(
            codes::PACK_LANGUAGE,
            at,
            format!("`{}` is not a language code that can be used in a file name", excerpt(key)),
        );
        return None;
    };
    if language == Language::english() {
        found.refuse(codes::T10, at, "a language pack for English, which is the language of the ruleset itself");
        return None;
    }
    if language.is_english() {
        let message = format!("`{key}` is a variant of English, so this pack is never used");
        found.note_as(Severity::Warning, codes::PACK_LANGUAGE, at, message);
    }
    if !is_tag(key) {
        found.note(codes::PACK_LANGUAGE, at, format!("`{key}` should be written as `{language}`"));
    }
    Some(language)
}

/// Why no entry can list a pack under this code of a language, in so far as it is one.
pub fn unlistable_language(code: &str) -> Option<Problem> {
    let mut found = Findings::default();
    if code.parse::<Language>().is_ok() {
        read_language(code, &Pointer::root(), &mut found);
    }
    let (reasons, notes) = found.complete(None);
    reasons.into_iter().chain(notes).find(|problem| problem.severity == Severity::Error)
}

fn read_pack(
    pack: &Object<'_>,
    key: &str,
    language: Option<Language>,
    beside: &Beside,
    found: &mut Findings,
) -> Option<PackOffer> {
    let address = |raw: &RawValue| {
        let text = serde_json::from_str::<&str>(raw.get()).ok();
        text.and_then(|text| beside.address(text)).map_or_else(|| parsed(raw), Ok)
    };
    let url: Option<HttpsUrl> = pack.required("url", codes::PACK_URL, address, &mut found.reasons);
    if let Some(url) = &url {
        judge_url(url, pack.at(), key, beside, found);
    }
    note_blob(pack.at(), url.as_ref(), found);
    let expected = read_expected(pack, [codes::PACK_SHA256, codes::PACK_BYTES], MAX_PACK, found);
    if let Some(size) = expected.map(|expected| expected.bytes).filter(|size| is_close_to_the_limit(*size)) {
        let message = format!("{} bytes are close to the limit", size.0);
        found.note_as(Severity::Warning, codes::PACK_BYTES, &pack.at().at("bytes"), message);
    }
    let name = pack.required("name", codes::PACK_CARD, text(1, 120), &mut found.reasons).map(Cow::into_owned);
    let description =
        pack.required("description", codes::PACK_CARD, text(0, 2000), &mut found.reasons).map(Cow::into_owned);
    pack.report_strangers(&["url", "sha256", "bytes", "name", "description"], &mut found.notes);
    let file = FileOffer { url: url?, expected: expected? };
    Some(PackOffer { language: language?, file, name: name?, description: description? })
}

/// Eight million bytes are what a stricter reader of "8 MB" takes.
fn is_close_to_the_limit(pack: ByteSize) -> bool {
    pack.0 >= 8_000_000
}

/// What the addresses of an entry's packs are held against.
struct Beside<'a> {
    artifact: Option<&'a HttpsUrl>,
    /// The artifact's folder, where its text alone tells.
    folder: Option<&'a str>,
    /// `<id>-<version>`. What could not be read is not held against the address.
    stem: Option<String>,
}

impl<'a> Beside<'a> {
    fn of(draft: &Draft, artifact: Option<&'a HttpsUrl>) -> Self {
        let stem = draft.id.as_ref().zip(draft.version.as_ref()).map(|(id, version)| format!("{id}-{version}"));
        Beside { artifact, folder: artifact.and_then(HttpsUrl::plain_folder), stem }
    }

    /// An address in the artifact's folder, which needs no taking apart.
    fn address(&self, text: &str) -> Option<HttpsUrl> {
        HttpsUrl::in_plain_folder(self.folder?, text)
    }

    /// Whether the text of an address says that it is the pack listed under this key.
    fn is_plainly(&self, url: &HttpsUrl, key: &str) -> bool {
        let (Some(folder), Some(stem)) = (self.folder, &self.stem) else { return false };
        let rest = url.as_str().strip_prefix(folder).and_then(|name| name.strip_prefix(stem.as_str()));
        rest.and_then(|rest| rest.strip_prefix('.')?.strip_prefix(key)) == Some(".json")
    }
}

/// A pack lies beside its artifact and is named for the package, its version and the language, in the very spelling it
/// is listed under (docs/spec/decisions.md#q24).
fn judge_url(url: &HttpsUrl, pack: &Pointer, key: &str, beside: &Beside, found: &mut Findings) {
    if beside.is_plainly(url, key) {
        return;
    }
    let at = pack.at("url");
    let parts = url.url();
    if parts.query().is_some() || parts.fragment().is_some() {
        found.refuse(codes::PACK_URL, &at, format!("{url} has a query or a fragment"));
    }
    if let Some(artifact) = beside.artifact.filter(|artifact| artifact.folder() != url.folder()) {
        found.refuse(codes::PACK_URL, &at, format!("{url} is not in the artifact's folder {}", artifact.folder()));
    }
    let wanted = beside.stem.as_ref().map(|stem| format!("{stem}.{key}.json"));
    if let Some(wanted) = wanted.filter(|wanted| url.file_name() != *wanted) {
        found.refuse(codes::PACK_URL, &at, format!("{url} is not named `{}`", excerpt(&wanted)));
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{self, notes, reasons};
    use super::super::{Reading, read_entry};
    use serde_json::{Value, json};

    fn of_pack(edit: impl FnOnce(&mut Value)) -> Vec<String> {
        reasons(|entry| edit(&mut entry["locales"]["ru"]))
    }

    /// The ordinary pack listed under other keys.
    fn listed_under(keys: &[&str]) -> Vec<String> {
        reasons(|entry| {
            let pack = entry["locales"]["ru"].clone();
            entry["locales"] = json!({});
            for key in keys {
                entry["locales"][key] = pack.clone();
                entry["locales"][key]["url"] = format!("https://example.org/files/ember-roads-1.0.0.{key}.json").into();
            }
        })
    }

    fn named(address: &str) -> Vec<String> {
        of_pack(|pack| pack["url"] = address.into())
    }

    #[test]
    fn the_ordinary_entry_passes_without_a_note() {
        assert_eq!(reasons(|_| ()), [""; 0]);
        assert_eq!(notes(|_| ()), [""; 0]);
        assert_eq!(reasons(|entry| drop(entry.as_object_mut().unwrap().remove("locales"))), [""; 0]);
    }

    #[test]
    fn of_one_language_under_two_codes_both_are_told_as_they_are_written() {
        for (first, second) in [("aam", "aas"), ("pt-BR", "pt-br"), ("zh-TW", "zh_TW")] {
            let entry = sample::entry(|entry| {
                let pack = entry["locales"]["ru"].clone();
                entry["locales"] = json!({first: pack.clone(), second: pack});
            });
            let Reading::Unusable { reasons, .. } = read_entry(&entry.to_string()) else { panic!("{first}, {second}") };
            let told = reasons.iter().find(|reason| reason.message.contains("another spelling"));
            let told = told.map(|reason| reason.message.as_str());
            let wanted = format!("`{second}` is another spelling of `{first}`, which is already listed");
            assert_eq!(told, Some(wanted.as_str()), "{reasons:?}");
        }
    }

    #[test]
    fn an_artifact_has_an_https_address_a_digest_and_a_size() {
        let of_artifact = |key: &str, value: Value| reasons(|entry| entry["artifact"][key] = value);
        let without_packs = |url: &str| {
            reasons(|entry| {
                entry.as_object_mut().unwrap().remove("locales");
                entry["artifact"]["url"] = url.into();
            })
        };
        for url in ["http://example.org/x.zip", "x.zip", "file:///x.zip", ""] {
            assert_eq!(without_packs(url), ["artifact-url /artifact/url"], "{url}");
        }
        assert_eq!(without_packs("https://elsewhere.example/any?name=x"), [""; 0]);
        assert_eq!(of_artifact("sha256", json!("00")), ["artifact-sha256 /artifact/sha256"]);
        for bytes in [json!(0), json!(104_857_601), json!(1.5), json!("1"), Value::Null] {
            assert_eq!(of_artifact("bytes", bytes.clone()), ["artifact-bytes /artifact/bytes"], "{bytes}");
        }
        for bytes in [json!(1), json!(104_857_600), json!(3.0)] {
            assert_eq!(of_artifact("bytes", bytes.clone()), [""; 0], "{bytes}");
        }
        assert_eq!(reasons(|entry| entry["artifact"] = json!([])), ["artifact-shape /artifact"]);
    }

    #[test]
    fn t08_packs_need_the_api_that_brought_them() {
        let declared = |minor: u32| reasons(|entry| entry["manifest"]["capabilityApi"]["minor"] = minor.into());
        assert_eq!(declared(810), ["T08 /locales"]);
        assert_eq!(declared(82), ["T08 /locales"]);
        assert_eq!(declared(811), [""; 0]);
    }

    #[test]
    fn t10_at_most_forty_packs() {
        let keys: Vec<String> =
            (b'b'..=b'c').flat_map(|a| (b'a'..=b'z').map(move |b| format!("{}{}q", a as char, b as char))).collect();
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        assert_eq!(listed_under(&keys[..41]), ["T10 /locales"]);
        assert_eq!(listed_under(&keys[..40]), [""; 0]);
    }

    #[test]
    fn t10_no_pack_is_english_itself() {
        assert_eq!(listed_under(&["en"]), ["T10 /locales/en"]);
        assert_eq!(listed_under(&["EN"]), ["T10 /locales/EN"]);
        assert_eq!(listed_under(&["eng"]), ["T10 /locales/eng"]);
        assert_eq!(listed_under(&["en-GB"]), [""; 0]);
    }

    #[test]
    fn a_pack_is_listed_under_the_code_of_a_language() {
        for wrong in ["r", "russ", "pt-", "pt-b", "pt_", "pt-BR-", "C", "und", "ru.UTF-8", "ru@latin", "con", ""] {
            assert_eq!(listed_under(&[wrong]), [format!("pack-language /locales/{wrong}")], "{wrong}");
        }
        for right in ["ru", "pt-BR", "zh-Hans", "zh-hans", "fil", "no"] {
            assert_eq!(listed_under(&[right]), [""; 0], "{right}");
        }
    }

    #[test]
    fn an_odd_spelling_is_told_to_the_publisher_and_costs_nothing() {
        for odd in ["RU", "PT-BR", "pt_BR"] {
            assert_eq!(listed_under(&[odd]), [""; 0], "{odd}");
            let told = notes(|entry| {
                let mut pack = entry["locales"]["ru"].take();
                pack["url"] = format!("https://example.org/files/ember-roads-1.0.0.{odd}.json").into();
                entry["locales"] = json!({ odd: pack });
            });
            assert_eq!(told, [format!("pack-language /locales/{odd}")], "{odd}");
        }
    }

    #[test]
    fn no_language_is_listed_twice_in_two_spellings() {
        assert_eq!(listed_under(&["no", "nb"]), ["pack-language /locales/no"]);
        assert_eq!(listed_under(&["pt-BR", "pt-br"]), ["pack-language /locales/pt-br"]);
        assert_eq!(listed_under(&["pt", "pt-BR", "pt-PT"]), [""; 0]);
    }

    #[test]
    fn a_pack_has_at_most_eight_mebibytes() {
        let sized = |bytes: u64| of_pack(|pack| pack["bytes"] = bytes.into());
        assert_eq!(sized(0), ["pack-bytes /locales/ru/bytes"]);
        assert_eq!(sized(8_388_609), ["pack-bytes /locales/ru/bytes"]);
        assert_eq!(sized(8_388_608), [""; 0]);
        assert_eq!(notes(|entry| entry["locales"]["ru"]["bytes"] = 8_000_000.into()), ["pack-bytes /locales/ru/bytes"]);
        assert_eq!(notes(|entry| entry["locales"]["ru"]["bytes"] = 7_999_999.into()), [""; 0]);
    }

    #[test]
    fn a_pack_lies_beside_its_artifact() {
        for wrong in [
            "http://example.org/files/ember-roads-1.0.0.ru.json",
            "https://other.example/files/ember-roads-1.0.0.ru.json",
            "https://example.org:8443/files/ember-roads-1.0.0.ru.json",
            "https://example.org/files/deeper/ember-roads-1.0.0.ru.json",
            "https://example.org/ember-roads-1.0.0.ru.json",
            "https://example.org/files/../ember-roads-1.0.0.ru.json",
            "ember-roads-1.0.0.ru.json",
        ] {
            assert_eq!(named(wrong), ["pack-url /locales/ru/url"], "{wrong}");
        }
        assert_eq!(named("https://EXAMPLE.org:443/x/../files/ember-roads-1.0.0.ru.json"), [""; 0]);
    }

    #[test]
    fn a_pack_is_named_for_package_version_and_language() {
        for wrong in [
            "ember-roads-1.0.0.RU.json",
            "ember-roads-1.0.1.ru.json",
            "other-1.0.0.ru.json",
            "ember-roads-1.0.0.ru.JSON",
            "ember-roads-1.0.0.ru.json?x=1",
            "ember-roads-1.0.0.ru.json#x",
            "ember-roads-1.0.0.ru.json/",
        ] {
            let told = named(&format!("https://example.org/files/{wrong}"));
            assert!(
                !told.is_empty() && told.iter().all(|reason| reason == "pack-url /locales/ru/url"),
                "{wrong} {told:?}"
            );
        }
        assert_eq!(named("https://example.org/files/ember%2Droads-1.0.0.r%75.json"), [""; 0]);
    }

    #[test]
    fn a_pack_has_a_card() {
        let card = |key: &str, value: Value| of_pack(|pack| pack[key] = value);
        assert_eq!(of_pack(|pack| drop(pack.as_object_mut().unwrap().remove("name"))), ["pack-card /locales/ru"]);
        assert_eq!(card("name", json!("")), ["pack-card /locales/ru/name"]);
        assert_eq!(card("name", json!("я".repeat(121))), ["pack-card /locales/ru/name"]);
        assert_eq!(card("name", json!("я".repeat(120))), [""; 0]);
        assert_eq!(card("description", Value::Null), ["pack-card /locales/ru/description"]);
        assert_eq!(card("description", json!("я".repeat(2001))), ["pack-card /locales/ru/description"]);
        assert_eq!(card("description", json!("")), [""; 0]);
    }

    #[test]
    fn every_pack_has_a_digest_and_is_an_object() {
        assert_eq!(of_pack(|pack| pack["sha256"] = json!("A".repeat(64))), ["pack-sha256 /locales/ru/sha256"]);
        assert_eq!(reasons(|entry| entry["locales"]["ru"] = json!("x")), ["pack-shape /locales/ru"]);
        assert_eq!(reasons(|entry| entry["locales"] = Value::Null), ["locales-shape /locales"]);
    }

    #[test]
    fn what_is_odd_but_harmless_is_noted() {
        assert_eq!(notes(|entry| entry["locales"]["ru"]["rtl"] = json!(false)), ["unknown-key /locales/ru/rtl"]);
        assert_eq!(notes(|entry| entry["artifact"]["mirror"] = json!("x")), ["unknown-key /artifact/mirror"]);
        let blob = notes(|entry| {
            entry.as_object_mut().unwrap().remove("locales");
            entry["artifact"]["url"] = "https://github.com/o/r/blob/main/x.zip".into();
        });
        assert_eq!(blob, ["blob-url /artifact/url"]);
    }
}
