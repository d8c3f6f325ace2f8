use super::engine::{self, Record};
use super::envelope::{Action, Change, Envelope};
use super::publish::{Catalog, Ruleset};
use super::sandbox::{Invocation, Sandbox};
use super::tree::Tree;
use std::ffi::OsStr;

/// A catalog on disk and a sandbox that uses it: what a scenario about installing needs when the network is no part
/// of it. After every run the store is read as the engine reads it.
pub struct Shop {
    pub catalog: Catalog,
    pub sandbox: Sandbox,
}

impl Shop {
    pub fn selling(rulesets: impl IntoIterator<Item = Ruleset>) -> Self {
        let sandbox = Sandbox::new();
        let folder = sandbox.root().join("catalog");
        let shop = Shop {
            catalog: rulesets.into_iter().fold(Catalog::on_disk(), Catalog::with),
            sandbox: sandbox.catalog(folder),
        };
        shop.open();
        shop
    }

    /// Every run gets this variable.
    pub fn env(self, name: &str, value: &str) -> Self {
        Shop { sandbox: self.sandbox.env(name, value), ..self }
    }

    /// Writes the catalog as it now is.
    pub fn open(&self) {
        self.catalog.write(&self.sandbox.root().join("catalog"));
    }

    /// A new version, or other bytes for the same one.
    pub fn publish(&mut self, ruleset: Ruleset) {
        self.catalog.publish(ruleset);
        self.open();
    }

    /// The catalog has it no longer.
    pub fn withdraw(&mut self, id: &str) {
        self.catalog.remove(id);
        self.open();
    }

    /// Changes an entry of the catalog at a JSON pointer.
    pub fn edit(&mut self, id: &str, pointer: &str, value: serde_json::Value) {
        self.catalog.edit(id, pointer, value);
        self.open();
    }

    /// Runs with `--json`; whatever it did, the store is sound and tidy afterwards.
    #[track_caller]
    pub fn run<S: AsRef<OsStr>>(&self, args: &[S]) -> Envelope {
        let answer = self.sandbox.json(args);
        engine::tidy_rulesets(&self.sandbox);
        answer
    }

    /// A run that must succeed.
    #[track_caller]
    pub fn done<S: AsRef<OsStr>>(&self, args: &[S]) -> Envelope {
        let answer = self.run(args);
        assert_eq!(answer.exit, 0, "{answer:#?}");
        answer
    }

    /// A run that must fail with this code and leave everything but the cache as it was.
    #[track_caller]
    pub fn refused<S: AsRef<OsStr>>(&self, args: &[S], code: &str) -> Envelope {
        let before = self.everything();
        let answer = self.sandbox.json(args);
        assert_eq!(answer.code(), code, "{answer:#?}");
        before.assert_same(&self.everything());
        answer
    }

    pub fn command<S: AsRef<OsStr>>(&self, args: &[S]) -> Invocation {
        self.sandbox.command(args)
    }

    /// The rulesets as the engine sees them.
    #[track_caller]
    pub fn engine_sees(&self) -> Vec<Record> {
        engine::tidy_rulesets(&self.sandbox)
    }

    /// The engine's record of one ruleset.
    #[track_caller]
    pub fn record(&self, id: &str) -> Record {
        let records = self.engine_sees();
        records.into_iter().find(|record| record.id == id).unwrap_or_else(|| panic!("the engine sees no {id}"))
    }

    /// All of the sandbox but the cache, and the lock file, which stays once there.
    pub fn everything(&self) -> Tree {
        Tree::of(self.sandbox.root()).without("cache").without("data/capability-packages/.rulepack.lock")
    }

    /// The data folder without the lock file.
    pub fn data(&self) -> Tree {
        Tree::of(self.sandbox.data()).without("capability-packages/.rulepack.lock")
    }
}

/// One row of an answer, as a test compares it.
pub type Row<'a> = (&'a str, Action, Option<&'a str>, Option<&'a str>);

/// Id, action, version and version before of every package, in the order of the answer.
#[track_caller]
pub fn rows(answer: &Envelope) -> Vec<Row<'_>> {
    answer.changes().packages.iter().map(row).collect()
}

fn row(change: &Change) -> Row<'_> {
    (change.id.as_str(), change.action, change.version.as_deref(), change.previous_version.as_deref())
}
