use crate::types::HttpsUrl;
use std::fmt;
use std::str::FromStr;
use url::Url;

/// The https address of a folder that files are published in.
#[derive(Clone, Debug)]
pub struct BaseUrl(Url);

/// Why a text is no such address.
#[derive(Debug, thiserror::Error)]
pub enum InvalidBaseUrl {
    #[error(transparent)]
    Url(#[from] crate::types::InvalidUrl),
    #[error("the address of a folder cannot have a query or a fragment")]
    NoFolder,
}

impl BaseUrl {
    /// The folder a published file lies in.
    pub fn of(file: &HttpsUrl) -> Option<Self> {
        file.folder().parse().ok()
    }

    /// The address of a file in it. Whatever its name holds, the address has it as its last part.
    pub fn file(&self, name: &str) -> String {
        let mut address = self.0.clone();
        // Refused only by addresses that have no path, and https ones do.
        let _ = address.path_segments_mut().map(|mut path| _ = path.pop_if_empty().push(name));
        address.into()
    }
}

impl FromStr for BaseUrl {
    type Err = InvalidBaseUrl;

    fn from_str(text: &str) -> Result<Self, InvalidBaseUrl> {
        let url = text.trim_end_matches('/').parse::<HttpsUrl>()?.url();
        match url.query().or(url.fragment()) {
            Some(_) => Err(InvalidBaseUrl::NoFolder),
            None => Ok(BaseUrl(url)),
        }
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_lies_in_the_folder_under_its_own_name() {
        for (base, name, address) in [
            ("https://example.org/a", "x.json", "https://example.org/a/x.json"),
            ("https://example.org/a///", "x.json", "https://example.org/a/x.json"),
            ("https://example.org", "x.json", "https://example.org/x.json"),
            ("https://example.org/a/../b", "x.json", "https://example.org/b/x.json"),
            ("https://example.org/a b", "c d#e?%.json", "https://example.org/a%20b/c%20d%23e%3F%25.json"),
        ] {
            let file = base.parse::<BaseUrl>().unwrap().file(name);
            assert_eq!(file, address, "{base} {name}");
            assert_eq!(file.parse::<HttpsUrl>().unwrap().file_name(), name);
        }
        for wrong in ["", "artifacts", "http://example.org/a", "https://example.org/a?x=1", "https://example.org/a#x"] {
            assert!(wrong.parse::<BaseUrl>().is_err(), "{wrong}");
        }
    }
}
