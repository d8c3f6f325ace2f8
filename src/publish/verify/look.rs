//! The files of entries, looked at as they come: an artifact at once, a pack once its artifact has told what there is
//! to translate. One that is late keeps nothing waiting but its own packs.

use super::files::Files;
use super::pack::Coverage;
use super::{artifact, name_of, pack};
use crate::catalog::Entry;
use crate::disk::Verified;
use crate::fetch::{FetchError, Purpose, Want};
use crate::inspect::{Inspection, Known};
use crate::threads;
use crate::types::Problem;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;

/// A file of an entry, and what came of the look at it.
pub(super) struct Seen {
    /// The place of its entry among those given.
    pub entry: usize,
    pub want: Want,
    pub looked: Result<Found, FetchError>,
}

/// What was found in a file.
pub(super) struct Found {
    pub problems: Vec<Problem>,
    /// Of a pack, where its artifact could be read.
    pub coverage: Option<Coverage>,
}

/// An entry some of whose files have been looked at.
#[derive(Default)]
struct UnderWay {
    /// What there is to translate, once its artifact has been looked at, or cannot be had.
    known: Option<Known>,
    /// The packs that came before.
    early: Vec<(usize, Verified<Vec<u8>>)>,
    seen: usize,
}

/// Looks at the files of some entries, and gives those that were looked at in the order of the entries, each entry's
/// artifact before its packs; what is wrong with a file stands in its place. `done` hears how many entries are done
/// with.
pub(super) fn look_at(entries: &[&Entry], files: &Files, mut done: impl FnMut(usize)) -> Vec<Seen> {
    let wants = entries.iter().enumerate().flat_map(|(at, entry)| wants_of(entry).map(move |want| (at, want)));
    let (of, wants): (Vec<usize>, Vec<Want>) = wants.unzip();
    let is_artifact = |item: usize| wants[item].purpose == Purpose::Artifact;
    let cancel = files.cancel();

    let mut under_way: Vec<UnderWay> = entries.iter().map(|_| UnderWay::default()).collect();
    let mut looked: BTreeMap<usize, Result<Found, FetchError>> = BTreeMap::new();
    let mut entries_done = 0;
    files.each(&wants, is_artifact, |came| {
        let mut seen: Vec<(usize, Result<Found, FetchError>)> = Vec::new();
        let (mut artifacts, mut packs, mut early) = (Vec::new(), Vec::new(), Vec::new());
        for (item, came) in came {
            match came {
                Ok(came) if is_artifact(item) => artifacts.push((item, came)),
                Ok(came) => packs.push((item, came)),
                Err(error) => seen.push((item, Err(error))),
            }
        }

        let looks = threads::map(&artifacts, |(item, came)| {
            let look = |file: &File| artifact::look(file, entries[of[*item]], &name_of(&wants[*item]), cancel);
            came.open(&wants[*item], cancel, look)
        });
        for ((item, _), look) in artifacts.into_iter().zip(looks) {
            let look = look.map(|Inspection { problems, known }| {
                under_way[of[item]].known = Some(known);
                Found { problems, coverage: None }
            });
            seen.push((item, look));
        }
        for (item, _) in seen.iter().filter(|(item, _)| is_artifact(*item)) {
            let entry = &mut under_way[of[*item]];
            entry.known.get_or_insert_default();
            early.append(&mut entry.early);
        }

        packs.retain(|(item, came)| {
            let entry = &mut under_way[of[*item]];
            if entry.known.is_none() {
                match came.read(&wants[*item], cancel) {
                    Ok(bytes) => entry.early.push((*item, bytes)),
                    Err(error) => seen.push((*item, Err(error))),
                }
            }
            entry.known.is_some()
        });
        let ready: BTreeSet<usize> =
            packs.iter().map(|(item, _)| of[*item]).chain(early.iter().map(|(item, _)| of[*item])).collect();
        let ready: Vec<usize> = ready.into_iter().collect();
        let originals = threads::map(&ready, |entry| under_way[*entry].known.as_ref().and_then(Known::originals));
        let originals: BTreeMap<usize, _> = ready.into_iter().zip(originals).collect();
        let look = |item: usize, bytes: &Verified<Vec<u8>>| {
            let originals = originals.get(&of[item]).and_then(Option::as_ref);
            let id = entries[of[item]].manifest.id.as_str();
            let (problems, coverage) = match &wants[item].purpose {
                Purpose::Pack(language) => pack::look(bytes.get(), language, originals, &name_of(&wants[item]), id),
                Purpose::Artifact => (Vec::new(), None),
            };
            Found { problems, coverage }
        };
        let looks = threads::map(&packs, |(item, came)| Ok(look(*item, &came.read(&wants[*item], cancel)?)));
        seen.extend(packs.iter().map(|(item, _)| *item).zip(looks));
        let looks = threads::map(&early, |(item, bytes)| Ok(look(*item, bytes)));
        seen.extend(early.iter().map(|(item, _)| *item).zip(looks));
        drop(originals);
        if cancel.is_asked() {
            // What a look that was broken off found is of no use.
            return;
        }

        for (item, look) in seen {
            let at = of[item];
            under_way[at].seen += 1;
            if under_way[at].seen == files_of(entries[at]) {
                // What there was to translate is not needed any more.
                under_way[at] = UnderWay::default();
                entries_done += 1;
            }
            looked.insert(item, look);
        }
        done(entries_done);
    });
    let items = of.into_iter().zip(wants).enumerate();
    items.filter_map(|(item, (entry, want))| Some(Seen { entry, want, looked: looked.remove(&item)? })).collect()
}

/// How many files an entry has.
pub(super) fn files_of(entry: &Entry) -> usize {
    1 + entry.packs.len()
}

/// Its artifact and its packs.
fn wants_of(entry: &Entry) -> impl Iterator<Item = Want> {
    let Entry { manifest, artifact, packs, .. } = entry;
    let label = format!("{} {}", manifest.id, manifest.version);
    let pack = {
        let label = label.clone();
        move |language: &crate::types::Language| (format!("{label} ({language})"), Purpose::Pack(language.clone()))
    };
    let packs = packs.iter().map(move |offer| (&offer.file, pack(&offer.language)));
    std::iter::once((artifact, (label, Purpose::Artifact))).chain(packs).map(|(file, (label, purpose))| Want {
        url: file.url.clone(),
        expected: file.expected,
        label,
        package: Some(manifest.id.to_string()),
        purpose,
        cache_only: false,
    })
}
