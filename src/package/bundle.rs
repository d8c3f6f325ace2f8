//! A bundle: `{"manifest": {…}, "files": {"<path>": "<exact text>", …}}` and nothing else, in either order, read as a
//! stream so that a text of any length passes through little memory.

use super::fault::{decoding, excerpt};
use super::intake::Intake;
use super::names::{EntryKind, Names};
use super::{CHUNK, Fault, MAX_ENTRIES, MAX_KEY, MAX_MANIFEST};
use crate::catalog::MANIFEST;
use crate::types::{Cancel, SafePath};
use std::cell::Cell;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use struson::reader::{
    JsonReader, JsonReaderPosition, JsonStreamReader, JsonSyntaxError, ReaderError, ReaderSettings, TransferError,
    ValueType,
};
use struson::writer::{JsonStreamWriter, JsonWriter};

/// Whether a JSON object begins as a bundle does. A ruleset has neither key; a bundle has no other.
///
/// # Errors
///
/// Only what reading fails with: text that is not JSON does not begin as a bundle.
pub(super) fn begins<R: Read + Seek>(from: &mut R, intake: &Intake<'_>) -> Result<bool, Fault> {
    let allowance = Cell::new(u64::MAX);
    let mut bundle = Bundle::new(&mut *from, &allowance, intake.cancel());
    let begins = bundle.enter().and_then(|()| Ok(bundle.key()?.is_some_and(|key| key == "manifest" || key == "files")));
    from.seek(SeekFrom::Start(0))?;
    match begins {
        Err(Fault::NotJson { .. } | Fault::KeyTooLong) => Ok(false),
        other => other,
    }
}

/// The text of its manifest alone.
pub(super) fn manifest_inside<R: Read>(from: R, cancel: &Cancel) -> Result<Vec<u8>, Fault> {
    let allowance = Cell::new(u64::MAX);
    let mut bundle = Bundle::new(from, &allowance, cancel);
    bundle.enter()?;
    while let Some(key) = bundle.key()? {
        if key == "manifest" {
            return bundle.manifest();
        }
        bundle.json.skip_value().map_err(|error| bundle.fault(error))?;
    }
    Err(Fault::NoManifest)
}

/// Reads a bundle to its last byte.
pub(super) fn read<R: Read>(from: R, intake: &mut Intake<'_>) -> Result<(), Fault> {
    let allowance = Cell::new(u64::MAX);
    let mut bundle = Bundle::new(from, &allowance, intake.cancel());
    let (mut manifest, mut files) = (false, false);
    bundle.enter()?;
    while let Some(key) = bundle.key()? {
        match key.as_str() {
            "manifest" if manifest => return Err(Fault::KeyTwice { key: "manifest" }),
            "files" if files => return Err(Fault::KeyTwice { key: "files" }),
            "manifest" => {
                manifest = true;
                intake.manifest(&bundle.manifest()?);
            }
            "files" => {
                files = true;
                bundle.files(intake)?;
            }
            _ => return Err(Fault::UnknownKey { key: excerpt(&key) }),
        }
    }
    bundle.leave()?;
    match (manifest, files) {
        (false, _) => Err(Fault::NoManifest),
        (_, false) => Err(Fault::NoFiles),
        _ => Ok(()),
    }
}

/// The manifest, which is a file of every package, where a path has it for a folder.
fn manifest_above(path: &SafePath) -> Option<SafePath> {
    let is_below = path.folded().strip_prefix(MANIFEST).is_some_and(|rest| rest.starts_with('/'));
    is_below.then(|| MANIFEST.parse().ok())?
}

struct Bundle<'a, R: Read> {
    json: JsonStreamReader<Metered<'a, BufReader<R>>>,
    allowance: &'a Cell<u64>,
    cancel: &'a Cancel,
}

impl<'a, R: Read> Bundle<'a, R> {
    fn new(from: R, allowance: &'a Cell<u64>, cancel: &'a Cancel) -> Self {
        let settings = ReaderSettings { track_path: false, restrict_number_values: false, ..Default::default() };
        // The JSON reader asks for a kilobyte at a time.
        let from = BufReader::with_capacity(CHUNK, from);
        let json = JsonStreamReader::new_custom(Metered { from, allowance, cancel }, settings);
        Bundle { json, allowance, cancel }
    }

    /// Goes into the object that comes next.
    fn enter(&mut self) -> Result<(), Fault> {
        self.json.begin_object().map_err(|error| self.fault(error))
    }

    /// Leaves the outermost object, after which nothing may come.
    fn leave(mut self) -> Result<(), Fault> {
        let cancel = self.cancel;
        self.json.end_object().map_err(|error| self.fault(error))?;
        self.json.consume_trailing_whitespace().map_err(|error| fault(error, cancel))
    }

    /// The next key of the object, unless it ends here.
    fn key(&mut self) -> Result<Option<String>, Fault> {
        if !self.json.has_next().map_err(|error| self.fault(error))? {
            return Ok(None);
        }
        self.within(MAX_KEY, Fault::KeyTooLong, |json| json.next_name_owned()).map(Some)
    }

    /// The manifest, written anew: same keys, same order, same numbers, other blank space.
    fn manifest(&mut self) -> Result<Vec<u8>, Fault> {
        let mut text = Vec::new();
        let mut writer = JsonStreamWriter::new(&mut text);
        self.within(MAX_MANIFEST.0, Fault::ManifestTooLong, |json| {
            json.transfer_to(&mut writer).map_err(|error| match error {
                TransferError::ReaderError(error) => error,
                TransferError::WriterError(error) => ReaderError::IoError { error, location: nowhere() },
            })
        })?;
        writer.finish_document()?;
        Ok(text)
    }

    fn files(&mut self, intake: &mut Intake<'_>) -> Result<(), Fault> {
        if self.peek()? != ValueType::Object {
            return Err(Fault::FilesNotAnObject);
        }
        let mut names = Names::default();
        let mut count = 0;
        self.enter()?;
        while let Some(name) = self.key()? {
            count += 1;
            if count > MAX_ENTRIES {
                return Err(Fault::TooManyEntries { count });
            }
            let path: SafePath = name.parse().map_err(|why| Fault::UnsafePath { name: excerpt(&name), why })?;
            if let Some(other) = manifest_above(&path) {
                return Err(Fault::FileAndFolder { path, other });
            }
            names.add(path.clone(), EntryKind::File)?;
            if self.peek()? != ValueType::String {
                return Err(Fault::NotText { path });
            }
            self.text(&path, intake)?;
        }
        self.json.end_object().map_err(|error| self.fault(error))
    }

    fn text(&mut self, path: &SafePath, intake: &mut Intake<'_>) -> Result<(), Fault> {
        let cancel = self.cancel;
        let mut text = self.json.next_string_reader().map_err(|error| fault(error, cancel))?;
        intake.file(path, |chunk| text.read(chunk).map_err(|error| text_fault(error, cancel)))?;
        // A file that is not wanted or too long has been read in part only; the JSON goes on behind it.
        io::copy(&mut text, &mut io::sink()).map_err(|error| text_fault(error, cancel))?;
        Ok(())
    }

    fn peek(&mut self) -> Result<ValueType, Fault> {
        self.json.peek().map_err(|error| self.fault(error))
    }

    /// Lets something be read that is taken into memory, up to so many bytes.
    fn within<T>(
        &mut self,
        bytes: u64,
        too_long: Fault,
        read: impl FnOnce(&mut JsonStreamReader<Metered<'a, BufReader<R>>>) -> Result<T, ReaderError>,
    ) -> Result<T, Fault> {
        self.allowance.set(bytes);
        let value = read(&mut self.json);
        let used_up = self.allowance.replace(u64::MAX) == 0;
        value.map_err(|error| if used_up { too_long } else { self.fault(error) })
    }

    fn fault(&self, error: ReaderError) -> Fault {
        fault(error, self.cancel)
    }
}

/// Stops reading when the allowance is used up or the reader of all this wants to stop.
struct Metered<'a, R> {
    from: R,
    allowance: &'a Cell<u64>,
    cancel: &'a Cancel,
}

impl<R: Read> Read for Metered<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let left = self.allowance.get();
        if left == 0 || self.cancel.is_asked() {
            return Err(io::Error::other("stopped"));
        }
        let most = into.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let n = self.from.read(&mut into[..most])?;
        self.allowance.set(left - n as u64);
        Ok(n)
    }
}

fn fault(error: ReaderError, cancel: &Cancel) -> Fault {
    let not_json = |why| Fault::NotJson { why };
    match error {
        _ if cancel.is_asked() => Fault::Interrupted,
        ReaderError::SyntaxError(error) => not_json(syntax(&error)),
        ReaderError::IoError { error, .. } => decoding(error, not_json),
        other => not_json(excerpt(&other.to_string())),
    }
}

/// The reader of a text puts its errors into the system's; they are what the JSON reader would have said.
fn text_fault(error: io::Error, cancel: &Cancel) -> Fault {
    let inner = match error.downcast::<JsonSyntaxError>() {
        Ok(error) => return fault(error.into(), cancel),
        Err(error) => error,
    };
    match inner.downcast::<ReaderError>() {
        Ok(error) => fault(error, cancel),
        Err(error) => fault(ReaderError::IoError { error, location: nowhere() }, cancel),
    }
}

fn syntax(error: &JsonSyntaxError) -> String {
    let place = error.location.line_pos.as_ref();
    let place = place.map(|at| format!(" at line {}, column {}", at.line + 1, at.column + 1)).unwrap_or_default();
    format!("{}{place}", error.kind)
}

fn nowhere() -> JsonReaderPosition {
    JsonReaderPosition { path: None, line_pos: None, data_pos: None }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{FILES, bundle, faults, manifest, manifest_json, unpacked};
    use super::super::{Container, Sink, unpack};
    use super::*;
    use crate::types::{Code, Coded};
    use std::io::Cursor;

    /// A bundle with something in place of its files.
    fn with_files(files: &str) -> String {
        format!(r#"{{"manifest":{},"files":{files}}}"#, manifest_json(FILES))
    }

    fn fault(artifact: impl AsRef<[u8]>) -> String {
        faults(artifact.as_ref(), &manifest(FILES)).remove(0)
    }

    #[test]
    fn a_bundle_of_what_was_declared_is_unpacked() {
        let ordinary = bundle(FILES);
        let manifest_text = manifest_json(FILES);
        let files = &ordinary[ordinary.find(",\"files\":{").unwrap() + 1..ordinary.len() - 1];
        let turned = format!("{{ {files} , \"manifest\" : {manifest_text}\n}}\n");
        let escaped = ordinary.replace("catalogs/knacks", "catalogs\\/\\u006bnacks").replace('ü', "\\u00fc");
        let pair = ordinary.replace('🜂', "\\ud83d\\udf02");
        for text in [&ordinary, &turned, &escaped, &pair] {
            let (contents, sink) = unpacked(text.as_bytes(), &manifest(FILES));
            let contents = contents.unwrap_or_else(|faults| panic!("{faults:?} in {text}"));
            assert_eq!(contents.wrapping.container, Container::Bundle);
            assert_eq!(contents.wrapping.manifest_json, manifest_json(FILES).as_bytes());
            assert_eq!(contents.ruleset, FILES[0].1);
            assert_eq!(contents.catalogs.len(), 1);
            assert!(sink.is_between_files());
            for (path, content) in FILES {
                assert_eq!(sink.files[&path.parse().unwrap()], *content);
            }
        }
    }

    #[test]
    fn nothing_but_a_manifest_and_files_belongs_in_a_bundle() {
        let manifest_text = manifest_json(FILES);
        assert_eq!(fault(format!(r#"{{"manifest":{manifest_text}}}"#)), "NoFiles");
        assert_eq!(fault(r#"{"files":{}}"#), "NoManifest");
        assert_eq!(fault("{}"), "NoManifest");
        let longer = |more: &str| {
            let text = bundle(FILES);
            format!("{},{more}}}", &text[..text.len() - 1])
        };
        assert_eq!(fault(longer(r#""version":1"#)), "UnknownKey");
        assert_eq!(fault(longer(r#""":1"#)), "UnknownKey");
        assert_eq!(fault(longer(&format!(r#""manifest":{manifest_text}"#))), "KeyTwice");
        assert_eq!(fault(longer(r#""files":{}"#)), "KeyTwice");
        assert_eq!(fault(longer(r#""\u0066iles":{}"#)), "KeyTwice");
        assert_eq!(fault(r#"{"name":"Ember Roads"}"#), "UnknownKey");
    }

    #[test]
    fn the_manifest_inside_is_the_catalogs() {
        let with = |manifest_text: &str| fault(bundle(FILES).replace(&manifest_json(FILES), manifest_text));
        assert_eq!(with(&manifest_json(FILES).replace("Ember Roads", "Ember Road")), "ManifestDiffers");
        assert_eq!(with("\"text\""), "ManifestUnreadable");
        assert_eq!(with("null"), "ManifestUnreadable");
        let long = " ".repeat(MAX_MANIFEST.0 as usize + 2000);
        assert_eq!(with(&format!("{{{long}}}")), "ManifestTooLong");
        assert_eq!(with(&format!(r#"{{"a":"{long}"}}"#)), "ManifestTooLong");
        assert_eq!(with(&"[".repeat(300)), "NotJson");
    }

    #[test]
    fn only_texts_under_safe_names_are_files() {
        assert_eq!(fault(with_files("[]")), "FilesNotAnObject");
        assert_eq!(fault(with_files("null")), "FilesNotAnObject");
        for value in ["{}", "null", "1", "[]", "true"] {
            assert_eq!(fault(with_files(&format!(r#"{{"ruleset.json":{value}}}"#))), "NotText");
        }
        for name in ["../ruleset.json", "/etc/passwd", "a\\\\b", "C:x", "", "nul", "a\\u0000", "catalogs/"] {
            let (result, _) = unpacked(with_files(&format!(r#"{{"{name}":""}}"#)).as_bytes(), &manifest(FILES));
            assert_eq!(result.unwrap_err().code(), Code::UnsafePath, "{name}");
        }
        let two = |one: &str, other: &str| with_files(&format!(r#"{{"{one}":"","{other}":""}}"#));
        assert_eq!(faults(two("a", "a").as_bytes(), &manifest(FILES))[0], "SameName");
        assert_eq!(faults(two("a", "\\u0061").as_bytes(), &manifest(FILES))[0], "SameName");
        assert_eq!(faults(two("a", "A").as_bytes(), &manifest(FILES))[0], "Twins");
        assert_eq!(faults(two("a", "a/b").as_bytes(), &manifest(FILES))[0], "FileAndFolder");
        for below in ["manifest.json/x", "Manifest.JSON/a/b"] {
            assert_eq!(fault(with_files(&format!(r#"{{"{below}":""}}"#))), "FileAndFolder", "{below}");
        }
    }

    #[test]
    fn the_list_is_exactly_the_declared_one_and_all_differences_are_told() {
        let text = with_files(r#"{"ruleset.json":"{}","catalogs/knacks.json":"{}","manifest.json":""}"#);
        assert_eq!(faults(text.as_bytes(), &manifest(FILES)), ["Mismatch", "Mismatch", "Undeclared", "Missing"]);
        let longer = bundle(FILES).replace("not looked", "not even looked");
        assert_eq!(faults(longer.as_bytes(), &manifest(FILES)), ["Mismatch"]);
        assert_eq!(fault(with_files("{}")), "Missing");
        let embedded = bundle(&[("ruleset.json", b"{}"), ("locales/ru.json", b"{}")]);
        assert_eq!(faults(embedded.as_bytes(), &manifest(FILES))[0], "ManifestDiffers");
    }

    #[test]
    fn what_is_not_strict_json_is_refused() {
        let text = bundle(FILES);
        for end in [1, 2, 10, text.len() / 2, text.len() - 20] {
            assert_eq!(fault(&text[..text.len() - end]), "NotJson");
        }
        assert_eq!(fault(format!("{text}x")), "NotJson");
        assert_eq!(fault(format!("{text}{{}}")), "NotJson");
        assert_eq!(fault(format!("{text}\0")), "NotJson");
        assert_eq!(fault(format!("{},}}", &text[..text.len() - 1])), "NotJson");
        for value in [r#""\ud83d""#, r#""\udf02\ud83d""#, r#""\x""#, "\"a\nb\"", "'a'", r#""a"#] {
            assert_eq!(fault(with_files(&format!(r#"{{"ruleset.json":{value}}}"#))), "NotJson", "{value}");
        }
        let mut bytes = with_files(r#"{"ruleset.json":"?"}"#).into_bytes();
        let at = bytes.iter().rposition(|byte| *byte == b'?').unwrap();
        for wrong in [0xff, 0xc3, 0x80] {
            bytes[at] = wrong;
            assert_eq!(fault(&bytes), "NotJson");
        }
        assert_eq!(fault("{// a comment\n}"), "NotJson");
    }

    #[test]
    fn the_place_of_a_fault_is_counted_from_one() {
        let message = |text: &str| unpacked(text.as_bytes(), &manifest(FILES)).0.unwrap_err().to_string();
        assert_eq!(message("{\n x}"), "the bundle is not JSON: ExpectingMemberNameOrObjectEnd at line 2, column 2");
        let message = message(&format!("{{\"manifest\":{},\n\"files\":{{\"a\":\"\\x\"}}}}", manifest_json(FILES)));
        assert!(message.ends_with("UnknownEscapeSequence at line 2, column 15"), "{message}");
    }

    #[test]
    fn keys_and_their_number_are_limited() {
        let long = "a".repeat(2 * MAX_KEY as usize);
        assert_eq!(fault(format!("{{\"{long}\":1}}")), "KeyTooLong");
        assert_eq!(fault(with_files(&format!("{{\"{long}\":1}}"))), "KeyTooLong");
        let many: Vec<_> = (0..=MAX_ENTRIES).map(|n| format!("\"f{n}\":\"\"")).collect();
        assert_eq!(fault(with_files(&format!("{{{}}}", many.join(",")))), "TooManyEntries");
    }

    #[test]
    fn it_ends_soon_when_asked_to() {
        struct Asking(Cancel);
        impl Sink for Asking {
            fn begin(&mut self, _: &SafePath) -> io::Result<()> {
                self.0.flag().store(true, std::sync::atomic::Ordering::Relaxed);
                Ok(())
            }
            fn write(&mut self, _: &[u8]) -> io::Result<()> {
                panic!("bytes after the wish to stop")
            }
            fn end(&mut self) -> io::Result<()> {
                panic!("bytes after the wish to stop")
            }
        }
        let cancel = Cancel::default();
        let text = bundle(FILES);
        let faults = unpack(Cursor::new(&text), &manifest(FILES), &mut Asking(cancel.clone()), &cancel).unwrap_err();
        assert_eq!(faults.code(), Code::Interrupted);
        let faults = unpack(Cursor::new(&text), &manifest(FILES), &mut Asking(cancel.clone()), &cancel).unwrap_err();
        assert_eq!(faults.code(), Code::Interrupted);
    }
}
