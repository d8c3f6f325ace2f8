use super::cache::Cache;
use super::client::{ClientError, Web};
use super::copy::CatalogCopy;
use super::patience::Pace;
use super::settings::Settings;
use crate::types::{Cancel, Warning};
use std::io;
use tokio::runtime::Runtime;

/// Gets catalogs and files from wherever they are. Blocks; what goes over the network runs at the same time inside.
pub struct Fetcher {
    pub(super) settings: Settings,
    pub(super) cancel: Cancel,
    pub(super) cache: Cache,
    pub(super) past_cache: bool,
    pub(super) pace: Pace,
    pub(super) network: Option<Network>,
    pub(super) catalog: Option<CatalogCopy>,
    pub(super) downloads: usize,
    pub(super) warnings: Vec<Warning>,
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
            network: None,
            catalog: None,
            downloads: 0,
            warnings: Vec::new(),
        }
    }

    /// Fetches the catalog and every file from where they are published although they are in the cache, to see that they
    /// are there. For the maintainer's check (B04).
    pub fn past_cache(mut self) -> Self {
        self.past_cache = true;
        self
    }

    /// What happened that a reader should know of, since last asked.
    pub fn take_warnings(&mut self) -> Vec<Warning> {
        std::mem::take(&mut self.warnings)
    }

    /// Said once, however much cannot be kept.
    pub(super) fn cannot_keep(&mut self, error: &io::Error) {
        const CODE: &str = "cache-unwritable";
        if !self.warnings.iter().any(|warning| warning.code == CODE) {
            let dir = self.settings.cache_dir.display();
            self.warnings.push(Warning::new(CODE, format!("nothing can be kept in the cache at `{dir}`: {error}")));
        }
    }
}

impl Drop for Fetcher {
    fn drop(&mut self) {
        // Looking up a name cannot be broken off, and waiting for it would keep an interrupted run from ending.
        if let Some(network) = self.network.take() {
            network.runtime.shutdown_background();
        }
    }
}

/// What a run needs once something goes over the network.
pub(super) struct Network {
    pub runtime: Runtime,
    pub web: Web,
}

impl Network {
    pub fn ready<'n>(slot: &'n mut Option<Network>, settings: &Settings) -> Result<&'n Network, ClientError> {
        let network = match slot.take() {
            Some(network) => network,
            None => {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
                let runtime = runtime.map_err(|error| ClientError::Runtime(error.to_string()))?;
                Network { runtime, web: Web::new(settings.ca_cert.as_deref())? }
            }
        };
        Ok(slot.insert(network))
    }
}
