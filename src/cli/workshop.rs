//! The commands of authors, translators and maintainers, which need no store and so no folder for one.

use super::args::{CatalogCommand, Cli, Command, ContainerChoice, Explaining, StringsFormat, VerifyArgs};
use super::human::{Check, Codes, Entry, Strings, Verify};
use crate::explain;
use crate::face::{Answer, Answered, FindingsArgs, Format, here};
use crate::fetch::{CatalogSource, Mirror, Settings};
use crate::inspect::{self, CheckRequest, Checked};
use crate::publish::{self, Container, Containers, EntryOrder, Order, strings, verify};
use crate::types::{Cancel, Code, Failure, Reporter, did_you_mean};

/// Runs the command, if it is one of those that need no folders of ours at all.
pub fn run(cli: &Cli, cancel: &Cancel) -> Option<Answered> {
    let alone = |answer: Result<Answer, Failure>| Some((answer.unwrap_or_else(Answer::failed), Vec::new()));
    match &cli.command {
        Command::Check { paths, ruleset, against, sheets, findings } => {
            let request = CheckRequest {
                paths: paths.clone(),
                ruleset: ruleset.clone(),
                against: against.clone(),
                sheets: sheets.clone(),
                strict: findings.strict,
            };
            Some(check(&request, findings.format, cancel))
        }
        #[cfg(feature = "diceframe")]
        Command::Audit(what) => Some(crate::diceframe::run(what, cancel)),
        Command::Explain { codes, all, format } => alone(Ok(explain(codes, *all, *format))),
        Command::Strings { path, pack, format } => alone(cli.global.language().and_then(|language| {
            let (path, pack, format) = (path.clone(), pack.clone(), format.map(strings_format));
            translate(&strings::Request { path, language, pack, format }, cancel)
        })),
        Command::Catalog(CatalogCommand::Verify(_)) => None,
        Command::Catalog(CatalogCommand::Entry(made)) => {
            let order = EntryOrder {
                artifact: made.artifact.clone(),
                manifest: made.manifest.clone(),
                packs: made.packs.clone(),
                base_url: made.base_url.clone(),
                category: made.category.clone(),
                icon_url: made.icon_url.clone(),
                documentation_url: made.documentation_url.clone(),
            };
            alone(publish::entry(&order, cancel).map(|made| {
                let problems = made.summary.errors > 0;
                Answer { problems, ..Answer::of(Entry { made, base: here() }) }
            }))
        }
        Command::Catalog(CatalogCommand::Build { dir, out, base_url, containers, generated_at, allow_breaking }) => {
            let order = Order {
                dir: dir.clone(),
                out: out.as_ref().unwrap_or(dir).clone(),
                base_url: base_url.clone(),
                containers: chosen(containers),
                generated_at: generated_at.clone(),
                allow_breaking: *allow_breaking,
            };
            alone(publish::build(&order, cancel).map(|built| {
                let problems = built.summary.errors > 0;
                Answer { problems, ..Answer::of(super::human::Build { built, base: here() }) }
            }))
        }
        _ => None,
    }
}

fn chosen(containers: &[ContainerChoice]) -> Containers {
    let usual = containers.iter().rev().find(|choice| choice.id.is_none());
    let of = containers.iter().filter_map(|choice| Some((choice.id.clone()?, choice.container)));
    Containers { usual: usual.map_or(Container::Bundle, |choice| choice.container), of: of.collect() }
}

fn strings_format(format: StringsFormat) -> strings::Format {
    match format {
        StringsFormat::Json => strings::Format::Json,
        StringsFormat::Po => strings::Format::Po,
        StringsFormat::Csv => strings::Format::Csv,
    }
}

/// Without a language there is nothing to tell but the strings themselves, so a template is what is shown.
fn translate(request: &strings::Request, cancel: &Cancel) -> Result<Answer, Failure> {
    let translation = strings::strings(request, cancel)?;
    let file = request.format.or(request.language.is_none().then_some(strings::Format::Json));
    // A file is made of what is right in the pack; what is wrong with the pack is told where it is compared.
    let problems = file.is_none() && translation.has_errors();
    Ok(Answer { problems, ..Answer::of(Strings { translation, file, base: here() }) })
}

/// Every code stands alone: one that there is not keeps nobody from the others.
fn explain(codes: &[String], all: bool, format: Explaining) -> Answer {
    if all {
        return Answer::of(Codes { found: explain::all().collect(), all, format });
    }
    let (mut found, mut failures) = (Vec::new(), Vec::new());
    for code in codes {
        match explain::find(code) {
            Ok(explained) if found.contains(&explained) => {}
            Ok(explained) => found.push(explained),
            Err(nearest) => failures.push(no_such_code(code, &nearest)),
        }
    }
    if found.is_empty() {
        return Answer { report: None, failures, problems: false };
    }
    Answer::of(Codes { found, all, format }).with_failures(failures)
}

/// As wrong a command line as a command that there is not (docs/spec/commands.md#exit-codes).
fn no_such_code(code: &str, nearest: &[String]) -> Failure {
    let failure = Failure::new(Code::Usage, format!("unknown code `{code}`"));
    failure.hint(did_you_mean(nearest).unwrap_or_else(|| "list the codes with `rulepack explain --all`".to_owned()))
}

fn check(request: &CheckRequest, format: Format, cancel: &Cancel) -> Answered {
    match inspect::check(request, cancel) {
        Err(failure) => (Answer::failed(failure), Vec::new()),
        Ok(Checked { report, looked_at, failures, warnings }) => {
            let problems = report.summary.errors > 0;
            let shown = Check { report, looked_at, format, base: here() };
            (Answer { problems, failures, ..Answer::of(shown) }, warnings)
        }
    }
}

/// `catalog verify`, with where catalogs and the cache are as for every other command.
pub fn verify(fetch: Settings, what: &VerifyArgs, cancel: &Cancel, reporter: &dyn Reporter) -> Answered {
    let VerifyArgs { source, artifacts, only, shallow, findings: FindingsArgs { format, strict } } = what.clone();
    let request = source.as_deref().map(CatalogSource::parse).transpose().map_err(Failure::from).map(|named| {
        let source = named.unwrap_or(fetch.source);
        let mirror = artifacts.map(Mirror::Folder).or(fetch.mirror);
        verify::Request { fetch: Settings { source, mirror, ..fetch }, only, shallow, own: false, strict }
    });
    match request.and_then(|request| verify::verify(&request, cancel, reporter)) {
        Err(failure) => (Answer::failed(failure), Vec::new()),
        Ok(verify::Verified { verification, warnings, interrupted }) => {
            let (problems, failures) = (verification.summary.errors > 0, interrupted.into_iter().collect());
            (Answer { problems, failures, ..Answer::of(Verify { verification, format, base: here() }) }, warnings)
        }
    }
}
