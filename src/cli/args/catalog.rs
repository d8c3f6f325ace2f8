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
    /// Check a catalog, every file it lists, and their contents
    #[command(after_help = "\
SOURCE is a folder with catalog.json, its lanes v2/ and v3/ and notes.json, one
of these files, or an address. The files of a folder are expected in artifacts/
beside catalog.json or one folder up. The files of an address are always
downloaded again, bypassing the cache. Packages of every kind are checked, but
only rulesets are checked inside. The exit code is 10 if there are errors, and 0
if there are only warnings.

Examples:
  rulepack catalog verify catalog/             before publishing
  rulepack catalog verify catalog/ --strict --format github
  rulepack catalog verify --only 'ember-*'     what is being served")]
    Verify(VerifyArgs),
    /// Print the entry of an artifact and its language packs, with sizes and hashes
    #[command(after_help = "\
Packs are named <id>-<version>.<language>.json. Files that could not be
installed from the entry are rejected, with every reason.

Example:
  rulepack catalog entry ember-roads-1.0.0.ruleset.json \\
    --pack ember-roads-1.0.0.ru.json --base-url https://example.org/artifacts")]
    Entry(EntryArgs),
    /// Build artifacts, language packs, catalog.json, lanes and notes from package folders
    #[command(after_help = "\
A package folder has manifest.json, ruleset.json, catalogs/ and locales/, and
may have CHANGELOG.md (the notes) and listing.json (category, iconUrl and
documentationUrl; if missing, they stay as in the catalog). If `check` or
`catalog verify` would reject anything, nothing is written. Each package is also
compared with the artifact that the catalog in --out lists for it, like
`check --against`. The same sources always give the same bytes. files[] of each
manifest is rewritten, and a lane left without packages is removed.

Examples:
  rulepack catalog build .
  rulepack catalog build . --out site --base-url https://example.org/artifacts
  rulepack catalog build . --container zip --container gravewatch=bundle")]
    Build {
        /// A package folder, a folder of them, or a folder with packages/
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// Where to write the catalog [default: DIR]
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
        /// The address that artifacts/ will have [default: the current one, else the official one]
        #[arg(long, value_name = "URL")]
        base_url: Option<BaseUrl>,
        /// bundle, zip or bare for all packages, or ID=KIND for one [default: bundle]
        #[arg(long = "container", value_name = "KIND", value_parser = container)]
        containers: Vec<ContainerChoice>,
        /// The catalog's own time of generation, in UTC [default: the current one]
        #[arg(long, value_name = "TIME", value_parser = utc_time)]
        generated_at: Option<String>,
        /// Publish changes that lose values of sheets stored with the previous version
        #[arg(long)]
        allow_breaking: bool,
    },
}

// What is verified, and how.
#[derive(Args, Clone, Debug)]
pub struct VerifyArgs {
    /// The catalog [default: the one given by --catalog, else the official one]
    #[arg(value_name = "SOURCE", value_parser = NonEmptyStringValueParser::new())]
    pub source: Option<String>,
    /// The folder with artifacts and packs
    #[arg(long, value_name = "DIR")]
    pub artifacts: Option<PathBuf>,
    /// Check only packages whose IDs match, with * and ?; can be repeated
    #[arg(long, value_name = "PATTERN")]
    pub only: Vec<Id>,
    /// For a catalog on a server, do not request lanes, notes, icons or documentation pages
    #[arg(long)]
    pub shallow: bool,
    #[command(flatten)]
    pub findings: FindingsArgs,
}

// What an entry is made of.
#[derive(Args, Clone, Debug)]
pub struct EntryArgs {
    /// A zip, a bundle, or (with --manifest) a bare ruleset.json
    #[arg(value_name = "ARTIFACT")]
    pub artifact: PathBuf,
    /// A language pack of it; can be repeated
    #[arg(long = "pack", value_name = "FILE")]
    pub packs: Vec<PathBuf>,
    /// The address of the folder that will contain all of these files
    #[arg(long, value_name = "URL")]
    pub base_url: BaseUrl,
    /// The manifest of a bare ruleset
    #[arg(long, value_name = "FILE")]
    pub manifest: Option<PathBuf>,
    /// The shelf of the store: writer, tracker or misc
    #[arg(long, value_name = "NAME", default_value = "misc", value_parser = ["writer", "tracker", "misc"])]
    #[arg(hide_possible_values = true)]
    pub category: String,
    /// The image on its card
    #[arg(long, value_name = "URL")]
    pub icon_url: Option<String>,
    /// A page that describes it
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
