use std::fmt;
use std::str::FromStr;
use url::Url;

/// An absolute `https://` address with a host. What a catalog names its files by: no other scheme ever is one.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct HttpsUrl {
    /// As written, because it is carried and compared as published.
    text: String,
    url: Url,
}

/// Why a text is no https address.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidUrl {
    #[error("`{0}` is not a URL")]
    NotAUrl(String),
    #[error("`{0}` is not an https:// address")]
    NotHttps(String),
    #[error("`{0}` carries a user name or password")]
    Credentials(String),
}

impl HttpsUrl {
    pub fn as_str(&self) -> &str {
        &self.text
    }

    pub fn url(&self) -> &Url {
        &self.url
    }

    /// The last part of the path, percent-decoded: the file's name.
    pub fn file_name(&self) -> String {
        let last = self.url.path_segments().and_then(|mut parts| parts.next_back()).unwrap_or_default();
        percent_encoding::percent_decode_str(last).decode_utf8_lossy().into_owned()
    }

    /// Everything before the file's name: two files with the same folder lie beside each other.
    pub fn folder(&self) -> &str {
        let text = self.url.as_str();
        let path_end = text.find(['?', '#']).unwrap_or(text.len());
        let slash = text[..path_end].rfind('/').map_or(path_end, |at| at + 1);
        &text[..slash]
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
        Ok(HttpsUrl { text: text.to_owned(), url })
    }
}

impl fmt::Display for HttpsUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&redacted(&self.url))
    }
}

impl fmt::Debug for HttpsUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", redacted(&self.url))
    }
}

impl<'de> serde::Deserialize<'de> for HttpsUrl {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(from)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
