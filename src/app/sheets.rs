//! Stored sheets as they lie there: a file each, a folder of them, or one a line.

use super::App;
use super::migrate::StoredSheet;
use crate::types::{Code, Failure};
use serde_json::{Deserializer, Value};
use std::io;
use std::path::{Path, PathBuf};

/// What stdin is called where a file's path would stand.
const STDIN: &str = "<stdin>";

impl App {
    /// Reads the sheets at each path: a JSON file, a file with a sheet a line (JSON lines), a folder of `.json` files, or
    /// `-` for stdin. What cannot be read is one sheet less, and keeps nobody from the others.
    ///
    /// # Errors
    ///
    /// When it is asked to stop.
    pub(super) fn read_sheets(&self, paths: &[PathBuf]) -> Result<Vec<StoredSheet>, Failure> {
        let mut sheets = Vec::new();
        let mut take = |source: &str, read: io::Result<Vec<u8>>| match read {
            Ok(bytes) => sheets.extend(sheets_in(source, &bytes)),
            Err(error) => sheets.push(unreadable(source, &error)),
        };
        for path in paths {
            if path == Path::new("-") {
                take(STDIN, self.stdin()?);
                continue;
            }
            for file in files_at(path) {
                self.stop_if_asked()?;
                take(&file.display().to_string(), std::fs::read(&file));
            }
        }
        Ok(sheets)
    }
}

/// The file itself, or the `.json` files of a folder by name.
fn files_at(path: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(path) else { return vec![path.to_owned()] };
    let is_json = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "json") && path.is_file();
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(is_json).collect();
    files.sort();
    files
}

/// One document is one sheet; where the first line is a document by itself and more follows, each line is one.
fn sheets_in(source: &str, bytes: &[u8]) -> Vec<StoredSheet> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut documents = Deserializer::from_slice(bytes).into_iter::<Value>();
    let first = documents.next();
    let is_whole = bytes[documents.byte_offset()..].trim_ascii().is_empty();
    let first_line = bytes.split(|byte| *byte == b'\n').find(|line| !line.trim_ascii().is_empty());
    let is_lines = !is_whole && first_line.is_some_and(|line| serde_json::from_slice::<Value>(line).is_ok());
    if !is_lines {
        let sheet = match (first, is_whole) {
            (Some(Ok(sheet)), true) => Ok(sheet),
            (Some(Err(error)), _) => Err(error.to_string()),
            (Some(Ok(_)), false) => Err("more follows after the sheet, which is not on a line of its own".to_owned()),
            (None, _) => Err("it is empty".to_owned()),
        };
        return vec![stored(source.to_owned(), sheet)];
    }
    let lines = bytes.split(|byte| *byte == b'\n').enumerate().filter(|(_, line)| !line.trim_ascii().is_empty());
    lines
        .map(|(at, line)| {
            let sheet = serde_json::from_slice(line).map_err(|error| error.to_string());
            stored(format!("{source}:{}", at + 1), sheet)
        })
        .collect()
}

fn stored(source: String, sheet: Result<Value, String>) -> StoredSheet {
    let sheet = sheet
        .map_err(|why| Failure::new(Code::InvalidSheet, format!("`{source}` is left alone: it is no JSON: {why}")));
    StoredSheet { source, sheet }
}

fn unreadable(source: &str, error: &io::Error) -> StoredSheet {
    let failure = match error.kind() {
        io::ErrorKind::NotFound => Failure::new(Code::FileNotFound, format!("there is no `{source}`"))
            .hint("relative paths begin at the current folder"),
        _ => Failure::new(Code::of_io(error), format!("`{source}` cannot be read: {error}")),
    };
    StoredSheet { source: source.to_owned(), sheet: Err(failure) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_one_sheet_or_a_sheet_a_line() {
        let told = |text: &str| -> Vec<String> {
            let sheets = sheets_in("x", text.as_bytes()).into_iter();
            sheets.map(|it| format!("{} {}", it.source, if it.sheet.is_ok() { "read" } else { "refused" })).collect()
        };
        for (text, expected) in [
            ("{\n  \"v\": 1\n}\n", vec!["x read"]),
            ("\u{feff}{}", vec!["x read"]),
            ("{\"v\": 1}\n\n{\"v\": 2}\n", vec!["x:1 read", "x:3 read"]),
            ("{\"v\": 1}\n{\"v\": \n{\"v\": 3}", vec!["x:1 read", "x:2 refused", "x:3 read"]),
            ("{\n  \"v\": 1,\n}", vec!["x refused"]),
            ("{\n}\n{\n}", vec!["x refused"]),
            ("", vec!["x refused"]),
            ("v: 1", vec!["x refused"]),
        ] {
            assert_eq!(told(text), expected, "{text}");
        }
    }
}
