//! What will happen, as data, before any of it does. A plan is made from the store as read and the catalog as read
//! and from nothing else, so it can be made again under the lock, and `--dry-run` prints it.

use super::naming::{english_name, localized, of_offered};
use super::pack::PackPlan;
use super::report::{Action, PackReason};
use super::sight::Sight;
use crate::catalog::Entry;
use crate::store::{Installed, KeptPack, State};
use crate::types::{Code, Failure, Language, PackageId, Version, Warning};
use std::rc::Rc;

/// How a command wants its plan carried out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mode {
    /// Make the plan and say it, but do nothing.
    pub dry_run: bool,
    /// A wanted pack that cannot be had is a failure.
    pub require_pack: bool,
}

/// What one command will do.
#[derive(Debug)]
pub struct Plan {
    /// The language packs are chosen for.
    pub language: Language,
    pub packages: Vec<PackagePlan>,
    /// The language to remember, when the command sets it: `Some(None)` goes back to the system's.
    pub remember: Option<Option<Language>>,
    pub warnings: Vec<Warning>,
}

/// What will happen to one package.
#[derive(Debug)]
pub struct PackagePlan {
    pub id: String,
    /// The id as the store knows it, where the store knows it.
    pub active: Option<PackageId>,
    pub name: Option<String>,
    /// The version active afterwards; of a removed package the one that was.
    pub version: Option<Version>,
    pub previous: Option<Version>,
    pub action: Action,
    pub step: VersionStep,
    pub pack: PackPlan,
    /// Packs that went before and are still there, each with the version it lies beside: they are tried again.
    pub left: Vec<(Version, KeptPack)>,
    /// Whether the reader asked for it by name, and so is told what is no news.
    pub named: bool,
    /// How it looks, where a page is told.
    pub sight: Option<Sight>,
}

/// What is done to the version folders and the registry.
#[derive(Debug)]
pub enum VersionStep {
    /// Nothing; at most the pack changes.
    Stay(Installed),
    /// The catalog's version is put in place, over whatever is active now.
    Place {
        entry: Rc<Entry>,
        over: Option<Installed>,
    },
    /// The version before becomes the active one.
    Back {
        from: Installed,
    },
    Remove(Installed),
    /// Every version of an imported ruleset goes.
    Forget(PackageId),
    /// Nothing, because it cannot be.
    Fail(Failure),
}

impl Plan {
    /// The same with each ruleset called as it is in the language of the plan.
    pub fn named(mut self, state: &State) -> Self {
        for package in &mut self.packages {
            let name = name_planned(package, &self.language, state).or_else(|| package.name.take());
            package.name = name.or_else(|| english_name(package.installed()?));
        }
        self
    }
}

impl PackagePlan {
    /// A package nothing can be done for.
    pub fn failed(id: &str, failure: Failure) -> Self {
        PackagePlan {
            id: id.to_owned(),
            active: None,
            name: None,
            version: None,
            previous: None,
            action: Action::Failed,
            step: VersionStep::Fail(failure.package(id)),
            pack: PackPlan::Nothing,
            left: Vec::new(),
            named: false,
            sight: None,
        }
    }

    /// The same package once it has turned out that it cannot be done: it stays as it is.
    pub fn failing(&self, failure: Failure) -> Self {
        let failed = PackagePlan::failed_at(self.installed(), &self.id, failure);
        PackagePlan { name: self.name.clone(), sight: self.sight.clone(), ..failed }
    }

    /// What the store has of it before.
    fn installed(&self) -> Option<&Installed> {
        match &self.step {
            VersionStep::Stay(installed) | VersionStep::Back { from: installed } | VersionStep::Remove(installed) => {
                Some(installed)
            }
            VersionStep::Place { over, .. } => over.as_ref(),
            VersionStep::Forget(_) | VersionStep::Fail(_) => None,
        }
    }

    /// The same package once the run had to end before its turn came: it stays as it is. A pack that there was no time
    /// for is no failure (docs/spec/commands.md#a-page-is-waiting).
    pub fn left(&self, failure: Failure) -> Self {
        let VersionStep::Stay(installed) = &self.step else { return self.failing(failure) };
        if failure.code != Code::Deadline {
            return self.failing(failure);
        }
        let pack = match &self.pack {
            PackPlan::Fetch { old, .. } => old.as_ref().filter(|old| old.whole).map(|old| old.pack.clone()),
            pack => pack.dropped().cloned(),
        };
        let reason = PackReason::Deadline;
        let pack = PackPlan::Unavailable { reason, failure: Some(failure), drop: None, kept: pack };
        PackagePlan {
            name: self.name.clone(),
            sight: self.sight.clone(),
            ..PackagePlan::stays(installed, self.action, pack)
        }
    }

    /// A package nothing can be done for, and the version of it that stays active.
    pub fn failed_at(active: Option<&Installed>, id: &str, failure: Failure) -> Self {
        PackagePlan {
            name: active.and_then(english_name),
            version: active.map(|installed| installed.version.clone()),
            previous: active.and_then(previous_version),
            active: active.map(|installed| installed.id.clone()),
            ..PackagePlan::failed(id, failure)
        }
    }

    /// A package that stays at its version. It gets its name with the others of the plan, which may know a better one
    /// than the manifest has.
    pub fn stays(installed: &Installed, action: Action, pack: PackPlan) -> Self {
        PackagePlan {
            id: installed.id.to_string(),
            active: Some(installed.id.clone()),
            name: None,
            version: Some(installed.version.clone()),
            previous: previous_version(installed),
            action,
            step: VersionStep::Stay(installed.clone()),
            pack,
            left: Vec::new(),
            named: false,
            sight: None,
        }
    }

    /// A package whose catalog version is put in place.
    pub fn places(entry: &Rc<Entry>, over: Option<Installed>, action: Action, pack: PackPlan) -> Self {
        let version = entry.manifest.version.clone();
        let previous = match &over {
            // The same version again leaves the version before as it is.
            Some(installed) if installed.version == version => previous_version(installed),
            Some(installed) => Some(installed.version.clone()),
            None => None,
        };
        PackagePlan {
            id: entry.manifest.id.to_string(),
            active: Some(entry.manifest.id.clone()),
            name: Some(entry.manifest.name.clone()),
            version: Some(version),
            previous,
            action,
            step: VersionStep::Place { entry: entry.clone(), over },
            pack,
            left: Vec::new(),
            named: false,
            sight: None,
        }
    }

    /// Whether carrying it out changes anything on disk.
    pub fn changes_anything(&self) -> bool {
        match self.step {
            VersionStep::Stay(_) => self.pack.changes_anything() || !self.left.is_empty(),
            VersionStep::Fail(_) => false,
            VersionStep::Place { .. } | VersionStep::Back { .. } | VersionStep::Remove(_) | VersionStep::Forget(_) => {
                true
            }
        }
    }
}

/// What a plan's ruleset is called, as the version that is active afterwards has it; nothing where that is not known to
/// be another than in English.
fn name_planned(package: &PackagePlan, language: &Language, state: &State) -> Option<String> {
    let (id, version) = package.active.as_ref().zip(package.version.as_ref())?;
    match &package.step {
        // As it is called from then on: what it was called in a language that its entry lists no longer is remembered.
        VersionStep::Place { entry, .. } => match entry.pack_for(language) {
            None => localized(language, state, id, version, &entry.manifest.raw),
            Some(_) => None,
        }
        .or_else(|| Some(entry.card(language).name.to_owned())),
        VersionStep::Stay(installed) | VersionStep::Remove(installed) => {
            localized(language, state, id, version, &installed.manifest)
        }
        VersionStep::Back { from } => {
            let manifest = from.previous.as_ref()?.manifest.as_ref()?;
            localized(language, state, id, version, manifest)
        }
        VersionStep::Forget(_) | VersionStep::Fail(_) => of_offered(language, state, id, version),
    }
}

fn previous_version(installed: &Installed) -> Option<Version> {
    installed.previous.as_ref().map(|previous| previous.version.clone())
}
