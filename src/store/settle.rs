//! Finishing or taking back a change whose process died (docs/spec/commands.md#store-2, #store-9).
//!
//! A change is carried on only if the registry still says of its package what it said when the change began, or what
//! the change was to make of it. Where another program has installed or removed the package meanwhile, its word stands:
//! what the change had moved goes back, unless that program's record describes what lies there now. What cannot be
//! finished is taken back; where neither can be, intent and staging stay for the next run, and that is said.

use super::change::{Befores, Change, Put, Transaction, VersionPlacement};
use super::clean_up::{Cleaned, clean_up, rescue};
use super::intent::{Decision, Intent, close_intent, read_intent, set_intent_aside};
use super::owner::Owner;
use super::record::{self, Fault};
use super::recording::{own, record_all};
use super::registry::Mark;
use super::steps::{Done, parking, undo, unpark};
use super::whereabouts::{Lies, added, bring_one, folder_lies, is_the_pack, is_there, is_whole, pack_lies, placed};
use super::{Installed, Layout, OwnFile, Registry, State, StoreError, StoreLock, rebuild};
use crate::catalog::Manifest;
use crate::crash;
use crate::types::{Warning, codes};
use std::collections::BTreeSet;
use std::path::Path;

/// Who began the change that is settled.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum By {
    InterruptedRun,
    /// What this run does is its own to tell.
    ThisRun,
}

/// Finishes or takes back a change that somebody began and that is not made. Runs under the lock, before anything else
/// is looked at.
///
/// # Errors
/// Whatever keeps it from being either; then intent and staging are there for the next run.
pub(super) fn settle(layout: &Layout, _lock: &StoreLock, by: By) -> Result<Vec<Warning>, StoreError> {
    let mut warnings = Vec::new();
    for _ in 1..TRIES {
        match settle_once(layout, by, &mut warnings) {
            Err(StoreError::ChangedMeanwhile { .. }) => {}
            done => return done.map(|()| warnings),
        }
    }
    settle_once(layout, by, &mut warnings).map(|()| warnings)
}

/// How often it is looked at anew because another program changed a package while it was settled.
const TRIES: usize = 3;

fn settle_once(layout: &Layout, by: By, warnings: &mut Vec<Warning>) -> Result<(), StoreError> {
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
    let changes = intent.transaction.changes.clone();
    settle_intent(layout, &registry, intent, by, warnings).map_err(|error| match error {
        StoreError::ChangedMeanwhile { .. } | StoreError::Unfinished { .. } | StoreError::Newer { .. } => error,
        error if changes.iter().any(|change| is_between(layout, &registry, change)) => {
            unfinished(names(changes.iter()), error)
        }
        error => error,
    })
}

fn settle_intent(
    layout: &Layout,
    registry: &Registry,
    intent: Intent,
    by: By,
    warnings: &mut Vec<Warning>,
) -> Result<(), StoreError> {
    let (state, told) = own_record(layout, registry)?;
    warnings.extend(told);
    refuse_a_vanished_registry(layout, registry, &intent.before)?;
    let mut settling = Settling { layout, registry, state, intent, by, done: Vec::new() };
    let cleaned = settling.settle()?;
    warnings.extend(cleaned.warnings);
    // What could not be carried out of the staging folders is not to be swept with them.
    match cleaned.is_done {
        true => close_intent(layout),
        false => Ok(()),
    }
}

/// Whether a folder that the registry names is not what the registry says of it: there a reader must not go on.
fn is_between(layout: &Layout, registry: &Registry, change: &Change) -> bool {
    change.place.as_ref().is_some_and(|place| {
        let described = described(registry, change, &place.version);
        described.is_some_and(|own| !is_whole(layout, &layout.folder(&change.id, &place.version), &own).unwrap_or(true))
    })
}

/// What a version folder must hold by the record that now stands, if that names the version.
fn described(registry: &Registry, change: &Change, version: &str) -> Option<Vec<OwnFile>> {
    let Owner::Package(id) = &change.id else { return None };
    let Installed { version: active, manifest, previous, .. } = registry.ruleset(id)?;
    let manifest = match previous {
        _ if active.as_str() == version => Some(manifest),
        Some(previous) if previous.version.as_str() == version => previous.manifest,
        _ => return None,
    };
    let manifest = manifest.and_then(|manifest| Manifest::parse(manifest.get()).ok());
    // Of a version without a manifest nobody can tell, so what lies there stays.
    Some(manifest.as_ref().map(rebuild::declared).unwrap_or_default())
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

/// How a change stands towards what the records say by now.
enum Standing {
    /// The records are as they were: it is to be finished, or taken back where all that it replaced is sure to be
    /// there.
    Open { may_go_back: bool },
    /// It is made: only what it replaced is still to go.
    Made,
    /// It is taken back: only what it had staged is still to go.
    TakenBack(String),
    /// Another program has changed the package since.
    Theirs,
}

/// What becomes of the changes of one intent.
#[derive(Default)]
struct Sorted {
    carried: Vec<Change>,
    /// Those that came to nothing, and why.
    dropped: Vec<(Change, String)>,
    /// Of those, the ones whose version folder stays as they had put it in place: another program's record describes
    /// it.
    stay: BTreeSet<Owner>,
    /// Whether the records say already of any that it is made.
    is_recorded: bool,
}

struct Settling<'a> {
    layout: &'a Layout,
    registry: &'a Registry,
    state: State,
    intent: Intent,
    by: By,
    /// The steps that are undone when the records cannot be written.
    done: Vec<Done>,
}

impl Settling<'_> {
    fn settle(&mut self) -> Result<Cleaned, StoreError> {
        let Transaction { changes, language } = self.intent.transaction.clone();
        let sorted = self.bring_all(changes).inspect_err(|_| {
            // Nothing is recorded yet; what stays where it is all the same, the next run finds there.
            let _ = undo(self.layout, std::mem::take(&mut self.done));
        });
        let Sorted { carried, mut dropped, stay, is_recorded } = sorted?;
        let mut records = Transaction { changes: carried, language };
        if let Err(error) = self.record(&records, &dropped, &stay) {
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
        self.write_decided(&records, &dropped)?;
        let mut cleaned = clean_up(self.layout, &records);
        let warnings = &mut cleaned.warnings;
        if !records.changes.is_empty() && self.by == By::InterruptedRun {
            let text = format!("finished an interrupted change of {}", names(records.changes.iter()));
            warnings.push(Warning::new(codes::RECOVERED, text));
        }
        for (change, why) in &dropped {
            cleaned.add(rescue(self.layout, change));
            let what = if self.by == By::ThisRun { "the change" } else { "an interrupted change" };
            let text = format!("undid {what} of {}: {why}", change.id);
            cleaned.warnings.push(Warning::new(codes::CHANGE_DROPPED, text).about(&change.id));
        }
        Ok(cleaned)
    }

    /// Writes down what was decided, before anything is removed, unless the records tell it. Where that fails all is
    /// left to the next run.
    fn write_decided(&mut self, made: &Transaction, dropped: &[(Change, String)]) -> Result<(), StoreError> {
        let befores = &self.intent.before;
        let is_told = |change: &Change| befores.get(&change.id).is_none_or(|old| change.is_told_by_records(old));
        let made = made.changes.iter().filter(|change| !is_told(change));
        let made = made.map(|change| (change.id.clone(), Decision::Made));
        let taken_back = |(change, why): &(Change, String)| {
            let why = why.clone();
            change.staged().next().is_some().then(|| (change.id.clone(), Decision::TakenBack { why }))
        };
        let decided = made.chain(dropped.iter().filter_map(taken_back)).collect();
        if decided == self.intent.decided {
            return Ok(());
        }
        self.intent.decided = decided;
        self.intent.write(self.layout)
    }

    fn bring_all(&mut self, changes: Vec<Change>) -> Result<Sorted, StoreError> {
        let mut sorted = Sorted::default();
        for change in changes {
            match self.standing(&change)? {
                Standing::Made => {
                    sorted.is_recorded = true;
                    sorted.carried.push(change);
                }
                Standing::TakenBack(why) => sorted.dropped.push((change, why)),
                Standing::Theirs => {
                    if self.stand_back(&change, false)? {
                        sorted.stay.insert(change.id.clone());
                    }
                    let why = "another program has installed, removed or changed it since".to_owned();
                    sorted.dropped.push((change, why));
                }
                Standing::Open { may_go_back } => {
                    sorted.is_recorded |= !may_go_back;
                    match self.bring_or_take_back(&change, may_go_back)? {
                        None => sorted.carried.push(change),
                        Some(why) => sorted.dropped.push((change, why.to_string())),
                    }
                }
            }
        }
        Ok(sorted)
    }

    /// Records what was finished, and of what was not takes our own record back, unless its folder stays.
    fn record(
        &mut self,
        carried: &Transaction,
        dropped: &[(Change, String)],
        stay: &BTreeSet<Owner>,
    ) -> Result<(), StoreError> {
        let mut transaction = carried.clone();
        let mut befores = self.intent.before.clone();
        for (change, _) in dropped {
            if let Some(before) = befores.remove(&change.id)
                && change.is_written(&self.state)
                && !stay.contains(&change.id)
            {
                transaction.changes.push(change.taken_back(&before));
            }
        }
        record_all(self.layout, &transaction, &befores, &mut self.done)
    }

    fn standing(&self, change: &Change) -> Result<Standing, StoreError> {
        let is_written = change.is_written(&self.state);
        let before = self.intent.before.get(&change.id);
        if let Some(Decision::TakenBack { why }) = self.intent.decided.get(&change.id) {
            return Ok(Standing::TakenBack(why.clone()));
        }
        // Our own record is written once all is in place, and so is what was decided.
        let state_tells = is_written && before.is_none_or(|before| change.changes_state(before));
        let mut is_made = state_tells && change.record.is_keep();
        if let Owner::Package(id) = &change.id {
            let present = self.registry.mark(id);
            let Some(before) = before else { return Ok(standing_at_a_guess(change, present.as_ref())) };
            let after = change.mark_after(before);
            if present != before.record {
                return Ok(if present == after { Standing::Made } else { Standing::Theirs });
            }
        }
        if self.intent.decided.contains_key(&change.id) {
            // It may have been taken back since, by the very run that then could not remove the intent.
            is_made = !self.waits(change)?;
        }
        Ok(if is_made { Standing::Made } else { Standing::Open { may_go_back: !state_tells } })
    }

    /// Whether anything of what was staged is not in place.
    fn waits(&self, change: &Change) -> Result<bool, StoreError> {
        let layout = self.layout;
        if let Some(place) = &change.place
            && folder_lies(layout, change, place)? == Lies::Staged
        {
            return Ok(true);
        }
        for (version, add) in added(change) {
            let target = Layout::pack_in(&layout.folder(&change.id, version), &add.pack.language);
            if pack_lies(layout, &layout.packages().join(&add.staged), &target, add)? == Lies::Staged {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Brings what was staged into place. What cannot be is taken back as a whole, and why is given.
    fn bring_or_take_back(&mut self, change: &Change, may_go_back: bool) -> Result<Option<StoreError>, StoreError> {
        let mut steps = Vec::new();
        let why = match self.bring(change, &mut steps) {
            Ok(()) if may_go_back => {
                self.done.append(&mut steps);
                return Ok(None);
            }
            Ok(()) => return Ok(None),
            // Somebody removed what had been put in place: no later run would find it either.
            Err(why @ StoreError::Gone { .. }) if !may_go_back => {
                return self.stand_back(change, false).map(|_| Some(why));
            }
            Err(why) if !may_go_back => return Err(unfinished(change.id.to_string(), why)),
            Err(why) => why,
        };
        steps.retain(|step| matches!(step, Done::Made(_)));
        // All that the dead run had done as well, not the steps alone that this one came to.
        match self.stand_back(change, true).and_then(|_| undo(self.layout, steps)) {
            Ok(()) => Ok(Some(why)),
            Err(_) => Err(unfinished(change.id.to_string(), why)),
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
            let lies = pack_lies(layout, &staged, &target, add)?;
            // Without the staging folder nothing goes back either. A pack can be had again.
            if lies == Lies::Nowhere && change.place.is_some() && !is_there(layout, folder_of(&staged))? {
                continue;
            }
            bring_one(layout, lies, &staged, &target, steps)?;
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
            Some(path) if !is_there(self.layout, &path)? => Err(StoreError::Gone { path }),
            _ => Ok(()),
        }
    }

    /// What the records say stands, whoever wrote them. What the change had put in place goes back; under another
    /// program's record but for a version folder that is just what that describes. Gives whether there is such a one.
    fn stand_back(&self, change: &Change, records_as_before: bool) -> Result<bool, StoreError> {
        let layout = self.layout;
        let (mut steps, mut stays) = (Vec::new(), false);
        // Of a version whose folder was not put in place no pack was either.
        let mut without_pack = None;
        if let Some(place) = &change.place {
            let (staged, target) = (layout.packages().join(&place.staged), layout.folder(&change.id, &place.version));
            unpark(layout, &staged, &target)?;
            let goes_back = match folder_lies(layout, change, place) {
                // What was staged cannot be read. What is in its place can, and is not it.
                Err(_) if records_as_before && self.is_as_recorded(change, place, &target)? => {
                    without_pack = Some(place.version.as_str());
                    false
                }
                lies => {
                    let lies = lies?;
                    stays = lies == Lies::Placed;
                    let is_plain = records_as_before && stays;
                    is_plain || self.goes_back(change, place, lies, &staged, &target)?
                }
            };
            if goes_back {
                steps.extend(placed(&staged, &target)?);
                stays = false;
            } else {
                without_pack = Some(place.version.as_str());
            }
        }
        for (version, add) in added(change).filter(|(version, _)| Some(*version) != without_pack) {
            let target = Layout::pack_in(&layout.folder(&change.id, version), &add.pack.language);
            let staged = layout.packages().join(&add.staged);
            unpark(layout, &staged, &target)?;
            let lies = match pack_lies(layout, &staged, &target, add) {
                Err(_) if records_as_before && !is_the_pack(layout, &target, add)? => Lies::Nowhere,
                lies => lies?,
            };
            if lies == Lies::Placed {
                steps.extend(placed(&staged, &target)?);
            }
        }
        undo(layout, steps).map_err(|why| unfinished(change.id.to_string(), why))?;
        Ok(stays)
    }

    /// Whether what lies in the place of a version is what the record describes, where it describes it, and is not what
    /// the change was to put there.
    fn is_as_recorded(&self, change: &Change, place: &VersionPlacement, target: &Path) -> Result<bool, StoreError> {
        let own = described(self.registry, change, &place.version);
        let is_described = own.map_or(Ok(true), |own| is_whole(self.layout, target, &own))?;
        Ok(is_described && !is_whole(self.layout, target, &place.files)?)
    }

    /// Whether the folder that a change has exchanged or put in place goes back: unless it, and not the one before, is
    /// what the record describes.
    fn goes_back(
        &self,
        change: &Change,
        place: &VersionPlacement,
        lies: Lies,
        staged: &Path,
        target: &Path,
    ) -> Result<bool, StoreError> {
        let Some(own) = described(self.registry, change, &place.version) else { return Ok(lies == Lies::Placed) };
        if lies == Lies::Staged {
            return Ok(false);
        }
        let is_whole = |root: &Path| is_whole(self.layout, root, &own);
        let fits_before = is_whole(staged)? || is_whole(&parking(staged))?;
        Ok(match is_whole(target)? {
            true => lies == Lies::Placed && fits_before,
            false => lies == Lies::Placed || fits_before,
        })
    }
}

/// What an earlier program began, which did not write down how it found the records: a record made later than the one
/// to come is another program's, and a pack is for a version that is there.
fn standing_at_a_guess(change: &Change, present: Option<&Mark>) -> Standing {
    let moment = |mark: &Mark| mark.installed_at.as_ref()?.parse::<jiff::Timestamp>().ok();
    match &change.record {
        Put::Set(record) if present == Some(&Mark::of(record)) => Standing::Made,
        Put::Set(record) if present.and_then(moment) > moment(&Mark::of(record)) => Standing::Theirs,
        Put::Remove if present.is_none() => Standing::Made,
        Put::Keep if present.is_none() => Standing::Theirs,
        _ => Standing::Open { may_go_back: true },
    }
}

fn folder_of(staged: &Path) -> &Path {
    staged.parent().unwrap_or(staged)
}

fn unfinished(packages: String, why: StoreError) -> StoreError {
    StoreError::Unfinished { packages, why: Box::new(why) }
}

fn names<'a>(changes: impl Iterator<Item = &'a Change>) -> String {
    changes.map(|change| change.id.to_string()).collect::<Vec<_>>().join(", ")
}
