//! A command's answer before it is rendered: one typed report with two faces.

use super::term::{Stream, json_safe};
use crate::types::{Code, Failure, Warning};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::value::RawValue;
use std::path::PathBuf;

/// A report that can be shown to people and written as JSON.
pub trait Report {
    /// The `result` of the envelope.
    fn json(&self) -> Box<RawValue>;

    /// The same for people, on stdout. `verbose` asks for more.
    fn show(&self, out: &mut Stream, verbose: bool);

    /// What people are told beside it, on stderr.
    fn show_aside(&self, _err: &mut Stream) {}

    /// Warnings that follow from the report itself; people are told in fewer words than programs.
    fn warnings(&self, _for_people: bool) -> Vec<Warning> {
        Vec::new()
    }

    /// Whether people are told by the report itself what a warning says.
    fn tells(&self, _warning: &Warning) -> bool {
        false
    }

    /// Whether people asked for this very text, so that `--quiet` does not take it away.
    fn is_asked_for(&self) -> bool {
        true
    }
}

/// The JSON of any report.
pub fn to_json(report: &impl Serialize) -> Box<RawValue> {
    serde_json::value::to_raw_value(report).unwrap_or_else(|_| unreachable!("reports are texts, numbers and flags"))
}

/// The text of an answer for programs, on one line.
pub fn to_line(answer: &impl Serialize) -> String {
    let text = serde_json::to_string(answer);
    json_safe(text.unwrap_or_else(|_| unreachable!("reports are texts, numbers and flags")))
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    Ok,
    /// The check ran and found errors; exit code 10.
    Problems,
    Error,
}

/// What a command came to.
pub struct Answer {
    pub report: Option<Box<dyn Report>>,
    /// What went wrong, in order; the first decides the exit code, unless the run was interrupted.
    pub failures: Vec<Failure>,
    /// Whether a check ran and found errors.
    pub problems: bool,
}

/// An answer, and what to warn of beside it.
pub type Answered = (Answer, Vec<Warning>);

impl Answer {
    pub fn of(report: impl Report + 'static) -> Self {
        Answer { report: Some(Box::new(report)), failures: Vec::new(), problems: false }
    }

    pub fn failed(failure: Failure) -> Self {
        Answer { report: None, failures: vec![failure], problems: false }
    }

    /// The same with what went wrong on the way.
    pub fn with_failures(self, failures: Vec<Failure>) -> Self {
        Answer { failures, ..self }
    }

    /// The failure that the answer as a whole has: that the run was interrupted, else the first
    /// (docs/spec/commands.md#exit-codes).
    pub fn failure(&self) -> Option<&Failure> {
        let interrupted = self.failures.iter().find(|failure| failure.code == Code::Interrupted);
        interrupted.or(self.failures.first())
    }

    pub fn status(&self) -> Status {
        match (self.failure(), self.problems) {
            (Some(_), _) => Status::Error,
            (None, true) => Status::Problems,
            (None, false) => Status::Ok,
        }
    }

    /// The number to exit with (docs/spec/commands.md#exit-codes).
    pub fn exit(&self) -> u8 {
        match (self.failure(), self.problems) {
            (Some(failure), _) => failure.code.exit(),
            (None, true) => 10,
            (None, false) => 0,
        }
    }
}

/// The folder paths are shown from.
pub fn here() -> PathBuf {
    std::env::current_dir().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interruption_is_the_answer_whatever_else_went_wrong() {
        let failed = |code| Failure::new(code, "it failed");
        let answer = |failures| Answer { report: None, failures, problems: true };
        let both = answer(vec![failed(Code::ChecksumMismatch), failed(Code::Interrupted), failed(Code::Io)]);
        assert_eq!((both.exit(), both.failure().map(|failure| failure.code)), (130, Some(Code::Interrupted)));
        assert_eq!(answer(vec![failed(Code::ChecksumMismatch), failed(Code::Io)]).exit(), 4);
        assert_eq!((answer(Vec::new()).exit(), answer(Vec::new()).status()), (10, Status::Problems));
    }
}
