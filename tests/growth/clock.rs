//! How long this thread has worked.

use std::time::{Duration, Instant};

/// The time it takes, without that in which other threads had the processor where the system can tell.
pub fn spent(run: impl FnOnce()) -> Duration {
    let (start, worked) = (Instant::now(), worked());
    run();
    match (worked, self::worked()) {
        (Some(before), Some(after)) if after > before => after - before,
        _ => start.elapsed(),
    }
}

/// Linux keeps it in nanoseconds, as the first word of this file.
fn worked() -> Option<Duration> {
    // The counter of a running thread is brought up to date when it gives the processor away.
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}
