use super::install::{distinct, plan_place};
use super::look::{Terms, There};
use super::outcome::Outcome;
use super::pack::PackSource;
use super::plan::{Mode, PackagePlan, Plan};
use super::report::{Action, OutdatedReason};
use super::shelf::Shelf;
use super::stage::is_stop;
use super::standing::Standing;
use super::stay::plan_stay;
use super::{App, installed, unreadable_records};
use crate::store::Installed;
use crate::types::{Failure, Language, Version, Warning, codes};

impl App {
    /// Brings the installed catalog rulesets, all or those named, to the catalog's version, each with its pack.
    ///
    /// # Errors
    /// As of [`App::install`].
    pub fn update(&self, ids: &[String], mode: Mode) -> Result<Outcome, Failure> {
        if ids.is_empty() && self.read()?.registry.rulesets().is_empty() {
            return self.carry_out(mode, |snapshot| {
                let language = self.language(&snapshot.state);
                Ok(Plan { language, packages: Vec::new(), remember: None, warnings: unreadable_records(snapshot) }
                    .named(&snapshot.state))
            });
        }
        let shelf = self.shelf()?;
        self.carry_out(mode, |snapshot| {
            let mut warnings = if ids.is_empty() { unreadable_records(snapshot) } else { Vec::new() };
            let mut packages = Vec::new();
            let named = !ids.is_empty();
            let language = self.language(&snapshot.state);
            let terms = self.terms(snapshot, &language);
            let chosen: Vec<(String, Result<Installed, Failure>)> = if named {
                distinct(ids).into_iter().map(|id| (id.to_owned(), installed(snapshot, id))).collect()
            } else {
                let all = snapshot.registry.rulesets().into_iter();
                all.map(|ruleset| (ruleset.id.to_string(), Ok(ruleset))).collect()
            };
            for (id, ruleset) in chosen {
                packages.push(match ruleset {
                    Err(failure) => PackagePlan::failed(&id, failure),
                    Ok(ruleset) => match self.plan_update(&ruleset, named, terms, shelf, &mut warnings) {
                        Err(failure) if is_stop(&failure) => return Err(failure),
                        Err(failure) => PackagePlan::failed_at(Some(&ruleset), &id, failure),
                        Ok(plan) => PackagePlan { named, ..plan },
                    },
                });
            }
            Ok(Plan { language, packages, remember: None, warnings }.named(&snapshot.state))
        })
    }

    fn plan_update(
        &self,
        installed: &Installed,
        named: bool,
        terms: Terms,
        shelf: Shelf,
        warnings: &mut Vec<Warning>,
    ) -> Result<PackagePlan, Failure> {
        let standing = self.standing(installed, named, terms, shelf, warnings)?;
        let there = self.there_and_at_hand(installed, terms);
        plan_update(installed, named, standing, there, terms.language, warnings)
    }
}

/// What is done about where a ruleset stands.
pub(super) fn plan_update(
    installed: &Installed,
    named: bool,
    standing: Standing,
    there: There,
    language: &Language,
    warnings: &mut Vec<Warning>,
) -> Result<PackagePlan, Failure> {
    let id = &installed.id;
    let (action, entry) = match standing {
        Standing::Behind(entry, why) => {
            let republished = matches!(why, OutdatedReason::Republished);
            let action = if republished { Action::Reinstalled } else { Action::Updated };
            return Ok(plan_place(&entry, installed.clone(), action, there.pack, language));
        }
        Standing::Refused(_, failure) if named => return Err(failure),
        Standing::Refused(entry, failure) => {
            warnings.push(Warning::new(failure.code.rule(), failure.message).about(id));
            (Action::Unchanged, entry)
        }
        Standing::KeptBack(entry, why) => {
            warnings.push(kept_back(installed, &entry.manifest.version, why));
            (Action::Held, Some(entry))
        }
        Standing::Current(entry) => (Action::Unchanged, entry),
    };
    let source = PackSource::of(entry.as_deref(), &installed.version);
    Ok(plan_stay(installed, action, &source, there, language, warnings))
}

fn kept_back(installed: &Installed, offered: &Version, why: OutdatedReason) -> Warning {
    let Installed { id, version, .. } = installed;
    let (code, text) = match why {
        OutdatedReason::Declined => {
            (codes::DECLINED, format!("{id} {offered} was rolled back or declined; `rulepack update {id}` installs it"))
        }
        _ => (codes::HELD, format!("{id} is held at {version}; `rulepack unhold {id}` allows {offered}")),
    };
    Warning::new(code, text).about(id)
}
