//! What became of a plan: the rows of the answer, and what went wrong.

use super::App;
use super::pack::PackPlan;
use super::plan::{Mode, PackagePlan, Plan, VersionStep};
use super::report::{Action, Changes, ErrorReport, LanguagePack, PackReason, PackStatus, PackageChange};
use crate::store::{KeptPack, Layout, metadata};
use crate::types::{Code, Failure, Version, Warning, codes};
use std::collections::HashMap;

/// What a changing command answers, and what went wrong on the way, in the order of the packages.
pub struct Outcome {
    /// A row for each package, also for one that failed.
    pub changes: Changes,
    /// Empty where everything was done.
    pub failures: Vec<Failure>,
}

impl App {
    /// What became of a plan that was carried out, or that there was nothing to do about.
    pub(super) fn report(&self, plan: Plan, mode: Mode) -> Outcome {
        plan.warnings.iter().for_each(|warning| self.warn(warning.clone()));
        let mut failures = Vec::new();
        let mut packages = Vec::new();
        let mut unavailable = Vec::new();
        // Who sets a language asks for every pack.
        let asked = plan.remember.is_some();
        let catalogs = self.told_of_the_catalog();
        for mut package in plan.packages {
            package.action = self.action(&package);
            package.pack = package.pack.told();
            let missing = mode.require_pack.then(|| missing_pack(&package)).flatten();
            if self.is_news(&package, asked, catalogs.as_ref())
                && let PackPlan::Unavailable { reason, failure, .. } = &package.pack
            {
                unavailable.push((package.id.clone(), *reason, failure.clone()));
            }
            let (row, failed) = self.row(package);
            failures.extend(failed.or(missing));
            packages.push(row);
        }
        unavailable_warnings(unavailable).into_iter().for_each(|warning| self.warn(warning));
        Outcome { changes: Changes { language: plan.language.to_string(), packages }, failures }
    }

    /// Whether it is told as a warning, besides the row, that a pack cannot be had: not where nothing has changed since
    /// it was told, unless the reader asked for just that, and not where it is the catalog that is told of.
    fn is_news(&self, package: &PackagePlan, asked: bool, catalogs: Option<&Failure>) -> bool {
        let PackPlan::Unavailable { reason, failure, .. } = &package.pack else { return false };
        let failed_before =
            |failure: &Failure| failure.url.as_ref().is_some_and(|url| self.fetcher.failed_before(url, failure.code));
        let is_known = *reason == PackReason::OtherVersion || failure.as_ref().is_some_and(failed_before);
        let stays = matches!(package.action, Action::Unchanged | Action::Held);
        let is_catalogs = failure.is_some() && failure.as_ref() == catalogs;
        (asked || package.named || !is_known || !stays) && !is_catalogs
    }

    fn row(&self, package: PackagePlan) -> (PackageChange, Option<Failure>) {
        let action = self.action(&package);
        let removed = package.action == Action::Removed;
        let root = package
            .active
            .as_ref()
            .zip(package.version.as_ref())
            .map(|(id, version)| self.store.layout().version(id, version));
        let language_pack = root.as_ref().and_then(|root| pack_row(&package.pack, root));
        let failure = match package.step {
            VersionStep::Fail(failure) => Some(failure),
            _ => None,
        };
        let row = PackageChange {
            id: package.id,
            name: package.name,
            version: package.version.map(|version| version.to_string()),
            previous_version: package.previous.map(|version| version.to_string()),
            action,
            path: root.filter(|_| !removed).map(|root| root.display().to_string()),
            language_pack,
            state: package.sight.as_ref().map(|sight| sight.state),
            held: package.sight.as_ref().map(|sight| sight.held),
            installed_at: package.sight.map(|sight| sight.installed_at),
            error: failure.as_ref().map(ErrorReport::from),
        };
        (row, failure)
    }

    /// What is wrong with the catalog, if that was told as such.
    fn told_of_the_catalog(&self) -> Option<Failure> {
        let failure = self.catalog.get()?.as_ref().err()?;
        let told = self.warnings.borrow();
        told.iter().any(|warning| warning.code == codes::CATALOG_UNAVAILABLE).then(|| failure.clone())
    }

    /// Says that a package is in place, by the word its row will have.
    pub(super) fn tell_placed(&self, package: &PackagePlan) {
        let action = self.action(package);
        if action != Action::Failed
            && let Ok(serde_json::Value::String(word)) = serde_json::to_value(action)
        {
            self.reporter.placed(&package.id, &word);
        }
    }

    /// What was done to a package. One that stays at its version is not unchanged where its pack is not what it was, or
    /// one went that could not be removed before.
    fn action(&self, package: &PackagePlan) -> Action {
        let gone = |(version, pack): &(Version, KeptPack)| {
            let root = package.active.as_ref().map(|id| self.store.layout().version(id, version));
            root.is_some_and(|root| matches!(metadata(&Layout::pack_in(&root, &pack.language)), Ok(None)))
        };
        match package.action {
            Action::Unchanged if package.pack.changes_anything() || package.left.iter().any(gone) => Action::Switched,
            action => action,
        }
    }
}

fn pack_row(pack: &PackPlan, root: &std::path::Path) -> Option<LanguagePack> {
    let bare = LanguagePack::none;
    let there = |status, kept: &KeptPack| LanguagePack::kept(status, kept, root);
    Some(match pack {
        PackPlan::Nothing => return None,
        PackPlan::Keep(kept) => there(PackStatus::Current, kept),
        PackPlan::NotNeeded { drop: Some(_) } | PackPlan::NotListed { drop: Some(_) } => bare(PackStatus::Removed),
        PackPlan::NotNeeded { .. } => bare(PackStatus::NotNeeded),
        PackPlan::NotListed { .. } => bare(PackStatus::NotListed),
        PackPlan::Fetch { offer, .. } => {
            there(PackStatus::Fetched, &KeptPack { language: offer.language.clone(), file: offer.file.expected })
        }
        PackPlan::Unavailable { reason, kept, failure, .. } => {
            let row = match kept {
                Some(kept) => there(PackStatus::Unavailable, kept),
                None => bare(PackStatus::Unavailable),
            };
            LanguagePack { reason: Some(*reason), why: Some(why(*reason, failure.as_ref()).1), ..row }
        }
    })
}

/// What is said of packs that cannot be had. Of those that one server keeps back for the same reason it is said of the
/// server, which is then told once.
fn unavailable_warnings(all: Vec<(String, PackReason, Option<Failure>)>) -> Vec<Warning> {
    let servers: Vec<Option<(Code, String, String)>> = all.iter().map(|(_, _, failure)| of_server(failure)).collect();
    let mut alike: HashMap<&(Code, String, String), (usize, &Option<Failure>)> = HashMap::new();
    for (server, (_, _, failure)) in servers.iter().zip(&all) {
        if let Some(server) = server {
            alike.entry(server).or_insert((0, failure)).0 += 1;
        }
    }
    let mut warnings = Vec::new();
    for ((id, reason, failure), server) in all.iter().zip(&servers) {
        let shared = server.as_ref().and_then(|server| match alike.get(server) {
            Some((2.., Some(first))) => {
                let url = first.url.as_deref().unwrap_or_default();
                Some(Failure { message: first.message.replace(url, &server.1), ..first.clone() })
            }
            _ => None,
        });
        warnings.push(unavailable_warning(*reason, shared.as_ref().or(failure.as_ref())).about(id));
    }
    warnings
}

/// What several files of a server may have in common: the code, the server, and what it said. Of one that does not
/// answer, each was waited for a little longer or shorter.
fn of_server(failure: &Option<Failure>) -> Option<(Code, String, String)> {
    let failure = failure.as_ref()?;
    let url = failure.url.as_deref()?;
    let after_scheme = url.find("://")? + 3;
    let end = url[after_scheme..].find('/').map_or(url.len(), |at| after_scheme + at);
    let said = match failure.code {
        Code::Network | Code::Deadline => String::new(),
        _ => failure.message.replace(url, ""),
    };
    Some((failure.code, url[..end].to_owned(), said))
}

fn unavailable_warning(reason: PackReason, failure: Option<&Failure>) -> Warning {
    let text = match failure {
        _ if reason == PackReason::OtherVersion => {
            "the catalog now lists another version, whose language packs do not fit; the ruleset is in English"
                .to_owned()
        }
        // Says of itself that it is of a language pack.
        Some(failure) if failure.code == Code::Offline => failure.message.clone(),
        Some(failure) => format!("the language pack is unavailable: {}", failure.message),
        None => why(reason, None).1.to_owned(),
    };
    Warning::new(codes::PACK_UNAVAILABLE, text)
}

/// Why a pack is not there, in a clause, and the code of it.
fn why(reason: PackReason, failure: Option<&Failure>) -> (Code, &'static str) {
    match reason {
        PackReason::Offline if failure.is_some_and(|failure| failure.code == Code::Network) => {
            (Code::Offline, "cannot reach the server of the language pack")
        }
        PackReason::Offline => (Code::Offline, "the language pack is unavailable offline"),
        PackReason::HttpError => (Code::HttpError, "cannot fetch the language pack"),
        PackReason::SizeMismatch => (Code::SizeMismatch, "the size of the language pack differs from the catalog's"),
        PackReason::ChecksumMismatch => {
            (Code::ChecksumMismatch, "the hash of the language pack differs from the catalog's")
        }
        PackReason::LocaleMismatch => (Code::LocaleMismatch, "the language pack is for another language"),
        PackReason::InvalidPack => (Code::InvalidPack, "the language pack is invalid"),
        PackReason::Deadline => (Code::Deadline, "the language pack did not arrive in time"),
        PackReason::InvalidCatalog => (Code::InvalidCatalog, "cannot read the catalog that lists the language pack"),
        PackReason::Io => (Code::Io, "cannot read or write the language pack on this machine"),
        PackReason::OtherVersion => (Code::InvalidPack, "the catalog only has language packs for another version"),
    }
}

/// The failure `--require-pack` makes of a wanted pack that is not there: 5 where it could not be reached, else 4.
fn missing_pack(package: &PackagePlan) -> Option<Failure> {
    let (code, text) = match &package.pack {
        PackPlan::NotListed { .. } => (Code::InvalidPack, "the catalog has no language pack for this language"),
        PackPlan::Unavailable { reason, failure, .. } => why(*reason, failure.as_ref()),
        _ => return None,
    };
    let hint = match &package.pack {
        PackPlan::Unavailable { kept: Some(_), .. } => {
            "omit `--require-pack` to accept the ruleset with the pack it had"
        }
        _ => "omit `--require-pack` to accept the ruleset in English",
    };
    Some(Failure::new(code, text).hint(hint).package(&package.id))
}
