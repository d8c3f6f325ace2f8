//! The audits of DiceFrame's content packs.

use super::combat;
use super::dice::audit;
use crate::face::{FindingsArgs, Format};
use clap::{ArgGroup, Args, Subcommand};
use std::path::{Path, PathBuf};

/// What `audit` is for.
pub const ABOUT: &str = "For DiceFrame content packs: audit rules, dice and combat";

pub const EXAMPLES: &str = "\
Examples:
  rulepack audit rules --path my-pack --strict    before a release
  rulepack audit dice --rule-path my-pack         ten thousand rounds of it";

#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub enum AuditCommand {
    /// Check DiceFrame rules with all they extend, worlds, and what packs contribute
    #[command(group = audited())]
    #[command(after_help = "\
A path is a rule or world file, a pack, a folder of packs, or a folder called
rules or worlds. Rules can only extend built-in ones of the host, so most packs
need --host; the host's own rules, worlds and packs are audited too.

Examples:
  rulepack audit rules --path my-pack/
  rulepack audit rules --host ../DiceFrame --path content-packs/ --strict
  rulepack audit rules --host . --format github     in a workflow")]
    Rules {
        /// A folder that contains DiceFrame
        #[arg(long, value_name = "DIR")]
        host: Option<PathBuf>,
        /// What to audit; can be repeated
        #[arg(long = "path", value_name = "PATH")]
        paths: Vec<PathBuf>,
        #[command(flatten)]
        findings: FindingsArgs,
    },
    /// Play campaigns by DiceFrame rules, recompute every check, and test the dice
    #[command(after_help = "\
Three rules made for the audit are always played, then those of the host and of
each rule path; abstract rules are skipped. The same seed gives the same report.
Only grossly unfair dice are detected.

Examples:
  rulepack audit dice --rule-path my-pack/
  rulepack audit dice --host ../DiceFrame --rounds 25 --players 6 \\
    --distribution-samples 20000 --rule-path ../packs --output dice-audit.json
  rulepack audit dice --host . --rule dnd5e --rounds 20 --details --json")]
    Dice(AuditDice),
    /// Fight by the combat blocks of DiceFrame rules, and compute every move twice
    #[command(after_help = "\
Each player meets an identical enemy, all with full pools. A round is one
advance of the scheduler and the actions of everyone who is ready; when a fight
ends, another begins. The same seed gives the same report.

Examples:
  rulepack audit combat --path my-pack/
  rulepack audit combat --path my-pack/ --rounds 10000 --players 6 --strict
  rulepack audit combat --host . --rule freeform_wuxia --trace")]
    Combat(AuditCombat),
}

impl AuditCommand {
    /// How it is to write its findings, where that can be chosen.
    pub fn format(&self) -> Option<Format> {
        match self {
            AuditCommand::Rules { findings, .. } => Some(findings.format),
            AuditCommand::Combat(asked) => Some(asked.findings.format),
            AuditCommand::Dice(_) => None,
        }
    }

    /// The file that the JSON of the answer goes to, whatever face it has on stdout.
    pub fn output(&self) -> Option<&Path> {
        match self {
            AuditCommand::Dice(asked) => asked.output.as_deref(),
            AuditCommand::Rules { .. } | AuditCommand::Combat(_) => None,
        }
    }
}

/// An audit of a host, of paths, or of both.
fn audited() -> ArgGroup {
    ArgGroup::new("audited").args(["host", "paths"]).required(true).multiple(true)
}

// What `audit combat` is asked for.
#[derive(Args, Debug)]
#[command(group = audited())]
pub struct AuditCombat {
    /// A folder that contains DiceFrame, whose own rules are used too
    #[arg(long, value_name = "DIR")]
    pub host: Option<PathBuf>,
    /// A rule, a pack, or a folder of packs; can be repeated
    #[arg(long = "path", value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Fight only by the rule with this id; can be repeated
    #[arg(long = "rule", value_name = "ID")]
    pub rules: Vec<String>,
    /// Rounds per rule
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: u32,
    /// Players per fight
    #[arg(long, value_name = "N", default_value_t = 2)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=i64::from(combat::audit::MAX_PLAYERS)))]
    pub players: u32,
    /// The seed of all dice
    #[arg(long, value_name = "N", default_value_t = combat::audit::DEFAULT_SEED)]
    pub seed: u64,
    /// Show the first fight of each rule step by step
    #[arg(long)]
    pub trace: bool,
    #[command(flatten)]
    pub findings: FindingsArgs,
}

// What `audit dice` is asked for.
#[derive(Args, Debug)]
pub struct AuditDice {
    /// A folder that contains DiceFrame, whose own rules are played too
    #[arg(long, value_name = "DIR")]
    pub host: Option<PathBuf>,
    /// A rule, a pack, or a folder of packs; can be repeated
    #[arg(long = "rule-path", value_name = "PATH")]
    pub rule_paths: Vec<PathBuf>,
    /// Play only the rule with this id; can be repeated
    #[arg(long = "rule", value_name = "ID")]
    pub rules: Vec<String>,
    /// Rounds per rule
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: u32,
    /// Players per round
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=i64::from(audit::MAX_PLAYERS)))]
    pub players: u32,
    /// Rolls per distribution, at least 1000
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    #[arg(value_parser = clap::value_parser!(u32).range(i64::from(audit::MIN_SAMPLES)..))]
    pub distribution_samples: u32,
    /// The seed of all dice
    #[arg(long, value_name = "N", default_value_t = audit::DEFAULT_SEED)]
    pub seed: u64,
    /// Report every check, not only their number
    #[arg(long)]
    pub details: bool,
    /// Also write the JSON to this file
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}
