use super::outcome::Outcome;
use super::pack::{PackPlan, Source};
use super::plan::{Mode, PackagePlan, Plan, Step};
use super::report::Action;
use super::shelf::ask;
use super::stage::is_stop;
use super::{App, installed};
use crate::catalog::{MANIFEST, Manifest};
use crate::store::{Installed, Previous, Snapshot, Store, StoreError};
use crate::types::{Code, Failure, PackageId, Version};
use serde_json::value::RawValue;

impl App {
    /// Activates the version before, which must still be what was installed; the version left becomes the previous
    /// one and is declined, so that `update` does not put it back without a word (B32).
    pub fn rollback(&self, id: &str) -> Result<Outcome, Failure> {
        self.carry_out(Mode::default(), |snapshot| {
            let package = match self.plan_rollback(id, snapshot) {
                Ok(package) => package,
                Err(failure) if is_stop(&failure) => return Err(failure),
                Err(failure) => PackagePlan::failed_at(installed(snapshot, id).ok().as_ref(), id, failure),
            };
            let language = self.language(&snapshot.state);
            Ok(Plan { language, packages: vec![package], remember: None, warnings: Vec::new() }.named(&snapshot.state))
        })
    }

    pub(super) fn plan_rollback(&self, id: &str, snapshot: &Snapshot) -> Result<PackagePlan, Failure> {
        let ruleset = installed(snapshot, id)?;
        let Some(previous) = ruleset.previous.clone() else {
            let text = format!("{id} {} has no version before it to go back to", ruleset.version);
            return Err(Failure::new(Code::NoPreviousVersion, text)
                .hint("a version is kept for rollback when an update replaces it"));
        };
        let manifest = manifest_before(&self.store, &ruleset, &previous)?;
        self.refuse_incompatible(&manifest)?;
        let flaws = self.flaws(&snapshot.state, &ruleset.id, &previous.version, &manifest, None)?;
        if !flaws.is_empty() {
            let why = flaws.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
            return Err(damaged(&ruleset.id, &previous.version, why));
        }
        let language = self.language(&snapshot.state);
        // Going back never waits for a network: what the catalog last said is enough to find a cached pack.
        let shelf = (!language.is_english()).then(|| self.shelf());
        let answer = ask(shelf.as_ref(), id);
        self.stop_if_asked()?;
        let source = Source::said(&answer, &previous.version);
        let at_hand = || self.at_hand(&snapshot.state, &ruleset.id, &previous.version, &language);
        let pack = PackPlan::make(&language, &source, None, at_hand);
        let left = ruleset.version.clone();
        let from = Installed {
            previous: Some(Previous { version: previous.version.clone(), manifest: Some(manifest.raw.clone()) }),
            ..ruleset
        };
        Ok(PackagePlan {
            id: id.to_owned(),
            active: Some(from.id.clone()),
            name: Some(source.entry().map_or(&*manifest.name, |entry| entry.card(&language).name).to_owned()),
            version: Some(previous.version),
            previous: Some(left),
            action: Action::RolledBack,
            step: Step::Back { from },
            pack,
            left: Vec::new(),
            named: true,
            sight: None,
        })
    }
}

/// The manifest of the version before: the registry's, else the one in its folder
/// (docs/spec/catalog.md#updates-and-rollback).
pub(super) fn manifest_before(store: &Store, ruleset: &Installed, previous: &Previous) -> Result<Manifest, Failure> {
    let wrong = |why: String| damaged(&ruleset.id, &previous.version, why);
    let raw = match &previous.manifest {
        Some(raw) => raw.clone(),
        None => {
            let text = store.manifest_text(&ruleset.id, &previous.version);
            let text = text.map_err(|error| wrong(format!("{MANIFEST}: {error}")))?;
            let text = text.ok_or_else(|| wrong(format!("{MANIFEST} is missing, or no plain file of text")))?;
            RawValue::from_string(text).map_err(|error| wrong(format!("{MANIFEST}: {error}")))?.into()
        }
    };
    let manifest = Manifest::parse(raw.get())
        .map_err(|problems| wrong(problems.iter().map(|problem| problem.reason()).collect::<Vec<_>>().join("; ")))?;
    if manifest.id != ruleset.id || manifest.version != previous.version {
        return Err(wrong(format!("its manifest is of {} {}", manifest.id, manifest.version)));
    }
    Ok(manifest)
}

fn damaged(id: &PackageId, version: &Version, why: String) -> Failure {
    StoreError::DamagedPackage { package: id.to_string(), version: version.to_string(), why }.into()
}
