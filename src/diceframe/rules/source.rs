use super::read::{is_truthy, kind};
use crate::diceframe::codes;
use crate::disk::read_up_to;
use crate::json::{Object, document, locate, repeated_keys_under};
use crate::types::{ByteSize, Pointer, Problem, Rule};
use serde_json::Value;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The largest file that is read. The largest rule of DiceFrame itself has 26 kB.
const MAX_BYTES: u64 = 16 << 20;

/// A file that holds one JSON object, as it was read.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Where it lies, absolute.
    pub path: PathBuf,
    /// Its text, which findings are placed in.
    pub text: String,
    /// What it says: always an object.
    pub value: Value,
    /// The keys written twice in it, once somebody has asked: of a base all that extend it do.
    repeated: OnceLock<Vec<Problem>>,
    /// The keys of the one table whose order counts, as they are written, once somebody has asked.
    written: OnceLock<Option<Vec<String>>>,
}

impl SourceFile {
    /// Reads a file from where it is held `open`. Whatever keeps it from being a JSON object is one finding under
    /// `code`, about that file: bytes that are not UTF-8, a byte order mark, `NaN`, nesting below 127 levels, more than
    /// 16 MiB.
    pub fn read(path: &Path, open: io::Result<File>, code: &'static Rule) -> Result<SourceFile, Box<Problem>> {
        let fault = |message: String| Box::new(Problem::new(code, &Pointer::root(), message));
        let about = |problem: Box<Problem>| Box::new(Problem { file: Some(path.display().to_string()), ..*problem });
        let bytes = bytes(open).map_err(|why| about(fault(why)))?;
        let placed = |mut problem: Box<Problem>| {
            locate(&bytes, [problem.as_mut()]);
            about(problem)
        };
        let value = document(&bytes, code).map_err(placed)?;
        if !value.is_object() {
            return Err(placed(fault(format!("it contains {}, but should be an object", kind(&value)))));
        }
        let text = String::from_utf8(bytes).map_err(|_| fault("it is not UTF-8".to_owned()))?;
        Ok(SourceFile::new(path.to_owned(), text, value))
    }

    pub(in crate::diceframe) fn new(path: PathBuf, text: String, value: Value) -> Self {
        SourceFile { path, text, value, repeated: OnceLock::new(), written: OnceLock::new() }
    }

    /// D36: the keys that stand in it twice.
    pub(super) fn repeated(&self) -> &[Problem] {
        self.repeated.get_or_init(|| repeated_keys_under(codes::D36, self.text.as_bytes()))
    }

    /// The keys of the object under `table`, which is always the same one, in the order they are written; nothing where
    /// no object stands there.
    pub(super) fn keys_under(&self, table: &str) -> Option<&[String]> {
        let read = || {
            let file = Object::parse(&self.text, Pointer::root()).ok()?;
            let table = Object::parse(file.get(table)?.get(), Pointer::root()).ok()?;
            Some(table.fields().map(|(key, _)| key.to_owned()).collect())
        };
        self.written.get_or_init(read).as_deref()
    }

    /// How findings name the file.
    pub fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// Whether this is a base that others extend and nobody plays (`abstract`).
    pub fn is_abstract(&self) -> bool {
        self.value.get("abstract").is_some_and(is_truthy)
    }
}

/// Where a file really lies, if the system can tell.
pub(super) fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

fn bytes(open: io::Result<File>) -> Result<Vec<u8>, String> {
    let bytes = open.and_then(|file| read_up_to(file, MAX_BYTES + 1));
    let bytes = bytes.map_err(|error| format!("it cannot be read: {error}"))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(format!("it is larger than {}", ByteSize(MAX_BYTES)));
    }
    Ok(bytes)
}
