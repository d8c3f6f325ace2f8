//! A command line that clap did not take: help and version are answers, everything else is wrong usage.

use super::about::{Help, Version};
use super::args::Cli;
use super::envelope::{self, Envelope};
use super::finish;
use super::names::{all, named};
use crate::app::ErrorReport;
use crate::face::term::{self, Colour, Screen, Stream, clean_lines};
use crate::face::{Status, to_line};
use crate::types::{Code, Failure, NEWEST_KNOWN_API, suggest};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, ValueEnum};
use serde::Serialize;
use std::ffi::OsString;
use std::process::ExitCode;

/// Tells people or programs what clap has to say, and the exit code for it.
pub fn tell(mut error: clap::Error, arguments: &[OsString], variable: &dyn Fn(&str) -> Option<String>) -> ExitCode {
    let flags =
        || arguments.iter().map_while(|argument| Some(argument.to_str().unwrap_or_default()).filter(|a| *a != "--"));
    let mut screen = Screen::of_process(colour(flags()), variable);
    put_the_likeliest_first(&mut error, arguments);
    let json = flags().any(|flag| matches!(flag, "--json" | "--format=json"))
        || flags().zip(flags().skip(1)).any(|pair| pair == ("--format", "json"));
    let exit = if error.use_stderr() { Code::Usage.exit() } else { 0 };
    match (json, exit) {
        (true, 0) => screen.out.line(answer(&error)),
        (true, _) => screen.out.line(refusal(&error, arguments)),
        (false, 0) => show(&error, arguments, &mut screen.out),
        (false, _) => show(&error, arguments, &mut screen.err),
    }
    finish(screen, exit)
}

/// What `--color` says, which clap did not get to.
fn colour<'a>(flags: impl Iterator<Item = &'a str>) -> Colour {
    let flags: Vec<&str> = flags.collect();
    let apart = flags.iter().position(|flag| *flag == "--color").and_then(|at| flags.get(at + 1).copied());
    let joined = flags.iter().find_map(|flag| flag.strip_prefix("--color="));
    joined.or(apart).and_then(|value| Colour::from_str(value, false).ok()).unwrap_or_default()
}

/// For people: clap's own text, or the help of a command that was given no more than its name.
fn show(error: &clap::Error, arguments: &[OsString], out: &mut Stream) {
    let text = match error.kind() {
        ErrorKind::MissingSubcommand => named(arguments).0.render_help(),
        _ => error.render(),
    };
    // Clap takes the escapes out of what it quotes where it writes plain text, and leaves the rest.
    let harmless =
        arguments.iter().all(|argument| term::clean(&argument.to_string_lossy()) == argument.to_string_lossy());
    let text = if out.look().palette.is_coloured() && harmless {
        text.ansi().to_string()
    } else {
        clean_lines(&text.to_string()).into_owned()
    };
    // As all failures show their code.
    out.print(&if error.use_stderr() { text.replacen("error:", "error[usage]:", 1) } else { text });
}

/// For programs that asked for help or the version. No command has run, so none is named.
fn answer(error: &clap::Error) -> String {
    match error.kind() {
        ErrorKind::DisplayVersion => envelope_of(Version {
            version: env!("CARGO_PKG_VERSION"),
            schema: envelope::SCHEMA,
            capability_api: NEWEST_KNOWN_API.to_string(),
            commands: all(),
        }),
        _ => envelope_of(Help { help: error.render().to_string() }),
    }
}

fn envelope_of(result: impl Serialize) -> String {
    let schema = envelope::SCHEMA;
    let result = Some(result);
    to_line(&Envelope { schema, command: None, status: Status::Ok, result, warnings: &[], error: None })
}

/// For programs that got their command line wrong: the envelope they know.
fn refusal(error: &clap::Error, arguments: &[OsString]) -> String {
    let (_, command) = named(arguments);
    let failure = match error.kind() {
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            Failure::new(Code::Usage, "no command was given").hint("list the commands with `rulepack help`")
        }
        _ => {
            let (message, hint) = split_usage(&error.render().to_string());
            Failure { hint, ..Failure::new(Code::Usage, message) }
        }
    };
    let envelope = Envelope::<()> {
        schema: envelope::SCHEMA,
        command: command.as_deref(),
        status: Status::Error,
        result: None,
        warnings: &[],
        error: Some(ErrorReport::from(&failure)),
    };
    to_line(&envelope)
}

/// Clap's text in two parts: what is wrong, and the usage and tips behind it.
fn split_usage(text: &str) -> (String, Option<String>) {
    let text = text.trim().strip_prefix("error: ").unwrap_or(text.trim());
    match text.split_once("\n\n") {
        Some((message, rest)) => (message.trim().to_owned(), Some(rest.trim().to_owned())),
        None => (text.to_owned(), None),
    }
}

/// What other package managers call our commands, where no likeness of the words leads there.
const ELSEWHERE: [(&str, &str); 21] = [
    ("add", "install"),
    ("get", "install"),
    ("i", "install"),
    ("erase", "uninstall"),
    ("delete", "uninstall"),
    ("del", "uninstall"),
    ("purge", "uninstall"),
    ("rm", "uninstall"),
    ("up", "update"),
    ("status", "list"),
    ("installed", "list"),
    ("find", "search"),
    ("available", "search"),
    ("view", "info"),
    ("locale", "language"),
    ("pin", "hold"),
    ("unpin", "unhold"),
    ("revert", "rollback"),
    ("undo", "rollback"),
    ("where", "path"),
    ("fix", "doctor"),
];

/// Of the commands that look like an unknown one, the likeliest alone: clap puts it last.
fn put_the_likeliest_first(error: &mut clap::Error, arguments: &[OsString]) {
    let Some(ContextValue::String(unknown)) = error.get(ContextKind::InvalidSubcommand) else { return };
    let is_of_the_root = named(arguments).1.is_none();
    if let Some((_, ours)) = ELSEWHERE.iter().find(|(theirs, _)| is_of_the_root && theirs == unknown) {
        error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(vec![(*ours).to_owned()]));
        return;
    }
    if is_of_the_root && unknown == "version" {
        let tip = "use `rulepack --version`".into();
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
        return;
    }
    if error.get(ContextKind::SuggestedSubcommand).is_none() {
        return;
    }
    let root = Cli::command();
    let names = root.get_subcommands().flat_map(|command| command.get_name_and_visible_aliases());
    if let Some(likeliest) = suggest(unknown, names).into_iter().next() {
        error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(vec![likeliest]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_colour_asked_for_is_found() {
        for (line, found) in [
            ("--color always x", Colour::Always),
            ("x --color=never", Colour::Never),
            ("--color", Colour::Auto),
            ("--color purple", Colour::Auto),
            ("x", Colour::Auto),
        ] {
            assert_eq!(colour(line.split(' ')), found, "{line}");
        }
    }
}
