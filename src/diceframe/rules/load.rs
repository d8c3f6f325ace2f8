use super::dice_system::DiceSystem;
use super::extends::{NoParent, parent_of, rules_folder};
use super::host::Host;
use super::merge::merge;
use super::read::name;
use super::source::SourceFile;
use crate::diceframe::codes;
use crate::disk::{OpenFolder, open_plain};
use crate::types::{self, Pointer, Problem};
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// A rule with everything it inherits.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The file, absolute.
    pub path: PathBuf,
    /// What the file says over all it extends. `abstract` is not inherited, `extends` is the file's own.
    pub resolved: Value,
    /// Without blanks around it, never empty; it may be inherited.
    pub rule_id: String,
    /// The file and all it extends, the nearest first.
    pub chain: Vec<Arc<SourceFile>>,
}

/// A rule file with all it extends, not judged yet.
#[derive(Clone, Debug)]
pub(super) struct Resolved {
    pub value: Value,
    pub chain: Vec<Arc<SourceFile>>,
}

/// Why a rule does not load: a finding whose pointer is into `source`.
#[derive(Clone, Debug)]
pub(super) struct NoRule {
    pub source: Arc<SourceFile>,
    pub problem: Box<Problem>,
}

/// Reads rule files, each once, however many extend it. A chain may be of any length.
#[derive(Debug)]
pub struct Loader {
    host: Option<Host>,
    /// The files that a person named, which may be links.
    named: HashSet<PathBuf>,
    /// The folders that a person named, or that a file lies in which was: below them no link is followed.
    folders: Vec<PathBuf>,
    /// By path, without `..`.
    read: HashMap<PathBuf, Result<Arc<SourceFile>, Box<Problem>>>,
    /// What each file extends.
    parents: HashMap<File, Result<Option<Arc<SourceFile>>, NoRule>>,
    /// What keeps a file from being followed to the end of its chain.
    broken: HashMap<File, NoRule>,
    merged: Merged,
    /// The chain that was followed last.
    last: Vec<Arc<SourceFile>>,
    /// The files merged so far, once for each rule they were merged for, and the keys and items of what came of them.
    inherited: usize,
}

/// The most files and keys that all rules read together may inherit. Every rule is judged with all it inherits, so what
/// a chain takes may grow with the square of its length; DiceFrame's own rules inherit not a hundredth of this.
const MOST_INHERITED: usize = 8_000_000;

/// Files over all they extend. Not all are kept: each may hold all of the one before it.
#[derive(Debug, Default)]
struct Merged {
    values: HashMap<File, Value>,
    held: usize,
}

impl Merged {
    const MOST: usize = 100_000;

    fn insert(&mut self, file: File, value: &Value, held: usize) {
        // A file that is all of it by itself is merged again by whoever extends it.
        if held > Self::MOST {
            return;
        }
        if self.held + held > Self::MOST {
            *self = Merged::default();
        }
        self.held += held;
        self.values.insert(file, value.clone());
    }
}

/// A file that was read, by where it lies in memory: it stays there as long as the loader.
type File = *const SourceFile;

/// Reads one rule and all it extends. The host is where built-in rules are found.
///
/// What keeps it from loading is one finding: D01 (not readable), D02 (no id), D05 (parent missing), D06 (inheritance
/// in a circle), D07 (parent not readable), D08 (no known dice system), D20 (parent outside of the pack).
pub fn load(path: &Path, host: Option<&Host>) -> Result<Rule, Box<Problem>> {
    let mut loader = Loader::new(host.cloned());
    loader.name_file(path);
    loader.load(path)
}

impl Loader {
    pub fn new(host: Option<Host>) -> Self {
        let folders = host.iter().map(|host| host.root().to_owned()).collect();
        let (named, read, parents, broken, merged, last, inherited) = Default::default();
        Loader { host, named, folders, read, parents, broken, merged, last, inherited }
    }

    /// Remembers that a person named a folder.
    pub(super) fn name_folder(&mut self, folder: &Path) {
        self.folders.push(folder.to_owned());
    }

    /// Remembers that a person named a file. What it extends lies with it.
    pub(super) fn name_file(&mut self, file: &Path) {
        self.named.insert(file.to_owned());
        self.name_folder(&rules_folder(file));
    }

    /// Reads a file: one that a person named wherever it leads, any other as it lies in its folder.
    pub(super) fn read(&self, path: &Path, code: &'static types::Rule) -> Result<SourceFile, Box<Problem>> {
        let below = |folder: &PathBuf| Some((folder.clone(), plain(path.strip_prefix(folder).ok()?)));
        let of_the_nearest = |(folder, _): &(PathBuf, PathBuf)| folder.as_os_str().len();
        let open = match self.folders.iter().filter_map(below).max_by_key(of_the_nearest) {
            Some((folder, below)) if !self.named.contains(path) => {
                OpenFolder::open(&folder).and_then(|folder| folder.file(below))
            }
            _ => open_plain(path),
        };
        SourceFile::read(path, open, code)
    }

    /// See [`load`].
    pub fn load(&mut self, path: &Path) -> Result<Rule, Box<Problem>> {
        let source = self.source(path)?;
        let about = |NoRule { source, problem }: NoRule| Box::new(Problem { file: Some(source.name()), ..*problem });
        let Resolved { value, chain } = self.resolve(&source).map_err(about)?;
        let at_source = |problem| about(NoRule { source: source.clone(), problem });
        DiceSystem::of(&value).map_err(at_source)?;
        let Some(rule_id) = name(&value, "rule_id").map(str::to_owned) else {
            let problem = Problem::new(codes::D02, &Pointer::root().at("rule_id"), "the rule has no `rule_id`");
            return Err(at_source(Box::new(problem)));
        };
        Ok(Rule { path: source.path.clone(), resolved: value, rule_id, chain })
    }

    /// A rule file as it stands (D01).
    pub(super) fn source(&mut self, path: &Path) -> Result<Arc<SourceFile>, Box<Problem>> {
        let key = plain(path);
        if let Some(read) = self.read.get(&key) {
            return read.clone();
        }
        let read = self.read(path, codes::D01).map(Arc::new);
        self.read.insert(key, read.clone());
        read
    }

    /// A file over everything it extends.
    pub(super) fn resolve(&mut self, source: &Arc<SourceFile>) -> Result<Resolved, NoRule> {
        let chain = self.chain(source)?;
        let mut value = self.merge(&chain);
        if chain.len() > 1 && self.inherited > MOST_INHERITED {
            let most = MOST_INHERITED / 1_000_000;
            let message = format!(
                "`extends` leads to too much: all rules together inherit more than {most} million files and keys"
            );
            return Err(fault(source, codes::D07, message));
        }
        if let Some(members) = value.as_object_mut() {
            // A base says it of itself alone; and what the file extends is its own matter.
            for key in ["abstract", "extends"] {
                match source.value.get(key) {
                    Some(own) => members.insert(key.to_owned(), own.clone()),
                    None => members.remove(key),
                };
            }
        }
        Ok(Resolved { value, chain })
    }

    /// The first of a chain over all others, which begins at the nearest that was merged before.
    fn merge(&mut self, chain: &[Arc<SourceFile>]) -> Value {
        let known = chain.iter().position(|link| self.merged.values.contains_key(&Arc::as_ptr(link)));
        let mut value = match known.and_then(|at| self.merged.values.get(&Arc::as_ptr(&chain[at]))) {
            Some(known) => known.clone(),
            None => Value::Object(serde_json::Map::new()),
        };
        let unmerged = &chain[..known.unwrap_or(chain.len())];
        let mut room = Merged::MOST;
        for link in unmerged.iter().rev() {
            value = merge(value, &link.value);
            // Those to come are asked for next where files are named from the farthest to the nearest.
            if room > 0 {
                let held = size(&value);
                room = room.saturating_sub(held);
                self.merged.insert(Arc::as_ptr(link), &value, held);
            }
        }
        self.inherited += unmerged.len() + size(&value);
        value
    }

    /// The file and all it extends, the nearest first. Files are asked for in the order of their names, so most of it
    /// is mostly the chain of the one before.
    fn chain(&mut self, source: &Arc<SourceFile>) -> Result<Vec<Arc<SourceFile>>, NoRule> {
        let at =
            |file: &Arc<SourceFile>, chain: &[Arc<SourceFile>]| chain.iter().position(|link| Arc::ptr_eq(link, file));
        if let Some(at) = at(source, &self.last) {
            return Ok(self.last[at..].to_vec());
        }
        if let Ok(Some(parent)) = self.parent(source)
            && let Some(at) = at(&parent, &self.last)
        {
            self.last.splice(..at, [source.clone()]);
            return Ok(self.last.clone());
        }
        let chain = self.follow(source)?;
        self.last.clone_from(&chain);
        Ok(chain)
    }

    fn follow(&mut self, source: &Arc<SourceFile>) -> Result<Vec<Arc<SourceFile>>, NoRule> {
        let mut chain = vec![source.clone()];
        let mut places: HashMap<File, usize> = HashMap::from([(Arc::as_ptr(source), 0)]);
        let mut last = source.clone();
        loop {
            if let Some(broken) = self.broken.get(&Arc::as_ptr(&last)).cloned() {
                return Err(self.broken_from(&chain, &broken));
            }
            let next = match self.parent(&last) {
                Ok(None) => return Ok(chain),
                Ok(Some(next)) => next,
                Err(broken) => return Err(self.broken_from(&chain, &broken)),
            };
            if let Some(start) = places.get(&Arc::as_ptr(&next)) {
                return Err(self.circle(&chain, *start));
            }
            places.insert(Arc::as_ptr(&next), chain.len());
            chain.push(next.clone());
            last = next;
        }
    }

    /// All of a chain lead to what keeps its last from being followed.
    fn broken_from(&mut self, chain: &[Arc<SourceFile>], broken: &NoRule) -> NoRule {
        self.broken.extend(chain.iter().map(|link| (Arc::as_ptr(link), broken.clone())));
        broken.clone()
    }

    /// D06, for everyone in a circle that begins at `start` of a chain and for all that lead into it: each is told of
    /// where it is closed.
    fn circle(&mut self, chain: &[Arc<SourceFile>], start: usize) -> NoRule {
        let (before, circle) = chain.split_at(start);
        for (at, link) in circle.iter().enumerate() {
            let last = &circle[(at + circle.len() - 1) % circle.len()];
            let message = format!("`extends` leads back to {}, in a circle", link.path.display());
            self.broken.insert(Arc::as_ptr(link), fault(last, codes::D06, message));
        }
        let entered = self.broken[&Arc::as_ptr(&circle[0])].clone();
        self.broken_from(before, &entered)
    }

    /// What a file extends, if anything.
    fn parent(&mut self, file: &Arc<SourceFile>) -> Result<Option<Arc<SourceFile>>, NoRule> {
        if let Some(known) = self.parents.get(&Arc::as_ptr(file)) {
            return known.clone();
        }
        let parent = self.find_parent(file);
        self.parents.insert(Arc::as_ptr(file), parent.clone());
        parent
    }

    fn find_parent(&mut self, file: &Arc<SourceFile>) -> Result<Option<Arc<SourceFile>>, NoRule> {
        let parent = match parent_of(&file.path, file.value.get("extends"), self.host.as_ref()) {
            Ok(None) => return Ok(None),
            Ok(Some(parent)) => parent,
            Err(NoParent::Missing(why)) => {
                let mut missing = fault(file, codes::D05, format!("`extends` {why}"));
                if self.host.is_none() {
                    missing.problem.hint =
                        Some("if it is built into DiceFrame, give the folder of DiceFrame with `--host`".into());
                }
                return Err(missing);
            }
            Err(NoParent::Outside(path)) => {
                let message = format!("`extends` leads to {}, which is outside the pack", path.display());
                let mut outside = fault(file, codes::D20, message);
                let hint = "extend a file in the same rules folder, or one built into DiceFrame, by its name";
                outside.problem.hint = Some(hint.to_owned());
                return Err(outside);
            }
        };
        let found = self.source(&parent).map_err(|problem| {
            let line = problem.line.map(|line| format!(", line {line}")).unwrap_or_default();
            fault(file, codes::D07, format!("`extends` leads to {}{line}: {}", parent.display(), problem.message))
        })?;
        Ok(Some(found))
    }
}

/// How many keys and items a value has, at all depths; a long text counts as several.
fn size(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len() / 100,
        Value::Object(members) => members.values().map(|value| 1 + size(value)).sum(),
        Value::Array(items) => items.iter().map(|value| 1 + size(value)).sum(),
        _ => 0,
    }
}

fn fault(file: &Arc<SourceFile>, code: &'static types::Rule, message: String) -> NoRule {
    NoRule { source: file.clone(), problem: Box::new(Problem::new(code, &Pointer::root().at("extends"), message)) }
}

/// A path without `..`, which is exact where no part of it is a link.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
}
