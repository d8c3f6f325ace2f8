use std::fmt;
use std::str::FromStr;
use url::Url;

/// An absolute `https://` address with a host. What a catalog names its files by: no other scheme ever is one.
///
/// Kept as written, because it is carried and compared as published.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct HttpsUrl(String);

/// Why a text is no https address.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
// Each is told by its message.
#[allow(missing_docs)]
pub enum InvalidUrl {
    #[error("`{0}` is not a URL")]
    NotAUrl(String),
    #[error("`{0}` is not an https:// address")]
    NotHttps(String),
    #[error("`{0}` contains a user name or password")]
    Credentials(String),
}

impl HttpsUrl {
    /// The address as it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The address in its parts.
    pub fn url(&self) -> Url {
        Url::parse(&self.0).unwrap_or_else(|_| unreachable!("it was parsed when it was made"))
    }

    /// The folder the file lies in, if the text alone says which: there is nothing to work out in it. Told much more
    /// quickly than by taking the address apart.
    pub fn plain_folder(&self) -> Option<&str> {
        let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'/' | b':');
        let rest = self.0.strip_prefix("https://").filter(|rest| rest.bytes().all(plain) && !rest.contains("/."))?;
        // Of `https:///a/b` the host is `a`.
        if rest.starts_with('/') {
            return None;
        }
        Some(&self.0[..self.0.len() - rest.len() + rest.rfind('/')? + 1])
    }

    /// The address `text` of a file in a plain folder, if it plainly is one. What is not plain (escapes, a query, a
    /// folder further in) may be one all the same.
    pub fn in_plain_folder(folder: &str, text: &str) -> Option<HttpsUrl> {
        let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
        let name = text.strip_prefix(folder).filter(|name| name.bytes().all(plain))?;
        (!name.bytes().all(|b| b == b'.')).then(|| HttpsUrl(text.to_owned()))
    }

    /// The last part of the path, percent-decoded: the file's name.
    pub fn file_name(&self) -> String {
        if let Some(folder) = self.plain_folder() {
            return self.0[folder.len()..].to_owned();
        }
        let url = self.url();
        let last = url.path_segments().and_then(|mut parts| parts.next_back()).unwrap_or_default();
        percent_encoding::percent_decode_str(last).decode_utf8_lossy().into_owned()
    }

    /// Everything before the file's name: two files with the same folder lie beside each other.
    pub fn folder(&self) -> String {
        let mut text = String::from(self.url());
        text.truncate(text.find(['?', '#']).unwrap_or(text.len()));
        text.truncate(text.rfind('/').map_or(text.len(), |at| at + 1));
        text
    }
}

/// The address as it may be shown: without user, password, query and fragment, which can hold tokens.
pub fn redacted(url: &Url) -> String {
    let mut shown = url.clone();
    // Refused only by addresses without a host, which carry no credentials.
    let _ = shown.set_username("");
    let _ = shown.set_password(None);
    shown.set_fragment(None);
    if shown.query().is_some() {
        shown.set_query(Some("…"));
        return shown.as_str().replace("%E2%80%A6", "…");
    }
    shown.into()
}

impl FromStr for HttpsUrl {
    type Err = InvalidUrl;

    fn from_str(text: &str) -> Result<Self, InvalidUrl> {
        let shown = || text.chars().take(200).collect::<String>();
        let url = Url::parse(text).map_err(|_| InvalidUrl::NotAUrl(shown()))?;
        if url.scheme() != "https" || url.host_str().is_none_or(str::is_empty) {
            return Err(InvalidUrl::NotHttps(shown()));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(InvalidUrl::Credentials(redacted(&url)));
        }
        Ok(HttpsUrl(text.to_owned()))
    }
}

impl fmt::Display for HttpsUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&redacted(&self.url()))
    }
}

impl fmt::Debug for HttpsUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", redacted(&self.url()))
    }
}

impl<'de> serde::Deserialize<'de> for HttpsUrl {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        super::parsed(from)
    }
}

/// As written, to be read back: an address with a secret in it is kept with it.
impl serde::Serialize for HttpsUrl {
    fn serialize<S: serde::Serializer>(&self, into: S) -> Result<S::Ok, S::Error> {
        into.serialize_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_folder_is_told_by_its_text() {
        let folder = |text: &str| text.parse::<HttpsUrl>().unwrap().plain_folder().map(str::to_owned);
        assert_eq!(folder("https://example.org:8443/a/b-1.zip").as_deref(), Some("https://example.org:8443/a/"));
        assert_eq!(folder("https://example.org/").as_deref(), Some("https://example.org/"));
        for other in [
            "https://example.org",
            "https:///example.org/a",
            "https://example.org/a/../b",
            "https://example.org/a%20b/c",
            "https://e.org/a?b/c",
        ] {
            assert_eq!(folder(other), None, "{other}");
        }
        let file = |text: &str| HttpsUrl::in_plain_folder("https://example.org/a/", text).map(|url| url.0);
        assert_eq!(file("https://example.org/a/b.c").as_deref(), Some("https://example.org/a/b.c"));
        for other in ["", "..", "b/c", "b?c", "b%20c", "b c"].map(|name| format!("https://example.org/a/{name}")) {
            assert_eq!(file(&other), None, "{other}");
        }
        assert_eq!(file("https://example.org/b"), None);
    }

    #[test]
    fn https_only_and_secrets_not_shown() {
        let url: HttpsUrl = "https://example.org/a/b%20c.json?token=secret#x".parse().unwrap();
        assert_eq!(url.file_name(), "b c.json");
        assert_eq!(url.folder(), "https://example.org/a/");
        assert!(!url.to_string().contains("secret"));
        for wrong in [
            "http://example.org/",
            "ftp://example.org/x",
            "example.org/x",
            "file:///etc/passwd",
            "",
            "https://",
            "https://u:p@example.org/",
        ] {
            assert!(wrong.parse::<HttpsUrl>().is_err(), "{wrong}");
        }
    }
}
