//! The audit of rules, worlds and packs.

use super::check;
use super::dice_system::DiceSystem;
use super::find::{FoundFiles, find};
use super::host::Host;
use super::inheritance::{attributed, within};
use super::load::{Loader, NoRule, Resolved};
use super::read::{kind, name};
use super::source::SourceFile;
use super::twins;
use super::world::{self, Rules, Standing};
use crate::diceframe::codes;
use crate::json::locate;
use crate::types::{Cancel, Code, Failure, Pointer, Problem, Problems, Severity, Warning};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::ptr;
use std::sync::Arc;

/// What to audit.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// A DiceFrame root, whose own rules, worlds and packs are audited with the paths.
    pub host: Option<PathBuf>,
    /// Files, packs and folders of packs.
    pub paths: Vec<PathBuf>,
    /// Takes every warning for an error.
    pub strict: bool,
}

/// What an audit found: the `result` of `audit rules`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditReport {
    /// File by file, each from its top to its end.
    pub problems: Vec<Problem>,
    pub summary: Summary,
}

/// How much was looked at, and how much is wrong with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    pub errors: usize,
    pub warnings: usize,
    /// Rule files, bases included.
    pub rules: usize,
    pub worlds: usize,
    /// Packs that have a rule or a world.
    pub packs: usize,
}

/// Audits rules, worlds and packs. Paths that led to nothing are warned of; when none led anywhere, or one does not
/// exist, that is wrong usage.
pub fn audit(request: &Request, cancel: &Cancel) -> Result<(AuditReport, Vec<Warning>), Failure> {
    let absolute = |host: &PathBuf| std::path::absolute(host).unwrap_or_else(|_| host.clone());
    let host = request.host.as_ref().map(|host| Host::at(absolute(host)));
    let mut loader = Loader::new(host.clone());
    let found = find(host.as_ref(), &request.paths, &mut loader)?;
    if found.rules.is_empty() && found.worlds.is_empty() && found.problems.is_empty() {
        let hint = "give rule files, packs, or folders of packs; `content/rules` and `content/worlds` are searched";
        return Err(Failure::new(Code::Usage, "no rules or worlds were found to audit").hint(hint));
    }
    let empty = found.empty.iter().map(|path| {
        let message = format!("{} contains no rules or worlds", path.display());
        Warning::new(codes::NOTHING_TO_AUDIT, message)
    });
    let warnings = empty.collect();
    let (rules, worlds, packs) = (found.rules.len(), found.worlds.len(), found.packs.len());
    let problems = in_order(Auditor::new(loader, host.is_some()).audit(found, cancel), request.strict);
    cancel.stop_if_asked()?;
    let (errors, warned) = (Severity::Error.count(&problems), Severity::Warning.count(&problems));
    let summary = Summary { errors, warnings: warned, rules, worlds, packs };
    Ok((AuditReport { problems, summary }, warnings))
}

/// Sorts findings by file and place, each once: what is inherited is found with every rule that inherits it. A strict
/// audit takes each for an error.
pub(in crate::diceframe) fn in_order(mut problems: Vec<Problem>, strict: bool) -> Vec<Problem> {
    if strict {
        problems.iter_mut().for_each(|problem| problem.severity = Severity::Error);
    }
    problems.sort_by(|a, b| {
        let place = |problem: &Problem| (problem.line, problem.column);
        let by_place = a.file.cmp(&b.file).then(place(a).cmp(&place(b)));
        by_place.then_with(|| (&a.code, &a.pointer, &a.message).cmp(&(&b.code, &b.pointer, &b.message)))
    });
    problems.dedup();
    problems
}

struct Auditor {
    loader: Loader,
    /// The files that were named or found.
    looked_at: HashSet<*const SourceFile>,
    /// Those of them whose repeated keys are told.
    repeated_told: HashSet<*const SourceFile>,
    rules: Rules,
    problems: Problems,
    /// The texts of the files there are findings about, by how findings name them.
    texts: BTreeMap<String, Arc<SourceFile>>,
}

impl Auditor {
    fn new(loader: Loader, with_host: bool) -> Self {
        let (looked_at, repeated_told, problems, texts) = Default::default();
        Auditor { loader, looked_at, repeated_told, rules: Rules::new(with_host), problems, texts }
    }

    /// Stops when asked to; what it then says is of no use.
    fn audit(mut self, found: FoundFiles, cancel: &Cancel) -> Vec<Problem> {
        self.problems.extend(found.problems);
        let goes_on = || !cancel.is_asked();
        // All are read before any is followed to what it extends, so that each has the name it was found by.
        let read: Vec<_> = found.rules.iter().take_while(|_| goes_on()).map(|path| self.loader.source(path)).collect();
        self.looked_at = read.iter().flatten().map(Arc::as_ptr).collect();
        let mut named = Vec::new();
        for source in read.into_iter().take_while(|_| goes_on()) {
            match source {
                Err(problem) => self.problems.push(*problem),
                Ok(source) => {
                    self.texts.insert(source.name(), source.clone());
                    named.extend(self.rule(&source).map(|id| (id, source)));
                }
            }
        }
        self.problems.extend(twins::check(named.iter().map(|(id, source)| (id.as_str(), source))));
        for path in found.worlds.iter().take_while(|_| goes_on()) {
            match self.loader.read(path, codes::D21) {
                Err(problem) => self.problems.push(*problem),
                Ok(world) => {
                    self.problems.extend(world::check(&world, &self.rules));
                    self.texts.insert(world.name(), Arc::new(world));
                }
            }
        }
        for pack in &found.packs {
            if let Ok(manifest) = self.loader.source(&pack.join(super::pack::MANIFEST)) {
                self.texts.insert(manifest.name(), manifest);
            }
        }
        self.placed()
    }

    /// Judges one rule file; its id, if it is one that can be played and others must not have.
    fn rule(&mut self, source: &Arc<SourceFile>) -> Option<String> {
        let own = name(&source.value, "rule_id").map(str::to_owned);
        if source.is_abstract() {
            own.inspect(|id| self.rules.add(id, Standing::Abstract));
            return None;
        }
        let Some(id) = own else {
            let found = source.value.get("rule_id").map_or("missing".to_owned(), kind);
            let message = format!("`rule_id` is {found}, but should be the rule's own id");
            let problem = Problem::new(codes::D02, &Pointer::root().at("rule_id"), message);
            self.problems.push(Problem { file: Some(source.name()), ..problem });
            return None;
        };
        let loads = self.judge(source);
        self.rules.add(&id, if loads { Standing::Playable } else { Standing::Broken });
        Some(id)
    }

    /// Collects what is wrong with a rule and tells whether it loads.
    fn judge(&mut self, source: &Arc<SourceFile>) -> bool {
        let mut problems = Problems::default();
        match self.loader.resolve(source) {
            Err(NoRule { source: at, problem }) => {
                check::always(&source.value, &mut problems);
                self.tell(problems, std::slice::from_ref(source));
                let problem = within(*problem, &at, source, |file| self.looked_at.contains(&ptr::from_ref(file)));
                self.problems.push(problem);
                self.tell_repeated(std::slice::from_ref(source));
                false
            }
            Ok(Resolved { value, chain }) => {
                check::always(&value, &mut problems);
                let dice = DiceSystem::of(&value);
                let loads = dice.is_ok();
                match dice {
                    Ok(dice) => check::loaded(&value, dice, &chain, &mut problems),
                    Err(problem) => problems.push(*problem),
                }
                self.tell(problems, &chain);
                self.tell_repeated(&chain);
                loads
            }
        }
    }

    fn tell(&mut self, problems: Problems, chain: &[Arc<SourceFile>]) {
        let looked_at = |file: &SourceFile| self.looked_at.contains(&ptr::from_ref(file));
        self.problems.extend(attributed(problems.into_vec(), chain, looked_at));
    }

    /// D36, also of what is inherited: that of a file that is looked at once, and not with all that extend it.
    fn tell_repeated(&mut self, chain: &[Arc<SourceFile>]) {
        let Some(own) = chain.first() else { return };
        for link in chain.iter().filter(|link| !link.repeated().is_empty()) {
            let is_looked_at = self.looked_at.contains(&Arc::as_ptr(link));
            if is_looked_at && !self.repeated_told.insert(Arc::as_ptr(link)) {
                continue;
            }
            let repeated = link.repeated().iter().cloned();
            self.problems.extend(repeated.map(|problem| within(problem, link, own, |_| is_looked_at)));
        }
    }

    /// Gives every finding its line and column.
    fn placed(self) -> Vec<Problem> {
        let Auditor { problems, texts, .. } = self;
        let mut problems = problems.into_vec();
        let mut by_file: BTreeMap<String, Vec<&mut Problem>> = BTreeMap::new();
        for problem in &mut problems {
            by_file.entry(problem.file.clone().unwrap_or_default()).or_default().push(problem);
        }
        for (file, problems) in by_file {
            if let Some(source) = texts.get(&file) {
                locate(source.text.as_bytes(), problems);
            }
        }
        problems
    }
}
