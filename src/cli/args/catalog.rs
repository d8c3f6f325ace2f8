//! The commands of catalog maintainers.

use super::Id;
use crate::face::FindingsArgs;
use crate::publish::{BaseUrl, Container};
use clap::builder::NonEmptyStringValueParser;
use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub enum CatalogCommand {
    /// Check a catalog, every file it lists, and what is in them
    #[command(after_help = "\
SOURCE is a folder with catalog.json, its lanes v2/, v3/ and its notes.json, one
of these files, or an address. The files of a folder are looked for in
artifacts/ beside catalog.json or one folder up. Those of an address are
downloaded anew, whatever the cache holds. Ends with exit code 10 when there are
errors; warnings alone end with 0.

Examples:
  rulepack catalog verify catalog/             before publishing
  rulepack catalog verify catalog/ --strict --format github
  rulepack catalog verify --only ember-roads   what is served now")]
    Verify {
        /// The catalog [default: the one of --catalog, else the official one]
        #[arg(value_name = "SOURCE", value_parser = NonEmptyStringValueParser::new())]
        source: Option<String>,
        /// The folder that holds artifacts and packs
        #[arg(long, value_name = "DIR")]
        artifacts: Option<PathBuf>,
        /// Look into this package alone; may be given several times
        #[arg(long, value_name = "ID")]
        only: Vec<Id>,
        #[command(flatten)]
        findings: FindingsArgs,
    },
    /// Print the entry of an artifact and its language packs, sizes and hashes computed
    #[command(after_help = "\
Packs are named <id>-<version>.<language>.json. Files that could not be
installed from the entry are refused, with every reason.

Example:
  rulepack catalog entry ember-roads-1.0.0.ruleset.json \\
    --pack ember-roads-1.0.0.ru.json --base-url https://example.org/artifacts")]
    Entry(EntryArgs),
    /// Build artifacts, language packs, catalog.json, lanes and notes out of package folders
    #[command(after_help = "\
A package folder holds manifest.json, ruleset.json, catalogs/ and locales/, and
may hold CHANGELOG.md (the notes) and listing.json (category, iconUrl and
documentationUrl; without one they stay as the catalog has them). What `check`
or `catalog verify` would refuse is refused, and nothing is written then. The
same sources make the same bytes. Each package is held against the artifact that
the catalog in --out lists for it, as `check --against` does. files[] of each manifest is written anew, and
a lane that is left without packages is removed.

Examples:
  rulepack catalog build .
  rulepack catalog build . --out site --base-url https://example.org/artifacts
  rulepack catalog build . --container zip --container gravewatch=bundle")]
    Build {
        /// A package folder, a folder of them, or one with packages/
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// Where the catalog goes [default: DIR]
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
        /// The address artifacts/ will have [default: what it has, else the official one]
        #[arg(long, value_name = "URL")]
        base_url: Option<BaseUrl>,
        /// bundle, zip or bare: for all, or as ID=KIND for one package [default: bundle]
        #[arg(long = "container", value_name = "KIND", value_parser = container)]
        containers: Vec<ContainerChoice>,
        /// When the catalog says it was made, in UTC [default: what it says already]
        #[arg(long, value_name = "TIME", value_parser = utc_time)]
        generated_at: Option<String>,
        /// Publish also what takes values away from sheets stored with the version before
        #[arg(long)]
        allow_breaking: bool,
    },
}

// What an entry is made of.
#[derive(Args, Clone, Debug)]
pub struct EntryArgs {
    /// A zip, a bundle, or (with --manifest) a bare ruleset.json
    #[arg(value_name = "ARTIFACT")]
    pub artifact: PathBuf,
    /// A language pack of it; may be given several times
    #[arg(long = "pack", value_name = "FILE")]
    pub packs: Vec<PathBuf>,
    /// The address of the folder that all of these files will lie in
    #[arg(long, value_name = "URL")]
    pub base_url: BaseUrl,
    /// The manifest of a bare ruleset
    #[arg(long, value_name = "FILE")]
    pub manifest: Option<PathBuf>,
    /// The shelf of the store: writer, tracker or misc
    #[arg(long, value_name = "NAME", default_value = "misc", value_parser = ["writer", "tracker", "misc"])]
    #[arg(hide_possible_values = true)]
    pub category: String,
    /// The picture on its card
    #[arg(long, value_name = "URL")]
    pub icon_url: Option<String>,
    /// Where it is described
    #[arg(long, value_name = "URL")]
    pub documentation_url: Option<String>,
}

/// A kind of artifact, of one package or of all others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContainerChoice {
    pub id: Option<String>,
    pub container: Container,
}

fn container(text: &str) -> Result<ContainerChoice, String> {
    let (id, kind) = match text.split_once('=') {
        Some((id, kind)) => (Some(id.to_owned()), kind),
        None => (None, text),
    };
    let container = match kind {
        "bundle" => Container::Bundle,
        "zip" => Container::Zip,
        "bare" => Container::Bare,
        _ => return Err("write bundle, zip or bare, or ID=KIND for one package".to_owned()),
    };
    Ok(ContainerChoice { id, container })
}

/// A moment in the one spelling catalogs have for it (docs/spec/catalog.md#catalog).
fn utc_time(text: &str) -> Result<String, String> {
    let time: jiff::Timestamp = text.parse().map_err(|_| "write it as 2026-11-30T12:00:00Z".to_owned())?;
    Ok(format!("{time:.3}"))
}
