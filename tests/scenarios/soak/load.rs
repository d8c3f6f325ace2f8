//! What a soak does, drawn from its seed: the same seed does the same in the same order, on any machine.

use super::super::kit::publish::{Catalog, Container, Ruleset};
use std::time::Duration;

pub const IDS: &[&str] = &["ember-roads", "gravewatch", "tiny"];
const LANGUAGES: &[&str] = &["ru", "de", "pt", "en", "auto"];
/// How often the catalog changes before it begins again with the first edition.
pub const EDITIONS: usize = 4;

/// A sequence of numbers that follows from its seed (SplitMix64).
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Dice(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).unwrap()
    }

    pub fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }

    pub fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }
}

/// One run of the program, and when it is to die.
#[derive(Debug)]
pub struct Step {
    pub args: Vec<&'static str>,
    /// Asks the server; else the folder.
    pub online: bool,
    pub kill: Kill,
    /// On a system that cannot exchange two folders in one step.
    pub without_exchange: bool,
}

#[derive(Clone, Copy, Debug)]
pub enum Kill {
    Never,
    /// So long after it was started, wherever it is then.
    After(Duration),
    /// At the n-th place between two durable steps it comes to.
    AtPlace(usize),
}

impl Step {
    /// Any command; it is killed if `mortal` and the dice say so.
    pub fn draw(dice: &mut Dice, mortal: bool) -> Self {
        let mut args = command(dice);
        let online = dice.one_in(2);
        if online {
            args.push(if dice.one_in(4) { "--offline" } else { "--refresh" });
        }
        let kill = if mortal { Kill::draw(dice) } else { Kill::Never };
        Step { args, online, kill, without_exchange: dice.one_in(5) }
    }
}

impl Kill {
    pub fn draw(dice: &mut Dice) -> Self {
        match dice.below(8) {
            0 => Kill::Never,
            1..=3 => Kill::After(Duration::from_micros(dice.below(120_000) as u64)),
            _ => {
                // Most runs come to a few places only.
                let most = 1 + dice.below(40);
                Kill::AtPlace(1 + dice.below(most))
            }
        }
    }
}

fn command(dice: &mut Dice) -> Vec<&'static str> {
    let id = dice.pick(IDS);
    match dice.below(24) {
        0..=2 => vec!["install", id],
        3 => vec!["install", IDS[0], IDS[1], IDS[2]],
        4..=5 => vec!["install", id, "--force"],
        6..=9 => vec!["update"],
        10 => vec!["update", id],
        11..=12 => vec!["rollback", id],
        13..=14 => vec!["language", dice.pick(LANGUAGES)],
        15 => vec!["sync", "--language", dice.pick(&LANGUAGES[..4])],
        16 => vec!["sync"],
        17 => vec!["hold", id],
        18 => vec!["unhold", id],
        19 => vec!["uninstall", id],
        20 => vec!["doctor", "--repair"],
        21 => vec!["doctor"],
        22 => vec!["list"],
        _ => vec!["outdated"],
    }
}

/// What the publishers have out: newer versions, other bytes and other packs under the same version; and after the last
/// edition the first again, as if everything since had been withdrawn.
pub fn edition(mut catalog: Catalog, number: usize) -> Catalog {
    let (road, grave, tiny) = match number % EDITIONS {
        0 => (road("0.9.0"), grave("0.3.0", "Geist"), tiny("1.0.0")),
        1 => (road("1.0.0"), grave("0.3.0", "Geist").described("Again."), tiny("1.0.0")),
        2 => (road("1.1.0"), grave("0.4.0", "Geist"), tiny("2.0.0")),
        _ => (road("1.1.0").described("Again."), grave("0.4.0", "Spuk"), tiny("2.0.0")),
    };
    for ruleset in [road, grave, tiny] {
        catalog.publish(ruleset);
    }
    catalog
}

fn road(version: &str) -> Ruleset {
    Ruleset::new("ember-roads", version)
        .container(Container::Bundle)
        .asset("catalogs/gear.json", format!("{{\"entries\": [], \"note\": \"{version}\"}}"))
        .pack("ru", &[("Grit", "Стойкость")])
        .pack("de", &[("Grit", "Mumm")])
}

fn grave(version: &str, german: &str) -> Ruleset {
    Ruleset::new("gravewatch", version)
        .pack("ru", &[("Grit", "Дух")])
        .pack("de", &[("Grit", german)])
        .pack("pt", &[("Grit", "Garra")])
}

fn tiny(version: &str) -> Ruleset {
    Ruleset::new("tiny", version)
}
