//! What lies at a path that was named.

use super::artifact;
use super::failure::failure;
use super::kind::{DocumentKind, kind_of};
use super::package::Package;
use super::read::{self, MAX_TEXT, STDIN};
use super::root::Root;
use crate::catalog::MAX_ARTIFACT;
use crate::disk::{OpenFolder, is_stream};
use crate::json::locate;
use crate::types::{ByteSize, Cancel, Code, Failure, Pointer, Problem, Problems, codes};
use std::io::{Cursor, Read, Seek};
use std::path::{Path, PathBuf};

/// What lies at a path, opened as far as it can be.
#[derive(Debug)]
pub(crate) struct Opened {
    /// The path, absolute, or [`STDIN`].
    pub path: PathBuf,
    pub what: What,
    /// What is wrong with it before anything in it is looked at, as readers see it.
    pub problems: Problems,
}

#[derive(Debug)]
pub(crate) enum What {
    Package(Box<Package>),
    /// A file that belongs to a package: a catalog file, a language pack or a manifest.
    Part(DocumentKind, Vec<u8>),
    /// An artifact that is not as it declares; the problems say why.
    Broken,
    /// None of these, in words; the problems say what it looks like.
    Other(&'static str),
}

/// Opens what a path leads to; `-` is stdin.
///
/// # Errors
/// When nothing can be read there. What is read and is nothing that could be used is told among the problems.
pub(crate) fn open(path: &Path, cancel: &Cancel) -> Result<Opened, Failure> {
    if path == Path::new("-") {
        return of_bytes(PathBuf::from(STDIN), read::stdin(MAX_ARTIFACT.0 + 1, cancel)?, cancel);
    }
    let path = std::path::absolute(path).map_err(|error| failure(path, &error))?;
    if path.is_dir() {
        return of_folder(read::folder(&path)?);
    }
    // A stream cannot be read twice, so what may be an artifact is read whole.
    let is_stream = is_stream(&path);
    let most = if is_stream { MAX_ARTIFACT.0 } else { MAX_TEXT };
    let bytes = read::named(&path, most + 1, cancel)?;
    // What is too long to be a text is not read whole.
    if !is_stream
        && bytes.len() as u64 > MAX_TEXT
        && let Ok(DocumentKind::Zip | DocumentKind::Bundle) = kind_of(&path, &bytes)
    {
        drop(bytes);
        let file = read::open(&path)?;
        return of_artifact(file, path, cancel);
    }
    of_bytes(path, bytes, cancel)
}

/// The same of a folder.
pub(crate) fn of_folder(folder: OpenFolder) -> Result<Opened, Failure> {
    let path = std::path::absolute(folder.path()).map_err(|error| failure(folder.path(), &error))?;
    let is_catalog = read::is_there(&folder, "catalog.json")?;
    if let Some(package) = Package::in_folder(folder)? {
        return Ok(Opened { path, what: What::Package(Box::new(package)), problems: Problems::default() });
    }
    let message = "this folder is not a package: it contains neither ruleset.json nor manifest.json";
    let hint = match is_catalog {
        true => "run `rulepack catalog verify` to check the folder of a catalog",
        false => "give a package folder, or the files themselves",
    };
    let problem = Problem { pointer: None, ..Problem::new(codes::UNKNOWN_FILE, &Pointer::root(), message) }.hint(hint);
    Ok(other(path, "folder", problem))
}

/// The package of a ruleset that was named, so it has to be one, and whole.
///
/// # Errors
/// `not-a-ruleset` for anything else, `invalid-artifact` for an artifact that is not as it declares, and what keeps a
/// file of it from being read.
pub(crate) fn ruleset_at(path: &Path, cancel: &Cancel) -> Result<Package, Failure> {
    let Opened { what, problems, .. } = open(path, cancel)?;
    let first = || problems.first();
    let why = match what {
        What::Package(package) => {
            package.refuse_unread()?;
            if package.ruleset.is_some() {
                return Ok(*package);
            }
            "it has no ruleset.json".to_owned()
        }
        What::Broken => {
            let why = first().map(Problem::reason).unwrap_or_default();
            let failure = Failure::new(Code::InvalidArtifact, format!("`{}` cannot be used: {why}", path.display()));
            return Err(failure.hint("run `rulepack check` for all of its problems"));
        }
        What::Part(..) => "it is another file".to_owned(),
        What::Other(_) => first().map(|problem| problem.message.clone()).unwrap_or_default(),
    };
    let failure = Failure::new(Code::NotARuleset, format!("`{}` contains no ruleset: {why}", path.display()));
    Err(failure.hint("give a ruleset.json, a package folder, or an artifact"))
}

fn of_bytes(path: PathBuf, bytes: Vec<u8>, cancel: &Cancel) -> Result<Opened, Failure> {
    let is_too_long = bytes.len() as u64 > MAX_TEXT;
    let what = match kind_of(&path, &bytes) {
        Err(mut problem) => {
            locate(&bytes, [&mut *problem]);
            return Ok(other(path, "unknown", *problem));
        }
        Ok(DocumentKind::Zip | DocumentKind::Bundle) => return of_artifact(Cursor::new(bytes), path, cancel),
        Ok(kind) if kind != DocumentKind::Pack && is_too_long => return Ok(other(path, "too large", too_long(kind))),
        Ok(DocumentKind::Ruleset) => What::Package(Box::new(Package::lone(&path, bytes)?)),
        Ok(kind) => What::Part(kind, bytes),
    };
    Ok(Opened { path, what, problems: Problems::default() })
}

fn of_artifact<R: Read + Seek>(from: R, path: PathBuf, cancel: &Cancel) -> Result<Opened, Failure> {
    let name = path.display().to_string();
    let (package, problems) = artifact::open(from, &name, cancel)?;
    let root = Root::Artifact(name);
    let tell = |problem| match &package {
        Some(package) => package.tell(problem),
        None => root.tell(problem),
    };
    let problems = problems.into_iter().map(tell).collect();
    let what = package.map_or(What::Broken, |package| What::Package(Box::new(package)));
    Ok(Opened { path, what, problems })
}

fn other(path: PathBuf, what: &'static str, problem: Problem) -> Opened {
    let problem = problem.in_file(path.display().to_string());
    Opened { path, what: What::Other(what), problems: vec![problem].into() }
}

fn too_long(kind: DocumentKind) -> Problem {
    let (code, what) = match kind {
        DocumentKind::Manifest => (codes::MANIFEST_SHAPE, "a manifest"),
        _ => (codes::K9, "a file of a ruleset"),
    };
    let message = format!("it is larger than {}, the limit for {what}", ByteSize(MAX_TEXT));
    Problem { pointer: None, ..Problem::new(code, &Pointer::root(), message) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Expected;
    use serde_json::{Value, json};
    use std::io::Write as _;

    /// What is wrong within each of these files, however they lie there.
    const RULESET: &str = "{\n  \"schemaVersion\": 1, \"id\": \"a\", \"version\": 1, \"name\": \"A\", \"sheet\": {}, \"layers\": 3,\n  \
                           \"catalogs\": [{\"id\": \"b\", \"asset\": \"catalogs/b.json\"}]\n}";
    const CATALOG: &str = "{\"schemaVersion\": 1,\n \"catalog\": \"b\",\n \"entries\": 3}";

    fn manifest() -> Value {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog-example/packages/ember-roads/manifest.json");
        let mut manifest: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        let files = [("ruleset.json", RULESET), ("catalogs/b.json", CATALOG)];
        let declared = |(path, text): (&str, &str)| {
            let Expected { bytes, sha256 } = Expected::of(text.as_bytes());
            json!({"path": path, "bytes": bytes.0, "sha256": sha256})
        };
        manifest["files"] = files.map(declared).into_iter().collect();
        manifest["contributions"]["assets"]["paths"] = json!(files.map(|(path, _)| path));
        manifest
    }

    fn zip(files: &[(&str, &str)]) -> Vec<u8> {
        let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (path, text) in files {
            archive.start_file(*path, zip::write::SimpleFileOptions::default()).unwrap();
            archive.write_all(text.as_bytes()).unwrap();
        }
        archive.finish().unwrap().into_inner()
    }

    #[test]
    fn a_package_says_the_same_however_it_lies_there() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, bytes: &[u8]| {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, bytes).unwrap();
            path
        };
        let manifest = manifest();
        let text = manifest.to_string();
        let files = [("manifest.json", &*text), ("ruleset.json", RULESET), ("catalogs/b.json", CATALOG)];
        for (path, text) in files {
            write(&format!("folder/{path}"), text.as_bytes());
            write(&format!("lone/{path}"), text.as_bytes());
        }
        let bundle = json!({"manifest": manifest, "files": {"ruleset.json": RULESET, "catalogs/b.json": CATALOG}});
        let places = [
            root.path().join("folder"),
            write("a.zip", &zip(&files)),
            write("a.ruleset.json", bundle.to_string().as_bytes()),
            root.path().join("lone/ruleset.json"),
        ];
        let found = places.map(|place| {
            let What::Package(package) = open(&place, &Cancel::default()).unwrap().what else { panic!("{place:?}") };
            let mut found = package.inspect(&Cancel::default()).problems;
            found.retain(|problem| problem.file.as_deref().is_some_and(|file| file != "manifest.json"));
            let told = |it: Problem| (it.file, it.line, it.column, it.code, it.message);
            found.into_iter().map(told).collect::<std::collections::BTreeSet<_>>()
        });
        assert!(found[0].iter().any(|(file, line, ..)| file.as_deref() == Some("catalogs/b.json") && *line == Some(3)));
        assert_eq!(found, [found[0].clone(), found[0].clone(), found[0].clone(), found[0].clone()]);
    }

    #[test]
    fn what_lies_there_is_told_apart_and_only_a_whole_ruleset_is_one() {
        let root = tempfile::tempdir().unwrap();
        let pack = "{\"_meta\": {\"locale\": \"ru\"}, \"ruleset\": {}}";
        for (name, text, code) in [
            ("x.json", RULESET, None),
            ("b.json", CATALOG, Some(Code::NotARuleset)),
            ("ru.json", pack, Some(Code::NotARuleset)),
            ("manifest.json", "{}", Some(Code::NotARuleset)),
            ("page.html", "<html>", Some(Code::NotARuleset)),
            ("broken.zip", "PK\u{3}\u{4}", Some(Code::InvalidArtifact)),
        ] {
            let path = root.path().join(name);
            std::fs::write(&path, text).unwrap();
            let refused = ruleset_at(&path, &Cancel::default()).err();
            assert_eq!(refused.as_ref().map(|failure| failure.code), code, "{name}: {refused:?}");
        }
        let empty = tempfile::tempdir().unwrap();
        let nothing = ruleset_at(empty.path(), &Cancel::default()).unwrap_err();
        assert!(nothing.code == Code::NotARuleset && nothing.message.contains("not a package"), "{nothing:?}");
    }
}
