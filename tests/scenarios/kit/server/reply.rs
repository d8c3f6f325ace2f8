use bytes::Bytes;
use std::time::Duration;

/// What a path of the server answers. Made good, then spoiled step by step:
/// `Reply::ok(bytes).etag("\"1\"").cut_after(100)`.
#[derive(Clone, Debug)]
pub struct Reply {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Bytes,
    pub(super) length: Length,
    pub(super) pace: Pace,
    pub(super) delay: Duration,
    pub(super) hang_up: bool,
    pub(super) in_parts: bool,
    pub(super) to_ranges: Option<u16>,
}

/// What `Content-Length` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Length {
    True,
    Missing,
    Claimed(u64),
}

/// How the body is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pace {
    AtOnce,
    /// So many bytes, then the connection is cut.
    CutAfter(usize),
    /// So many bytes, then silence for as long as the reader waits.
    StallAfter(usize),
    /// So many bytes at a time, with a pause between.
    Dribble(usize, Duration),
    /// The body again and again, for as long as anybody reads.
    Endless,
}

impl Reply {
    /// Who asks for the rest of the body with `Range` gets it, unless `If-Range` names another than its ETag or date.
    pub fn in_parts(mut self) -> Self {
        self.in_parts = true;
        self
    }

    /// Who asks for a range gets this status instead.
    pub fn refusing_ranges(mut self, status: u16) -> Self {
        self.to_ranges = Some(status);
        self
    }

    /// The rest of the body from this byte on, as the answer to a range.
    pub(super) fn rest(self, from: usize) -> Self {
        let whole = self.body.len();
        let range = format!("bytes {from}-{}/{whole}", whole.saturating_sub(1));
        let body = self.body.slice(from..);
        Reply { status: 206, body, ..self }.header("content-range", range)
    }

    /// These bytes, with status 200 and their true length.
    pub fn ok(body: impl Into<Bytes>) -> Self {
        Reply {
            status: 200,
            headers: Vec::new(),
            body: body.into(),
            length: Length::True,
            pace: Pace::AtOnce,
            delay: Duration::ZERO,
            hang_up: false,
            in_parts: false,
            to_ranges: None,
        }
    }

    /// Status 200 and this value as JSON.
    pub fn json(value: &serde_json::Value) -> Self {
        Reply::ok(value.to_string()).header("content-type", "application/json")
    }

    /// This status and a line of text.
    pub fn status(status: u16) -> Self {
        Reply { status, ..Reply::ok(format!("status {status}\n")) }
    }

    /// A web page with status 200, as the login page of a network sends it.
    pub fn web_page() -> Self {
        Reply::ok("<!DOCTYPE html><html><body>Please log in</body></html>").header("content-type", "text/html")
    }

    /// Status 302 to this address, a path or a whole URL.
    pub fn redirect(to: impl Into<String>) -> Self {
        Reply::status(302).header("location", to)
    }

    /// The connection is cut when the request arrives; no answer at all.
    pub fn hang_up() -> Self {
        Reply { hang_up: true, ..Reply::status(500) }
    }

    pub fn header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_ascii_lowercase(), value.into()));
        self
    }

    /// Sends this ETag (quotes included), and 304 to who names it in `If-None-Match`.
    pub fn etag(self, tag: &str) -> Self {
        self.header("etag", tag)
    }

    /// Sends this date, and 304 to who names it in `If-Modified-Since` (and no other ETag).
    pub fn last_modified(self, date: &str) -> Self {
        self.header("last-modified", date)
    }

    pub fn retry_after(self, value: &str) -> Self {
        self.header("retry-after", value)
    }

    /// The body compressed and labelled so, though nobody asked for it.
    pub fn gzip(mut self) -> Self {
        use std::io::Write;
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(&self.body).unwrap();
        self.body = encoder.finish().unwrap().into();
        self.header("content-encoding", "gzip")
    }

    /// No `Content-Length`.
    pub fn without_length(mut self) -> Self {
        self.length = Length::Missing;
        self
    }

    /// A `Content-Length` that lies. Over HTTP/1 a body never goes on past it.
    pub fn claiming_length(mut self, bytes: u64) -> Self {
        self.length = Length::Claimed(bytes);
        self
    }

    /// Sends so many bytes, then cuts the connection.
    pub fn cut_after(mut self, bytes: usize) -> Self {
        self.pace = Pace::CutAfter(bytes);
        self
    }

    /// Sends so many bytes, then nothing more, and keeps the connection.
    pub fn stall_after(mut self, bytes: usize) -> Self {
        self.pace = Pace::StallAfter(bytes);
        self
    }

    /// Sends so many bytes at a time, with this pause between.
    pub fn dribble(mut self, bytes: usize, every: Duration) -> Self {
        assert!(bytes > 0);
        self.pace = Pace::Dribble(bytes, every);
        self
    }

    /// Sends the body over and over, without a length, until the reader goes.
    pub fn endless(mut self) -> Self {
        assert!(!self.body.is_empty());
        self.pace = Pace::Endless;
        self.without_length()
    }

    /// Waits so long before anything is answered.
    pub fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    pub(super) fn header_value(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}
