use super::{SafePath, checked_text};
use std::borrow::Borrow;
use std::str::FromStr;

/// The id of a package: `^[a-z0-9]+(?:-[a-z0-9]+)*$`, at most 80 characters (docs/spec/catalog.md#common-keys), and
/// usable as a folder name everywhere (`con` is not).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PackageId(String);

/// Why a text is no package id.
#[derive(Debug, thiserror::Error)]
#[error("{} is not a package id: expected groups of lowercase letters and digits joined by `-`, at most 80 characters, \
         not a device name", quoted(.0))]
pub struct InvalidPackageId(String);

fn quoted(text: &str) -> String {
    let mut short: String = text.chars().take(80).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    format!("`{short}`")
}

impl PackageId {
    /// The most characters an id has.
    pub const MAX: usize = 80;

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for PackageId {
    type Err = InvalidPackageId;

    fn from_str(text: &str) -> Result<Self, InvalidPackageId> {
        let group = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
        let fits = text.len() <= Self::MAX && text.split('-').all(group) && SafePath::check(text).is_ok();
        if fits { Ok(PackageId(text.to_owned())) } else { Err(InvalidPackageId(text.to_owned())) }
    }
}

impl Borrow<str> for PackageId {
    fn borrow(&self) -> &str {
        &self.0
    }
}

checked_text!(PackageId);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_catalog_format_allows() {
        for right in ["ember-roads", "a", "5e-2014", "ruleset-5e-2014"] {
            assert!(right.parse::<PackageId>().is_ok(), "{right}");
        }
        let long = "a".repeat(81);
        for wrong in ["", "-a", "a-", "a--b", "A", "a_b", "a.b", "../a", "a/b", "con", "com1", "ä", "a\0", &long] {
            assert!(wrong.parse::<PackageId>().is_err(), "{wrong}");
        }
    }
}
