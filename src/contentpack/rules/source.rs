use crate::json::document;
use crate::types::{ByteSize, Pointer, Problem};
use serde_json::Value;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The largest file that is read. The largest rule of DiceFrame itself has 26 kB.
const MAX_BYTES: u64 = 16 << 20;

/// A file that holds one JSON object, as it was read.
#[derive(Clone, Debug)]
pub struct Source {
    /// Where it lies, absolute.
    pub path: PathBuf,
    /// Its text, which findings are placed in.
    pub text: String,
    /// What it says: always an object.
    pub value: Value,
}

impl Source {
    /// Reads a file. Whatever keeps it from being a JSON object is one finding under `code`, about that file: bytes that
    /// are not UTF-8, a byte order mark, `NaN`, nesting below 127 levels, more than 16 MiB.
    pub fn read(path: &Path, code: &str) -> Result<Source, Box<Problem>> {
        let about = |problem: Problem| Box::new(Problem { file: Some(path.display().to_string()), ..problem });
        let fault = |message: String| about(Problem::error(code, &Pointer::root(), message));
        let bytes = bytes(path).map_err(fault)?;
        let value = document(&bytes, code).map_err(|problem| about(*problem))?;
        if !value.is_object() {
            return Err(fault(format!("it holds {}, where an object is wanted", kind(&value))));
        }
        let text = String::from_utf8(bytes).map_err(|_| fault("it is not UTF-8".to_owned()))?;
        Ok(Source { path: path.to_owned(), text, value })
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

fn bytes(path: &Path) -> Result<Vec<u8>, String> {
    let unreadable = |error: std::io::Error| format!("it cannot be read: {error}");
    // What is no plain file, a pipe say, could be waited for without end.
    if !std::fs::metadata(path).map_err(unreadable)?.is_file() {
        return Err("it is no file".to_owned());
    }
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes)).map_err(unreadable)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(format!("it is larger than {}", ByteSize(MAX_BYTES)));
    }
    Ok(bytes)
}

/// Whether DiceFrame takes a value for a yes: anything but `false`, 0, `null` and what is empty.
pub fn is_truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(yes) => *yes,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) => !members.is_empty(),
    }
}

/// What a value is, in words and short enough for a message.
pub fn kind(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(yes) => yes.to_string(),
        Value::Number(number) => format!("the number {number}"),
        Value::String(text) => format!("the text \"{}\"", crate::json::excerpt(text)),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}
