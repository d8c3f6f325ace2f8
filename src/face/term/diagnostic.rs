//! Failures and warnings as people read them.

use super::{LongWord, Look, Role, clean_lines, width, wrap};
use crate::types::{Failure, Warning};

/// The narrowest a text is set beside its label.
const NARROWEST: usize = 20;

/// A failure: what went wrong, then where and what to do next, each on lines of its own; package and address only when
/// the message does not name them. Ends in a line end.
pub fn failure(failure: &Failure, look: Look) -> String {
    block(failure, failure.hint.as_deref(), look)
}

/// Several failures, a blank line between them. Advice that several in a row share is given once, after the last.
pub fn failures(failures: &[Failure], look: Look) -> String {
    let mut blocks = Vec::new();
    for (i, failure) in failures.iter().enumerate() {
        let comes_again = failures.get(i + 1).is_some_and(|next| next.hint == failure.hint);
        blocks.push(block(failure, failure.hint.as_deref().filter(|_| !comes_again), look));
    }
    blocks.join("\n")
}

/// Warnings, each on one line where it fits: the package stands below only when the message does not name it.
pub fn warnings(warnings: &[Warning], look: Look) -> String {
    let mut text = String::new();
    for warning in warnings {
        text += &labelled("warning: ", Role::Warn, &warning.message, look);
        if let Some(package) = unnamed(warning.package.as_deref(), &warning.message) {
            text += &labelled("  package: ", Role::Dim, package, look);
        }
    }
    text
}

fn block(failure: &Failure, hint: Option<&str>, look: Look) -> String {
    let mut text = headed(&format!("error[{}]:", failure.code), &failure.message, look);
    let details = [
        ("  package: ", Role::Dim, unnamed(failure.package.as_deref(), &failure.message)),
        ("  url: ", Role::Dim, failure.url.as_deref().filter(|url| !failure.message.contains(url))),
        ("  hint: ", Role::Strong, hint),
    ];
    for (label, role, detail) in details {
        if let Some(detail) = detail {
            text += &labelled(label, role, detail, look);
        }
    }
    text
}

/// How far the further lines of a message stand in, below a label that may be long.
const INDENT: usize = 7;

/// The message beside what it is headed by.
fn headed(label: &str, message: &str, look: Look) -> String {
    let columns = look.width.saturating_sub(INDENT).max(NARROWEST);
    let lines = wrap(&format!("{label} {}", clean_lines(message)), columns, LongWord::Keep);
    let mut shown = String::new();
    for (n, line) in lines.iter().enumerate() {
        match line.strip_prefix(label).filter(|_| n == 0) {
            Some(rest) => shown += &format!("{}{rest}", look.palette.paint(Role::Error, label)),
            None if line.is_empty() => {}
            None => shown += &format!("{:INDENT$}{line}", ""),
        }
        shown.push('\n');
    }
    shown
}

/// The text beside its label, its further lines below its first. Long words stay whole, so that addresses, paths and
/// commands can be copied.
fn labelled(label: &str, role: Role, text: &str, look: Look) -> String {
    let columns = look.width.saturating_sub(width(label)).max(NARROWEST);
    let mut shown = look.palette.paint(role, label.trim_end()).to_string();
    let mut lead = " ".to_owned();
    for line in wrap(&clean_lines(text), columns, LongWord::Keep) {
        if !line.is_empty() {
            shown += &lead;
            shown += &line;
        }
        shown.push('\n');
        lead = " ".repeat(width(label));
    }
    shown
}

/// The package, unless the message names it already.
fn unnamed<'a>(package: Option<&'a str>, message: &str) -> Option<&'a str> {
    package.filter(|package| !names(message, package))
}

/// Whether the message names the package, not just a part of a longer id.
fn names(message: &str, package: &str) -> bool {
    let quoted = || message.contains(&format!("`{package}`"));
    quoted() || message.split(|c: char| !c.is_alphanumeric() && !matches!(c, '-' | '_')).any(|word| word == package)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::face::term::Palette;
    use crate::types::Code;
    use crate::types::Rule;
    use proptest::prelude::*;

    fn narrow(width: usize) -> Look {
        Look { width, ..Look::PLAIN }
    }

    fn example() -> Failure {
        let mut failure = Failure::new(Code::ChecksumMismatch, "the language pack is not the one the catalog lists")
            .package("ember-roads")
            .hint("an old copy may still be served: try again in some minutes");
        failure.url = Some("https://example.org/ember-roads-1.0.0.ru.json".into());
        failure
    }

    #[test]
    fn a_failure_says_what_where_and_what_next() {
        assert_eq!(
            failure(&example(), Look::PLAIN),
            "error[checksum-mismatch]: the language pack is not the one the catalog lists\n  package: ember-roads\n  url: \
             https://example.org/ember-roads-1.0.0.ru.json\n  hint: an old copy may still be served: try again in \
             some minutes\n"
        );
    }

    #[test]
    fn lines_are_broken_at_words_and_hang_below_their_first() {
        assert_eq!(
            failure(&example(), narrow(40)),
            "error[checksum-mismatch]: the\n       language pack is not the one the\n       catalog lists\n  package: ember-roads\n  url: \
             https://example.org/ember-roads-1.0.0.ru.json\n  hint: an old copy may still be served:\n        try \
             again in some minutes\n"
        );
    }

    #[test]
    fn only_labels_are_coloured() {
        let look = Look { palette: Palette::new(true), ..Look::PLAIN };
        let text = failure(&Failure::new(Code::Io, "no"), look);
        assert_eq!(text, "\u{1b}[1m\u{1b}[31merror[io]:\u{1b}[0m no\n");
    }

    #[test]
    fn untrusted_text_is_made_harmless() {
        let text = failure(&Failure::new(Code::Io, "bad \u{1b}[2J\nname").hint("\u{202e}x"), Look::PLAIN);
        assert_eq!(text, "error[io]: bad \\u{1b}[2J\n       name\n  hint: \\u{202e}x\n");
    }

    #[test]
    fn shared_advice_is_given_once() {
        let offline = |id: &str| Failure::new(Code::Offline, "not in the cache").package(id).hint("go online");
        let text = failures(&[offline("a"), offline("b"), Failure::new(Code::Io, "no")], Look::PLAIN);
        assert_eq!(
            text,
            "error[offline]: not in the cache\n  package: a\n\nerror[offline]: not in the cache\n  package: b\n  hint: go \
             online\n\nerror[io]: no\n"
        );
        assert_eq!(failures(&[], Look::PLAIN), "");
    }

    #[test]
    fn a_warning_names_its_package_once() {
        let told = Warning::new(Rule::named("pack"), "ember-roads stays in English").about("ember-roads");
        assert_eq!(warnings(&[told], Look::PLAIN), "warning: ember-roads stays in English\n");
        let untold = Warning::new(Rule::named("pack"), "ember-roads-2 stays in English").about("ember-roads");
        assert_eq!(
            warnings(&[untold], Look::PLAIN),
            "warning: ember-roads-2 stays in English\n  package: ember-roads\n"
        );
    }

    #[test]
    fn an_address_in_the_message_is_not_repeated() {
        let mut gone = Failure::new(Code::HttpError, "https://example.org/a answered 404");
        gone.url = Some("https://example.org/a".into());
        assert_eq!(failure(&gone, Look::PLAIN), "error[http-error]: https://example.org/a answered 404\n");
    }

    proptest! {
        #[test]
        fn no_text_breaks_out_of_its_block(message in any::<String>(), columns in 0_usize..100) {
            let text = failure(&Failure::new(Code::Io, message), narrow(columns));
            prop_assert!(text.starts_with("error[io]:") && text.ends_with('\n'));
            prop_assert!(text.lines().skip(1).all(|line| line.is_empty() || line.starts_with("       ")));
        }
    }
}
