//! Stored sheets as they lie there: a file each, a folder of them, or one a line.

use super::App;
use super::migrate::StoredSheet;
use super::stage::is_stop;
use crate::disk::{Found, OpenFolder};
use crate::inspect::{self, STDIN};
use crate::types::{Code, Failure, Warning, codes};
use serde::de::IgnoredAny;
use serde_json::Deserializer;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// How files of sheets end in a folder, in any case.
const ENDINGS: [&str; 3] = ["json", "jsonl", "ndjson"];

/// What is looked at in a folder.
const IN_FOLDERS: &str = "in a folder the files ending in .json, .jsonl and .ndjson are read, and no folders within it";

impl App {
    /// Reads the sheets at each path: a JSON file, a file with a sheet a line (JSON lines), a folder of such files, or `-`
    /// for stdin. What cannot be read is one sheet less, and keeps nobody from the others. A folder without a file of
    /// sheets is told in a warning.
    ///
    /// # Errors
    ///
    /// When it is asked to stop.
    pub(super) fn read_sheets(&self, paths: &[PathBuf]) -> Result<Vec<StoredSheet>, Failure> {
        let mut sheets = Vec::new();
        for path in paths {
            self.stop_if_asked()?;
            if path == Path::new("-") {
                sheets.extend(sheets_of(STDIN, inspect::stdin(u64::MAX, &self.cancel))?);
            } else if path.is_dir() {
                self.read_folder(path, &mut sheets)?;
            } else {
                let read = inspect::named(path, u64::MAX, &self.cancel);
                sheets.extend(sheets_of(&path.display().to_string(), read)?);
            }
        }
        Ok(sheets)
    }

    fn read_folder(&self, path: &Path, sheets: &mut Vec<StoredSheet>) -> Result<(), Failure> {
        let listed = OpenFolder::open(path).and_then(|folder| Ok((files_in(&folder)?, folder)));
        let (files, folder) = match listed {
            Ok(listed) => listed,
            Err(error) => {
                sheets.extend(sheets_of(&path.display().to_string(), Err(inspect::unreadable(path, &error)))?);
                return Ok(());
            }
        };
        if files.is_empty() {
            let text = format!("no sheets lie in `{}`: {}", path.display(), IN_FOLDERS);
            self.warn(Warning::new(codes::NO_SHEETS, text));
        }
        for name in files {
            self.stop_if_asked()?;
            let file = path.join(&name);
            let read = folder.read_up_to(&name, u64::MAX).map_err(|error| inspect::unreadable(&file, &error));
            sheets.extend(sheets_of(&file.display().to_string(), read)?);
        }
        Ok(())
    }
}

/// The sheets in what was read, or the one there is less since it could not be.
fn sheets_of(source: &str, read: Result<Vec<u8>, Failure>) -> Result<Vec<StoredSheet>, Failure> {
    match read {
        Ok(bytes) => Ok(sheets_in(source, &bytes)),
        Err(failure) if is_stop(&failure) => Err(failure),
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
        if let Some(Found::File | Found::Link) = folder.find(&name)? {
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
            (Some(Ok(_)), false) => Err("more follows after the sheet, which is not on a line of its own".to_owned()),
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

/// Whether what is no single document is one a line: the first line is one, or, where that one is broken, a later one is
/// an object that begins its line. Within a document over several lines what is nested is indented.
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
        .map_err(|why| Failure::new(Code::InvalidSheet, format!("`{source}` is left alone: it is no JSON: {why}")));
    StoredSheet { source, text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

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
