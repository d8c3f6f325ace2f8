//! Finishing or taking back a change whose process died (contract, section 4, rules 2 and 9).
//!
//! A change is carried on only if the registry still says of its package what it said when the change began, or what the
//! change was to make of it. Where another program has installed or removed the package meanwhile, its word stands: what
//! the change had moved goes back, unless that program's record describes what lies there now. What cannot be finished
//! is taken back; where neither can be, intent and staging stay for the next run, and that is said.

use super::change::{AddPack, Change, PackChange, Place, Put, Transaction};
use super::clean_up::{clean_up, is_carried_out, rescue};
use super::commit::{Done, Placed, close_intent, parking, put_in_place, take_intent_back, undo};
use super::folder::Folder;
use super::owner::Owner;
use super::record::{self, Fault};
use super::recording::{Befores, own, record_all};
use super::registry::Mark;
use super::{
    Flaw, Installed, Layout, OwnFile, Registry, State, StoreError, StoreLock, check_files, commit, files, rebuild,
    staging, tree,
};
use crate::catalog::Manifest;
use crate::crash;
use crate::types::{Cancel, Warning};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};

/// The code of the warning that somebody else's change was finished.
pub(super) const RECOVERED_CODE: &str = "recovered";
/// And that it was not.
const DROPPED_CODE: &str = "change-dropped";

/// What the intent file holds.
#[derive(Serialize, Deserialize)]
pub(super) struct Intent {
    schema: u32,
    pub transaction: Transaction,
    /// Earlier programs wrote none.
    #[serde(default)]
    before: Befores,
}

/// Writes down what is about to be changed.
pub(super) fn write_intent(layout: &Layout, transaction: &Transaction, before: &Befores) -> Result<(), StoreError> {
    let intent = Intent { schema: 1, transaction: transaction.clone(), before: before.clone() };
    let text = serde_json::to_vec(&intent).unwrap_or_else(|_| unreachable!("texts and numbers are always JSON"));
    let path = layout.intent();
    if text.len() as u64 > record::MOST {
        return Err(StoreError::OversizedRecord { path });
    }
    // It may have its name and only not be flushed: a change told to have failed must not be finished later.
    files::replace(&path, &text).map_err(|error| take_intent_back(layout, StoreError::io("write", &path)(error)))
}

/// The change an intent file tells of, if it is one this program could have begun.
pub(super) fn read_intent(bytes: &[u8]) -> Result<Intent, Fault> {
    record::refuse_newer(bytes)?;
    let intent: Intent = serde_json::from_slice(bytes).map_err(|error| Fault::Damaged(error.to_string()))?;
    match intent.transaction.is_sound() {
        true => Ok(intent),
        false => Err(Fault::Damaged("a record in it is not its package's".to_owned())),
    }
}

/// Finishes or takes back a change whose process died. Runs under the lock, before anything else is looked at.
///
/// # Errors
/// Whatever keeps it from being either; then intent and staging are there for the next run.
pub(super) fn settle(layout: &Layout, _lock: &StoreLock) -> Result<Vec<Warning>, StoreError> {
    let mut warnings = Vec::new();
    for _ in 1..TRIES {
        match settle_once(layout, &mut warnings) {
            Err(StoreError::ChangedMeanwhile { .. }) => {}
            done => return done.map(|()| warnings),
        }
    }
    settle_once(layout, &mut warnings).map(|()| warnings)
}

/// How often it is looked at anew because another program changed a package while it was settled.
const TRIES: usize = 3;

fn settle_once(layout: &Layout, warnings: &mut Vec<Warning>) -> Result<(), StoreError> {
    let path = layout.intent();
    let read = match record::read(&path) {
        Ok(None) => return Ok(()),
        Ok(Some(bytes)) => read_intent(&bytes),
        Err(error @ StoreError::OversizedRecord { .. }) => Err(Fault::Damaged(error.to_string())),
        Err(error) => return Err(error),
    };
    let intent = match read {
        Ok(intent) => intent,
        Err(Fault::Newer(found)) => return Err(StoreError::Newer { path, found }),
        Err(Fault::Damaged(why)) => {
            warnings.push(set_intent_aside(layout, &why)?);
            return Ok(());
        }
    };
    let registry = Registry::read(layout)?;
    let (state, told) = own_record(layout, &registry)?;
    warnings.extend(told);
    refuse_a_vanished_registry(layout, &registry, &intent.before)?;
    let transaction = intent.transaction.clone();
    let mut settling = Settling { layout, registry, state, befores: intent.before, done: Vec::new() };
    warnings.extend(settling.settle(intent.transaction)?);
    // What could not be carried out of the staging folders is not to be swept with them.
    match is_carried_out(layout, &transaction) {
        true => close_intent(layout),
        false => Ok(()),
    }
}

/// Our own record, set right first where it is damaged: what is finished is recorded in it.
fn own_record(layout: &Layout, registry: &Registry) -> Result<(State, Option<Warning>), StoreError> {
    let set_right = |bytes: &[u8], why: &str| {
        let (state, warning) = rebuild::set_right(layout, registry, bytes, why)?;
        Ok((state, Some(warning)))
    };
    let bytes = match record::read(&layout.state()) {
        Err(error @ StoreError::OversizedRecord { .. }) => return set_right(&[], &error.to_string()),
        read => read?,
    };
    match own(layout, bytes.as_deref()) {
        Err(StoreError::DamagedRecord { why, .. }) => set_right(bytes.as_deref().unwrap_or_default(), &why),
        read => Ok((read?, None)),
    }
}

/// A registry that is gone says nothing about what another program did to a package it had.
fn refuse_a_vanished_registry(layout: &Layout, registry: &Registry, befores: &Befores) -> Result<(), StoreError> {
    let had = befores.iter().filter(|(_, before)| before.record.is_some());
    let packages: Vec<String> = had.map(|(owner, _)| owner.to_string()).collect();
    match registry.is_present() || packages.is_empty() {
        true => Ok(()),
        false => Err(StoreError::MissingRegistry { path: layout.registry(), packages }),
    }
}

/// An intent that cannot be read may name what any dead run had staged, and that may be the only copy of what lay there
/// before: all of it is kept beside the intent, where no sweep finds it.
fn set_intent_aside(layout: &Layout, why: &str) -> Result<Warning, StoreError> {
    let intent = layout.intent();
    let cannot = || StoreError::io("set aside", &intent);
    let aside = files::free_name(&intent, commit::DAMAGED).map_err(cannot())?;
    let mut kept = vec![aside.display().to_string()];
    for folder in staging::leftovers(layout).map_err(StoreError::io("look into", layout.packages()))? {
        if !staging::is_dead(&folder) || !holds(&folder) {
            continue;
        }
        let mut name = aside.as_os_str().to_owned();
        name.push(folder.file_name().unwrap_or_default());
        let to = PathBuf::from(name);
        files::rename(&folder, &to).map_err(StoreError::io("set aside", &folder))?;
        kept.push(to.display().to_string());
    }
    files::rename(&intent, &aside).map_err(cannot())?;
    let text = format!(
        "the record of an unfinished change could not be read ({why}); it and what it may speak of now are {}",
        kept.join(", ")
    );
    Ok(Warning::new("damaged-intent", text))
}

/// Whether anything is staged in a folder, or that cannot be told.
fn holds(folder: &Path) -> bool {
    let (parent, name) = (folder.parent().unwrap_or(folder), folder.file_name().unwrap_or_default());
    let entries =
        Folder::below(parent, Path::new(name)).and_then(|folder| folder.map_or(Ok(Vec::new()), |it| it.entries()));
    match entries {
        Ok(entries) => entries.iter().any(|(name, _)| name != staging::HOLD),
        // A file or link was to get its name, and nothing names it.
        Err(error) => error.kind() != io::ErrorKind::NotADirectory,
    }
}

/// How a change stands towards what the records say by now.
enum Standing {
    /// The records are as they were: it is to be finished, or taken back.
    Open,
    /// The records say it is made: only what it replaced is still to go.
    Made,
    /// Another program has changed the package since.
    Theirs,
}

/// Where something staged is by now.
#[derive(PartialEq)]
enum Lies {
    Staged,
    Placed,
    /// In neither place, or not whole.
    Nowhere,
}

struct Settling<'a> {
    layout: &'a Layout,
    registry: Registry,
    state: State,
    befores: Befores,
    /// The steps that are undone when the records cannot be written.
    done: Vec<Done>,
}

impl Settling<'_> {
    fn settle(&mut self, Transaction { changes, language }: Transaction) -> Result<Vec<Warning>, StoreError> {
        let mut carried = Vec::new();
        let mut dropped = Vec::new();
        let mut is_recorded = false;
        for change in changes {
            match self.standing(&change) {
                Standing::Made => {
                    // A step was lost to a later damage at most; that is for `doctor`.
                    let _ = self.bring(&change, &mut Vec::new());
                    is_recorded = true;
                    carried.push(change);
                }
                Standing::Theirs => {
                    self.stand_back(&change)?;
                    let why = "another program has installed, removed or changed it since".to_owned();
                    dropped.push((change, why));
                }
                Standing::Open => {
                    is_recorded |= change.is_written(&self.state);
                    match self.bring_or_take_back(&change)? {
                        None => carried.push(change),
                        Some(why) => dropped.push((change, why.to_string())),
                    }
                }
            }
        }
        let mut records = Transaction { changes: carried, language };
        if let Err(error) = self.record(&records, &dropped) {
            if matches!(error, StoreError::ChangedMeanwhile { .. }) {
                // What goes back now is for another look to say.
                return Err(error);
            }
            if undo(self.layout, std::mem::take(&mut self.done)).is_err() {
                return Err(unfinished(names(records.changes.iter()), error));
            }
            if is_recorded || !dropped.is_empty() {
                return Err(error);
            }
            let why = error.to_string();
            dropped.extend(std::mem::take(&mut records.changes).into_iter().map(|change| (change, why.clone())));
        }
        let mut warnings = clean_up(self.layout, &records);
        if !records.changes.is_empty() {
            let text = format!("finished what an interrupted run had begun for {}", names(records.changes.iter()));
            warnings.push(Warning::new(RECOVERED_CODE, text));
        }
        for (change, why) in &dropped {
            warnings.extend(rescue(self.layout, change));
            let text = format!("took back what an interrupted run had begun for {}: {why}", change.id);
            warnings.push(Warning::new(DROPPED_CODE, text).about(&change.id));
        }
        Ok(warnings)
    }

    /// Records what was finished, and of what was not takes our own record back.
    fn record(&mut self, carried: &Transaction, dropped: &[(Change, String)]) -> Result<(), StoreError> {
        let mut transaction = carried.clone();
        let mut befores = self.befores.clone();
        for (change, _) in dropped {
            if let Some(before) = befores.remove(&change.id)
                && change.is_written(&self.state)
            {
                transaction.changes.push(change.taken_back(&before));
            }
        }
        record_all(self.layout, &transaction, &befores, &mut self.done)
    }

    fn standing(&self, change: &Change) -> Standing {
        let is_written = change.is_written(&self.state);
        let Owner::Package(id) = &change.id else {
            return if is_written { Standing::Made } else { Standing::Open };
        };
        let present = self.registry.mark(id);
        let Some(before) = self.befores.get(&change.id) else { return standing_at_a_guess(change, present.as_ref()) };
        let after = change.mark_after(before);
        if present == after && after != before.record {
            Standing::Made
        } else if present != before.record {
            Standing::Theirs
        } else if is_written && matches!(change.record, Put::Keep) {
            Standing::Made
        } else {
            Standing::Open
        }
    }

    /// Brings what was staged into place. What cannot be is taken back as a whole, and why is given.
    fn bring_or_take_back(&mut self, change: &Change) -> Result<Option<StoreError>, StoreError> {
        let mut steps = Vec::new();
        match self.bring(change, &mut steps) {
            Ok(()) => {
                self.done.append(&mut steps);
                Ok(None)
            }
            Err(why) => match undo(self.layout, steps) {
                Ok(()) => self.stand_back(change).map(|()| Some(why)),
                Err(_) => Err(unfinished(change.id.to_string(), why)),
            },
        }
    }

    /// Brings what was staged into place unless it is there already; the steps are those of the dead run as well.
    fn bring(&self, change: &Change, steps: &mut Vec<Done>) -> Result<(), StoreError> {
        let layout = self.layout;
        if let Some(place) = &change.place {
            let (staged, target) = (layout.packages().join(&place.staged), layout.folder(&change.id, &place.version));
            unpark(layout, &staged, &target)?;
            bring_one(layout, folder_lies(layout, change, place)?, &staged, &target, steps)?;
            crash::point("folder-placed");
        }
        for (version, add) in added(change) {
            let root = layout.folder(&change.id, version);
            let (staged, target) = (layout.packages().join(&add.staged), Layout::pack_in(&root, &add.pack.language));
            unpark(layout, &staged, &target)?;
            bring_one(layout, pack_lies(layout, &staged, &target, add)?, &staged, &target, steps)?;
            crash::point("pack-placed");
        }
        match &change.record {
            Put::Set(record) => self.refuse_a_folder_that_is_not_there(change, &Mark::of(record)),
            Put::Keep | Put::Remove => Ok(()),
        }
    }

    /// No record is ever made of a version whose folder is gone.
    fn refuse_a_folder_that_is_not_there(&self, change: &Change, record: &Mark) -> Result<(), StoreError> {
        let folder = record.version.as_ref().map(|version| self.layout.folder(&change.id, version));
        match folder {
            Some(folder) if !is_there(self.layout, &folder)? => Err(is_gone(&folder)),
            _ => Ok(()),
        }
    }

    /// What the records say stands, whoever wrote them. What the change had put in place goes back, but for a version
    /// folder that is just what its record describes.
    fn stand_back(&self, change: &Change) -> Result<(), StoreError> {
        let layout = self.layout;
        let mut steps = Vec::new();
        if let Some(place) = &change.place {
            let (staged, target) = (layout.packages().join(&place.staged), layout.folder(&change.id, &place.version));
            unpark(layout, &staged, &target)?;
            if self.goes_back(change, place, &staged, &target)? {
                steps.push(placed(&staged, &target)?);
            }
        }
        for (version, add) in added(change) {
            let target = Layout::pack_in(&layout.folder(&change.id, version), &add.pack.language);
            let staged = layout.packages().join(&add.staged);
            unpark(layout, &staged, &target)?;
            if pack_lies(layout, &staged, &target, add)? == Lies::Placed {
                steps.push(placed(&staged, &target)?);
            }
        }
        undo(layout, steps).map_err(|why| unfinished(change.id.to_string(), why))
    }

    /// Whether the folder that a change has exchanged or put in place goes back: unless it is what the record describes.
    fn goes_back(&self, change: &Change, place: &Place, staged: &Path, target: &Path) -> Result<bool, StoreError> {
        let lies = folder_lies(self.layout, change, place)?;
        Ok(match self.described(change, &place.version) {
            _ if lies == Lies::Staged => false,
            None => lies == Lies::Placed,
            Some(own) if is_whole(self.layout, target, &own)? => false,
            Some(own) => {
                lies == Lies::Placed
                    || is_whole(self.layout, staged, &own)?
                    || is_whole(self.layout, &parking(staged), &own)?
            }
        })
    }

    /// What a version folder must hold by the record that now stands, if that names the version.
    fn described(&self, change: &Change, version: &str) -> Option<Vec<OwnFile>> {
        let Owner::Package(id) = &change.id else { return None };
        let Installed { version: active, manifest, previous, .. } = self.registry.ruleset(id)?;
        let manifest = match previous {
            _ if active.as_str() == version => Some(manifest),
            Some(previous) if previous.version.as_str() == version => previous.manifest,
            _ => return None,
        };
        let manifest = manifest.and_then(|manifest| Manifest::parse(manifest.get()).ok());
        // Of a version without a manifest nobody can tell, so what lies there stays.
        Some(manifest.as_ref().map(rebuild::declared).unwrap_or_default())
    }
}

/// What an earlier program began, which did not write down how it found the records: a record made later than the one to
/// come is another program's, and a pack is for a version that is there.
fn standing_at_a_guess(change: &Change, present: Option<&Mark>) -> Standing {
    let moment = |mark: &Mark| mark.installed_at.as_ref()?.parse::<jiff::Timestamp>().ok();
    match &change.record {
        Put::Set(record) if present == Some(&Mark::of(record)) => Standing::Made,
        Put::Set(record) if present.and_then(moment) > moment(&Mark::of(record)) => Standing::Theirs,
        Put::Remove if present.is_none() => Standing::Made,
        Put::Keep if present.is_none() => Standing::Theirs,
        _ => Standing::Open,
    }
}

fn unfinished(packages: String, why: StoreError) -> StoreError {
    StoreError::Unfinished { packages, why: Box::new(why) }
}

fn names<'a>(changes: impl Iterator<Item = &'a Change>) -> String {
    changes.map(|change| change.id.to_string()).collect::<Vec<_>>().join(", ")
}

/// The packs a change adds, each with the version it belongs to.
fn added(change: &Change) -> impl Iterator<Item = (&str, &AddPack)> {
    change.packs.iter().filter_map(|PackChange { version, add, .. }| Some((version.as_str(), add.as_ref()?)))
}

/// Where a system cannot exchange, the old one may have been moved away and the new one not yet put there.
/// A folder that cannot be renamed may have been moved in part.
fn unpark(layout: &Layout, staged: &Path, target: &Path) -> Result<(), StoreError> {
    let back = || {
        let parked = parking(staged);
        match is_staged(layout, staged)? && files::exists(&parked)? {
            true if !files::exists(target)? => files::rename(&parked, target),
            true if files::is_real_folder(&parked)? && files::exists(staged)? => files::carry(&parked, target),
            _ => Ok(()),
        }
    };
    back().map_err(StoreError::io("put back", target))
}

fn bring_one(
    layout: &Layout,
    lies: Lies,
    staged: &Path,
    target: &Path,
    steps: &mut Vec<Done>,
) -> Result<(), StoreError> {
    match lies {
        Lies::Staged => put_in_place(layout, staged, target, steps),
        Lies::Placed => {
            // Gone again only if nothing is in it.
            steps.extend(target.parent().map(|parent| Done::Made(parent.to_owned())));
            steps.push(placed(staged, target)?);
            Ok(())
        }
        Lies::Nowhere => Err(is_gone(target)),
    }
}

fn is_gone(target: &Path) -> StoreError {
    let why = io::Error::new(io::ErrorKind::NotFound, "what was staged for it is gone");
    StoreError::io("put in place", target)(why)
}

/// How the dead run put something in place, as what it left says.
fn placed(staged: &Path, target: &Path) -> Result<Done, StoreError> {
    let parked = parking(staged);
    let exists = |path: &Path| files::exists(path).map_err(StoreError::io("look at", path));
    let how = match (exists(&parked)?, exists(staged)?) {
        (true, _) => Placed::Parked(parked),
        (false, true) => Placed::Exchanged,
        (false, false) => Placed::New,
    };
    Ok(Done::Placed { staged: staged.to_owned(), target: target.to_owned(), how })
}

/// A folder is still staged while it holds just what was staged, and so do its packs, which follow it; another one was
/// exchanged for it. Where old and new are the same to the byte, it makes no difference.
fn folder_lies(layout: &Layout, change: &Change, place: &Place) -> Result<Lies, StoreError> {
    let staged = layout.packages().join(&place.staged);
    let look_into = |error| StoreError::io("look into", &staged)(error);
    let is_just_that = is_staged(layout, &staged).map_err(look_into)?
        && is_whole(layout, &staged, &place.files)?
        && tree::files_below(layout, &staged).map_err(look_into)?.len() == place.files.len();
    let mut packs_wait = true;
    for (_, add) in added(change).filter(|(version, _)| *version == place.version) {
        packs_wait &= is_the_pack(layout, &layout.packages().join(&add.staged), add)?;
    }
    Ok(if is_just_that && packs_wait {
        Lies::Staged
    } else if is_whole(layout, &layout.folder(&change.id, &place.version), &place.files)? {
        Lies::Placed
    } else {
        Lies::Nowhere
    })
}

fn pack_lies(layout: &Layout, staged: &Path, target: &Path, add: &AddPack) -> Result<Lies, StoreError> {
    let is_staged = is_staged(layout, staged).map_err(StoreError::io("look into", staged))?;
    Ok(if is_staged && is_the_pack(layout, staged, add)? {
        Lies::Staged
    } else if is_the_pack(layout, target, add)? {
        Lies::Placed
    } else {
        Lies::Nowhere
    })
}

/// Whether the staging folder is no link: what lies behind one was not staged, and is neither moved nor removed.
fn is_staged(layout: &Layout, staged: &Path) -> io::Result<bool> {
    match layout.open(staged.parent().unwrap_or(staged)) {
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(false),
        folder => Ok(folder?.is_some()),
    }
}

/// Whether a folder is there that is reached through no link.
fn is_there(layout: &Layout, folder: &Path) -> Result<bool, StoreError> {
    match layout.open(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(false),
        found => Ok(found.map_err(StoreError::io("look into", folder))?.is_some()),
    }
}

fn is_the_pack(layout: &Layout, path: &Path, add: &AddPack) -> Result<bool, StoreError> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name().and_then(|name| name.to_str())) else {
        return Ok(false);
    };
    is_whole(layout, folder, &[OwnFile { path: name.to_owned(), expected: Some(add.pack.file) }])
}

/// Whether a folder holds these files as they must be. What cannot be read is neither: nothing follows from it.
fn is_whole(layout: &Layout, root: &Path, own: &[OwnFile]) -> Result<bool, StoreError> {
    if !is_there(layout, root)? {
        return Ok(false);
    }
    let flaws = check_files(layout, root, own, &Cancel::default()).map_err(StoreError::unverified(root))?;
    match flaws.iter().find(|flaw| matches!(flaw, Flaw::Unreadable { .. })) {
        Some(flaw) => Err(StoreError::io("settle", root)(io::Error::other(flaw.to_string()))),
        None => Ok(flaws.is_empty()),
    }
}
