//! When text is coloured, and with what.

use anstyle::{AnsiColor, Style};
use std::fmt;

/// What `--color` asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Colour {
    /// On a terminal, unless the environment says otherwise
    #[default]
    Auto,
    Always,
    Never,
}

impl Colour {
    /// Whether a stream is coloured. The environment counts under `auto` only, in this order: `NO_COLOR` (not empty),
    /// `CLICOLOR_FORCE` (neither empty nor `0`), `TERM=dumb`, `CLICOLOR=0`; then whether the stream is a terminal.
    pub fn decide(self, variable: impl Fn(&str) -> Option<String>, terminal: bool) -> bool {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        match self {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto if set("NO_COLOR").is_some() => false,
            Colour::Auto if set("CLICOLOR_FORCE").is_some_and(|value| value != "0") => true,
            Colour::Auto => terminal && !is_dumb(&variable) && set("CLICOLOR").is_none_or(|value| value != "0"),
        }
    }
}

/// Whether the terminal says that it can do nothing but print: no colours, no moving cursor.
pub fn is_dumb(variable: impl Fn(&str) -> Option<String>) -> bool {
    variable("TERM").is_some_and(|term| term == "dumb")
}

/// What a piece of text is, which decides how it looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Ok,
    Warn,
    Error,
    Dim,
    Strong,
    Id,
}

impl Role {
    const fn style(self) -> Style {
        match self {
            Role::Ok => AnsiColor::Green.on_default(),
            Role::Warn => AnsiColor::Yellow.on_default().bold(),
            Role::Error => AnsiColor::Red.on_default().bold(),
            Role::Dim => Style::new().dimmed(),
            Role::Strong => Style::new().bold(),
            Role::Id => AnsiColor::Cyan.on_default(),
        }
    }
}

/// The colours of one stream: those of the roles, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Palette {
    coloured: bool,
}

impl Palette {
    pub const fn new(coloured: bool) -> Self {
        Palette { coloured }
    }

    /// Whether anything painted carries escape sequences.
    pub const fn is_coloured(self) -> bool {
        self.coloured
    }

    /// The text in the colour of its role. Measure and pad before painting: escape sequences have no width.
    pub fn paint<T: fmt::Display>(self, role: Role, text: T) -> Painted<T> {
        Painted { style: if self.coloured { role.style() } else { Style::new() }, text }
    }
}

/// Text with its colour, to be displayed.
#[derive(Clone, Copy, Debug)]
pub struct Painted<T> {
    style: Style,
    text: T,
}

impl<T: fmt::Display> fmt::Display for Painted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{:#}", self.style, self.text, self.style)
    }
}

/// What there is to know about a stream to lay text out for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    pub palette: Palette,
    /// How many columns a line has; [`usize::MAX`] where lines are never broken, as in a file or a pipe.
    pub width: usize,
    /// Whether somebody watches a terminal.
    pub terminal: bool,
}

#[cfg(test)]
impl Look {
    /// A file or a pipe: no colour, no line broken.
    pub const PLAIN: Look = Look { palette: Palette::new(false), width: usize::MAX, terminal: false };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decide(colour: Colour, environment: &[(&str, &str)], terminal: bool) -> bool {
        let variable = |name: &str| environment.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).to_owned());
        colour.decide(variable, terminal)
    }

    #[test]
    fn a_flag_beats_the_environment() {
        assert!(decide(Colour::Always, &[("NO_COLOR", "1"), ("TERM", "dumb")], false));
        assert!(!decide(Colour::Never, &[("CLICOLOR_FORCE", "1")], true));
    }

    #[test]
    fn the_environment_beats_the_terminal() {
        let auto = |environment: &[(&str, &str)], terminal| decide(Colour::Auto, environment, terminal);
        assert!(auto(&[], true));
        assert!(!auto(&[], false));
        assert!(!auto(&[("NO_COLOR", "1")], true));
        assert!(auto(&[("NO_COLOR", "")], true));
        assert!(!auto(&[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")], true));
        assert!(auto(&[("CLICOLOR_FORCE", "1"), ("TERM", "dumb")], false));
        assert!(!auto(&[("CLICOLOR_FORCE", "0")], false));
        assert!(!auto(&[("TERM", "dumb")], true));
        assert!(!auto(&[("CLICOLOR", "0")], true));
        assert!(!auto(&[("CLICOLOR", "1")], false));
    }

    #[test]
    fn nothing_is_painted_without_colour() {
        assert_eq!(Palette::new(false).paint(Role::Error, "x").to_string(), "x");
        assert_eq!(Palette::new(true).paint(Role::Dim, "x").to_string(), "\u{1b}[2mx\u{1b}[0m");
    }
}
