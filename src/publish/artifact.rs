//! An artifact: what its manifest says, whether it holds what that declares, and the ruleset inside.

use super::inspect::{Inspection, inspect_packed};
use super::packs::judge_named_pack;
use super::read::{self, MAX_TEXT};
use crate::catalog::{MANIFEST, Manifest};
use crate::json::{document, locate, repeated_keys};
use crate::package::{self, Container, Contents, Fault, Sink};
use crate::types::{Cancel, Coded, Failure, Pointer, Problem, Problems, SafePath, codes};
use std::collections::BTreeMap;
use std::error::Error;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// What an artifact turned out to be.
#[derive(Debug, Default)]
pub(super) struct Opened {
    /// Each with its file within the artifact, or the artifact itself.
    pub problems: Problems,
    /// What it holds, unless it is not as declared.
    pub held: Option<Held>,
}

/// What an artifact holds.
#[derive(Debug)]
pub(super) struct Held {
    pub manifest: Manifest,
    pub ruleset: Vec<u8>,
    pub catalogs: BTreeMap<String, Vec<u8>>,
    pub locales: BTreeMap<SafePath, Vec<u8>>,
    pub container: Container,
}

/// Opens a zip or a bundle that no catalog vouches for, and holds it against the manifest inside. `name` is its path.
pub(super) fn open<R: Read + Seek>(mut from: R, name: &str, cancel: &Cancel) -> Result<Opened, Failure> {
    let manifest = match package::manifest_inside(&mut from, cancel) {
        Ok(manifest) => manifest,
        Err(fault) if is_no_finding(&fault) => return Err(Failure::from(fault)),
        Err(fault) => {
            let mut problem = finding(&fault, name);
            place_syntax_error(&mut from, &fault, &mut problem)?;
            return Ok(Opened { problems: vec![problem].into(), held: None });
        }
    };
    let mut problems: Problems = judge_inner_manifest(&mut from, &manifest, name)?.into();
    let Some(manifest) = std::str::from_utf8(&manifest).ok().and_then(|text| Manifest::parse(text).ok()) else {
        return Ok(Opened { problems, held: None });
    };
    let held = hold(from, manifest, name, &mut problems, cancel)?;
    Ok(Opened { problems, held })
}

/// Holds an artifact of any kind against a manifest. What it is not as declared goes to `problems`.
pub(super) fn hold<R: Read + Seek>(
    mut from: R,
    manifest: Manifest,
    name: &str,
    problems: &mut Problems,
    cancel: &Cancel,
) -> Result<Option<Held>, Failure> {
    from.seek(SeekFrom::Start(0)).map_err(unreadable)?;
    let mut locales = Locales::default();
    Ok(match package::unpack(&mut from, &manifest, &mut locales, cancel) {
        Ok(Contents { container, ruleset, catalogs, .. }) => {
            let catalogs = catalogs.into_iter().map(|(path, bytes)| (path.as_str().to_owned(), bytes)).collect();
            Some(Held { manifest, ruleset, catalogs, locales: locales.ended, container })
        }
        Err(faults) if is_no_finding(faults.first()) => return Err(Failure::from(faults)),
        Err(faults) => {
            for fault in faults.all().filter(|fault| !is_no_finding(fault)) {
                let mut problem = finding(fault, name);
                place_syntax_error(&mut from, fault, &mut problem)?;
                problems.push(problem);
            }
            None
        }
    })
}

/// Everything that is wrong with the ruleset and the packs inside, each finding with its file within the artifact.
pub(super) fn look_inside(held: &Held, name: &str, cancel: &Cancel) -> Inspection {
    let Inspection { problems, known, documents } =
        inspect_packed(&held.ruleset, &held.catalogs, &held.manifest, cancel);
    let mut problems: Vec<Problem> = problems.into_iter().map(|problem| problem.inside(name)).collect();
    let originals = known.originals();
    for (path, bytes) in held.locales.iter().take_while(|_| !cancel.is_asked()) {
        let in_file = |problem| Problem { file: Some(path.as_str().to_owned()), ..problem };
        let found = judge_named_pack(Path::new(path.as_str()), bytes, originals.as_ref());
        problems.extend(found.into_iter().map(|problem| in_file(problem).inside(name)));
    }
    drop(originals);
    Inspection { problems, known, documents }
}

/// One way in which an artifact is not what it must be, as a finding about the artifact at `name`, or about the file
/// within that it names.
pub fn finding(fault: &Fault, name: &str) -> Problem {
    let mut message = fault.to_string();
    let mut cause = fault.source();
    while let Some(inner) = cause {
        message += &format!(": {inner}");
        cause = inner.source();
    }
    let inner = match fault {
        Fault::Mismatch { path, .. } | Fault::NotText { path } => Some(path.as_str().to_owned()),
        Fault::ManifestUnreadable { .. } | Fault::ManifestTooLong => Some(MANIFEST.to_owned()),
        _ => None,
    };
    let problem = Problem::new(fault.code().rule(), &Pointer::root(), message);
    Problem { pointer: None, file: inner, hint: fault.hint(), ..problem }.inside(name)
}

/// Where a bundle stops being JSON, if this is the fault. One that is longer than any text is not read again for that.
fn place_syntax_error<R: Read + Seek>(from: &mut R, fault: &Fault, problem: &mut Problem) -> Result<(), Failure> {
    if !matches!(fault, Fault::NotJson { .. }) {
        return Ok(());
    }
    from.seek(SeekFrom::Start(0)).map_err(unreadable)?;
    let text = read::some(from, MAX_TEXT).map_err(unreadable)?;
    if let Err(place) = document(&text, codes::INVALID_ARTIFACT) {
        (problem.line, problem.column) = (place.line, place.column);
        locate(&text, [problem]);
    }
    Ok(())
}

/// Whether it is a failure of the disk, or a wish to stop.
fn is_no_finding(fault: &Fault) -> bool {
    matches!(fault, Fault::Read(_) | Fault::Write(_) | Fault::Interrupted)
}

/// Findings about the manifest: of a zip in its own file; of a bundle in the artifact, whose one JSON document it is a
/// part of, so that lines and columns are those of the file there is.
fn judge_inner_manifest<R: Read + Seek>(from: &mut R, manifest: &[u8], name: &str) -> Result<Vec<Problem>, Failure> {
    let mut problems = judge_manifest(manifest);
    from.seek(SeekFrom::Start(0)).map_err(unreadable)?;
    let mut first = [0];
    let is_bundle = from.read(&mut first).map_err(unreadable)? == 1 && first == *b"{";
    if !is_bundle {
        problems.extend(repeated_keys(manifest));
        locate(manifest, &mut problems);
        let in_manifest = |problem| Problem { file: Some(MANIFEST.to_owned()), ..problem };
        return Ok(problems.into_iter().map(|problem| in_manifest(problem).inside(name)).collect());
    }
    for problem in &mut problems {
        problem.pointer = problem.pointer.take().map(|pointer| format!("/manifest{pointer}"));
    }
    let has_repeated = !repeated_keys(manifest).is_empty();
    if !problems.is_empty() || has_repeated {
        let mut text = Vec::new();
        from.seek(SeekFrom::Start(0)).map_err(unreadable)?;
        from.read_to_end(&mut text).map_err(unreadable)?;
        if has_repeated {
            let in_manifest =
                |problem: &Problem| problem.pointer.as_deref().is_some_and(|at| at.starts_with("/manifest/"));
            problems.extend(repeated_keys(&text).into_iter().filter(in_manifest));
        }
        locate(&text, &mut problems);
    }
    Ok(problems.into_iter().map(|problem| problem.inside(name)).collect())
}

/// Everything that is wrong with the text of a manifest, but for keys written twice, which [`repeated_keys`] tells with
/// their places.
pub(super) fn judge_manifest(text: &[u8]) -> Vec<Problem> {
    let mut problems = match document(text, codes::MANIFEST_SHAPE) {
        // Read as text: what the rules say of numbers is said of their spelling.
        Ok(_) => Manifest::read(&String::from_utf8_lossy(text)).1,
        Err(problem) => vec![*problem],
    };
    problems.retain(|problem| problem.code != codes::DUPLICATE_KEY);
    problems
}

fn unreadable(error: io::Error) -> Failure {
    Failure::from(Fault::Read(error))
}

/// Keeps the translations of a shared package; everything else that is wanted later is kept anyway.
#[derive(Default)]
struct Locales {
    current: Option<(SafePath, Vec<u8>)>,
    ended: BTreeMap<SafePath, Vec<u8>>,
}

impl Sink for Locales {
    fn begin(&mut self, path: &SafePath) -> io::Result<()> {
        self.current = path.as_str().starts_with("locales/").then(|| (path.clone(), Vec::new()));
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Some((_, text)) = &mut self.current {
            text.extend_from_slice(bytes);
        }
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        self.ended.extend(self.current.take());
        Ok(())
    }
}
