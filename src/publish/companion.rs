use super::artifact;
use super::catalogs::{Catalogs, assets};
use super::folder::Folder;
use super::kind::{Kind, kind_of};
use super::known::Known;
use super::read;
use super::unread::AllUnread;
use crate::json::document;
use crate::types::{Api, Cancel, Code, Failure, OpenFolder, Problem, codes};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// A ruleset with its catalog files that other files are held against, itself not looked into.
#[derive(Debug)]
pub(super) struct Companion {
    pub ruleset: Vec<u8>,
    pub catalogs: BTreeMap<String, Vec<u8>>,
    pub api: Option<Api>,
    /// The catalog files that are not read.
    pub unread: AllUnread,
}

impl Companion {
    /// Reads the ruleset at `path`: a `ruleset.json`, the folder of a package, or an artifact.
    pub fn read(path: &Path, cancel: &Cancel) -> Result<Self, Failure> {
        if path.is_dir() {
            return Companion::of_folder(read::folder(path)?);
        }
        let bytes = read::named_text(path, cancel)?;
        match kind_of(path, &bytes) {
            Ok(Kind::Ruleset) => {
                let companion = Companion::of_ruleset(path, bytes)?;
                companion.unread.refuse_links()?;
                Ok(companion)
            }
            Ok(Kind::Zip | Kind::Bundle) => {
                let file = read::open(path)?;
                let opened = artifact::open(file, &path.display().to_string(), cancel)?;
                let held = opened.held.ok_or_else(|| {
                    no_ruleset(path, &opened.problems.first().map(Problem::reason).unwrap_or_default())
                })?;
                Ok(Companion {
                    ruleset: held.ruleset,
                    catalogs: held.catalogs,
                    api: held.manifest.api,
                    unread: AllUnread::default(),
                })
            }
            Ok(_) => Err(no_ruleset(path, "it is another file")),
            Err(problem) => Err(no_ruleset(path, &problem.message)),
        }
    }

    /// The ruleset of a package folder.
    pub fn of_folder(root: OpenFolder) -> Result<Self, Failure> {
        let path = root.path().to_owned();
        let folder = Folder::read(root)?;
        folder.as_ref().map_or(Ok(()), Folder::refuse_unread)?;
        let api = folder.as_ref().and_then(Folder::api);
        match folder.and_then(|folder| Some((folder.ruleset?, folder.catalogs))) {
            Some((ruleset, catalogs)) => Ok(Companion { ruleset, catalogs, api, unread: AllUnread::default() }),
            None => Err(no_ruleset(&path, "no ruleset.json lies there")),
        }
    }

    /// A lone `ruleset.json` with those of its catalog files that lie beside it.
    pub fn of_ruleset(path: &Path, ruleset: Vec<u8>) -> Result<Self, Failure> {
        // Stdin lies nowhere, and nothing beside it.
        let beside = match read::folder_of(path) {
            Err(failure) if failure.code == Code::FileNotFound => Catalogs::default(),
            folder => Catalogs::named(&folder?, &ruleset)?,
        };
        beside.unread.refuse_others()?;
        Ok(Companion { ruleset, catalogs: beside.files, api: None, unread: beside.unread })
    }

    /// The catalog files it names and does not have. Their texts are not among what there is to translate.
    pub fn lacks(&self) -> Vec<String> {
        let mut lacks = assets(&self.ruleset);
        lacks.retain(|asset| self.catalogs.get(asset).is_none_or(|text| document(text, codes::CATALOG_JSON).is_err()));
        lacks
    }

    /// What there is to translate.
    pub fn known(&self) -> Known {
        let read = |text: &[u8]| document(text, codes::RULESET_JSON).ok();
        let files: Vec<(String, Value)> =
            self.catalogs.iter().filter_map(|(path, text)| Some((path.clone(), read(text)?))).collect();
        read(&self.ruleset).map(|ruleset| Known::of(&ruleset, &files)).unwrap_or_default()
    }
}

fn no_ruleset(path: &Path, why: &str) -> Failure {
    let message = format!("`{}` holds no ruleset that can be used: {why}", path.display());
    Failure::new(Code::NotARuleset, message).hint("name a ruleset.json, the folder of a package or an artifact")
}
