use super::broken::{Broken, broken};
use super::places::place;
use super::repeated::repeated_keys;
use super::tree::tree;
use crate::types::{ByteSize, Pointer, Problem, Rule};
use serde_json::Value;
use std::ops::Range;

/// Whatever a text of so many bytes or fewer is made of, it takes less than [`MAX_TREE`], so it need not be gone
/// through.
const SMALL: usize = 256 << 10;

/// The most memory a document may take once it is read. What an author writes never comes near: a document that does is
/// made of next to nothing but brackets.
const MAX_TREE: usize = 80 << 20;

/// A whole JSON document out of a file's bytes. What cannot be read is one problem under `code`, with line and column.
/// A byte order mark is not JSON.
pub fn document(bytes: &[u8], code: &'static Rule) -> Result<Value, Box<Problem>> {
    read(bytes, code).map(|(value, _)| value)
}

/// The same with [`repeated_keys`], which are looked for only where there are some.
pub fn document_and_repeats(bytes: &[u8], code: &'static Rule) -> Result<(Value, Vec<Problem>), Box<Problem>> {
    let (value, has_repeated) = read(bytes, code)?;
    Ok((value, if has_repeated { repeated_keys(bytes) } else { Vec::new() }))
}

fn read(bytes: &[u8], code: &'static Rule) -> Result<(Value, bool), Box<Problem>> {
    let problem = |message: String| Problem::new(code, &Pointer::root(), message);
    if bytes.starts_with(b"\xef\xbb\xbf") {
        let problem = problem("it begins with a byte order mark, which JSON does not allow".to_owned());
        let hint = "save the file as UTF-8 without a byte order mark";
        return Err(Box::new(placed(bytes, 0..0, problem.hint(hint))));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let start = error.valid_up_to();
        let end = error.error_len().map_or(bytes.len(), |length| start + length);
        Box::new(placed(bytes, start..end, problem("it is not UTF-8".to_owned()).hint("save the file as UTF-8")))
    })?;
    if let Some(why) = too_much(bytes) {
        return Err(Box::new(problem(why).hint("it contains far too many objects and lists for its length")));
    }
    tree(text).map_err(|_| Box::new(not_json(text, code)))
}

/// Why a text that the parser refused is not JSON.
pub fn not_json(text: &str, code: &'static Rule) -> Problem {
    let Broken { why, at, hint } = broken(text);
    let problem = Problem::new(code, &Pointer::root(), format!("it is not JSON: {why}"));
    placed(text.as_bytes(), at, Problem { hint: hint.map(str::to_owned), ..problem })
}

/// Why a JSON text is not made a tree of, if it would fill the memory.
pub fn too_much(bytes: &[u8]) -> Option<String> {
    let is_too_much = bytes.len() > SMALL && tree_size(bytes) > MAX_TREE;
    is_too_much.then(|| format!("it would take more than {} of memory to read", ByteSize(MAX_TREE as u64)))
}

/// The memory a JSON text of these bytes takes once it is read, at most: an object begins with room for eleven members,
/// a list with room for four, however few they have, and a key is a text of its own. Brackets within strings are
/// counted too, which costs no honest text anything.
fn tree_size(bytes: &[u8]) -> usize {
    let each = |byte: &u8| match byte {
        b'{' => 640,
        b'[' => 160,
        b',' => 32,
        b':' => 96,
        _ => 0,
    };
    bytes.iter().map(each).sum()
}

fn placed(text: &[u8], at: Range<usize>, mut problem: Problem) -> Problem {
    place(text, [(at, &mut problem)]);
    problem
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_document_that_cannot_be_read_says_where() {
        let place = |bytes: &[u8]| {
            document(bytes, Rule::named("x")).map_err(|p| (p.line.unwrap(), p.column.unwrap())).unwrap_err()
        };
        assert_eq!(place(b"\xef\xbb\xbf{}"), (1, 1));
        assert_eq!(place(b"{\n\"a\": \xff}"), (2, 6));
        assert_eq!(place("{\n\"äöü\" 1}".as_bytes()), (2, 7));
        assert_eq!(place(b"{} x"), (1, 4));
        assert!(document(b"{\"a\": 3.0}", Rule::named("x")).is_ok());
    }

    #[test]
    fn a_document_of_nothing_but_brackets_does_not_fill_the_memory() {
        let of = |unit: &str, bytes: usize| format!("[{unit}{}]", format!(",{unit}").repeat(bytes / (unit.len() + 1)));
        for unit in [r#"{"":0}"#, r#"{"":{"":0}}"#, "[0]", "[[0]]"] {
            assert!(document(of(unit, 1 << 19).as_bytes(), Rule::named("x")).is_ok(), "{unit}");
            let told = document(of(unit, 4 << 20).as_bytes(), Rule::named("x")).unwrap_err();
            assert!(told.message.contains("memory"), "{unit}");
        }
        assert!(document(of("\"long enough a text\"", 4 << 20).as_bytes(), Rule::named("x")).is_ok());
    }

    proptest! {
        #[test]
        fn no_bytes_panic(bytes in any::<Vec<u8>>()) {
            let _ = document(&bytes, Rule::named("x"));
        }
    }
}
