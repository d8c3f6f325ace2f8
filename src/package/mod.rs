//! What an artifact holds: files out of a zip, a bundle or a bare ruleset, each held against what the catalog's
//! manifest declares.
//!
//! Everything here is bytes in and values out. Files go to a [`Sink`] while they are read, so an artifact of any size
//! passes through little memory; what went there counts only once [`unpack`] has returned `Ok`.

mod archive;
mod bundle;
mod end_record;
mod fault;
mod intake;
mod looks;
mod names;
#[cfg(test)]
mod testing;

pub use fault::{Fault, Faults};

use crate::catalog::{Manifest, RULESET};
use crate::types::{ByteSize, Cancel, SafePath};
use intake::Intake;
use std::collections::BTreeMap;
use std::io::{self, Read, Seek, SeekFrom};

/// The most entries an artifact has, folders of a zip counted (the engine's limit; docs/spec/catalog.md#archives).
pub const MAX_ENTRIES: u64 = 8192;
/// The longest directory of a zip: 1 KiB for each entry allowed, far above what names of 240 characters need.
const MAX_DIRECTORY: ByteSize = ByteSize::mib(8);
/// The longest key of a bundle, with what the reader fetches ahead: a path of 240 characters fits even when each of
/// them is written as an escape. Keys are the one thing the JSON reader takes into memory whole.
const MAX_KEY: u64 = 8 << 10;
/// The most bytes an artifact unpacks to (the engine's limit).
pub const MAX_UNPACKED: ByteSize = ByteSize::mib(250);
/// The largest `manifest.json` inside an artifact (the engine's limit).
pub const MAX_MANIFEST: ByteSize = ByteSize::mib(1);
/// The largest `ruleset.json` or catalog file that is read. The engine itself reads 256 KiB of the one and 1 MiB of
/// the other, so this refuses nothing it could use.
pub const MAX_KEPT: ByteSize = ByteSize::mib(4);
/// The most bytes of `ruleset.json` and catalog files together: twice what twelve catalogs, all a ruleset may name,
/// take at the engine's own limit.
pub const MAX_KEPT_IN_ALL: ByteSize = ByteSize::mib(26);

/// How much is read and hashed at a time.
const CHUNK: usize = 64 << 10;

/// Where unpacked files go: `begin`, any number of `write`, `end`, file after file. Only declared paths come, each at
/// most once. Nothing more comes once something was found wrong, so a file begun then is never ended; the files
/// before it count for nothing either.
pub trait Sink {
    /// A file begins.
    fn begin(&mut self, path: &SafePath) -> io::Result<()>;
    /// The next bytes of it.
    fn write(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// It was complete and as declared.
    fn end(&mut self) -> io::Result<()>;
}

/// Unpacked files are checked on their way and kept nowhere.
pub struct Nowhere;

impl Sink for Nowhere {
    fn begin(&mut self, _: &SafePath) -> io::Result<()> {
        Ok(())
    }

    fn write(&mut self, _: &[u8]) -> io::Result<()> {
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What kind of artifact it was (docs/spec/commands.md#artifacts).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// A zip with `manifest.json` and the declared files.
    Zip,
    /// One JSON object with the manifest and the text of every file.
    Bundle,
    /// The ruleset itself.
    Bare,
}

/// What an artifact is, whatever its files hold.
#[derive(Debug)]
pub struct Wrapping {
    pub container: Container,
    /// What is stored as `manifest.json`: the zip's bytes, else the text of the catalog's manifest.
    pub manifest_json: Vec<u8>,
    /// The first folder that has an entry of its own in a zip.
    pub folder: Option<SafePath>,
}

/// What of a ruleset's artifact is wanted later, beside the files that went to the sink.
#[derive(Debug)]
pub struct Contents {
    pub wrapping: Wrapping,
    /// The bytes of `ruleset.json`.
    pub ruleset: Vec<u8>,
    /// The bytes of each `catalogs/*.json`.
    pub catalogs: BTreeMap<SafePath, Vec<u8>>,
}

/// Reads a ruleset's artifact from its first byte to its last, sends each file to the sink and holds everything against
/// the manifest the catalog published.
///
/// # Errors
///
/// What is wrong with the artifact as a whole ends the work at once; files that are not as declared, missing or too
/// many are all reported. Nothing that went to the sink may be used then.
pub fn unpack<R: Read + Seek>(
    mut from: R,
    manifest: &Manifest,
    sink: &mut dyn Sink,
    cancel: &Cancel,
) -> Result<Contents, Faults> {
    let mut intake = Intake::new(manifest, sink, cancel)?;
    match read(&mut from, manifest, &mut intake) {
        Ok(wrapping) => intake.finish(wrapping),
        Err(fault) => Err(intake.end_with(fault)),
    }
}

/// Holds the artifact of a package of any kind against the manifest the catalog published, as [`unpack`] does, and
/// keeps nothing of it.
///
/// # Errors
///
/// As of [`unpack`], but for a `ruleset.json` that is not there.
pub fn hold<R: Read + Seek>(mut from: R, manifest: &Manifest, cancel: &Cancel) -> Result<Wrapping, Faults> {
    let mut nowhere = Nowhere;
    let mut intake = Intake::of_any_kind(manifest, &mut nowhere, cancel)?;
    match read(&mut from, manifest, &mut intake) {
        Ok(wrapping) => intake.finish_any(wrapping),
        Err(fault) => Err(intake.end_with(fault)),
    }
}

/// Which of the two a zip or a bundle is, and the text of the manifest inside, not held against anything: for an
/// artifact that no catalog vouches for. Of a bundle it is written anew, with other blank space.
///
/// # Errors
///
/// What is wrong with the container as far as it has to be read, and [`Fault::NoManifest`].
pub fn manifest_inside<R: Read + Seek>(mut from: R, cancel: &Cancel) -> Result<(Container, Vec<u8>), Fault> {
    let head = head(&mut from)?;
    if head.starts_with(b"PK\x03\x04") {
        return Ok((Container::Zip, archive::manifest_inside(&mut from)?));
    }
    if !head.starts_with(b"{") {
        return Err(Fault::NotAnArtifact { looks: looks::like(&head) });
    }
    Ok((Container::Bundle, bundle::manifest_inside(from, cancel)?))
}

/// What bytes that begin like this most likely are, for a message only.
pub fn looks_like(head: &[u8]) -> &'static str {
    looks::like(&head[..head.len().min(looks::ENOUGH as usize)])
}

/// The first bytes; what is read next begins with them again.
fn head<R: Read + Seek>(from: &mut R) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    from.seek(SeekFrom::Start(0))?;
    from.by_ref().take(looks::ENOUGH).read_to_end(&mut head)?;
    from.seek(SeekFrom::Start(0))?;
    Ok(head)
}

/// Tells the container by its first bytes and reads it.
fn read<R: Read + Seek>(from: &mut R, manifest: &Manifest, intake: &mut Intake<'_>) -> Result<Wrapping, Fault> {
    let head = head(from)?;
    if head.starts_with(b"PK\x03\x04") {
        return archive::read(from, intake);
    }
    if !head.starts_with(b"{") {
        return Err(Fault::NotAnArtifact { looks: looks::like(&head) });
    }
    let as_published = |container| {
        let manifest_json = manifest.raw.get().as_bytes().to_vec();
        Ok(Wrapping { container, manifest_json, folder: None })
    };
    let ruleset_alone = matches!(manifest.files.as_slice(), [only] if only.path.as_str() == RULESET);
    if ruleset_alone && !bundle::begins(from, intake)? {
        intake.file(&manifest.files[0].path, |chunk| Ok(from.read(chunk)?))?;
        return as_published(Container::Bare);
    }
    bundle::read(from, intake)?;
    as_published(Container::Bundle)
}

#[cfg(test)]
mod tests {
    use super::testing::{FILES, bundle, entries, faults, manifest, unpacked, zip};
    use super::*;
    use crate::types::{Code, Coded, Failure};
    use proptest::prelude::*;
    use std::io::Cursor;

    const ALONE: &[(&str, &[u8])] = &[("ruleset.json", b"{\"id\":\"ember-roads\"}\n")];

    #[test]
    fn a_ruleset_declared_alone_may_come_as_it_is() {
        let (contents, sink) = unpacked(ALONE[0].1, &manifest(ALONE));
        let contents = contents.unwrap();
        assert_eq!(contents.wrapping.container, Container::Bare);
        assert_eq!(contents.ruleset, ALONE[0].1);
        assert_eq!(contents.wrapping.manifest_json, manifest(ALONE).raw.get().as_bytes());
        assert_eq!(sink.files[&"ruleset.json".parse().unwrap()], ALONE[0].1);
        assert!(sink.is_between_files());

        assert_eq!(
            unpacked(bundle(ALONE).as_bytes(), &manifest(ALONE)).0.unwrap().wrapping.container,
            Container::Bundle
        );
        assert_eq!(unpacked(&zip(&entries(ALONE)), &manifest(ALONE)).0.unwrap().wrapping.container, Container::Zip);
        assert_eq!(faults(ALONE[0].1, &manifest(FILES)), ["UnknownKey",]);
    }

    #[test]
    fn a_bare_ruleset_is_the_declared_one_to_the_byte() {
        for wrong in
            ["{\"id\":\"ember-roads\"}", "{\"id\":\"ember-roads\"}\n\n", "{\"id\":\"amber-roads\"}\n", "{}", "{"]
        {
            assert_eq!(faults(wrong.as_bytes(), &manifest(ALONE)), ["Mismatch"], "{wrong}");
        }
        assert_eq!(faults(br#"{"files":{}}"#, &manifest(ALONE)), ["NoManifest"]);
        let other: &[(&str, &[u8])] = &[("rules.json", b"{}")];
        assert_eq!(faults(b"{}", &manifest(other)), ["NoManifest"]);
    }

    #[test]
    fn anything_else_is_no_artifact_and_is_told_by_name() {
        for (bytes, looks) in [
            (&b""[..], "empty"),
            (b"\xef\xbb\xbf{}", "byte order mark"),
            (b"<!DOCTYPE html><html></html>", "HTML"),
            (b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "empty zip"),
            (b"\x1f\x8b\x08\0", "gzip"),
            (b" {}", "whitespace"),
        ] {
            let faults = unpacked(bytes, &manifest(ALONE)).0.unwrap_err();
            assert_eq!(faults.code(), Code::InvalidArtifact);
            assert!(faults.to_string().contains(looks), "{faults}");
        }
    }

    #[test]
    fn a_failure_says_which_file_and_why() {
        let failure = Failure::from(unpacked(b"{}", &manifest(ALONE)).0.unwrap_err());
        assert_eq!(failure.code, Code::SizeMismatch);
        assert_eq!(failure.message, "`ruleset.json` is not as declared: 2 bytes, but 21 are declared");
    }

    #[test]
    fn what_a_manifest_declares_is_limited_before_anything_is_read() {
        let declared = |files: &[(&str, u64)]| {
            let mut manifest = manifest(&files.iter().map(|(path, _)| (*path, &b""[..])).collect::<Vec<_>>());
            for (file, (_, bytes)) in manifest.files.iter_mut().zip(files) {
                file.expected.bytes = ByteSize(*bytes);
            }
            faults(b"{}", &manifest).remove(0)
        };
        let mib = |n| ByteSize::mib(n).0;
        assert_eq!(declared(&[("ruleset.json", 2), ("a", mib(250))]), "TooLarge");
        assert_eq!(declared(&[("a", u64::MAX), ("b", u64::MAX)]), "TooLarge");
        assert_eq!(declared(&[("ruleset.json", mib(4) + 1)]), "FileTooLarge");
        assert_eq!(declared(&[("catalogs/a.json", mib(4) + 1)]), "FileTooLarge");
        let names: Vec<_> = (0..7).map(|n| format!("catalogs/{n}.json")).collect();
        let catalogs: Vec<_> = names.iter().map(|name| (name.as_str(), mib(4))).collect();
        assert_eq!(declared(&catalogs), "RulesetTooLarge");
        assert_eq!(declared(&[("ruleset.json", 1), ("Manifest.json", 1)]), "ManifestDeclared");
        assert_eq!(declared(&[("ruleset.json", 1), ("ruleset.json", 1)]), "SameName");
    }

    #[test]
    fn a_sink_that_fails_ends_the_work() {
        struct Full;
        impl Sink for Full {
            fn begin(&mut self, _: &SafePath) -> io::Result<()> {
                Ok(())
            }
            fn write(&mut self, _: &[u8]) -> io::Result<()> {
                Err(io::ErrorKind::StorageFull.into())
            }
            fn end(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        for artifact in [zip(&entries(FILES)), bundle(FILES).into_bytes()] {
            let result = unpack(Cursor::new(artifact), &manifest(FILES), &mut Full, &Cancel::default());
            assert_eq!(result.unwrap_err().code(), Code::DiskFull);
        }
    }

    /// Whatever came, the sink saw declared paths only, and what was accepted is what was declared.
    fn holds(artifact: &[u8]) -> Result<(), TestCaseError> {
        let manifest = manifest(FILES);
        let (result, sink) = unpacked(artifact, &manifest);
        let declared = |path: &SafePath| manifest.files.iter().find(|file| file.path == *path);
        prop_assert!(sink.paths().all(|path| declared(path).is_some()));
        for (path, bytes) in &sink.files {
            prop_assert!(declared(path).is_some_and(|file| file.expected.check(bytes).is_ok()));
        }
        if let Ok(contents) = result {
            prop_assert!(sink.is_between_files());
            prop_assert_eq!(sink.files.len(), FILES.len());
            prop_assert_eq!(contents.ruleset, FILES[0].1);
        }
        Ok(())
    }

    /// Changes that reach every part of an artifact.
    fn changed(mut artifact: Vec<u8>, changes: &[(prop::sample::Index, u8, u8)]) -> Vec<u8> {
        for (at, kind, byte) in changes {
            if artifact.is_empty() {
                break;
            }
            let at = at.index(artifact.len());
            match kind % 5 {
                0 => artifact[at] = *byte,
                1 => artifact[at] ^= 1 << (byte % 8),
                2 => drop(artifact.remove(at)),
                3 => artifact.insert(at, *byte),
                _ => artifact.truncate(at),
            }
        }
        artifact
    }

    fn changes() -> impl Strategy<Value = Vec<(prop::sample::Index, u8, u8)>> {
        prop::collection::vec(any::<(prop::sample::Index, u8, u8)>(), 1..6)
    }

    proptest! {
        #[test]
        fn no_bytes_panic(head in prop::sample::select(vec![&b""[..], b"PK\x03\x04", b"{", b"{\"files\":{"]),
                          bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            holds(&[head, &bytes].concat())?;
        }

        #[test]
        fn a_damaged_zip_delivers_nothing_undeclared(changes in changes()) {
            holds(&changed(zip(&entries(FILES)), &changes))?;
        }

        #[test]
        fn a_damaged_directory_delivers_nothing_undeclared(changes in changes()) {
            let zip = testing::parts(&entries(FILES));
            for end in [zip.end(), zip.end64()] {
                holds(&[zip.files.clone(), changed([&zip.directory[..], &end].concat(), &changes)].concat())?;
            }
        }

        #[test]
        fn a_damaged_bundle_delivers_nothing_undeclared(changes in changes()) {
            holds(&changed(bundle(FILES).into_bytes(), &changes))?;
        }
    }
}
