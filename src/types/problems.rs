use super::Cancel;
use super::problem::{Problem, Severity};
use super::rule::Rule;
use super::suggest::Effort;
use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};

/// The most findings told of one check; the others are counted.
pub const MOST_TOLD: usize = 10_000;
/// The last tenth of the room is for codes told fewer times than this: one flood does not hide the rest.
const OF_EACH: usize = 20;
/// The most bytes of text that the findings told have together.
const MOST_TEXT: usize = 16 << 20;
/// How many places the findings not told are counted by; beyond, they are counted by their code alone.
const PLACES: usize = 256;

/// The findings of a check while they are collected. What it holds is bounded, whatever is checked: a few bytes of a
/// file can make a finding each. Nothing is lost silently: what is not told one by one is counted, by code and file,
/// and counts as much in the end ([`Problem::stands_for`]).
///
/// Reads as the slice of what is told so far.
#[derive(Debug)]
pub struct Problems {
    most: usize,
    told: Vec<Problem>,
    text: usize,
    of_code: BTreeMap<&'static Rule, usize>,
    untold: BTreeMap<Untold, usize>,
    effort: Effort,
    cancel: Cancel,
}

/// What findings are counted by that are not told: code, severity, file, package.
type Untold = (&'static Rule, Severity, Option<String>, Option<String>);

impl Default for Problems {
    fn default() -> Self {
        Problems::at_most(MOST_TOLD)
    }
}

impl Problems {
    /// One that tells fewer: of what is read by the thousand.
    pub fn at_most(most: usize) -> Self {
        let (told, of_code, untold) = Default::default();
        Problems { most, told, text: 0, of_code, untold, effort: Effort::default(), cancel: Cancel::default() }
    }

    /// Those of a check that somebody may stop waiting for.
    pub fn until(cancel: &Cancel) -> Self {
        Problems { cancel: cancel.clone(), ..Problems::default() }
    }

    /// Whether nobody waits for them any longer. The check then leaves out what is left of it, and what it found is of
    /// no use.
    pub fn is_stopped(&self) -> bool {
        self.cancel.is_asked()
    }

    /// Adds a finding.
    pub fn push(&mut self, problem: Problem) {
        let text = problem.text_len();
        if problem.stands_for > 1 || !self.has_room(problem.code, text) {
            let Problem { code, severity, file, package, stands_for, .. } = problem;
            return self.count((code, severity, file, package), stands_for);
        }
        self.text += text;
        *self.of_code.entry(problem.code).or_default() += 1;
        self.told.push(problem);
    }

    fn has_room(&self, code: &'static Rule, text: usize) -> bool {
        let (told, flooded) = (self.told.len(), self.most / 10 * 9);
        let is_rare = || self.of_code.get(code).is_none_or(|told| *told < OF_EACH.min(self.most / 20));
        self.text + text <= MOST_TEXT && (told < flooded || (told < self.most && is_rare()))
    }

    /// Whether there is no room left to tell a finding of this code in a file, where one is known. It is counted then,
    /// and need not be put into words: where there are millions, that is what takes the time.
    pub fn is_only_counted(&mut self, code: &'static Rule, severity: Severity, file: Option<&str>) -> bool {
        let is_full = !self.has_room(code, 0);
        if is_full {
            self.count((code, severity, file.map(str::to_owned), None), 1);
        }
        is_full
    }

    fn count(&mut self, mut untold: Untold, stands_for: usize) {
        if self.untold.len() >= PLACES && !self.untold.contains_key(&untold) {
            (untold.2, untold.3) = (None, None);
        }
        *self.untold.entry(untold).or_default() += stands_for;
    }

    /// How many there are, told or not.
    pub fn found(&self) -> usize {
        self.told.len() + self.untold.values().sum::<usize>()
    }

    /// How many errors there are, told or not.
    pub fn errors(&self) -> usize {
        let untold = self.untold.iter().filter(|((_, severity, ..), _)| *severity == Severity::Error);
        Severity::Error.count(&self.told) + untold.map(|(_, count)| count).sum::<usize>()
    }

    /// Whether there are more than are told.
    pub fn is_cut(&self) -> bool {
        !self.untold.is_empty()
    }

    /// Keeps only these of those that are told.
    pub fn retain(&mut self, keep: impl FnMut(&Problem) -> bool) {
        self.told.retain(keep);
    }

    /// [`super::suggest()`], as long as the effort spent on all suggestions of this check is bearable: nobody mends ten
    /// thousand misspelt names one by one.
    pub fn suggest<'k>(&mut self, unknown: &str, known: impl IntoIterator<Item = &'k str>) -> Vec<String> {
        self.effort.suggest(unknown, known.into_iter())
    }

    /// The same of misspellings alone ([`Effort::misspelt`]).
    pub fn misspelt<'k>(&mut self, unknown: &str, known: impl IntoIterator<Item = &'k str>) -> Vec<&'k str> {
        self.effort.misspelt(unknown, known.into_iter())
    }

    /// What a check finds by itself, to be gone through before it is added here.
    pub fn apart(&mut self, check: impl FnOnce(&mut Problems)) -> Problems {
        let mut part = Problems { effort: self.effort, ..Problems::until(&self.cancel) };
        check(&mut part);
        self.effort = part.effort;
        part
    }

    /// All that is told, and for each code and file of what is not how much there is.
    pub fn into_vec(self) -> Vec<Problem> {
        let summed = self.untold.into_iter().map(|((code, severity, file, package), count)| {
            let message = format!("and {} more like this", grouped(count));
            let stands_for = count;
            let problem = Problem::new(code, &super::Pointer::root(), message);
            Problem { severity, file, package, pointer: None, stands_for, ..problem }
        });
        let mut all = self.told;
        all.extend(summed);
        all
    }
}

/// `12,345`
fn grouped(count: usize) -> String {
    let digits = count.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join(",")
}

impl Deref for Problems {
    type Target = [Problem];

    fn deref(&self) -> &[Problem] {
        &self.told
    }
}

impl DerefMut for Problems {
    fn deref_mut(&mut self) -> &mut [Problem] {
        &mut self.told
    }
}

impl Extend<Problem> for Problems {
    fn extend<I: IntoIterator<Item = Problem>>(&mut self, problems: I) {
        problems.into_iter().for_each(|problem| self.push(problem));
    }
}

impl FromIterator<Problem> for Problems {
    fn from_iter<I: IntoIterator<Item = Problem>>(problems: I) -> Self {
        let mut all = Problems::default();
        all.extend(problems);
        all
    }
}

impl From<Vec<Problem>> for Problems {
    fn from(problems: Vec<Problem>) -> Self {
        problems.into_iter().collect()
    }
}

impl IntoIterator for Problems {
    type Item = Problem;
    type IntoIter = std::vec::IntoIter<Problem>;

    fn into_iter(self) -> Self::IntoIter {
        self.into_vec().into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Pointer;

    fn problem(code: &str, message: &str) -> Problem {
        let problem = Problem::new(Rule::named(code), &Pointer::root(), message).severity(Severity::Warning);
        Problem { file: Some("ruleset.json".to_owned()), ..problem }
    }

    #[test]
    fn a_flood_is_counted_and_hides_nothing_else() {
        let mut all = Problems::default();
        all.extend((0..50_000).map(|n| problem("flood", &n.to_string())));
        all.extend((0..3).map(|_| problem("rare", "x")));
        assert_eq!((all.found(), all.len(), all.is_cut()), (50_003, 9_003, true));
        let told = all.into_vec();
        assert!(told.len() <= MOST_TOLD);
        assert_eq!(told.iter().map(|problem| problem.stands_for).sum::<usize>(), 50_003);
        let last = told.last().unwrap();
        assert_eq!((last.code.as_str(), last.message.as_str()), ("flood", "and 41,000 more like this"));
        assert_eq!((last.severity, last.file.as_deref()), (Severity::Warning, Some("ruleset.json")));
        let again: Problems = told.into();
        assert_eq!((again.found(), again.into_vec().len()), (50_003, 9_004), "summed up once more it is the same");
    }

    #[test]
    fn neither_codes_nor_places_nor_texts_without_end_fill_the_memory() {
        let mut all = Problems::default();
        for n in 0..100_000 {
            all.push(Problem { file: Some(n.to_string()), ..problem(&format!("code-{}", n % 700), "x") });
        }
        assert!(all.len() <= MOST_TOLD && all.untold.len() <= PLACES + 700);
        assert_eq!(all.found(), 100_000);
        let deep = (0..200).fold(Pointer::root(), |at, _| at.at("x".repeat(1000)));
        let long: Problems =
            (0..9_000).map(|_| Problem::new(Rule::named("long"), &deep, "x".repeat(1 << 20))).collect();
        assert!(long.text <= MOST_TEXT && long.found() == 9_000);
    }

    #[test]
    fn what_is_only_counted_counts_as_much() {
        let mut all = Problems::default();
        let pushed = (0..50_000)
            .filter(|_| !all.is_only_counted(Rule::named("flood"), Severity::Warning, Some("ruleset.json")))
            .count();
        assert_eq!((pushed, all.found()), (50_000, 0), "as long as there is room nothing is counted");
        all.extend((0..9_000).map(|n| problem("flood", &n.to_string())));
        assert!((0..7).all(|_| all.is_only_counted(Rule::named("flood"), Severity::Warning, Some("ruleset.json"))));
        assert!(!all.is_only_counted(Rule::named("rare"), Severity::Warning, Some("ruleset.json")));
        assert_eq!((all.found(), all.into_vec().last().map(|last| last.stands_for)), (9_007, Some(7)));
    }

    #[test]
    fn large_numbers_are_read_in_groups() {
        assert_eq!([1, 999, 1000, 1_234_567].map(grouped), ["1", "999", "1,000", "1,234,567"]);
    }
}
