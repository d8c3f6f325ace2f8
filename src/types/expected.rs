use super::{ByteSize, Code, Sha256};
use serde::{Deserialize, Serialize};
use sha2::Digest as _;

/// What bytes must be to be accepted: their number and their SHA-256, both always.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Expected {
    /// Their hash.
    pub sha256: Sha256,
    /// How many they are.
    pub bytes: ByteSize,
}

/// Why bytes are not the expected ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
// Each is told by its message.
#[allow(missing_docs)]
pub enum Mismatch {
    #[error("{actual} bytes, but {} are declared", expected.0)]
    Size { expected: ByteSize, actual: u64 },
    #[error("more than the {} bytes declared", expected.0)]
    TooLong { expected: ByteSize },
    #[error("SHA-256 {actual}, but {expected} is declared")]
    Checksum { expected: Sha256, actual: Sha256 },
}

impl Mismatch {
    /// The stable code of this kind of difference.
    pub fn code(&self) -> Code {
        match self {
            Mismatch::Size { .. } | Mismatch::TooLong { .. } => Code::SizeMismatch,
            Mismatch::Checksum { .. } => Code::ChecksumMismatch,
        }
    }
}

impl Expected {
    /// What these bytes are.
    pub fn of(bytes: &[u8]) -> Self {
        Expected { sha256: Sha256::of(bytes), bytes: ByteSize(bytes.len() as u64) }
    }

    /// Whether these bytes are the expected ones. Size first: it says more about what went wrong.
    ///
    /// # Errors
    /// Another size, or else another hash.
    pub fn check(&self, bytes: &[u8]) -> Result<(), Mismatch> {
        let mut digester = Digester::new(*self);
        digester.update(bytes)?;
        digester.finish()
    }
}

/// Takes bytes as they come and tells at the end, or at the first byte too many, whether they are the expected
/// ones.
#[derive(Clone)]
pub struct Digester {
    expected: Expected,
    seen: u64,
    digest: sha2::Sha256,
}

impl Digester {
    /// Before the first byte.
    pub fn new(expected: Expected) -> Self {
        Digester { expected, seen: 0, digest: sha2::Sha256::new() }
    }

    /// What the bytes are held against.
    pub fn expected(&self) -> Expected {
        self.expected
    }

    /// How many bytes have come.
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// Takes the next bytes; fails as soon as there are more than declared, so nothing endless is ever read.
    ///
    /// # Errors
    /// At the first byte too many.
    pub fn update(&mut self, bytes: &[u8]) -> Result<(), Mismatch> {
        self.seen += bytes.len() as u64;
        if self.seen > self.expected.bytes.0 {
            return Err(Mismatch::TooLong { expected: self.expected.bytes });
        }
        self.digest.update(bytes);
        Ok(())
    }

    /// The verdict once all bytes have come.
    ///
    /// # Errors
    /// Too few bytes, or another hash.
    pub fn finish(self) -> Result<(), Mismatch> {
        let Expected { sha256, bytes } = self.expected;
        if self.seen != bytes.0 {
            return Err(Mismatch::Size { expected: bytes, actual: self.seen });
        }
        let actual = Sha256::from_digest(self.digest.finalize().into());
        if actual == sha256 { Ok(()) } else { Err(Mismatch::Checksum { expected: sha256, actual }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn size_before_checksum_and_no_byte_too_many() {
        let expected = Expected::of(b"abc");
        assert_eq!(expected.check(b"abc"), Ok(()));
        assert_eq!(expected.check(b"ab"), Err(Mismatch::Size { expected: ByteSize(3), actual: 2 }));
        assert_eq!(expected.check(b"abd").unwrap_err().code(), Code::ChecksumMismatch);
        let mut digester = Digester::new(expected);
        digester.update(b"ab").unwrap();
        assert_eq!(digester.update(b"cd"), Err(Mismatch::TooLong { expected: ByteSize(3) }));
    }
}
