use super::keeping::left_over;
use super::pack::{Kept, PackPlan, Source};
use super::plan::PackagePlan;
use super::report::Action;
use super::{App, Shelf};
use crate::store::{Installed, Settled, Snapshot, State};
use crate::types::{Failure, Language, PackageId, Version, Warning, codes};

/// Whom a pack is for, and what is remembered.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    pub language: &'a Language,
    pub state: &'a State,
}

impl App {
    /// A ruleset that stays at its version, and what becomes of the pack kept for it. Where its folder is gone there is
    /// nowhere to put one; that is for `install` or `doctor` to mend, and said.
    pub(super) fn plan_stay(
        &self,
        installed: &Installed,
        action: Action,
        source: &Source,
        kept: Option<Kept>,
        Reader { language, state }: Reader,
    ) -> PackagePlan {
        let (id, version) = (&installed.id, &installed.version);
        if self.store.has_no_folder(&self.store.layout().version(id, version)) {
            let text = format!("the folder of {id} {version} is missing; `rulepack doctor --repair` puts it back");
            self.warn(Warning::new(codes::DAMAGED_PACKAGE, text).about(id));
            return PackagePlan::stays(installed, action, PackPlan::Nothing);
        }
        let pack = PackPlan::make(language, source, kept, || self.at_hand(state, id, version, language));
        let plan = self.stays(installed, action, pack, state);
        // Better than nothing where it is not remembered what this very version is called.
        let name = source.entry().map(|entry| entry.card(language).name.to_owned());
        PackagePlan { name: name.or(plan.name), ..plan }
    }

    /// The same where it is settled what becomes of the pack; those that could not be removed before go with it.
    fn stays(&self, installed: &Installed, action: Action, pack: PackPlan, state: &State) -> PackagePlan {
        let previous = installed.previous.as_ref().map(|previous| &previous.version);
        let left = [Some(&installed.version), previous].into_iter().flatten().flat_map(|version| {
            let left = left_over(self.store.layout(), state, &installed.id, version);
            left.into_iter().map(|pack| (version.clone(), pack))
        });
        PackagePlan { left: left.collect(), ..PackagePlan::stays(installed, action, pack) }
    }

    /// The plan of a ruleset whose pack was found right by this very catalog entry before: the same entry, version and
    /// language come to the same, so the entry need not be read again. This is what makes a run with nothing to do
    /// cost little more than starting the program.
    pub(super) fn plan_settled(
        &self,
        installed: &Installed,
        language: &Language,
        shelf: &Shelf,
        snapshot: &Snapshot,
    ) -> Result<Option<PackagePlan>, Failure> {
        let (id, version) = (&installed.id, &installed.version);
        let receipt = snapshot.state.receipt(id, version);
        let Some((receipt, settled)) = receipt.and_then(|receipt| Some((receipt, receipt.settled.as_ref()?))) else {
            return Ok(None);
        };
        if settled.language != *language || shelf.digest(id.as_str())? != Some(settled.entry.clone()) {
            return Ok(None);
        }
        let pack = match (&receipt.pack, self.recorded_pack(&snapshot.state, id, version)) {
            (Some(_), Some(kept)) if kept.whole => PackPlan::Keep(kept.pack),
            (None, _) if !self.store.has_no_folder(&self.store.layout().version(id, version)) => {
                PackPlan::NotListed { drop: None }
            }
            _ => return Ok(None),
        };
        // What an older rulepack installed is not remembered by its names yet; its entry has them.
        if receipt.offered.is_empty() && receipt.pack.is_some() {
            return Ok(None);
        }
        Ok(Some(self.stays(installed, Action::Unchanged, pack, &snapshot.state)))
    }

    /// What to remember so that [`App::plan_settled`] can tell: which entry the pack of this version was chosen by.
    pub(super) fn settled(
        &self,
        id: &PackageId,
        version: &Version,
        language: &Language,
        pack: &PackPlan,
    ) -> Option<Settled> {
        let right = match pack {
            PackPlan::Fetch { because: None, .. } | PackPlan::NotListed { .. } => true,
            // One that stands in for another is right only for now.
            PackPlan::Fetch { because: Some(_), .. }
            | PackPlan::Nothing
            | PackPlan::NotNeeded { .. }
            | PackPlan::Keep(_)
            | PackPlan::Unavailable { .. } => false,
        };
        let shelf = self.shelf().ok().filter(|_| right)?;
        let entry = shelf.ruleset(id.as_str()).ok()??;
        let digest = shelf.digest(id.as_str()).ok()??;
        (entry.manifest.version == *version).then(|| Settled { entry: digest, language: language.clone() })
    }
}
