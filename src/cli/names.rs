//! What commands are called: as clap has them, those of a group behind its name, with a blank between.

use super::args::Cli;
use clap::{ArgMatches, CommandFactory};
use std::ffi::OsString;

/// The name of the command that was given, whatever other name it was given by.
pub fn of(mut matches: &ArgMatches) -> String {
    let mut names = Vec::new();
    while let Some((name, inner)) = matches.subcommand() {
        names.push(name);
        matches = inner;
    }
    names.join(" ")
}

/// The names of all commands.
pub fn all() -> Vec<String> {
    fn gather(command: &clap::Command, before: &str, into: &mut Vec<String>) {
        for command in command.get_subcommands().filter(|command| command.get_name() != "help") {
            let name = format!("{before}{}", command.get_name());
            if command.has_subcommands() {
                gather(command, &format!("{name} "), into);
            } else {
                into.push(name);
            }
        }
    }
    let mut root = Cli::command();
    root.build();
    let mut names = Vec::new();
    gather(&root, "", &mut names);
    names
}

/// The command that the arguments name, as far as they name one, and its name as the envelope has it.
pub fn named(arguments: &[OsString]) -> (clap::Command, Option<String>) {
    let mut command = Cli::command();
    command.build();
    let valued: Vec<String> = command
        .get_arguments()
        .filter(|argument| argument.get_action().takes_values())
        .filter_map(|argument| Some(format!("--{}", argument.get_long()?)))
        .collect();
    let mut names: Vec<String> = Vec::new();
    let mut words = arguments.iter().skip(1).map_while(|argument| argument.to_str());
    while let Some(word) = words.next() {
        if valued.iter().any(|flag| flag == word) {
            words.next();
        } else if !word.starts_with('-') {
            let Some(next) = command.find_subcommand(word).filter(|next| next.get_name() != "help") else { break };
            names.push(next.get_name().to_owned());
            command = next.clone();
        }
    }
    let name = (!names.is_empty()).then(|| names.join(" "));
    (command, name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name_in(line: &str) -> Option<String> {
        named(&line.split(' ').map(OsString::from).collect::<Vec<_>>()).1
    }

    #[test]
    fn the_command_of_a_wrong_command_line_is_the_one_it_names() {
        for (line, command) in [
            ("rulepack install --nope", Some("install")),
            ("rulepack --nope remove a", Some("uninstall")),
            ("rulepack --language list --json sync x", Some("sync")),
            ("rulepack cache", Some("cache")),
            ("rulepack cache size x", Some("cache size")),
            ("rulepack instal list", None),
            ("rulepack help list", None),
            ("rulepack", None),
        ] {
            assert_eq!(name_in(line).as_deref(), command, "{line}");
        }
    }

    #[test]
    fn a_command_is_known_by_its_own_name() {
        for (line, command) in [("rulepack remove a", "uninstall"), ("rulepack --json cache size", "cache size")] {
            assert_eq!(of(&Cli::command().try_get_matches_from(line.split(' ')).unwrap()), command);
        }
    }
}
