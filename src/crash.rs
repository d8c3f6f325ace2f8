//! Named places at which a test can kill the process, to prove that what a killed run leaves is finished or undone.

/// Stops the process dead when a test asked for this place by `RULEPACK_CRASH_AT`. Release builds hold none of it.
#[cfg(debug_assertions)]
pub fn point(name: &str) {
    if std::env::var_os("RULEPACK_CRASH_AT").is_some_and(|wanted| wanted == name) {
        #[cfg(unix)]
        let _ = signal_hook::low_level::raise(signal_hook::consts::SIGKILL);
        std::process::abort();
    }
}

/// Nothing in a release build.
#[cfg(not(debug_assertions))]
#[inline(always)]
pub fn point(_: &str) {}
