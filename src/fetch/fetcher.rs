use super::cache::Cache;
use super::client::{ClientError, Web};
use super::copy::CatalogCopy;
use super::hosts::Hosts;
use super::patience::Pace;
use super::settings::Settings;
use crate::types::{Cancel, Code, Rule, Warning, codes};
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::io;
use tokio::runtime::Runtime;

/// Gets catalogs and files from wherever they are. Blocks; what goes over the network runs at the same time inside.
pub struct Fetcher {
    pub(super) settings: Settings,
    pub(super) cancel: Cancel,
    pub(super) cache: Cache,
    pub(super) past_cache: bool,
    pub(super) pace: Pace,
    pub(super) network: OnceCell<Network>,
    pub(super) hosts: Hosts,
    pub(super) catalog: RefCell<Option<CatalogCopy>>,
    pub(super) downloads: Cell<usize>,
    /// What addresses had failed with in earlier runs, when this one asked them, by the address as it may be shown.
    pub(super) knew: RefCell<HashMap<String, Code>>,
    warnings: RefCell<Vec<Warning>>,
}

impl Fetcher {
    /// Does nothing yet: no folder is made, no certificate read, no thread started, so that a run with nothing to
    /// fetch pays nothing.
    pub fn new(settings: Settings, cancel: Cancel) -> Self {
        let pace = if settings.hurried { Pace::ORDINARY.hurried() } else { Pace::ORDINARY };
        Fetcher {
            cache: Cache::new(&settings.cache_dir),
            settings,
            cancel,
            past_cache: false,
            pace,
            network: OnceCell::new(),
            hosts: Hosts::default(),
            catalog: RefCell::default(),
            downloads: Cell::default(),
            knew: RefCell::default(),
            warnings: RefCell::default(),
        }
    }

    /// Fetches the catalog and every file from where they are published although they are in the cache, to see that
    /// they are there. For the maintainer's check (B04).
    pub fn past_cache(mut self) -> Self {
        self.past_cache = true;
        self
    }

    /// What happened that a reader should know of, since last asked.
    pub fn take_warnings(&self) -> Vec<Warning> {
        self.warnings.take()
    }

    /// Whether an address had failed in the same way before this run asked for a file there, and never given it since.
    pub fn failed_before(&self, url: &str, code: Code) -> bool {
        self.knew.borrow().get(url) == Some(&code)
    }

    pub(super) fn warn(&self, warning: Warning) {
        self.warnings.borrow_mut().push(warning);
    }

    /// Said once, however much cannot be kept.
    pub(super) fn cannot_keep(&self, error: &io::Error) {
        const CODE: &Rule = codes::CACHE_UNWRITABLE;
        if !self.warnings.borrow().iter().any(|warning| warning.code == CODE) {
            let dir = self.settings.cache_dir.display();
            self.warn(Warning::new(CODE, format!("cannot write to the cache at `{dir}`: {error}")));
        }
    }

    /// Whether what failed a moment ago is left alone: somebody waits for a page to open, and did not ask for more
    /// (docs/spec/commands.md#a-page-is-waiting).
    pub(super) fn spares_setbacks(&self) -> bool {
        self.settings.hurried && !self.settings.refresh
    }
}

/// What a run needs once something goes over the network.
pub(super) struct Network {
    /// There until this is dropped.
    runtime: Option<Runtime>,
    pub web: Web,
}

impl Network {
    pub fn ready<'n>(slot: &'n OnceCell<Network>, settings: &Settings) -> Result<&'n Network, ClientError> {
        if let Some(network) = slot.get() {
            return Ok(network);
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| ClientError::Runtime(error.to_string()))?;
        let network = Network { runtime: Some(runtime), web: Web::new(settings.ca_cert.as_deref())? };
        Ok(slot.get_or_init(|| network))
    }

    pub fn block_on<T>(&self, work: impl Future<Output = T>) -> T {
        match &self.runtime {
            Some(runtime) => runtime.block_on(work),
            None => unreachable!("it is taken only when this is dropped"),
        }
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        // What still waits for the system cannot be broken off, and waiting for it would keep an interrupted run from
        // ending.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
