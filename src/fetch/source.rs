use crate::types::{Code, Coded, HttpsUrl, redacted};
use std::fmt;
use std::path::PathBuf;
use url::{Host, Url};

/// An address that may be asked for bytes: `https://`, or `http://` of a loopback host (docs/spec/commands.md#sources).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebAddress(Url);

/// Where the catalog comes from (docs/spec/commands.md#sources).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CatalogSource {
    /// A catalog over https.
    Web(WebAddress),
    /// A `catalog.json`, or a folder that holds one. Looked at only when read.
    Local(PathBuf),
}

/// What stands in for every address a catalog names: the files themselves, each under the last part of its address
/// (docs/spec/commands.md#sources).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mirror {
    /// A folder over https.
    Web(WebAddress),
    /// A folder on this machine.
    Folder(PathBuf),
}

/// Why a text is neither an address to ask nor a path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
// Each is told by its message.
#[allow(missing_docs)]
pub enum InvalidSource {
    #[error("no catalog or mirror was given")]
    Empty,
    #[error("`{0}` is not a URL")]
    NotAUrl(String),
    #[error("`{0}` uses plain http, which is allowed for loopback hosts only")]
    PlainHttp(String),
    #[error("`{0}` is neither an https:// address nor a path")]
    Scheme(String),
}

impl Coded for InvalidSource {
    fn code(&self) -> Code {
        Code::Usage
    }

    fn hint(&self) -> Option<String> {
        Some("give an https:// address, a catalog.json, or a folder".to_owned())
    }
}

impl WebAddress {
    /// The address, which may hold a password: print the type itself instead.
    pub fn url(&self) -> &Url {
        &self.0
    }
}

impl TryFrom<Url> for WebAddress {
    type Error = InvalidSource;

    fn try_from(mut url: Url) -> Result<Self, InvalidSource> {
        url.set_fragment(None);
        match url.scheme() {
            "https" => Ok(WebAddress(url)),
            "http" if is_loopback(&url) => Ok(WebAddress(url)),
            "http" => Err(InvalidSource::PlainHttp(redacted(&url))),
            _ => Err(InvalidSource::Scheme(redacted(&url))),
        }
    }
}

impl From<&HttpsUrl> for WebAddress {
    fn from(url: &HttpsUrl) -> Self {
        let mut url = url.url();
        url.set_fragment(None);
        WebAddress(url)
    }
}

impl fmt::Display for WebAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&redacted(&self.0))
    }
}

impl CatalogSource {
    /// What a person or the engine wrote for `--catalog`.
    ///
    /// # Errors
    /// When it is empty, or an address of another kind.
    pub fn parse(text: &str) -> Result<Self, InvalidSource> {
        Ok(match web_or_path(text)? {
            Ok(address) => CatalogSource::Web(address),
            Err(path) => CatalogSource::Local(path),
        })
    }
}

impl Mirror {
    /// What was written for `--mirror`.
    ///
    /// # Errors
    /// When it is empty, or an address of another kind.
    pub fn parse(text: &str) -> Result<Self, InvalidSource> {
        Ok(match web_or_path(text)? {
            Ok(address) => Mirror::Web(address),
            Err(path) => Mirror::Folder(path),
        })
    }
}

impl fmt::Display for CatalogSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CatalogSource::Web(address) => address.fmt(f),
            CatalogSource::Local(path) => path.display().fmt(f),
        }
    }
}

fn web_or_path(text: &str) -> Result<Result<WebAddress, PathBuf>, InvalidSource> {
    if text.trim().is_empty() {
        return Err(InvalidSource::Empty);
    }
    // A scheme of one letter is a Windows drive.
    match text.split_once("://") {
        Some((scheme, _)) if scheme.len() > 1 && scheme.bytes().all(|b| b.is_ascii_alphanumeric()) => {
            let url = Url::parse(text).map_err(|_| InvalidSource::NotAUrl(text.chars().take(80).collect()))?;
            Ok(Ok(WebAddress::try_from(url)?))
        }
        _ => Ok(Err(PathBuf::from(text))),
    }
}

/// Whether the address is this machine's own, by name or by number; nothing is looked up.
pub(super) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn https_anywhere_http_on_this_machine_only() {
        for right in [
            "https://example.org/catalog.json",
            "HTTPS://example.org/catalog.json",
            "http://localhost:8080/catalog.json",
            "http://127.0.0.1/c.json",
            "http://127.9.9.9/c.json",
            "http://[::1]:4/c.json",
        ] {
            assert!(matches!(CatalogSource::parse(right), Ok(CatalogSource::Web(_))), "{right}");
        }
        for wrong in [
            "",
            " ",
            "http://example.org/catalog.json",
            "http://localhost.example.org/",
            "http://127.0.0.1.example.org/",
            "http://10.0.0.1/",
            "ftp://example.org/catalog.json",
            "file:///etc/catalog.json",
            "https://",
            "https://exa mple.org/",
        ] {
            let error = CatalogSource::parse(wrong).expect_err(wrong);
            assert_eq!(error.code(), Code::Usage);
            assert!(error.hint().is_some());
        }
    }

    #[test]
    fn everything_else_is_a_path_that_is_looked_at_later() {
        for path in ["catalog.json", "./nowhere", "/srv/catalog", r"C:\catalog", "C://catalog", "https", "a:b"] {
            assert_eq!(CatalogSource::parse(path), Ok(CatalogSource::Local(PathBuf::from(path))));
            assert_eq!(Mirror::parse(path), Ok(Mirror::Folder(PathBuf::from(path))));
        }
    }

    #[test]
    fn secrets_of_an_address_are_not_shown() {
        let source = CatalogSource::parse("https://user:pass@example.org/c.json?token=secret#part").unwrap();
        let shown = source.to_string();
        assert!(!shown.contains("pass") && !shown.contains("secret") && !shown.contains("part"), "{shown}");
    }
}
