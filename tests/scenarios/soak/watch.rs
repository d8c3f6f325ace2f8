//! What must hold of the store between two runs, told from its files alone (docs/spec/commands.md#what-never-breaks).

use super::super::kit::sandbox::Sandbox;
use super::super::kit::soundness::{Store, registry_names_only_whole_versions_but};
use super::super::kit::tree::Tree;
use super::super::kit::{engine, sha256};
use super::load::IDS;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// All there is of one ruleset: its files, and what the three records say of it.
pub type Part = (Tree, Vec<Value>);

/// The store in the parts that change each for itself, and the language.
#[derive(Clone)]
pub struct Parts(BTreeMap<String, Part>);

impl Parts {
    pub fn of(sandbox: &Sandbox) -> Self {
        let store = Store::of(&sandbox.packages());
        let mut parts: BTreeMap<String, Part> = IDS
            .iter()
            .map(|id| (id.to_string(), (store.tree.below(&format!("versions/{id}")), store.records_of(id))))
            .collect();
        parts.insert("the language".to_owned(), (Tree::default(), vec![store.language()]));
        Parts(parts)
    }

    /// Fails unless each part is as in one of these.
    #[track_caller]
    pub fn assert_each_in(&self, possible: &[Parts]) {
        for (name, part) in &self.0 {
            let known = possible.iter().any(|parts| parts.0[name] == *part);
            let others: Vec<&Part> = possible.iter().map(|parts| &parts.0[name]).collect();
            assert!(known, "{name} is neither as before nor as after:\n{part:#?}\nbut should be one of\n{others:#?}");
        }
    }
}

/// What no run may touch: a package of another kind, and files the reader put into version folders.
#[derive(Default)]
pub struct Others {
    chess: Value,
    /// The digest of each file, and whose version it lies beside.
    files: BTreeMap<String, &'static str>,
}

impl Others {
    pub fn expect_chess(&mut self, sandbox: &Sandbox) {
        self.chess = chess(sandbox);
        assert_eq!(self.chess["version"], "2.0.0");
    }

    pub fn count(&self) -> usize {
        self.files.len()
    }

    pub fn put_file(&mut self, id: &'static str, text: &str) {
        self.files.insert(sha256(text.as_bytes()), id);
    }

    /// The files beside one package were taken away by whoever put them there.
    pub fn forget(&mut self, id: &str) {
        self.files.retain(|_, whose| *whose != id);
    }

    /// They are all there; a file may lie with what is staged while nobody has finished the change it is carried over
    /// in.
    #[track_caller]
    pub fn are_there(&self, sandbox: &Sandbox, finished: bool) {
        assert_eq!(chess(sandbox), self.chess);
        let tree = Tree::of(sandbox.packages());
        let in_place = tree.digests().filter(|(path, _)| !finished || !path.starts_with(".staging-"));
        let there: BTreeSet<&str> = in_place.map(|(_, digest)| digest).collect();
        let lost: Vec<_> = self.files.iter().filter(|(file, _)| !there.contains(file.as_str())).collect();
        assert!(lost.is_empty(), "files of the reader are gone: {lost:?} from {tree:?}");
    }
}

fn chess(sandbox: &Sandbox) -> Value {
    let registry = sandbox.registry();
    let records = registry["packages"].as_array().unwrap();
    records.iter().find(|record| record["id"] == "chess").cloned().unwrap_or_default()
}

/// Right after a kill, before anybody has looked: every version the registry names is whole, but for those a change of
/// whose folder was begun and not finished.
pub fn is_sound_when_dead(sandbox: &Sandbox) -> Result<(), String> {
    let intent = std::fs::read(sandbox.packages().join(".rulepack-intent.json")).unwrap_or_default();
    let intent: Value = serde_json::from_slice(&intent).unwrap_or_default();
    let changes = intent["transaction"]["changes"].as_array().cloned().unwrap_or_default();
    let placing = changes.iter().filter(|change| !change["place"].is_null());
    let between: Vec<&str> = placing.filter_map(|change| change["id"].as_str()).collect();
    registry_names_only_whole_versions_but(&sandbox.packages(), &between)
}

/// Once somebody has looked, nothing is between before and after: all that is named is whole as the engine sees it, and
/// nothing lies in a package's folder but the two versions named, one pack, and what is not rulepack's.
#[track_caller]
pub fn is_sound(sandbox: &Sandbox) {
    let records = engine::rulesets(sandbox);
    let tree = Tree::of(sandbox.packages());
    assert!(!tree.has(".rulepack-intent.json"), "a change was left unfinished");
    for id in IDS {
        let record = records.iter().find(|record| record.id == *id);
        let allowed = record.map(|record| engine::declared_of(sandbox, record)).unwrap_or_default();
        let locales = record.map(|record| format!("versions/{id}/{}/locales/", record.version)).unwrap_or_default();
        let below = tree.below(&format!("versions/{id}"));
        let mut extra = below.files();
        extra.retain(|path| !allowed.contains(*path) && !is_somebodys(path));
        assert!(extra.len() <= 1, "{id}: {extra:?} in {below:?}");
        assert!(extra.iter().all(|path| record.is_some() && path.starts_with(&locales)), "{id}: {extra:?}");
    }
}

fn is_somebodys(path: &str) -> bool {
    path.contains("/mine-") || path.contains(".edited") || path.contains(".kept")
}
