use super::{SafePath, checked_text};
use std::cmp::Ordering;
use std::str::FromStr;

/// A package or engine version as the engine's manifest takes it: `^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$`, and usable as
/// a folder name (docs/spec/catalog.md#common-keys, #archives).
///
/// Two versions are equal when their texts are. Which one is newer is [`Version::precedence`]'s to say: leading
/// zeros pass here, so different texts can stand for the same precedence.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Version(String);

/// Why a text is no version.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is not a version: write it as MAJOR.MINOR.PATCH, optionally with -PRERELEASE")]
pub struct InvalidVersion(String);

impl Version {
    /// The version as it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Which version comes first, by the engine's own comparison (docs/spec/catalog.md#version-order): numbers as
    /// numbers, a prerelease before its release, a shorter prerelease before one that continues it, digits before
    /// words.
    ///
    /// The engine's comparison of `1` with `01` is "less" both ways; here they are equal, so that the order is one.
    pub fn precedence(&self, other: &Version) -> Ordering {
        let (core, pre) = self.split();
        let (other_core, other_pre) = other.split();
        let cores = core.split('.').zip(other_core.split('.'));
        cores.map(|(a, b)| numeric(a, b)).find(|order| order.is_ne()).unwrap_or_else(|| match (pre, other_pre) {
            (None, None) => Ordering::Equal,
            (None, Some(_)) => Ordering::Greater,
            (Some(_), None) => Ordering::Less,
            (Some(a), Some(b)) => prerelease(a, b),
        })
    }

    /// The first number, which names the lane of an engine version.
    pub fn major(&self) -> &str {
        self.0.split('.').next().unwrap_or_default()
    }

    /// Whether this is the one spelling Semantic Versioning has for it (no leading zeros, no empty parts).
    pub fn is_canonical(&self) -> bool {
        semver::Version::parse(&self.0).is_ok()
    }

    fn split(&self) -> (&str, Option<&str>) {
        match self.0.split_once('-') {
            Some((core, pre)) => (core, Some(pre)),
            None => (&self.0, None),
        }
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// Compares numbers of any length without ever overflowing.
fn numeric(a: &str, b: &str) -> Ordering {
    let (a, b) = (a.trim_start_matches('0'), b.trim_start_matches('0'));
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

fn prerelease(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a.split('.'), b.split('.'));
    loop {
        let order = match (left.next(), right.next()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => Ordering::Less,
            (Some(_), None) => Ordering::Greater,
            (Some(a), Some(b)) => match (is_digits(a), is_digits(b)) {
                (true, true) => numeric(a, b),
                (true, false) => Ordering::Less,
                (false, true) => Ordering::Greater,
                (false, false) => a.cmp(b),
            },
        };
        if order.is_ne() {
            return order;
        }
    }
}

impl FromStr for Version {
    type Err = InvalidVersion;

    fn from_str(text: &str) -> Result<Self, InvalidVersion> {
        let (core, pre) = text.split_once('-').map_or((text, None), |(core, pre)| (core, Some(pre)));
        let word = |b: u8| b.is_ascii_alphanumeric() || b == b'.' || b == b'-';
        let core_fits = core.split('.').count() == 3 && core.split('.').all(is_digits);
        let pre_fits = pre.is_none_or(|pre| !pre.is_empty() && pre.bytes().all(word));
        if core_fits && pre_fits && SafePath::check(text).is_ok() {
            Ok(Version(text.to_owned()))
        } else {
            Err(InvalidVersion(text.chars().take(80).collect()))
        }
    }
}

checked_text!(Version);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn version(text: &str) -> Version {
        text.parse().unwrap()
    }

    #[test]
    fn the_manifests_pattern() {
        for right in ["1.0.0", "0.5.0", "01.2.3", "1.0.0-rc.1", "1.0.0-a..b", "1.0.0--", "99999999999999999999.0.0"] {
            assert!(right.parse::<Version>().is_ok(), "{right}");
        }
        for wrong in [
            "",
            "1",
            "1.2",
            "1.2.3.4",
            "v1.2.3",
            " 1.2.3",
            "1.2.3+a",
            "1.2.3-",
            "1.2.x",
            "1.2.3-a.",
            "1.2.3-a/b",
            "../1.2.3",
        ] {
            assert!(wrong.parse::<Version>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn ordered_as_the_engine_orders() {
        let rising = [
            "0.9.0",
            "1.0.0-1",
            "1.0.0-2",
            "1.0.0-10",
            "1.0.0-alpha",
            "1.0.0-alpha.1",
            "1.0.0-alpha.beta",
            "1.0.0-rc.1",
            "1.0.0",
            "1.0.1",
            "1.2.0",
            "1.10.0",
            "10.0.0",
            "99999999999999999999.0.0",
        ];
        for (i, a) in rising.iter().enumerate() {
            for (j, b) in rising.iter().enumerate() {
                assert_eq!(version(a).precedence(&version(b)), i.cmp(&j), "{a} {b}");
            }
        }
        assert!(version("01.0.0").precedence(&version("1.0.0")).is_eq());
    }

    proptest! {
        #[test]
        fn agrees_with_semver_where_semver_reads_it(
            a in r"[0-9]{1,3}\.[0-9]{1,2}\.[0-9](-[0-9a-zA-Z]{1,3}(\.[0-9a-z-]{1,2}){0,2})?",
            b in r"[0-9]{1,3}\.[0-9]{1,2}\.[0-9](-[0-9a-zA-Z]{1,3}(\.[0-9a-z-]{1,2}){0,2})?",
        ) {
            if let (Ok(sa), Ok(sb)) = (semver::Version::parse(&a), semver::Version::parse(&b)) {
                prop_assert_eq!(version(&a).precedence(&version(&b)), sa.cmp_precedence(&sb));
            }
        }

        #[test]
        fn a_total_order(
            a in r"[0-2]\.[0-2]\.[0-2](-[0a1]{1,2}(\.[0a1]{0,2})?[a1])?",
            b in r"[0-2]\.[0-2]\.[0-2](-[0a1]{1,2}(\.[0a1]{0,2})?[a1])?",
            c in r"[0-2]\.[0-2]\.[0-2](-[0a1]{1,2}(\.[0a1]{0,2})?[a1])?",
        ) {
            let (a, b, c) = (version(&a), version(&b), version(&c));
            prop_assert_eq!(a.precedence(&b), b.precedence(&a).reverse());
            if a.precedence(&b).is_le() && b.precedence(&c).is_le() {
                prop_assert!(a.precedence(&c).is_le());
            }
        }
    }
}
