//! From the command line to a use case: each command in a few lines.

use super::args::{CacheCommand, CatalogCommand, Change, Cli, Command, Global, language_choice};
use super::human::{Asked, CacheContent, CacheDir, Checkup, Filed, Migration, Told};
use super::workshop;
use crate::app::{App, CacheReport, Imported, LanguageChoice, Mode, Options, Outcome, Wanted};
use crate::catalog::{self, Branch};
use crate::face::{Answer, Report};
use crate::fetch::{self, CatalogSource, Mirror, Settings};
use crate::types::{Cancel, Code, Deadline, Failure, Language, Reporter, Warning};
use directories::ProjectDirs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Runs a command that answers with a report.
pub fn run(
    cli: &Cli,
    variable: &dyn Fn(&str) -> Option<String>,
    cancel: Cancel,
    reporter: Box<dyn Reporter>,
) -> (Answer, Vec<Warning>) {
    if let Some(answered) = workshop::run(cli, &cancel) {
        return answered;
    }
    let options = match options(cli, variable) {
        Ok(options) => options,
        Err(failure) => return (Answer::failed(failure), Vec::new()),
    };
    if let Command::Catalog(CatalogCommand::Verify(what)) = &cli.command {
        return workshop::verify(options.fetch, what, &cancel, &*reporter);
    }
    if let Command::Cache(what) = &cli.command {
        return (cache(what, &options.fetch.cache_dir).unwrap_or_else(Answer::failed), Vec::new());
    }
    let app = App::new(options, cancel, reporter);
    let answer = dispatch(&app, &cli.command).unwrap_or_else(Answer::failed);
    (answer, app.take_warnings())
}

fn dispatch(app: &App, command: &Command) -> Result<Answer, Failure> {
    Ok(match command {
        Command::Search { words } => Answer::of(app.search(words)?),
        Command::Info { id } => Answer::of(app.info(id)?),
        Command::Install { ids, sha256, force, change } => {
            let wanted = Wanted::all(ids, *sha256)?;
            changes(app.install(&wanted, *force, mode(*change))?, Asked::Packages, change.dry_run)
        }
        Command::Update { ids, change } => {
            let asked = if ids.is_empty() { Asked::Update } else { Asked::Packages };
            changes(app.update(ids, mode(*change))?, asked, change.dry_run)
        }
        Command::Outdated => Answer::of(app.outdated()?),
        Command::Rollback { id } => changes(app.rollback(id)?, Asked::Packages, false),
        Command::Uninstall { ids } => changes(app.uninstall(ids)?, Asked::Packages, false),
        Command::List => Answer::of(app.list()?),
        Command::Language { tag, require_pack } => {
            let choice = language_choice(tag.as_deref()).map_err(|text| Failure::new(Code::Usage, text))?;
            let asked = match &choice {
                LanguageChoice::Show => Asked::Language,
                LanguageChoice::Set(language) => Asked::SetLanguage { auto: language.is_none() },
            };
            let mode = Mode { require_pack: *require_pack, ..Mode::default() };
            changes(app.set_language(&choice, mode)?, asked, false)
        }
        Command::Sync { require_pack } => {
            let mode = Mode { require_pack: *require_pack, ..Mode::default() };
            changes(app.sync(mode)?, Asked::Sync, false)
        }
        Command::Hold { ids } => with_failure(app.hold(ids, true)?),
        Command::Unhold { ids } => with_failure(app.hold(ids, false)?),
        Command::Path { id } => Answer::of(app.path(id)?),
        Command::Doctor { repair } => {
            let diagnosis = app.doctor(*repair)?;
            let problems = diagnosis.summary.errors > 0;
            Answer { problems, ..Answer::of(Checkup { diagnosis, repair: *repair }) }
        }
        Command::Import { file } => {
            let Imported { report, failures } = app.import(file)?;
            let problems = report.summary.errors > 0;
            let base = std::env::current_dir().unwrap_or_default();
            Answer { problems, ..Answer::of(Filed { report, base }).with_failures(failures) }
        }
        Command::Show { ruleset, layers, human: _ } => Answer::of(app.show(ruleset, layers)?),
        Command::Translate { ruleset, texts } => Answer::of(app.translate(ruleset, texts)?),
        Command::Migrate { ruleset, sheets, explain } => {
            let (sheets, failures) = app.migrate(ruleset, sheets)?;
            Answer::of(Migration { sheets, explain: *explain }).with_failures(failures)
        }
        Command::Check { .. }
        | Command::Catalog(..)
        | Command::Explain { .. }
        | Command::Strings { .. }
        | Command::Cache(..)
        | Command::Completions { .. }
        | Command::Schema { .. } => {
            return Err(given_a_store());
        }
        #[cfg(feature = "diceframe")]
        Command::Audit(..) => return Err(given_a_store()),
    })
}

fn given_a_store() -> Failure {
    Failure::new(Code::Internal, "a command without a store was given one")
}

fn mode(change: Change) -> Mode {
    Mode { dry_run: change.dry_run, require_pack: change.require_pack }
}

fn changes(Outcome { changes, failures }: Outcome, asked: Asked, dry_run: bool) -> Answer {
    Answer::of(Told { changes, asked, dry_run }).with_failures(failures)
}

fn with_failure<R: Report + 'static>((report, failures): (R, Vec<Failure>)) -> Answer {
    Answer::of(report).with_failures(failures)
}

fn cache(what: &CacheCommand, dir: &Path) -> Result<Answer, Failure> {
    let report = |usage: fetch::CacheUsage| CacheReport {
        dir: dir.display().to_string(),
        bytes: usage.bytes,
        files: usage.files,
    };
    Ok(match what {
        CacheCommand::Dir => Answer::of(CacheDir(report(fetch::cache_usage(dir)?))),
        CacheCommand::Size => Answer::of(CacheContent { report: report(fetch::cache_usage(dir)?), removed: false }),
        CacheCommand::Clean => Answer::of(CacheContent { report: report(fetch::cache_clean(dir)?), removed: true }),
    })
}

/// What the use cases are told, out of flags, environment and the system.
fn options(cli: &Cli, variable: &dyn Fn(&str) -> Option<String>) -> Result<Options, Failure> {
    let Cli { global, command, name } = cli;
    let places = ProjectDirs::from("", "", "rulepack");
    let data_dir = places.as_ref().map(ProjectDirs::data_dir);
    let cache_dir = places.as_ref().map(ProjectDirs::cache_dir);
    let source = match global.catalog.as_deref() {
        Some(source) => CatalogSource::parse(source)?,
        None => CatalogSource::parse(&catalog::official_catalog(Branch::Main, global.engine_version.as_ref()))?,
    };
    let mirror = global.mirror.as_deref().map(Mirror::parse).transpose()?;
    Ok(Options {
        data_dir: folder(global.data_dir.as_deref(), data_dir, "--data-dir")?,
        fetch: Settings {
            source,
            mirror,
            // What goes back to a version on disk never asks a network (B18).
            offline: global.offline || matches!(command, Command::Rollback { .. }),
            refresh: global.refresh,
            hurried: matches!(command, Command::Sync { .. }),
            ca_cert: global.ca_cert.clone(),
            timeout: global.timeout.map(Duration::from_secs),
            cache_dir: folder(global.cache_dir.as_deref(), cache_dir, "--cache-dir")?,
            deadline: deadline(global, command),
        },
        language: global.language()?,
        system_language: system_language(variable),
        engine: global.engine_version.clone(),
        api: global.capability_api,
        lock_timeout: Duration::from_secs(global.lock_timeout),
        command: name.clone(),
    })
}

/// How long a page waits for `sync`, unless told otherwise (docs/spec/commands.md#commands).
const SYNC_DEADLINE: Duration = Duration::from_secs(4);

/// By when the run must have its answer. Zero means that it may take as long as it takes.
fn deadline(global: &Global, command: &Command) -> Deadline {
    let usual = matches!(command, Command::Sync { .. }).then_some(SYNC_DEADLINE);
    let time = global.deadline.or(usual).filter(|time| !time.is_zero());
    time.map(Deadline::after).unwrap_or_default()
}

/// The folder named, else the usual one, as an absolute path. A process without a home folder has no usual ones.
fn folder(own: Option<&Path>, usual: Option<&Path>, flag: &str) -> Result<PathBuf, Failure> {
    let path = own.or(usual).ok_or_else(|| {
        let text = "cannot find the home folder";
        Failure::new(Code::Usage, text).hint(format!("give the folder with `{flag}`"))
    })?;
    std::path::absolute(path)
        .map_err(|error| Failure::new(Code::Io, format!("cannot find the current folder: {error}")))
}

/// The system's language: the POSIX variables where there are such, else what the system says of itself.
fn system_language(variable: &dyn Fn(&str) -> Option<String>) -> Language {
    #[cfg(any(not(unix), target_os = "macos"))]
    if ["LC_ALL", "LC_MESSAGES", "LANG"].iter().all(|name| variable(name).is_none_or(|value| value.is_empty())) {
        let told = sys_locale::get_locale().and_then(|tag| tag.parse().ok());
        return told.unwrap_or_else(Language::english);
    }
    Language::of_environment(variable)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_home_folder_the_folders_must_be_named() {
        let failure = folder(None, None, "--data-dir").unwrap_err();
        assert_eq!(failure.code, Code::Usage);
        assert_eq!(failure.hint.as_deref(), Some("give the folder with `--data-dir`"));
        let own = std::env::temp_dir().join("own");
        assert_eq!(folder(Some(&own), None, "--data-dir"), Ok(own.clone()));
        assert_eq!(folder(None, Some(&own), "--data-dir"), Ok(own));
        assert!(folder(Some(Path::new("own")), None, "--data-dir").unwrap().is_absolute());
    }
}
