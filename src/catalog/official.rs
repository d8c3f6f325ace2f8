//! The official catalog: where its lanes are, and what holds for the addresses it lists
//! (docs/spec/catalog.md#official-addresses).

use super::entry::{Entry, Reading};
use super::findings::Findings;
use super::offers::PACKS_API;
use crate::types::{HttpsUrl, Pointer, Problem, Version, codes};
use url::Url;

const REPOSITORY: &str = "https://raw.githubusercontent.com/Pasta-Devs/Marinara-Agents";

/// The two branches a catalog is published on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Branch {
    Main,
    Staging,
}

impl Branch {
    fn name(self) -> &'static str {
        match self {
            Branch::Main => "main",
            Branch::Staging => "staging",
        }
    }
}

/// The address of the official catalog for an engine: the lane of its major version, or the one for everybody when the
/// engine is not known or not a release.
pub fn official_catalog(branch: Branch, engine: Option<&Version>) -> String {
    let root = format!("{REPOSITORY}/{}/catalog", branch.name());
    match engine.filter(|engine| engine.is_canonical() && !engine.as_str().contains('-')) {
        Some(release) => format!("{root}/v{}/catalog.json", release.major()),
        None => format!("{root}/catalog.json"),
    }
}

/// The folder that official artifacts and packs lie in, as the published catalog names it.
pub fn official_artifacts() -> String {
    format!("{REPOSITORY}/{}/artifacts", Branch::Main.name())
}

/// The branch an address under an official catalog root is on; nothing for any other address.
pub fn official_root(url: &Url) -> Option<Branch> {
    [Branch::Main, Branch::Staging].into_iter().find(|branch| {
        let below = url.as_str().strip_prefix(&format!("{REPOSITORY}/{}/catalog", branch.name()));
        below.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?', '#']))
    })
}

/// Whether this is the address of a file of the official repository, on whichever branch.
pub fn is_official_file(url: &str) -> bool {
    url.strip_prefix(REPOSITORY).is_some_and(|rest| rest.starts_with('/'))
}

/// The address of an official package's icon, as every published catalog has it.
pub fn official_icon(id: &str) -> String {
    format!("{REPOSITORY}/main/artwork/agent-covers/{id}.png")
}

impl Reading {
    /// What an entry is when the catalog it stands in was published at `catalog`.
    ///
    /// Under an official root an artifact lies where all official ones lie, on `main` or on the catalog's own branch,
    /// else the entry is unusable; the engine refuses the whole catalog then, here each entry stands alone (B01). Read
    /// from `staging`, the artifact and the packs are fetched from `staging`, although their published addresses name
    /// `main`. Any other catalog lists what addresses it likes.
    pub fn published_at(self, catalog: &Url) -> Reading {
        match (self, official_root(catalog)) {
            (Reading::Ruleset(entry), Some(branch)) => judge(*entry, branch),
            (reading, _) => reading,
        }
    }
}

fn judge(mut entry: Entry, branch: Branch) -> Reading {
    let (reasons, notes) = judge_address(&entry, branch);
    entry.notes.extend(notes);
    if !reasons.is_empty() {
        let id = Some(entry.manifest.id.to_string());
        return Reading::Unusable { id, reasons, notes: entry.notes, manifest: Some(Box::new(entry.manifest)) };
    }
    Reading::Ruleset(Box::new(entry.published_on(branch)))
}

/// What is wrong with the artifact's address, were the entry published on this branch.
pub fn official_faults(entry: &Entry, branch: Branch) -> Vec<Problem> {
    let (reasons, notes) = judge_address(entry, branch);
    [reasons, notes].concat()
}

impl Entry {
    /// The same with the addresses that its files have on the branch it was read from.
    pub(crate) fn published_on(mut self, branch: Branch) -> Entry {
        if branch == Branch::Staging {
            self.artifact.url = on_staging(&self.artifact.url);
            for pack in &mut self.packs {
                pack.file.url = on_staging(&pack.file.url);
            }
        }
        self
    }
}

/// The reasons and the notes.
fn judge_address(entry: &Entry, branch: Branch) -> (Vec<Problem>, Vec<Problem>) {
    let mut found = Findings::default();
    let at = Pointer::root().at("artifact").at("url");
    let (id, version) = (&entry.manifest.id, &entry.manifest.version);
    let stem = |branch: Branch| format!("{REPOSITORY}/{}/artifacts/{id}-{version}", branch.name());
    let published = entry.artifact.url.as_str();
    let usual = if entry.manifest.is_ruleset() { ".ruleset.json" } else { ".zip" };
    let ending = [Branch::Main, branch].iter().find_map(|branch| published.strip_prefix(&stem(*branch)));
    match ending {
        Some(ending) if ending == usual => {}
        // Legal as long as any official artifact was one (docs/spec/decisions.md#q3).
        Some(".zip") if entry.manifest.api < Some(PACKS_API) => {}
        Some(".zip") => {
            found.note(
                codes::OFFICIAL_ZIP,
                &at,
                format!("only engines with API {PACKS_API} or newer support `.ruleset.json` artifacts"),
            );
        }
        _ => {
            let wanted = stem(Branch::Main);
            let message = format!("{} is not the official address {wanted}{usual}", entry.artifact.url);
            found.refuse(codes::OFFICIAL_URL, &at, message);
        }
    }
    found.complete(Some(id.as_str()))
}

/// An address as the catalog on a branch means it: published ones always name `main`.
pub fn on_branch(address: &str, branch: Branch) -> String {
    let rest = address.strip_prefix(REPOSITORY).and_then(|rest| rest.strip_prefix("/main/"));
    rest.map_or_else(|| address.to_owned(), |rest| format!("{REPOSITORY}/{}/{rest}", branch.name()))
}

/// The same file on `staging`, if the address names it on `main`.
fn on_staging(url: &HttpsUrl) -> HttpsUrl {
    on_branch(url.as_str(), Branch::Staging).parse().unwrap_or_else(|_| url.clone())
}

#[cfg(test)]
mod tests {
    use super::super::{read_entry, sample};
    use super::*;
    use serde_json::Value;

    const STAGING: &str =
        "https://raw.githubusercontent.com/Pasta-Devs/Marinara-Agents/staging/catalog/v2/catalog.json";
    const MAIN: &str = "https://raw.githubusercontent.com/Pasta-Devs/Marinara-Agents/main/catalog/catalog.json";

    #[test]
    fn each_release_has_the_lane_of_its_major() {
        let address = |engine: Option<&str>| {
            let engine = engine.map(|text| text.parse().unwrap());
            official_catalog(Branch::Main, engine.as_ref()).replace(REPOSITORY, "")
        };
        assert_eq!(address(Some("2.3.4")), "/main/catalog/v2/catalog.json");
        assert_eq!(address(Some("10.0.0")), "/main/catalog/v10/catalog.json");
        for other in [Some("3.0.0-rc.1"), Some("02.0.0"), None] {
            assert_eq!(address(other), "/main/catalog/catalog.json", "{other:?}");
        }
        assert!(official_catalog(Branch::Staging, None).contains("/staging/"));
    }

    #[test]
    fn only_addresses_below_an_official_root_are_official() {
        let root = |text: &str| official_root(&text.parse().unwrap());
        assert_eq!(root(MAIN), Some(Branch::Main));
        assert_eq!(root(STAGING), Some(Branch::Staging));
        assert_eq!(root(&STAGING.replace("https://", "https://RAW.").replace("RAW.raw", "RAW")), Some(Branch::Staging));
        for other in [
            MAIN.replace("https", "http"),
            MAIN.replace("githubusercontent", "example"),
            MAIN.replace("/main/", "/dev/"),
            MAIN.replace("/catalog/", "/catalogs/"),
            MAIN.replace("/main/catalog", "/main/catalog/../elsewhere"),
            MAIN.replace("Pasta-Devs", "Somebody"),
        ] {
            assert_eq!(root(&other), None, "{other}");
        }
    }

    fn official(edit: impl FnOnce(&mut Value)) -> Reading {
        let folder = |branch: &str| format!("{REPOSITORY}/{branch}/artifacts");
        let text = sample::entry(edit).to_string().replace("https://example.org/files", &folder("main"));
        read_entry(&text)
    }

    fn addresses(reading: Reading) -> Vec<String> {
        let Reading::Ruleset(entry) = reading else { panic!("{reading:?}") };
        let packs = entry.packs.iter().map(|pack| &pack.file.url);
        std::iter::once(&entry.artifact.url).chain(packs).map(|url| url.as_str().replace(REPOSITORY, "")).collect()
    }

    #[test]
    fn read_from_staging_everything_is_fetched_from_staging() {
        let read = |catalog: &str| addresses(official(|_| ()).published_at(&catalog.parse().unwrap()));
        assert_eq!(
            read(MAIN),
            ["/main/artifacts/ember-roads-1.0.0.ruleset.json", "/main/artifacts/ember-roads-1.0.0.ru.json"]
        );
        assert!(read(STAGING).iter().all(|url| url.starts_with("/staging/artifacts/ember-roads-1.0.0.")));
        assert!(read("https://example.org/catalog.json").iter().all(|url| url.starts_with("/main/")));
    }

    #[test]
    fn an_official_artifact_lies_at_the_official_address() {
        let published = |address: &str, catalog: &str| {
            let edit = |entry: &mut Value| {
                entry["artifact"]["url"] = format!("{REPOSITORY}/{address}").into();
                entry.as_object_mut().unwrap().remove("locales");
            };
            matches!(official(edit).published_at(&catalog.parse().unwrap()), Reading::Ruleset(_))
        };
        assert!(published("main/artifacts/ember-roads-1.0.0.ruleset.json", MAIN));
        assert!(published("main/artifacts/ember-roads-1.0.0.zip", MAIN));
        assert!(published("main/artifacts/ember-roads-1.0.0.zip", STAGING));
        assert!(published("staging/artifacts/ember-roads-1.0.0.zip", STAGING));
        for wrong in [
            "staging/artifacts/ember-roads-1.0.0.zip",
            "main/artifacts/ember-roads-1.0.1.zip",
            "main/artifacts/other-1.0.0.zip",
            "main/elsewhere/ember-roads-1.0.0.zip",
            "main/artifacts/ember-roads-1.0.0.json",
            "main/artifacts/ember-roads-1.0.0.zip?x",
        ] {
            assert!(!published(wrong, MAIN), "{wrong}");
            assert!(published(wrong, "https://example.org/catalog.json"), "{wrong}");
        }
    }

    #[test]
    fn a_zip_is_remarked_on_where_the_newer_name_is_known() {
        let codes = |minor: u32| {
            let edit = |entry: &mut Value| {
                entry["manifest"]["capabilityApi"]["minor"] = minor.into();
                entry["artifact"]["url"] = format!("{REPOSITORY}/main/artifacts/ember-roads-1.0.0.zip").into();
                entry.as_object_mut().unwrap().remove("locales");
            };
            match official(edit).published_at(&MAIN.parse().unwrap()) {
                Reading::Ruleset(entry) => entry.notes.into_iter().map(|note| note.code).collect::<Vec<_>>(),
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(codes(811), [codes::OFFICIAL_ZIP]);
        assert!(codes(66).is_empty());
    }
}
