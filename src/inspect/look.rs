//! One path of `check`: what lies there, held against what belongs to it.

use super::against::against;
use super::artifact::judge_manifest;
use super::contents::{Purpose, inspect};
use super::kind::DocumentKind;
use super::known::Known;
use super::losses::{SheetLosses, losses};
use super::minimum_api::MinimumApi;
use super::open::{Opened, What, of_folder, open, ruleset_at};
use super::package::{Form, Package};
use super::packs::{artifacts_beside, judge_pack, language_of};
use super::read;
use super::sheets::StoredSheet;
use crate::catalog::RULESET;
use crate::disk::OpenFolder;
use crate::json::{document_and_repeats, locate};
use crate::package::Container;
use crate::ruleset::{self, Originals};
use crate::types::{Cancel, Failure, Problem, Warning, codes};
use std::path::Path;

/// What looking at one path gave.
#[derive(Default)]
pub(crate) struct Look {
    /// The path, absolute.
    pub name: String,
    /// What it is, in words.
    pub what: String,
    pub problems: Vec<Problem>,
    pub packages: usize,
    pub files: usize,
    pub minimum_api: Option<MinimumApi>,
    pub warnings: Vec<Warning>,
    /// What stored sheets lose by it, and why some were left alone.
    pub losses: (Vec<SheetLosses>, Vec<Failure>),
    /// What it holds, where it is a ruleset that could be opened.
    pub package: Option<Package>,
}

impl Look {
    /// What was found, without what it was found in, which may be much and keeps a folder open.
    pub fn without_files(self) -> Self {
        Look { package: None, ..self }
    }
}

/// What every path is held against.
pub(crate) struct Context<'a> {
    /// The ruleset that was named for catalog files and packs.
    pub companion: Option<&'a Package>,
    /// Its display strings.
    pub originals: Option<Originals<'a>>,
    /// The ruleset published before.
    pub before: Option<&'a Package>,
    /// Stored sheets of that.
    pub sheets: &'a [StoredSheet],
    pub purpose: Purpose,
    pub cancel: &'a Cancel,
}

impl<'a> Context<'a> {
    /// Of what is held against nothing.
    pub fn none(purpose: Purpose, cancel: &'a Cancel) -> Self {
        Context { companion: None, originals: None, before: None, sheets: &[], purpose, cancel }
    }

    /// Looks at one path as an argument has it.
    pub fn look_at(&self, path: &Path) -> Result<Look, Failure> {
        self.cancel.stop_if_asked()?;
        self.look_into(open(path, self.cancel)?)
    }

    /// Looks at a folder.
    pub fn look_at_folder(&self, folder: OpenFolder) -> Result<Look, Failure> {
        self.cancel.stop_if_asked()?;
        self.look_into(of_folder(folder)?)
    }

    fn look_into(&self, Opened { path, what, problems }: Opened) -> Result<Look, Failure> {
        let (name, problems) = (path.display().to_string(), problems.into_vec());
        let look = Look { name, problems, files: 1, ..Look::default() };
        let look = match what {
            What::Package(package) => self.package(*package, look)?,
            What::Broken => Look { what: "artifact".to_owned(), packages: 1, ..look },
            What::Other(what) => Look { what: what.to_owned(), files: usize::from(what != "folder"), ..look },
            What::Part(kind, bytes) => self.part(kind, &path, &bytes, look)?,
        };
        self.cancel.stop_if_asked()?;
        Ok(look)
    }

    fn package(&self, package: Package, mut look: Look) -> Result<Look, Failure> {
        let mut found = package.inspect_for(self.purpose, self.cancel).problems;
        if let Some(before) = self.before {
            found.extend(against(&package, before, self.cancel));
            look.losses = losses((&package, before), self.sheets, self.cancel)?;
        }
        look.problems.extend(found.into_iter().map(|problem| package.tell(problem)));
        if self.purpose != Purpose::Import {
            asking_once(&mut look.problems);
        }
        look.minimum_api = package.manifest.is_none().then(|| MinimumApi::of(&package, self.cancel)).flatten();
        look.what = in_words(&package);
        look.packages = 1;
        let [catalogs, packs] = [package.catalogs.len(), package.packs().count()];
        let texts = usize::from(package.manifest.is_some()) + usize::from(package.ruleset.is_some());
        look.files = if let Form::Packed(_) = package.form { 1 } else { texts + catalogs + packs };
        // What is read in part is told of, and taken for nothing else.
        look.package = Some(package).filter(|package| package.ruleset.is_some() && package.refuse_unread().is_ok());
        Ok(look)
    }

    /// A file that belongs to a package.
    fn part(&self, kind: DocumentKind, path: &Path, bytes: &[u8], mut look: Look) -> Result<Look, Failure> {
        let problems = match kind {
            DocumentKind::CatalogFile => self.catalog_file(path, bytes, &mut look)?,
            DocumentKind::Pack => self.pack(path, bytes, &mut look)?,
            _ => {
                look.what = "manifest".to_owned();
                let mut problems = judge_manifest(bytes);
                locate(bytes, &mut problems);
                problems
            }
        };
        look.problems = problems.into_iter().map(|problem| problem.in_file(&look.name)).collect();
        Ok(look)
    }

    fn pack(&self, path: &Path, bytes: &[u8], look: &mut Look) -> Result<Vec<Problem>, Failure> {
        let beside = self.beside(path, "locales")?;
        let known = beside.as_ref().map(|package| package.documents(self.cancel).known());
        let of_beside = known.as_ref().and_then(Known::originals);
        let originals = self.originals.as_ref().or(of_beside.as_ref());
        let language = language_of(path, bytes);
        look.what = format!("language pack for {language}");
        match originals {
            Some(_) => look.what += ", checked against its ruleset",
            None => look.warnings.push(without_ruleset(&look.name)),
        }
        let lacks = self.companion.or(beside.as_ref()).map(|package| package.documents(self.cancel).lacks());
        look.warnings.extend(lacks.into_iter().flatten().map(|asset| {
            let message = format!("`{}` was checked without the strings of `{asset}`", look.name);
            Warning::new(codes::CATALOG_LEFT_OUT, format!("{message}, which is not beside its ruleset"))
        }));
        Ok(judge_pack(bytes, &language, originals))
    }

    /// A catalog file is made by its ruleset's header, so without one only its JSON can be looked at.
    fn catalog_file(&self, path: &Path, bytes: &[u8], look: &mut Look) -> Result<Vec<Problem>, Failure> {
        let beside = self.beside(path, "catalogs")?;
        let asset = asset_name(path, bytes);
        look.what = "catalog file".to_owned();
        let package = self.companion.or(beside.as_ref());
        let mut problems = match package.and_then(|package| Some((package, package.ruleset.as_ref()?))) {
            Some((package, ruleset)) => {
                look.what += ", checked against its ruleset";
                let mut catalogs = package.catalogs.clone();
                catalogs.insert(asset.clone(), bytes.to_vec());
                let mut problems = inspect(ruleset, &catalogs, package.api(), self.cancel).problems;
                problems.retain(|problem| problem.file.as_ref() == Some(&asset));
                problems
            }
            None => {
                look.warnings.push(without_ruleset(&look.name));
                match document_and_repeats(bytes, codes::CATALOG_JSON) {
                    Ok((_, repeats)) => repeats,
                    Err(problem) => vec![*problem],
                }
            }
        };
        problems.extend(ruleset::oversize(&asset, bytes.len()));
        locate(bytes, &mut problems);
        Ok(problems)
    }

    /// The package that a file belongs to, where no ruleset was named: the one the file lies in this folder of, or the
    /// artifact beside a pack published for it.
    fn beside(&self, path: &Path, folder: &str) -> Result<Option<Package>, Failure> {
        if self.companion.is_some() {
            return Ok(None);
        }
        let parent = path.parent().filter(|parent| parent.file_name().is_some_and(|name| name == folder));
        if let Some(root) = parent.and_then(Path::parent)
            && read::is_there(&read::folder(root)?, RULESET)?
        {
            return ruleset_at(root, self.cancel).map(Some);
        }
        let artifact = artifacts_beside(path).into_iter().find(|artifact| artifact.is_file());
        // An artifact that cannot be used is no fault of the pack.
        Ok(artifact.and_then(|artifact| ruleset_at(&artifact, self.cancel).ok()))
    }
}

/// Of findings that the manifest declares too old an API, keeps the one that asks for the newest: declaring that mends
/// all.
fn asking_once(problems: &mut Vec<Problem>) {
    let Some(newest) = problems.iter().filter_map(|problem| problem.needs).max() else { return };
    let mut is_told = false;
    problems.retain(|problem| problem.needs.is_none_or(|api| api == newest && !std::mem::replace(&mut is_told, true)));
}

/// What lies there, for people.
fn in_words(package: &Package) -> String {
    let catalogs = several(package.catalogs.len(), "catalog file");
    match (&package.form, &package.declared) {
        (Form::Folder(_), _) => {
            let texts = if package.manifest.is_some() { "manifest, ruleset" } else { "ruleset" };
            format!("package folder: {texts}{catalogs}{}", several(package.packs().count(), "language pack"))
        }
        (Form::Packed(container), Some(manifest)) => {
            let container = if *container == Container::Zip { "zip" } else { "bundle" };
            format!("{container} of {} {}: ruleset{catalogs}", manifest.id, manifest.version)
        }
        _ => format!("ruleset{catalogs}"),
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

fn without_ruleset(name: &str) -> Warning {
    Warning::new(codes::NO_RULESET, format!("`{name}` was checked without its ruleset; give it with `--ruleset`"))
}

/// `, 1 catalog file`, `, 3 catalog files`, or nothing for none.
fn several(count: usize, what: &str) -> String {
    match count {
        0 => String::new(),
        1 => format!(", 1 {what}"),
        _ => format!(", {count} {what}s"),
    }
}
