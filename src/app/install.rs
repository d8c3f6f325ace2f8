use super::imports::{ANOTHER, is_local};
use super::outcome::Outcome;
use super::pack::{Kept, PackPlan, Source};
use super::plan::{Mode, PackagePlan, Plan};
use super::report::Action;
use super::shelf::Shelf;
use super::stage::is_stop;
use super::stay::Reader;
use super::wanted::Wanted;
use super::{App, manifest_of, unreadable_record};
use crate::catalog::{Entry, Manifest, incompatibilities};
use crate::store::{Found, Installed, KeptPack, Snapshot};
use crate::types::{Code, Failure, PackageId, Warning, codes};
use std::cmp::Ordering;
use std::collections::HashSet;
use std::rc::Rc;

impl App {
    /// Installs the catalog's version of each id and the one language pack. A version already there and intact is
    /// left alone unless `force`; a lower one than the installed is refused, and so is another than was asked for.
    pub fn install(&self, all: &[Wanted], force: bool, mode: Mode) -> Result<Outcome, Failure> {
        let shelf = self.shelf()?;
        self.carry_out(mode, |snapshot| {
            let language = self.language(&snapshot.state);
            let mut warnings = Vec::new();
            let mut packages = Vec::new();
            for wanted in all {
                let id = &wanted.id;
                warnings.extend(shelf.doubled(id)?);
                packages.push(match self.plan_install(wanted, force, snapshot, shelf, &mut warnings) {
                    Ok(plan) => PackagePlan { named: true, ..plan },
                    Err(failure) if is_stop(&failure) => return Err(failure),
                    Err(failure) => {
                        let active = id.parse::<PackageId>().ok().and_then(|id| snapshot.registry.ruleset(&id));
                        let plan = PackagePlan::failed_at(active.as_ref(), id, failure);
                        // What is refused is called as its card has it all the same.
                        let listed = shelf.ruleset(id).ok().flatten();
                        let name = listed.map(|entry| entry.card(&language).name.to_owned());
                        PackagePlan { name: plan.name.clone().or(name), ..plan }
                    }
                });
            }
            Ok(Plan { language, packages, remember: None, warnings }.named(&snapshot.state))
        })
    }

    fn plan_install(
        &self,
        wanted: &Wanted,
        force: bool,
        snapshot: &Snapshot,
        shelf: Shelf,
        warnings: &mut Vec<Warning>,
    ) -> Result<PackagePlan, Failure> {
        let id = wanted.id.as_str();
        if is_local(id) {
            let text = format!("{} is not out of a catalog", super::quoted(id));
            return Err(Failure::new(Code::NotInCatalog, text).hint(ANOTHER).package(id));
        }
        let entry = shelf.offered(id)?;
        wanted.refuse_another(&entry)?;
        self.refuse_incompatible(&entry.manifest)?;
        let offered = &entry.manifest.version;
        let language = self.language(&snapshot.state);
        let installed = match snapshot.registry.look_up(id) {
            Found::Ruleset(installed) => *installed,
            Found::Nothing => {
                let pack = PackPlan::of_placed(&language, &entry, None, false);
                return Ok(PackagePlan::places(&entry, None, Action::Installed, pack));
            }
            Found::OtherKind => {
                let text = format!("a package of another kind is installed under {id}; rulepack leaves it alone");
                let hint = "uninstall it in the engine first";
                return Err(Failure::new(Code::NotARuleset, text).hint(hint));
            }
            Found::Unreadable => return Err(unreadable_record(id)),
        };
        match offered.precedence(&installed.version) {
            Ordering::Less => Err(Failure::new(
                Code::Downgrade,
                format!("{id} {} is installed, and the catalog has only {offered}", installed.version),
            )
            .hint(
                "an older version is never installed over a newer one; `rulepack rollback` goes back to the one before",
            )),
            Ordering::Greater => Ok(self.plan_place(&entry, installed, Action::Updated, snapshot)),
            Ordering::Equal => {
                // Who names a sum means these very bytes.
                let others = wanted.sha256.is_some() && self.is_republished(&entry, &installed, snapshot);
                self.plan_same_version(&entry, installed, force || others, snapshot, warnings)
            }
        }
    }

    fn plan_same_version(
        &self,
        entry: &Rc<Entry>,
        installed: Installed,
        force: bool,
        snapshot: &Snapshot,
        warnings: &mut Vec<Warning>,
    ) -> Result<PackagePlan, Failure> {
        if force || !self.is_intact(&installed, None, snapshot)? {
            return Ok(self.plan_place(entry, installed, Action::Reinstalled, snapshot));
        }
        if self.is_republished(entry, &installed, snapshot) {
            let text = format!(
                "the catalog has other bytes under version {}; `rulepack update {}` takes them",
                installed.version, installed.id
            );
            warnings.push(Warning::new(codes::REPUBLISHED, text).about(&installed.id));
        }
        let source = Source::of(Some(entry), &installed.version);
        let language = self.language(&snapshot.state);
        let kept = self.examined_pack(&installed, snapshot)?;
        let reader = Reader { language: &language, state: &snapshot.state };
        Ok(self.plan_stay(&installed, Action::Unchanged, &source, kept, reader))
    }

    /// The pack recorded for an installed version, whole only with the very bytes recorded: where the ruleset's files
    /// are read to tell whether it is intact, its pack is, too.
    fn examined_pack(&self, installed: &Installed, snapshot: &Snapshot) -> Result<Option<Kept>, Failure> {
        let Some(kept) = self.recorded_pack(&snapshot.state, &installed.id, &installed.version) else {
            return Ok(None);
        };
        let whole = kept.whole && self.has_its_bytes(&installed.id, &installed.version, &kept.pack)?;
        Ok(Some(Kept { whole, ..kept }))
    }

    /// The catalog's version put over what is installed, with its own pack.
    pub(super) fn plan_place(
        &self,
        entry: &Rc<Entry>,
        installed: Installed,
        action: Action,
        snapshot: &Snapshot,
    ) -> PackagePlan {
        let kept = self.recorded_pack(&snapshot.state, &installed.id, &installed.version);
        let same_version = installed.version == entry.manifest.version;
        let pack = PackPlan::of_placed(&self.language(&snapshot.state), entry, kept, same_version);
        PackagePlan::places(entry, Some(installed), action, pack)
    }

    /// Refuses what this engine would not run, before anything is downloaded.
    pub(super) fn refuse_incompatible(&self, manifest: &Manifest) -> Result<(), Failure> {
        match incompatibilities(manifest, self.options.engine.as_ref(), self.options.api).into_iter().next() {
            Some(failure) => Err(failure),
            None => Ok(()),
        }
    }

    /// Whether the record and every file are what was installed, the pack given among them. A record that the engine
    /// marked as faulty is not: the engine does not load what it names.
    pub(super) fn is_intact(
        &self,
        installed: &Installed,
        pack: Option<&KeptPack>,
        snapshot: &Snapshot,
    ) -> Result<bool, Failure> {
        let Some(manifest) = manifest_of(installed).filter(|_| installed.fault.is_none()) else { return Ok(false) };
        Ok(self.flaws(&snapshot.state, &installed.id, &installed.version, &manifest, pack)?.is_empty())
    }

    /// Whether the catalog has other bytes under the installed version. What another program installed has no
    /// receipt; there the manifest, with the hash of every file, tells.
    pub(super) fn is_republished(&self, entry: &Entry, installed: &Installed, snapshot: &Snapshot) -> bool {
        if entry.manifest.version != installed.version {
            return false;
        }
        let receipt = snapshot.state.receipt(&installed.id, &installed.version);
        match receipt.and_then(|receipt| receipt.artifact) {
            Some(artifact) => artifact.sha256 != entry.artifact.expected.sha256,
            None => !Manifest::parse(installed.manifest.get())
                .is_ok_and(|manifest| manifest.says_the_same_as(&entry.manifest)),
        }
    }
}

/// Each id once, in the order given: naming one twice asks for nothing more.
pub(super) fn distinct(ids: &[String]) -> Vec<&str> {
    let mut seen = HashSet::new();
    ids.iter().map(String::as_str).filter(|id| seen.insert(*id)).collect()
}
