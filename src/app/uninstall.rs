use super::imports::{is_local, local};
use super::install::distinct;
use super::outcome::Outcome;
use super::pack::PackPlan;
use super::plan::{Mode, PackagePlan, Plan, VersionStep};
use super::report::Action;
use super::{App, installed};
use crate::store::{Installed, Owner, Snapshot};
use crate::types::Failure;

impl App {
    /// Removes every version and pack of each id. Files somebody else put there stay and are named.
    ///
    /// # Errors
    /// When the store cannot be read or changed. What is wrong with one ruleset is among [`Outcome::failures`].
    pub fn uninstall(&self, ids: &[String]) -> Result<Outcome, Failure> {
        self.carry_out(Mode::default(), |snapshot| {
            let packages = distinct(ids).into_iter().map(|id| match installed(snapshot, id) {
                _ if is_local(id) => self.plan_local(id, snapshot),
                Err(failure) => PackagePlan::failed(id, failure),
                Ok(ruleset) => {
                    let above = self.store.refuse_link_above(&Owner::Package(ruleset.id.clone()));
                    plan_uninstall(ruleset, above.map_err(Failure::from))
                }
            });
            let packages = packages.collect();
            Ok(Plan { language: self.language(&snapshot.state), packages, remember: None, warnings: Vec::new() }
                .named(&snapshot.state))
        })
    }

    fn plan_local(&self, id: &str, snapshot: &Snapshot) -> PackagePlan {
        match local(snapshot, id) {
            Err(failure) => PackagePlan::failed(id, failure),
            Ok(ruleset) => match self.store.refuse_link_above(&ruleset.owner()) {
                Err(link) => PackagePlan::failed(id, link.into()),
                Ok(()) => PackagePlan {
                    id: id.to_owned(),
                    active: None,
                    name: Some(self.local_name(&ruleset, &self.language(&snapshot.state))),
                    version: None,
                    previous: None,
                    action: Action::Removed,
                    step: VersionStep::Forget(ruleset.id),
                    pack: PackPlan::Nothing,
                    left: Vec::new(),
                    named: true,
                    sight: None,
                },
            },
        }
    }
}

/// `above` refuses what lies behind a link: nothing would go.
pub(super) fn plan_uninstall(ruleset: Installed, above: Result<(), Failure>) -> PackagePlan {
    if let Err(link) = above {
        return PackagePlan::failed_at(Some(&ruleset), ruleset.id.as_str(), link);
    }
    let stays = PackagePlan::stays(&ruleset, Action::Removed, PackPlan::Nothing);
    PackagePlan { step: VersionStep::Remove(ruleset), named: true, ..stays }
}
