//! The audits of DiceFrame's content packs.

use super::answer::Answer;
use super::args::AuditCommand;
use super::human::AuditedRules;
use super::workshop::{Answered, here};
use crate::contentpack::rules;

/// Runs an audit. None of them needs a folder of ours.
pub fn run(what: &AuditCommand) -> Answered {
    match what {
        AuditCommand::Rules { host, paths, findings } => {
            let request = rules::Request { host: host.clone(), paths: paths.clone(), strict: findings.strict };
            match rules::audit(&request) {
                Err(failure) => (Answer::failed(failure), Vec::new()),
                Ok((report, warnings)) => {
                    let problems = report.summary.errors > 0;
                    let shown = AuditedRules { report, format: findings.format, base: here() };
                    (Answer { problems, ..Answer::of(shown) }, warnings)
                }
            }
        }
    }
}
