//! What is on disk: the engine's own layout below the data folder, read without waiting and changed under one lock.
//!
//! ```text
//! capability-packages/
//!   installed.json                 the engine's registry: the one pointer to what is active
//!   update-decisions-v1.json       the engine's record of declined versions
//!   rulepack.json                  ours: language, holds, receipts
//!   versions/<id>/<version>/…      immutable once in place, but for the one pack in locales/
//!   .rulepack.lock                 who may change all this
//!   .rulepack-intent.json          the change being made, for whoever must finish it
//!   .staging-*/                    work in progress
//! rulesets/local/<id>/<version>/…  imported ones, by the same rules; recorded in rulepack.json alone
//! ```
//!
//! Readers read the registry and our record and nothing else, so they see the store before a change or after it.

mod aside;
mod change;
mod clean_up;
mod commit;
mod decisions;
mod error;
mod files;
mod folder;
#[doc(hidden)]
pub mod fuzzing;
mod intent;
mod layout;
mod limits;
mod lock;
mod lost;
mod moving;
mod own_file;
mod owner;
mod rebuild;
mod record;
mod recording;
mod registry;
mod rest;
mod settle;
mod staging;
mod state;
mod steps;
mod tree;
mod whereabouts;

pub use change::{AddPack, Change, Discard, PackChange, Put, Transaction, VersionPlacement};
pub use decisions::Decisions;
pub use error::StoreError;
pub use files::metadata;
pub use layout::{LOCALES, Layout};
pub use lock::StoreLock;
pub use lost::Lost;
pub use own_file::OwnFile;
pub use owner::{IMPORTED, Owner};
pub use registry::{Installed, Previous, Registered, Registry};
pub use rest::WithRest;
pub use staging::{StagedVersion, Staging};
pub use state::{Imported, ImportedVersion, KeptPack, Offered, PackageState, Receipt, Settled, State};
pub use tree::{Flaw, check_files, files_below};

use crate::catalog::Manifest;
use crate::types::{Cancel, Deadline, PackageId, Reporter, Version, Warning, codes};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

/// The store below one data folder.
#[derive(Debug)]
pub struct Store {
    layout: Layout,
    patience: Duration,
    deadline: Deadline,
    command: String,
    cancel: Cancel,
    /// Whether this run has looked at a change that another began, and could not finish it.
    has_given_up: AtomicBool,
}

/// The store as it is at one moment.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    pub registry: Registry,
    pub state: State,
    /// The versions the reader declined, here or in the engine.
    pub decisions: Decisions,
    /// What our own record knows of and the registry has lost, as far as the records tell.
    pub lost: Vec<Lost>,
    pub warnings: Vec<Warning>,
    /// The bytes of the two records.
    seen: Records,
}

/// The registry and our own record, as bytes.
type Records = [Option<Vec<u8>>; 2];

impl Store {
    /// The store of a data folder, which need not be there yet. `patience` is how long a writer waits for another, and
    /// never past `deadline`; `command` is what it tells others it is doing.
    pub fn new(data_dir: &Path, patience: Duration, deadline: Deadline, command: &str, cancel: Cancel) -> Self {
        let (layout, command) = (Layout::new(data_dir), command.to_owned());
        Store { layout, patience, deadline, command, cancel, has_given_up: AtomicBool::new(false) }
    }

    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Reads the store. Never waits: where another run died in the middle of a change and the lock is free, the
    /// change is finished first; where it is not free, its holder is about to. A change that cannot be finished now is
    /// told of once, and is an error only where what the registry says would not be so.
    pub fn read(&self) -> Result<Snapshot, StoreError> {
        let mut warnings = Vec::new();
        if intent::is_unsettled(&self.layout)
            && !self.has_given_up.load(Ordering::Relaxed)
            && let Some(lock) = StoreLock::try_take(&self.layout, &self.command)
        {
            match settle::settle(&self.layout, &lock, settle::By::InterruptedRun) {
                Ok(told) => warnings.extend(told),
                Err(lie @ (StoreError::Unfinished { .. } | StoreError::MissingRegistry { .. })) => return Err(lie),
                Err(error) => warnings.push(commit::unfinished(&error)),
            }
            self.has_given_up.store(intent::is_unsettled(&self.layout), Ordering::Relaxed);
        }
        self.snapshot(warnings, None)
    }

    /// Reads the store, and refuses one without a registry beside whole version folders. To other commands such a store
    /// is empty, as it is to the engine, where our own record is gone as well; whoever asks what is wrong with it is
    /// told.
    pub fn read_strictly(&self) -> Result<Snapshot, StoreError> {
        self.refuse_folders_alone(self.read()?, None)
    }

    fn refuse_folders_alone(&self, snapshot: Snapshot, lock: Option<&StoreLock>) -> Result<Snapshot, StoreError> {
        if snapshot.registry.is_present() || self.is_under_way(lock) {
            return Ok(snapshot);
        }
        let packages: Vec<String> = self.packages_on_disk()?.iter().map(ToString::to_string).collect();
        match packages.is_empty() {
            true => Ok(snapshot),
            false => Err(StoreError::MissingRegistry { path: self.layout.registry(), packages }),
        }
    }

    /// Takes the lock, finishes what others left, and reads the store as it is now.
    pub fn lock(&self, reporter: &dyn Reporter) -> Result<(StoreLock, Snapshot), StoreError> {
        let lock = self.lock_only(reporter)?;
        let warnings = commit::tidy(&self.layout, &lock)?;
        let snapshot = self.snapshot(warnings, Some(&lock))?;
        Ok((lock, snapshot))
    }

    /// The same where the lock is free; nothing where somebody holds it.
    pub fn lock_if_free(&self) -> Result<Option<(StoreLock, Snapshot)>, StoreError> {
        let Some(lock) = StoreLock::try_take(&self.layout, &self.command) else { return Ok(None) };
        let warnings = commit::tidy(&self.layout, &lock)?;
        let snapshot = self.snapshot(warnings, Some(&lock))?;
        Ok(Some((lock, snapshot)))
    }

    /// The store as this run's own change of it left it.
    pub fn look_again(&self, lock: &StoreLock) -> Result<Snapshot, StoreError> {
        self.snapshot(Vec::new(), Some(lock))
    }

    /// Takes the lock without reading a registry that may be beyond reading: for `doctor`.
    pub fn lock_only(&self, reporter: &dyn Reporter) -> Result<StoreLock, StoreError> {
        StoreLock::take(&self.layout, self.patience, self.deadline, &self.command, &self.cancel, reporter)
    }

    /// Carries a change out that was planned on a snapshot taken under the lock; on an error everything is as before.
    /// Where another program, which knows nothing of the lock, has changed one of the packages since, that stands.
    pub fn commit(
        &self,
        lock: &StoreLock,
        now: &Snapshot,
        transaction: &Transaction,
    ) -> Result<Vec<Warning>, StoreError> {
        commit::commit(&self.layout, lock, now, transaction)
    }

    /// The record that the registry has lost, made again; none where the version folders are not whole.
    pub fn record_again(&self, lost: &Lost) -> Result<Option<Installed>, StoreError> {
        lost.record(&self.layout, &self.cancel)
    }

    /// Sets a registry that cannot be read aside, if it is there, and writes one made from the version folders and our
    /// own record. Tells what was done; nothing when it can be read by now, which another run may have seen to while
    /// this one waited for the lock.
    pub fn rebuild_registry(&self, lock: &StoreLock) -> Result<Option<String>, StoreError> {
        let now = self.snapshot(Vec::new(), Some(lock));
        match now.and_then(|snapshot| self.refuse_folders_alone(snapshot, Some(lock))) {
            Err(StoreError::DamagedRegistry { .. } | StoreError::MissingRegistry { .. }) => {}
            readable => return readable.map(|_| None),
        }
        let path = self.layout.registry();
        let state = match record::read(&self.layout.state()) {
            Ok(None) | Err(StoreError::OversizedRecord { .. }) => State::default(),
            Ok(Some(bytes)) => match recording::own(&self.layout, Some(&bytes)) {
                Err(StoreError::DamagedRecord { .. }) => State::salvage(&bytes),
                read => read?,
            },
            Err(error) => return Err(error),
        };
        let registry = rebuild::registry(&self.layout, &state, &self.cancel)?;
        let mut text = format!("rebuilt {} from the version folders", path.display());
        if files::exists(&path).map_err(StoreError::io("look at", &path))? {
            let aside = aside::copy_aside(&path)?;
            text.push_str(&format!("; the old file is {}", aside.display()));
        }
        files::replace(&path, registry.to_text().as_bytes()).map_err(StoreError::io("write", &path))?;
        Ok(Some(text))
    }

    /// Finishes what a dead run left and sweeps what it had staged; needs no registry that can be read.
    pub fn tidy(&self, lock: &StoreLock) -> Result<Vec<Warning>, StoreError> {
        commit::tidy(&self.layout, lock)
    }

    /// Whether a change was begun that nobody has finished.
    pub fn is_unsettled(&self) -> bool {
        intent::is_unsettled(&self.layout)
    }

    /// Sweeps what the dead had staged, if there is any and nobody is changing the store.
    pub fn sweep(&self) {
        if !self.dead_staging().is_empty()
            && let Some(lock) = StoreLock::try_take(&self.layout, &self.command)
        {
            // What cannot be settled now is told by whoever reads or changes the store next.
            let _ = commit::tidy(&self.layout, &lock);
        }
    }

    /// The staging folders whose process is gone.
    pub fn dead_staging(&self) -> Vec<PathBuf> {
        let mut dead = staging::leftovers(&self.layout).unwrap_or_default();
        dead.retain(|folder| staging::is_dead(folder));
        dead
    }

    /// Refuses what is to remove versions that a link stands above: what lies behind it stays, so nothing would go.
    pub fn refuse_link_above(&self, owner: &Owner) -> Result<(), StoreError> {
        let home = self.layout.home(owner);
        match clean_up::link_above_versions(&self.layout, owner).map_err(StoreError::io("look at", &home))? {
            Some(path) => Err(StoreError::Link { path }),
            None => Ok(()),
        }
    }

    /// Whether a folder of the store is certain not to be there: where the disk does not say, it is not.
    pub fn is_missing(&self, folder: &Path) -> bool {
        matches!(self.layout.open(folder), Ok(None))
    }

    /// The same, where a link or what is no folder counts as nothing.
    pub fn has_no_folder(&self, folder: &Path) -> bool {
        matches!(self.layout.open_own(folder), Ok(None))
    }

    /// The version folders on disk, of every package.
    pub fn version_folders(&self) -> Result<Vec<(PackageId, Version)>, StoreError> {
        rebuild::version_folders(&self.layout)
    }

    /// What else lies beside the versions of packages: folders, by their names.
    pub fn folders_besides(&self) -> Result<Vec<(PackageId, String)>, StoreError> {
        rebuild::folders_besides(&self.layout)
    }

    /// The version folders of imported rulesets on disk, in order, recorded or not.
    pub fn import_folders(&self) -> Result<Vec<(PackageId, u64)>, StoreError> {
        rebuild::import_folders(&self.layout)
    }

    /// The versions of one package on disk besides those known, oldest first, each with the manifest in its folder that
    /// says so.
    pub fn versions_besides(&self, id: &PackageId, known: &[Version]) -> Result<Vec<Version>, StoreError> {
        rebuild::versions_besides(&self.layout, id, known)
    }

    /// The text of the manifest in a version folder; `None` where there is none, or no plain file of text in its place.
    ///
    /// # Errors
    /// Where the disk does not say.
    pub fn manifest_text(&self, id: &PackageId, version: &Version) -> std::io::Result<Option<String>> {
        rebuild::manifest_text(&self.layout, id, version)
    }

    /// The manifest in a version folder, if it is that version's.
    pub fn manifest_on_disk(&self, id: &PackageId, version: &Version) -> Result<Option<Manifest>, StoreError> {
        rebuild::manifest_in(&self.layout, id, version)
    }

    /// The packages of which a version folder is there with the manifest of just that version.
    fn packages_on_disk(&self) -> Result<Vec<PackageId>, StoreError> {
        let mut ids = Vec::new();
        for (id, version) in self.version_folders()? {
            if ids.last() != Some(&id) && self.manifest_on_disk(&id, &version)?.is_some() {
                ids.push(id);
            }
        }
        Ok(ids)
    }

    /// The records of ours and the registries that earlier runs could not read and set aside.
    pub fn files_set_aside(&self) -> Result<Vec<PathBuf>, StoreError> {
        aside::files_set_aside(&self.layout)
    }

    /// A folder of work in progress.
    pub fn staging(&self) -> Result<Staging, StoreError> {
        Staging::make(&self.layout)
    }

    /// Whether another run has changed the store since, or is at it: what was read of files then may have been between
    /// before and after. Where the disk does not say, it is so, and who looks again is told what is wrong. A change
    /// that cannot be finished moves nothing.
    pub fn has_moved_since(&self, snapshot: &Snapshot) -> bool {
        let is_under_way = self.is_unsettled() && !self.has_given_up.load(Ordering::Relaxed);
        is_under_way || self.records().map_or(true, |records| records != snapshot.seen)
    }

    /// The records as a snapshot has them, in which one that is a link or too large to be one counts as none.
    fn records(&self) -> Result<Records, StoreError> {
        let read = |path: PathBuf| match record::read(&path) {
            Err(StoreError::LinkedRecord { .. } | StoreError::OversizedRecord { .. }) => Ok(None),
            read => read,
        };
        Ok([read(self.layout.registry())?, read(self.layout.state())?])
    }

    fn snapshot(&self, mut warnings: Vec<Warning>, lock: Option<&StoreLock>) -> Result<Snapshot, StoreError> {
        self.layout.refuse_link()?;
        // The registry first: our record is written before it, and holds for the registry as it was and as it will be.
        let registry_bytes = Registry::bytes(&self.layout)?;
        let mut registry = Registry::of(&self.layout, registry_bytes.as_deref())?;
        let (state_bytes, mut state) = self.own_state(&registry, lock, &mut warnings)?;
        if !registry.is_present() {
            registry = self.refuse_a_vanished_registry(&state, lock)?;
        }
        let lost = lost::compare(&registry, &mut state);
        rebuild::receipts(&self.layout, &registry, &mut state);
        let decided = record::read(&self.layout.decisions()).unwrap_or_else(|error| {
            warnings.push(left_alone(&error));
            None
        });
        let decisions = decided.as_deref().map(Decisions::parse).unwrap_or_default();
        Ok(Snapshot { registry, state, decisions, lost, warnings, seen: [registry_bytes, state_bytes] })
    }

    /// Our own record. A damaged one is set right at once; one that is not for this program to read or replace is left
    /// alone, and stops only who wants to change the store (docs/spec/commands.md#store-6).
    fn own_state(
        &self,
        registry: &Registry,
        lock: Option<&StoreLock>,
        warnings: &mut Vec<Warning>,
    ) -> Result<(Option<Vec<u8>>, State), StoreError> {
        let layout = &self.layout;
        let read = match record::read(&layout.state()) {
            // A folder that a change has put in place and not recorded yet is the next to come.
            Ok(None) if self.is_under_way(lock) => return Ok((None, State::default())),
            Ok(bytes) => recording::own(layout, bytes.as_deref())
                .map_err(|error| (error, bytes.clone()))
                .map(|state| (bytes, state)),
            Err(StoreError::OversizedRecord { path }) => {
                let why = StoreError::OversizedRecord { path: path.clone() }.to_string();
                Err((StoreError::DamagedRecord { path, why }, None))
            }
            Err(error) => Err((error, None)),
        };
        let (error, bytes) = match read {
            Ok(state) => return Ok(state),
            Err(failed) => failed,
        };
        let whole = bytes.as_deref().unwrap_or_default();
        match error {
            StoreError::DamagedRecord { why, .. } => {
                let (state, warning) = rebuild::set_right_if_free(layout, &self.command, lock, registry, whole, &why)?;
                warnings.push(warning);
                Ok((bytes, state))
            }
            StoreError::Newer { .. } | StoreError::LinkedRecord { .. } if lock.is_none() => {
                let state = rebuild::state(layout, registry, whole)?;
                warnings.push(left_alone(&error));
                Ok((bytes, state))
            }
            error => Err(error),
        }
    }

    /// Whether another run may be in the middle of a change: not where this one has the lock.
    fn is_under_way(&self, lock: Option<&StoreLock>) -> bool {
        lock.is_none() && self.is_unsettled()
    }

    /// No registry is an empty one, as it is to the engine, unless our own record and the version folders say that
    /// there was one. Our record is written before the registry, so a first install that another process is in the
    /// middle of looks the same: there the store before it is the one to show, or by now the one after it.
    fn refuse_a_vanished_registry(&self, state: &State, lock: Option<&StoreLock>) -> Result<Registry, StoreError> {
        let still_there = state.packages.iter().filter(|(id, package)| {
            package.active.as_ref().is_some_and(|version| !self.is_missing(&self.layout.version(id, version)))
        });
        let packages: Vec<String> = still_there.map(|(id, _)| id.to_string()).collect();
        let under_way = self.is_under_way(lock);
        let registry = Registry::read(&self.layout)?;
        if packages.is_empty() || under_way || registry.is_present() {
            return Ok(registry);
        }
        Err(StoreError::MissingRegistry { path: self.layout.registry(), packages })
    }
}

/// What is said of a record that is neither read nor replaced.
fn left_alone(error: &StoreError) -> Warning {
    Warning::new(codes::RECORD_LEFT_ALONE, format!("{error}; it was left unchanged"))
}

/// The present moment as the engine writes it: ISO 8601, UTC, milliseconds. A clock beyond what a calendar has is taken
/// for the end of it that is nearer.
pub fn now() -> String {
    iso(SystemTime::now())
}

/// Of the year 0: those before it are not written with four digits.
const FIRST_SECOND: i64 = -62_167_219_200;

fn iso(moment: SystemTime) -> String {
    let (first, last) = (jiff::Timestamp::constant(FIRST_SECOND, 0), jiff::Timestamp::MAX);
    let end = if moment < SystemTime::UNIX_EPOCH { first } else { last };
    let moment = jiff::Timestamp::try_from(moment).unwrap_or(end).max(first);
    moment.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Expected, Silent};
    use std::fs;

    /// A store with one whole version folder, and whoever can ask it to stop.
    fn a_store(dir: &Path) -> (Store, Cancel) {
        let cancel = Cancel::default();
        let store = Store::new(dir, Duration::ZERO, Deadline::NONE, "doctor", cancel.clone());
        let root = store.layout.version(&"demo".parse().unwrap(), &"1.0.0".parse().unwrap());
        fs::create_dir_all(&root).unwrap();
        fs::write(root.join("ruleset.json"), "{}").unwrap();
        let manifest = serde_json::json!({
            "schemaVersion": 1, "id": "demo", "name": "Demo", "version": "1.0.0", "kind": ["ruleset"],
            "engine": {"min": "1.0.0", "maxExclusive": "9.0.0"}, "entrypoints": {}, "permissions": [],
            "files": [{"path": "ruleset.json", "sha256": Expected::of(b"{}").sha256, "bytes": 2}],
        });
        fs::write(root.join("manifest.json"), manifest.to_string()).unwrap();
        (store, cancel)
    }

    #[test]
    fn no_clock_is_beyond_writing_down() {
        let years = |n: u64| Duration::from_secs(n * 366 * 24 * 3600);
        assert_eq!(iso(SystemTime::UNIX_EPOCH), "1970-01-01T00:00:00.000Z");
        let last = SystemTime::UNIX_EPOCH + Duration::from_secs(253_402_300_799);
        for moment in [last, SystemTime::UNIX_EPOCH + years(100_000), SystemTime::UNIX_EPOCH - years(100_000)] {
            let text = iso(moment);
            assert!(text.len() == 24 && text.parse::<jiff::Timestamp>().is_ok(), "{text}");
        }
    }

    #[test]
    fn a_rebuild_that_is_asked_to_stop_forgets_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let (store, cancel) = a_store(dir.path());
        let registry = store.layout.registry();
        fs::write(&registry, "damaged").unwrap();
        let lock = store.lock_only(&Silent).unwrap();
        cancel.flag().store(true, Ordering::Relaxed);
        assert!(matches!(store.rebuild_registry(&lock), Err(StoreError::Interrupted)));
        assert_eq!(fs::read_to_string(&registry).unwrap(), "damaged");
        cancel.flag().store(false, Ordering::Relaxed);
        assert!(store.rebuild_registry(&lock).unwrap().is_some());
        assert_eq!(Registry::read(&store.layout).unwrap().rulesets().len(), 1);
    }

    /// A name that is too long stands for a disk that gives no answer: no right to read would stop an administrator.
    #[test]
    fn where_the_disk_does_not_say_the_store_may_have_moved() {
        let dir = tempfile::tempdir().unwrap();
        let (store, _) = a_store(dir.path());
        fs::write(store.layout.registry(), r#"{"schemaVersion":1,"packages":[]}"#).unwrap();
        let snapshot = store.read().unwrap();
        assert!(!store.has_moved_since(&snapshot));
        fs::remove_file(store.layout.registry()).unwrap();
        fs::create_dir(store.layout.registry()).unwrap();
        assert!(store.has_moved_since(&snapshot));
        let unknown = store.layout.versions().join("x".repeat(300));
        assert!(!store.is_missing(&unknown) && !store.has_no_folder(&unknown));
        assert!(store.has_no_folder(&store.layout.versions().join("none")));
        assert!(store.has_no_folder(
            &store.layout.version(&"demo".parse().unwrap(), &"1.0.0".parse().unwrap()).join("ruleset.json")
        ));
    }

    #[test]
    fn a_registry_that_can_be_read_by_now_is_not_rebuilt() {
        let dir = tempfile::tempdir().unwrap();
        let (store, _) = a_store(dir.path());
        let whole = r#"{"schemaVersion":1,"packages":[{"id":"chess","theirs":true}],"more":1}"#;
        fs::write(store.layout.registry(), whole).unwrap();
        let lock = store.lock_only(&Silent).unwrap();
        assert_eq!(store.rebuild_registry(&lock).unwrap(), None);
        assert_eq!(fs::read_to_string(store.layout.registry()).unwrap(), whole);
    }
}
