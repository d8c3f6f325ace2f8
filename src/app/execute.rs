//! Carrying a plan out: fetch and stage, and, as each package is complete, lock, look again and commit. A run that is
//! ended, by whatever, keeps what was complete by then and says so.

use super::outcome::Outcome;
use super::pack::PackPlan;
use super::plan::{Mode, PackagePlan, Plan, VersionStep};
use super::stage::{Needed, Stage, is_stop};
use super::{App, BETWEEN_LOOKS, LOOKS};
use crate::fetch::{Next, Want};
use crate::store::{AddPack, Owner, Snapshot, State, StoreError, StoreLock, Transaction};
use crate::types::{Code, Coded, Failure, Language};
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// For how long complete packages are gathered before they are put in place together. Long enough that twenty packs
/// that come at once cost one change of the store, short enough that a run ended at any moment has kept what it had.
const GATHER: Duration = Duration::from_millis(100);

/// What putting one language pack in its place may take, on a slow disk.
const ONE_PACK: Duration = Duration::from_millis(10);

/// The fewest packs that are put in place together: each time the records are written, too.
const FEW: usize = 8;

/// One plan that is being carried out.
struct Run<'a, P> {
    app: &'a App,
    make_plan: P,
    stage: Stage,
    /// As last made, less the packages that are done.
    plan: Plan,
    /// The ids in the order they were named or found.
    order: Vec<String>,
    /// What became of the packages that are done, by their ids.
    done: HashMap<String, PackagePlan>,
    /// Whether the command sets the language, and whether that is recorded.
    sets_language: bool,
    has_set_language: bool,
}

/// Whether the lock is waited for.
#[derive(Clone, Copy, PartialEq)]
enum Lock {
    Wait,
    OnlyIfFree,
}

impl App {
    /// Makes the plan, fetches what it needs, and makes it again under the lock for what is complete: whatever other
    /// runs did meanwhile is looked at before anything is changed.
    pub(super) fn carry_out(
        &self,
        mode: Mode,
        make_plan: impl Fn(&Snapshot) -> Result<Plan, Failure>,
    ) -> Result<Outcome, Failure> {
        let (snapshot, plan) = self.first_plan(&make_plan)?;
        if mode.dry_run {
            return Ok(self.report(plan, mode));
        }
        // Not only under the lock: a run that has nothing to do, or dies again in its download, never takes it.
        self.store.sweep();
        if !plan.changes_anything(&snapshot.state) {
            return Ok(self.report(plan, mode));
        }
        self.cherish(&snapshot.state);
        let mut run = Run::new(self, make_plan, plan);
        let ended = run.go();
        let Err(failure) = ended else { return Ok(self.report(run.into_plan(), mode)) };
        let has_kept_something = run.has_set_language || !run.done.is_empty();
        let is_over = failure.code == Code::Deadline && !run.sets_language;
        if !has_kept_something && !is_over && !is_stop(&failure) {
            return Err(failure);
        }
        let left = run.leave(&failure);
        let mut outcome = self.report(run.into_plan(), mode);
        if !is_over {
            // What ended the run comes before what went wrong with a package, and for those it left it is told once.
            outcome.failures.retain(|other| other.package.as_ref().is_none_or(|id| !left.contains(id)));
            outcome.failures.insert(0, failure);
        }
        Ok(outcome)
    }

    /// The plan from the store as it is. What cannot be done in a store that another run is changing may be possible a
    /// moment later.
    fn first_plan(&self, make_plan: impl Fn(&Snapshot) -> Result<Plan, Failure>) -> Result<(Snapshot, Plan), Failure> {
        let mut looks = 0;
        loop {
            let (mut snapshot, unknown) = self.read_with_unknown()?;
            let mut plan = make_plan(&snapshot)?;
            // By now the catalog may have been read.
            if self.adopt_offered(&unknown, &mut snapshot) {
                plan = make_plan(&snapshot)?;
            }
            if !plan.fails_anywhere() || looks == LOOKS || !self.store.has_moved_since(&snapshot) {
                return Ok((snapshot, plan));
            }
            looks += 1;
            self.stop_if_asked()?;
            std::thread::sleep(BETWEEN_LOOKS);
        }
    }
}

impl<'a, P: Fn(&Snapshot) -> Result<Plan, Failure>> Run<'a, P> {
    fn new(app: &'a App, make_plan: P, plan: Plan) -> Self {
        let order = plan.packages.iter().map(|package| package.id.clone()).collect();
        let (stage, done, sets_language) = (Stage::default(), HashMap::new(), plan.remember.is_some());
        Run { app, make_plan, stage, plan, order, done, sets_language, has_set_language: false }
    }

    /// Fetches what the plan needs and puts in place what is complete, until nothing is left to do. The plan made under
    /// the lock may need files that were not fetched; then they are.
    fn go(&mut self) -> Result<(), Failure> {
        loop {
            let needed = self.stage.missing(&self.plan);
            self.fetch(&needed)?;
            self.app.stop_if_asked()?;
            self.place(Lock::Wait)?;
            if self.stage.missing(&self.plan).is_empty() {
                return Ok(());
            }
            self.stop_if_late()?;
        }
    }

    /// Ends the run when its time is up and there is more to begin.
    fn stop_if_late(&self) -> Result<(), Failure> {
        if !self.app.options.fetch.deadline.is_over() {
            return Ok(());
        }
        let text = "the time ran out before its turn";
        Err(Failure::new(Code::Deadline, text)
            .hint("run it again to continue, or allow more time with `--deadline SECS`"))
    }

    /// The same once something was done: a run whose time is too short for anything would get nowhere, however often it
    /// is repeated.
    fn stop_if_late_after(&self, done: &HashSet<String>) -> Result<(), Failure> {
        let has_done_something = self.has_set_language || !self.done.is_empty() || !done.is_empty();
        if has_done_something { self.stop_if_late() } else { Ok(()) }
    }

    /// How many packs are put in place together in the time there is.
    fn at_once(&self) -> usize {
        let left = self.app.options.fetch.deadline.left();
        left.map_or(usize::MAX, |left| FEW.max((left.as_millis() / ONE_PACK.as_millis()) as usize))
    }

    fn fetch(&mut self, needed: &[Needed]) -> Result<(), Failure> {
        if needed.is_empty() {
            return Ok(());
        }
        let app = self.app;
        let scratch: PathBuf = self.stage.scratch(app)?;
        let wants: Vec<Want> = needed.iter().map(Needed::to_want).collect();
        let mut downloads = app.fetcher.downloads(&wants, &scratch, &*app.reporter);
        let mut gathered_since = Instant::now();
        loop {
            match downloads.next(GATHER) {
                Next::Over => return Ok(()),
                Next::Quiet => self.place(Lock::OnlyIfFree)?,
                Next::File(at, file) => {
                    app.stop_if_asked()?;
                    // What has come is in the cache, and is not begun with any more.
                    if file.is_ok() && self.stage.holds_something() && app.options.fetch.deadline.is_over() {
                        continue;
                    }
                    self.stage.take_in(app, &needed[at], file.map_err(Failure::from))?;
                    if gathered_since.elapsed() < GATHER {
                        continue;
                    }
                    self.place(Lock::OnlyIfFree)?;
                }
            }
            gathered_since = Instant::now();
        }
    }

    /// Whether there is something to do for a package that needs no more files than are here.
    fn is_ready(&self, package: &PackagePlan) -> bool {
        self.stage.covers(package) && package.changes_anything()
    }

    /// Puts every complete package in place, as the store by now asks for.
    fn place(&mut self, lock: Lock) -> Result<(), Failure> {
        // What could not be had changes nothing; where nothing else is left to do, the store is not touched.
        self.stage.mark_failures(&mut self.plan);
        let sets_language = self.plan.remember.is_some() && !self.has_set_language;
        let is_due = self.plan.packages.iter().any(|package| self.is_ready(package));
        if !is_due && (!sets_language || lock == Lock::OnlyIfFree) {
            return Ok(());
        }
        let (lock, now) = match lock {
            Lock::Wait => self.app.lock()?,
            Lock::OnlyIfFree => match self.app.store.lock_if_free()? {
                Some((lock, now)) => (lock, self.app.looked(now)),
                None => return Ok(()),
            },
        };
        let mut plan = (self.make_plan)(&now)?;
        plan.packages.retain(|package| !self.done.contains_key(&package.id));
        self.follow_the_language(&mut plan, &now.state);
        self.stage.mark_failures(&mut plan);
        let mut done = HashSet::new();
        let committed = self.commit(&lock, &mut plan, &now, &mut done);
        drop(lock);
        let (over, rest) = plan.packages.into_iter().partition(|package| done.contains(&package.id));
        let over: Vec<PackagePlan> = over;
        over.iter().for_each(|package| self.app.tell_placed(package));
        self.done.extend(over.into_iter().map(|package| (package.id.clone(), package)));
        self.plan = Plan { packages: rest, ..plan };
        committed
    }

    /// The language is set once. Where another run has set one since, that run brings the packs in line, and this one
    /// does nothing more: two that overlap end with one language everywhere (B08).
    fn follow_the_language(&self, plan: &mut Plan, now: &State) {
        if !self.has_set_language {
            return;
        }
        let Some(chosen) = plan.remember.take() else { return };
        if now.language != chosen {
            plan.packages.iter_mut().for_each(|package| package.pack = PackPlan::Nothing);
        }
    }

    /// Commits a plan, package by package; packs alone, which a change of language moves for all at once, go in one
    /// transaction together with the language itself. `done` gets the ids of those that are.
    fn commit(
        &mut self,
        lock: &StoreLock,
        plan: &mut Plan,
        now: &Snapshot,
        done: &mut HashSet<String>,
    ) -> Result<(), Failure> {
        let app = self.app;
        let mut packs = Transaction { changes: Vec::new(), language: plan.remember.clone() };
        let mut with_packs = Vec::new();
        let (language, mut at_once) = (plan.language.clone(), self.at_once());
        for at in 0..plan.packages.len() {
            let package = &mut plan.packages[at];
            if !self.is_ready(package) {
                continue;
            }
            app.stop_if_asked()?;
            if matches!(package.step, VersionStep::Stay(_)) {
                let added = app.added_pack(package, &language, &mut self.stage)?;
                packs.changes.extend(app.pack_change(package, &language, added, &now.state)?);
                with_packs.push(package.id.clone());
                if with_packs.len() == at_once {
                    app.commit_packs(lock, now, std::mem::take(&mut packs), plan)?;
                    self.has_set_language |= plan.remember.is_some();
                    done.extend(with_packs.drain(..));
                    at_once = self.at_once();
                    self.stop_if_late_after(done)?;
                }
                continue;
            }
            self.stop_if_late_after(done)?;
            match self.put_version(lock, package, &language, now) {
                Ok(()) => {}
                Err(failure) if is_stop(&failure) => return Err(failure),
                Err(failure) => *package = package.failing(failure),
            }
            done.insert(package.id.clone());
        }
        app.commit_packs(lock, now, packs, plan)?;
        self.has_set_language |= plan.remember.is_some();
        done.extend(with_packs);
        Ok(())
    }

    /// Changes the version of a package; in English where its pack cannot be put in its place.
    fn put_version(
        &mut self,
        lock: &StoreLock,
        package: &mut PackagePlan,
        language: &Language,
        now: &Snapshot,
    ) -> Result<(), Failure> {
        let app = self.app;
        let mut added = app.added_pack(package, language, &mut self.stage)?;
        loop {
            let change = app.change_of(package, language, added.take(), now, &mut self.stage)?;
            match change.map(|change| app.put(lock, now, &Transaction::of(change))) {
                Some(Err(error @ StoreError::NoPlaceForPack { .. })) => {
                    package.pack = PackPlan::after_failure(language, None, error.into());
                }
                done => return Ok(done.unwrap_or(Ok(()))?),
            }
        }
    }

    /// Says of every package that is not done that the run ended before. Gives their ids.
    fn leave(&mut self, failure: &Failure) -> HashSet<String> {
        let undone = self.plan.packages.iter_mut().filter(|package| package.changes_anything());
        let leave = |package: &mut PackagePlan| {
            *package = package.left(failure.clone());
            package.id.clone()
        };
        undone.map(leave).collect()
    }

    /// The plan with what became of it, in the order it was made in.
    fn into_plan(self) -> Plan {
        let Run { mut plan, order, mut done, .. } = self;
        let mut rest: HashMap<String, PackagePlan> =
            plan.packages.drain(..).map(|package| (package.id.clone(), package)).collect();
        let mut all: Vec<PackagePlan> = Vec::new();
        for id in &order {
            all.extend(done.remove(id).or_else(|| rest.remove(id)));
        }
        // What was not there when the plan was first made.
        all.extend(done.into_values().chain(rest.into_values()));
        Plan { packages: all, ..plan }
    }
}

impl App {
    /// Commits all packs and the language in one step. Only where that cannot be, each stands alone, so that a folder
    /// with something in the way costs nobody but its own ruleset the pack.
    fn commit_packs(
        &self,
        lock: &StoreLock,
        now: &Snapshot,
        packs: Transaction,
        plan: &mut Plan,
    ) -> Result<(), Failure> {
        match self.put(lock, now, &packs) {
            Ok(()) => return Ok(()),
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
        self.put(lock, now, &Transaction { changes: Vec::new(), language })?;
        for change in changes {
            let id = change.id.clone();
            let done = match self.put(lock, now, &Transaction::of(change)) {
                Err(error @ StoreError::NoPlaceForPack { .. }) => self.put_none(lock, now, plan, &id, error.into()),
                done => done.map_err(Failure::from),
            };
            match done {
                Ok(()) => {}
                Err(failure) if is_stop(&failure) => return Err(failure),
                Err(failure) => fail(plan, &id, failure),
            }
        }
        Ok(())
    }

    /// What becomes of a package whose pack cannot be put in its place: the same as where it could not be had.
    fn put_none(
        &self,
        lock: &StoreLock,
        now: &Snapshot,
        plan: &mut Plan,
        id: &Owner,
        failure: Failure,
    ) -> Result<(), Failure> {
        let Plan { language, packages, .. } = plan;
        let Some(package) = packages.iter_mut().find(|package| package.id == id.to_string()) else { return Ok(()) };
        let PackPlan::Fetch { old, .. } = &package.pack else { return Err(failure) };
        package.pack = PackPlan::after_failure(language, old.clone(), failure);
        match self.pack_change(package, language, None, &now.state)? {
            Some(change) => Ok(self.put(lock, now, &Transaction::of(change))?),
            None => Ok(()),
        }
    }

    /// The pack to put beside a package, staged; the plan says why, when there is none.
    fn added_pack(
        &self,
        package: &mut PackagePlan,
        language: &Language,
        stage: &mut Stage,
    ) -> Result<Option<AddPack>, Failure> {
        let PackPlan::Fetch { offer, old, .. } = &package.pack else { return Ok(None) };
        match stage.take_pack(&package.id, offer) {
            Ok(added) => return Ok(Some(added)),
            Err(failure) if is_stop(&failure) => return Err(failure),
            Err(failure) => package.pack = PackPlan::after_failure(language, old.clone(), failure),
        }
        // Where the folder is replaced, a pack that stays has to come along.
        let (VersionStep::Place { entry, .. }, PackPlan::Unavailable { drop, kept, .. }) =
            (&package.step, &mut package.pack)
        else {
            return Ok(None);
        };
        let Some(pack) = kept.clone() else { return Ok(None) };
        let root = self.store.layout().version(&entry.manifest.id, &entry.manifest.version);
        let copy = stage.copy_of(self, &root, &pack)?;
        if copy.is_none() {
            *drop = kept.take();
        }
        Ok(copy)
    }
}

impl Plan {
    /// Whether something cannot be done, which may only be so in a store that another run is changing.
    fn fails_anywhere(&self) -> bool {
        self.packages.iter().any(|package| matches!(package.step, VersionStep::Fail(_)))
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
