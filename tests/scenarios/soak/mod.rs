//! The soak: hundreds of runs of every kind over one store, killed at random moments, alone and many at once, on a
//! store that is damaged now and then. After every kill the store is held against
//! docs/spec/commands.md#what-never-breaks by code that shares nothing with the program, and in the end it is brought
//! to one state and compared with one that never met a kill.
//!
//! Short among the other tests; long by
//! `RULEPACK_SOAK_SECONDS=600 RULEPACK_SOAK_SEED=1 cargo test --test scenarios soak -- --nocapture`.

#[cfg(unix)]
mod beside;
mod load;
mod watch;

use super::kit::engine::{Record, rulesets, tidy_rulesets};
use super::kit::envelope::{Envelope, Severity, State};
use super::kit::publish::Catalog;
use super::kit::sandbox::{Invocation, Outcome, Running, Sandbox};
use super::kit::server::Server;
use load::{Dice, IDS, Kill, Step, edition};
use serde_json::json;
use std::collections::VecDeque;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};
use watch::{Others, Parts, is_sound, is_sound_when_dead};

const SHORT: Duration = Duration::from_secs(7);

#[test]
fn soak() {
    let seed = number("RULEPACK_SOAK_SEED").unwrap_or(1);
    let length = number("RULEPACK_SOAK_SECONDS").map_or(SHORT, Duration::from_secs);
    let mut soak = Soak::new(seed);
    let started = Instant::now();
    // On a machine that is busy with other things, for as many rounds as it takes to prove something.
    while started.elapsed() < length || (soak.recoveries == 0 && soak.rounds < 200) {
        soak.round();
    }
    soak.ends_in_one_state();
    println!(
        "soak, seed {seed}: {} rounds in {} s, {} commands, {} killed, {} recoveries, {} damages, {} at once at most",
        soak.rounds,
        started.elapsed().as_secs(),
        soak.commands,
        soak.kills,
        soak.recoveries,
        soak.damages,
        soak.most_at_once,
    );
    assert!(soak.kills > 0 && soak.recoveries > 0);
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().expect(name))
}

struct Soak {
    seed: u64,
    dice: Dice,
    server: Server,
    sandbox: Sandbox,
    edition: usize,
    others: Others,
    /// What each part of the store may be: as before, or as after the run that was killed.
    possible: Vec<Parts>,
    /// What was done last, for whoever has to find out why it went wrong.
    history: VecDeque<String>,
    rounds: usize,
    commands: usize,
    kills: usize,
    recoveries: usize,
    damages: usize,
    most_at_once: usize,
}

impl Drop for Soak {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("soak, seed {}, round {}; what was done last:", self.seed, self.rounds);
            self.history.iter().for_each(|line| eprintln!("  {line}"));
        }
    }
}

impl Soak {
    fn new(seed: u64) -> Self {
        let server = Server::https();
        let sandbox = Sandbox::new().trust(&server);
        put_chess(&sandbox);
        let mut soak = Soak {
            seed,
            dice: Dice::new(seed),
            possible: vec![Parts::of(&sandbox)],
            server,
            sandbox,
            edition: 0,
            others: Others::default(),
            history: VecDeque::new(),
            rounds: 0,
            commands: 0,
            kills: 0,
            recoveries: 0,
            damages: 0,
            most_at_once: 0,
        };
        soak.others.expect_chess(&soak.sandbox);
        soak.publish();
        soak
    }

    fn round(&mut self) {
        self.rounds += 1;
        match self.dice.below(12) {
            0..=5 => self.one_alone(),
            6..=8 => self.many_at_once(),
            9 => self.damaged_and_repaired(),
            10 => self.put_a_file_of_the_readers(),
            _ => {
                self.edition += 1;
                self.publish();
            }
        }
    }

    fn note(&mut self, line: String) {
        self.history.push_back(format!("{}: {line}", self.rounds));
        if self.history.len() > 24 {
            self.history.pop_front();
        }
    }

    fn publish(&mut self) {
        self.note(format!("edition {}", self.edition));
        edition(Catalog::on(&self.server), self.edition).mount(&self.server);
        edition(Catalog::on_disk(), self.edition).write(&self.sandbox.work());
    }

    fn invocation(&self, sandbox: &Sandbox, step: &Step) -> Invocation {
        let lacking = if step.without_exchange { "no-power-cuts no-exchange" } else { "no-power-cuts" };
        let run = sandbox.command(&step.args).arg("--json").env("RULEPACK_PRETEND", lacking).arg("--catalog");
        let run = if step.online { run.arg(self.server.url("/catalog.json")) } else { run.arg(self.sandbox.work()) };
        match step.kill {
            Kill::AtPlace(n) => run.env("RULEPACK_CRASH_AT", n.to_string()),
            Kill::Never | Kill::After(_) => run,
        }
    }

    /// Whether it came to its end; then it said what such a command may say.
    fn is_done(&mut self, step: &Step, outcome: &Outcome) -> bool {
        self.commands += 1;
        if outcome.status.is_none() {
            self.kills += 1;
            return false;
        }
        let answer = outcome.json();
        self.recoveries += usize::from(answer.warning_codes().contains(&"recovered"));
        assert!([0, 3, 5, 6].contains(&answer.exit), "{step:?}: {answer:#?}");
        assert!(answer.exit != 5 || step.args.contains(&"--offline"), "{step:?}: {answer:#?}");
        shows_nothing_torn(&answer, &step.args);
        true
    }

    /// Runs a step to its end, or to its death.
    fn run(&mut self, step: &Step) -> bool {
        let outcome = self.outcome_of(step);
        self.is_done(step, &outcome)
    }

    fn outcome_of(&mut self, step: &Step) -> Outcome {
        self.note(format!("{step:?}"));
        let running = self.invocation(&self.sandbox, step).spawn();
        match step.kill {
            Kill::After(delay) => {
                std::thread::sleep(delay);
                running.kill()
            }
            Kill::Never | Kill::AtPlace(_) => running.wait(),
        }
    }

    fn must(&mut self, args: &[&'static str]) {
        let step = Step { args: args.to_vec(), online: false, kill: Kill::Never, without_exchange: false };
        let outcome = self.outcome_of(&step).expect(0);
        assert!(self.is_done(&step, &outcome));
    }

    /// One run, killed or not, beside a twin that is let live: each part of the store is as it was or as the twin's.
    fn one_alone(&mut self) {
        let step = Step::draw(&mut self.dice, true);
        let twin = self.twin();
        let done = self.run(&step);
        let lives = Step { kill: Kill::Never, args: step.args.clone(), ..step };
        self.invocation(&twin, &lives).run();
        let after = Parts::of(&twin);
        if done {
            self.possible = vec![after];
        } else {
            self.possible.push(after);
        }
        self.holds_when_dead();
        // Else the next run, whatever it is, has to cope with what this one left.
        if done || !self.dice.one_in(3) {
            self.somebody_looks();
        }
    }

    fn twin(&self) -> Sandbox {
        let twin = Sandbox::new().trust(&self.server);
        copy(&self.sandbox.data(), &twin.data());
        copy(&self.sandbox.cache(), &twin.cache());
        twin
    }

    fn holds_when_dead(&self) {
        is_sound_when_dead(&self.sandbox).unwrap_or_else(|why| panic!("after a kill: {why}"));
        self.others.are_there(&self.sandbox, false);
    }

    fn somebody_looks(&mut self) {
        self.must(&["list"]);
        is_sound(&self.sandbox);
        self.others.are_there(&self.sandbox, true);
        let now = Parts::of(&self.sandbox);
        now.assert_each_in(&self.possible);
        self.possible = vec![now];
    }

    /// Several runs, some of them killed; who survives copes with what the dead leave.
    fn many_at_once(&mut self) {
        let count = if self.dice.one_in(6) { 16 } else { 2 + self.dice.below(4) };
        self.most_at_once = self.most_at_once.max(count);
        let steps: Vec<Step> = (0..count)
            .map(|_| {
                let mortal = self.dice.one_in(2);
                Step::draw(&mut self.dice, mortal)
            })
            .collect();
        steps.iter().for_each(|step| self.note(format!("at once {step:?}")));
        let mut running: Vec<Option<Running>> =
            steps.iter().map(|step| Some(self.invocation(&self.sandbox, step).spawn())).collect();
        let started = Instant::now();
        let delay = |step: &Step| match step.kill {
            Kill::After(delay) => Some(delay),
            Kill::Never | Kill::AtPlace(_) => None,
        };
        let mut doomed: Vec<(Duration, usize)> =
            steps.iter().enumerate().filter_map(|(at, step)| Some((delay(step)?, at))).collect();
        doomed.sort_unstable();
        let mut outcomes: Vec<Option<Outcome>> = vec![None; count];
        for (delay, at) in doomed {
            std::thread::sleep(delay.saturating_sub(started.elapsed()));
            outcomes[at] = running[at].take().map(Running::kill);
        }
        for (at, step) in steps.iter().enumerate() {
            let outcome = outcomes[at].take().or_else(|| running[at].take().map(Running::wait)).unwrap();
            self.is_done(step, &outcome);
        }
        self.holds_when_dead();
        self.must(&["list"]);
        is_sound(&self.sandbox);
        self.others.are_there(&self.sandbox, true);
        self.possible = vec![Parts::of(&self.sandbox)];
    }

    fn put_a_file_of_the_readers(&mut self) {
        self.must(&["list"]);
        let records = rulesets(&self.sandbox);
        // Enough of them make a store slow to look over, and prove no more.
        if records.is_empty() || self.others.count() > 20 {
            return;
        }
        let record = &records[self.dice.below(records.len())];
        let version = record.previous_version.as_ref().filter(|_| self.dice.one_in(2)).unwrap_or(&record.version);
        let notes = self.sandbox.version(&record.id, version).join("notes");
        let text = format!("mine, {}", self.rounds);
        fs::create_dir_all(&notes).unwrap();
        fs::write(notes.join(format!("mine-{}.txt", self.rounds)), &text).unwrap();
        self.others.put_file(id_of(record), &text);
        self.note(format!("a file in {} {version}", record.id));
        self.possible = vec![Parts::of(&self.sandbox)];
    }

    /// Something of the store is spoiled, and repaired by runs of which the first are killed.
    fn damaged_and_repaired(&mut self) {
        self.must(&["list"]);
        let Some(id) = self.damage() else { return };
        self.damages += 1;
        for _ in 0..self.dice.below(3) {
            let kill = Kill::draw(&mut self.dice);
            let online = self.dice.one_in(2);
            let step = Step { args: vec!["doctor", "--repair"], online, kill, without_exchange: false };
            let outcome = self.outcome_of(&step);
            self.commands += 1;
            self.kills += usize::from(outcome.status.is_none());
        }
        let repair =
            Step { args: vec!["doctor", "--repair"], online: false, kill: Kill::Never, without_exchange: false };
        // What a repair leaves of one version, a second one mends of the other.
        for _ in 0..2 {
            let answer = self.outcome_of(&repair).json();
            self.commands += 1;
            assert!([0, 10].contains(&answer.exit), "{answer:#?}");
            for problem in answer.doctor().problems.iter().filter(|problem| problem.severity == Severity::Error) {
                assert_eq!(problem.package.as_deref(), Some(id), "{answer:#?}");
                assert!(problem.hint.is_some(), "it does not say why not: {answer:#?}");
            }
        }
        let records = self.sandbox.registry()["packages"].as_array().unwrap().clone();
        if records.iter().any(|record| record["id"] == id) {
            self.must(&["uninstall", id]);
        }
        self.others.expect_chess(&self.sandbox);
        self.others.are_there(&self.sandbox, true);
        // What was spoiled may lie about as the reader's; the next rounds begin without it.
        self.take_away(id);
        self.must(&["list"]);
        is_sound(&self.sandbox);
        self.possible = vec![Parts::of(&self.sandbox)];
    }

    /// Spoils something, and says whose it is.
    fn damage(&mut self) -> Option<&'static str> {
        let records = rulesets(&self.sandbox);
        if records.is_empty() {
            return None;
        }
        let record = &records[self.dice.below(records.len())];
        let id = id_of(record);
        let version = record.previous_version.as_ref().filter(|_| self.dice.one_in(3)).unwrap_or(&record.version);
        let root = self.sandbox.version(id, version);
        let packages = self.sandbox.packages();
        let what = self.dice.below(9);
        self.note(format!("damage {what} of {id} {version}"));
        match what {
            0 => cut(&root.join("ruleset.json")),
            1 => fs::remove_file(root.join("manifest.json")).unwrap(),
            2 => fs::remove_file(root.join("ruleset.json")).unwrap(),
            3 => fs::write(root.join("ruleset.json"), "{}").unwrap(),
            4 => cut(&packages.join("installed.json")),
            5 => fs::write(packages.join("installed.json"), [0; 500]).unwrap(),
            6 => fs::remove_file(packages.join("installed.json")).unwrap(),
            7 if packages.join("rulepack.json").exists() => cut(&packages.join("rulepack.json")),
            _ => {
                let _ = fs::remove_dir_all(root.join("locales"));
            }
        }
        Some(id)
    }

    /// Whatever was done, the same last commands end in the same store.
    fn ends_in_one_state(&mut self) {
        self.must(&["list"]);
        for record in rulesets(&self.sandbox) {
            self.must(&["uninstall", id_of(&record)]);
        }
        self.others.are_there(&self.sandbox, true);
        IDS.iter().for_each(|id| self.take_away(id));
        self.must(&["language", "ru"]);
        self.must(&["install", IDS[0], IDS[1], IDS[2]]);

        let fresh = Sandbox::new();
        let run = |args: &[&str]| fresh.command(args).arg("--catalog").arg(self.sandbox.work()).run().expect(0);
        run(&["language", "ru"]);
        run(&["install", IDS[0], IDS[1], IDS[2]]);
        Parts::of(&self.sandbox).assert_each_in(&[Parts::of(&fresh)]);
        tidy_rulesets(&self.sandbox);
        self.others.are_there(&self.sandbox, true);
    }

    /// The reader tidies up what was theirs beside a package that is no longer installed.
    fn take_away(&mut self, id: &str) {
        let _ = fs::remove_dir_all(self.sandbox.packages().join("versions").join(id));
        self.others.forget(id);
    }
}

fn shows_nothing_torn(answer: &Envelope, args: &[&str]) {
    match args[0] {
        "list" => assert!(answer.list().packages.iter().all(|package| package.state == State::Ok), "{answer:#?}"),
        "doctor" => {
            let mut errors = answer.doctor().problems.iter().filter(|problem| problem.severity == Severity::Error);
            assert!(errors.next().is_none(), "{answer:#?}");
        }
        _ => {}
    }
}

fn id_of(record: &Record) -> &'static str {
    IDS.iter().find(|id| **id == record.id).expect("a ruleset of the soak's")
}

fn cut(path: &Path) {
    let file = fs::File::options().write(true).open(path).unwrap();
    file.set_len(file.metadata().unwrap().len() / 2).unwrap();
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            fs::create_dir(&to).unwrap();
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// A package of the engine's own, which is nobody's to touch.
fn put_chess(sandbox: &Sandbox) {
    let code = "export {};";
    let manifest = json!({
        "schemaVersion": 2, "capabilityApi": { "major": 1, "minor": 30 },
        "builtAgainst": { "engineVersion": "3.0.0", "engineCommit": "0".repeat(40) },
        "id": "chess", "name": "Chess", "version": "2.0.0", "engine": { "min": "2.3.0", "maxExclusive": "4.0.0" },
        "kind": ["turn-game"], "entrypoints": { "server": "server.js" },
        "files": [{ "path": "server.js", "sha256": super::kit::sha256(code.as_bytes()), "bytes": code.len() }],
        "permissions": ["routes"], "restartRequired": true, "later": 1
    });
    let folder = sandbox.version("chess", "2.0.0");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("server.js"), code).unwrap();
    fs::write(folder.join("manifest.json"), manifest.to_string()).unwrap();
    let registry = json!({ "schemaVersion": 1, "packages": [{
        "id": "chess", "version": "2.0.0", "manifest": manifest, "installedAt": "2026-01-01T00:00:00.000Z",
        "status": "active", "error": null, "readiness": "ready", "readinessError": null, "legacy": false
    }] });
    fs::write(sandbox.packages().join("installed.json"), serde_json::to_string_pretty(&registry).unwrap()).unwrap();
}
