//! The command line, as clap reads it.

mod catalog;
mod global;

pub use catalog::{CatalogCommand, ContainerChoice, VerifyArgs};
pub use global::Global;

#[cfg(feature = "diceframe")]
use crate::diceframe;
use crate::face::{FindingsArgs, Format};
use crate::types::{Language, Sha256};
use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand};
use std::path::{Path, PathBuf};

/// The package manager for Marinara Engine rulesets.
#[derive(Debug, Parser)]
#[command(name = "rulepack", version, about, long_about = None, propagate_version = false)]
#[command(disable_help_subcommand = false, arg_required_else_help = true, after_help = EXAMPLES)]
// What is said twice is said once more: whoever calls rulepack may put flags before those of whoever calls them.
#[command(args_override_self = true)]
pub struct Cli {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Command,
    /// What the command is called, as the envelope has it.
    #[arg(skip)]
    pub name: String,
}

const EXAMPLES: &str = "\
Examples:
  rulepack search dice              find rulesets in the catalog
  rulepack install ember-roads      with the pack of your language
  rulepack language pt-BR           read every ruleset in Portuguese
  rulepack update                   update all to the catalog's versions
  rulepack rollback ember-roads     return to the previous version

`rulepack help COMMAND` shows examples of each command.";

// Deferred: the arguments of commands that a run does not name are never made. What shares out arguments has no doc
// comment then, since clap would say it of the command.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub enum Command {
    /// Show the catalog's rulesets as cards in your language
    #[command(after_help = "\
Examples:
  rulepack search                   all rulesets
  rulepack search dice road         those that match both words
  rulepack search --language ru     as a reader of Russian sees them")]
    Search {
        /// Words to find in the id, name or description, in your language or in English
        #[arg(value_name = "WORD")]
        words: Vec<String>,
    },
    /// Show one ruleset of the catalog: what it is and what it requires
    #[command(after_help = "Example:\n  rulepack info ember-roads")]
    Info {
        /// A ruleset id, as `rulepack search` shows it
        id: Id,
    },
    /// Install rulesets, each with the language pack of your language
    #[command(after_help = "\
A version that is already installed and intact is left alone.

Examples:
  rulepack install ember-roads
  rulepack install ember-roads gravewatch --language pt-BR
  rulepack install ember-roads@1.2.0         this version or none
  rulepack install ember-roads --dry-run     what would happen")]
    Install {
        /// Ruleset ids, as `rulepack search` shows them; ID@VERSION for this version or none
        #[arg(required = true, value_name = "ID")]
        ids: Vec<Id>,
        /// Reject an artifact with any other SHA-256; `outdated` shows it
        #[arg(long, value_name = "HEX", value_parser = |hex: &str| hex.to_ascii_lowercase().parse::<Sha256>())]
        sha256: Option<Sha256>,
        /// Reinstall what is already installed
        #[arg(long)]
        force: bool,
        #[command(flatten)]
        change: Change,
    },
    /// Update installed rulesets to the catalog's version
    #[command(after_help = "\
The previous version is kept for `rulepack rollback`.

Examples:
  rulepack update                   all except those held or rolled back
  rulepack update ember-roads       this one, even if it was rolled back
  rulepack update --dry-run         what would happen")]
    Update {
        /// Installed rulesets [default: all]
        #[arg(value_name = "ID")]
        ids: Vec<Id>,
        #[command(flatten)]
        change: Change,
    },
    /// Show what `update` would do
    #[command(after_help = "Example:\n  rulepack outdated")]
    Outdated,
    /// Return to the previous version; running it again undoes that
    #[command(after_help = "\
`rulepack update` then skips the ruleset until there is a newer version.
Rolling back uses no network: the language pack comes from the cache.

Examples:
  rulepack rollback ember-roads     the previous version
  rulepack update ember-roads       forward again")]
    Rollback {
        /// An installed ruleset
        id: Id,
    },
    /// Uninstall rulesets, with all their versions and packs
    #[command(visible_alias = "remove")]
    #[command(after_help = "\
Only what rulepack installed is removed; your own files in its folders stay.

Example:
  rulepack uninstall ember-roads gravewatch")]
    Uninstall {
        /// Installed rulesets
        #[arg(required = true, value_name = "ID")]
        ids: Vec<Id>,
    },
    /// List installed rulesets with version, language and state
    #[command(visible_alias = "ls", after_help = "Example:\n  rulepack list")]
    List,
    /// Show the language, or set it and switch every language pack
    #[command(after_help = "\
Examples:
  rulepack language                 show it
  rulepack language zh-Hans         set it and fetch the packs
  rulepack language auto            return to the system's")]
    Language {
        /// A language tag such as `ru`, `pt-BR` or `zh-Hans`, or `auto` for the system's
        tag: Option<String>,
        /// Fail if a language pack is unavailable; the ruleset stays
        #[arg(long)]
        require_pack: bool,
    },
    /// Switch every language pack to the language, and change nothing else
    #[command(after_help = "\
Examples:
  rulepack sync
  rulepack sync --language ru       as if Russian were set, just once")]
    Sync {
        /// Fail if a language pack is unavailable; the ruleset stays
        #[arg(long)]
        require_pack: bool,
    },
    /// Stop `update` from changing rulesets
    #[command(after_help = "Example:\n  rulepack hold ember-roads")]
    Hold {
        /// Installed rulesets
        #[arg(required = true, value_name = "ID")]
        ids: Vec<Id>,
    },
    /// Let `update` change rulesets again
    #[command(after_help = "Example:\n  rulepack unhold ember-roads")]
    Unhold {
        /// Installed rulesets
        #[arg(required = true, value_name = "ID")]
        ids: Vec<Id>,
    },
    /// Show where a ruleset is installed
    #[command(after_help = "\
Examples:
  cd \"$(rulepack path ember-roads)\"
  rulepack path ember-roads -v      with its ruleset.json and language pack")]
    Path {
        /// An installed ruleset
        id: Id,
    },
    /// Check everything that is installed, byte by byte
    #[command(after_help = "\
The exit code is 10 if errors remain.

Examples:
  rulepack doctor                   show what is wrong
  rulepack doctor --repair          and repair it; versions do not change")]
    Doctor {
        /// Repair what can be repaired, from the cache or the catalog
        #[arg(long)]
        repair: bool,
    },
    /// Import a ruleset that someone shared, as local/ID
    #[command(after_help = "\
Everything that `rulepack check` checks is checked first, and with an error
nothing is imported. Only the translation in your language is kept.

Examples:
  rulepack import ruleset.json
  rulepack import ember-roads-2.ruleset.json --language ru
  rulepack show local/ember-roads")]
    Import {
        /// A ruleset.json, a package file (bundle or zip), or a package folder
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Show a ruleset as a game reads it: layers applied, texts translated
    #[command(after_help = "\
Prints a summary page; --json prints the whole ruleset.

Examples:
  rulepack show ember-roads
  rulepack show ember-roads --layer hard_winter --json
  rulepack show my-package/ --language pt-BR")]
    Show {
        /// An installed or imported ruleset, or the file or folder of one
        #[arg(value_name = "ID|FILE")]
        ruleset: String,
        /// Turn this layer on; can be repeated
        #[arg(long = "layer", value_name = "LAYER")]
        layers: Vec<String>,
        /// Show the summary page; this is the default without --json
        #[arg(long, conflicts_with = "json")]
        human: bool,
    },
    /// Translate texts of a ruleset into your language
    #[command(after_help = "\
An installed or imported ruleset has one translation; of a file or folder, any
translation in it can be used. Untranslated texts stay in English.

Examples:
  rulepack translate ember-roads Grit 'Cinder Moth 2'
  rulepack translate my-package/ --language ru Grit
  rulepack translate ember-roads - < texts.txt      one text per line")]
    Translate {
        /// An installed or imported ruleset, or the file or folder of one
        #[arg(value_name = "ID|FILE")]
        ruleset: String,
        /// English texts, exactly as in the ruleset; `-` reads them from stdin
        #[arg(required = true, value_name = "TEXT")]
        texts: Vec<String>,
    },
    /// Migrate stored character sheets to the ruleset's newest layout
    #[command(after_help = "\
Prints the migrated sheet, or several as JSON lines; no file is changed. A sheet
that cannot be read, is newer, or belongs to another ruleset is skipped (exit
code 4). A sheet is an object with `v`, the version of the layout it was stored
in, `build`, and optionally `live`.

Examples:
  rulepack migrate ember-roads mira.json > mira-new.json
  rulepack migrate ember-roads sheets/ --explain     what moved where and why
  rulepack migrate ember-roads - < sheets.jsonl      one sheet per line")]
    Migrate {
        /// An installed or imported ruleset, or the file or folder of one
        #[arg(value_name = "ID|FILE")]
        ruleset: String,
        /// Sheets: JSON files, folders of them, or JSON lines; `-` reads stdin
        #[arg(required = true, value_name = "SHEET")]
        sheets: Vec<PathBuf>,
        /// Explain step by step what moved where and why
        #[arg(long)]
        explain: bool,
    },
    /// Check rulesets, catalog files, packages, artifacts and language packs
    #[command(after_help = "\
A language pack or catalog file is checked against the ruleset beside it, or the
one given by --ruleset. The exit code is 10 if there are errors, and 0 if there
are only warnings.

Examples:
  rulepack check ruleset.json
  rulepack check my-package/                     with catalogs/ and locales/
  rulepack check ru.json --ruleset ruleset.json
  rulepack check new/ --against old/             what breaks stored sheets
  rulepack check new/ --against old/ --sheets sheets/     what these lose
  rulepack check packages/* --format github      in a workflow")]
    Check {
        /// Files and package folders; `-` reads stdin
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,
        /// The ruleset that catalog files and language packs belong to
        #[arg(long, value_name = "PATH")]
        ruleset: Option<PathBuf>,
        /// The previously published version: report what stored sheets and games lose
        #[arg(long, value_name = "OLD")]
        against: Option<PathBuf>,
        /// Sheets stored with that version, as `migrate` reads them: report what each loses
        #[arg(long, value_name = "SHEET", requires = "against")]
        sheets: Vec<PathBuf>,
        #[command(flatten)]
        findings: FindingsArgs,
    },
    /// Show what there is to translate, and how much of it a language pack covers
    #[command(after_help = "\
Without --language it prints a pack to fill in. With it, it reports how complete
the pack is: --pack FILE, or else locales/TAG.json of the package. Missing texts
are not errors; the exit code is 10 if the pack has errors.

Examples:
  rulepack strings my-ruleset > ru.json            a template
  rulepack strings my-ruleset --language ru        what is missing in Russian
  rulepack strings my-ruleset --language ru --format json > new.json
  rulepack strings my-ruleset --language ru --format po > ru.po
  rulepack strings my-ruleset --pack ru.po --format json > ru.json")]
    Strings {
        /// A ruleset.json, a package folder or an artifact
        #[arg(value_name = "PATH")]
        path: PathBuf,
        /// The language pack to compare with or continue from; .po and .csv files too
        #[arg(long, value_name = "FILE")]
        pack: Option<PathBuf>,
        /// Print a file for translating: json (a language pack), po or csv
        #[arg(long, value_enum, value_name = "FORM", hide_possible_values = true, conflicts_with = "json")]
        format: Option<StringsFormat>,
    },
    /// For catalog maintainers: verify a catalog, build one, make an entry
    #[command(after_help = "\
Examples:
  rulepack catalog verify catalog/  every entry, every file, every problem
  rulepack catalog build .          artifacts, packs and catalog.json")]
    #[command(subcommand)]
    Catalog(CatalogCommand),
    #[cfg(feature = "diceframe")]
    #[command(about = diceframe::ABOUT, after_help = diceframe::EXAMPLES)]
    #[command(subcommand)]
    Audit(diceframe::AuditCommand),
    /// Explain the code of a problem or an error
    #[command(after_help = "\
Examples:
  rulepack explain K11              in upper or lower case; several at once
  rulepack explain --all            every code, one per line; -v for details
  rulepack explain --all --json     all details, for programs")]
    Explain {
        /// Codes, as shown in `error[CODE]` and in JSON
        #[arg(value_name = "CODE", required_unless_present = "all")]
        codes: Vec<String>,
        /// Explain every code
        #[arg(long, conflicts_with = "codes")]
        all: bool,
        /// Print for a terminal, or as the reference page in docs/
        #[arg(long, value_enum, default_value_t, value_name = "HOW")]
        format: Explaining,
    },
    /// Show or empty the cache of downloads
    #[command(after_help = "\
It keeps at most 512 MiB of downloads; those used longest ago are removed first.

Examples:
  rulepack cache size
  rulepack cache clean")]
    #[command(subcommand)]
    Cache(CacheCommand),
    /// Print a completion script for a shell
    #[command(after_help = "\
Examples:
  echo 'source <(rulepack completions bash)' >> ~/.bashrc
  rulepack completions zsh > ~/.zfunc/_rulepack    a folder of your $fpath
  rulepack completions fish > ~/.config/fish/completions/rulepack.fish")]
    Completions {
        /// The shell to complete for
        shell: clap_complete::Shell,
    },
    /// Print the JSON Schema of a command's `--json` output, or list the names
    #[command(after_help = "\
Besides the commands there are `usage`, `help` and `version`, for the answers to
a wrong command line, --help and --version, and `progress`, for each line of
--progress json.

Examples:
  rulepack schema                   list the names
  rulepack schema list > list.schema.json
  rulepack schema progress")]
    Schema {
        /// The command whose output it describes, such as `list` or `catalog-verify`
        #[arg(value_name = "NAME", hide_possible_values = true)]
        #[arg(value_parser = PossibleValuesParser::new(crate::cli::schema::names()))]
        name: Option<String>,
    },
}

impl Command {
    /// How a check is to write its findings, where that can be chosen.
    pub fn format(&self) -> Option<Format> {
        match self {
            Command::Check { findings, .. } => Some(findings.format),
            Command::Catalog(CatalogCommand::Verify(verify)) => Some(verify.findings.format),
            #[cfg(feature = "diceframe")]
            Command::Audit(what) => what.format(),
            _ => None,
        }
    }

    /// The file that the JSON of the answer goes to, whatever face it has on stdout.
    pub fn output(&self) -> Option<&Path> {
        #[cfg(feature = "diceframe")]
        if let Command::Audit(what) = self {
            return what.output();
        }
        None
    }
}

#[derive(Debug, Subcommand)]
pub enum CacheCommand {
    /// Show the cache folder
    #[command(after_help = "Example:\n  ls \"$(rulepack cache dir)\"")]
    Dir,
    /// Show the size of the cache
    #[command(after_help = "Example:\n  rulepack cache size")]
    Size,
    /// Empty the cache; what is installed stays
    #[command(after_help = "Example:\n  rulepack cache clean")]
    Clean,
}

/// The files that `strings` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum StringsFormat {
    Json,
    Po,
    Csv,
}

/// How `explain` answers people.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Explaining {
    #[default]
    Text,
    Markdown,
}

// What installing and updating have in common.
#[derive(Args, Clone, Copy, Debug)]
pub struct Change {
    /// Show what would happen, and do nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Fail if a language pack is unavailable; the ruleset stays
    #[arg(long)]
    pub require_pack: bool,
}

/// A package id as typed: whether it is one at all is for the command to say, with what comes near.
pub type Id = String;

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
    use std::ffi::OsString;

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

    #[test]
    fn a_flag_counts_over_its_variable_and_an_empty_variable_is_none() {
        let variable = |name: &str| match name {
            "RULEPACK_DATA_DIR" => Some("/of/the/environment".into()),
            "RULEPACK_CACHE_DIR" | "RULEPACK_LANGUAGE" => Some(OsString::new()),
            _ => None,
        };
        let filled = |line: &str| {
            let mut global = Cli::try_parse_from(line.split(' ')).unwrap().global;
            global.fill_from(variable);
            global
        };
        let global = filled("rulepack list");
        assert_eq!(global.data_dir, Some("/of/the/environment".into()));
        assert_eq!((global.cache_dir, global.language, global.catalog), (None, None, None));
        assert_eq!(filled("rulepack list --data-dir /own").data_dir, Some("/own".into()));
    }

    /// A newcomer learns from examples, and one screen of flags is enough.
    #[test]
    fn every_command_has_an_example_and_every_argument_a_word_of_help() {
        fn look(command: &clap::Command) {
            let name = command.get_name();
            assert!(command.get_about().is_some(), "{name}");
            let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(after.contains("Example") && after.contains("rulepack "), "{name} has no example");
            assert!(after.lines().all(|line| line.len() <= 80), "{name}: an example too wide");
            for argument in command.get_arguments() {
                assert!(argument.get_help().is_some(), "{name} {}", argument.get_id());
                assert!(argument.get_long_help().is_none(), "{name} {}: `-h` and `--help` differ", argument.get_id());
            }
            command.get_subcommands().for_each(look);
        }
        look(&Cli::command());
    }
}
