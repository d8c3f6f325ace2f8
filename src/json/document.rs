use crate::types::{ByteSize, Pointer, Problem};
use serde_json::Value;

/// The most memory a document may take once it is read. Nothing of a mebibyte or less comes near: a longer one that does
/// is made of next to nothing but brackets.
const MAX_TREE: usize = 128 << 20;

/// A whole JSON document out of a file's bytes. What cannot be read is one problem under `code`, with line and column.
/// A byte order mark is no JSON.
pub fn document(bytes: &[u8], code: &str) -> Result<Value, Box<Problem>> {
    let problem = |message: String| Problem::error(code, &Pointer::root(), message);
    if bytes.starts_with(b"\xef\xbb\xbf") {
        let problem = problem("it begins with a byte order mark, which is no JSON".to_owned());
        return Err(Box::new(placed(problem, 1, 1).hint("save the file as UTF-8 without a byte order mark")));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let (line, column) = end_of(&String::from_utf8_lossy(&bytes[..error.valid_up_to()]));
        Box::new(placed(problem("it is not UTF-8".to_owned()), line, column).hint("save the file as UTF-8"))
    })?;
    if tree_size(bytes) > MAX_TREE {
        let message = format!("it would take more than {} of memory to read", ByteSize(MAX_TREE as u64));
        return Err(Box::new(
            problem(message).hint("it holds far too many objects and lists for a file of its length"),
        ));
    }
    serde_json::from_str(text).map_err(|error| {
        let line = text.split('\n').nth(error.line().saturating_sub(1)).unwrap_or_default();
        // The parser counts bytes, readers count characters.
        let before = line.char_indices().take_while(|(at, _)| at + 1 < error.column()).count();
        Box::new(placed(problem(format!("it is not JSON: {error}")), error.line() as u64, before as u64 + 1))
    })
}

/// The memory a JSON text of these bytes takes once it is read, at most: an object begins with room for eleven members,
/// a list with room for four, however few they have. Brackets within strings are counted too, which costs no honest text
/// anything.
fn tree_size(bytes: &[u8]) -> usize {
    let each = |byte: &u8| match byte {
        b'{' => 640,
        b'[' => 160,
        b',' => 32,
        _ => 0,
    };
    bytes.iter().map(each).sum()
}

fn placed(mut problem: Problem, line: u64, column: u64) -> Problem {
    (problem.line, problem.column) = (Some(line), Some(column));
    problem
}

/// Line and column of what would follow this text, both counted from 1.
fn end_of(text: &str) -> (u64, u64) {
    let last = text.rsplit('\n').next().unwrap_or_default();
    (text.matches('\n').count() as u64 + 1, last.chars().count() as u64 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_document_that_cannot_be_read_says_where() {
        let place = |bytes: &[u8]| document(bytes, "x").map_err(|p| (p.line.unwrap(), p.column.unwrap())).unwrap_err();
        assert_eq!(place(b"\xef\xbb\xbf{}"), (1, 1));
        assert_eq!(place(b"{\n\"a\": \xff}"), (2, 6));
        assert_eq!(place("{\n\"äöü\" 1}".as_bytes()), (2, 7));
        assert_eq!(place(b"{} x"), (1, 4));
        assert!(document(b"{\"a\": 3.0}", "x").is_ok());
    }

    #[test]
    fn a_document_of_nothing_but_brackets_does_not_fill_the_memory() {
        let of = |unit: &str, bytes: usize| format!("[{unit}{}]", format!(",{unit}").repeat(bytes / (unit.len() + 1)));
        for unit in [r#"{"":0}"#, r#"{"":{"":0}}"#, "[0]", "[[0]]"] {
            assert!(document(of(unit, 1 << 20).as_bytes(), "x").is_ok(), "{unit}");
            let told = document(of(unit, 4 << 20).as_bytes(), "x").unwrap_err();
            assert!(told.message.contains("memory"), "{unit}");
        }
        assert!(document(of("\"long enough a text\"", 4 << 20).as_bytes(), "x").is_ok());
    }

    proptest! {
        #[test]
        fn no_bytes_panic(bytes in any::<Vec<u8>>()) {
            let _ = document(&bytes, "x");
        }
    }
}
