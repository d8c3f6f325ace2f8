//! The soak beside the engine: a second writer that installs, updates and uninstalls its own packages and ours by its
//! own rules and without our lock, while runs of rulepack change the same store and are killed. What the engine wrote
//! of its own packages stays; what is lost of ours in the engine's own moment between reading and writing `doctor`
//! finds.
//!
//! Long by the variables of the other soak: `RULEPACK_SOAK_SECONDS=600 cargo test --test scenarios soak --
//! --nocapture`.

use super::super::kit::envelope::Severity;
use super::super::kit::publish::{Catalog, Ruleset};
use super::super::kit::sandbox::Sandbox;
use super::super::kit::second_writer::Engine;
use super::super::kit::soundness::registry_names_only_whole_versions;
use super::load::{Dice, IDS, Kill, Step, edition};
use super::{SHORT, number};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Packages that only the engine touches.
const THEIRS: [&str; 2] = ["engine-one", "engine-two"];

/// The engine at work, until told to stop.
struct Work {
    engine: Engine,
    /// Held while the engine changes something: whoever wants it to pause takes it.
    pause: Mutex<()>,
    stop: AtomicBool,
    changes: AtomicUsize,
    /// Records of its own packages that were not as it had left them.
    lost: AtomicUsize,
}

impl Work {
    fn go_on(&self, mut dice: Dice) {
        let mut left: BTreeMap<&str, Option<String>> = THEIRS.iter().map(|id| (*id, None)).collect();
        while !self.stop.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_micros(dice.below(20_000) as u64));
            let _turn = self.pause.lock().unwrap();
            for (id, version) in &mut left {
                let found = self.engine.version_of(id);
                if found != *version {
                    self.lost.fetch_add(1, Ordering::Relaxed);
                    *version = found;
                }
            }
            let id = if dice.one_in(4) { dice.pick(IDS) } else { dice.pick(&THEIRS) };
            let version = dice.pick(&["1.0.0", "1.1.0", "2.0.0"]);
            let is_removed = dice.one_in(3);
            match is_removed {
                true => self.engine.uninstall(id),
                false => self.engine.install(&Ruleset::new(id, version)),
            }
            if let Some(kept) = left.get_mut(id) {
                *kept = (!is_removed).then(|| version.to_owned());
            }
            self.changes.fetch_add(1, Ordering::Relaxed);
        }
    }
}

#[test]
fn soak_beside_the_engine() {
    let seed = number("RULEPACK_SOAK_SEED").unwrap_or(1);
    let length = number("RULEPACK_SOAK_SECONDS").map_or(SHORT, Duration::from_secs);
    let sandbox = Sandbox::new().env("RULEPACK_PRETEND", "no-power-cuts");
    let work_folder = sandbox.work();
    let sandbox = sandbox.catalog(work_folder);
    edition(Catalog::on_disk(), 0).write(&sandbox.work());
    sandbox.run(&["language", "ru"]).expect(0);
    let work = Arc::new(Work {
        engine: Engine::beside(&sandbox),
        pause: Mutex::default(),
        stop: AtomicBool::default(),
        changes: AtomicUsize::default(),
        lost: AtomicUsize::default(),
    });
    let at_work = std::thread::spawn({
        let work = work.clone();
        move || work.go_on(Dice::new(seed + 1))
    });
    let (mut dice, started) = (Dice::new(seed), Instant::now());
    let (mut commands, mut kills, mut mended) = (0, 0, 0);
    while started.elapsed() < length && !at_work.is_finished() {
        edition(Catalog::on_disk(), dice.below(4)).write(&sandbox.work());
        for _ in 0..8 {
            let mut step = Step::draw(&mut dice, true);
            step.args.retain(|arg| *arg != "--offline" && *arg != "--refresh");
            commands += 1;
            kills += usize::from(is_killed(&sandbox, &step));
        }
        let _pause = work.pause.lock().unwrap();
        mended += comes_to_rest(&sandbox);
    }
    work.stop.store(true, Ordering::Relaxed);
    at_work.join().expect("the engine found a registry it could not read");
    let (changes, lost) = (work.changes.load(Ordering::Relaxed), work.lost.load(Ordering::Relaxed));
    println!(
        "soak beside the engine, seed {seed}: {} s, {commands} commands, {kills} killed, {changes} changes by the engine, \
         {lost} of its records lost, {mended} repairs",
        started.elapsed().as_secs()
    );
    assert!(commands > 0 && changes > 0);
    // What remains are the microseconds between the last look and the rename.
    assert!(lost <= 1 + changes / 100, "{lost} of {changes}");
}

fn is_killed(sandbox: &Sandbox, step: &Step) -> bool {
    let run = sandbox.command(&step.args).arg("--json");
    let outcome = match step.kill {
        Kill::Never => run.run(),
        Kill::AtPlace(place) => run.env("RULEPACK_CRASH_AT", place.to_string()).run(),
        Kill::After(delay) => {
            let running = run.spawn();
            std::thread::sleep(delay);
            running.kill()
        }
    };
    outcome.status.is_none()
}

/// With the engine at rest: whatever was left is finished, and what was lost of ours is found and mended, or told with
/// what to do about it. Gives how much was.
fn comes_to_rest(sandbox: &Sandbox) -> usize {
    sandbox.run(&["list"]);
    let repaired = sandbox.json(&["doctor", "--repair"]);
    let mended = repaired.doctor().repaired.len();
    let errors = |answer: &super::Envelope| -> Vec<String> {
        let problems = answer.doctor().problems.iter().filter(|problem| problem.severity == Severity::Error);
        problems.filter_map(|problem| problem.package.clone()).collect()
    };
    // A version that neither the cache nor the catalog has any more is told and left; its reader removes it.
    for id in errors(&repaired) {
        sandbox.run(&["uninstall", &id]);
    }
    let after = sandbox.json(&["doctor"]);
    assert_eq!(errors(&after), [""; 0], "{after:#?}");
    registry_names_only_whole_versions(&sandbox.packages()).unwrap_or_else(|why| panic!("{why}"));
    mended
}
