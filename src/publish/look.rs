//! One path of `check`: telling what it is, finding what belongs to it, looking into it.

use super::artifact::{self, Opened, look_inside};
use super::companion::Companion;
use super::folder::Folder;
use super::inspect::{Documents, Inspection, inspect};
use super::kind::{Kind, kind_of};
use super::known::Known;
use super::minimum_api::MinimumApi;
use super::packs::{artifacts_beside, judge_pack, language_of};
use super::read::{self, MAX_TEXT, STDIN};
use super::shared::{Locale, Shared, by_language};
use super::unread::below;
use crate::catalog::{MAX_ARTIFACT, RULESET};
use crate::json::{document_and_repeats, locate, repeated_keys};
use crate::package::{Container, Originals};
use crate::ruleset;
use crate::types::{ByteSize, Cancel, Failure, OpenFolder, Pointer, Problem, Severity, Warning, codes, is_stream};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{Cursor, Read, Seek};
use std::path::Path;
use std::sync::Arc;

/// What looking at one path gave.
#[derive(Default)]
pub(super) struct Look {
    /// The path, absolute.
    pub name: String,
    /// What it is, in words.
    pub what: String,
    pub problems: Vec<Problem>,
    pub packages: usize,
    pub files: usize,
    pub minimum_api: Option<MinimumApi>,
    pub warnings: Vec<Warning>,
    /// What it holds, where it is a ruleset that could be opened.
    pub shared: Option<Shared>,
}

impl Look {
    /// What was found, without what it was found in, which may be much and keeps a folder open.
    pub fn without_files(self) -> Self {
        Look { shared: None, ..self }
    }
}

/// What every path is held against.
pub(super) struct Context<'a> {
    /// The ruleset that was named for catalog files and packs.
    pub companion: Option<&'a Companion>,
    /// Its display strings.
    pub originals: Option<Originals<'a>>,
    /// The ruleset published before.
    pub before: Option<Value>,
    pub cancel: &'a Cancel,
}

impl Context<'_> {
    /// Looks at one path as an argument has it.
    pub fn look_at(&self, path: &Path) -> Result<Look, Failure> {
        self.cancel.stop_if_asked()?;
        let look = self.look(path)?;
        self.cancel.stop_if_asked()?;
        Ok(look)
    }

    fn look(&self, path: &Path) -> Result<Look, Failure> {
        if path == Path::new("-") {
            let bytes = read::stdin(MAX_ARTIFACT.0 + 1, self.cancel)?;
            return self.look_at_bytes(Path::new(STDIN), STDIN.to_owned(), bytes);
        }
        let path = &std::path::absolute(path).map_err(|error| read::failure(path, &error))?;
        let name = path.display().to_string();
        if path.is_dir() {
            return self.folder(read::folder(path)?);
        }
        // A stream cannot be read twice, so what may be an artifact is read whole.
        let is_stream = is_stream(path);
        let most = if is_stream { MAX_ARTIFACT.0 } else { MAX_TEXT };
        let bytes = read::named(path, most + 1, self.cancel)?;
        // What is too long to be a text is not read whole.
        if !is_stream
            && bytes.len() as u64 > MAX_TEXT
            && let Ok(Kind::Zip | Kind::Bundle) = kind_of(path, &bytes)
        {
            drop(bytes);
            return self.artifact(read::open(path)?, name);
        }
        self.look_at_bytes(path, name, bytes)
    }

    fn look_at_bytes(&self, path: &Path, name: String, bytes: Vec<u8>) -> Result<Look, Failure> {
        let one_file = |problems: Vec<Problem>, what: &str| {
            let problems = problems.into_iter().map(|problem| in_file(&name, problem)).collect();
            Look { name: name.clone(), what: what.to_owned(), problems, files: 1, ..Look::default() }
        };
        let kind = match kind_of(path, &bytes) {
            Ok(kind) => kind,
            Err(problem) => {
                let mut problems = vec![*problem];
                locate(&bytes, &mut problems);
                return Ok(one_file(problems, "unknown"));
            }
        };
        let is_artifact = matches!(kind, Kind::Zip | Kind::Bundle);
        if !is_artifact && kind != Kind::Pack && bytes.len() as u64 > MAX_TEXT {
            return Ok(one_file(vec![too_long(kind)], "too large"));
        }
        Ok(match kind {
            Kind::Zip | Kind::Bundle => self.artifact(Cursor::new(bytes), name)?,
            Kind::Ruleset => self.ruleset(path, name, bytes)?,
            Kind::CatalogFile => self.catalog_file(path, name, &bytes)?,
            Kind::Pack => {
                let companion = self.beside(path, "locales")?;
                let known = companion.as_ref().map(Companion::known);
                let beside = known.as_ref().and_then(Known::originals);
                let originals = self.originals.as_ref().or(beside.as_ref());
                let language = language_of(path, &bytes);
                let problems = judge_pack(&bytes, &language, originals);
                let what = match originals {
                    Some(_) => format!("language pack for {language}, held against its ruleset"),
                    None => format!("language pack for {language}"),
                };
                let mut look = one_file(problems, &what);
                if originals.is_none() {
                    look.warnings.push(without_ruleset(&look.name));
                }
                let lacks = self.companion.or(companion.as_ref()).map(Companion::lacks).unwrap_or_default();
                look.warnings.extend(lacks.iter().map(|asset| {
                    let message = format!("`{}` was checked without the strings of `{asset}`", look.name);
                    Warning::new(codes::CATALOG_LEFT_OUT, format!("{message}, which does not lie with its ruleset"))
                }));
                look
            }
            Kind::Manifest => {
                let mut problems = artifact::judge_manifest(&bytes);
                problems.extend(repeated_keys(&bytes));
                locate(&bytes, &mut problems);
                one_file(problems, "manifest")
            }
        })
    }

    /// Looks at a package folder.
    pub fn folder(&self, root: OpenFolder) -> Result<Look, Failure> {
        self.cancel.stop_if_asked()?;
        let path = std::path::absolute(root.path()).map_err(|error| read::failure(root.path(), &error))?;
        let name = path.display().to_string();
        let is_catalog = read::is_there(&root, "catalog.json")?;
        let Some(folder) = Folder::read(root)? else {
            let message = "this folder is no package: neither a ruleset.json nor a manifest.json lies in it";
            let hint = match is_catalog {
                true => "`rulepack catalog verify` checks the folder of a catalog",
                false => "name the folder of a package, or the files themselves",
            };
            let problem = Problem::new(codes::UNKNOWN_FILE, &Pointer::root(), message).hint(hint);
            let problems = vec![Problem { pointer: None, file: Some(name.clone()), ..problem }];
            return Ok(Look { name, what: "folder".to_owned(), problems, ..Look::default() });
        };
        let (mut problems, documents) = folder.check(self.cancel);
        self.cancel.stop_if_asked()?;
        problems.extend(folder.ruleset.iter().flat_map(|ruleset| self.hold_against_before(ruleset, &documents)));
        let id = folder.declared.as_ref().map(|manifest| manifest.id.to_string());
        for problem in &mut problems {
            let file = problem.file.as_deref().map(|inner| below(&path, inner).display().to_string());
            problem.file = Some(file.unwrap_or_else(|| name.clone()));
            problem.package = problem.package.take().or_else(|| id.clone());
        }
        let minimum_api = match (&folder.manifest, &folder.ruleset) {
            (None, Some(ruleset)) => lone(&path.join("ruleset.json"), ruleset, &folder.catalogs, &documents),
            _ => None,
        };
        let what = format!(
            "package folder: {}{}{}",
            if folder.manifest.is_some() { "manifest, ruleset" } else { "ruleset" },
            several(folder.catalogs.len(), "catalog file"),
            several(folder.locales.len(), "language pack")
        );
        let files = folder.files();
        // What has links is told of, and taken for nothing else.
        let is_whole = folder.refuse_links().is_ok();
        let Folder { root, manifest, ruleset, catalogs, locales, .. } = folder;
        let root = Arc::new(root);
        let locales = by_language(locales.into_iter().map(|inner| (inner.clone(), Locale::In(root.clone(), inner))));
        let shared = ruleset.filter(|_| is_whole);
        let shared = shared.map(|ruleset| Shared { manifest, ruleset, catalogs, documents, locales });
        Ok(Look { name, what, problems, packages: 1, files, minimum_api, shared, ..Look::default() })
    }

    fn artifact<R: Read + Seek>(&self, from: R, name: String) -> Result<Look, Failure> {
        let Opened { mut problems, held } = artifact::open(from, &name, self.cancel)?;
        let mut documents = Documents::default();
        let what = match &held {
            None => "artifact".to_owned(),
            Some(held) => {
                let inside = look_inside(held, &name, self.cancel);
                problems.extend(inside.problems);
                documents = inside.documents;
                problems
                    .extend(self.hold_against_before(&held.ruleset, &documents).into_iter().map(|p| p.inside(&name)));
                let id = held.manifest.id.to_string();
                for problem in problems.iter_mut() {
                    problem.package.get_or_insert_with(|| id.clone());
                }
                let container = if held.container == Container::Zip { "zip" } else { "bundle" };
                let catalogs = several(held.catalogs.len(), "catalog file");
                format!("{container} of {} {}: ruleset{catalogs}", held.manifest.id, held.manifest.version)
            }
        };
        let shared = held.map(|held| Shared {
            manifest: Some(held.manifest.raw.get().as_bytes().to_vec()),
            ruleset: held.ruleset,
            catalogs: held.catalogs,
            documents,
            locales: by_language(held.locales.into_iter().map(|(path, bytes)| (path.to_string(), Locale::Read(bytes)))),
        });
        let problems = problems.into_vec();
        Ok(Look { name, what, problems, packages: 1, files: 1, shared, ..Look::default() })
    }

    fn ruleset(&self, path: &Path, name: String, bytes: Vec<u8>) -> Result<Look, Failure> {
        let ruleset = Companion::of_ruleset(path, bytes)?;
        let Inspection { mut problems, documents, .. } =
            inspect(&ruleset.ruleset, &ruleset.catalogs, None, self.cancel);
        problems.extend(self.hold_against_before(&ruleset.ruleset, &documents));
        if ruleset.catalogs.is_empty() {
            unpacked(&mut problems);
        }
        ruleset.unread.tell(&mut problems);
        let minimum_api = lone(path, &ruleset.ruleset, &ruleset.catalogs, &documents);
        let folder = path.parent().unwrap_or(Path::new(""));
        for problem in &mut problems {
            problem.file = problem.file.take().map(|file| match file.as_str() {
                "ruleset.json" => name.clone(),
                catalog => below(folder, catalog).display().to_string(),
            });
        }
        let what = format!("ruleset{}", several(ruleset.catalogs.len(), "catalog file"));
        let files = 1 + ruleset.catalogs.len();
        let is_whole = ruleset.unread.refuse_links().is_ok();
        let Companion { ruleset, catalogs, .. } = ruleset;
        let locales = BTreeMap::new();
        let shared = is_whole.then_some(Shared { manifest: None, ruleset, catalogs, documents, locales });
        Ok(Look { name, what, problems, packages: 1, files, minimum_api, shared, ..Look::default() })
    }

    /// A catalog file is made by its ruleset's header, so without one only its JSON can be looked at.
    fn catalog_file(&self, path: &Path, name: String, bytes: &[u8]) -> Result<Look, Failure> {
        let beside = self.beside(path, "catalogs")?;
        let asset = asset_name(path, bytes);
        let mut look = Look { what: "catalog file".to_owned(), files: 1, ..Look::default() };
        let mut problems = match self.companion.or(beside.as_ref()) {
            Some(companion) => {
                look.what += ", held against its ruleset";
                let mut catalogs = companion.catalogs.clone();
                catalogs.insert(asset.clone(), bytes.to_vec());
                inspect(&companion.ruleset, &catalogs, companion.api, self.cancel).problems
            }
            None => {
                look.warnings.push(without_ruleset(&name));
                match document_and_repeats(bytes, codes::CATALOG_JSON) {
                    Ok((_, repeats)) => repeats.into_iter().map(|problem| in_file(&asset, problem)).collect(),
                    Err(problem) => vec![in_file(&asset, *problem)],
                }
            }
        };
        problems.extend(ruleset::oversize(&asset, bytes.len()));
        problems.retain(|problem| problem.file.as_ref() == Some(&asset));
        locate(bytes, &mut problems);
        look.problems = problems.into_iter().map(|problem| in_file(&name, problem)).collect();
        look.name = name;
        Ok(look)
    }

    /// The ruleset that a file belongs to, where none was named: that of the package the file lies in this folder of, or
    /// that of the artifact beside a pack published for it.
    fn beside(&self, path: &Path, folder: &str) -> Result<Option<Companion>, Failure> {
        if self.companion.is_some() {
            return Ok(None);
        }
        let parent = path.parent().filter(|parent| parent.file_name().is_some_and(|name| name == folder));
        if let Some(root) = parent.and_then(Path::parent) {
            let root = read::folder(root)?;
            if read::is_there(&root, RULESET)? {
                return Companion::of_folder(root).map(Some);
            }
        }
        let artifact = artifacts_beside(path).into_iter().find(|artifact| artifact.is_file());
        // An artifact that cannot be used is no fault of the pack.
        Ok(artifact.and_then(|artifact| Companion::read(&artifact, self.cancel).ok()))
    }

    /// M14, where a version published before was named.
    fn hold_against_before(&self, ruleset: &[u8], documents: &Documents) -> Vec<Problem> {
        let both = documents.ruleset.as_ref().zip(self.before.as_ref());
        let mut problems = both.map(|(now, before)| ruleset::against(now, before)).unwrap_or_default();
        locate(ruleset, &mut problems);
        problems
    }
}

/// The path a catalog file has in its package: by its name, where that is one, else by the catalog it says it is.
fn asset_name(path: &Path, bytes: &[u8]) -> String {
    #[derive(serde::Deserialize)]
    struct CatalogFile {
        catalog: String,
    }
    let is_in_place = path.parent().and_then(Path::file_name).is_some_and(|folder| folder == "catalogs");
    let name = path.file_name().and_then(|name| name.to_str()).filter(|_| is_in_place);
    match (name, serde_json::from_slice::<CatalogFile>(bytes)) {
        (Some(name), _) => format!("catalogs/{name}"),
        (None, Ok(CatalogFile { catalog })) => format!("catalogs/{catalog}.json"),
        (None, Err(_)) => "catalogs/file.json".to_owned(),
    }
}

/// A ruleset with none of its catalog files beside it was taken out of its package, or comes from stdin: that they are
/// missing (K4) is no fault of it, but what is in them was not looked at.
fn unpacked(problems: &mut [Problem]) {
    for problem in problems.iter_mut().filter(|problem| problem.code == codes::K4) {
        problem.severity = Severity::Warning;
        problem.message = "this catalog file does not lie beside the ruleset, so it was not checked".to_owned();
        problem.hint = Some("check the whole folder of the package".to_owned());
    }
}

fn lone(
    path: &Path,
    ruleset: &[u8],
    catalogs: &BTreeMap<String, Vec<u8>>,
    documents: &Documents,
) -> Option<MinimumApi> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let name_of = |asset: &str| below(folder, asset).display().to_string();
    MinimumApi::of((&path.display().to_string(), ruleset), catalogs, documents, name_of)
}

fn too_long(kind: Kind) -> Problem {
    let (code, what) = match kind {
        Kind::Manifest => (codes::MANIFEST_SHAPE, "a manifest"),
        _ => (codes::K9, "a file of a ruleset"),
    };
    let message = format!("it has more than {}, which is too much for {what}", ByteSize(MAX_TEXT));
    Problem { pointer: None, ..Problem::new(code, &Pointer::root(), message) }
}

fn without_ruleset(name: &str) -> Warning {
    Warning::new(codes::NO_RULESET, format!("`{name}` was checked without its ruleset: name that with --ruleset"))
}

/// `, 1 catalog file`, `, 3 catalog files`, or nothing for none.
fn several(count: usize, what: &str) -> String {
    match count {
        0 => String::new(),
        1 => format!(", 1 {what}"),
        _ => format!(", {count} {what}s"),
    }
}

fn in_file(file: &str, problem: Problem) -> Problem {
    Problem { file: Some(file.to_owned()), ..problem }
}
