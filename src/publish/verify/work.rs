//! The looking into entries: what each says, its files as they come, its icon and its page.

use super::entry::{self, Judged};
use super::files::{Files, absent};
use super::icon::{self, Icon};
use super::listed::{Listed, distinct};
use super::look::{Found, Seen, files_of, look_at};
use super::only::Only;
use super::pages::{self, Asked};
use super::summary::Looked;
use super::tree::Tree;
use super::{Coverage, finding, name_of};
use crate::catalog::{Branch, Entry, official_icon};
use crate::fetch::{FetchError, Fetcher, Purpose};
use crate::threads;
use crate::types::{Pointer, Problem, Problems, Reporter, codes};

/// The entries of a catalog, and what came of the look into them so far.
pub(super) struct Work<'a> {
    pub tree: &'a Tree,
    pub only: Only<'a>,
    /// The branch of the official catalog, if it is that.
    pub official: Option<Branch>,
    pub files: Files<'a>,
    /// What asks for icons and pages, where they are asked for.
    pub asks: Option<&'a Fetcher>,
    pub problems: Problems,
    pub coverage: Vec<Coverage>,
    pub looked: Looked,
}

impl Work<'_> {
    /// Looks into every entry that is wanted, as far as files come and the reader does not ask to stop.
    pub fn look_into(&mut self, all: &[Listed<'_>], reporter: &dyn Reporter) {
        let only = self.only;
        let (wanted, others): (Vec<&Listed>, Vec<&Listed>) =
            distinct(all).into_iter().partition(|listed| only.wants(listed.id()));
        self.looked.leave_out("packages", others.len(), "--only excludes them");
        self.problems.retain(|problem| only.tells(problem));
        reporter.step("Verifying the catalog's files", None);
        let mut before = 0;
        for part in wanted.chunks(self.files.entries_at_once()) {
            let done = |done: usize| reporter.step_advanced((before + done) as u64, wanted.len() as u64);
            self.look_into_part(part, done);
            before += part.len();
            if self.files.cancel().is_asked() {
                break;
            }
        }
        self.looked.leave_out("packages", wanted.len() - before, "the run was interrupted");
        self.look_beside(&wanted, reporter);
        reporter.step_advanced(before as u64, wanted.len() as u64);
    }

    fn look_into_part(&mut self, part: &[&Listed<'_>], done: impl FnMut(usize)) {
        let mut judged: Vec<Judged> = threads::map(part, |listed| entry::judge(listed, self.official));
        let about = part.iter().zip(&mut judged).map(|(listed, judged)| self.about_itself(listed, judged));
        let mut found: Vec<Vec<Problem>> = about.collect();
        let usable = judged.iter().enumerate().filter_map(|(at, judged)| Some((at, judged.entry.as_ref()?)));
        let (at, entries): (Vec<usize>, Vec<&Entry>) = usable.unzip();
        let seen = look_at(&entries, &self.files, done);
        let uncome = entries.iter().map(|entry| files_of(entry)).sum::<usize>() - seen.len();
        if let Some(why) = self.files.why_no_more() {
            self.looked.leave_out("files", uncome, &why);
        }
        for Seen { entry, want, looked } in seen {
            let (found, listed) = (&mut found[at[entry]], part[at[entry]]);
            match looked {
                Ok(Found { problems, coverage }) => {
                    self.looked.file(want.expected.bytes.0);
                    found.extend(problems);
                    self.coverage.extend(coverage);
                    continue;
                }
                // There is no file that this could be about; of a pack, `pack-url` has said it.
                Err(error @ FetchError::NoFileName { .. }) if want.purpose == Purpose::Artifact => {
                    let at_url = Pointer::root().at("artifact").at("url").to_string();
                    let problem = Problem { pointer: Some(at_url), code: codes::ARTIFACT_URL, ..absent(error) };
                    found.push(self.of_entry(problem, listed));
                }
                Err(FetchError::NoFileName { .. }) => {}
                Err(error) => found.push(finding(absent(error), &name_of(&want), listed.id())),
            }
            self.looked.leave_out("files", 1, "they could not be fetched");
        }
        part.iter().for_each(|listed| self.looked.package(listed));
        let unopened = judged.iter().filter(|judged| judged.entry.is_none()).count();
        self.looked.leave_out("artifacts", unopened, "their entries do not say enough to open them");
        self.problems.extend(found.into_iter().flatten());
    }

    /// What was found of an entry before any of its files is looked at.
    fn about_itself(&mut self, listed: &Listed<'_>, judged: &mut Judged) -> Vec<Problem> {
        let problems = std::mem::take(&mut judged.problems);
        let mut found: Vec<Problem> = problems.into_iter().map(|problem| self.of_entry(problem, listed)).collect();
        if let (Some(root), Some(id)) = (&self.tree.root, listed.id()) {
            let is_due = self.official.is_some() && listed.icon.as_ref().is_some_and(|icon| *icon == official_icon(id));
            match icon::check(root, id, is_due) {
                Icon::Sound(bytes) => self.looked.file(bytes),
                Icon::Wrong(problem) => found.push(*problem),
                Icon::Elsewhere => {
                    let named = usize::from(listed.icon.is_some());
                    self.looked.leave_out("icons", named, "they are not on this disk");
                }
            }
        }
        found
    }

    /// Asks for the icons and pages that entries name, where the catalog is served.
    fn look_beside(&mut self, wanted: &[&Listed<'_>], reporter: &dyn Reporter) {
        let Some(fetcher) = self.asks.filter(|_| self.files.why_no_more().is_none()) else {
            let count = |named: fn(&&&Listed) -> bool| wanted.iter().filter(named).count();
            const WHY: &str = "they are requested only for a catalog on a server";
            self.looked.leave_out("documentation pages", count(|listed| listed.page.is_some()), WHY);
            if self.tree.root.is_none() {
                self.looked.leave_out("icons", count(|listed| listed.icon.is_some()), WHY);
            }
            return;
        };
        let Asked { found, came, unasked, unhad } = pages::ask(wanted, self.official, fetcher, reporter);
        if self.files.cancel().is_asked() {
            return self.looked.leave_all_out("icons and documentation pages", "the run was interrupted");
        }
        came.into_iter().for_each(|bytes| self.looked.file(bytes));
        self.looked.leave_out("icons and documentation pages", unasked, "only https addresses are requested");
        self.looked.leave_out("icons and documentation pages", unhad, "they could not be fetched");
        for (at, problem) in found {
            self.problems.push(self.of_entry(problem, wanted[at]));
        }
    }

    /// A finding about an entry, whose pointer begins there.
    fn of_entry(&self, problem: Problem, listed: &Listed<'_>) -> Problem {
        let pointer = format!("{}{}", listed.at, problem.pointer.as_deref().unwrap_or_default());
        let problem = Problem { pointer: Some(pointer), ..problem };
        finding(problem, &self.tree.documents[listed.document].name, listed.id())
    }
}
