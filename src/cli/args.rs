//! The command line, as clap reads it.

use super::progress::Mode as ProgressMode;
use super::term::Colour;
use crate::types::{Api, Language, Version};
use clap::builder::{NonEmptyStringValueParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// The package manager for Marinara Engine rulesets.
#[derive(Debug, Parser)]
#[command(name = "rulepack", version, about, long_about = None, propagate_version = false)]
#[command(disable_help_subcommand = false, arg_required_else_help = true, after_help = EXAMPLES)]
pub struct Cli {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "\
Examples:
  rulepack search dice                    what the catalog has
  rulepack install ember-roads            with the language pack of your language
  rulepack language pt-BR                 read every ruleset in Portuguese, if it has been translated
  rulepack update                         everything installed, to the catalog's version
  rulepack rollback ember-roads           back to the version before
  rulepack --catalog ./catalog-example install ember-roads --language ru";

/// What every command takes, before or after its name.
#[derive(Args, Debug)]
#[command(next_help_heading = "Global options")]
pub struct Global {
    /// Where the engine's data lies; rulesets go to DIR/capability-packages
    #[arg(long, value_name = "DIR", env = "RULEPACK_DATA_DIR", hide_env_values = true, global = true)]
    pub data_dir: Option<PathBuf>,
    /// Where downloads and catalogs are kept for later
    #[arg(long, value_name = "DIR", env = "RULEPACK_CACHE_DIR", hide_env_values = true, global = true)]
    pub cache_dir: Option<PathBuf>,
    /// The catalog: an https address, a catalog.json, or a folder that holds one
    #[arg(long, value_name = "SOURCE", env = "MARINARA_AGENT_CATALOG_URL", hide_env_values = true, global = true)]
    pub catalog: Option<String>,
    /// A folder or https address to take artifacts and packs from instead of their own
    #[arg(long, value_name = "BASE", global = true)]
    pub mirror: Option<String>,
    /// The language to read rulesets in, for this run alone
    #[arg(long, value_name = "TAG", env = "RULEPACK_LANGUAGE", hide_env_values = true, global = true)]
    pub language: Option<String>,
    /// Refuse what is not for this engine version
    #[arg(long, value_name = "X.Y.Z", global = true)]
    pub engine_version: Option<Version>,
    /// Refuse what needs a newer Capability API
    #[arg(long, value_name = "M.N", global = true)]
    pub capability_api: Option<Api>,
    /// Use no network
    #[arg(long, global = true)]
    pub offline: bool,
    /// Ask for the catalog again, however fresh the copy is
    #[arg(long, global = true)]
    pub refresh: bool,
    /// Trust the certificates in this PEM file as well
    #[arg(long, value_name = "FILE", global = true)]
    pub ca_cert: Option<PathBuf>,
    /// How long one request may take [default: 120, a catalog 15]
    #[arg(long, value_name = "SECS", value_parser = clap::value_parser!(u64).range(1..=86_400), global = true)]
    pub timeout: Option<u64>,
    /// How long to wait for another rulepack that is changing the same data
    #[arg(long, value_name = "SECS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(0..=86_400), global = true)]
    pub lock_timeout: u64,
    /// Answer with one JSON document
    #[arg(long, global = true)]
    pub json: bool,
    /// How progress is shown
    #[arg(long, value_enum, default_value_t, value_name = "WHEN", global = true)]
    pub progress: ProgressMode,
    /// When to use colour
    #[arg(long, value_enum, default_value_t, value_name = "WHEN", global = true)]
    pub color: Colour,
    /// Say only what went wrong
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Say more
    #[arg(short, long, global = true)]
    pub verbose: bool,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Show the catalog's rulesets as cards in your language
    #[command(after_help = "Every WORD must occur in id, name or description, in your language or in English.")]
    Search { words: Vec<String> },
    /// Show one ruleset of the catalog
    Info { id: Id },
    /// Install rulesets, each with the one language pack of your language
    #[command(after_help = "Example:\n  rulepack install ember-roads gravewatch --language pt-BR")]
    Install {
        #[arg(required = true, value_name = "ID")]
        ids: Vec<Id>,
        /// Install again what is already there
        #[arg(long)]
        force: bool,
        #[command(flatten)]
        change: Change,
    },
    /// Bring installed rulesets to the catalog's version
    #[command(
        after_help = "Without an ID, all of them; those held, and versions left by a rollback, are left alone and named."
    )]
    Update {
        #[arg(value_name = "ID")]
        ids: Vec<Id>,
        #[command(flatten)]
        change: Change,
    },
    /// Show what `update` would do
    Outdated,
    /// Go back to the version before; a second time undoes the first
    Rollback { id: Id },
    /// Remove every version and pack of rulesets
    #[command(visible_alias = "remove")]
    Uninstall {
        #[arg(required = true, value_name = "ID")]
        ids: Vec<Id>,
    },
    /// Show what is installed
    #[command(visible_alias = "ls")]
    List,
    /// Show the language, or set it and change every pack to it
    #[command(
        after_help = "Examples:\n  rulepack language            show it\n  rulepack language zh-Hans    set it and fetch the packs\n  rulepack language auto       go back to the system's"
    )]
    Language {
        /// A language tag such as `ru`, `pt-BR` or `zh-Hans`, or `auto` for the system's
        tag: Option<String>,
        /// Fail when a wanted language pack cannot be had
        #[arg(long)]
        require_pack: bool,
    },
    /// Bring every language pack in line with the language; nothing else
    Sync {
        /// Fail when a wanted language pack cannot be had
        #[arg(long)]
        require_pack: bool,
    },
    /// Keep `update` away from rulesets
    Hold {
        #[arg(required = true, value_name = "ID")]
        ids: Vec<Id>,
    },
    /// Let `update` at rulesets again
    Unhold {
        #[arg(required = true, value_name = "ID")]
        ids: Vec<Id>,
    },
    /// Show where a ruleset and its language pack lie
    Path { id: Id },
    /// Check all that is installed, byte by byte
    Doctor {
        /// Mend what can be mended, from the catalog, the cache or the version before
        #[arg(long)]
        repair: bool,
    },
    /// The files kept for later
    Cache {
        #[command(subcommand)]
        what: CacheCommand,
    },
    /// Print a completion script for a shell
    #[command(
        after_help = "Example:\n  rulepack completions bash > ~/.local/share/bash-completion/completions/rulepack"
    )]
    Completions { shell: clap_complete::Shell },
    /// Print the JSON Schema of a command's `--json` output
    Schema {
        /// The command
        #[arg(value_name = "NAME", value_parser = schema_names())]
        name: String,
    },
}

#[derive(Debug, Subcommand)]
pub enum CacheCommand {
    /// Show where it is
    Dir,
    /// Show how large it is
    Size,
    /// Empty it
    Clean,
}

/// What installing and updating have in common.
#[derive(Args, Clone, Copy, Debug)]
pub struct Change {
    /// Say what would be done, and do nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Fail when a wanted language pack cannot be had; the ruleset stays
    #[arg(long)]
    pub require_pack: bool,
}

/// A package id as typed: whether it is one at all is for the command to say, with what comes near.
pub type Id = String;

fn schema_names() -> impl TypedValueParser<Value = String> {
    NonEmptyStringValueParser::new().try_map(|name: String| {
        if super::schema::NAMES.contains(&name.as_str()) {
            return Ok(name);
        }
        Err(format!("there is no schema of that name; there are {}", super::schema::NAMES.join(", ")))
    })
}

/// What `rulepack language` was given: nothing, `auto`, or a tag.
pub fn language_choice(tag: Option<&str>) -> Result<crate::app::LanguageChoice, String> {
    use crate::app::LanguageChoice;
    match tag {
        None => Ok(LanguageChoice::Show),
        Some("auto") => Ok(LanguageChoice::Set(None)),
        Some(tag) => match tag.parse::<Language>() {
            Ok(language) => Ok(LanguageChoice::Set(Some(language))),
            Err(error) => Err(error.to_string()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn global_flags_stand_before_or_after_the_command() {
        for line in ["rulepack --json --offline list", "rulepack list --json --offline"] {
            let cli = Cli::try_parse_from(line.split(' ')).unwrap();
            assert!(cli.global.json && cli.global.offline, "{line}");
        }
    }
}
