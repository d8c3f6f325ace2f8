//! Stored sheets as they lie there: a file each, a folder of them, or one a line.

use super::failure::failure as unreadable;
use super::read::{self, STDIN};
use crate::disk::{FileKind, OpenFolder};
use crate::json;
use crate::types::{Cancel, Code, Failure, Warning, codes};
use serde::de::IgnoredAny;
use serde_json::{Deserializer, Value};
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// How files of sheets end in a folder, in any case.
const ENDINGS: [&str; 3] = ["json", "jsonl", "ndjson"];

/// What is looked at in a folder.
const IN_FOLDERS: &str = "only files ending in .json, .jsonl or .ndjson are read, and no subfolders";

/// A stored sheet as it was read, and where: a file, `<stdin>`, or a line of one.
#[derive(Clone, Debug)]
pub struct StoredSheet {
    pub source: String,
    /// The text of the sheet, or why it could not be read.
    text: Result<Vec<u8>, Failure>,
}

impl StoredSheet {
    /// The sheet as JSON, whatever it holds.
    ///
    /// # Errors
    ///
    /// Why it could not be read; `invalid-sheet` for what is no JSON, or too deep to be used.
    pub fn json(&self) -> Result<Value, Failure> {
        let text = self.text.as_ref().map_err(Clone::clone)?;
        if let Some(why) = json::too_much(text) {
            return Err(self.refusal(why));
        }
        serde_json::from_slice(text).map_err(|error| self.refusal(format!("it is not JSON: {error}")))
    }

    /// Why nothing is done with it.
    pub fn refusal(&self, why: impl fmt::Display) -> Failure {
        Failure::new(Code::InvalidSheet, format!("skipped `{}`: {why}", self.source))
    }
}

/// Reads the sheets at each path: a JSON file, a file with a sheet a line (JSON lines), a folder of such files, or `-`
/// for stdin. What cannot be read is one sheet less, and keeps nobody from the others. A folder without a file of
/// sheets is told in a warning.
///
/// # Errors
///
/// When it is asked to stop.
pub fn read_sheets(paths: &[PathBuf], cancel: &Cancel) -> Result<(Vec<StoredSheet>, Vec<Warning>), Failure> {
    let (mut sheets, mut warnings) = (Vec::new(), Vec::new());
    for path in paths {
        cancel.stop_if_asked()?;
        if path == Path::new("-") {
            sheets.extend(sheets_of(STDIN, read::stdin(u64::MAX, cancel))?);
        } else if path.is_dir() {
            warnings.extend(read_folder(path, &mut sheets, cancel)?);
        } else {
            let read = read::named(path, u64::MAX, cancel);
            sheets.extend(sheets_of(&path.display().to_string(), read)?);
        }
    }
    Ok((sheets, warnings))
}

fn read_folder(path: &Path, sheets: &mut Vec<StoredSheet>, cancel: &Cancel) -> Result<Option<Warning>, Failure> {
    let listed = OpenFolder::open(path).and_then(|folder| Ok((files_in(&folder)?, folder)));
    let (files, folder) = match listed {
        Ok(listed) => listed,
        Err(error) => {
            sheets.extend(sheets_of(&path.display().to_string(), Err(unreadable(path, &error)))?);
            return Ok(None);
        }
    };
    let no_sheets = files.is_empty().then(|| {
        let text = format!("there are no sheets in `{}`: {}", path.display(), IN_FOLDERS);
        Warning::new(codes::NO_SHEETS, text)
    });
    for name in files {
        cancel.stop_if_asked()?;
        let file = path.join(&name);
        let read = folder.read_up_to(&name, u64::MAX).map_err(|error| unreadable(&file, &error));
        sheets.extend(sheets_of(&file.display().to_string(), read)?);
    }
    Ok(no_sheets)
}

/// The sheets in what was read, or the one there is less since it could not be.
fn sheets_of(source: &str, read: Result<Vec<u8>, Failure>) -> Result<Vec<StoredSheet>, Failure> {
    match read {
        Ok(bytes) => Ok(sheets_in(source, &bytes)),
        Err(failure) if failure.code == Code::Interrupted => Err(failure),
        Err(failure) => Ok(vec![StoredSheet { source: source.to_owned(), text: Err(failure) }]),
    }
}

/// The files of sheets in a folder, by name. A link is none that is read, and is told of.
fn files_in(folder: &OpenFolder) -> io::Result<Vec<OsString>> {
    let is_of_sheets = |name: &OsString| {
        let ending = Path::new(name).extension().unwrap_or_default();
        ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known))
    };
    let mut files = Vec::new();
    for name in folder.names()?.into_iter().filter(is_of_sheets) {
        if let Some(FileKind::File | FileKind::Link) = folder.find(&name)? {
            files.push(name);
        }
    }
    Ok(files)
}

/// One document is one sheet, and where lines are documents by themselves each line is one.
fn sheets_in(source: &str, bytes: &[u8]) -> Vec<StoredSheet> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut documents = Deserializer::from_slice(bytes).into_iter::<IgnoredAny>();
    let first = documents.next();
    let is_whole = bytes[documents.byte_offset()..].trim_ascii().is_empty();
    if is_whole || !is_lines(bytes) {
        let sheet = match (first, is_whole) {
            (Some(Ok(_)), true) => Ok(bytes),
            (Some(Err(error)), _) => Err(error.to_string()),
            (Some(Ok(_)), false) => Err("more follows the sheet on the same line".to_owned()),
            (None, _) => Err("it is empty".to_owned()),
        };
        return vec![stored(source.to_owned(), sheet)];
    }
    lines_of(bytes).map(|(at, line)| stored(format!("{source}:{}", at + 1), Ok(line))).collect()
}

/// The lines that say something, each with its place.
fn lines_of(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    bytes.split(|byte| *byte == b'\n').enumerate().filter(|(_, line)| !line.trim_ascii().is_empty())
}

/// Whether what is no single document is one a line: the first line is one, or, where that one is broken, a later one
/// is an object that begins its line. Within a document over several lines what is nested is indented.
fn is_lines(bytes: &[u8]) -> bool {
    let is_document = |line: &[u8]| serde_json::from_slice::<IgnoredAny>(line).is_ok();
    let mut lines = lines_of(bytes).map(|(_, line)| line);
    let (Some(first), Some(second)) = (lines.next(), lines.next()) else { return false };
    let begins_and_ends = |line: &[u8]| line.starts_with(b"{") && is_document(line);
    is_document(first) || begins_and_ends(second) || lines.any(begins_and_ends)
}

fn stored(source: String, text: Result<&[u8], String>) -> StoredSheet {
    let text = text
        .map(<[u8]>::to_vec)
        .map_err(|why| Failure::new(Code::InvalidSheet, format!("skipped `{source}`: it is not JSON: {why}")));
    StoredSheet { source, text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_one_sheet_or_a_sheet_a_line() {
        let told = |text: &str| -> Vec<String> {
            let sheets = sheets_in("x", text.as_bytes()).into_iter();
            let is_read =
                |it: &StoredSheet| it.text.as_ref().is_ok_and(|text| serde_json::from_slice::<Value>(text).is_ok());
            sheets.map(|it| format!("{} {}", it.source, if is_read(&it) { "read" } else { "refused" })).collect()
        };
        for (text, expected) in [
            ("{\n  \"v\": 1\n}\n", vec!["x read"]),
            ("\u{feff}{}", vec!["x read"]),
            ("{\"v\": 1}\n\n{\"v\": 2}\n", vec!["x:1 read", "x:3 read"]),
            ("{\"v\": 1}\n{\"v\": \n{\"v\": 3}", vec!["x:1 read", "x:2 refused", "x:3 read"]),
            ("{\"v\": 1, \n{\"v\": 2}\n{\"v\": 3}\n", vec!["x:1 refused", "x:2 read", "x:3 read"]),
            ("\n{\r\n{\"v\": 2}\r\n", vec!["x:2 refused", "x:3 read"]),
            ("{\n  \"v\": 1,\n}", vec!["x refused"]),
            ("{\"v\": 1,\n \"build\":\n  {}\n,}", vec!["x refused"]),
            ("{\n}\n{\n}", vec!["x refused"]),
            ("", vec!["x refused"]),
            ("v: 1", vec!["x refused"]),
            (&format!("{{\"v\": {}1{}}}", "[".repeat(200), "]".repeat(200)), vec!["x refused"]),
        ] {
            assert_eq!(told(text), expected, "{text}");
        }
    }
}
