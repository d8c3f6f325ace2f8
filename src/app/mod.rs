//! The use cases, one a file. Each makes a `Plan`, plain data, and `execute` carries it out: what is needed is fetched
//! and staged without the lock, then the plan is made again under it and committed.
//!
//! ```
//! use rulepack::app::{App, Mode, Options, Wanted};
//! use rulepack::fetch::{CatalogSource, Settings};
//! use rulepack::types::{Cancel, Silent};
//!
//! # let folder = tempfile::tempdir().unwrap();
//! let source = CatalogSource::parse("catalog-example").unwrap();
//! let settings = Settings::new(source, folder.path().join("cache"));
//! let options = Options { language: Some("pt-BR".parse().unwrap()), ..Options::new(folder.path().into(), settings) };
//! let app = App::new(options, Cancel::default(), Box::new(Silent));
//!
//! let outcome = app.install(&[Wanted::parse("ember-roads").unwrap()], false, Mode::default()).unwrap();
//! assert!(outcome.failures.is_empty());
//! let pack = outcome.changes.packages[0].language_pack.as_ref().unwrap();
//! assert_eq!(pack.language.as_deref(), Some("pt-BR"));
//! ```

mod adopting;
mod change;
mod doctor;
mod execute;
mod findings;
mod hold;
mod import;
mod imports;
mod info;
mod install;
mod keeping;
mod kept;
mod list;
mod look;
mod mend;
mod mend_records;
mod migrate;
mod naming;
mod outcome;
mod outdated;
mod pack;
mod path;
mod plan;
mod report;
mod rollback;
mod shelf;
mod show;
mod sight;
#[cfg(test)]
mod situations;
mod source;
mod stage;
mod standing;
mod stay;
mod sync;
mod translate;
mod uninstall;
mod update;
mod wanted;

pub(crate) use import::{ImportReport, Imported};
pub(crate) use migrate::MigratedSheets;
pub use outcome::Outcome;
pub use plan::Mode;
pub use report::{
    Action, Changes, ErrorReport, LanguagePack, ListedPackage, Listing, PackReason, PackStatus, PackageChange,
    Soundness, Whereabouts,
};
pub(crate) use report::{
    CacheReport, Card, Diagnosis, Holds, Info, LeftOut, Outdated, OutdatedPackage, OutdatedReason, SearchResult,
};
pub(crate) use show::Shown;
pub use sync::LanguageChoice;
pub(crate) use translate::Translated;
pub use wanted::Wanted;

use crate::catalog::Manifest;
use crate::fetch::{Fetcher, Settings};
use crate::store::{
    Flaw, Installed, KeptPack, Layout, OwnFile, Registered, Snapshot, State, Store, check_files, metadata,
};
use crate::types::{
    Api, Cancel, Code, Failure, Language, PackageId, Reporter, Version, Warning, codes, did_you_mean, suggest,
};
use adopting::Unknown;
use pack::Kept;
use shelf::Shelf;
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

/// How often a reader looks again at a store that another run is changing, and how long it lets that run go on
/// before: a change takes milliseconds.
const LOOKS: usize = 50;
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// What every command is told, whatever it does.
#[derive(Clone, Debug)]
pub struct Options {
    /// The engine's folder, in which `capability-packages` lies.
    pub data_dir: PathBuf,
    /// Where the catalog and its files come from.
    pub fetch: Settings,
    /// For this run alone; else the one remembered, else the system's.
    pub language: Option<Language>,
    /// The one in force where none is given and none is remembered.
    pub system_language: Language,
    /// Not judged when absent.
    pub engine: Option<Version>,
    /// The newest known when absent.
    pub api: Option<Api>,
    /// How long to wait for another writer.
    pub lock_timeout: Duration,
    /// The command as others are told it while they wait.
    pub command: String,
}

impl Options {
    /// The newest API, any engine, and English where no other language is remembered. A writer is waited for 30 s.
    pub fn new(data_dir: PathBuf, fetch: Settings) -> Self {
        Options {
            data_dir,
            fetch,
            language: None,
            system_language: Language::english(),
            engine: None,
            api: None,
            lock_timeout: Duration::from_secs(30),
            command: "the library".to_owned(),
        }
    }
}

/// One run of rulepack: a store, a source of bytes, and what was noticed on the way.
pub struct App {
    options: Options,
    store: Store,
    fetcher: Fetcher,
    /// Whether the catalog can be read, once that has been tried.
    catalog: OnceCell<Result<(), Failure>>,
    read: shelf::Read,
    warnings: RefCell<Vec<Warning>>,
    cancel: Cancel,
    reporter: Box<dyn Reporter>,
}

impl App {
    /// Does nothing yet: no folder is made, no catalog read, no connection opened.
    pub fn new(options: Options, cancel: Cancel, reporter: Box<dyn Reporter>) -> Self {
        let store = Store::new(
            &options.data_dir,
            options.lock_timeout,
            options.fetch.deadline,
            &options.command,
            cancel.clone(),
        );
        let fetcher = Fetcher::new(options.fetch.clone(), cancel.clone());
        App {
            options,
            store,
            fetcher,
            catalog: OnceCell::new(),
            read: Default::default(),
            warnings: RefCell::default(),
            cancel,
            reporter,
        }
    }

    /// What the reader should know besides the answer, in the order it was noticed, and as often ([`Warning::once`]).
    pub fn take_warnings(&self) -> Vec<Warning> {
        let mut warnings = self.warnings.take();
        warnings.extend(self.fetcher.take_warnings());
        warnings
    }

    fn warn(&self, warning: Warning) {
        self.warnings.borrow_mut().push(warning);
    }

    /// The store as it is now.
    fn read(&self) -> Result<Snapshot, Failure> {
        self.read_with_unknown().map(|(snapshot, _)| snapshot)
    }

    /// The same, with the packs there of which the catalog may tell whether they are ours.
    fn read_with_unknown(&self) -> Result<(Snapshot, Vec<Unknown>), Failure> {
        let mut snapshot = self.store.read()?;
        self.warnings.borrow_mut().append(&mut snapshot.warnings);
        let unknown = self.adopt_packs(&mut snapshot);
        Ok((snapshot, unknown))
    }

    /// Looks at the store and the files it names. Readers take no lock, so what looks wrong may be of a moment between
    /// before and after of another run's change: then it is looked at again, as long as the store keeps moving.
    fn look<T>(
        &self,
        look: impl Fn(&Snapshot) -> Result<T, Failure>,
        is_fine: impl Fn(&T) -> bool,
    ) -> Result<T, Failure> {
        for _ in 0..LOOKS {
            let snapshot = self.read()?;
            let seen = look(&snapshot)?;
            if is_fine(&seen) || !self.store.has_moved_since(&snapshot) {
                return Ok(seen);
            }
            self.stop_if_asked()?;
            std::thread::sleep(BETWEEN_LOOKS);
        }
        look(&self.read()?)
    }

    /// The catalog, asked for once a run.
    fn shelf(&self) -> Result<Shelf<'_>, Failure> {
        let ask = || {
            self.fetcher.catalog(&*self.reporter)?;
            Ok(())
        };
        self.catalog.get_or_init(ask).clone().map(|()| Shelf::new(self))
    }

    /// The catalog, if this run has asked for it and it can be read.
    fn shelf_at_hand(&self) -> Option<Shelf<'_>> {
        self.catalog.get().filter(|read| read.is_ok()).map(|_| Shelf::new(self))
    }

    /// The language in force: the one of this run, else the one remembered, else the system's.
    fn language(&self, state: &State) -> Language {
        let own = self.options.language.as_ref().or(state.language.as_ref());
        own.unwrap_or(&self.options.system_language).clone()
    }

    /// Ends the run when the reader asked to stop.
    fn stop_if_asked(&self) -> Result<(), Failure> {
        if self.cancel.is_asked() { Err(interrupted()) } else { Ok(()) }
    }

    /// The pack recorded for an installed version, unless nothing lies in its place; it is whole when that is a file of
    /// its size. The bytes themselves are `doctor`'s to hash: a run with nothing to do reads none.
    fn recorded_pack(&self, state: &State, id: &PackageId, version: &Version) -> Option<Kept> {
        let pack = state.receipt(id, version)?.pack.clone()?;
        let path = Layout::pack_in(&self.store.layout().version(id, version), &pack.language);
        let found = metadata(&path).transpose()?;
        let whole = found.is_ok_and(|found| found.is_file() && found.len() == pack.file.bytes.0);
        Some(Kept { pack, whole })
    }

    /// Whether a pack recorded for an installed version is there with the very bytes recorded.
    fn has_its_bytes(&self, id: &PackageId, version: &Version, pack: &KeptPack) -> Result<bool, Failure> {
        let root = self.store.layout().version(id, version);
        Ok(check_files(self.store.layout(), &root, &[pack_file(pack)], &self.cancel)?.is_empty())
    }

    /// The pack a reader of an installed version gets.
    fn kept_pack(&self, state: &State, id: &PackageId, version: &Version) -> Option<KeptPack> {
        self.recorded_pack(state, id, version).filter(|kept| kept.whole).map(|kept| kept.pack)
    }

    /// Every way an installed version is not as it was installed; extra files are not among them.
    fn flaws(
        &self,
        state: &State,
        id: &PackageId,
        version: &Version,
        manifest: &Manifest,
        pack: Option<&KeptPack>,
    ) -> Result<Vec<Flaw>, Failure> {
        let root = self.store.layout().version(id, version);
        let files = own_files(manifest, state, id, version, pack);
        Ok(check_files(self.store.layout(), &root, &files, &self.cancel)?)
    }
}

/// What rulepack put into a version folder: the declared files, the manifest, and the pack given.
fn own_files(
    manifest: &Manifest,
    state: &State,
    id: &PackageId,
    version: &Version,
    pack: Option<&KeptPack>,
) -> Vec<OwnFile> {
    let declared = manifest.files.iter();
    let mut files: Vec<OwnFile> =
        declared.map(|file| OwnFile { path: file.path.to_string(), expected: Some(file.expected) }).collect();
    let stored = state.receipt(id, version).and_then(|receipt| receipt.manifest);
    files.push(OwnFile { path: crate::catalog::MANIFEST.to_owned(), expected: stored });
    files.extend(pack.map(pack_file));
    files
}

fn pack_file(pack: &KeptPack) -> OwnFile {
    OwnFile { path: format!("{}/{}.json", crate::store::LOCALES, pack.language), expected: Some(pack.file) }
}

fn interrupted() -> Failure {
    Failure::new(Code::Interrupted, "interrupted")
}

/// An id as the store has it, or the failure of not having it, with what comes near.
fn installed(snapshot: &Snapshot, id: &str) -> Result<Installed, Failure> {
    imports::refuse_local(snapshot, id)?;
    let failure = match snapshot.registry.look_up(id) {
        Registered::Ruleset(ruleset) => return Ok(*ruleset),
        Registered::OtherKind => {
            let text = format!("{id} is installed, but is not a ruleset; rulepack leaves other packages alone");
            Failure::new(Code::NotInstalled, text)
        }
        Registered::Unreadable => unreadable_record(id),
        Registered::Nothing => not_installed(snapshot, id),
    };
    Err(failure.package(id))
}

fn not_installed(snapshot: &Snapshot, id: &str) -> Failure {
    let rulesets = snapshot.registry.rulesets();
    let known: BTreeSet<&str> = rulesets.iter().map(|ruleset| ruleset.id.as_str()).collect();
    let failure = Failure::new(Code::NotInstalled, format!("{} is not installed", quoted(id)));
    let as_imported = format!("{}/{id}", crate::store::IMPORTED);
    match meant(id, known) {
        _ if imports::locals(snapshot).iter().any(|local| local.owner().to_string() == as_imported) => {
            failure.hint(format!("use {as_imported}, which was imported from a file"))
        }
        Some(question) => failure.hint(question),
        None => failure.hint("list what is installed with `rulepack list`"),
    }
}

/// A record that is there and says nothing that can be relied on: not ours to use, replace or remove.
fn unreadable_record(id: &str) -> Failure {
    let text = format!("the registry's record of {id} cannot be read");
    Failure::new(Code::DamagedStore, text).hint("uninstall it in the engine, then install it again")
}

/// What there is to say of rulesets that are in the registry and cannot be used.
fn unreadable_records(snapshot: &Snapshot) -> Vec<Warning> {
    let ids = snapshot.registry.unreadable_rulesets();
    let unreadable =
        ids.iter().map(|id| Warning::new(codes::UNREADABLE_RECORD, unreadable_record(id).message).about(id));
    let rulesets = snapshot.registry.rulesets();
    let faulty = rulesets.iter().filter_map(|ruleset| {
        Some(Warning::new(codes::RECORD_ERROR, record_error(ruleset)?.message).about(&ruleset.id))
    });
    unreadable.chain(faulty).collect()
}

/// What the engine marked the record of a ruleset as faulty for, if it did.
fn record_error(installed: &Installed) -> Option<Failure> {
    let why = installed.fault.as_ref()?;
    let text = format!("the engine marked its record of {} {} as faulty: {why}", installed.id, installed.version);
    let hint = format!("run `rulepack doctor --repair` or `rulepack install {}` to make it active again", installed.id);
    Some(Failure::new(Code::DamagedPackage, text).hint(hint))
}

/// The manifest of an installed version, if its record holds the one of this very version.
fn manifest_of(installed: &Installed) -> Option<Manifest> {
    let manifest = Manifest::parse(installed.manifest.get()).ok()?;
    (manifest.id == installed.id && manifest.version == installed.version).then_some(manifest)
}

/// An id as typed, in a message: marked off where it is none and so could be read as part of the sentence.
fn quoted(id: &str) -> String {
    if id.parse::<PackageId>().is_ok() { id.to_owned() } else { format!("`{id}`") }
}

/// The hint that asks for the names nearest to one nobody knows.
fn meant<'a>(unknown: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    did_you_mean(&suggest(unknown, known.into_iter()))
}

/// Why a pack is missing, in the words of docs/spec/commands.md#results. A server that cannot be reached is as good as
/// no network, which is what docs/spec/catalog.md#language-packs calls it. Something is wrong with the pack itself only
/// where it was read.
fn pack_reason(code: Code) -> PackReason {
    match code {
        Code::Offline | Code::Network => PackReason::Offline,
        Code::HttpError | Code::FileNotFound => PackReason::HttpError,
        Code::Deadline => PackReason::Deadline,
        Code::InvalidCatalog | Code::InvalidEntry => PackReason::InvalidCatalog,
        Code::SizeMismatch => PackReason::SizeMismatch,
        Code::ChecksumMismatch => PackReason::ChecksumMismatch,
        Code::LocaleMismatch => PackReason::LocaleMismatch,
        Code::InvalidPack => PackReason::InvalidPack,
        _ => PackReason::Io,
    }
}
