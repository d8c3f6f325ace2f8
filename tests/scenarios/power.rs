//! The power goes between two steps (docs/spec/commands.md#the-store). What the system was asked to do and not to flush
//! yet may be on the disk or not, each for itself; a file's name may be there without what it holds. What a command
//! asks of the system is taken down by strace, and every step is a moment at which the power goes, in several ways.

use super::kills::{
    Scene, first_install, language_change, readers, reinstall, republished, rollback, uninstall, update,
};
use super::kit::sandbox::Sandbox;
use super::kit::soundness::{Store, leftovers, registry_names_only_whole_versions};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// A file or a folder, whatever it is called.
type Node = usize;
/// A name in a folder.
type Name = (Node, String);

/// A file as it is and as it was last flushed; nothing for a folder.
type Content = Option<(Vec<u8>, Option<Vec<u8>>)>;

/// What is on a disk: files with what they hold, and folders.
type State = BTreeMap<PathBuf, Option<Vec<u8>>>;

/// A change of names, one step for the system.
#[derive(Clone)]
struct Step(Vec<(Name, Option<Node>)>);

/// A disk with the names and files that are safe, and what was asked for since.
struct Disk {
    root: PathBuf,
    nodes: Vec<Content>,
    names: BTreeMap<Name, Node>,
    safe: BTreeMap<Name, Node>,
    pending: Vec<Step>,
}

impl Disk {
    /// Everything below a folder, and all of it safe.
    fn of(root: &Path) -> Self {
        let (nodes, names) = (vec![None], BTreeMap::new());
        let mut disk = Disk { root: root.to_owned(), nodes, names, safe: BTreeMap::new(), pending: Vec::new() };
        disk.load(root, 0);
        disk.safe = disk.names.clone();
        disk
    }

    fn load(&mut self, folder: &Path, node: Node) {
        for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap()) {
            let is_folder = entry.file_type().unwrap().is_dir();
            let bytes = (!is_folder).then(|| fs::read(entry.path()).unwrap());
            self.nodes.push(bytes.map(|bytes| (bytes.clone(), Some(bytes))));
            let new = self.nodes.len() - 1;
            self.names.insert((node, entry.file_name().into_string().unwrap()), new);
            if is_folder {
                self.load(&entry.path(), new);
            }
        }
    }

    /// The name at a path; nothing for one that is not on this disk.
    fn name(&self, path: &Path) -> Option<Name> {
        let mut parts = path.strip_prefix(&self.root).ok()?.iter().map(|part| part.to_str().unwrap().to_owned());
        let mut name: Name = (0, parts.next()?);
        for part in parts {
            name = (self.names[&name], part);
        }
        Some(name)
    }

    fn find(&self, path: &Path) -> Option<Node> {
        if path == self.root { Some(0) } else { self.names.get(&self.name(path)?).copied() }
    }

    fn step(&mut self, changes: Vec<(Name, Option<Node>)>) {
        apply(&mut self.names, &changes);
        self.pending.push(Step(changes));
    }

    fn make(&mut self, path: &Path, content: Content) {
        let Some(name) = self.name(path) else { return };
        if !self.names.contains_key(&name) {
            self.nodes.push(content);
            self.step(vec![(name, Some(self.nodes.len() - 1))]);
        }
    }

    fn file(&mut self, path: &Path) -> Option<&mut (Vec<u8>, Option<Vec<u8>>)> {
        let node = self.find(path)?;
        self.nodes[node].as_mut()
    }

    fn rename(&mut self, from: &Path, to: &Path, exchange: bool) {
        let (Some(from), Some(to)) = (self.name(from), self.name(to)) else { return };
        let there = self.names.get(&to).copied().filter(|_| exchange);
        let node = self.names[&from];
        self.step(vec![(from, there), (to, Some(node))]);
    }

    fn flush(&mut self, path: &Path) {
        let Some(node) = self.find(path) else { return };
        if let Some((bytes, flushed)) = &mut self.nodes[node] {
            *flushed = Some(bytes.clone());
            return;
        }
        // What is flushed of a folder is every step it has a part in, and what came before to the same names.
        let mut flushed = BTreeSet::new();
        for step in self.pending.iter().rev() {
            if step.0.iter().any(|((folder, _), _)| *folder == node) {
                flushed.extend(step.0.iter().map(|(name, _)| name.clone()));
            }
        }
        let is_flushed = |step: &Step| step.0.iter().any(|(name, _)| flushed.contains(name));
        for step in std::mem::take(&mut self.pending) {
            match is_flushed(&step) {
                true => apply(&mut self.safe, &step.0),
                false => self.pending.push(step),
            }
        }
    }

    /// What may be on the disk once the power has gone: nothing of what was not flushed, all of it, all but one, one
    /// alone; and of files that were not flushed nothing or all.
    fn states(&self) -> Vec<State> {
        let count = self.pending.len();
        let mut ways: Vec<Vec<bool>> = vec![vec![false; count], vec![true; count]];
        for n in 0..count {
            ways.push((0..count).map(|other| other == n).collect());
            ways.push((0..count).map(|other| other != n).collect());
        }
        let mut states = Vec::new();
        for way in ways {
            let mut names = self.safe.clone();
            let chosen = self.pending.iter().zip(way).filter(|(_, is_there)| *is_there);
            chosen.for_each(|(step, _)| apply(&mut names, &step.0));
            states.extend([false, true].map(|with_bytes| self.written(&names, with_bytes)));
        }
        states
    }

    fn written(&self, names: &BTreeMap<Name, Node>, with_bytes: bool) -> State {
        let (mut written, mut folders) = (BTreeMap::new(), vec![(0, PathBuf::new())]);
        while let Some((folder, path)) = folders.pop() {
            for ((_, name), node) in names.range((folder, String::new())..(folder + 1, String::new())) {
                let path = path.join(name);
                match &self.nodes[*node] {
                    None => {
                        written.insert(path.clone(), None);
                        folders.push((*node, path));
                    }
                    Some((bytes, _)) if with_bytes => drop(written.insert(path, Some(bytes.clone()))),
                    Some((_, flushed)) => drop(written.insert(path, Some(flushed.clone().unwrap_or_default()))),
                }
            }
        }
        written
    }
}

fn apply(names: &mut BTreeMap<Name, Node>, changes: &[(Name, Option<Node>)]) {
    for (name, node) in changes {
        match node {
            Some(node) => drop(names.insert(name.clone(), *node)),
            None => drop(names.remove(name)),
        }
    }
}

/// One call of the system as strace writes it down: its name and what it was given.
struct Call {
    name: String,
    given: Vec<String>,
}

impl Call {
    /// The calls that worked, in order; what other threads did meanwhile stands where it ended.
    fn all(trace: &str) -> Vec<Call> {
        let mut begun: HashMap<&str, &str> = HashMap::new();
        let mut calls = Vec::new();
        for line in trace.lines() {
            let Some((thread, rest)) = line.split_once(' ') else { continue };
            let rest = rest.trim_start();
            let whole = if let Some(begin) = rest.strip_suffix(" <unfinished ...>") {
                begun.insert(thread, begin);
                continue;
            } else if let Some((_, end)) = rest.split_once(" resumed>") {
                format!("{}{end}", begun.remove(thread).unwrap_or_default())
            } else {
                rest.to_owned()
            };
            let Some((call, result)) = whole.rsplit_once(" = ") else { continue };
            let Some((name, given)) = call.trim_end().trim_end_matches(')').split_once('(') else { continue };
            if !result.starts_with('-') {
                let given = given.split(", ").map(str::to_owned).collect();
                calls.push(Call { name: name.to_owned(), given });
            }
        }
        calls
    }

    /// The bytes of a text, all of which are written `\x2f`.
    fn bytes(&self, at: usize) -> Vec<u8> {
        let digits = self.given[at].trim_matches('"').split("\\x").skip(1);
        digits.map(|digits| u8::from_str_radix(&digits[..2], 16).unwrap()).collect()
    }

    /// The path of an open file: `3<\x2f>`.
    fn open(&self, at: usize) -> PathBuf {
        let (_, path) = self.given[at].split_once('<').unwrap_or_default();
        PathBuf::from(String::from_utf8(Call { name: String::new(), given: vec![path.to_owned()] }.bytes(0)).unwrap())
    }

    fn path(&self, at: usize) -> PathBuf {
        PathBuf::from(String::from_utf8_lossy(&self.bytes(at)).into_owned())
    }

    /// Whether it is given a path below a folder, by name or as an open file.
    fn is_about(&self, at: usize, folder: &Path) -> bool {
        let given = &self.given[at];
        let path = if given.contains('<') && !given.contains("AT_FDCWD") { self.open(at) } else { self.path(at) };
        path.starts_with(folder)
    }

    fn below(&self, at: usize) -> PathBuf {
        self.open(at).join(self.path(at + 1))
    }

    fn happens_on(&self, disk: &mut Disk) {
        match self.name.as_str() {
            "openat" if self.given[2].contains("O_CREAT") => disk.make(&self.below(0), Some((Vec::new(), None))),
            "openat" => {}
            "write" => {
                let bytes = self.bytes(1);
                if let Some((held, _)) = disk.file(&self.open(0)) {
                    held.extend(bytes);
                }
            }
            "ftruncate" => {
                if let Some((held, _)) = disk.file(&self.open(0)) {
                    held.truncate(self.given[1].parse().unwrap());
                }
            }
            "fsync" | "fdatasync" => disk.flush(&self.open(0)),
            "mkdir" => disk.make(&self.path(0), None),
            "mkdirat" => disk.make(&self.below(0), None),
            "rename" => disk.rename(&self.path(0), &self.path(1), false),
            "renameat" => disk.rename(&self.below(0), &self.below(2), false),
            "renameat2" => disk.rename(&self.below(0), &self.below(2), self.given[4].contains("EXCHANGE")),
            "unlink" | "rmdir" => disk.name(&self.path(0)).into_iter().for_each(|name| disk.step(vec![(name, None)])),
            "unlinkat" => disk.name(&self.below(0)).into_iter().for_each(|name| disk.step(vec![(name, None)])),
            name => panic!("nobody knows what {name} does to the disk"),
        }
    }
}

const CALLS: &str = "trace=openat,write,ftruncate,fsync,fdatasync,mkdir,mkdirat,rename,renameat,renameat2,unlink,unlinkat,\
                     rmdir,pwrite64,writev,copy_file_range,sendfile,link,linkat,symlink,symlinkat";

/// What a command asks of the system. Nothing where nobody can be watched.
fn watched(scene: &Scene, sandbox: &Sandbox) -> Option<Vec<Call>> {
    let file = sandbox.root().join("trace");
    let strace = ["strace", "-f", "-y", "-xx", "-s", "10000000", "-e", CALLS, "-e", "signal=none", "-o"];
    let run =
        sandbox.command(scene.command).env("RULEPACK_PRETEND", scene.pretended().trim_start_matches("no-power-cuts"));
    let run = run.through(&[&strace[..], &[file.to_str().unwrap()]].concat()).run();
    let Ok(trace) = fs::read_to_string(&file) else {
        eprintln!("skipped: nothing can be watched by strace here");
        return None;
    };
    run.expect(0);
    let data = sandbox.data();
    let mut calls = Call::all(&trace);
    calls.retain(|call| (0..call.given.len()).any(|at| call.is_about(at, &data)));
    Some(calls)
}

fn survives(scene: &Scene) {
    let before = Store::of(&scene.start.packages());
    let mine = readers(&scene.start.packages());
    let sandbox = scene.sandbox();
    let mut disk = Disk::of(&sandbox.data());
    let Some(calls) = watched(scene, &sandbox) else { return };
    let after = Store::of(&sandbox.packages());
    let mut seen = BTreeSet::new();
    for (n, call) in calls.iter().enumerate() {
        call.happens_on(&mut disk);
        for state in disk.states() {
            if !seen.insert(what_counts(&state)) {
                continue;
            }
            let names: Vec<_> = state.keys().map(|path| path.display().to_string()).collect();
            let at =
                format!("{:?}, power gone after call {n}, {} {:?}: {names:#?}", scene.command, call.name, call.shown());
            let dead = scene.sandbox();
            fs::remove_dir_all(dead.data()).unwrap();
            fs::create_dir(dead.data()).unwrap();
            for (path, content) in &state {
                let path = dead.data().join(path);
                match content {
                    None => fs::create_dir(path).unwrap(),
                    Some(bytes) => fs::write(path, bytes).unwrap(),
                }
            }
            let answer = dead.json(&["list"]);
            assert_eq!(answer.exit, 0, "{at}: {answer:#?}");
            registry_names_only_whole_versions(&dead.packages()).unwrap_or_else(|why| panic!("{at}: {why}"));
            let found = Store::of(&dead.packages());
            if found != before {
                after.assert_same(&found, &at);
            }
            dead.run(&["sync"]).expect(0);
            assert_eq!(readers(&dead.packages()), mine, "{at}");
            assert_eq!(leftovers(&dead.packages()), [""; 0], "{at}");
        }
    }
    assert!(seen.len() > 10, "hardly a moment at which the power can go: {}", seen.len());
}

/// Where no intent tells of it, what is staged is swept unread.
fn what_counts(state: &State) -> State {
    let is_begun = state.contains_key(Path::new("capability-packages/.rulepack-intent.json"));
    let is_staged = |path: &Path| path.starts_with("capability-packages") && path.iter().nth(1).is_some_and(is_staging);
    state
        .iter()
        .filter(|(path, _)| is_begun || !is_staged(path))
        .map(|(path, held)| (path.clone(), held.clone()))
        .collect()
}

fn is_staging(name: &OsStr) -> bool {
    name.to_string_lossy().starts_with(".staging-")
}

impl Call {
    fn shown(&self) -> Vec<String> {
        let shown = |at: usize| match self.given[at].contains('<') {
            true => self.open(at).display().to_string(),
            false => String::from_utf8_lossy(&self.bytes(at)).chars().take(120).collect(),
        };
        (0..self.given.len()).map(shown).collect()
    }
}

#[test]
fn a_power_cut_leaves_a_first_install_or_none() {
    survives(&first_install());
}

#[test]
fn a_power_cut_leaves_an_update_done_or_not_begun() {
    survives(&update());
}

#[test]
fn a_power_cut_leaves_a_republished_version_or_the_one_before() {
    survives(&republished());
    survives(&Scene { without_exchange: true, ..republished() });
}

#[test]
fn a_power_cut_in_a_reinstall_costs_nobody_a_file() {
    survives(&reinstall());
}

#[test]
fn a_power_cut_leaves_one_language_or_the_other() {
    survives(&language_change());
}

#[test]
fn a_power_cut_leaves_one_version_active_or_the_other() {
    survives(&rollback());
}

#[test]
fn a_power_cut_leaves_a_ruleset_or_none() {
    survives(&uninstall());
}
