//! An artifact: what its manifest says, and whether it holds what that declares.

use super::package::Package;
use super::read::{self, MAX_TEXT};
use crate::catalog::{MANIFEST, Manifest};
use crate::json::{document, document_and_repeats, locate};
use crate::package::{self, Container, Fault, Sink};
use crate::types::{Cancel, Coded, Failure, Pointer, Problem, Problems, SafePath, codes};
use std::collections::BTreeMap;
use std::error::Error;
use std::io::{self, Read, Seek, SeekFrom};

/// Opens a zip or a bundle that no catalog vouches for, and holds it against the manifest inside. Gives the package,
/// unless it is not as declared, and what is wrong with the artifact itself, each finding with its file within. `name`
/// is its path.
pub(crate) fn open<R: Read + Seek>(
    mut from: R,
    name: &str,
    cancel: &Cancel,
) -> Result<(Option<Package>, Problems), Failure> {
    let (container, manifest) = match package::manifest_inside(&mut from, cancel) {
        Ok(inside) => inside,
        Err(fault) if is_no_finding(&fault) => return Err(Failure::from(fault)),
        Err(fault) => return Ok((None, vec![placed(&fault, &mut from)?].into())),
    };
    let mut problems: Problems = judge_inner_manifest(&mut from, container, &manifest)?.into();
    let manifest = std::str::from_utf8(&manifest).ok().and_then(|text| Manifest::parse(text).ok());
    let package = manifest.map(|manifest| hold(from, manifest, name, &mut problems, cancel)).transpose()?.flatten();
    Ok((package, problems))
}

/// Holds an artifact of any kind against a manifest. What it is not as declared goes to `problems`, each finding with
/// its file within.
pub(crate) fn hold<R: Read + Seek>(
    mut from: R,
    manifest: Manifest,
    name: &str,
    problems: &mut Problems,
    cancel: &Cancel,
) -> Result<Option<Package>, Failure> {
    from.seek(SeekFrom::Start(0)).map_err(unreadable)?;
    let mut locales = Locales::default();
    match package::unpack(&mut from, &manifest, &mut locales, cancel) {
        Ok(contents) => return Ok(Some(Package::unpacked(name, manifest, contents, locales.ended))),
        Err(faults) if is_no_finding(faults.first()) => return Err(Failure::from(faults)),
        Err(faults) => {
            for fault in faults.all().filter(|fault| !is_no_finding(fault)) {
                problems.push(placed(fault, &mut from)?);
            }
        }
    }
    Ok(None)
}

/// One way in which an artifact is not what it must be, as a finding about the artifact, or about the file within that
/// it names.
pub fn finding(fault: &Fault) -> Problem {
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
    Problem { pointer: None, file: inner, hint: fault.hint(), ..problem }
}

/// The same with the place where a bundle stops being JSON, if this is the fault. One that is longer than any text is
/// not read again for that.
fn placed<R: Read + Seek>(fault: &Fault, from: &mut R) -> Result<Problem, Failure> {
    if matches!(fault, Fault::NotJson { .. }) {
        from.seek(SeekFrom::Start(0)).map_err(unreadable)?;
        let text = read::some(from, MAX_TEXT).map_err(unreadable)?;
        if let Err(broken) = document(&text, codes::INVALID_ARTIFACT) {
            return Ok(Problem { pointer: None, ..*broken });
        }
    }
    Ok(finding(fault))
}

/// Whether it is a failure of the disk, or a wish to stop.
fn is_no_finding(fault: &Fault) -> bool {
    matches!(fault, Fault::Read(_) | Fault::Write(_) | Fault::Interrupted)
}

/// Findings about the manifest: of a zip in its own file; of a bundle in the artifact, whose one JSON document it is a
/// part of, so that lines and columns are those of the file there is.
fn judge_inner_manifest<R: Read + Seek>(
    from: &mut R,
    container: Container,
    manifest: &[u8],
) -> Result<Vec<Problem>, Failure> {
    let mut problems = judge_manifest(manifest);
    if container == Container::Zip {
        locate(manifest, &mut problems);
        return Ok(problems.into_iter().map(|problem| problem.in_file(MANIFEST)).collect());
    }
    let in_bundle = |problem: Problem| {
        let pointer = problem.pointer.as_ref().map(|pointer| format!("/manifest{pointer}"));
        Problem { pointer, ..problem.unplaced() }
    };
    let mut problems: Vec<Problem> = problems.into_iter().map(in_bundle).collect();
    if !problems.is_empty() {
        let mut text = Vec::new();
        from.seek(SeekFrom::Start(0)).map_err(unreadable)?;
        from.read_to_end(&mut text).map_err(unreadable)?;
        locate(&text, &mut problems);
    }
    Ok(problems)
}

/// Everything that is wrong with the text of a manifest.
pub(crate) fn judge_manifest(text: &[u8]) -> Vec<Problem> {
    match document_and_repeats(text, codes::MANIFEST_SHAPE) {
        // Read as text: what the rules say of numbers is said of their spelling.
        Ok((_, repeats)) => [Manifest::read(&String::from_utf8_lossy(text)).1, repeats].concat(),
        Err(problem) => vec![*problem],
    }
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
