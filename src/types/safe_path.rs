use super::checked_text;
use icu_normalizer::ComposingNormalizerBorrowed;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A relative path, parts joined by `/`, that stays inside the folder it is joined to and means the same file on every
/// system (docs/spec/catalog.md#archives, docs/spec/lessons.md#b33).
///
/// Refused: absolute names and drive letters, `\`, `:`, control characters, empty, `.` and `..` parts, parts that
/// end in a dot or a space, that begin with `-`, or that are Windows device names with or without extension, the
/// characters Windows has no names for, invisible and direction-changing characters, parts over 200 bytes and
/// paths over 240 characters.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SafePath(String);

/// Why a path is refused.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
// Each is told by its message.
#[allow(missing_docs)]
pub enum InvalidPath {
    #[error("it is empty")]
    Empty,
    #[error("it is longer than {} characters", SafePath::MAX)]
    TooLong,
    #[error("a part of it is longer than {} bytes", SafePath::MAX_PART)]
    PartTooLong,
    #[error("it is absolute")]
    Absolute,
    #[error("it contains {0:?}")]
    Character(char),
    #[error("it contains an empty part")]
    EmptyPart,
    #[error("it contains the part `{0}`")]
    DotPart(&'static str),
    #[error("a part of it ends in a dot or a space")]
    TrailingDotOrSpace,
    #[error("a part of it begins with `-`")]
    LeadingDash,
    #[error("it contains a Windows device name")]
    DeviceName,
}

impl SafePath {
    /// The most UTF-16 units of a path: the manifest's own limit for `files[].path`, which leaves room for a long
    /// home folder.
    pub const MAX: usize = 240;
    /// The most bytes of one part.
    pub const MAX_PART: usize = 200;

    /// The path, its parts divided by `/`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether this text can be one.
    pub(super) fn check(text: &str) -> Result<(), InvalidPath> {
        if text.is_empty() {
            return Err(InvalidPath::Empty);
        }
        // There are never more units than bytes.
        if text.len() > Self::MAX && text.encode_utf16().count() > Self::MAX {
            return Err(InvalidPath::TooLong);
        }
        if text.starts_with('/') {
            return Err(InvalidPath::Absolute);
        }
        if let Some(bad) = text.chars().find(|c| is_unusable(*c)) {
            return Err(InvalidPath::Character(bad));
        }
        text.split('/').try_for_each(check_part)
    }

    /// The parts between the slashes.
    pub fn parts(&self) -> impl Iterator<Item = &str> {
        self.0.split('/')
    }

    /// Where the file lies below `root`.
    pub fn below(&self, root: &Path) -> PathBuf {
        let mut path = root.to_path_buf();
        path.extend(self.parts());
        path
    }

    /// The spelling under which two paths are one file on a disk that ignores case, or the way an accent is written
    /// (composed or apart), as the disks of Windows and macOS do.
    pub fn folded(&self) -> String {
        folded(&self.0)
    }
}

/// The spelling under which two names are one on a disk that ignores case or how accents are written.
pub fn folded(name: &str) -> String {
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    // By way of upper case: `ς` and `σ`, or `ſ` and `s`, are one letter only there. By way of lower case before that:
    // only so is `ẞ` the `ß` that is `SS` in upper case.
    let folded = name.to_lowercase().to_uppercase().to_lowercase();
    ComposingNormalizerBorrowed::new_nfc().normalize(&folded).into_owned()
}

impl FromStr for SafePath {
    type Err = InvalidPath;

    fn from_str(text: &str) -> Result<Self, InvalidPath> {
        SafePath::check(text)?;
        Ok(SafePath(text.to_owned()))
    }
}

/// Characters that no portable file name has: what Windows refuses, controls, and what shows as nothing or turns
/// the text around.
fn is_unusable(c: char) -> bool {
    // What nearly all names are made of first.
    if c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | '/') {
        return false;
    }
    c.is_control()
        || matches!(c, '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|')
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
        || matches!(c, '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

fn check_part(part: &str) -> Result<(), InvalidPath> {
    match part {
        "" => return Err(InvalidPath::EmptyPart),
        "." => return Err(InvalidPath::DotPart(".")),
        ".." => return Err(InvalidPath::DotPart("..")),
        _ => {}
    }
    if part.len() > SafePath::MAX_PART {
        return Err(InvalidPath::PartTooLong);
    }
    if part.ends_with(['.', ' ']) {
        return Err(InvalidPath::TrailingDotOrSpace);
    }
    if part.starts_with('-') {
        return Err(InvalidPath::LeadingDash);
    }
    if is_device_name(part) { Err(InvalidPath::DeviceName) } else { Ok(()) }
}

/// `con`, `aux.txt` and `COM1 .log` are devices to Windows whatever follows the first dot; the superscript digits
/// count as digits there.
fn is_device_name(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or_default().trim_end();
    // In bytes, of any of the names below.
    if !(3..=7).contains(&stem.len()) {
        return false;
    }
    let stem = stem.to_lowercase();
    if matches!(stem.as_str(), "con" | "prn" | "aux" | "nul" | "conin$" | "conout$") {
        return true;
    }
    let numbered = stem.strip_prefix("com").or_else(|| stem.strip_prefix("lpt"));
    matches!(numbered, Some("1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "¹" | "²" | "³"))
}

checked_text!(SafePath);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ordinary_names_pass() {
        for right in
            ["ruleset.json", "catalogs/knacks.json", "a/b/c.png", "console.json", "com10", ".hidden", "ä ö.json"]
        {
            assert!(right.parse::<SafePath>().is_ok(), "{right}");
        }
    }

    #[test]
    fn names_that_leave_the_folder_or_differ_between_systems_do_not() {
        let long_part = "a".repeat(201);
        let long_path = "ab/".repeat(90) + "x";
        for wrong in [
            "",
            "/etc/x",
            "a//b",
            "a/",
            "./a",
            "a/../b",
            "..",
            "C:x",
            "c:/x",
            "a\\b",
            "a:b",
            "a\0b",
            "a\nb",
            "nul",
            "a/AUX.txt",
            "com1.json",
            "LPT9",
            "com¹",
            "con .txt",
            "a.",
            "a ",
            "a./b",
            "-a",
            "a/-b",
            "a*b",
            "a\u{202e}b",
            "a\u{200b}",
            "a\u{7f}",
            "a\u{85}b",
            &long_part,
            &long_path,
        ] {
            assert!(wrong.parse::<SafePath>().is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn names_that_are_one_file_on_some_disk_fold_alike() {
        let folded = |text: &str| text.parse::<SafePath>().unwrap().folded();
        for (one, other) in [
            ("A/b", "a/B"),
            ("\u{e9}", "e\u{301}"),
            ("\u{c9}", "e\u{301}"),
            ("ΑΣ", "ασ"),
            ("ς", "Σ"),
            ("\u{1e9e}", "ß"),
            ("straSSe", "STRA\u{1e9e}E"),
        ] {
            assert_eq!(folded(one), folded(other), "{one} {other}");
        }
        assert_ne!(folded("e"), folded("\u{e9}"));
    }

    proptest! {
        #[test]
        fn what_passes_stays_inside(text in "[a-zA-Z0-9./\\\\:~ -]{0,24}") {
            if let Ok(path) = text.parse::<SafePath>() {
                let root = Path::new("/root/of/it");
                let joined = path.below(root);
                prop_assert!(joined.starts_with(root));
                let plain = |part| matches!(part, std::path::Component::RootDir | std::path::Component::Normal(_));
                prop_assert!(joined.components().all(plain));
                prop_assert_eq!(path.as_str(), text);
            }
        }

        #[test]
        fn no_text_panics(text in any::<String>()) {
            let _ = text.parse::<SafePath>();
        }
    }
}
