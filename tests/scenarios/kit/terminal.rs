//! A terminal to run the program on: what it writes, and what is to be seen in the end.
//!
//! ```ignore
//! let seen = watch(sandbox.command(&["install", "ember-roads"]), 80, Watching::Both);
//! assert_eq!(seen.screen, ["  Installed ember-roads 1.0.0 (Ember Roads)"]);
//! ```

use super::sandbox::Invocation;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::File;
use std::io::Read;
use std::process::Stdio;

/// Which of the program's streams is the terminal; the other is a pipe.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Watching {
    Both,
    Stdout,
    Stderr,
}

/// A run on a terminal that ended.
pub struct Watched {
    pub status: Option<i32>,
    /// What the terminal got, escape sequences and all.
    pub raw: String,
    /// The lines on it in the end, colours and empty lines at the end left out.
    pub screen: Vec<String>,
    /// What came through the pipe.
    pub piped: String,
}

/// Runs the program on a terminal of so many columns, with `TERM=xterm` unless the run has its own.
#[track_caller]
pub fn watch(run: Invocation, columns: u16, watching: Watching) -> Watched {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&ours).unwrap();
    unlockpt(&ours).unwrap();
    let size = Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    let path = ptsname(&ours, Vec::new()).unwrap();
    let theirs = File::options().read(true).write(true).open(path.to_str().unwrap()).unwrap();
    tcsetwinsize(&theirs, size).unwrap();

    let mut command = run.into_command();
    if !command.get_envs().any(|(name, _)| name == "TERM") {
        command.env("TERM", "xterm");
    }
    let terminal = || Stdio::from(theirs.try_clone().unwrap());
    command.stdin(Stdio::null());
    command.stdout(if watching == Watching::Stderr { Stdio::piped() } else { terminal() });
    command.stderr(if watching == Watching::Stdout { Stdio::piped() } else { terminal() });
    let mut child = command.spawn().unwrap();
    // Only the program holds the other end now, so that it ends with the program.
    drop((command, theirs));
    let mut pipe: Option<Box<dyn Read + Send>> = match watching {
        Watching::Both => None,
        Watching::Stdout => child.stderr.take().map(|pipe| Box::new(pipe) as _),
        Watching::Stderr => child.stdout.take().map(|pipe| Box::new(pipe) as _),
    };
    let piped = std::thread::spawn(move || {
        let mut text = String::new();
        if let Some(pipe) = &mut pipe {
            pipe.read_to_string(&mut text).unwrap();
        }
        text
    });
    let raw = read_terminal(File::from(ours));
    let status = child.wait().unwrap().code();
    Watched { status, screen: seen(&raw, columns.into()), raw, piped: piped.join().unwrap() }
}

/// Everything that comes until the other end is closed, which Linux tells as an error.
fn read_terminal(mut from: File) -> String {
    let mut bytes = Vec::new();
    let mut some = [0; 4096];
    while let Ok(read @ 1..) = from.read(&mut some) {
        bytes.extend_from_slice(&some[..read]);
    }
    String::from_utf8(bytes).expect("a terminal gets UTF-8")
}

/// The numbers of an escape sequence and the letter that ends it.
fn sequence(rest: &mut std::str::Chars) -> (String, char) {
    let mut numbers = String::new();
    for c in rest {
        if c.is_ascii_alphabetic() {
            return (numbers, c);
        }
        numbers.push(c);
    }
    panic!("an escape sequence without an end: {numbers:?}");
}

/// What is on a terminal that got this text. Knows what rulepack has reason to send; anything else fails the test.
/// Every character counts as one column, so it is for texts where that holds.
pub fn seen(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<Vec<char>> = vec![Vec::new()];
    let (mut row, mut column) = (0_usize, 0_usize);
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match c {
            '\r' => column = 0,
            '\n' => row += 1,
            '\u{1b}' => {
                assert_eq!(rest.next(), Some('['), "an unknown escape sequence in {text:?}");
                let (number, end) = sequence(&mut rest);
                let by = number.parse().unwrap_or(1);
                match (end, number.as_str()) {
                    ('m', _) => {}
                    ('A', _) => row = row.saturating_sub(by),
                    ('B', _) => row += by,
                    ('C', _) => column += by,
                    ('D', _) => column = column.saturating_sub(by),
                    ('K', "2") => lines[row].clear(),
                    ('K', "" | "0") => lines[row].truncate(column),
                    ('J', "" | "0") => {
                        lines[row].truncate(column);
                        lines.truncate(row + 1);
                    }
                    _ => panic!("an unknown escape sequence, [{number}{end}, in {text:?}"),
                }
            }
            c => {
                assert!(!c.is_control(), "{c:?} on a terminal: {text:?}");
                // As terminals do: at the right edge only the next character goes to the next line.
                if column == columns {
                    (row, column) = (row + 1, 0);
                }
                if lines.len() <= row {
                    lines.resize(row + 1, Vec::new());
                }
                if lines[row].len() <= column {
                    lines[row].resize(column + 1, ' ');
                }
                lines[row][column] = c;
                column += 1;
            }
        }
        if lines.len() <= row {
            lines.resize(row + 1, Vec::new());
        }
    }
    let mut lines: Vec<String> = lines.into_iter().map(|line| line.into_iter().collect()).collect();
    lines.iter_mut().for_each(|line| line.truncate(line.trim_end().len()));
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}
