use super::App;
use super::imports::{LocalRuleset, locals};
use super::look::{Terms, There};
use super::outcome::Outcome;
use super::pack::{PackPlan, PackSource};
use super::plan::{Mode, PackagePlan, Plan, VersionStep};
use super::report::Action;
use super::shelf::{CatalogAnswer, Shelf, ask, unusable};
use super::stage::is_stop;
use super::stay::{plan_settled, plan_stay};
use crate::store::{Installed, Snapshot};
use crate::types::{Failure, Language, Warning, codes};

/// What `rulepack language` is asked to do.
#[derive(Clone, Debug)]
pub enum LanguageChoice {
    /// Say which language is in force; change nothing.
    Show,
    /// Remember a language, or go back to the system's, then do what `sync` does.
    Set(Option<Language>),
}

impl App {
    /// Brings every installed ruleset's pack in line with the language, and nothing else.
    ///
    /// # Errors
    /// When the store cannot be read or changed. A pack that cannot be had is told in its row.
    pub fn sync(&self, mode: Mode) -> Result<Outcome, Failure> {
        self.sync_to(mode, None)
    }

    /// Sets the language and does what `sync` does, both in one change of the store; or only tells it.
    ///
    /// # Errors
    /// As of [`App::sync`].
    pub fn set_language(&self, choice: &LanguageChoice, mode: Mode) -> Result<Outcome, Failure> {
        match choice {
            LanguageChoice::Show => self.carry_out(Mode { dry_run: true, ..mode }, |snapshot| {
                let mut packages = Vec::new();
                for ruleset in snapshot.registry.rulesets() {
                    let kept = self.kept_pack(&snapshot.state, &ruleset.id, &ruleset.version);
                    let pack = kept.map_or(PackPlan::Nothing, PackPlan::Keep);
                    packages.push(self.seen(PackagePlan::stays(&ruleset, Action::Unchanged, pack), snapshot)?);
                }
                let language = self.language(&snapshot.state);
                Ok(Plan { language, packages, remember: None, warnings: Vec::new() }.named(&snapshot.state))
            }),
            LanguageChoice::Set(language) => {
                let outcome = self.sync_to(mode, Some(language.clone()))?;
                // The language is set by now, whatever else can be seen.
                if let Err(failure) = self.tell_of_imports() {
                    let text = format!("cannot check the translations of imported rulesets: {failure}");
                    self.warn(Warning::new(failure.code.rule(), text));
                }
                Ok(outcome)
            }
        }
    }

    /// What was imported has no catalog to fetch another translation from: its file has them
    /// (docs/spec/checks.md#translations).
    fn tell_of_imports(&self) -> Result<(), Failure> {
        let snapshot = self.read()?;
        let language = self.language(&snapshot.state);
        let serves = |ruleset: &LocalRuleset| match &ruleset.kept.pack {
            Some(pack) => language.fallbacks().contains(&pack.language),
            None => language.is_english(),
        };
        for ruleset in locals(&snapshot).iter().filter(|ruleset| !serves(ruleset)) {
            let text = "it keeps the translation it was imported with; import its file again for another language";
            self.warn(Warning::new(codes::IMPORTED_LANGUAGE, text).about(ruleset.owner()));
        }
        Ok(())
    }

    fn sync_to(&self, mode: Mode, remember: Option<Option<Language>>) -> Result<Outcome, Failure> {
        self.carry_out(mode, |snapshot| {
            let language = match &remember {
                // What was just chosen counts over `--language`, which is for one run.
                Some(chosen) => chosen.clone().unwrap_or_else(|| self.options.system_language.clone()),
                None => self.language(&snapshot.state),
            };
            let rulesets = snapshot.registry.rulesets();
            // English needs no pack, so no catalog either.
            let shelf = (!language.is_english() && !rulesets.is_empty()).then(|| self.shelf());
            if let Some(Err(failure)) = &shelf {
                if is_stop(failure) {
                    return Err(failure.clone());
                }
                let text = format!("the catalog cannot be read, so only cached language packs are used: {failure}");
                self.warn(Warning::new(codes::CATALOG_UNAVAILABLE, text));
            }
            let mut warnings = Vec::new();
            let mut packages = Vec::new();
            for ruleset in &rulesets {
                let plan = self.plan_sync(ruleset, shelf.as_ref(), self.terms(snapshot, &language), &mut warnings)?;
                packages.push(self.seen(plan, snapshot)?);
            }
            Ok(Plan { language, packages, remember: remember.clone(), warnings }.named(&snapshot.state))
        })
    }

    fn plan_sync(
        &self,
        ruleset: &Installed,
        shelf: Option<&Result<Shelf, Failure>>,
        terms: Terms,
        warnings: &mut Vec<Warning>,
    ) -> Result<PackagePlan, Failure> {
        let id = ruleset.id.as_str();
        let there = self.there(ruleset, terms);
        if let Some(Ok(shelf)) = shelf
            && let Some(settled) = plan_settled(ruleset, shelf.digest(id)?.as_deref(), &there, terms)
        {
            return Ok(settled);
        }
        let said = ask(shelf, id);
        self.stop_if_asked()?;
        let there = self.with_what_is_at_hand(there, ruleset, terms);
        Ok(plan_sync(ruleset, &said, there, terms.language, warnings))
    }

    /// The same with how the ruleset looks. A pack that is fetched is looked at when it comes.
    fn seen(&self, plan: PackagePlan, snapshot: &Snapshot) -> Result<PackagePlan, Failure> {
        let VersionStep::Stay(installed) = &plan.step else { return Ok(plan) };
        let pack = match &plan.pack {
            PackPlan::Keep(kept) | PackPlan::Unavailable { kept: Some(kept), .. } => Some(kept),
            _ => None,
        };
        Ok(PackagePlan { sight: Some(self.sight(installed, pack, snapshot)?), ..plan })
    }
}

/// The pack of a ruleset by what the catalog says of it.
pub(super) fn plan_sync(
    ruleset: &Installed,
    said: &Result<CatalogAnswer, Failure>,
    there: There,
    language: &Language,
    warnings: &mut Vec<Warning>,
) -> PackagePlan {
    if let Ok(CatalogAnswer::Unusable(reasons)) = said {
        let why = unusable(ruleset.id.as_str(), reasons);
        warnings.push(Warning::new(why.code.rule(), why.message).about(&ruleset.id));
    }
    let source = PackSource::said(said, &ruleset.version);
    plan_stay(ruleset, Action::Unchanged, &source, there, language, warnings)
}
