//! Findings as annotations of a GitHub workflow: commands a job prints, which GitHub shows beside the lines they are
//! about.

use super::findings::shown_path;
use super::term::clean_lines;
use crate::types::{Problem, Severity};
use std::path::Path;

/// One line, which GitHub takes for a command: `::error file=…,line=…,col=…,title=…::message`. Paths below `base`, the
/// checked out repository, are given from there on, since only such files can be annotated.
///
/// Of what lies within an artifact the annotation stands at the artifact, and the message begins with the file and the
/// line within.
pub fn annotation(problem: &Problem, base: &Path) -> String {
    let word = match problem.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let mut properties = Vec::new();
    let inner = problem.inner_file();
    if let Some(file) = problem.artifact.as_deref().or(problem.file.as_deref()) {
        properties.push(format!("file={}", property(shown_path(file, base))));
    }
    if inner.is_none() {
        properties.extend(problem.line.map(|line| format!("line={line}")));
        properties.extend(problem.column.map(|column| format!("col={column}")));
        // Of several lines GitHub would show the last, and forget the columns.
        let end = problem.end_line.zip(problem.end_column).filter(|(line, _)| Some(*line) == problem.line);
        properties.extend(end.map(|(line, column)| format!("endLine={line},endColumn={column}")));
    }
    properties.push(format!("title={}", property(problem.code.as_str())));
    let mut message = match (inner, problem.line) {
        (Some(inner), Some(line)) => format!("{inner}, line {line}: {}", problem.message),
        (Some(inner), None) => format!("{inner}: {}", problem.message),
        (None, _) => problem.message.clone(),
    };
    if let Some(hint) = &problem.hint {
        message += &format!("\nhint: {hint}");
    }
    format!("::{word} {}::{}", properties.join(","), escaped(&message))
}

/// Text as a command carries it. The log it goes through is read on terminals too, so it is made harmless first.
fn escaped(text: &str) -> String {
    clean_lines(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Pointer;
    use crate::types::Rule;
    use crate::types::codes;

    fn example() -> Problem {
        let problem = Problem::new(codes::UNKNOWN_ID, &Pointer::root(), "100% wrong:\r\nyes, wrong");
        let (line, column, end_line, end_column) = (Some(3), Some(7), Some(3), Some(9));
        Problem { line, column, end_line, end_column, file: Some("/work/a, b: c.json".to_owned()), ..problem }
    }

    #[test]
    fn a_command_is_one_line_with_everything_escaped() {
        assert_eq!(
            annotation(&example().hint("mend it"), Path::new("/work")),
            "::error file=a%2C b%3A c.json,line=3,col=7,endLine=3,endColumn=9,title=unknown-id::100%25 wrong:%0Ayes, \
             wrong%0Ahint: mend it"
        );
        let long = annotation(&Problem { end_line: Some(4), ..example() }, Path::new("/work"));
        assert!(long.starts_with("::error file=a%2C b%3A c.json,line=3,col=7,title="), "{long}");
        let bare = Problem { severity: Severity::Warning, ..Problem::new(Rule::named("x"), &Pointer::root(), "said") };
        assert_eq!(annotation(&bare, Path::new("/work")), "::warning title=x::said");
    }

    #[test]
    fn what_lies_within_an_artifact_is_told_at_the_artifact() {
        let inner = Problem { file: Some("catalogs/a.json".to_owned()), ..example() }.inside("/work/a.zip");
        let told = annotation(&Problem { message: "wrong".to_owned(), ..inner }, Path::new("/work"));
        assert_eq!(told, "::error file=a.zip,title=unknown-id::catalogs/a.json, line 3: wrong");
    }

    #[test]
    fn no_text_can_begin_a_command_of_its_own() {
        let problem = Problem { message: "a\n::set-output name=x::y\u{1b}[2J".to_owned(), ..example() };
        assert_eq!(annotation(&problem, Path::new("/")).lines().count(), 1);
        assert!(!annotation(&problem, Path::new("/")).contains('\u{1b}'));
    }
}
