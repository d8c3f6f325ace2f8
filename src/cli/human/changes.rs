use crate::app::{Action, Changes, LanguagePack, PackReason, PackStatus, PackageChange};
use crate::cli::answer::{Report, to_json};
use crate::cli::term::{Role, Stream, clean};
use serde_json::value::RawValue;

impl Report for Changes {
    fn json(&self) -> Box<RawValue> {
        to_json(self)
    }

    fn show(&self, out: &mut Stream, verbose: bool) {
        let done: Vec<&PackageChange> =
            self.packages.iter().filter(|package| package.action != Action::Failed).collect();
        if self.packages.is_empty() {
            out.line(format!("No rulesets are installed. Language: {}", self.language));
            out.line("`rulepack search` shows what there is.");
        }
        for package in done {
            show_package(package, out, verbose);
        }
    }

    fn is_asked_for(&self) -> bool {
        false
    }
}

fn show_package(package: &PackageChange, out: &mut Stream, verbose: bool) {
    let palette = out.look().palette;
    let (verb, role) = verb(package.action);
    let version = package.version.as_deref().unwrap_or("");
    let name = match package.name.as_deref() {
        Some(name) if name != package.id => format!(" ({})", clean(name)),
        _ => String::new(),
    };
    let from = match (package.action, package.previous_version.as_deref()) {
        (Action::Updated | Action::RolledBack, Some(previous)) => format!(", from {previous}"),
        _ => String::new(),
    };
    let id = palette.paint(Role::Id, clean(&package.id));
    out.line(format!("{} {id} {version}{name}{from}", palette.paint(role, format!("{verb:>11}"))));
    if let Some(text) = package.language_pack.as_ref().and_then(pack_text) {
        out.line(format!("{:>11} {}", "", palette.paint(Role::Dim, text)));
    }
    if let Some(path) = package.path.as_deref().filter(|_| verbose) {
        out.line(format!("{:>11} {}", "", palette.paint(Role::Dim, clean(path))));
    }
}

fn verb(action: Action) -> (&'static str, Role) {
    match action {
        Action::Installed => ("Installed", Role::Ok),
        Action::Updated => ("Updated", Role::Ok),
        Action::Reinstalled => ("Reinstalled", Role::Ok),
        Action::Unchanged => ("Unchanged", Role::Dim),
        Action::RolledBack => ("Rolled back", Role::Ok),
        Action::Removed => ("Removed", Role::Ok),
        Action::Held => ("Held", Role::Warn),
        Action::Failed => ("Failed", Role::Error),
    }
}

fn pack_text(pack: &LanguagePack) -> Option<String> {
    let language = pack.language.as_deref().unwrap_or("");
    Some(match pack.status {
        PackStatus::Fetched => format!("language pack: {language}, fetched"),
        PackStatus::Current => format!("language pack: {language}"),
        PackStatus::NotNeeded => return None,
        PackStatus::NotListed => "in English: there is no language pack for your language".to_owned(),
        PackStatus::Removed => "in English: the language pack was removed".to_owned(),
        PackStatus::Unavailable if pack.path.is_some() => format!("language pack: {language}, an older one for now"),
        PackStatus::Unavailable => format!("in English: {}", why(pack.reason)),
    })
}

fn why(reason: Option<PackReason>) -> &'static str {
    match reason {
        Some(PackReason::Offline) => "the language pack cannot be had offline",
        Some(PackReason::HttpError) => "the language pack could not be fetched",
        Some(PackReason::SizeMismatch | PackReason::ChecksumMismatch) => {
            "the language pack is not the one the catalog lists"
        }
        Some(PackReason::LocaleMismatch) => "the language pack is for another language",
        Some(PackReason::InvalidPack) => "the language pack is damaged",
        Some(PackReason::OtherVersion) => "the catalog has language packs for another version only",
        None => "the language pack could not be had",
    }
}
