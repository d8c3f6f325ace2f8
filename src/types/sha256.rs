use sha2::Digest as _;
use std::fmt;
use std::str::FromStr;

/// A SHA-256 digest; as text always 64 lowercase hexadecimal digits (docs/spec/catalog.md#entry).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sha256([u8; 32]);

/// Not a SHA-256 as the catalog spells one.
#[derive(Debug, thiserror::Error)]
#[error("not a SHA-256: expected 64 lowercase hexadecimal digits")]
pub struct InvalidSha256;

impl Sha256 {
    /// The digest of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Sha256(sha2::Sha256::digest(bytes).into())
    }

    pub(super) fn from_digest(digest: [u8; 32]) -> Self {
        Sha256(digest)
    }

    /// The digest's bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl FromStr for Sha256 {
    type Err = InvalidSha256;

    fn from_str(text: &str) -> Result<Self, InvalidSha256> {
        let digit = |byte: u8| match byte {
            b'0'..=b'9' => Ok(byte - b'0'),
            b'a'..=b'f' => Ok(byte - b'a' + 10),
            _ => Err(InvalidSha256),
        };
        let (pairs, _) = text.as_bytes().as_chunks::<2>();
        let mut digest = [0; 32];
        if text.len() != 2 * digest.len() {
            return Err(InvalidSha256);
        }
        for (byte, [high, low]) in digest.iter_mut().zip(pairs) {
            *byte = digit(*high)? << 4 | digit(*low)?;
        }
        Ok(Sha256(digest))
    }
}

impl fmt::Display for Sha256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [0; 64];
        hex::encode_to_slice(self.0, &mut text).map_err(|_| fmt::Error)?;
        f.write_str(std::str::from_utf8(&text).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for Sha256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<'de> serde::Deserialize<'de> for Sha256 {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        super::parsed(from)
    }
}

impl serde::Serialize for Sha256 {
    fn serialize<S: serde::Serializer>(&self, into: S) -> Result<S::Ok, S::Error> {
        into.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_catalogs_spelling() {
        let digest = Sha256::of(b"abc");
        let text = digest.to_string();
        assert_eq!(text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(text.parse::<Sha256>().unwrap(), digest);
        for wrong in [text.to_uppercase(), text[1..].to_owned(), format!("{text}0"), format!(" {}", &text[1..])] {
            assert!(wrong.parse::<Sha256>().is_err(), "{wrong}");
        }
    }
}
