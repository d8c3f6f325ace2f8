//! What became of a plan: the rows of the answer, and what went wrong.

use super::App;
use super::execute::Mode;
use super::pack::PackPlan;
use super::plan::{PackagePlan, Plan, Step};
use super::report::{Action, Changes, ErrorReport, LanguagePack, PackReason, PackStatus, PackageChange};
use crate::store::KeptPack;
use crate::types::{Code, Failure, Warning};

/// What a changing command answers, and what went wrong on the way, in the order of the packages.
pub struct Outcome {
    pub changes: Changes,
    pub failures: Vec<Failure>,
}

impl App {
    /// What became of a plan that was carried out, or that there was nothing to do about.
    pub(super) fn report(&self, plan: Plan, mode: Mode) -> Outcome {
        plan.warnings.iter().for_each(|warning| self.warn(warning.clone()));
        let mut failures = Vec::new();
        let mut packages = Vec::new();
        for package in plan.packages {
            let missing = mode.require_pack.then(|| missing_pack(&package)).flatten();
            let (row, failed) = self.row(package);
            failures.extend(failed.or(missing));
            packages.push(row);
        }
        Outcome { changes: Changes { language: plan.language.to_string(), packages }, failures }
    }

    fn row(&self, package: PackagePlan) -> (PackageChange, Option<Failure>) {
        let removed = package.action == Action::Removed;
        let root = package
            .active
            .as_ref()
            .zip(package.version.as_ref())
            .map(|(id, version)| self.store.layout().version(id, version));
        if let PackPlan::Unavailable { reason, failure, .. } = &package.pack {
            self.warn(unavailable_warning(*reason, failure.as_ref()).about(&package.id));
        }
        let language_pack = root.as_ref().and_then(|root| pack_row(&package.pack, root));
        let failure = match package.step {
            Step::Fail(failure) => Some(failure),
            _ => None,
        };
        let row = PackageChange {
            id: package.id,
            name: package.name,
            version: package.version.map(|version| version.to_string()),
            previous_version: package.previous.map(|version| version.to_string()),
            action: package.action,
            path: root.filter(|_| !removed).map(|root| root.display().to_string()),
            language_pack,
            error: failure.as_ref().map(ErrorReport::from),
        };
        (row, failure)
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
        PackPlan::Unavailable { reason, kept, .. } => {
            let row = match kept {
                Some(kept) => there(PackStatus::Unavailable, kept),
                None => bare(PackStatus::Unavailable),
            };
            LanguagePack { reason: Some(*reason), ..row }
        }
    })
}

fn unavailable_warning(reason: PackReason, failure: Option<&Failure>) -> Warning {
    match (reason, failure) {
        (PackReason::OtherVersion, _) => Warning::new(
            "pack-unavailable",
            "the catalog lists another version by now, and a language pack fits only its own; the ruleset is in English",
        ),
        // Says of itself that it is of a language pack.
        (PackReason::Offline, Some(failure)) => Warning::new("pack-unavailable", failure.message.clone()),
        (_, Some(failure)) => {
            Warning::new("pack-unavailable", format!("the language pack could not be had: {}", failure.message))
        }
        (_, None) => Warning::new("pack-unavailable", "the language pack could not be had"),
    }
}

/// The failure `--require-pack` makes of a wanted pack that is not there: 5 where it could not be reached, else 4.
fn missing_pack(package: &PackagePlan) -> Option<Failure> {
    let (code, text) = match &package.pack {
        PackPlan::NotListed { .. } => (Code::InvalidPack, "the catalog lists no language pack for this language"),
        PackPlan::Unavailable { reason, .. } => match reason {
            PackReason::Offline => (Code::Offline, "the language pack could not be had offline"),
            PackReason::HttpError => (Code::HttpError, "the language pack could not be fetched"),
            PackReason::SizeMismatch => (Code::SizeMismatch, "the language pack is not of the size the catalog lists"),
            PackReason::ChecksumMismatch => {
                (Code::ChecksumMismatch, "the language pack is not the one the catalog lists")
            }
            PackReason::LocaleMismatch => (Code::LocaleMismatch, "the language pack is for another language"),
            PackReason::InvalidPack => (Code::InvalidPack, "the language pack is damaged: it has not the form of one"),
            PackReason::Deadline => (Code::Deadline, "the language pack was not there in time"),
            PackReason::InvalidCatalog => {
                (Code::InvalidCatalog, "the catalog that lists the language pack cannot be read")
            }
            PackReason::Io => (Code::Io, "the language pack could not be read or written on this machine"),
            PackReason::OtherVersion => (Code::InvalidPack, "the catalog has language packs for another version only"),
        },
        _ => return None,
    };
    let hint = match &package.pack {
        PackPlan::Unavailable { kept: Some(_), .. } => {
            "the ruleset is there, with the pack it had; leave --require-pack out to accept that"
        }
        _ => "the ruleset is there, in English; leave --require-pack out to accept that",
    };
    Some(Failure::new(code, text).hint(hint).package(&package.id))
}
