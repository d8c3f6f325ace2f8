use super::setbacks::MOST;
use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};
use std::time::{Duration, Instant, SystemTime};

/// How long, and how often, one piece of work may be tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// The first wait between two tries; each further one is twice as long, with up to as much again by chance.
    pub first_wait: Duration,
    /// All waits together (docs/spec/commands.md#retries).
    pub waiting: Duration,
    /// How long nothing may come before a connection is given up (docs/spec/commands.md#retries).
    pub silence: Duration,
}

/// How often a transient fault is tried again (docs/spec/commands.md#retries).
const RETRIES: usize = 3;

impl Pace {
    pub const ORDINARY: Pace = Pace {
        first_wait: Duration::from_millis(500),
        waiting: Duration::from_secs(30),
        silence: Duration::from_secs(30),
    };

    /// For somebody who has something to fall back on: the engine asks when a page opens.
    pub fn hurried(self) -> Pace {
        let (first_wait, waiting) = (Duration::from_millis(100), Duration::from_secs(2));
        Pace { first_wait: self.first_wait.min(first_wait), waiting: self.waiting.min(waiting), ..self }
    }
}

/// What is left of the tries and of the waiting.
pub(super) struct Patience {
    first_wait: Duration,
    waits: ExponentialBackoff,
    left: Duration,
    /// Whether one try without a wait is left.
    at_once: bool,
    /// When no further try begins, whatever is left.
    end: Option<Instant>,
}

impl Patience {
    pub fn new(pace: Pace) -> Self {
        let waits = waits(pace.first_wait);
        Patience { first_wait: pace.first_wait, waits, left: pace.waiting, at_once: true, end: None }
    }

    /// No try begins after this; the one under way goes on.
    pub fn until(self, end: Instant) -> Self {
        Patience { end: Some(end), ..self }
    }

    /// Whether the time for further tries is over.
    fn is_over(&self) -> bool {
        self.end.is_some_and(|end| end <= Instant::now())
    }

    /// As many tries again as to begin with, since the last one got further; all waits together stay bounded.
    pub fn renew(&mut self) {
        self.waits = waits(self.first_wait);
    }

    /// A try without a wait before it, which there is once.
    pub fn at_once(&mut self) -> Option<Duration> {
        let is_left = std::mem::take(&mut self.at_once) && !self.is_over();
        is_left.then(|| self.waits.next()).flatten().map(|_| Duration::ZERO)
    }

    /// How long to wait before the next try; nothing when it is time to give up. What a server asks for is never
    /// cut short: rather than to come too early, one does not come again.
    pub fn next_wait(&mut self, asked: Option<Duration>) -> Option<Duration> {
        let wait = self.waits.next().filter(|_| !self.is_over())?.max(asked.unwrap_or_default());
        self.left = self.left.checked_sub(wait)?;
        Some(wait)
    }
}

fn waits(first: Duration) -> ExponentialBackoff {
    let waits = ExponentialBuilder::new().with_min_delay(first).with_factor(2.0).with_max_times(RETRIES);
    waits.with_jitter().build()
}

/// Reads a `Retry-After`: whole seconds, or an HTTP date. No more is made of it than is believed.
pub(super) fn retry_after(text: &str, now: SystemTime) -> Option<Duration> {
    let text = text.trim();
    if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) {
        return Some(Duration::from_secs(text.parse().unwrap_or(u64::MAX)).min(MOST));
    }
    let date = httpdate::parse_http_date(text).ok()?;
    Some(date.duration_since(now).unwrap_or_default().min(MOST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_after_in_seconds_or_as_a_date() {
        let now = httpdate::parse_http_date("Wed, 21 Oct 2026 07:28:00 GMT").unwrap();
        let after = |text: &str| retry_after(text, now).map(|wait| wait.as_secs());
        assert_eq!(after("7"), Some(7));
        assert_eq!(after(" 0 "), Some(0));
        assert_eq!(after("99999999999999999999999"), Some(86_400));
        assert_eq!(after("Wed, 21 Oct 2099 07:28:00 GMT"), Some(86_400));
        assert_eq!(after("Wed, 21 Oct 2026 07:28:09 GMT"), Some(9));
        assert_eq!(after("Wed, 21 Oct 2026 07:20:00 GMT"), Some(0));
        for wrong in ["", "-1", "1.5", "soon", "2026-10-21"] {
            assert_eq!(after(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn three_retries_and_half_a_minute_at_most() {
        let mut patience = Patience::new(Pace::ORDINARY);
        let waits: Vec<_> = std::iter::from_fn(|| patience.next_wait(None)).collect();
        assert_eq!(waits.len(), RETRIES);
        assert!(waits.iter().sum::<Duration>() <= Pace::ORDINARY.waiting);

        let mut patience = Patience::new(Pace::ORDINARY);
        assert_eq!(patience.next_wait(Some(Duration::from_secs(20))), Some(Duration::from_secs(20)));
        assert_eq!(patience.next_wait(Some(Duration::from_secs(20))), None);
        assert_eq!(Patience::new(Pace::ORDINARY).next_wait(Some(Duration::MAX)), None);
    }
}
