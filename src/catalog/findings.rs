use crate::types::{Pointer, Problem, Problems, Rule, Severity};

/// The most findings of either kind told of one entry: a few bytes of a catalog can hold a finding each, and what is
/// kept of an entry must not outgrow it by orders of magnitude.
const MOST: usize = 200;

/// What was found while reading an entry or a manifest.
#[derive(Debug)]
pub(super) struct Findings {
    /// What makes it unusable.
    pub reasons: Problems,
    /// What an installer lets pass and `catalog verify` reports.
    pub notes: Problems,
}

impl Default for Findings {
    fn default() -> Self {
        Findings { reasons: Problems::at_most(MOST), notes: Problems::at_most(MOST) }
    }
}

impl Findings {
    pub fn refuse(&mut self, code: &'static Rule, at: &Pointer, message: impl Into<String>) {
        self.reasons.push(Problem::new(code, at, message));
    }

    pub fn note(&mut self, code: &'static Rule, at: &Pointer, message: impl Into<String>) {
        self.notes.push(Problem::new(code, at, message));
    }

    /// A note as bad as it is here.
    pub fn note_as(&mut self, severity: Severity, code: &'static Rule, at: &Pointer, message: impl Into<String>) {
        self.notes.push(Problem::new(code, at, message).severity(severity));
    }

    /// The reasons and the notes, each with the package it is about and what can be done.
    pub fn complete(self, package: Option<&str>) -> (Vec<Problem>, Vec<Problem>) {
        let (mut reasons, mut notes) = (self.reasons.into_vec(), self.notes.into_vec());
        for problem in reasons.iter_mut().chain(&mut notes) {
            problem.package = package.map(str::to_owned);
        }
        (reasons, notes)
    }
}
