use super::App;
use super::look::{Terms, There};
use super::pack::{PackPlan, PackSource};
use super::plan::PackagePlan;
use super::report::Action;
use crate::store::{Installed, Settled};
use crate::types::{Language, PackageId, Version, Warning, codes};

/// A ruleset that stays at its version, and what becomes of the pack kept for it. Where its folder is gone there is
/// nowhere to put one; that is for `install` or `doctor` to mend, and said.
pub(super) fn plan_stay(
    installed: &Installed,
    action: Action,
    source: &PackSource,
    there: There,
    language: &Language,
    warnings: &mut Vec<Warning>,
) -> PackagePlan {
    let There { folder, pack, at_hand, left } = there;
    if !folder {
        let Installed { id, version, .. } = installed;
        let text = format!("the folder of {id} {version} is missing; `rulepack doctor --repair` restores it");
        warnings.push(Warning::new(codes::DAMAGED_PACKAGE, text).about(id));
        return PackagePlan::stays(installed, action, PackPlan::Nothing);
    }
    let pack = PackPlan::make(language, source, pack, at_hand);
    // Better than nothing where it is not remembered what this very version is called.
    let name = source.entry().map(|entry| entry.card(language).name.to_owned());
    PackagePlan { name, left, ..PackagePlan::stays(installed, action, pack) }
}

/// The plan of a ruleset whose pack was found right by this very catalog entry before: the same entry, version and
/// language come to the same, so the entry need not be read again. This is what makes a run with nothing to do cost
/// little more than starting the program. `digest` is the entry's.
pub(super) fn plan_settled(
    installed: &Installed,
    digest: Option<&str>,
    there: &There,
    terms: Terms,
) -> Option<PackagePlan> {
    let receipt = terms.snapshot.state.receipt(&installed.id, &installed.version)?;
    let settled = receipt.settled.as_ref()?;
    // What an older rulepack installed is not remembered by its names yet; its entry has them.
    let has_names = receipt.pack.is_none() || !receipt.offered.is_empty();
    if settled.language != *terms.language || digest != Some(&settled.entry) || !has_names {
        return None;
    }
    let pack = match (&receipt.pack, &there.pack) {
        (Some(_), Some(kept)) if kept.whole => PackPlan::Keep(kept.pack.clone()),
        (None, _) if there.folder => PackPlan::NotListed { drop: None },
        _ => return None,
    };
    Some(PackagePlan { left: there.left.clone(), ..PackagePlan::stays(installed, Action::Unchanged, pack) })
}

impl App {
    /// What to remember so that [`plan_settled`] can tell: which entry the pack of this version was chosen by.
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
