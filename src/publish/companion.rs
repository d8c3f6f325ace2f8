use super::artifact;
use super::folder::Folder;
use super::kind::{Kind, kind_of};
use super::known::Known;
use super::read;
use crate::json::document;
use crate::types::{Api, Cancel, Code, Failure, Problem};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// A ruleset with its catalog files that other files are held against, itself not looked into.
#[derive(Debug)]
pub(super) struct Companion {
    pub ruleset: Vec<u8>,
    pub catalogs: BTreeMap<String, Vec<u8>>,
    pub api: Option<Api>,
}

impl Companion {
    /// Reads the ruleset at `path`: a `ruleset.json`, the folder of a package, or an artifact.
    pub fn read(path: &Path, cancel: &Cancel) -> Result<Self, Failure> {
        let no_ruleset = |why: &str| {
            let message = format!("`{}` holds no ruleset that can be used: {why}", path.display());
            Failure::new(Code::NotARuleset, message).hint("name a ruleset.json, the folder of a package or an artifact")
        };
        let first = |problems: &[Problem]| problems.first().map(Problem::reason).unwrap_or_default();
        if path.is_dir() {
            let folder = Folder::read(path)?.ok_or_else(|| no_ruleset("no ruleset.json lies there"))?;
            let api = folder.api();
            let ruleset = folder.ruleset.ok_or_else(|| no_ruleset("no ruleset.json lies there"))?;
            return Ok(Companion::new(ruleset, folder.catalogs, api));
        }
        let bytes = read::named_text(path, cancel)?;
        match kind_of(path, &bytes) {
            Ok(Kind::Ruleset) => Companion::of_ruleset(path, bytes),
            Ok(Kind::Zip | Kind::Bundle) => {
                let file = read::open(path)?;
                let opened = artifact::open(file, &path.display().to_string(), cancel)?;
                let held = opened.held.ok_or_else(|| no_ruleset(&first(&opened.problems)))?;
                Ok(Companion::new(held.ruleset, held.catalogs, held.manifest.api))
            }
            Ok(_) => Err(no_ruleset("it is another file")),
            Err(problem) => Err(no_ruleset(&problem.message)),
        }
    }

    /// A lone `ruleset.json` with those of its catalog files that lie beside it.
    pub fn of_ruleset(path: &Path, ruleset: Vec<u8>) -> Result<Self, Failure> {
        let catalogs = catalogs_beside(path, &ruleset)?;
        Ok(Companion::new(ruleset, catalogs, None))
    }

    fn new(ruleset: Vec<u8>, catalogs: BTreeMap<String, Vec<u8>>, api: Option<Api>) -> Self {
        Companion { ruleset, catalogs, api }
    }

    /// The catalog files it names and does not have. Their texts are not among what there is to translate.
    pub fn lacks(&self) -> Vec<String> {
        let mut lacks = assets(&self.ruleset);
        lacks.retain(|asset| self.catalogs.get(asset).is_none_or(|text| document(text, "").is_err()));
        lacks
    }

    /// What there is to translate.
    pub fn known(&self) -> Known {
        let read = |text: &[u8]| document(text, "").ok();
        let files: Vec<(String, Value)> =
            self.catalogs.iter().filter_map(|(path, text)| Some((path.clone(), read(text)?))).collect();
        read(&self.ruleset).map(|ruleset| Known::of(&ruleset, &files)).unwrap_or_default()
    }
}

/// The catalog files that a ruleset names and that lie beside it, by path.
fn catalogs_beside(path: &Path, ruleset: &[u8]) -> Result<BTreeMap<String, Vec<u8>>, Failure> {
    let folder = path.parent().unwrap_or(Path::new("")).join("catalogs");
    let mut catalogs = BTreeMap::new();
    let assets = assets(ruleset);
    for name in read::json_files(&folder)? {
        let asset = format!("catalogs/{name}");
        if assets.contains(&asset) {
            catalogs.insert(asset, read::text(&folder.join(name))?);
        }
    }
    Ok(catalogs)
}

fn assets(ruleset: &[u8]) -> Vec<String> {
    let ruleset = document(ruleset, "").unwrap_or_default();
    let catalogs = ruleset["catalogs"].as_array().into_iter().flatten();
    catalogs.filter_map(|catalog| catalog["asset"].as_str().map(str::to_owned)).collect()
}
