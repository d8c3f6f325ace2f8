use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The newest Capability API whose features this tool knows; what `--capability-api` is taken as when not given
/// (docs/spec/commands.md#sources).
pub const NEWEST_KNOWN_API: Api = Api { major: 1, minor: 813 };

/// A Capability API version. The minor is a whole number, never a decimal: 1.8 is older than 1.66, and 1.77 is older
/// than 1.794 (docs/spec/catalog.md#reading-rules).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Api {
    /// Engines know one major version.
    pub major: u32,
    /// Each minor version adds features.
    pub minor: u32,
}

impl Api {
    /// Whether an engine with this API runs what declares `wanted`: the same major and at least its minor.
    pub fn runs(self, wanted: Api) -> bool {
        self.major == wanted.major && wanted.minor <= self.minor
    }
}

impl fmt::Display for Api {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

impl FromStr for Api {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |part: &str| {
            let plain = !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
            plain.then(|| part.parse::<u32>().ok()).flatten()
        };
        text.split_once('.')
            .and_then(|(major, minor)| Some(Api { major: number(major)?, minor: number(minor)? }))
            .ok_or_else(|| format!("`{text}` is not a Capability API version: write it as M.N, such as 1.811"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minors_are_whole_numbers() {
        let api = |text: &str| text.parse::<Api>().unwrap();
        assert!(api("1.8") < api("1.66"));
        assert!(api("1.77") < api("1.794"));
        assert!(api("1.813").runs(api("1.811")));
        assert!(!api("1.811").runs(api("1.813")));
        assert!(!api("2.0").runs(api("1.0")));
        for wrong in ["1", "1.", ".1", "1.+2", "1.2.3", "v1.2", ""] {
            assert!(wrong.parse::<Api>().is_err(), "{wrong}");
        }
    }
}
