//! The findings of a check as people read them: what is wrong, where, the line itself, what to do.

use super::term::{LongWord, Look, Role, Stream, clean, count, cut, cut_start, width, wrap};
use crate::types::{Excerpt, Problem, Severity};
use std::borrow::Cow;
use std::path::Path;

/// The most columns a line of a file is shown in; more would hide the caret in a file or a pipe.
const WIDEST: usize = 120;
/// The narrowest window on a line that still shows something.
const NARROWEST: usize = 24;
const TAB: &str = "    ";

/// Shows every finding, a blank line after each. Paths below `base` are shown from there on; `verbose` shows all that
/// may stand in the place of a key.
pub fn show_problems(problems: &[Problem], base: &Path, verbose: bool, out: &mut Stream) {
    for problem in problems {
        let text = block(problem, base, verbose, out.look());
        out.line(text);
    }
}

/// Shows what was done, with how many errors and warnings it ended, and where to read more of them.
pub fn show_verdict(done: &str, wrong: (usize, usize), problems: &[Problem], out: &mut Stream) {
    let palette = out.look().palette;
    let told = match wrong {
        (0, 0) => palette.paint(Role::Ok, "no problems found".to_owned()),
        (0, warnings) => palette.paint(Role::Warn, count(warnings as u64, "warning", "warnings")),
        (errors, 0) => palette.paint(Role::Error, count(errors as u64, "error", "errors")),
        (errors, warnings) => {
            let errors = count(errors as u64, "error", "errors");
            palette.paint(Role::Error, format!("{errors}, {}", count(warnings as u64, "warning", "warnings")))
        }
    };
    out.line(format!("{done}: {told}"));
    let worst = problems.iter().min_by_key(|problem| problem.severity);
    if let Some(problem) = worst {
        out.line(format!("`rulepack explain {}` explains a code and how to fix it.", problem.code));
    }
}

/// A path as it is shown: from `base` on where it lies below.
pub fn shown_path<'p>(path: &'p str, base: &Path) -> &'p str {
    let below = base.to_str().and_then(|base| path.strip_prefix(base)?.strip_prefix(std::path::MAIN_SEPARATOR));
    below.filter(|below| !below.is_empty()).unwrap_or(path)
}

/// One finding, ending in a line end.
fn block(problem: &Problem, base: &Path, verbose: bool, look: Look) -> String {
    let (word, role) = match problem.severity {
        Severity::Error => ("error", Role::Error),
        Severity::Warning => ("warning", Role::Warn),
    };
    let dim = |text: &str| look.palette.paint(Role::Dim, text.to_owned()).to_string();
    let label = format!("{word}[{}]:", problem.code);
    let headline = format!("{label} {}", clean(&problem.message));
    let mut text = String::new();
    for (n, line) in wrap(&headline, look.width.saturating_sub(2), LongWord::Keep).into_iter().enumerate() {
        match line.strip_prefix(&label).filter(|_| n == 0) {
            Some(rest) => text += &format!("{}{rest}\n", look.palette.paint(role, &label)),
            None => text += &format!("  {line}\n"),
        }
    }
    let number = problem.line.map(|line| line.to_string()).unwrap_or_default();
    let margin = " ".repeat(number.len().max(1));
    if let Some(file) = &problem.file {
        let mut place = clean(shown_path(file, base)).into_owned();
        for number in [problem.line, problem.column].into_iter().flatten() {
            place += &format!(":{number}");
        }
        text += &format!("{margin}{} {place}\n", dim("-->"));
    }
    let bar = dim("|");
    if let Some(excerpt) = &problem.excerpt {
        let columns = look.width.min(WIDEST).saturating_sub(margin.len() + 3).max(NARROWEST);
        let Window { line, indent, length } = window(excerpt, columns);
        let carets = look.palette.paint(role, "^".repeat(length)).to_string();
        text += &format!("{margin} {bar}\n{} {bar} {line}\n", dim(&number));
        text += &format!("{margin} {bar} {}{carets}\n", " ".repeat(indent));
    }
    let mut note = |name: &str, note: &str| {
        let lead = format!("{margin} = {name}: ");
        let columns = look.width.saturating_sub(width(&lead)).max(NARROWEST);
        for (n, line) in wrap(&clean(note), columns, LongWord::Keep).into_iter().enumerate() {
            let lead = if n == 0 { format!("{margin} {} {name}: ", dim("=")) } else { " ".repeat(width(&lead)) };
            text += &format!("{lead}{line}\n");
        }
    };
    // A file says it well enough.
    if let Some(package) = problem.package.as_deref().filter(|_| problem.file.is_none()) {
        note("package", package);
    }
    if let Some(pointer) = problem.pointer.as_deref().filter(|pointer| !pointer.is_empty()) {
        note("at", pointer);
    }
    if let Some(hint) = &problem.hint {
        note("hint", hint);
    }
    if let Some(keys) = problem.expected.as_deref().filter(|keys| verbose && !keys.is_empty()) {
        note("keys", &keys.join(", "));
    }
    text
}

/// A line of a file as it is shown: harmless, in so many columns, and what of it is marked.
struct Window {
    line: String,
    indent: usize,
    length: usize,
}

fn window(excerpt: &Excerpt, columns: usize) -> Window {
    let (cut_before, cut_after) = excerpt.cut;
    let mut before = seen(&excerpt.before);
    let mut after = seen(&excerpt.after);
    if cut_before {
        before.insert(0, '…');
    }
    if cut_after {
        after.push('…');
    }
    // A value longer than the window is known by its beginning.
    let marked = cut(Cow::Owned(seen(&excerpt.marked)), columns / 3 * 2).into_owned();
    let room = columns.saturating_sub(width(&marked));
    let before = cut_start(Cow::Owned(before), (room / 2).max(room.saturating_sub(width(&after))));
    let after = cut(Cow::Owned(after), room.saturating_sub(width(&before)));
    let (indent, length) = (width(&before), width(&marked).max(1));
    Window { line: format!("{before}{marked}{after}").trim_end().to_owned(), indent, length }
}

fn seen(text: &str) -> String {
    clean(&text.replace('\t', TAB)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Pointer;
    use crate::types::Rule;
    use crate::types::codes;
    use proptest::prelude::*;

    fn plain(width: usize) -> Look {
        Look { width, ..Look::PLAIN }
    }

    fn example() -> Problem {
        Problem {
            file: Some("/work/roads/ruleset.json".to_owned()),
            line: Some(12),
            column: Some(7),
            package: Some("ember-roads".to_owned()),
            excerpt: Some(Box::new(Excerpt {
                before: "\t\t\"ä\": ".to_owned(),
                marked: "\"grit\"".to_owned(),
                after: ", \"漢字\": 1".to_owned(),
                cut: (false, false),
            })),
            ..Problem::new(codes::UNKNOWN_ID, &Pointer::root().at("a").at(0), "there is no field `grit`")
        }
        .hint("did you mean `grip`?")
    }

    #[test]
    fn a_finding_shows_its_place_its_line_and_what_to_do() {
        let shown = block(&example(), Path::new("/work"), false, plain(usize::MAX));
        assert_eq!(
            shown,
            "error[unknown-id]: there is no field `grit`
  --> roads/ruleset.json:12:7
   |
12 |         \"ä\": \"grit\", \"漢字\": 1
   |              ^^^^^^
   = at: /a/0
   = hint: did you mean `grip`?
"
        );
    }

    #[test]
    fn all_keys_that_may_stand_there_are_told_to_whoever_asks() {
        let problem = example().expecting(&["label"], &["id", "max"]);
        let shown = |verbose| block(&problem, Path::new("/work"), verbose, plain(usize::MAX));
        assert!(shown(false).ends_with("  = hint: did you mean `label`? known keys here: `id`, `max`\n"));
        assert_eq!(shown(true).strip_prefix(&shown(false)), Some("   = keys: label, id, max\n"));
    }

    #[test]
    fn a_finding_about_no_place_is_short() {
        let problem = Problem {
            pointer: None,
            severity: Severity::Warning,
            ..Problem::new(Rule::named("x"), &Pointer::root(), "said")
        };
        assert_eq!(block(&problem, Path::new("/"), false, plain(80)), "warning[x]: said\n");
        let of_package = Problem { package: Some("ember-roads".to_owned()), ..problem };
        assert_eq!(
            block(&of_package, Path::new("/"), false, plain(80)),
            "warning[x]: said\n  = package: ember-roads\n"
        );
    }

    #[test]
    fn paths_are_shown_from_the_folder_on() {
        for (path, base, shown) in [
            ("/work/a.json", "/work", "a.json"),
            ("/work/a.json", "/wor", "/work/a.json"),
            ("/other/a.json", "/work", "/other/a.json"),
            ("https://example.org/a", "/work", "https://example.org/a"),
        ] {
            assert_eq!(shown_path(path, Path::new(base)), shown);
        }
    }

    #[test]
    fn a_long_line_is_seen_around_the_place() {
        let excerpt =
            Excerpt { before: "b".repeat(160), marked: "\"m\"".to_owned(), after: "a".repeat(160), cut: (true, false) };
        let Window { line, indent, length } = window(&excerpt, 41);
        assert_eq!(line, format!("…{}\"m\"{}…", "b".repeat(18), "a".repeat(18)));
        assert_eq!((indent, length), (19, 3));
        let short = Excerpt { after: String::new(), ..excerpt };
        assert_eq!(window(&short, 41).indent, 38);
        let value = Excerpt { before: "    ".to_owned(), marked: "v".repeat(160), ..Excerpt::default() };
        assert_eq!((window(&value, 30).indent, window(&value, 30).length), (4, 20));
    }

    #[test]
    fn nothing_of_a_file_reaches_the_terminal_as_it_is() {
        let mut problem = example();
        problem.message = "a\u{1b}[31mb\u{202e}".to_owned();
        problem.file = Some("/work/\u{1b}]0;x\u{7}.json".to_owned());
        problem.hint = Some("\r\nc".to_owned());
        problem.pointer = Some("/\u{9b}".to_owned());
        problem.excerpt = Some(Box::new(Excerpt { before: "\u{1b}[2J".to_owned(), ..Excerpt::default() }));
        let shown = block(&problem, Path::new("/work"), false, plain(80));
        assert!(shown.chars().all(|c| !c.is_control() || c == '\n') && !shown.contains('\u{202e}'), "{shown:?}");
    }

    proptest! {
        #[test]
        fn a_window_is_never_too_wide(before in ".{0,60}", marked in ".{0,60}", after in ".{0,60}", columns in 24_usize..90) {
            let excerpt = Excerpt { before, marked, after, cut: (false, true) };
            let Window { line, indent, length } = window(&excerpt, columns);
            prop_assert!(width(&line) <= columns && indent + length <= columns + 1, "{line:?} {indent} {length}");
        }
    }
}
