use super::dice_system::DiceSystem;
use super::extends::{NoParent, parent_of};
use super::host::Host;
use super::merge::merge;
use super::read::name;
use super::source::{Source, canonical};
use crate::types::{Pointer, Problem};
use serde_json::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A rule with everything it inherits.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The file, absolute.
    pub path: PathBuf,
    /// What the file itself says.
    pub raw: Value,
    /// The same over all it extends. `abstract` is not inherited, `extends` is the file's own.
    pub resolved: Value,
    /// Without blanks around it, never empty; it may be inherited.
    pub rule_id: String,
    /// The file and all it extends, the nearest first.
    pub chain: Vec<Arc<Source>>,
}

/// A rule file with all it extends, not judged yet.
#[derive(Clone, Debug)]
pub(super) struct Resolved {
    pub value: Value,
    pub chain: Vec<Arc<Source>>,
}

/// Why a rule does not load: a finding whose pointer is into `source`.
#[derive(Debug)]
pub(super) struct NoRule {
    pub source: Arc<Source>,
    pub problem: Box<Problem>,
}

/// Reads rule files, each once, however many extend it.
#[derive(Debug)]
pub struct Loader {
    host: Option<Host>,
    /// By canonical path.
    read: HashMap<PathBuf, Result<Arc<Source>, Box<Problem>>>,
}

/// Reads one rule and all it extends. The host is where built-in rules are found.
///
/// What keeps it from loading is one finding: D01 (not readable), D02 (no id), D05 (parent missing), D06 (inheritance in
/// a circle), D07 (parent not readable), D08 (no known dice system), D20 (parent outside of the pack).
pub fn load(path: &Path, host: Option<&Host>) -> Result<Rule, Box<Problem>> {
    Loader::new(host.cloned()).load(path)
}

impl Loader {
    pub fn new(host: Option<Host>) -> Self {
        Loader { host, read: HashMap::new() }
    }

    /// See [`load`].
    pub fn load(&mut self, path: &Path) -> Result<Rule, Box<Problem>> {
        let source = self.source(path)?;
        let about = |NoRule { source, problem }: NoRule| Box::new(Problem { file: Some(source.name()), ..*problem });
        let Resolved { value, chain } = self.resolve(&source).map_err(about)?;
        let at_source = |problem| about(NoRule { source: source.clone(), problem });
        DiceSystem::of(&value).map_err(at_source)?;
        let Some(rule_id) = name(&value, "rule_id").map(str::to_owned) else {
            let problem = Problem::error("D02", &Pointer::root().at("rule_id"), "the rule has no `rule_id`");
            return Err(at_source(Box::new(problem)));
        };
        Ok(Rule { path: source.path.clone(), raw: source.value.clone(), resolved: value, rule_id, chain })
    }

    /// A rule file as it stands (D01).
    pub(super) fn source(&mut self, path: &Path) -> Result<Arc<Source>, Box<Problem>> {
        let key = canonical(path);
        let read = self.read.entry(key).or_insert_with(|| Source::read(path, "D01").map(Arc::new));
        read.clone()
    }

    /// A file over everything it extends.
    pub(super) fn resolve(&mut self, source: &Arc<Source>) -> Result<Resolved, NoRule> {
        let chain = self.chain(source)?;
        let mut value = Value::Object(serde_json::Map::new());
        for link in chain.iter().rev() {
            value = merge(value, &link.value);
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

    fn chain(&mut self, source: &Arc<Source>) -> Result<Vec<Arc<Source>>, NoRule> {
        let mut chain = vec![source.clone()];
        let mut visited = vec![canonical(&source.path)];
        let mut last = source.clone();
        loop {
            let fault = |code: &str, message: String| NoRule {
                source: last.clone(),
                problem: Box::new(Problem::error(code, &Pointer::root().at("extends"), message)),
            };
            let parent = match parent_of(&last.path, last.value.get("extends"), self.host.as_ref()) {
                Ok(None) => return Ok(chain),
                Ok(Some(parent)) => parent,
                Err(NoParent::Missing(why)) => {
                    let mut missing = fault("D05", format!("`extends` {why}"));
                    if self.host.is_none() {
                        missing.problem.hint =
                            Some("if it is built into DiceFrame, name its folder with --host".into());
                    }
                    return Err(missing);
                }
                Err(NoParent::Outside(path)) => {
                    let message = format!("`extends` leads to {}, which the pack cannot count on", path.display());
                    let mut outside = fault("D20", message);
                    let hint = "extend a file of the same rules folder, or one built into DiceFrame, by its name";
                    outside.problem.hint = Some(hint.to_owned());
                    return Err(outside);
                }
            };
            let place = canonical(&parent);
            if visited.contains(&place) {
                return Err(fault("D06", format!("`extends` leads back to {}, in a circle", parent.display())));
            }
            let next = self.source(&parent).map_err(|problem| {
                let line = problem.line.map(|line| format!(", line {line}")).unwrap_or_default();
                fault("D07", format!("`extends` leads to {}{line}: {}", parent.display(), problem.message))
            })?;
            visited.push(place);
            chain.push(next.clone());
            last = next;
        }
    }
}
