//! The table, a row at a time: a row can take a while.

use super::measure::Paired;
use std::time::Duration;

/// What must hold of a comparison.
#[derive(Clone, Copy)]
pub enum Goal {
    /// Ours takes at most so many times as long.
    Times(f64),
    Faster,
    /// Ours takes at most so much longer.
    More(Duration),
}

pub fn head() {
    line("what", "rulepack", "against", "takes", "ratio", "goal", "");
    println!("|{0:-<60}|{0:->11}|{0:-<52}|{0:->11}|{0:->9}|{0:-<15}|{0:-<6}|", "");
}

/// A comparison of two times.
pub fn row(what: &str, against: &str, found: Paired, goal: Goal) {
    let (told, wanted, met) = match goal {
        Goal::Times(most) => (format!("{:.2}", found.ratio), format!("at most {most}"), found.ratio <= most),
        Goal::Faster => (format!("{:.2}", found.ratio), "below 1".to_owned(), found.ratio < 1.0),
        Goal::More(most) => {
            let wanted = format!("at most +{} ms", most.as_millis());
            (format!("{:+.2} ms", found.more * 1e3), wanted, found.more <= most.as_secs_f64())
        }
    };
    line(what, &ms(found.ours), against, &ms(found.theirs), &told, &wanted, verdict(met));
}

/// Two figures that are no times: counts, bytes.
pub fn figure(what: &str, ours: &str, against: &str, theirs: &str, ratio: f64, most: f64) {
    let wanted = format!("at most {most}");
    line(what, ours, against, theirs, &format!("{ratio:.2}"), &wanted, verdict(ratio <= most));
}

/// A row that this machine cannot show.
pub fn skipped(what: &str, missing: &str) {
    line(what, "-", &format!("(not measured: no `{missing}` here)"), "-", "-", "", "");
}

fn line(what: &str, ours: &str, against: &str, theirs: &str, ratio: &str, goal: &str, met: &str) {
    println!("| {what:58} | {ours:>9} | {against:50} | {theirs:>9} | {ratio:>7} | {goal:13} | {met:4} |");
}

fn verdict(met: bool) -> &'static str {
    if met { "met" } else { "MISS" }
}

fn ms(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}
