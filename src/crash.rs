//! Named places at which a test can kill the process, to prove that what a killed run leaves is finished or undone;
//! and operations and questions it can make fail, to prove that a change that fails leaves the store as it was.
//!
//! `RULEPACK_CRASH_AT` is a place's name, or a number: 3 is the third place the run comes to, whatever its name, so a
//! test can kill a command at every place it has by counting up. Every place it comes to, and that an
//! operation was made to fail, is added to the file `RULEPACK_CRASH_LOG`, if one is named. At the place
//! `RULEPACK_STOP_AT` the process stops once, until it is sent SIGCONT, so a test can do something in the meantime.
//! Release builds hold none of it.

/// Stops the process dead when a test asked for this place.
#[cfg(debug_assertions)]
pub fn point(name: &str) {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static REACHED: AtomicUsize = AtomicUsize::new(0);
    #[cfg(unix)]
    static STOPPED: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);

    #[cfg(unix)]
    if std::env::var("RULEPACK_STOP_AT").is_ok_and(|wanted| wanted == name) && !STOPPED.swap(true, Ordering::Relaxed) {
        let _ = signal_hook::low_level::raise(signal_hook::consts::SIGSTOP);
    }
    let Ok(wanted) = std::env::var("RULEPACK_CRASH_AT") else { return };
    log(name);
    let reached = REACHED.fetch_add(1, Ordering::Relaxed) + 1;
    if wanted == name || wanted.parse() == Ok(reached) {
        #[cfg(unix)]
        let _ = signal_hook::low_level::raise(signal_hook::consts::SIGKILL);
        std::process::abort();
    }
}

#[cfg(debug_assertions)]
fn log(line: &str) {
    use std::io::Write;
    if let Some(log) = std::env::var_os("RULEPACK_CRASH_LOG") {
        let log = std::fs::File::options().append(true).create(true).open(log);
        let _ = log.and_then(|mut log| writeln!(log, "{line}"));
    }
}

/// Nothing in a release build.
#[cfg(not(debug_assertions))]
#[inline(always)]
pub fn point(_: &str) {}

/// Fails in place of a durable file operation when a test asked for it: `RULEPACK_FAIL_AT` is 3 for the third one the
/// run comes to, `3+` for that and all that follow, `3,4` for the two. To be called before the operation is done.
pub fn operation() -> std::io::Result<()> {
    static REACHED: Reached = Reached::new(0);
    may_fail("RULEPACK_FAIL_AT", &REACHED)
}

/// The same for questions to the disk, what is there and what does it hold: `RULEPACK_FAIL_QUESTION_AT`.
pub fn question() -> std::io::Result<()> {
    static REACHED: Reached = Reached::new(0);
    may_fail("RULEPACK_FAIL_QUESTION_AT", &REACHED)
}

type Reached = std::sync::atomic::AtomicUsize;

#[cfg(debug_assertions)]
fn may_fail(variable: &str, reached: &Reached) -> std::io::Result<()> {
    let Ok(wanted) = std::env::var(variable) else { return Ok(()) };
    let reached = reached.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
    let is_it = |one: &str| match one.strip_suffix('+') {
        Some(first) => first.parse().is_ok_and(|first: usize| reached >= first),
        None => one.parse() == Ok(reached),
    };
    if !wanted.split(',').any(is_it) {
        return Ok(());
    }
    log("failed");
    Err(std::io::Error::other("a test made it fail"))
}

/// Nothing in a release build.
#[cfg(not(debug_assertions))]
#[inline(always)]
fn may_fail(_: &str, _: &Reached) -> std::io::Result<()> {
    Ok(())
}

/// Whether a test asked, by `RULEPACK_PRETEND`, that this system be one that lacks something; names with blanks
/// between.
#[cfg(debug_assertions)]
pub fn pretends(name: &str) -> bool {
    std::env::var("RULEPACK_PRETEND").is_ok_and(|wanted| wanted.split(' ').any(|wanted| wanted == name))
}

/// Never in a release build.
#[cfg(not(debug_assertions))]
#[inline(always)]
pub fn pretends(_: &str) -> bool {
    false
}
