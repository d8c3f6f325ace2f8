//! The one place where bytes become verified. Nothing else makes a [`Verified`], and the store takes nothing else.

use crate::types::{Cancel, Code, Coded, Digester, Expected, Mismatch};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

/// A value whose bytes had the declared size and SHA-256.
#[derive(Debug)]
pub struct Verified<T> {
    value: T,
    expected: Expected,
}

impl<T> Verified<T> {
    /// What the bytes were held against.
    pub fn expected(&self) -> Expected {
        self.expected
    }

    pub fn get(&self) -> &T {
        &self.value
    }

    pub fn into_inner(self) -> T {
        self.value
    }
}

/// Why bytes did not become verified.
#[derive(Debug, thiserror::Error)]
pub enum Unverified {
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
    #[error("cannot be read or written")]
    Io(#[from] io::Error),
    #[error("interrupted")]
    Interrupted,
}

impl Coded for Unverified {
    fn code(&self) -> Code {
        match self {
            Unverified::Mismatch(mismatch) => mismatch.code(),
            Unverified::Io(error) => Code::of_io(error),
            Unverified::Interrupted => Code::Interrupted,
        }
    }
}

/// How much is read at a time: the size at which hashing was fastest when measured.
const CHUNK: usize = 64 << 10;

impl Verified<File> {
    /// Hashes an open file from its start and gives it back rewound. What is read later through this handle is the
    /// same file, whatever its name points to by then.
    pub fn file(mut file: File, expected: Expected, cancel: &Cancel) -> Result<Self, Unverified> {
        let mut digester = Digester::new(expected);
        // One byte more than a small file has, to see that it ends.
        let size = usize::try_from(expected.bytes.0.saturating_add(1)).unwrap_or(CHUNK);
        let mut chunk = vec![0; size.min(CHUNK)];
        file.seek(SeekFrom::Start(0))?;
        loop {
            if cancel.is_asked() {
                return Err(Unverified::Interrupted);
            }
            match file.read(&mut chunk)? {
                0 => break,
                n => digester.update(&chunk[..n])?,
            }
        }
        digester.finish()?;
        file.seek(SeekFrom::Start(0))?;
        Ok(Verified { value: file, expected })
    }

    /// All the bytes, for what is small by its declared size. Hashed again on the way: the file could have been
    /// written to since it was verified.
    pub fn read(&self) -> Result<Verified<Vec<u8>>, Unverified> {
        let mut file = &self.value;
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(0))?;
        file.take(self.expected.bytes.0.saturating_add(1)).read_to_end(&mut bytes)?;
        Ok(Verified::held(bytes, self.expected)?)
    }
}

impl Verified<Vec<u8>> {
    /// Bytes that have all come.
    pub fn held(bytes: Vec<u8>, expected: Expected) -> Result<Self, Mismatch> {
        expected.check(&bytes)?;
        Ok(Verified { value: bytes, expected })
    }
}

/// Bytes on their way into `W`, which is given back only when all have come and fit.
pub struct Receiving<W> {
    into: W,
    digester: Digester,
}

impl Receiving<File> {
    /// Goes on with what an earlier attempt wrote into a file, which is hashed anew; from the start, if that is more
    /// than was declared.
    ///
    /// # Errors
    /// What the system says.
    pub fn resuming(mut file: File, expected: Expected) -> io::Result<Self> {
        let mut digester = Digester::new(expected);
        let mut chunk = vec![0; CHUNK];
        file.seek(SeekFrom::Start(0))?;
        loop {
            match file.read(&mut chunk)? {
                0 => return Ok(Receiving { into: file, digester }),
                n if digester.update(&chunk[..n]).is_err() => {
                    let mut receiving = Receiving { into: file, digester };
                    receiving.restart()?;
                    return Ok(receiving);
                }
                _ => {}
            }
        }
    }

    /// Forgets all that has come.
    ///
    /// # Errors
    /// What the system says.
    pub fn restart(&mut self) -> io::Result<()> {
        self.into.set_len(0)?;
        self.into.seek(SeekFrom::Start(0))?;
        self.digester = Digester::new(self.digester.expected());
        Ok(())
    }

    /// Whether as many bytes have come as were declared.
    pub fn is_complete(&self) -> bool {
        self.digester.seen() == self.digester.expected().bytes.0
    }
}

impl<W: Write> Receiving<W> {
    pub fn new(into: W, expected: Expected) -> Self {
        Receiving { into, digester: Digester::new(expected) }
    }

    /// How many bytes have come.
    pub fn seen(&self) -> u64 {
        self.digester.seen()
    }

    /// Takes the next bytes; none is written past the declared size.
    pub fn take(&mut self, bytes: &[u8]) -> Result<(), Unverified> {
        self.digester.update(bytes)?;
        Ok(self.into.write_all(bytes)?)
    }

    /// Releases what has been received, if it is what was declared.
    pub fn finish(mut self) -> Result<Verified<W>, Unverified> {
        self.into.flush()?;
        let expected = self.digester.expected();
        self.digester.finish()?;
        Ok(Verified { value: self.into, expected })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_released_or_written_beyond_what_was_declared() {
        let expected = Expected::of(b"abc");
        let mut receiving = Receiving::new(Vec::new(), expected);
        receiving.take(b"ab").unwrap();
        receiving.take(b"c").unwrap();
        assert_eq!(receiving.finish().unwrap().into_inner(), b"abc");

        let mut receiving = Receiving::new(Vec::new(), expected);
        assert!(matches!(receiving.take(b"abcd"), Err(Unverified::Mismatch(Mismatch::TooLong { .. }))));
        assert!(receiving.into.is_empty());

        let short = Receiving::new(Vec::new(), expected);
        assert!(matches!(short.finish(), Err(Unverified::Mismatch(Mismatch::Size { .. }))));
    }

    #[test]
    fn a_part_is_gone_on_with_and_one_that_is_too_long_begins_anew() {
        let expected = Expected::of(b"abcd");
        let file = || tempfile::tempfile().unwrap();
        let part = |bytes: &[u8]| {
            let mut file = file();
            file.write_all(bytes).unwrap();
            Receiving::resuming(file, expected).unwrap()
        };
        let mut receiving = part(b"ab");
        assert_eq!(receiving.seen(), 2);
        receiving.take(b"cd").unwrap();
        assert!(receiving.is_complete());
        assert_eq!(receiving.finish().unwrap().read().unwrap().get(), b"abcd");
        let mut receiving = part(b"abcde");
        assert_eq!(receiving.seen(), 0);
        receiving.take(b"abcd").unwrap();
        assert!(receiving.finish().is_ok());
        let mut receiving = part(b"xx");
        receiving.take(b"cd").unwrap();
        assert!(matches!(receiving.finish(), Err(Unverified::Mismatch(Mismatch::Checksum { .. }))));
    }

    #[test]
    fn a_file_is_hashed_whole_and_rewound() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"abc").unwrap();
        let verified = Verified::file(file, Expected::of(b"abc"), &Cancel::default()).unwrap();
        assert_eq!(verified.read().unwrap().get(), b"abc");
        let other = Verified::file(verified.into_inner(), Expected::of(b"abd"), &Cancel::default());
        assert!(matches!(other, Err(Unverified::Mismatch(Mismatch::Checksum { .. }))));
    }
}
