//! Names what came instead of an artifact, for the message only: nothing is decided by it.

/// How many of the first bytes are enough to tell.
pub(super) const ENOUGH: u64 = 512;

/// What bytes that begin like this most likely are.
pub(super) fn like(head: &[u8]) -> &'static str {
    const MAGIC: &[(&[u8], &str)] = &[
        (b"PK\x05\x06", "an empty zip"),
        (b"PK\x07\x08", "a part of a split zip"),
        (b"\xef\xbb\xbf", "text with a byte order mark"),
        (b"\xff\xfe", "text in UTF-16"),
        (b"\xfe\xff", "text in UTF-16"),
        (b"\x1f\x8b", "gzip"),
        (b"(\xb5\x2f\xfd", "zstd"),
        (b"BZh", "bzip2"),
        (b"\xfd7zXZ\0", "xz"),
        (b"7z\xbc\xaf\x27\x1c", "7-Zip"),
        (b"Rar!", "RAR"),
        (b"%PDF", "a PDF"),
        (b"\x89PNG", "an image"),
        (b"version https://git-lfs", "a Git LFS pointer"),
    ];
    if head.is_empty() {
        return "an empty file";
    }
    if let Some((_, name)) = MAGIC.iter().find(|(magic, _)| head.starts_with(magic)) {
        return name;
    }
    if head.get(257..262) == Some(b"ustar") {
        return "a tar archive";
    }
    match head.trim_ascii_start() {
        [b'<', ..] => "a web page (HTML)",
        [b'{', ..] => "JSON after whitespace",
        [b'[', ..] => "a JSON array",
        [b'"', ..] => "a JSON string",
        [] => "whitespace",
        rest if rest.iter().all(|b| b.is_ascii_graphic() || b.is_ascii_whitespace()) => "plain text",
        _ => "data of an unknown kind",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_surprises_have_a_name() {
        for (head, name) in [
            (&b""[..], "an empty file"),
            (b"<!DOCTYPE html>", "a web page (HTML)"),
            (b"\r\n <html>", "a web page (HTML)"),
            (b"\xef\xbb\xbf{}", "text with a byte order mark"),
            (b"\x1f\x8b\x08", "gzip"),
            (b"PK\x05\x06\0\0", "an empty zip"),
            (b" {}", "JSON after whitespace"),
            (b"[]", "a JSON array"),
            (b"404: Not Found", "plain text"),
            (b"version https://git-lfs.github.com/spec/v1", "a Git LFS pointer"),
            (b"\0\x01", "data of an unknown kind"),
        ] {
            assert_eq!(like(head), name);
        }
    }
}
