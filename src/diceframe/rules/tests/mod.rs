//! The audit over files on disk: one test a code, named after it.

mod extending;
mod hostile;
mod packs;
mod rules;
mod worlds;

use super::{AuditReport, Request, audit, gather};
use crate::diceframe::codes;
use crate::types::{Cancel, Code, Failure, Warning};
use std::path::PathBuf;

/// A folder with files in it.
struct Folder(tempfile::TempDir);

impl Folder {
    fn of(files: &[(&str, &str)]) -> Self {
        let folder = Folder(tempfile::tempdir().unwrap());
        for (name, text) in files {
            let path = folder.path(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Audits these of its files and folders.
    fn audited(&self, host: Option<&str>, paths: &[&str]) -> Result<(AuditReport, Vec<Warning>), Failure> {
        let paths = paths.iter().map(|name| self.path(name)).collect();
        audit(&Request { host: host.map(|name| self.path(name)), paths, strict: false }, &Cancel::default())
    }

    /// What is found: code, file and pointer, in order.
    fn found(&self, host: Option<&str>, paths: &[&str]) -> Vec<(String, String, String)> {
        let (report, _) = self.audited(host, paths).unwrap();
        let found = report.problems.into_iter().map(|problem| {
            assert!(problem.line.is_some() && problem.column.is_some() || problem.code == codes::D01, "{problem:?}");
            let file = PathBuf::from(problem.file.unwrap());
            let file = file.strip_prefix(self.0.path()).unwrap_or(&file).display().to_string();
            (problem.code.to_string(), file.replace('\\', "/"), problem.pointer.unwrap())
        });
        found.collect()
    }

    /// The codes alone.
    fn codes(&self, host: Option<&str>, paths: &[&str]) -> Vec<String> {
        self.found(host, paths).into_iter().map(|(code, ..)| code).collect()
    }
}

#[test]
fn an_audit_can_be_interrupted() {
    let folder = Folder::of(&[("rule.json", "{}")]);
    let cancel = Cancel::default();
    cancel.flag().store(true, std::sync::atomic::Ordering::Relaxed);
    let request = Request { host: None, paths: vec![folder.path("rule.json")], strict: false };
    assert_eq!(audit(&request, &cancel).unwrap_err().code, Code::Interrupted);
    assert_eq!(gather(None, &request.paths, &cancel).unwrap_err().code, Code::Interrupted);
}

/// What is found in one rule file: `CODE pointer`, in order.
fn found_in(rule: &str) -> Vec<String> {
    let found = Folder::of(&[("rule.json", rule)]).found(None, &["rule.json"]);
    found.into_iter().map(|(code, _, pointer)| format!("{code} {pointer}")).collect()
}

/// Rules with these findings, each told apart by what it says beside its id.
#[track_caller]
fn assert_found(cases: &[(&str, &[&str])]) {
    for (members, expected) in cases {
        let rule = format!(r#"{{"rule_id": "t"{}{members}}}"#, if members.is_empty() { "" } else { ", " });
        assert_eq!(found_in(&rule), *expected, "{rule}");
    }
}
