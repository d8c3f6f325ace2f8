//! What every command takes, before or after its name.

use crate::cli::progress::Mode as ProgressMode;
use crate::face::term::Colour;
use crate::types::{Api, Code, Failure, InvalidLanguage, Language, Version};
use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

const PLACES: &str = "Catalog and folders";
const READER: &str = "Language and engine";
const NETWORK: &str = "Network";
const OUTPUT: &str = "Output";

/// What every command takes, before or after its name.
///
/// The variables are read by [`Global::fill_from`] and not by clap, which takes an empty one for a value and lists
/// those that are set in every usage line.
#[derive(Args, Debug)]
pub struct Global {
    /// The catalog: an https address, a catalog.json, or a folder with one [env: MARINARA_AGENT_CATALOG_URL]
    #[arg(long, value_name = "SOURCE", value_parser = NonEmptyStringValueParser::new(), global = true)]
    #[arg(help_heading = PLACES)]
    pub catalog: Option<String>,
    /// Get artifacts and packs from this folder or https address instead of their own
    #[arg(long, value_name = "BASE", value_parser = NonEmptyStringValueParser::new(), global = true)]
    #[arg(help_heading = PLACES)]
    pub mirror: Option<String>,
    /// The engine's data folder; rulesets go to DIR/capability-packages [env: RULEPACK_DATA_DIR]
    #[arg(long, value_name = "DIR", global = true, help_heading = PLACES)]
    pub data_dir: Option<PathBuf>,
    /// The folder for cached downloads and catalogs [env: RULEPACK_CACHE_DIR]
    #[arg(long, value_name = "DIR", global = true, help_heading = PLACES)]
    pub cache_dir: Option<PathBuf>,
    /// Wait this long for another rulepack that is changing the same data
    #[arg(long, value_name = "SECS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(0..=86_400))]
    #[arg(global = true, help_heading = PLACES)]
    pub lock_timeout: u64,
    /// Read rulesets in this language, for this run only [env: RULEPACK_LANGUAGE]
    #[arg(long, value_name = "TAG", value_parser = NonEmptyStringValueParser::new(), global = true)]
    #[arg(help_heading = READER)]
    pub language: Option<String>,
    /// Reject rulesets that do not support this engine version
    #[arg(long, value_name = "X.Y.Z", global = true, help_heading = READER)]
    pub engine_version: Option<Version>,
    /// Reject rulesets that need a newer Capability API
    #[arg(long, value_name = "M.N", global = true, help_heading = READER)]
    pub capability_api: Option<Api>,
    /// Do not use the network
    #[arg(long, global = true, help_heading = NETWORK)]
    pub offline: bool,
    /// Fetch the catalog again, however fresh the cached copy is
    #[arg(long, global = true, help_heading = NETWORK)]
    pub refresh: bool,
    /// Also trust the certificates in this PEM file
    #[arg(long, value_name = "FILE", global = true, help_heading = NETWORK)]
    pub ca_cert: Option<PathBuf>,
    /// Give up on a request after this many seconds [default: 120, or 15 for a catalog]
    #[arg(long, value_name = "SECS", value_parser = clap::value_parser!(u64).range(1..=86_400), global = true)]
    #[arg(help_heading = NETWORK)]
    pub timeout: Option<u64>,
    /// Stop after this many seconds, keeping what is done by then; 0 for never [default: 4 for `sync`, else never]
    #[arg(long, value_name = "SECS", value_parser = seconds, global = true, help_heading = NETWORK)]
    pub deadline: Option<Duration>,
    /// Print one JSON document
    #[arg(long, global = true, help_heading = OUTPUT)]
    pub json: bool,
    /// Show progress: auto (bars on a terminal, else lines), none, or json (one event per line, on stderr)
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "HOW",
        hide_possible_values = true,
        hide_default_value = true
    )]
    #[arg(global = true, help_heading = OUTPUT)]
    pub progress: ProgressMode,
    /// Use color: auto, always or never [env: NO_COLOR, CLICOLOR_FORCE]
    #[arg(long, value_enum, default_value_t, value_name = "WHEN", hide_possible_values = true)]
    #[arg(hide_default_value = true, global = true, help_heading = OUTPUT)]
    pub color: Colour,
    /// Print only what went wrong
    #[arg(short, long, global = true, conflicts_with = "verbose", help_heading = OUTPUT)]
    pub quiet: bool,
    /// Print more
    #[arg(short, long, global = true, help_heading = OUTPUT)]
    pub verbose: bool,
}

/// A number of seconds, which may have decimals.
fn seconds(text: &str) -> Result<Duration, String> {
    const MOST: f64 = 86_400.0;
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.0..=MOST).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| format!("give seconds from 0 to {MOST}, such as 4 or 0.5"))
}

impl Global {
    /// Takes from the environment what the command line leaves open. An empty variable counts as unset.
    pub fn fill_from(&mut self, variable: impl Fn(&str) -> Option<OsString>) {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        // What is no text is no catalog and no language either, and is told so by whoever reads it.
        let text = |name: &str| set(name).map(|value| value.to_string_lossy().into_owned());
        self.data_dir = self.data_dir.take().or_else(|| set("RULEPACK_DATA_DIR").map(PathBuf::from));
        self.cache_dir = self.cache_dir.take().or_else(|| set("RULEPACK_CACHE_DIR").map(PathBuf::from));
        self.catalog = self.catalog.take().or_else(|| text("MARINARA_AGENT_CATALOG_URL"));
        self.language = self.language.take().or_else(|| text("RULEPACK_LANGUAGE"));
    }

    /// The language named.
    pub fn language(&self) -> Result<Option<Language>, Failure> {
        let tag = self.language.as_deref();
        tag.map(|tag| tag.parse().map_err(|error: InvalidLanguage| Failure::new(Code::Usage, error.to_string())))
            .transpose()
    }
}
