use crate::app::{Action, Changes, LanguagePack, PackReason, PackStatus, PackageChange};
use crate::face::term::{LongWord, Role, Stream, clean, wrap};
use crate::face::{Report, to_json};
use crate::types::{Language, Warning, codes};
use serde_json::value::RawValue;
use std::fmt::Write;

/// Where there is nothing yet.
pub(super) const NONE_YET: &str = "No rulesets from a catalog are installed. `rulepack search` shows what is \
                                   available.";

/// The narrowest a change is told in beside its verb.
const NARROWEST: usize = 24;

/// Changes, and what was asked for, which decides how people are told of them.
pub struct Told {
    pub changes: Changes,
    pub asked: Asked,
    /// Nothing was done: it is told what would be.
    pub dry_run: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Something of packages by their names: each is told of.
    Packages,
    /// An update of all that is installed: what stays as it is goes without saying.
    Update,
    /// The language of all: likewise.
    Sync,
    /// Which language it is.
    Language,
    SetLanguage {
        auto: bool,
    },
}

impl Report for Told {
    fn json(&self) -> Box<RawValue> {
        to_json(&self.changes)
    }

    fn show(&self, out: &mut Stream, verbose: bool) {
        let Changes { language, packages } = &self.changes;
        match self.asked {
            Asked::Language => out.line(format!("Language: {language}")),
            Asked::SetLanguage { auto: false } => out.line(format!("Language set to {language}")),
            Asked::SetLanguage { auto: true } => out.line(format!("Language set to the system's, {language}")),
            Asked::Packages | Asked::Update | Asked::Sync => {}
        }
        if packages.is_empty() {
            out.line(NONE_YET);
            return;
        }
        let told: Vec<&PackageChange> = packages.iter().filter(|package| verbose || self.is_told(package)).collect();
        for package in told.iter().filter(|package| package.action != Action::Failed) {
            self.show_package(package, out, verbose);
        }
        if let Some(summary) = self.summary(told.is_empty()) {
            out.line(summary);
        }
    }

    /// That the catalog lists another version stands in the row, and in as many words.
    fn tells(&self, warning: &Warning) -> bool {
        let is_of = |package: &&PackageChange| Some(&package.id) == warning.package.as_ref();
        let row = self.changes.packages.iter().find(is_of).filter(|package| self.is_told(package));
        let reason = row.and_then(|package| package.language_pack.as_ref()?.reason);
        warning.code == codes::PACK_UNAVAILABLE && reason == Some(PackReason::OtherVersion)
    }

    fn is_asked_for(&self) -> bool {
        self.asked == Asked::Language || self.dry_run
    }
}

impl Told {
    /// Whether there is anything to say of a package.
    fn is_told(&self, package: &PackageChange) -> bool {
        match self.asked {
            Asked::Packages | Asked::Language | Asked::SetLanguage { .. } => true,
            Asked::Update | Asked::Sync => {
                // That the catalog has moved on is no news to whoever left it behind.
                let reason = package.language_pack.as_ref().and_then(|pack| pack.reason);
                package.action != Action::Unchanged || reason.is_some_and(|reason| reason != PackReason::OtherVersion)
            }
        }
    }

    fn show_package(&self, package: &PackageChange, out: &mut Stream, verbose: bool) {
        let look = out.look();
        let (verb, role) = verb(package, self.dry_run);
        let (verb, indent) = match self.asked {
            Asked::Language => (String::new(), " ".to_owned()),
            _ if self.dry_run => (format!("{verb:>15}"), " ".repeat(15)),
            _ => (format!("{verb:>11}"), " ".repeat(11)),
        };
        let mut lead = if verb.is_empty() { indent.clone() } else { look.palette.paint(role, verb).to_string() };
        let columns = look.width.saturating_sub(indent.len() + 1).max(NARROWEST);
        for (n, line) in wrap(&self.sentence(package), columns, LongWord::Keep).into_iter().enumerate() {
            // The id comes first and has no spaces, so it is whole.
            let (id, rest) = line.split_at(if n == 0 { clean(&package.id).len() } else { 0 });
            out.line(format!(
                "{lead} {}{rest}",
                if n == 0 { look.palette.paint(Role::Id, id).to_string() } else { String::new() }
            ));
            lead.clone_from(&indent);
        }
        if let Some(path) = package.path.as_deref().filter(|_| verbose) {
            out.line(format!("{indent} {}", look.palette.paint(Role::Dim, clean(path))));
        }
    }

    /// `ember-roads 1.0.0 -> 1.1.0 (Ember Roads), in ru`.
    fn sentence(&self, package: &PackageChange) -> String {
        let mut text = clean(&package.id).into_owned();
        let from = package.previous_version.as_deref();
        if let (Action::Updated | Action::RolledBack, Some(from)) = (package.action, from) {
            let _ = write!(text, " {} ->", clean(from));
        }
        if let Some(version) = &package.version {
            let _ = write!(text, " {}", clean(version));
        }
        if let Some(name) = package.name.as_deref().filter(|name| *name != package.id) {
            let _ = write!(text, " ({})", clean(name));
        }
        match &package.language_pack {
            // No news, as in `is_told`.
            Some(LanguagePack { reason: Some(PackReason::OtherVersion), .. }) if self.asked == Asked::Update => {
                text += ", in English";
            }
            Some(pack) => text += &reading(pack, &self.changes.language),
            None if self.asked == Asked::Language => text += ", in English",
            None => {}
        }
        text
    }

    /// What it all came to, where the lines above do not say it already.
    fn summary(&self, nothing_told: bool) -> Option<String> {
        let Changes { language, packages } = &self.changes;
        if self.asked == Asked::Language {
            return None;
        }
        if nothing_told {
            return Some(match self.asked {
                Asked::Sync => format!("Nothing to change; the language is {language}"),
                _ => "Nothing to update".to_owned(),
            });
        }
        if self.dry_run {
            return Some("Dry run: nothing was changed".to_owned());
        }
        let mut counts: Vec<(String, usize)> = Vec::new();
        for package in packages {
            let verb = verb(package, false).0.to_lowercase();
            match counts.iter_mut().find(|(known, _)| *known == verb) {
                Some((_, count)) => *count += 1,
                None => counts.push((verb, 1)),
            }
        }
        let counts: Vec<String> = counts.into_iter().map(|(verb, count)| format!("{count} {verb}")).collect();
        (packages.len() > 1).then(|| counts.join(", "))
    }
}

/// What was done, or would be, in a word or two.
fn verb(package: &PackageChange, dry_run: bool) -> (&'static str, Role) {
    let (done, would, role) = match package.action {
        Action::Installed => ("Installed", "Would install", Role::Ok),
        Action::Updated => ("Updated", "Would update", Role::Ok),
        Action::Reinstalled => ("Reinstalled", "Would reinstall", Role::Ok),
        Action::Switched => ("Switched", "Would switch", Role::Ok),
        Action::Unchanged => ("Unchanged", "Unchanged", Role::Dim),
        Action::RolledBack => ("Rolled back", "Would roll back", Role::Ok),
        Action::Removed => ("Removed", "Would remove", Role::Ok),
        Action::Held => ("Held", "Held", Role::Warn),
        Action::Failed => ("Failed", "Would fail", Role::Error),
    };
    (if dry_run { would } else { done }, role)
}

/// The language a ruleset is read in afterwards, and why where it is not the one wanted.
fn reading(pack: &LanguagePack, wanted: &str) -> String {
    let is_english = wanted.parse::<Language>().is_ok_and(|language| language.is_english());
    match (pack.status, &pack.language) {
        (PackStatus::NotNeeded, _) => String::new(),
        (PackStatus::Removed, _) if is_english => ", in English".to_owned(),
        (PackStatus::NotListed | PackStatus::Removed, _) => {
            format!(", in English: there is no language pack for {}", clean(wanted))
        }
        (PackStatus::Fetched | PackStatus::Current, language) => {
            format!(", in {}", clean(language.as_deref().unwrap_or(wanted)))
        }
        (PackStatus::Unavailable, Some(language)) => {
            format!(", in {}: an older language pack for now", clean(language))
        }
        (PackStatus::Unavailable, None) => {
            format!(", in English: {}", pack.why.unwrap_or("the language pack is unavailable"))
        }
    }
}
