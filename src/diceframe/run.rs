//! The audits of DiceFrame's content packs.

use super::args::{AuditCombat, AuditCommand, AuditDice};
use super::face::{AuditedCombat, AuditedDice, AuditedRules};
use super::{combat, dice, rules};
use crate::face::{Answer, Answered, Format, here};
use crate::types::{Cancel, Failure};

/// Runs an audit. None of them needs a folder of ours.
pub fn run(what: &AuditCommand, cancel: &Cancel) -> Answered {
    let answered = match what {
        AuditCommand::Rules { host, paths, findings } => {
            let request = rules::Request { host: host.clone(), paths: paths.clone(), strict: findings.strict };
            audit_rules(&request, findings.format, cancel)
        }
        AuditCommand::Dice(asked) => audit_dice(asked, cancel),
        AuditCommand::Combat(asked) => audit_combat(asked, cancel),
    };
    answered.unwrap_or_else(|failure| (Answer::failed(failure), Vec::new()))
}

fn audit_rules(request: &rules::Request, format: Format, cancel: &Cancel) -> Result<Answered, Failure> {
    let (report, warnings) = rules::audit(request, cancel)?;
    let problems = report.summary.errors > 0;
    Ok((Answer { problems, ..Answer::of(AuditedRules { report, format, base: here() }) }, warnings))
}

fn audit_dice(asked: &AuditDice, cancel: &Cancel) -> Result<Answered, Failure> {
    let gathered = rules::gather(asked.host.as_deref(), &asked.rule_paths, cancel)?;
    let order = dice::audit::Order {
        rounds: asked.rounds,
        players: asked.players,
        distribution_samples: asked.distribution_samples,
        seed: asked.seed,
        only: asked.rules.clone(),
        details: asked.details,
    };
    let subjects = dice::audit::subjects(gathered.rules);
    let report = dice::audit::audit(&subjects, gathered.problems, &order, cancel)?;
    let answer = Answer { problems: !report.ok, ..Answer::of(AuditedDice { report, base: here() }) };
    Ok((answer, gathered.warnings))
}

fn audit_combat(asked: &AuditCombat, cancel: &Cancel) -> Result<Answered, Failure> {
    let order = combat::audit::Order {
        host: asked.host.clone(),
        paths: asked.paths.clone(),
        only: asked.rules.clone(),
        rounds: asked.rounds,
        players: asked.players,
        seed: asked.seed,
        trace: asked.trace,
        strict: asked.findings.strict,
    };
    let (report, warnings) = combat::audit::audit(&order, cancel)?;
    let answer = Answer {
        problems: !report.ok,
        ..Answer::of(AuditedCombat { report, format: asked.findings.format, base: here() })
    };
    Ok((answer, warnings))
}
