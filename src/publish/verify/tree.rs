//! The documents of a catalog: one `catalog.json`, or a whole folder with its lanes, its preview and its notes.

use super::finding;
use crate::fetch::{self, CatalogSource, FetchError, Fetcher, WebAddress};
use crate::types::{Failure, Pointer, Problem, Reporter, codes};
use std::path::{Path, PathBuf};
use url::Url;

const CATALOG: &str = "catalog.json";
const NOTES: &str = "notes.json";
const PREVIEW: &str = "preview";

/// All that is read before any entry is looked at.
#[derive(Debug, Default)]
pub(super) struct Tree {
    /// The folder the names of the documents begin at, and beside which artifacts lie; none of a catalog on the web.
    pub root: Option<PathBuf>,
    pub documents: Vec<Document>,
    pub notes: Vec<Notes>,
    /// About documents that could not be read.
    pub problems: Vec<Problem>,
}

/// One `catalog.json`.
#[derive(Debug)]
pub(super) struct Document {
    /// As findings name it: `catalog.json`, `v2/catalog.json`, `preview/v3/catalog.json`.
    pub name: String,
    pub tier: Tier,
    /// The major engine version whose lane it is; nothing for the one without a lane.
    pub lane: Option<u32>,
    pub text: String,
}

/// Whether packages are for everybody, or only for engines built from the branch `staging`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Tier {
    Published,
    Preview,
}

/// A `notes.json`, and the folder it stands in as a prefix of names.
#[derive(Debug)]
pub(super) struct Notes {
    pub name: String,
    pub text: String,
}

impl Tier {
    /// What the names of its documents begin with.
    pub fn prefix(self) -> &'static str {
        match self {
            Tier::Published => "",
            Tier::Preview => "preview/",
        }
    }
}

impl Tree {
    /// Reads what the source is: an address, a `catalog.json`, or a folder.
    ///
    /// # Errors
    /// When there is no catalog, or it cannot be had. One that is there and is none is a finding.
    pub fn read(source: &CatalogSource, fetcher: &Fetcher, reporter: &dyn Reporter) -> Result<Self, Failure> {
        match source {
            CatalogSource::Web(address) => Tree::asked(address, fetcher, reporter),
            CatalogSource::Local(path) => Tree::found(path),
        }
    }

    fn asked(address: &WebAddress, fetcher: &Fetcher, reporter: &dyn Reporter) -> Result<Self, Failure> {
        let place = Place::of_address(address.url());
        let mut tree = Tree::default();
        match fetcher.read_catalog(reporter, |copy| Ok(copy.body()?.into_owned())) {
            Ok(text) => tree.documents.push(place.document(text)),
            Err(error @ FetchError::Catalog { .. }) => tree.problems.push(unreadable(&place.name(), error)),
            Err(error) => return Err(error.into()),
        }
        Ok(tree)
    }

    fn found(path: &Path) -> Result<Self, Failure> {
        if let Some(folder) = whole(path)? {
            return Tree::of_folder(&folder);
        }
        let path = fetch::catalog_path(path)?;
        let place = Place::on_disk(&path);
        let root = path.ancestors().nth(place.depth()).map(Path::to_owned);
        let mut tree = Tree { root, ..Tree::default() };
        tree.take(&path, &place)?;
        Ok(tree)
    }

    /// A whole catalog, its preview, or one lane.
    fn of_folder(folder: &Path) -> Result<Self, Failure> {
        let place = Place::on_disk(&folder.join(CATALOG));
        let root = folder.ancestors().nth(place.depth() - 1).map(Path::to_owned);
        let mut tree = Tree { root, ..Tree::default() };
        if place.lane.is_some() {
            tree.take_folder(folder, place)?;
            return Ok(tree);
        }
        tree.take_tier(folder, place.tier)?;
        if place.tier == Tier::Published {
            tree.take_tier(&folder.join(PREVIEW), Tier::Preview)?;
        }
        Ok(tree)
    }

    fn take_tier(&mut self, folder: &Path, tier: Tier) -> Result<(), Failure> {
        let mut lanes: Vec<u32> = folders(folder).iter().filter_map(|name| lane(name)).collect();
        lanes.sort_unstable();
        for lane in std::iter::once(None).chain(lanes.into_iter().map(Some)) {
            let folder = lane.map_or_else(|| folder.to_owned(), |lane| folder.join(format!("v{lane}")));
            self.take_folder(&folder, Place::of_catalog(tier, lane))?;
        }
        Ok(())
    }

    /// The catalog and the notes in a folder, as many as there are.
    fn take_folder(&mut self, folder: &Path, place: Place) -> Result<(), Failure> {
        if folder.join(CATALOG).is_file() {
            self.take(&folder.join(CATALOG), &place)?;
        }
        if folder.join(NOTES).is_file() {
            let name = Place { file: NOTES.to_owned(), ..place }.name();
            match fetch::catalog_text(&folder.join(NOTES)) {
                Ok(text) => self.notes.push(Notes { name, text }),
                Err(error @ FetchError::Catalog { .. }) => {
                    self.problems.push(Problem { code: codes::NOTES_SHAPE.to_owned(), ..unreadable(&name, error) });
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    fn take(&mut self, path: &Path, place: &Place) -> Result<(), Failure> {
        match fetch::catalog_text(path) {
            Ok(text) => self.documents.push(place.document(text)),
            Err(error @ FetchError::Catalog { .. }) => self.problems.push(unreadable(&place.name(), error)),
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }
}

fn unreadable(name: &str, error: FetchError) -> Problem {
    use fetch::InvalidCatalog::{ByteOrderMark, Empty, WebPage};
    let is_at_start = matches!(&error, FetchError::Catalog { invalid: ByteOrderMark | Empty | WebPage, .. });
    let start = is_at_start.then_some(1);
    let Failure { message, hint, .. } = error.into();
    let problem = Problem { hint, ..Problem::new(codes::INVALID_CATALOG, &Pointer::root(), message) };
    finding(Problem { line: start, column: start, end_line: start, end_column: start, ..problem }, name, None)
}

/// The root of a whole catalog: a folder with lanes or a preview, or `catalog/` in it.
fn whole(path: &Path) -> Result<Option<PathBuf>, Failure> {
    let path = std::path::absolute(path).map_err(|error| FetchError::Io { path: path.to_owned(), error })?;
    let is_one = |folder: &PathBuf| {
        folder.join(CATALOG).is_file() || folders(folder).iter().any(|name| lane(name).is_some() || name == PREVIEW)
    };
    Ok([path.clone(), path.join("catalog")].into_iter().find(is_one))
}

/// The folders in a folder that hold a catalog, or catalogs in folders of their own.
fn folders(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let named = entries.filter_map(|entry| entry.file_name().into_string().ok());
    named.filter(|name| name == PREVIEW || folder.join(name).join(CATALOG).is_file()).collect()
}

/// `v2` is the lane of engines 2.x.
pub fn lane(folder: &str) -> Option<u32> {
    let number = folder.strip_prefix('v')?;
    number.parse().ok().filter(|lane: &u32| lane.to_string() == number)
}

/// Where a document stands in a whole catalog, as its path tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    tier: Tier,
    pub lane: Option<u32>,
    file: String,
}

impl Place {
    pub fn of_catalog(tier: Tier, lane: Option<u32>) -> Self {
        Place { tier, lane, file: CATALOG.to_owned() }
    }

    pub fn of_notes(tier: Tier, lane: Option<u32>) -> Self {
        Place { tier, lane, file: NOTES.to_owned() }
    }

    pub fn of_address(url: &Url) -> Self {
        Place::of(&url.path_segments().into_iter().flatten().collect::<Vec<_>>())
    }

    /// Whether other files can be told to lie beside it.
    pub fn is_catalog(&self) -> bool {
        self.file == CATALOG
    }

    fn of(parts: &[&str]) -> Self {
        let (file, folders) = parts.split_last().map_or((CATALOG, &[][..]), |(file, folders)| (*file, folders));
        let (lane, folders) = match folders.split_last().and_then(|(last, rest)| Some((lane(last)?, rest))) {
            Some((lane, rest)) => (Some(lane), rest),
            None => (None, folders),
        };
        let tier = if folders.last() == Some(&PREVIEW) { Tier::Preview } else { Tier::Published };
        Place { tier, lane, file: file.to_owned() }
    }

    /// A folder with artifacts of its own is a catalog of its own, whatever its name.
    fn on_disk(catalog: &Path) -> Self {
        let parts: Vec<&str> = catalog.iter().filter_map(|part| part.to_str()).collect();
        let place = Place::of(&parts);
        match catalog.with_file_name("artifacts").is_dir() {
            true => Place { tier: Tier::Published, lane: None, ..place },
            false => place,
        }
    }

    pub fn name(&self) -> String {
        let lane = self.lane.map(|lane| format!("v{lane}/")).unwrap_or_default();
        format!("{}{lane}{}", self.tier.prefix(), self.file)
    }

    /// How many steps it lies below the root, the file's own name included.
    pub fn depth(&self) -> usize {
        1 + usize::from(self.lane.is_some()) + usize::from(self.tier == Tier::Preview)
    }

    pub fn document(&self, text: String) -> Document {
        Document { name: self.name(), tier: self.tier, lane: self.lane, text }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMPTY: &str = r#"{"schemaVersion":1,"generatedAt":"1970-01-01T00:00:00.000Z","packages":[]}"#;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        dir
    }

    fn names(path: &Path) -> Vec<String> {
        let tree = Tree::found(path).unwrap();
        let documents = tree.documents.iter().map(|document| document.name.clone());
        documents.chain(tree.notes.iter().map(|notes| notes.name.clone())).collect()
    }

    #[test]
    fn a_folder_is_read_with_all_its_lanes() {
        let dir = folder(&[
            ("catalog/catalog.json", EMPTY),
            ("catalog/v2/catalog.json", EMPTY),
            ("catalog/v10/catalog.json", EMPTY),
            ("catalog/v10/notes.json", "{}"),
            ("catalog/preview/catalog.json", EMPTY),
            ("catalog/preview/v2/catalog.json", EMPTY),
            ("catalog/notes.json", "{}"),
            ("catalog/v02/catalog.json", EMPTY),
            ("catalog/v3/other.json", EMPTY),
        ]);
        let all = [
            "catalog.json",
            "v2/catalog.json",
            "v10/catalog.json",
            "preview/catalog.json",
            "preview/v2/catalog.json",
            "notes.json",
            "v10/notes.json",
        ];
        assert_eq!(names(dir.path()), all);
        assert_eq!(names(&dir.path().join("catalog")), all);
        assert_eq!(names(&dir.path().join("catalog/preview/v2/catalog.json")), ["preview/v2/catalog.json"]);
        assert_eq!(names(&dir.path().join("catalog/v2/catalog.json")), ["v2/catalog.json"]);
        assert_eq!(names(&dir.path().join("catalog/v10")), ["v10/catalog.json", "v10/notes.json"]);
        assert_eq!(names(&dir.path().join("catalog/preview")), ["preview/catalog.json", "preview/v2/catalog.json"]);
    }

    #[test]
    fn artifacts_lie_beside_the_root_whichever_lane_is_named() {
        let dir = folder(&[("catalog/preview/v2/catalog.json", EMPTY), ("other.json", EMPTY)]);
        let root = |name: &str| Tree::found(&dir.path().join(name)).unwrap().root.unwrap();
        let here = std::path::absolute(dir.path()).unwrap();
        assert_eq!(root("catalog/preview/v2/catalog.json"), here.join("catalog"));
        for folder in ["catalog", "catalog/preview", "catalog/preview/v2"] {
            assert_eq!(root(folder), here.join("catalog"), "{folder}");
        }
        std::fs::create_dir(here.join("catalog/preview/v2/artifacts")).unwrap();
        for source in ["catalog/preview/v2", "catalog/preview/v2/catalog.json"] {
            assert_eq!(root(source), here.join("catalog/preview/v2"), "{source}");
            assert_eq!(names(&here.join(source)), ["catalog.json"], "{source}");
        }
        assert_eq!(root("other.json"), here);
    }

    #[test]
    fn what_is_no_catalog_is_a_finding_and_nothing_at_all_a_failure() {
        let dir = folder(&[("catalog.json", "<html>"), ("v2/catalog.json", EMPTY)]);
        let tree = Tree::found(dir.path()).unwrap();
        assert_eq!(tree.documents.len(), 1);
        assert_eq!(tree.problems[0].file.as_deref(), Some("catalog.json"));
        assert!(tree.problems[0].message.contains("web page"), "{:?}", tree.problems);
        assert_eq!((tree.problems[0].line, tree.problems[0].column), (Some(1), Some(1)));
        assert!(Tree::found(&dir.path().join("nothing")).is_err());
    }
}
