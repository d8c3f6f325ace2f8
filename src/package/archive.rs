//! A zip: `manifest.json` and exactly the declared files, stored or deflated, and folders, which are not looked into.

use super::end_record::EndRecord;
use super::fault::{decoding, excerpt};
use super::intake::Intake;
use super::names::{EntryKind, Names};
use super::{CHUNK, Container, Fault, MAX_MANIFEST, Wrapping};
use crate::catalog::MANIFEST;
use crate::types::SafePath;
use std::io::{BufReader, Read, Seek};
use zip::read::{ArchiveOffset, Config, ZipFile, ZipFileEntry};
use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

/// Reads a zip, to its last entry.
pub(super) fn read<R: Read + Seek>(from: &mut R, intake: &mut Intake<'_>) -> Result<Wrapping, Fault> {
    let (mut archive, Listing { files, folder }) = open(from)?;
    let mut stored = None;
    // First, so that a wrong manifest is the first thing said whatever the order of the entries.
    if let Some(file) = files.iter().find(|file| file.path.as_str() == MANIFEST) {
        let bytes = manifest(&mut archive, file)?;
        intake.manifest(&bytes);
        stored = Some(bytes);
    } else {
        intake.note(Fault::NoManifest);
    }
    for file in files.iter().filter(|file| file.path.as_str() != MANIFEST) {
        match take(&mut archive, file, intake) {
            Err(damaged @ Fault::Damaged { .. }) => intake.note(damaged),
            other => other?,
        }
    }
    Ok(Wrapping { container: Container::Zip, manifest_json: stored.unwrap_or_default(), folder })
}

/// The bytes of its `manifest.json` alone.
pub(super) fn manifest_inside<R: Read + Seek>(from: &mut R) -> Result<Vec<u8>, Fault> {
    let (mut archive, Listing { files, .. }) = open(from)?;
    let file = files.iter().find(|file| file.path.as_str() == MANIFEST).ok_or(Fault::NoManifest)?;
    manifest(&mut archive, file)
}

/// A plain file of an archive.
pub(super) struct Entry {
    index: usize,
    path: SafePath,
}

/// The entries of an archive.
pub(super) struct Listing {
    files: Vec<Entry>,
    /// The first folder among them.
    folder: Option<SafePath>,
}

/// Opens a zip after everything that can be known without unpacking it has been checked, and lists its files.
pub(super) fn open<R: Read + Seek>(from: &mut R) -> Result<(ZipArchive<BufReader<&mut R>>, Listing), Fault> {
    let mut from = BufReader::with_capacity(CHUNK, from);
    let end = EndRecord::find(&mut from)?;
    end.check_directory(&mut from)?;
    let mut archive =
        ZipArchive::with_config(Config { archive_offset: ArchiveOffset::Known(0) }, from).map_err(contradiction)?;
    if archive.len() as u64 != end.entries || archive.central_directory_start() != end.directory_start {
        return Err(Fault::Inconsistent { why: "its end record is ambiguous".to_owned() });
    }
    let listing = list(&archive)?;
    archive.validate_header_consistency().map_err(contradiction)?;
    Ok((archive, listing))
}

fn list<R: Read + Seek>(archive: &ZipArchive<R>) -> Result<Listing, Fault> {
    let mut names = Names::default();
    let (mut files, mut folder) = (Vec::new(), None);
    let mut first = None;
    for index in 0..archive.len() {
        let entry = archive.by_index_data(index).map_err(contradiction)?;
        let (path, kind) = checked(&entry)?;
        let start = entry.header_start();
        first = Some(first.map_or(start, |first: u64| first.min(start)));
        names.add(path.clone(), kind)?;
        match kind {
            EntryKind::File => files.push(Entry { index, path }),
            EntryKind::Folder => drop(folder.get_or_insert(path)),
        }
    }
    match first {
        Some(at) if at > 0 => Err(Fault::BytesBeforeStart { at }),
        _ => Ok(Listing { files, folder }),
    }
}

/// An entry's path and kind, if it is a plain file or a folder under a safe name, packed in a way that is read.
fn checked(entry: &ZipFileEntry<'_>) -> Result<(SafePath, EntryKind), Fault> {
    let Ok(name) = std::str::from_utf8(entry.name_raw()) else {
        return Err(Fault::NameNotText { name: excerpt(&String::from_utf8_lossy(entry.name_raw())) });
    };
    let shown = || excerpt(name);
    let bare = name.strip_suffix('/').unwrap_or(name);
    let path = bare.parse::<SafePath>().map_err(|why| Fault::UnsafePath { name: shown(), why })?;

    // The upper half is the Unix mode, whatever system the entry claims to be from: some readers obey it anyway.
    let attributes = entry.external_attributes();
    let mode = attributes >> 16;
    let is_folder = bare != name || mode & 0o170_000 == 0o040_000 || attributes & 0x10 != 0;
    if let Some(what) = special(mode, is_folder) {
        return Err(Fault::Special { name: shown(), what });
    }
    if entry.encrypted() {
        return Err(Fault::Encrypted { name: shown() });
    }
    let method = entry.compression();
    if !matches!(method, CompressionMethod::Stored | CompressionMethod::Deflated) {
        return Err(Fault::Method { name: shown(), method: method_name(method) });
    }
    if is_folder && entry.size() > 0 {
        return Err(Fault::FolderWithBytes { name: shown() });
    }
    Ok((path, if is_folder { EntryKind::Folder } else { EntryKind::File }))
}

/// What a Unix mode makes of an entry, unless that is a plain file or folder. A mode without a file type (from tools
/// that know none) is plain.
fn special(mode: u32, is_folder: bool) -> Option<&'static str> {
    match mode & 0o170_000 {
        0 | 0o040_000 => None,
        0o100_000 if !is_folder && mode & 0o7_000 != 0 => Some("a file with a set-user-id, set-group-id or sticky bit"),
        0o100_000 => None,
        0o120_000 => Some("a symbolic link"),
        0o010_000 => Some("a pipe"),
        0o140_000 => Some("a socket"),
        0o020_000 | 0o060_000 => Some("a device"),
        _ => Some("of an unknown kind"),
    }
}

#[expect(deprecated, reason = "the only way to the number of a method the crate was built without")]
fn method_name(method: CompressionMethod) -> String {
    match method {
        CompressionMethod::Unsupported(number) => format!("{number} ({method})"),
        known => known.to_string(),
    }
}

fn manifest<R: Read + Seek>(archive: &mut ZipArchive<R>, file: &Entry) -> Result<Vec<u8>, Fault> {
    let mut bytes = Vec::new();
    let mut entry = reader(archive, file)?;
    let size = entry.size();
    let damaged = |why| Fault::Damaged { name: MANIFEST.to_owned(), why };
    entry.by_ref().take(MAX_MANIFEST.0 + 1).read_to_end(&mut bytes).map_err(|error| decoding(error, damaged))?;
    if bytes.len() as u64 > MAX_MANIFEST.0 {
        return Err(Fault::ManifestTooLong);
    }
    if bytes.len() as u64 != size { Err(shorter(file, size)) } else { Ok(bytes) }
}

fn take<R: Read + Seek>(archive: &mut ZipArchive<R>, file: &Entry, intake: &mut Intake<'_>) -> Result<(), Fault> {
    let mut entry = reader(archive, file)?;
    let (size, mut seen) = (entry.size(), 0);
    let damaged = |why| Fault::Damaged { name: excerpt(file.path.as_str()), why };
    intake.file(&file.path, |chunk| {
        let n = entry.read(chunk).map_err(|error| decoding(error, damaged))?;
        seen += n as u64;
        // The crate refuses more bytes than the header says, but not fewer.
        if n == 0 && seen != size { Err(shorter(file, size)) } else { Ok(n) }
    })
}

fn reader<'a, R: Read + Seek>(archive: &'a mut ZipArchive<R>, file: &Entry) -> Result<ZipFile<'a, R>, Fault> {
    archive.by_index(file.index).map_err(contradiction)
}

fn shorter(file: &Entry, size: u64) -> Fault {
    let why = format!("it has fewer bytes than the {size} its header declares");
    Fault::Damaged { name: excerpt(file.path.as_str()), why }
}

fn contradiction(error: ZipError) -> Fault {
    match error {
        ZipError::Io(error) => decoding(error, |why| Fault::Inconsistent { why }),
        other => Fault::Inconsistent { why: excerpt(&other.to_string()) },
    }
}

#[cfg(test)]
mod tests {
    use super::super::Faults;
    use super::super::testing::{
        Entry as Raw, FILES, entries, entry, faults, manifest, manifest_json, parts, unpacked, variant, zip,
    };
    use super::*;
    use crate::types::{Code, Coded};
    use std::collections::BTreeSet;
    use std::io::{Cursor, Write};
    use std::path::PathBuf;
    use zip::write::SimpleFileOptions;

    fn zips() -> PathBuf {
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("testdata/zips")
    }

    /// Every archive of `testdata/zips` that is refused: the fault to find and its code.
    const HOSTILE: &[(&str, &str, Code)] = &[
        ("abs", "UnsafePath", Code::UnsafePath),
        ("back", "UnsafePath", Code::UnsafePath),
        ("bomb", "Mismatch", Code::SizeMismatch),
        ("bzip2", "Method", Code::InvalidArtifact),
        ("case", "Twins", Code::InvalidArtifact),
        ("con", "UnsafePath", Code::UnsafePath),
        ("count_more", "WrongCount", Code::InvalidArtifact),
        ("cp437", "NameNotText", Code::UnsafePath),
        ("crc_both", "Damaged", Code::InvalidArtifact),
        ("crc_cd", "Inconsistent", Code::InvalidArtifact),
        ("ctl", "UnsafePath", Code::UnsafePath),
        ("deep", "UnsafePath", Code::UnsafePath),
        ("dev", "Special", Code::UnsafePath),
        ("drive", "UnsafePath", Code::UnsafePath),
        ("drive2", "UnsafePath", Code::UnsafePath),
        ("dup", "SameName", Code::InvalidArtifact),
        ("empty", "NotAnArtifact", Code::InvalidArtifact),
        ("enc", "Encrypted", Code::InvalidArtifact),
        ("enc_cd", "Encrypted", Code::InvalidArtifact),
        ("eocd", "NotAnArtifact", Code::InvalidArtifact),
        ("fifo", "Special", Code::UnsafePath),
        ("garbage", "NotAnArtifact", Code::InvalidArtifact),
        // Ordinary but for the symbolic link it holds.
        ("infozip", "Special", Code::UnsafePath),
        ("infozip_enc", "Encrypted", Code::InvalidArtifact),
        ("long", "UnsafePath", Code::UnsafePath),
        ("lzma", "Method", Code::InvalidArtifact),
        ("nul", "UnsafePath", Code::UnsafePath),
        ("prefix", "NotAnArtifact", Code::InvalidArtifact),
        ("setuid", "Special", Code::UnsafePath),
        ("sizeless", "Damaged", Code::InvalidArtifact),
        ("slip", "UnsafePath", Code::UnsafePath),
        ("slip2", "UnsafePath", Code::UnsafePath),
        ("symlink", "Special", Code::UnsafePath),
        ("trail", "BytesAfterEnd", Code::InvalidArtifact),
        ("trunc", "NoEndRecord", Code::InvalidArtifact),
    ];

    /// Those that are read: each file and how long it is.
    const ORDINARY: &[(&str, &[(&str, usize)])] = &[
        ("dos", &[("x/y", 2)]),
        ("infozip_ok", &[("a", 3)]),
        ("ok", &[("a/b.txt", 200)]),
        ("one", &[("b.txt", 200)]),
        ("stream", &[("a", 500)]),
    ];

    #[test]
    fn every_kind_of_bad_archive_is_refused_for_its_own_reason() {
        let declared = manifest(&[
            ("a/b.txt", &[b'x'; 200]),
            ("b.txt", &[b'x'; 200]),
            ("a", b"x"),
            ("z", b"only a little"),
            ("ruleset.json", b"{}"),
        ]);
        for (name, fault, code) in HOSTILE {
            let bytes = std::fs::read(zips().join(format!("{name}.zip"))).unwrap();
            let (result, sink) = unpacked(&bytes, &declared);
            let faults: Faults = result.expect_err(name);
            let found = faults.all().find(|found| variant(found) == *fault);
            assert_eq!(found.unwrap_or_else(|| panic!("{name}: {faults:?}")).code(), *code, "{name}");
            assert!(sink.files.is_empty(), "{name}");
        }
    }

    #[test]
    fn ordinary_archives_are_read_whoever_made_them() {
        for (name, expected) in ORDINARY {
            let mut bytes = Cursor::new(std::fs::read(zips().join(format!("{name}.zip"))).unwrap());
            let (mut archive, Listing { files, .. }) =
                open(&mut bytes).unwrap_or_else(|fault| panic!("{name}: {fault}"));
            let mut found = Vec::new();
            for file in &files {
                let mut bytes = Vec::new();
                reader(&mut archive, file).unwrap().read_to_end(&mut bytes).unwrap();
                found.push((file.path.as_str(), bytes.len()));
            }
            assert_eq!(found, *expected, "{name}");
        }
    }

    #[test]
    fn no_archive_of_the_folder_is_left_out_of_the_tables() {
        let there: BTreeSet<_> = std::fs::read_dir(zips())
            .unwrap()
            .filter_map(|file| file.unwrap().file_name().to_str()?.strip_suffix(".zip").map(str::to_owned))
            .collect();
        let listed = HOSTILE.iter().map(|row| row.0).chain(ORDINARY.iter().map(|row| row.0));
        assert_eq!(there, listed.map(str::to_owned).collect());
    }

    #[test]
    fn an_archive_of_what_was_declared_is_unpacked() {
        let mut bytes = zip(&entries(FILES));
        let (contents, sink) = unpacked(&bytes, &manifest(FILES));
        let contents = contents.unwrap();
        assert_eq!(contents.wrapping.container, Container::Zip);
        assert_eq!(contents.wrapping.manifest_json, manifest_json(FILES).as_bytes());
        assert_eq!(contents.ruleset, FILES[0].1);
        assert_eq!(contents.catalogs[&"catalogs/knacks.json".parse().unwrap()], FILES[1].1);
        assert_eq!(contents.catalogs.len(), 1);
        assert!(sink.is_between_files());
        assert_eq!(sink.files.len(), FILES.len());
        for (path, content) in FILES {
            assert_eq!(sink.files[&path.parse().unwrap()], *content);
        }

        // One bit of one file.
        let at = bytes.windows(3).position(|three| three == b"not").unwrap();
        bytes[at] ^= 1;
        assert_eq!(faults(&bytes, &manifest(FILES)), ["Damaged"]);
    }

    #[test]
    fn what_other_tools_write_is_read() {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        let plain = SimpleFileOptions::default();
        let large = plain.large_file(true);
        writer.add_directory("catalogs/", plain.compression_method(CompressionMethod::Deflated)).unwrap();
        writer.add_directory("empty", plain).unwrap();
        writer.start_file("manifest.json", plain).unwrap();
        writer.write_all(manifest_json(FILES).as_bytes()).unwrap();
        for (path, bytes) in FILES {
            writer.start_file(*path, large).unwrap();
            writer.write_all(bytes).unwrap();
        }
        writer.set_comment("zip64 fields, folders and a comment").unwrap();
        let bytes = writer.finish().unwrap().into_inner();
        let (contents, sink) = unpacked(&bytes, &manifest(FILES));
        contents.unwrap();
        assert_eq!(sink.files.len(), FILES.len());

        // Data descriptors, as everything that writes into a pipe has them.
        let mut writer = zip::ZipWriter::new_stream(Vec::new());
        writer.start_file("manifest.json", plain).unwrap();
        writer.write_all(manifest_json(FILES).as_bytes()).unwrap();
        for (path, bytes) in FILES {
            writer.start_file(*path, plain).unwrap();
            writer.write_all(bytes).unwrap();
        }
        let bytes = writer.finish().unwrap().into_inner();
        unpacked(&bytes, &manifest(FILES)).0.unwrap();
    }

    #[test]
    fn folders_of_any_kind_are_passed_over() {
        let with = |folder: Raw| {
            let mut all = entries(FILES);
            all.insert(0, folder);
            zip(&all)
        };
        let folder = |name: &str, attributes| Raw { attributes, ..entry(name, "") };
        for fine in [
            folder("catalogs/", 0o040_755 << 16),
            folder("catalogs/", 0o042_755 << 16 | 0x10),
            folder("catalogs/", 0x10),
            folder("catalogs/", 0),
            folder("catalogs", 0o040_755 << 16),
            folder("catalogs", 0x10),
            folder("some/where/else/", 0),
        ] {
            unpacked(&with(fine), &manifest(FILES)).0.unwrap();
        }
        for (bad, fault) in [
            (folder("../", 0), "UnsafePath"),
            (folder("/", 0), "UnsafePath"),
            (folder("a//", 0), "UnsafePath"),
            (folder("ruleset.json/", 0), "FileAndFolder"),
            (folder("RULESET.JSON/x/", 0), "FileAndFolder"),
            (folder("link/", 0o120_777 << 16), "Special"),
            (entry("catalogs/", "bytes"), "FolderWithBytes"),
        ] {
            assert_eq!(faults(&with(bad), &manifest(FILES)), [fault]);
        }
    }

    #[test]
    fn an_entry_that_is_more_or_less_than_a_plain_file_is_refused() {
        let with = |change: &dyn Fn(&mut Raw)| {
            let mut all = entries(FILES);
            change(&mut all[2]);
            faults(&zip(&all), &manifest(FILES)).remove(0)
        };
        assert_eq!(with(&|entry| entry.flags |= 1), "Encrypted");
        assert_eq!(with(&|entry| entry.method = 12), "Method");
        assert_eq!(with(&|entry| entry.method = 93), "Method");
        assert_eq!(with(&|entry| entry.attributes = 0o120_777 << 16), "Special");
        assert_eq!(with(&|entry| entry.attributes = 0o140_777 << 16), "Special");
        assert_eq!(with(&|entry| entry.attributes = 0o060_777 << 16), "Special");
        assert_eq!(with(&|entry| entry.attributes = 0o110_777 << 16), "Special");
        assert_eq!(with(&|entry| entry.attributes = 0o102_755 << 16), "Special");
        assert_eq!(with(&|entry| entry.name = b"\xff.json".to_vec()), "NameNotText");
        assert_eq!(with(&|entry| entry.name = b"a\\b".to_vec()), "UnsafePath");
        assert_eq!(with(&|entry| entry.name = b"RULESET.json".to_vec()), "Twins");
        assert_eq!(with(&|entry| entry.name = b"ruleset.json/x".to_vec()), "FileAndFolder");
        assert_eq!(with(&|entry| entry.stated = Some(entry.bytes.len() as u32 + 1)), "Damaged");
        assert_eq!(with(&|entry| entry.stated = Some(entry.bytes.len() as u32 - 1)), "Damaged");
    }

    #[test]
    fn declared_names_that_are_one_file_on_some_disk_are_refused() {
        let twins: &[(&str, &[u8])] = &[("ruleset.json", b"{}"), ("\u{e9}.json", b"1"), ("e\u{301}.json", b"2")];
        assert_eq!(faults(&zip(&entries(twins)), &manifest(twins)), ["Twins"]);
    }

    #[test]
    fn the_list_is_exactly_the_declared_one_and_all_differences_are_told() {
        let mut all = entries(FILES);
        all[1].bytes.push(b' ');
        all.remove(2);
        all.push(entry("notes.txt", ""));
        all.push(entry("locales/ru.json", ""));
        assert_eq!(faults(&zip(&all), &manifest(FILES)), ["Mismatch", "Undeclared", "Undeclared", "Missing"]);

        let mut all = entries(FILES);
        all.remove(1);
        assert_eq!(faults(&zip(&all), &manifest(FILES)), ["Missing"]);
        all[1].bytes[0] ^= 1;
        assert_eq!(faults(&zip(&all), &manifest(FILES)), ["Mismatch", "Missing"]);
        let other: &[(&str, &[u8])] = &[("rules.json", b"{}")];
        assert_eq!(faults(&zip(&entries(other)), &manifest(other)), ["NoRuleset"]);
    }

    #[test]
    fn the_manifest_inside_is_the_catalogs() {
        let with = |manifest_text: &str| {
            let mut all = entries(FILES);
            all[0].bytes = manifest_text.as_bytes().to_vec();
            faults(&zip(&all), &manifest(FILES))
        };
        let right = manifest_json(FILES);
        assert_eq!(with(&right.replace("Ember Roads", "Ember Road")), ["ManifestDiffers"]);
        assert_eq!(with("{"), ["ManifestUnreadable"]);
        assert_eq!(with(""), ["ManifestUnreadable"]);
        assert_eq!(with(&format!("\u{feff}{right}")), ["ManifestUnreadable"]);
        assert_eq!(with(&format!("{right}{}", " ".repeat(MAX_MANIFEST.0 as usize))), ["ManifestTooLong"]);
        assert_eq!(faults(&zip(&entries(FILES)[1..]), &manifest(FILES)), ["NoManifest"]);

        let mut spaced = entries(FILES);
        spaced[0].bytes.extend(b"\n\n");
        let stored = unpacked(&zip(&spaced), &manifest(FILES)).0.unwrap().wrapping.manifest_json;
        assert_eq!(stored, format!("{right}\n\n").as_bytes());
    }

    #[test]
    fn a_file_the_directory_does_not_list_is_refused() {
        let (all, listed) = (parts(&entries(FILES)), parts(&entries(FILES)[..3]));
        let hidden = super::super::testing::Parts { files: all.files, ..listed };
        assert_eq!(faults(&hidden.with_end(&hidden.end()), &manifest(&FILES[..2])), ["Inconsistent"]);
    }

    #[test]
    fn two_entries_that_share_their_bytes_are_refused() {
        let mut zip = parts(&entries(FILES));
        // The last entry's header is said to stand where the one before it stands.
        let last = zip.directory.len() - FILES[2].0.len() - 4;
        zip.directory[last..last + 4].copy_from_slice(&0u32.to_le_bytes());
        assert_eq!(faults(&zip.with_end(&zip.end()), &manifest(FILES)), ["Inconsistent"]);
    }
}
