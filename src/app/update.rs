use super::App;
use super::execute::{Mode, Outcome};
use super::install::distinct;
use super::pack::{PackPlan, Source};
use super::plan::{PackagePlan, Plan};
use super::report::Action;
use super::shelf::{Found, Shelf, unusable};
use crate::store::{Decisions, Installed, Snapshot};
use crate::types::{Failure, PackageId, Warning};
use std::cmp::Ordering;

impl App {
    /// Brings the installed catalog rulesets, all or those named, to the catalog's version, each with its pack.
    pub fn update(&self, ids: &[String], mode: Mode) -> Result<Outcome, Failure> {
        if ids.is_empty() && self.read()?.registry.rulesets().is_empty() {
            return self.carry_out(mode, |snapshot| {
                let language = self.language(&snapshot.state);
                Ok(Plan { language, packages: Vec::new(), remember: None, warnings: Vec::new() })
            });
        }
        let shelf = self.shelf()?;
        self.carry_out(mode, |snapshot| {
            // Read again under the lock: a rollback may have declined the version meanwhile.
            let decisions = self.store.decisions();
            let mut warnings = Vec::new();
            let mut packages = Vec::new();
            let named = !ids.is_empty();
            let chosen: Vec<(String, Option<Installed>)> = if named {
                let find = |id: &str| id.parse::<PackageId>().ok().and_then(|id| snapshot.registry.ruleset(&id));
                distinct(ids).into_iter().map(|id| (id.to_owned(), find(id))).collect()
            } else {
                snapshot
                    .registry
                    .rulesets()
                    .into_iter()
                    .map(|ruleset| (ruleset.id.to_string(), Some(ruleset)))
                    .collect()
            };
            for (id, ruleset) in chosen {
                packages.push(match ruleset {
                    None => match super::installed(snapshot, &id) {
                        Ok(_) => continue,
                        Err(failure) => PackagePlan::failed(&id, failure),
                    },
                    Some(ruleset) => {
                        let plan = self.plan_update(&ruleset, named, snapshot, shelf, &decisions, &mut warnings);
                        plan.unwrap_or_else(|failure| PackagePlan::failed_at(Some(&ruleset), &id, failure))
                    }
                });
            }
            Ok(Plan { language: self.language(&snapshot.state), packages, remember: None, warnings })
        })
    }

    fn plan_update(
        &self,
        installed: &Installed,
        named: bool,
        snapshot: &Snapshot,
        shelf: Shelf,
        decisions: &Decisions,
        warnings: &mut Vec<Warning>,
    ) -> Result<PackagePlan, Failure> {
        let id = &installed.id;
        let mut tell = |code, text: String| warnings.push(Warning::new(code, text).about(id));
        let stay = |action, entry| {
            let kept = self.kept_pack(&snapshot.state, id, &installed.version);
            let pack = PackPlan::make(&self.language(&snapshot.state), &Source::of(entry, &installed.version), kept);
            Ok(PackagePlan::stays(installed, action, pack))
        };
        let entry = match shelf.find(id.as_str())? {
            Found::Ruleset(entry) => entry,
            Found::Missing => {
                tell("not-in-catalog", format!("the catalog no longer has {id}; what is installed stays"));
                return stay(Action::Unchanged, None);
            }
            Found::OtherKind(_) => {
                tell(
                    "not-a-ruleset",
                    format!("the catalog now has a package of another kind under {id}; what is installed stays"),
                );
                return stay(Action::Unchanged, None);
            }
            Found::Unusable(reasons) if named => return Err(unusable(id.as_str(), &reasons)),
            Found::Unusable(reasons) => {
                tell("invalid-entry", unusable(id.as_str(), &reasons).message);
                return stay(Action::Unchanged, None);
            }
        };
        if let Some(doubled) = shelf.doubled(id.as_str())? {
            warnings.push(doubled);
        }
        let mut tell = |code, text: String| warnings.push(Warning::new(code, text).about(id));
        let offered = &entry.manifest.version;
        let action = match offered.precedence(&installed.version) {
            Ordering::Less => {
                tell(
                    "downgrade",
                    format!("{id} {} is newer than the catalog's {offered}; it stays", installed.version),
                );
                return stay(Action::Unchanged, Some(&*entry));
            }
            Ordering::Equal if self.is_republished(&entry, installed, snapshot) => Action::Reinstalled,
            Ordering::Equal => return stay(Action::Unchanged, Some(&*entry)),
            Ordering::Greater => Action::Updated,
        };
        if snapshot.state.is_held(id) {
            tell("held", format!("{id} is held at {}; `rulepack unhold {id}` lets {offered} in", installed.version));
            return stay(Action::Held, Some(&*entry));
        }
        if !named && decisions.declined(id) == Some(offered.as_str()) {
            tell(
                "declined",
                format!("{id} {offered} was left by a rollback or declined; `rulepack update {id}` takes it"),
            );
            return stay(Action::Held, Some(&*entry));
        }
        if let Err(failure) = self.refuse_incompatible(&entry.manifest) {
            if named {
                return Err(failure);
            }
            tell(failure.code.as_str(), failure.message);
            return stay(Action::Unchanged, Some(&*entry));
        }
        Ok(self.plan_place(&entry, installed.clone(), action, snapshot))
    }
}
