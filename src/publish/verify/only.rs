//! Which packages are looked into: those whose ids fit a pattern with `*` for any characters and `?` for one.

use super::listed::Listed;
use crate::types::{Code, Failure, Problem, did_you_mean, suggest};
use std::collections::BTreeSet;

/// The packages that were asked for; all of them without a pattern.
#[derive(Clone, Copy, Debug)]
pub(super) struct Only<'a>(pub &'a [String]);

impl Only<'_> {
    pub fn is_all(self) -> bool {
        self.0.is_empty()
    }

    /// Whether a package is looked into.
    pub fn wants(self, id: Option<&str>) -> bool {
        self.is_all() || id.is_some_and(|id| self.0.iter().any(|pattern| fits(pattern, id)))
    }

    /// Whether a finding is told: one about no package always is.
    pub fn tells(self, problem: &Problem) -> bool {
        problem.package.is_none() || self.wants(problem.package.as_deref())
    }

    /// A package that was asked for and is nowhere is a mistake of whoever asked.
    pub fn refuse_strangers(self, all: &[Listed<'_>]) -> Result<(), Failure> {
        let known: BTreeSet<&str> = all.iter().filter_map(Listed::id).collect();
        let is_strange = |pattern: &&String| !known.iter().any(|id| fits(pattern, id));
        let Some(stranger) = self.0.iter().find(is_strange) else { return Ok(()) };
        if stranger.contains(['*', '?']) {
            return Err(Failure::new(Code::NotInCatalog, format!("no package of the catalog matches `{stranger}`")));
        }
        let failure = Failure::new(Code::NotInCatalog, format!("`{stranger}` is not in the catalog")).package(stranger);
        Err(Failure { hint: did_you_mean(&suggest(stranger, known.into_iter())), ..failure })
    }
}

/// Whether a text fits a pattern. Of several stars only the last one met is ever tried again: what the ones before it
/// took was the least they could.
fn fits(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    let (mut at, mut read, mut star) = (0, 0, None);
    while read < text.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, read));
                at += 1;
            }
            Some(c) if *c == '?' || *c == text[read] => (at, read) = (at + 1, read + 1),
            _ => match star {
                Some((place, taken)) => {
                    star = Some((place, taken + 1));
                    (at, read) = (place + 1, taken + 1);
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_characters_and_a_question_mark_for_one() {
        for (pattern, text) in [
            ("a-b", "a-b"),
            ("*", ""),
            ("a*", "a"),
            ("*road*", "ember-roads"),
            ("a?c", "abc"),
            ("*ab*ab", "abcabab"),
            ("a**", "ab"),
        ] {
            assert!(fits(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in [("a-b", "a-bc"), ("a?", "a"), ("", "a"), ("*b", "abc"), ("a*b*c", "acb"), ("?", "")] {
            assert!(!fits(pattern, text), "{pattern} {text}");
        }
    }
}
