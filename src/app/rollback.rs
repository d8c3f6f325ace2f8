use super::look::Terms;
use super::outcome::Outcome;
use super::pack::{PackPlan, PackSource};
use super::plan::{Mode, PackagePlan, Plan, VersionStep};
use super::report::Action;
use super::shelf::{CatalogAnswer, ask};
use super::stage::is_stop;
use super::{App, installed};
use crate::catalog::{MANIFEST, Manifest, PackOffer};
use crate::store::{Flaw, Installed, Previous, Store, StoreError};
use crate::types::{Code, Failure, PackageId, Version};
use serde_json::value::RawValue;

impl App {
    /// Activates the version before, which must still be what was installed; the version left becomes the previous
    /// one and is declined, so that `update` does not put it back without a word (B32).
    ///
    /// # Errors
    /// `not-installed`, `no-previous-version`, and where the store cannot be read or changed.
    pub fn rollback(&self, id: &str) -> Result<Outcome, Failure> {
        self.carry_out(Mode::default(), |snapshot| {
            let language = self.language(&snapshot.state);
            let terms = self.terms(snapshot, &language);
            let planned = installed(snapshot, id).and_then(|ruleset| {
                let previous = ruleset.previous.clone().ok_or_else(|| nothing_before(&ruleset))?;
                let before = self.look_before(&ruleset, &previous, terms)?;
                plan_rollback(ruleset, previous, before, terms)
            });
            let package = match planned {
                Ok(package) => package,
                Err(failure) if is_stop(&failure) => return Err(failure),
                Err(failure) => PackagePlan::failed_at(installed(snapshot, id).ok().as_ref(), id, failure),
            };
            Ok(Plan { language, packages: vec![package], remember: None, warnings: Vec::new() }.named(&snapshot.state))
        })
    }

    /// Looks at the version before, and asks for its pack.
    fn look_before(&self, ruleset: &Installed, previous: &Previous, terms: Terms) -> Result<Before, Failure> {
        let (id, version, state) = (&ruleset.id, &previous.version, &terms.snapshot.state);
        let manifest = manifest_before(&self.store, ruleset, previous)?;
        let flaws = self.flaws(state, id, version, &manifest, None)?;
        // Going back never waits for a network: what the catalog last said is enough to find a cached pack.
        let shelf = (!terms.language.is_english() && flaws.is_empty()).then(|| self.shelf());
        let said = ask(shelf.as_ref(), id.as_str());
        self.stop_if_asked()?;
        let at_hand = if flaws.is_empty() { self.at_hand(state, id, version, terms.language) } else { Vec::new() };
        Ok(Before { manifest, flaws, said, at_hand })
    }
}

/// What there is to see of the version before.
pub(super) struct Before {
    pub manifest: Manifest,
    /// Every way it is not as it was installed.
    pub flaws: Vec<Flaw>,
    /// What the catalog has under the id.
    pub said: Result<CatalogAnswer, Failure>,
    /// The packs it was offered that can be had without a network, the best first.
    pub at_hand: Vec<PackOffer>,
}

pub(super) fn plan_rollback(
    ruleset: Installed,
    previous: Previous,
    before: Before,
    terms: Terms,
) -> Result<PackagePlan, Failure> {
    let Before { manifest, flaws, said, at_hand } = before;
    terms.refuse_incompatible(&manifest)?;
    if !flaws.is_empty() {
        let why = flaws.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
        return Err(damaged(&ruleset.id, &previous.version, why));
    }
    let source = PackSource::said(&said, &previous.version);
    let name = source.entry().map_or(&*manifest.name, |entry| entry.card(terms.language).name);
    Ok(PackagePlan {
        id: ruleset.id.to_string(),
        active: Some(ruleset.id.clone()),
        name: Some(name.to_owned()),
        version: Some(previous.version.clone()),
        previous: Some(ruleset.version.clone()),
        action: Action::RolledBack,
        pack: PackPlan::make(terms.language, &source, None, at_hand),
        left: Vec::new(),
        named: true,
        sight: None,
        step: VersionStep::Back {
            from: Installed {
                previous: Some(Previous { version: previous.version, manifest: Some(manifest.raw) }),
                ..ruleset
            },
        },
    })
}

pub(super) fn nothing_before(ruleset: &Installed) -> Failure {
    let text = format!("{} {} has no previous version to return to", ruleset.id, ruleset.version);
    Failure::new(Code::NoPreviousVersion, text)
        .hint("update first: only a version that an update replaced is kept for rollback")
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
            let text = text.ok_or_else(|| wrong(format!("{MANIFEST} is missing, or not a regular text file")))?;
            RawValue::from_string(text).map_err(|error| wrong(format!("{MANIFEST}: {error}")))?.into()
        }
    };
    let manifest = Manifest::parse(raw.get())
        .map_err(|problems| wrong(problems.iter().map(|problem| problem.reason()).collect::<Vec<_>>().join("; ")))?;
    if manifest.id != ruleset.id || manifest.version != previous.version {
        return Err(wrong(format!("its manifest is for {} {}", manifest.id, manifest.version)));
    }
    Ok(manifest)
}

fn damaged(id: &PackageId, version: &Version, why: String) -> Failure {
    StoreError::DamagedPackage { package: id.to_string(), version: version.to_string(), why }.into()
}
