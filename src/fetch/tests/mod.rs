//! The whole room against a server on this machine.

mod catalogs;
mod files;
mod server;

use super::{CatalogSource, Fetcher, Settings};
use crate::fetch::patience::Pace;
use crate::types::Cancel;
use std::path::PathBuf;
use std::time::Duration;
use tempfile::TempDir;

/// The folders of one test.
struct Place {
    dir: TempDir,
}

impl Place {
    fn new() -> Self {
        Place { dir: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn ca(&self) -> PathBuf {
        self.path("ca.pem")
    }

    fn scratch(&self) -> PathBuf {
        let path = self.path("scratch");
        std::fs::create_dir_all(&path).unwrap();
        path
    }

    fn settings(&self, source: &str) -> Settings {
        let ca_cert = Some(self.ca()).filter(|path| path.exists());
        Settings { ca_cert, ..Settings::new(CatalogSource::parse(source).unwrap(), self.path("cache")) }
    }
}

/// Waits no longer than a test should.
fn fetcher(settings: Settings) -> Fetcher {
    fetcher_until(settings, Cancel::default())
}

fn fetcher_until(settings: Settings, cancel: Cancel) -> Fetcher {
    let mut fetcher = Fetcher::new(settings, cancel);
    fetcher.pace = Pace { first_wait: Duration::from_millis(1), ..Pace::ORDINARY };
    fetcher
}
