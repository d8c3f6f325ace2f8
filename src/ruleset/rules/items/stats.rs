use crate::json::excerpt;
use crate::ruleset::node::Node;
use crate::ruleset::rules::fights::clauses::Words;
use crate::ruleset::rules::refs::{self, unknown};
use crate::types::{Problem, Problems, codes};

/// What is wanted at a place that takes either a value or `{"stat": …}`, the stat of the item that holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wanted {
    Number,
    Dice,
    /// One ability, or a list of them.
    Ability,
    Skill,
    DamageType,
}

impl Wanted {
    /// The types of stat that can give it (N102).
    fn types(self) -> &'static [&'static str] {
        match self {
            Wanted::Number => &["number"],
            Wanted::Dice => &["dice"],
            Wanted::Ability | Wanted::Skill => &["enum"],
            Wanted::DamageType => &["text", "enum"],
        }
    }
}

/// Checks such places.
#[derive(Clone, Copy, Debug)]
pub struct OrStat<'w, 'a> {
    words: Words<'w, 'a>,
}

impl<'w, 'a> OrStat<'w, 'a> {
    pub fn new(words: Words<'w, 'a>) -> Self {
        OrStat { words }
    }

    /// What stands under `key`: the names in it, or the stat it refers to.
    pub fn check(&self, holder: &Node<'a>, key: &str, wanted: Wanted, found: &mut Problems) {
        let Some(place) = holder.get(key) else { return };
        if let Some(reader) = place.get("stat") {
            let stat = refs::typed(&self.words.names.stats, &place, "stat", wanted.types(), found);
            if let Some(stat) = stat.filter(|stat| stat.text_of("type") == Some("enum")) {
                self.check_values(stat, &reader, wanted, found);
            }
            return;
        }
        for word in place.items().chain(std::iter::once(place)) {
            if let Some(name) = word.text() {
                self.check_word(name, &word, wanted, found);
            }
        }
    }

    fn check_word(&self, name: &str, place: &Node<'a>, wanted: Wanted, found: &mut Problems) {
        match wanted {
            Wanted::Number | Wanted::Dice => {}
            Wanted::Ability => drop(self.words.names.abilities.named(name, place, found)),
            Wanted::Skill => drop(self.words.names.skills.named(name, place, found)),
            Wanted::DamageType => self.words.fight.damage_type_named(name, place, found),
        }
    }

    /// Every value an item may have for an enum stat is one that can stand here; of those that cannot the first is
    /// told, at its reader (N103).
    fn check_values(&self, stat: &Node<'a>, reader: &Node<'a>, wanted: Wanted, found: &mut Problems) {
        let names = self.words.names;
        let Some(id) = stat.text_of("id") else { return };
        let (what, likely): (_, Vec<&str>) = match wanted {
            Wanted::Number | Wanted::Dice => return,
            Wanted::Ability => (names.abilities.what(), names.abilities.iter().map(|(id, _)| id).collect()),
            Wanted::Skill => (names.skills.what(), names.skills.iter().map(|(id, _)| id).collect()),
            Wanted::DamageType => ("damage type", Vec::new()),
        };
        let fits = |word: &str| match wanted {
            Wanted::DamageType => self.words.fight.is_damage_type(word),
            Wanted::Skill => names.skills.may_have(word),
            _ => names.abilities.may_have(word),
        };
        let mut words = stat.list("values").filter_map(|value| value.text());
        if let Some(word) = words.find(|word| !fits(word)) {
            let problem = unknown(what, word, reader, &found.suggest(word, likely.iter().copied()));
            let message = format!("{}, but the stat `{}` can have that value", problem.message, excerpt(id));
            found.push(Problem { code: codes::STAT_WORDS, message, ..problem });
        }
    }
}

/// The names in `toHit` of an attack or a use, and that there is a target to move (N104). Its `proficiency` is a value
/// reference, and they are checked elsewhere. None of it is looked at without fights (N02).
pub fn check_to_hit<'a>(or_stat: OrStat<'_, 'a>, holder: &Node<'a>, found: &mut Problems) {
    let fight = or_stat.words.fight;
    let Some(to_hit) = holder.get("toHit").filter(|_| fight.combat.is_some()) else { return };
    if let Some(target) = to_hit.get("target").filter(|_| !fight.target_moves) {
        let message = "`target` is the number that each die must reach, but no check of the ruleset can move it";
        found.push(target.problem(codes::TO_HIT_TARGET, message).at_key());
    }
    let wanted = [
        ("abilities", Wanted::Ability),
        ("skill", Wanted::Skill),
        ("bonus", Wanted::Number),
        ("target", Wanted::Number),
    ];
    for (key, wanted) in wanted {
        or_stat.check(&to_hit, key, wanted, found);
    }
}
