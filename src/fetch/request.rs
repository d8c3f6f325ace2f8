use super::client::Web;
use super::error::{AskedFor, BadRedirect, FetchError, MAX_REDIRECTS};
use super::fault::Fault;
use super::header::Validators;
use super::hosts::Hosts;
use super::patience::retry_after;
use super::source::is_loopback;
use crate::types::redacted;
use reqwest::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, HeaderName, IF_MODIFIED_SINCE, IF_NONE_MATCH, IF_RANGE, LOCATION,
    RANGE, RETRY_AFTER,
};
use reqwest::{Client, Response, StatusCode};
use std::cell::Cell;
use std::time::{Duration, SystemTime};
use tokio::time::Instant;
use url::Url;

/// One thing to ask for.
pub(super) struct Ask<'a> {
    pub url: &'a Url,
    pub asked_for: AskedFor,
    /// Past every cache on the way.
    pub fresh: bool,
    /// What the kept copy is known by, when there is one.
    pub validators: Option<&'a Validators>,
    /// From which byte on it is wanted, and of which file: what `If-Range` takes.
    pub from: Option<(u64, Option<String>)>,
    /// When something last came.
    pub heard: &'a Heard,
    /// Told that the server answers as soon as it does.
    pub hosts: &'a Hosts,
}

/// When something last came of what was asked for; nothing as long as there was no answer.
pub(super) type Heard = Cell<Option<std::time::Instant>>;

/// How long one request may take, and how long nothing may come of it.
pub(super) struct Limits {
    whole: Duration,
    silence: Duration,
    end: Instant,
}

impl Limits {
    pub fn start(whole: Duration, silence: Duration) -> Self {
        Limits { whole, silence, end: Instant::now() + whole }
    }

    /// Waits for the next thing to come.
    pub async fn wait<T>(&self, coming: impl Future<Output = reqwest::Result<T>>) -> Result<T, Fault> {
        let silent = Instant::now() + self.silence;
        match tokio::time::timeout_at(self.end.min(silent), coming).await {
            Ok(result) => result.map_err(|error| Fault::of(&error)),
            Err(_) if self.end <= silent => Err(Fault::Timeout(self.whole)),
            Err(_) => Err(Fault::Silence(self.silence)),
        }
    }
}

/// Asks, and follows where the address leads, until a body is about to come: the answer is 200, 304 to a question with
/// validators, or 206 or 416 to one for the rest of a file.
pub(super) async fn get(client: &Client, web: &Web, ask: &Ask<'_>, limits: &Limits) -> Result<Response, FetchError> {
    let mut trail = vec![ask.url.clone()];
    let mut url = ask.url.clone();
    loop {
        let answered = trail.len() > 1;
        let failed = |fault| FetchError::Network { url: redacted(&url), fault, proxy: web.proxy_of(&url), answered };
        let response = limits.wait(request(client, ask, &url).send()).await.map_err(failed)?;
        ask.heard.set(Some(std::time::Instant::now()));
        ask.hosts.answers(ask.url);
        if is_redirect(response.status()) && response.headers().contains_key(LOCATION) {
            url = follow(&trail, &response)
                .map_err(|redirect| FetchError::Redirect { url: redacted(ask.url), redirect })?;
            trail.push(url.clone());
            continue;
        }
        return match response.status() {
            StatusCode::OK => as_it_is(&url, response),
            StatusCode::NOT_MODIFIED if ask.validators.is_some() => Ok(response),
            StatusCode::PARTIAL_CONTENT if ask.from.is_some() => as_it_is(&url, response),
            StatusCode::RANGE_NOT_SATISFIABLE if ask.from.is_some() => Ok(response),
            _ => Err(refused(&url, ask.asked_for, &response)),
        };
    }
}

fn request(client: &Client, ask: &Ask<'_>, url: &Url) -> reqwest::RequestBuilder {
    // Saying nothing would allow any encoding (RFC 9110, section 12.5.3).
    let mut request = client.get(url.clone()).header(ACCEPT_ENCODING, "identity");
    if ask.fresh {
        request = request.header(CACHE_CONTROL, "no-cache");
    }
    if let Some((from, file)) = &ask.from {
        request = request.header(RANGE, format!("bytes={from}-"));
        if let Some(file) = file {
            request = request.header(IF_RANGE, file);
        }
    }
    if let Some(Validators { etag, last_modified }) = ask.validators {
        for (name, value) in [(IF_NONE_MATCH, etag), (IF_MODIFIED_SINCE, last_modified)] {
            if let Some(value) = value {
                request = request.header(name, value);
            }
        }
    }
    request
}

fn is_redirect(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}

/// Where an answer leads, if one may go there (B37).
fn follow(trail: &[Url], response: &Response) -> Result<Url, BadRedirect> {
    let from = trail.last().ok_or(BadRedirect::NotAnAddress)?;
    let location = response.headers().get(LOCATION).and_then(|value| value.to_str().ok());
    let mut to = location.and_then(|text| from.join(text).ok()).ok_or(BadRedirect::NotAnAddress)?;
    to.set_fragment(None);
    let stays_here = from.scheme() == "http" && to.scheme() == "http" && is_loopback(&to);
    if to.scheme() != "https" && !stays_here {
        return Err(BadRedirect::NotHttps { to: redacted(&to) });
    }
    if trail.contains(&to) {
        return Err(BadRedirect::Circle(trail.iter().chain([&to]).map(redacted).collect()));
    }
    if trail.len() > MAX_REDIRECTS { Err(BadRedirect::TooMany) } else { Ok(to) }
}

/// It was asked for as it is, so bytes that come encoded all the same are not the file's
/// (docs/spec/commands.md#downloads).
fn as_it_is(url: &Url, response: Response) -> Result<Response, FetchError> {
    let encoding = response.headers().get(CONTENT_ENCODING).map(|value| String::from_utf8_lossy(value.as_bytes()));
    match encoding {
        Some(encoding) if !encoding.eq_ignore_ascii_case("identity") => {
            Err(FetchError::Encoded { url: redacted(url), encoding: encoding.chars().take(80).collect() })
        }
        _ => Ok(response),
    }
}

fn refused(url: &Url, asked_for: AskedFor, response: &Response) -> FetchError {
    let header = |name: &HeaderName| response.headers().get(name).and_then(|value| value.to_str().ok());
    let wait = header(&RETRY_AFTER).and_then(|text| retry_after(text, SystemTime::now()));
    let none_left = header(&HeaderName::from_static("x-ratelimit-remaining")) == Some("0");
    FetchError::Status {
        url: redacted(url),
        asked_for,
        status: response.status(),
        limited: none_left || response.headers().contains_key(RETRY_AFTER),
        wait,
    }
}
