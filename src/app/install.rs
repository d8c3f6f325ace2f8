use super::imports::{ANOTHER, is_local};
use super::look::{Terms, There};
use super::outcome::Outcome;
use super::pack::{Kept, PackPlan, PackSource};
use super::plan::{Mode, PackagePlan, Plan};
use super::report::Action;
use super::shelf::Shelf;
use super::stage::is_stop;
use super::stay::plan_stay;
use super::wanted::Wanted;
use super::{App, unreadable_record};
use crate::catalog::Entry;
use crate::store::{Installed, Registered};
use crate::types::{Code, Failure, Language, PackageId, Warning, codes};
use std::cmp::Ordering;
use std::collections::HashSet;
use std::rc::Rc;

impl App {
    /// Installs the catalog's version of each id and the one language pack. A version already there and intact is
    /// left alone unless `force`; a lower one than the installed is refused, and so is another than was asked for.
    ///
    /// # Errors
    /// When the store or the catalog cannot be read, or the store not be changed. What is wrong with one ruleset is
    /// among
    /// [`Outcome::failures`].
    pub fn install(&self, all: &[Wanted], force: bool, mode: Mode) -> Result<Outcome, Failure> {
        let shelf = self.shelf()?;
        self.carry_out(mode, |snapshot| {
            let language = self.language(&snapshot.state);
            let terms = self.terms(snapshot, &language);
            let mut warnings = Vec::new();
            let mut packages = Vec::new();
            for wanted in all {
                let id = &wanted.id;
                warnings.extend(shelf.doubled(id)?);
                let seen = self.look_for(wanted, force, shelf, terms);
                packages.push(match seen.and_then(|seen| plan_install(wanted, force, seen, terms, &mut warnings)) {
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

    /// Looks at what an installation depends on. Files are hashed only where they decide.
    fn look_for(&self, wanted: &Wanted, force: bool, shelf: Shelf, terms: Terms) -> Result<Seen, Failure> {
        let id = wanted.id.as_str();
        if is_local(id) {
            let text = format!("{} is not from a catalog", super::quoted(id));
            return Err(Failure::new(Code::NotInCatalog, text).hint(ANOTHER).package(id));
        }
        let mut seen = Seen { entry: shelf.offered(id)?, is_intact: false, there: There::default() };
        if let Registered::Ruleset(installed) = terms.snapshot.registry.look_up(id) {
            let is_same = seen.entry.manifest.version.precedence(&installed.version).is_eq();
            seen.is_intact = is_same
                && !is_put_again(wanted, force, &seen.entry, &installed, terms)
                && self.is_intact(&installed, None, terms.snapshot)?;
            seen.there = match seen.is_intact {
                true => self.examined(&installed, terms)?,
                false => self.there(&installed, terms),
            };
        }
        Ok(seen)
    }
}

/// What there is to see of a package that is to be installed.
pub(super) struct Seen {
    /// What the catalog offers.
    pub entry: Rc<Entry>,
    /// Whether the very version is installed and every file is as it was put there, where that decides.
    pub is_intact: bool,
    pub there: There,
}

/// Whether the installed version is put there again whatever lies there: who names a sum means these very bytes.
fn is_put_again(wanted: &Wanted, force: bool, entry: &Entry, installed: &Installed, terms: Terms) -> bool {
    force || wanted.sha256.is_some() && terms.is_republished(entry, installed)
}

pub(super) fn plan_install(
    wanted: &Wanted,
    force: bool,
    Seen { entry, is_intact, there }: Seen,
    terms: Terms,
    warnings: &mut Vec<Warning>,
) -> Result<PackagePlan, Failure> {
    let id = wanted.id.as_str();
    wanted.refuse_another(&entry)?;
    terms.refuse_incompatible(&entry.manifest)?;
    let installed = match terms.snapshot.registry.look_up(id) {
        Registered::Ruleset(installed) => *installed,
        Registered::Nothing => {
            let pack = PackPlan::of_placed(terms.language, &entry, None, false);
            return Ok(PackagePlan::places(&entry, None, Action::Installed, pack));
        }
        Registered::OtherKind => {
            let text = format!("{id} is installed, but is not a ruleset; rulepack leaves other packages alone");
            let hint = "uninstall it in the engine first";
            return Err(Failure::new(Code::NotARuleset, text).hint(hint));
        }
        Registered::Unreadable => return Err(unreadable_record(id)),
    };
    let (version, offered) = (&installed.version, &entry.manifest.version);
    let action = match offered.precedence(version) {
        Ordering::Less => {
            let text = format!("{id} {version} is installed, but the catalog only has {offered}");
            let hint = "return to the previous version with `rulepack rollback`; an older version is never installed \
                        over a newer one";
            return Err(Failure::new(Code::Downgrade, text).hint(hint));
        }
        Ordering::Greater => Action::Updated,
        Ordering::Equal if is_put_again(wanted, force, &entry, &installed, terms) || !is_intact => Action::Reinstalled,
        Ordering::Equal => {
            if terms.is_republished(&entry, &installed) {
                let text = format!("the catalog has republished version {version}; `rulepack update {id}` installs it");
                warnings.push(Warning::new(codes::REPUBLISHED, text).about(&installed.id));
            }
            let source = PackSource::of(Some(&entry), version);
            return Ok(plan_stay(&installed, Action::Unchanged, &source, there, terms.language, warnings));
        }
    };
    Ok(plan_place(&entry, installed, action, there.pack, terms.language))
}

/// The catalog's version put over what is installed, with its own pack; `kept` is the pack there is.
pub(super) fn plan_place(
    entry: &Rc<Entry>,
    installed: Installed,
    action: Action,
    kept: Option<Kept>,
    language: &Language,
) -> PackagePlan {
    let same_version = installed.version == entry.manifest.version;
    let pack = PackPlan::of_placed(language, entry, kept, same_version);
    PackagePlan::places(entry, Some(installed), action, pack)
}

/// Each id once, in the order given: naming one twice asks for nothing more.
pub(super) fn distinct(ids: &[String]) -> Vec<&str> {
    let mut seen = HashSet::new();
    ids.iter().map(String::as_str).filter(|id| seen.insert(*id)).collect()
}
