//! The command line: arguments in, one report out, in one of its two faces. Results go to stdout and everything else
//! to stderr; nothing is ever asked.

mod about;
mod args;
mod command;
mod envelope;
mod human;
mod names;
pub mod progress;
mod refusal;
mod schema;
mod stop;
mod workshop;

use crate::app::ErrorReport;
use crate::face::term::{self, Screen, Stream};
use crate::face::{Answer, Format, to_line};
use crate::types::{Code, Failure, Warning};
use args::{Cli, Command};
use clap::{CommandFactory, FromArgMatches};
use envelope::Envelope;
use progress::Progress;
use serde_json::value::RawValue;
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;
use stop::{LastWords, Stop};

/// Runs rulepack: the arguments as the process got them, and where its environment is looked up.
pub fn run(arguments: Vec<OsString>, environment: impl Fn(&str) -> Option<OsString>) -> ExitCode {
    // A value that is no text is still a value: rubbish, where a language is looked for, and not unset.
    let variable = |name: &str| environment(name).map(|value| value.to_string_lossy().into_owned());
    let mut cli = match parse(&arguments) {
        Ok(cli) => cli,
        Err(error) => {
            Stop::listen_while_printing();
            return refusal::tell(error, &arguments, &variable);
        }
    };
    let named = cli.global.language.clone();
    cli.global.fill_from(&environment);
    if matches!(cli.command, Command::Strings { .. }) {
        // It is about the language of a translation; the variable is the language of the reader.
        cli.global.language = named;
    }
    cli.global.json |= cli.command.format() == Some(Format::Json);
    let screen = Screen::of_process(cli.global.color, variable);
    match &cli.command {
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "rulepack", &mut script);
            print_only(screen, &String::from_utf8_lossy(&script))
        }
        Command::Schema { name } => {
            let text = match name {
                Some(name) => schema::of(name).map(|schema| format!("{:#}\n", schema.to_value())).unwrap_or_default(),
                None if cli.global.json => format!("{}\n", serde_json::json!(schema::names().collect::<Vec<_>>())),
                None => schema::names().map(|name| name.to_owned() + "\n").collect(),
            };
            print_only(screen, &text)
        }
        _ => answer(&cli, screen, &variable),
    }
}

fn parse(arguments: &[OsString]) -> Result<Cli, clap::Error> {
    let mut matches = Cli::command().try_get_matches_from(arguments)?;
    let name = names::of(&matches);
    let cli = Cli::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut Cli::command()))?;
    Ok(Cli { name, ..cli })
}

fn print_only(mut screen: Screen, text: &str) -> ExitCode {
    Stop::listen_while_printing();
    screen.out.print(text);
    finish(screen, 0)
}

/// Flushes what was written; that it could not be is the failure of a run that had none.
fn finish(screen: Screen, exit: u8) -> ExitCode {
    match screen.finish() {
        Err(failure) if exit == 0 => ExitCode::from(failure.code.exit()),
        _ => ExitCode::from(exit),
    }
}

fn answer(cli: &Cli, mut screen: Screen, variable: &dyn Fn(&str) -> Option<String>) -> ExitCode {
    let stop = Stop::listen(last_words(cli, &screen));
    let progress = Progress::start(
        cli.global.progress,
        progress::Setting {
            quiet: cli.global.quiet,
            json: cli.global.json,
            terminal: screen.err.look().terminal,
            dumb: term::is_dumb(variable),
            coloured: screen.err.look().palette.is_coloured(),
        },
    );
    let (mut answer, mut warnings) = command::run(cli, variable, stop.cancel().clone(), progress.reporter());
    stop.begin_to_tell();
    let events = progress.end();
    if let Some(writer) = events.as_ref().and_then(|events| events.writer()) {
        screen.err = Stream::new(writer, screen.err.look());
    }
    warnings.extend(answer.report.iter().flat_map(|report| report.warnings(!cli.global.json)));
    if let Some(report) = answer.report.as_ref().filter(|_| !cli.global.json) {
        warnings.retain(|warning| !report.tells(warning));
    }
    let warnings = Warning::once(warnings);
    if let Some(path) = cli.command.output() {
        let document = json(&cli.name, &answer, &warnings);
        answer.failures.extend(keep(path, &document).err());
    }
    if cli.global.json {
        screen.out.line(json(&cli.name, &answer, &warnings));
        events.iter().for_each(|events| warnings.iter().for_each(|warning| events.warning(warning)));
    } else {
        print_human(&mut screen, cli, &answer, &warnings);
    }
    finish(screen, answer.exit())
}

/// What is said of a run that was asked to stop and does not come to it.
fn last_words(cli: &Cli, screen: &Screen) -> LastWords {
    let (command, in_json) = (cli.name.clone(), cli.global.json);
    let (out, err) = (screen.out.look(), screen.err.look());
    Box::new(move || {
        let message = "interrupted before it could stop cleanly; the next run finishes or undoes the change";
        let answer = Answer::failed(Failure::new(Code::Interrupted, message));
        let mut screen = Screen::looking(out, err);
        if in_json {
            screen.out.line(json(&command, &answer, &[]));
        } else {
            screen.err.print(&term::failures(&answer.failures, err));
        }
        // The process ends, with a code that says as much.
        let _ = screen.finish();
    })
}

/// The answer as one JSON document.
fn json(command: &str, answer: &Answer, warnings: &[Warning]) -> String {
    let result: Option<Box<RawValue>> = answer.report.as_ref().map(|report| report.json());
    let envelope = Envelope {
        schema: envelope::SCHEMA,
        command: Some(command),
        status: answer.status(),
        result,
        warnings,
        error: answer.failure().map(ErrorReport::from),
    };
    to_line(&envelope)
}

/// Writes a document to a file and makes the folders it lies in.
fn keep(path: &Path, document: &str) -> Result<(), Failure> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(path, format!("{document}\n")));
    written.map_err(|error| Failure::new(Code::of_io(&error), format!("cannot write {}: {error}", path.display())))
}

fn print_human(screen: &mut Screen, cli: &Cli, answer: &Answer, warnings: &[Warning]) {
    if let Some(report) = &answer.report
        && (report.is_asked_for() || !cli.global.quiet)
    {
        report.show(&mut screen.out, cli.global.verbose);
        report.show_aside(&mut screen.err);
    }
    let look = screen.err.look();
    if !cli.global.quiet {
        screen.err.print(&term::warnings(warnings, look));
    }
    screen.err.print(&term::failures(&answer.failures, look));
}
