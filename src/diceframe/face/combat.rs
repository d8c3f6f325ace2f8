use super::rule_names;
use crate::diceframe::combat::audit::{self, FighterReport, Move, RuleReport, Step};
use crate::diceframe::combat::fight::Event;
use crate::face::term::{Cell, Column, Role, Stream, Table, clean, count};
use crate::face::{Format, Report, annotation, show_problems, show_verdict, to_json};
use serde_json::value::RawValue;
use std::path::PathBuf;

/// What `audit combat` tells.
pub struct AuditedCombat {
    pub report: audit::Report,
    pub format: Format,
    /// Paths below this folder are shown from there on.
    pub base: PathBuf,
}

impl Report for AuditedCombat {
    fn json(&self) -> Box<RawValue> {
        to_json(&self.report)
    }

    fn show(&self, out: &mut Stream, verbose: bool) {
        let AuditedCombat { report, format, base } = self;
        if *format == Format::Github {
            report.problems.iter().for_each(|problem| out.line(annotation(problem, base)));
            return;
        }
        let names = rule_names(report.rules.iter().map(|rule| (rule.rule_id.as_str(), rule.file.as_deref())), base);
        for (rule, name) in report.rules.iter().zip(&names) {
            if let Some(steps) = &rule.trace {
                out.line(format!("{}, the first fight", out.look().palette.paint(Role::Id, clean(name))));
                steps.iter().for_each(|step| show_step(step, out));
                out.line("");
            }
        }
        show_problems(&report.problems, base, verbose, out);
        let fought: Vec<(&str, &RuleReport)> =
            names.iter().map(String::as_str).zip(&report.rules).filter(|(_, rule)| rule.declared).collect();
        if !fought.is_empty() {
            out.print(&rules(&fought).render(out.look()));
            out.line("");
        }
        if verbose && fought.iter().any(|(_, rule)| !rule.actions.is_empty()) {
            out.print(&actions(&fought).render(out.look()));
            out.line("");
        }
        self.show_summary(out);
    }

    fn show_aside(&self, err: &mut Stream) {
        if self.format == Format::Github {
            self.show_summary(err);
        }
    }
}

impl AuditedCombat {
    fn show_summary(&self, out: &mut Stream) {
        let summary = &self.report.summary;
        let looked = [
            count(summary.rules as u64, "rule", "rules"),
            format!("{} fought by", summary.fought),
            count(summary.fights, "fight", "fights"),
            count(summary.rounds, "round", "rounds"),
            count(summary.actions, "action", "actions"),
            count(summary.comparisons, "comparison", "comparisons"),
        ];
        let done = format!("{} with seed {}", looked.join(", "), self.report.seed);
        show_verdict(&done, (summary.errors, summary.warnings), &self.report.problems, out);
    }
}

fn rules(rules: &[(&str, &RuleReport)]) -> Table<6> {
    let mut table = Table::new([
        Column::left("RULE").role(Role::Id),
        Column::left("SCHEDULER"),
        Column::right("FIGHTS"),
        Column::right("ENDED"),
        Column::right("ROUNDS"),
        Column::left("VERIFIED"),
    ]);
    for (name, rule) in rules {
        let verified = match (rule.fought, rule.disagreements) {
            (false, _) => Cell::new("not fought").role(Role::Warn),
            (true, 0) => Cell::new("all").role(Role::Ok),
            (true, wrong) => Cell::new(count(wrong as u64, "disagreement", "disagreements")).role(Role::Error),
        };
        table.push([
            Cell::new(*name),
            Cell::new(rule.scheduler.as_deref().unwrap_or("none")),
            Cell::new(rule.fights),
            Cell::new(rule.ended),
            Cell::new(rule.rounds),
            verified,
        ]);
    }
    table
}

fn actions(rules: &[(&str, &RuleReport)]) -> Table<6> {
    let mut table = Table::new([
        Column::left("RULE").role(Role::Id),
        Column::left("ACTION"),
        Column::right("TRIED"),
        Column::right("DONE"),
        Column::right("UNPAID"),
        Column::right("REFUSED"),
    ]);
    for (name, action) in rules.iter().flat_map(|(name, rule)| rule.actions.iter().map(move |action| (name, action))) {
        table.push([
            Cell::new(*name),
            Cell::new(&action.id),
            Cell::new(action.tried),
            Cell::new(action.done),
            Cell::new(action.unpaid),
            Cell::new(action.refused),
        ]);
    }
    table
}

/// A step in a line: when, what was tried, what came of it.
fn show_step(step: &Step, out: &mut Stream) {
    let what = match &step.what {
        Move::Start => step.fighters.iter().map(fighter).collect::<Vec<_>>().join("; "),
        Move::Advance => {
            let told: Vec<String> = step.fighters.iter().filter_map(gauge).collect();
            if told.is_empty() { "next".to_owned() } else { format!("time goes on ({})", told.join(", ")) }
        }
        Move::Pass { actor } => format!("{} passes", clean(actor)),
        Move::Act { actor, action, target: None } => format!("{} does {}", clean(actor), clean(action)),
        Move::Act { actor, action, target: Some(target) } => {
            format!("{} does {} to {}", clean(actor), clean(action), clean(target))
        }
    };
    let mut outcome: Vec<String> = step.events.iter().filter_map(event).collect();
    outcome.extend(step.refused.as_ref().map(|why| format!("refused: {}", clean(why))));
    let outcome = if outcome.is_empty() { String::new() } else { format!(": {}", outcome.join(", ")) };
    out.line(format!("{:>4}  {what}{outcome}", step.round));
}

fn fighter(fighter: &FighterReport) -> String {
    let pools: Vec<String> = fighter.pools.iter().map(|(id, amount)| format!("{} {amount}", clean(id))).collect();
    format!("{} {}", clean(&fighter.id), pools.join(", "))
}

fn gauge(fighter: &FighterReport) -> Option<String> {
    fighter.gauge.map(|gauge| format!("{} {gauge}", clean(&fighter.id)))
}

fn event(event: &Event) -> Option<String> {
    Some(match event {
        Event::ResourceChanged { entity, resource, before, after, .. } => {
            format!("{} {} {before} -> {after}", clean(entity), clean(resource))
        }
        Event::DamageApplied { target, amount, applied, .. } => {
            let rest = if amount == applied { String::new() } else { format!(" of {amount}") };
            format!("{} takes {applied}{rest}", clean(target))
        }
        Event::BuffApplied { target, stat, delta, duration, .. } => {
            format!("{} {} {delta:+} for {duration}", clean(target), clean(stat))
        }
        Event::Advanced { time } => format!("+{time}"),
        Event::Ready { entity } => format!("{} is ready", clean(entity)),
        Event::Consumed { .. } => return None,
    })
}
