use super::rule_names;
use crate::diceframe::dice::audit::{self, DistributionReport, ScenarioReport, VerdictCounts};
use crate::face::term::{Cell, Column, Role, Stream, Table, clean, count};
use crate::face::{Report, show_problems, to_json};
use serde_json::value::RawValue;
use std::path::PathBuf;

/// What `audit dice` tells.
pub struct AuditedDice {
    pub report: audit::Report,
    /// Paths below this folder are shown from there on.
    pub base: PathBuf,
}

impl Report for AuditedDice {
    fn json(&self) -> Box<RawValue> {
        to_json(&self.report)
    }

    fn show(&self, out: &mut Stream, verbose: bool) {
        let AuditedDice { report, base } = self;
        show_problems(&report.problems, base, verbose, out);
        let audited = report.scenarios.iter().map(|rule| (rule.name.as_str(), rule.file.as_deref()));
        let names = rule_names(audited, base);
        out.print(&scenarios(&names, &report.scenarios).render(out.look()));
        for (scenario, name) in report.scenarios.iter().zip(&names).filter(|(scenario, _)| scenario.error_count > 0) {
            out.line("");
            out.line(format!("{}:", clean(name)));
            scenario.errors.iter().for_each(|error| out.line(format!("  {}", clean(error))));
            if let more @ 1.. = scenario.error_count - scenario.errors.len() as u64 {
                out.line(format!("  and {more} more"));
            }
        }
        if !report.distributions.is_empty() {
            out.line("");
            out.print(&distributions(&report.distributions).render(out.look()));
        }
        out.line("");
        self.show_formulas(out, verbose);
        self.show_summary(out);
    }
}

impl AuditedDice {
    fn show_formulas(&self, out: &mut Stream, verbose: bool) {
        let formulas = &self.report.formulas;
        let wrong = formulas.iter().filter(|formula| formula.error_count > 0);
        let told: Vec<_> = if verbose { formulas.iter().collect() } else { wrong.collect() };
        for formula in told {
            let errors = match formula.error_count {
                0 => "adds up".to_owned(),
                errors => count(errors, "error", "errors"),
            };
            let (least, most) = (formula.observed_min, formula.observed_max);
            out.line(format!("{}, {} times: from {least} to {most}; {errors}", formula.formula, formula.samples));
        }
    }

    fn show_summary(&self, out: &mut Stream) {
        let report = &self.report;
        let palette = out.look().palette;
        let kinds = [
            (report.problems.len() as u64, "unplayable rule", "unplayable rules"),
            (report.scenario_error_count, "error in checks", "errors in checks"),
            (report.formula_error_count, "error in formulas", "errors in formulas"),
            (report.distribution_error_count, "unfair distribution", "unfair distributions"),
        ];
        let wrong: Vec<String> =
            kinds.iter().filter(|(n, ..)| *n > 0).map(|(n, one, many)| count(*n, one, many)).collect();
        let told = match wrong.as_slice() {
            [] => palette.paint(Role::Ok, "no problems found".to_owned()),
            wrong => palette.paint(Role::Error, wrong.join(", ")),
        };
        let looked = [
            count(report.scenarios.len() as u64, "rule", "rules"),
            count(report.total_actions, "action", "actions"),
            count(report.total_checks, "check", "checks"),
            count(report.formulas.len() as u64, "formula", "formulas"),
            count(report.distributions.len() as u64, "distribution", "distributions"),
        ];
        out.line(format!("{} with seed {}: {told}", looked.join(", "), report.seed));
    }
}

fn scenarios(names: &[String], scenarios: &[ScenarioReport]) -> Table<5> {
    let mut table = Table::new([
        Column::left("RULE").role(Role::Id),
        Column::left("DICE"),
        Column::right("CHECKS"),
        Column::left("VERIFIED"),
        Column::left("VERDICTS").role(Role::Dim),
    ]);
    for (name, scenario) in names.iter().zip(scenarios) {
        let verified = match scenario.error_count {
            0 if scenario.checks == 0 => Cell::new("makes none"),
            0 => Cell::new("all").role(Role::Ok),
            errors => Cell::new(count(errors, "error", "errors")).role(Role::Error),
        };
        table.push([
            Cell::new(name),
            Cell::new(&scenario.dice_system),
            Cell::new(scenario.checks),
            verified,
            Cell::new(verdicts(&scenario.verdicts)),
        ]);
    }
    table
}

/// Those that came up, from the best to the worst.
fn verdicts(counts: &VerdictCounts) -> String {
    let all = [
        (counts.critical, "critical"),
        (counts.extreme, "extreme"),
        (counts.hard, "hard"),
        (counts.regular, "regular"),
        (counts.success, "success"),
        (counts.failure, "failure"),
        (counts.fumble, "fumble"),
    ];
    let told = all.iter().filter(|(count, _)| *count > 0).map(|(count, verdict)| format!("{count} {verdict}"));
    told.collect::<Vec<_>>().join(", ")
}

fn distributions(distributions: &[DistributionReport]) -> Table<6> {
    let mut table = Table::new([
        Column::left("DICE"),
        Column::right("SAMPLES"),
        Column::right("MEAN (EXPECTED)"),
        Column::right("MAX Z (6)"),
        Column::right("CHI SQUARE (LIMIT)"),
        Column::left("FAIR"),
    ]);
    for distribution in distributions {
        let fair = match distribution.ok {
            true => Cell::new("yes").role(Role::Ok),
            false => Cell::new("no").role(Role::Error),
        };
        table.push([
            Cell::new(&distribution.dice),
            Cell::new(distribution.samples),
            Cell::new(format!("{:.3} ({})", distribution.mean, distribution.expected_mean)),
            Cell::new(format!("{:.2}", distribution.max_z)),
            Cell::new(format!("{:.2} ({:.2})", distribution.chi_square, distribution.chi_limit)),
            fair,
        ]);
    }
    table
}
