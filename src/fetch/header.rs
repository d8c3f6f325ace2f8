//! The head of a kept catalog copy: what makes reading a few entries out of it cheap, and noticing damage certain.
//!
//! ```text
//! rulepack-catalog 1 <bytes of the header> <SHA-256 of the header>
//! source https://example.org/catalog.json
//! fetched-at 1790000000
//! etag "33a64df5"
//! last-modified Wed, 21 Oct 2026 07:28:00 GMT
//! body 1999999 <SHA-256 of the body>
//! <id, or - when it has none> <offset in the body> <length> <first 16 bytes of the SHA-256 of those bytes>
//! …
//! ```
//!
//! The body follows, exactly as it was received. The lines of the validators are there when the source sent any.

use super::index::{Element, MAX_CATALOG};
use crate::catalog::MAX_ENTRIES;
use crate::types::{ByteSize, Expected, PackageId, Sha256};
use std::cell::OnceCell;
use std::fmt::Write as _;
use std::ops::Range;
use std::time::Duration;

/// The first word of a copy and the number of its format; any other is not read.
const MAGIC: &str = "rulepack-catalog 1 ";

/// More than the first line can have.
const MAX_FIRST_LINE: usize = MAGIC.len() + 20 + 1 + 64 + 1;

/// More than a header with [`MAX_ENTRIES`] rows can have.
const MAX_HEADER: usize = (MAX_ENTRIES + 1) * (PackageId::MAX + 64);

/// The longest validator that is kept; a longer one is taken as none.
const MAX_VALIDATOR: usize = 1024;

/// From which age on a date tells a body from the one that replaced it, though two clocks should have made them.
const SETTLED: Duration = Duration::from_secs(60);

/// What the source said about the body's identity, to be sent back when asking again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Validators {
    pub etag: Option<String>,
    pub last_modified: Option<String>,
}

/// Everything known of a catalog copy but its body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Header {
    /// Where it came from, as it may be shown.
    pub source: String,
    /// Seconds since 1970.
    pub fetched_at: u64,
    pub validators: Validators,
    pub body: Expected,
    rows: Rows,
}

/// The lines of the entries, in the order of the document.
#[derive(Clone, Debug, Default)]
struct Rows {
    text: String,
    /// Where the lines begin, sorted by their ids; made when the first id is asked for. A run asks for twenty at once,
    /// and no line is split that is not asked for.
    by_id: OnceCell<Vec<usize>>,
}

impl PartialEq for Rows {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Rows {}

impl Rows {
    fn new(text: String) -> Self {
        Rows { text, by_id: OnceCell::new() }
    }

    fn all(&self) -> impl Iterator<Item = Row<'_>> {
        self.text.lines().map(Row::read)
    }

    fn of<'a>(&'a self, id: &'a str) -> impl Iterator<Item = Row<'a>> {
        let starts = self.by_id.get_or_init(|| self.sorted());
        let first = starts.partition_point(|start| self.id_at(*start) < id);
        let rows =
            starts[first..].iter().map(|start| Row::read(self.text[*start..].lines().next().unwrap_or_default()));
        rows.take_while(move |row| row.id == Some(id))
    }

    /// Lines of the same id stay in the order of the document.
    fn sorted(&self) -> Vec<usize> {
        let mut end = 0;
        let starts = self.text.split_inclusive('\n').map(|line| (end, end += line.len()).0);
        let mut starts: Vec<usize> = starts.collect();
        starts.sort_by(|one, other| self.id_at(*one).cmp(self.id_at(*other)));
        starts
    }

    fn id_at(&self, start: usize) -> &str {
        self.text[start..].split(' ').next().unwrap_or_default()
    }
}

/// One entry of a catalog copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row<'a> {
    /// Its `manifest.id`, if it has one that a reader could ask for.
    pub id: Option<&'a str>,
    /// Offset, length and digest, read only for the rows that are wanted.
    place: &'a str,
}

impl Validators {
    /// Takes what a source sent, if it can be kept on a line of its own.
    pub fn new(etag: Option<&str>, last_modified: Option<&str>) -> Self {
        let keep = |text: Option<&str>| {
            let text = text.filter(|text| !text.is_empty() && text.len() <= MAX_VALIDATOR)?;
            text.bytes().all(|b| (b' '..=b'~').contains(&b)).then(|| text.to_owned())
        };
        Validators { etag: keep(etag), last_modified: keep(last_modified) }
    }

    /// By what the rest of this very body can be asked for (RFC 9110, sections 8.8.2.2 and 13.1.5): a strong tag; where
    /// there is no tag at all, a date so long before that of the answer that the body was not changed twice within it.
    pub fn strong(&self, answered: Option<&str>) -> Option<&str> {
        let Validators { etag, last_modified } = self;
        if let Some(etag) = etag {
            return etag.starts_with('"').then_some(etag);
        }
        let modified = last_modified.as_deref()?;
        let [since, until] = [modified, answered?].map(|date| httpdate::parse_http_date(date).ok());
        (until?.duration_since(since?).ok()? >= SETTLED).then_some(modified)
    }
}

impl Header {
    /// The header of a body whose elements have been found.
    pub fn new(source: String, fetched_at: u64, validators: Validators, body: &str, elements: &[Element]) -> Self {
        let mut rows = String::with_capacity(elements.len() * 72);
        for Element { id, range } in elements {
            let id = id.as_ref().map_or("-", PackageId::as_str);
            let digest = Digest::of(&body.as_bytes()[range.clone()]);
            // Writing into a String cannot fail.
            let _ = writeln!(rows, "{id} {} {} {}", range.start, range.len(), digest.as_str());
        }
        let body = Expected::of(body.as_bytes());
        Header { source, fetched_at, validators, body, rows: Rows::new(rows) }
    }

    /// The first line and the header, to be followed by the body.
    pub fn write(&self) -> String {
        let mut header = format!("source {}\nfetched-at {}\n", self.source, self.fetched_at);
        for (name, value) in [("etag", &self.validators.etag), ("last-modified", &self.validators.last_modified)] {
            if let Some(value) = value {
                let _ = writeln!(header, "{name} {value}");
            }
        }
        let _ = writeln!(header, "body {} {}", self.body.bytes.0, self.body.sha256);
        header.push_str(&self.rows.text);
        format!("{MAGIC}{} {}\n{header}", header.len(), Sha256::of(header.as_bytes()))
    }

    /// Where the header lies in a copy that begins with these bytes; nothing if they begin no copy.
    pub fn place(start: &[u8]) -> Option<(Range<usize>, Sha256)> {
        let line_end = start.iter().take(MAX_FIRST_LINE).position(|b| *b == b'\n')?;
        let line = std::str::from_utf8(&start[..line_end]).ok()?;
        let (length, digest) = line.strip_prefix(MAGIC)?.split_once(' ')?;
        let length: usize = length.parse().ok().filter(|length| *length <= MAX_HEADER)?;
        Some((line_end + 1..line_end + 1 + length, digest.parse().ok()?))
    }

    /// Reads a header whose bytes have been found and are the ones the first line names.
    pub fn parse(mut header: String) -> Option<Self> {
        let mut rest = header.as_str();
        let mut line = |name: &str| {
            let (line, after) = rest.split_once('\n')?;
            let value = line.strip_prefix(name)?.strip_prefix(' ')?;
            rest = after;
            Some(value)
        };
        let source = line("source")?.to_owned();
        let fetched_at = line("fetched-at")?.parse().ok()?;
        let etag = line("etag").map(str::to_owned);
        let last_modified = line("last-modified").map(str::to_owned);
        let (bytes, sha256) = line("body")?.split_once(' ')?;
        let bytes = ByteSize(bytes.parse().ok()?);
        let body = Expected { sha256: sha256.parse().ok()?, bytes };
        if bytes > MAX_CATALOG {
            return None;
        }
        let rows = Rows::new(header.split_off(header.len() - rest.len()));
        Some(Header { source, fetched_at, validators: Validators { etag, last_modified }, body, rows })
    }

    /// The entries of one id, in the order of the document.
    pub fn rows_of<'a>(&'a self, id: &'a str) -> impl Iterator<Item = Row<'a>> {
        self.rows.of(id)
    }

    /// The entries in the order of the document, ids that come twice included.
    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows.all()
    }
}

impl<'a> Row<'a> {
    fn read(line: &'a str) -> Self {
        let (id, place) = line.split_once(' ').unwrap_or((line, ""));
        Row { id: (id != "-").then_some(id), place }
    }

    /// The entry's bytes in the body and their digest; nothing if the row is not as this program writes it.
    pub(super) fn place(&self) -> Option<(Range<usize>, &'a str)> {
        let (offset, rest) = self.place.split_once(' ')?;
        let (length, digest) = rest.split_once(' ')?;
        let (offset, length): (usize, usize) = (offset.parse().ok()?, length.parse().ok()?);
        Some((offset..offset.checked_add(length)?, digest))
    }

    /// The first 16 bytes of the SHA-256 of the entry's bytes, in hexadecimal digits.
    pub fn digest(&self) -> Option<&'a str> {
        self.place().map(|(_, digest)| digest)
    }

    /// The entry's JSON text out of the whole body.
    pub fn of<'b>(&self, body: &'b str) -> Option<&'b str> {
        body.get(self.place()?.0)
    }
}

/// The first 16 bytes of a SHA-256 in hexadecimal digits: enough to notice damage.
pub(super) struct Digest([u8; 32]);

impl Digest {
    pub fn of(bytes: &[u8]) -> Self {
        let mut digits = [b'0'; 32];
        // Fails only for a target of another size.
        let _ = hex::encode_to_slice(&Sha256::of(bytes).as_bytes()[..16], &mut digits);
        Digest(digits)
    }

    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fetch::index::index;

    #[test]
    fn a_header_reads_as_it_was_written() {
        let body = r#"{"schemaVersion":1,"generatedAt":"","packages":[{"manifest":{"id":"a"}},null]}"#;
        let elements = index(body).unwrap();
        for validators in [
            Validators::default(),
            Validators::new(Some("\"x y\""), None),
            Validators::new(Some("W/\"1\""), Some("Wed, 21 Oct 2026 07:28:00 GMT")),
        ] {
            let header = Header::new("https://example.org/…".to_owned(), 17, validators, body, &elements);
            let written = header.write();
            let (range, digest) = Header::place(written.as_bytes()).unwrap();
            assert_eq!(range.end, written.len());
            assert_eq!(Sha256::of(&written.as_bytes()[range.clone()]), digest);
            assert_eq!(Header::parse(written[range].to_owned()), Some(header.clone()));
            let rows: Vec<_> = header.rows().map(|row| (row.id, row.of(body))).collect();
            assert_eq!(rows, [(Some("a"), Some(r#"{"manifest":{"id":"a"}}"#)), (None, Some("null"))]);
        }
    }

    #[test]
    fn the_rows_of_an_id_are_its_own_in_their_order() {
        let ids = ["b", "a-b", "a", "b", "ab", "a"];
        let entries: Vec<String> = ids.iter().map(|id| format!(r#"{{"manifest":{{"id":"{id}"}}}}"#)).collect();
        let body = format!(r#"{{"schemaVersion":1,"generatedAt":"","packages":[null,{}]}}"#, entries.join(","));
        let header = Header::new(String::new(), 17, Validators::default(), &body, &index(&body).unwrap());
        let places = |id: &str| header.rows_of(id).map(|row| row.place().unwrap().0.start).collect::<Vec<_>>();
        for asked in ["a", "a-b", "ab", "b", "", "-", "a-", "c", "a b"] {
            let there = header.rows().filter(|row| row.id == Some(asked));
            assert_eq!(places(asked), there.map(|row| row.place().unwrap().0.start).collect::<Vec<_>>(), "{asked}");
        }
        assert_eq!((places("a").len(), places("b").len(), places("-").len()), (2, 2, 0));
    }

    #[test]
    fn a_validator_that_would_break_the_lines_is_dropped() {
        let kept = Validators::new(Some("a\nbody 1"), Some("caf\u{e9}"));
        assert_eq!(kept, Validators::default());
        assert_eq!(Validators::new(Some(&"x".repeat(MAX_VALIDATOR + 1)), Some("")), Validators::default());
    }

    #[test]
    fn the_rest_of_a_body_is_asked_for_by_a_strong_tag_or_by_a_date_that_has_settled() {
        const DATE: &str = "Wed, 21 Oct 2026 07:28:00 GMT";
        let later = |seconds| Some(format!("Wed, 21 Oct 2026 07:28:{seconds:02} GMT"));
        let hour = Some("Wed, 21 Oct 2026 08:28:00 GMT".to_owned());
        for (etag, modified, answered, strong) in [
            (Some("\"1\""), None, None, Some("\"1\"")),
            (Some("\"1\""), Some(DATE), hour.clone(), Some("\"1\"")),
            (Some("W/\"1\""), Some(DATE), hour.clone(), None),
            (Some("1"), None, None, None),
            (None, Some(DATE), hour.clone(), Some(DATE)),
            (None, Some(DATE), later(59), None),
            (None, Some(DATE), None, None),
            (None, Some("yesterday"), hour.clone(), None),
            (None, None, hour.clone(), None),
        ] {
            let validators = Validators::new(etag, modified);
            assert_eq!(validators.strong(answered.as_deref()), strong, "{etag:?} {modified:?} {answered:?}");
        }
    }

    #[test]
    fn another_format_is_no_header() {
        let digest = "0".repeat(64);
        for wrong in [
            String::new(),
            "{}".to_owned(),
            format!("rulepack-catalog 2 10 {digest}\n"),
            format!("rulepack-catalog 1 99999999999999999999 {digest}\n"),
            format!("rulepack-catalog 1 999999999 {digest}\n"),
            "rulepack-catalog 1 10 abc\n".to_owned(),
            format!("rulepack-catalog 1 10 {digest}"),
        ] {
            assert!(Header::place(wrong.as_bytes()).is_none(), "{wrong}");
        }
    }
}
