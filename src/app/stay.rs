use super::pack::{Kept, PackPlan, Source};
use super::plan::PackagePlan;
use super::report::Action;
use super::{App, Shelf};
use crate::store::{Installed, Settled, Snapshot};
use crate::types::{Failure, Language, PackageId, Version, Warning};

impl App {
    /// A ruleset that stays at its version, and what becomes of the pack kept for it. Where its folder is gone there is
    /// nowhere to put one; that is for `install` or `doctor` to mend, and said.
    pub(super) fn plan_stay(
        &self,
        installed: &Installed,
        action: Action,
        language: &Language,
        source: &Source,
        kept: Option<Kept>,
    ) -> PackagePlan {
        let (id, version) = (&installed.id, &installed.version);
        if !self.store.layout().version(id, version).is_dir() {
            let text = format!("the folder of {id} {version} is missing; `rulepack doctor --repair` puts it back");
            self.warn(Warning::new("damaged-package", text).about(id));
            return PackagePlan::stays(installed, action, PackPlan::Nothing);
        }
        PackagePlan::stays(installed, action, PackPlan::make(language, source, kept))
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
            (None, _) if self.store.layout().version(id, version).is_dir() => PackPlan::NotListed { drop: None },
            _ => return Ok(None),
        };
        Ok(Some(PackagePlan::stays(installed, Action::Unchanged, pack)))
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
            PackPlan::Fetch { .. } | PackPlan::NotListed { .. } => true,
            PackPlan::Nothing | PackPlan::NotNeeded { .. } | PackPlan::Keep(_) | PackPlan::Unavailable { .. } => false,
        };
        let shelf = self.shelf().ok().filter(|_| right)?;
        let entry = shelf.ruleset(id.as_str()).ok()??;
        let digest = shelf.digest(id.as_str()).ok()??;
        (entry.manifest.version == *version).then(|| Settled { entry: digest, language: language.clone() })
    }
}
