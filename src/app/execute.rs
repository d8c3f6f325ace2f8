//! Carrying a plan out: fetch and stage, lock, look again, commit, say what became of it.

use super::outcome::Outcome;
use super::pack::PackPlan;
use super::plan::{PackagePlan, Plan, Step};
use super::stage::{Stage, is_stop};
use super::{App, BETWEEN_LOOKS, LOOKS};
use crate::store::{AddPack, KeptPack, Owner, Snapshot, State, StoreLock, Transaction};
use crate::types::{Code, Coded, Failure, Language};

/// How a command wants its plan carried out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mode {
    /// Make the plan and say it, but do nothing.
    pub dry_run: bool,
    /// A wanted pack that cannot be had is a failure.
    pub require_pack: bool,
}

impl App {
    /// Makes the plan, fetches what it needs, and makes it again under the lock: whatever other runs did meanwhile
    /// is looked at before anything is changed. Only when the new plan needs files that were not fetched is the lock
    /// let go once more.
    pub(super) fn carry_out(
        &self,
        mode: Mode,
        make_plan: impl Fn(&Snapshot) -> Result<Plan, Failure>,
    ) -> Result<Outcome, Failure> {
        let mut snapshot = self.read()?;
        let mut stage = Stage::default();
        let mut looks = 0;
        loop {
            let mut plan = make_plan(&snapshot)?;
            if plan.fails_anywhere() && looks < LOOKS && self.store.has_moved_since(&snapshot) {
                looks += 1;
                self.stop_if_asked()?;
                std::thread::sleep(BETWEEN_LOOKS);
                snapshot = self.read()?;
                continue;
            }
            if mode.dry_run {
                return Ok(self.report(plan, mode));
            }
            // Not only under the lock: a run that has nothing to do, or dies again in its download, never takes it.
            self.store.sweep();
            if !plan.changes_anything(&snapshot.state) {
                return Ok(self.report(plan, mode));
            }
            stage.fill(self, &plan)?;
            self.stop_if_asked()?;
            // What could not be had changes nothing; where nothing else is left to do, the store is not touched.
            stage.mark_failures(&mut plan);
            if !plan.changes_anything(&snapshot.state) {
                return Ok(self.report(plan, mode));
            }
            let (lock, mut fresh) = self.store.lock(&*self.on)?;
            self.warnings.borrow_mut().append(&mut fresh.warnings);
            let mut plan = make_plan(&fresh)?;
            if stage.covers(&plan) {
                stage.mark_failures(&mut plan);
                let plan = self.commit(&lock, plan, &fresh, &mut stage)?;
                drop(lock);
                return Ok(self.report(plan, mode));
            }
            drop(lock);
            snapshot = fresh;
        }
    }

    /// Commits a plan, package by package; packs alone, which a change of language moves for all at once, go in one
    /// transaction together with the language itself.
    fn commit(&self, lock: &StoreLock, mut plan: Plan, now: &Snapshot, stage: &mut Stage) -> Result<Plan, Failure> {
        let mut packs = Transaction { changes: Vec::new(), language: plan.remember.clone() };
        let language = plan.language.clone();
        for package in &mut plan.packages {
            self.stop_if_asked()?;
            let added = self.added_pack(package, &language, stage)?;
            if matches!(package.step, Step::Stay(_)) {
                if let Some(change) = self.pack_change(package, &language, added, &now.state) {
                    packs.changes.push(change);
                }
                continue;
            }
            let change = match self.change_of(package, &language, added, now, stage) {
                Ok(Some(change)) => change,
                Ok(None) => continue,
                Err(failure) if is_stop(&failure) => return Err(failure),
                Err(failure) => {
                    *package = package.failing(failure);
                    continue;
                }
            };
            let transaction = Transaction { changes: vec![change], language: None };
            match self.store.commit(lock, now, &transaction) {
                Ok(warnings) => warnings.into_iter().for_each(|warning| self.warn(warning)),
                Err(error) => *package = package.failing(error.into()),
            }
        }
        self.commit_packs(lock, now, packs, &mut plan)?;
        Ok(plan)
    }

    /// Commits all packs and the language in one step. Only where that cannot be, each stands alone, so that a folder
    /// with something in the way costs nobody but its own ruleset the pack.
    fn commit_packs(
        &self,
        lock: &StoreLock,
        now: &Snapshot,
        packs: Transaction,
        plan: &mut Plan,
    ) -> Result<(), Failure> {
        match self.store.commit(lock, now, &packs) {
            Ok(warnings) => {
                warnings.into_iter().for_each(|warning| self.warn(warning));
                return Ok(());
            }
            Err(error) if packs.changes.is_empty() || self.store.is_unsettled() => return Err(error.into()),
            // What has no room together has none apart: some of it would be changed, and some not.
            Err(error) if error.code() == Code::DiskFull => {
                let failure = Failure::from(error);
                if packs.language.is_some() {
                    return Err(failure);
                }
                for change in packs.changes {
                    fail(plan, &change.id, failure.clone());
                }
                return Ok(());
            }
            Err(_) => {}
        }
        let Transaction { changes, language } = packs;
        self.store.commit(lock, now, &Transaction { changes: Vec::new(), language })?;
        for change in changes {
            let id = change.id.clone();
            match self.store.commit(lock, now, &Transaction { changes: vec![change], language: None }) {
                Ok(warnings) => warnings.into_iter().for_each(|warning| self.warn(warning)),
                Err(error) => fail(plan, &id, error.into()),
            }
        }
        Ok(())
    }

    /// The pack to put beside a package, staged; the plan says why, when there is none.
    fn added_pack(
        &self,
        package: &mut PackagePlan,
        language: &Language,
        stage: &mut Stage,
    ) -> Result<Option<AddPack>, Failure> {
        let PackPlan::Fetch { offer, old } = &package.pack else { return Ok(None) };
        match stage.take_pack(&package.id, offer) {
            Ok(staged) => {
                let pack = KeptPack { language: offer.language.clone(), file: offer.file.expected };
                return Ok(Some(AddPack { pack, staged }));
            }
            Err(failure) if is_stop(&failure) => return Err(failure),
            Err(failure) => package.pack = PackPlan::after_failure(language, old.clone(), failure),
        }
        // Where the folder is replaced, a pack that stays has to come along.
        let (Step::Place { entry, .. }, PackPlan::Unavailable { drop, kept, .. }) = (&package.step, &mut package.pack)
        else {
            return Ok(None);
        };
        let Some(pack) = kept.clone() else { return Ok(None) };
        let root = self.store.layout().version(&entry.manifest.id, &entry.manifest.version);
        let staged = stage.copy_of(self, &root, &pack)?;
        if staged.is_none() {
            *drop = kept.take();
        }
        Ok(staged.map(|staged| AddPack { pack, staged }))
    }
}

impl Plan {
    /// Whether something cannot be done, which may only be so in a store that another run is changing.
    fn fails_anywhere(&self) -> bool {
        self.packages.iter().any(|package| matches!(package.step, Step::Fail(_)))
    }

    /// Whether carrying the plan out changes anything; a language already remembered does not.
    fn changes_anything(&self, state: &State) -> bool {
        let language = self.remember.as_ref().is_some_and(|language| *language != state.language);
        language || self.packages.iter().any(PackagePlan::changes_anything)
    }
}

fn fail(plan: &mut Plan, id: &Owner, failure: Failure) {
    let id = id.to_string();
    if let Some(package) = plan.packages.iter_mut().find(|package| package.id == id) {
        *package = package.failing(failure);
    }
}
