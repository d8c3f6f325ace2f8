//! The command line: arguments in, one report out, in one of its two faces. Results go to stdout and everything else
//! to stderr; nothing is ever asked.

mod answer;
mod args;
mod audits;
mod command;
mod envelope;
mod github;
mod human;
pub mod progress;
mod refusal;
mod schema;
pub mod term;
mod workshop;

use crate::app::ErrorReport;
use crate::types::{Cancel, Code, Failure, Warning};
use answer::{Answer, to_line};
use args::{Cli, Command};
use clap::{CommandFactory, Parser};
use envelope::Envelope;
use serde_json::value::RawValue;
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;
use term::Screen;

/// Runs rulepack: the arguments as the process got them, and where its environment is looked up.
pub fn run(arguments: Vec<OsString>, environment: impl Fn(&str) -> Option<OsString>) -> ExitCode {
    // A value that is no text is still a value: rubbish, where a language is looked for, and not unset.
    let variable = |name: &str| environment(name).map(|value| value.to_string_lossy().into_owned());
    let mut cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(error) => return refusal::tell(error, &arguments, &variable),
    };
    let named = cli.global.language.clone();
    cli.global.fill_from(&environment);
    if matches!(cli.command, Command::Strings { .. }) {
        // It is about the language of a translation; the variable is the language of the reader.
        cli.global.language = named;
    }
    cli.global.json |= cli.command.format() == Some(args::Format::Json);
    let screen = Screen::of_process(cli.global.color, variable);
    match &cli.command {
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "rulepack", &mut script);
            print_only(screen, &String::from_utf8_lossy(&script))
        }
        Command::Schema { name } => {
            let text = schema::of(name).map(|schema| format!("{:#}\n", schema.to_value())).unwrap_or_default();
            print_only(screen, &text)
        }
        _ => answer(&cli, screen, &variable),
    }
}

fn print_only(mut screen: Screen, text: &str) -> ExitCode {
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
    let cancel = Cancel::default();
    listen_for_stop(&cancel);
    let reporter = progress::choose(
        cli.global.progress,
        progress::Setting {
            quiet: cli.global.quiet,
            json: cli.global.json,
            terminal: screen.err.look().terminal,
            dumb: term::is_dumb(variable),
            coloured: screen.err.look().palette.is_coloured(),
        },
    );
    // Whatever was drawn is gone when this returns, so the report stands alone.
    let (mut answer, mut warnings) = command::run(cli, variable, cancel, reporter);
    warnings.extend(answer.report.iter().flat_map(|report| report.warnings(!cli.global.json)));
    if let Some(report) = answer.report.as_ref().filter(|_| !cli.global.json) {
        warnings.retain(|warning| !report.tells(warning));
    }
    if let Some(path) = cli.command.output() {
        let document = json(command::name(&cli.command), &answer, &warnings);
        answer.failures.extend(keep(path, &document).err());
    }
    if cli.global.json {
        screen.out.line(json(command::name(&cli.command), &answer, &warnings));
        if cli.global.progress == progress::Mode::Json {
            warnings.iter().for_each(|warning| screen.err.line(progress::warning_event(warning)));
        }
    } else {
        print_human(&mut screen, cli, &answer, &warnings);
    }
    let exit = answer.exit();
    finish(screen, exit)
}

/// The answer as one JSON document.
fn json(command: &str, answer: &Answer, warnings: &[Warning]) -> String {
    let result: Option<Box<RawValue>> = answer.report.as_ref().map(|report| report.json());
    let envelope = Envelope {
        schema: 1,
        command: Some(command),
        status: answer.status(),
        result,
        warnings,
        error: answer.failures.first().map(ErrorReport::from),
    };
    to_line(&envelope)
}

/// Writes a document to a file and makes the folders it lies in.
fn keep(path: &Path, document: &str) -> Result<(), Failure> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(path, format!("{document}\n")));
    written.map_err(|error| Failure::new(Code::of_io(&error), format!("{} cannot be written: {error}", path.display())))
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

/// Ctrl-C and a polite kill ask the run to stop at its next step; a second one ends it at once.
#[cfg(unix)]
fn listen_for_stop(cancel: &Cancel) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        // The order counts: what ends the process is asked before the flag is set for the first time. That a signal
        // cannot be listened for only means that it does what it always does.
        let _ = signal_hook::flag::register_conditional_shutdown(signal, 130, cancel.flag().clone());
        let _ = signal_hook::flag::register(signal, cancel.flag().clone());
    }
}

#[cfg(not(unix))]
fn listen_for_stop(_: &Cancel) {}
