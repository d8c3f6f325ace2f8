use std::borrow::Cow;

/// A JSON text with the line ends it is published with, whatever a checkout made of them (B10). No JSON string holds a
/// line end as itself, so the text says the same.
pub(crate) fn published<'b>(path: &str, bytes: &'b [u8]) -> Cow<'b, [u8]> {
    if !path.ends_with(".json") || !bytes.windows(2).any(|pair| pair == b"\r\n") {
        return Cow::Borrowed(bytes);
    }
    let is_kept = |at: &usize| !bytes[*at..].starts_with(b"\r\n");
    Cow::Owned((0..bytes.len()).filter(is_kept).map(|at| bytes[at]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_of_json_become_those_of_unix_and_nothing_else_does() {
        for (path, bytes, wanted) in [
            ("a.json", "{\r\n}\r\n", "{\n}\n"),
            ("a.json", "{\r\r\n}\r", "{\r\n}\r"),
            ("a.json", "{\n}", "{\n}"),
            ("a.json", "", ""),
            ("a.png", "\r\n", "\r\n"),
        ] {
            assert_eq!(published(path, bytes.as_bytes()), wanted.as_bytes(), "{bytes:?}");
        }
    }
}
