use super::cache::{Cache, Folder};
use super::error::FetchError;
use super::header::{Digest, Header, Row, Validators};
use super::index::{self, InvalidCatalog};
use crate::threads;
use crate::types::{ByteSize, Digester, Expected, Sha256};
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read, Write};
use std::ops::Range;
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, SystemTime};

/// How much of a copy is read at once to begin with: the header of nearly a thousand entries.
const FIRST_READ: usize = 64 << 10;

/// How much of a body is hashed at a time.
const CHUNK: usize = 64 << 10;

/// A catalog as its source gave it, and where each entry stands in it. Made so that a run which needs a few entries
/// reads those and nothing else: the engine asks often and mostly for nothing new.
///
/// Cloning is cheap. Every byte it hands out has been checked against a digest taken when it was received.
#[derive(Clone, Debug)]
pub struct CatalogCopy {
    header: Rc<Header>,
    body: Rc<Body>,
}

#[derive(Debug)]
enum Body {
    Memory(String),
    /// An open copy, whose body begins at this offset. It stays what it was when another run replaces the file.
    Disk(File, u64),
}

/// One thing to do when every entry is read.
enum Part<'a> {
    Whole,
    Entries(&'a [Row<'a>]),
}

impl Body {
    /// Whether all of it is as it was received.
    fn is_whole(&self, expected: Expected) -> bool {
        let Body::Disk(file, start) = self else { return true };
        let mut digester = Digester::new(expected);
        let mut chunk = vec![0; CHUNK];
        while let left @ 1.. = expected.bytes.0 - digester.seen() {
            let next = usize::try_from(left).map_or(CHUNK, |left| left.min(CHUNK));
            let read = read_at(file, start + digester.seen(), &mut chunk[..next]);
            if read.is_err() || digester.update(&chunk[..next]).is_err() {
                return false;
            }
        }
        digester.finish().is_ok()
    }

    /// What `look` makes of entries that follow each other; nothing when they are not what was received.
    fn look_at<T>(&self, rows: &[Row], size: ByteSize, look: impl Fn(&str) -> T) -> Option<Vec<T>> {
        let (file, start) = match self {
            Body::Memory(body) => return rows.iter().map(|row| row.of(body).map(&look)).collect(),
            Body::Disk(file, start) => (file, start),
        };
        let places: Vec<(Range<usize>, &str)> = rows.iter().map(Row::place).collect::<Option<_>>()?;
        let (first, last) = (places.first()?.0.start, places.last()?.0.end);
        // A copy that somebody made up can name any place, and room is made for it.
        if last as u64 > size.0 {
            return None;
        }
        let mut bytes = vec![0; last.checked_sub(first)?];
        read_at(file, start + first as u64, &mut bytes).ok()?;
        let text = |(range, digest): &(Range<usize>, &str)| {
            let raw = bytes.get(range.start.checked_sub(first)?..range.end.checked_sub(first)?)?;
            let is_whole = Digest::of(raw).as_str() == *digest;
            std::str::from_utf8(raw).ok().filter(|_| is_whole)
        };
        places.iter().map(|place| text(place).map(&look)).collect()
    }
}

impl CatalogCopy {
    /// Reads a body that has just come.
    pub(super) fn new(
        source: String,
        now: SystemTime,
        validators: Validators,
        body: Vec<u8>,
    ) -> Result<Self, InvalidCatalog> {
        let body = index::text(body)?;
        let elements = index::index(&body)?;
        let header = Header::new(source, seconds(now), validators, &body, &elements);
        Ok(CatalogCopy { header: Rc::new(header), body: Rc::new(Body::Memory(body)) })
    }

    /// The same copy, which its source has confirmed just now.
    pub(super) fn confirmed(&self, now: SystemTime) -> Self {
        let mut header = Header::clone(&self.header);
        header.fetched_at = seconds(now);
        CatalogCopy { header: Rc::new(header), body: self.body.clone() }
    }

    /// The same copy with its whole body in memory, so that its file is free to be replaced (a system may refuse
    /// that while it is open).
    ///
    /// # Errors
    /// As of [`CatalogCopy::raw_of`].
    pub(super) fn loaded(&self) -> Result<Self, FetchError> {
        let body = Body::Memory(self.body()?.into_owned());
        Ok(CatalogCopy { header: self.header.clone(), body: Rc::new(body) })
    }

    /// The copy kept under this name. Anything wrong with it makes it as good as none.
    pub(super) fn open(path: &Path) -> Option<Self> {
        let mut file = super::cache::open_here(path).ok()?;
        let mut start = vec![0; FIRST_READ];
        let read = read_up_to(&mut file, &mut start).ok()?;
        start.truncate(read);
        let (range, digest) = Header::place(&start)?;
        let end = range.end;
        if read < end {
            start.resize(end, 0);
            file.read_exact(&mut start[read..]).ok()?;
        }
        start.truncate(end);
        start.drain(..range.start);
        if Sha256::of(&start) != digest {
            return None;
        }
        let header = Header::parse(String::from_utf8(start).ok()?)?;
        let whole = end as u64 + header.body.bytes.0;
        if file.metadata().ok()?.len() != whole {
            return None;
        }
        Some(CatalogCopy { header: Rc::new(header), body: Rc::new(Body::Disk(file, end as u64)) })
    }

    /// Keeps it for the runs to come; a copy that came from the disk is there already.
    pub(super) fn keep(&self, cache: &Cache, name: &str) -> io::Result<()> {
        let Body::Memory(body) = &*self.body else { return Ok(()) };
        let mut temp = cache.create(Folder::Catalogs)?;
        temp.write_all(self.written_header().as_bytes())?;
        temp.write_all(body.as_bytes())?;
        cache.keep(Folder::Catalogs, temp.into_temp_path(), name)
    }

    pub(super) fn written_header(&self) -> String {
        self.header.write()
    }

    /// Where it came from, as it may be shown.
    pub fn source(&self) -> &str {
        &self.header.source
    }

    /// How long ago the source gave or confirmed it; nothing when the clock says that this is still to come.
    pub fn age(&self, now: SystemTime) -> Option<Duration> {
        let fetched = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(self.header.fetched_at))?;
        now.duration_since(fetched).ok()
    }

    pub(super) fn validators(&self) -> &Validators {
        &self.header.validators
    }

    /// The entries in the order of the document. An id that comes twice is there twice: the first one counts
    /// (B11).
    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.header.rows()
    }

    /// The entries of one id, in the order of the document.
    pub fn rows_of<'a>(&'a self, id: &'a str) -> impl Iterator<Item = Row<'a>> {
        self.header.rows_of(id)
    }

    /// The ids of the entries that have one, in the order of the document.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.rows().filter_map(|row| row.id)
    }

    /// The JSON text of one entry.
    ///
    /// # Errors
    /// [`FetchError::DamagedCopy`] when the kept copy is not what was received. [`super::Fetcher::read_catalog`]
    /// then asks the source again.
    pub fn raw_of(&self, row: Row<'_>) -> Result<String, FetchError> {
        let damaged = || FetchError::DamagedCopy { catalog: self.source().to_owned() };
        let (range, digest) = row.place().ok_or_else(damaged)?;
        if range.end as u64 > self.header.body.bytes.0 {
            return Err(damaged());
        }
        match &*self.body {
            Body::Memory(body) => body.get(range).map(str::to_owned).ok_or_else(damaged),
            Body::Disk(file, start) => {
                let mut bytes = vec![0; range.len()];
                read_at(file, start + range.start as u64, &mut bytes).map_err(|_| damaged())?;
                if Digest::of(&bytes).as_str() != digest {
                    return Err(damaged());
                }
                String::from_utf8(bytes).map_err(|_| damaged())
            }
        }
    }

    /// What `look` makes of the JSON text of every entry, in the order of the document. They are read and looked at on
    /// all processors, a few at a time: the body is never in memory as a whole, and what is kept of an entry is all
    /// that stays of it. Each is held against its own digest before it is looked at, and meanwhile all of the body
    /// against its own, so that damage between the entries is noticed too.
    ///
    /// # Errors
    /// As of [`CatalogCopy::raw_of`].
    pub fn each<T: Send>(&self, look: impl Fn(&str) -> T + Sync) -> Result<Vec<T>, FetchError> {
        /// How many entries are read at once: some ten kilobytes, which a processor keeps at hand.
        const SHARE: usize = 16;
        let rows: Vec<Row> = self.rows().collect();
        // The longest goes first.
        let parts: Vec<Part> = std::iter::once(Part::Whole).chain(rows.chunks(SHARE).map(Part::Entries)).collect();
        let (body, expected) = (&*self.body, self.header.body);
        let looked = threads::map(&parts, |part| match part {
            Part::Whole => body.is_whole(expected).then(Vec::new),
            Part::Entries(rows) => body.look_at(rows, expected.bytes, &look),
        });
        let looked: Option<Vec<Vec<T>>> = looked.into_iter().collect();
        let damaged = || FetchError::DamagedCopy { catalog: self.source().to_owned() };
        Ok(looked.ok_or_else(damaged)?.into_iter().flatten().collect())
    }

    /// The whole body; [`Row::of`] finds an entry in it.
    ///
    /// # Errors
    /// As of [`CatalogCopy::raw_of`].
    pub fn body(&self) -> Result<Cow<'_, str>, FetchError> {
        let damaged = || FetchError::DamagedCopy { catalog: self.source().to_owned() };
        match &*self.body {
            Body::Memory(body) => Ok(Cow::Borrowed(body)),
            Body::Disk(file, start) => {
                let mut bytes = vec![0; self.header.body.bytes.0 as usize];
                read_at(file, *start, &mut bytes).map_err(|_| damaged())?;
                self.header.body.check(&bytes).map_err(|_| damaged())?;
                String::from_utf8(bytes).map(Cow::Owned).map_err(|_| damaged())
            }
        }
    }
}

fn seconds(time: SystemTime) -> u64 {
    time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs()
}

fn read_up_to(file: &mut File, into: &mut [u8]) -> io::Result<usize> {
    let mut read = 0;
    while read < into.len() {
        match file.read(&mut into[read..])? {
            0 => break,
            n => read += n,
        }
    }
    Ok(read)
}

/// Reads without moving the place the file is read at, which several threads would share.
#[cfg(unix)]
fn read_at(file: &File, offset: u64, into: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, into, offset)
}

/// Reads at the offset, whatever place the file was read at before.
#[cfg(windows)]
fn read_at(file: &File, mut offset: u64, mut into: &mut [u8]) -> io::Result<()> {
    while !into.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, into, offset)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            n => (into, offset) = (&mut into[n..], offset + n as u64),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Code, Coded};

    const BODY: &str = r#"{"schemaVersion":1,"generatedAt":"","packages":[
        {"manifest":{"id":"ember-roads"},"name":"é"}, {"manifest":{"id":"gravewatch"}}, null,
        {"manifest":{"id":"ember-roads"},"second":true}]}"#;

    fn fetched(body: &str) -> CatalogCopy {
        let validators = Validators::new(Some("\"1\""), None);
        CatalogCopy::new("https://example.org/".to_owned(), SystemTime::now(), validators, body.into()).unwrap()
    }

    fn kept(body: &str) -> (tempfile::TempDir, std::path::PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        fetched(body).keep(&Cache::new(dir.path()), "copy").unwrap();
        let path = dir.path().join("catalogs").join("copy");
        (dir, path)
    }

    fn raws(copy: &CatalogCopy) -> Result<Vec<String>, FetchError> {
        copy.rows().map(|row| copy.raw_of(row)).collect()
    }

    #[test]
    fn a_kept_copy_says_what_the_fetched_one_said() {
        let (_dir, path) = kept(BODY);
        let (fetched, kept) = (fetched(BODY), CatalogCopy::open(&path).unwrap());
        assert_eq!(kept.body().unwrap(), BODY);
        assert_eq!(kept.validators(), fetched.validators());
        assert_eq!(kept.ids().collect::<Vec<_>>(), ["ember-roads", "gravewatch", "ember-roads"]);
        assert_eq!(raws(&kept).unwrap(), raws(&fetched).unwrap());
        assert_eq!(kept.each(str::to_owned).unwrap(), raws(&kept).unwrap());
        assert_eq!(fetched.each(str::to_owned).unwrap(), raws(&kept).unwrap());
        let in_body: Vec<_> = kept.rows().map(|row| row.of(BODY).unwrap().to_owned()).collect();
        assert_eq!(in_body, raws(&kept).unwrap());
        let confirmed = kept.loaded().unwrap().confirmed(SystemTime::now());
        assert_eq!(raws(&confirmed).unwrap(), raws(&kept).unwrap());
    }

    #[test]
    fn a_copy_with_a_long_header_is_read_whole() {
        let entries: Vec<_> = (0..4000).map(|n| format!(r#"{{"manifest":{{"id":"ruleset-{n}"}}}}"#)).collect();
        let body = format!(r#"{{"schemaVersion":1,"generatedAt":"","packages":[{}]}}"#, entries.join(","));
        let (_dir, path) = kept(&body);
        let copy = CatalogCopy::open(&path).unwrap();
        assert_eq!(raws(&copy).unwrap(), entries);
        assert_eq!(copy.ids().nth(3999), Some("ruleset-3999"));
    }

    #[test]
    fn no_changed_byte_and_no_cut_goes_unnoticed() {
        let (_dir, path) = kept(BODY);
        let good = std::fs::read(&path).unwrap();
        let original = raws(&CatalogCopy::open(&path).unwrap()).unwrap();
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 0x20;
            std::fs::write(&path, &bad).unwrap();
            let Some(copy) = CatalogCopy::open(&path) else { continue };
            assert_eq!(copy.body().unwrap_err().code(), Code::InvalidCatalog, "byte {at}");
            assert_eq!(copy.each(|_| ()).unwrap_err().code(), Code::InvalidCatalog, "byte {at}");
            if let Ok(read) = raws(&copy) {
                assert_eq!(read, original, "byte {at}");
            }
        }
        for length in 0..good.len() {
            std::fs::write(&path, &good[..length]).unwrap();
            assert!(CatalogCopy::open(&path).is_none(), "cut at {length}");
        }
        std::fs::write(&path, vec![0; good.len()]).unwrap();
        assert!(CatalogCopy::open(&path).is_none());
        assert!(CatalogCopy::open(&path.with_file_name("none")).is_none());
    }

    #[test]
    fn a_time_to_come_is_no_age() {
        let now = SystemTime::now();
        let copy = fetched(BODY);
        assert!(copy.age(now + Duration::from_secs(60)).unwrap() >= Duration::from_secs(59));
        assert_eq!(copy.age(now - Duration::from_secs(60)), None);
    }
}
