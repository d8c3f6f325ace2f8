use crate::ruleset::folded::folded;
use crate::ruleset::names::{Ids, is_dice_sum, is_wound_track};
use crate::ruleset::node::Node;
use crate::ruleset::rules::pool_dice::PoolDice;
use crate::ruleset::rules::refs::unknown;
use crate::ruleset::whole::Whole;
use crate::types::Problems;
use std::collections::{BTreeMap, BTreeSet};

/// What the rules about entries ask of a ruleset's fights.
#[derive(Debug)]
pub struct Fight<'a> {
    /// The `combat` block. None: fights are not resolved by this ruleset, and what entries say of them is not looked at
    /// (docs/spec/checks.md#n02).
    pub combat: Option<Node<'a>>,
    /// The kinds of wound that health is counted in; none where health is a pool.
    pub wound_kinds: Ids<'a>,
    /// Whether health is a wound track, as `combat` says, or `battle` where there is no `combat`.
    pub has_wounds: bool,
    /// The same of either of the two, where there are both.
    pub has_wounds_anywhere: bool,
    /// Whether a pool of dice is thrown for attacks.
    pub is_pool: bool,
    /// The faces of the die a pool fight is thrown with; None in other fights.
    pub pool_die: Option<f64>,
    /// Whether a check or an attack can have another target number than the usual one.
    pub target_moves: bool,
    /// As declared, by how they are compared. None: no word is refused.
    damage_types: Option<BTreeMap<String, &'a str>>,
}

impl<'a> Fight<'a> {
    pub fn of(ruleset: &Whole<'a>) -> Self {
        let root = &ruleset.root;
        let (combat, battle) = (root.get("combat"), root.get("battle"));
        let health_of = |block: &Option<Node<'a>>| block.as_ref().and_then(|block| block.get("health"));
        let wounds = |health: &Option<Node<'a>>| {
            let track = ruleset.names.tracks.get(health.as_ref()?.text_of("track")?).cloned();
            track.filter(is_wound_track)
        };
        let health = health_of(if combat.is_some() { &combat } else { &battle });
        let is_pool_of_health = health.as_ref().is_some_and(|health| health.has("pool"));
        let track = wounds(&health);
        let has_wounds_anywhere = track.is_some() || wounds(&health_of(&battle)).is_some();
        // What is neither is told where it stands, and leaves open which kinds there are.
        let is_unknown = track.is_none() && !is_pool_of_health;
        let is_pool = combat.as_ref().and_then(|combat| combat.text_of("kind")) == Some("dice-pool");
        let declared = combat.as_ref().and_then(|combat| combat.get("damageTypes"));
        let declared = declared.filter(|types| types.value().is_array());
        let by_folded =
            |types: Node<'a>| types.items().filter_map(|word| Some((folded(word.text()?), word.text()?))).collect();
        let dice = PoolDice::of(ruleset);
        Fight {
            has_wounds: track.is_some(),
            wound_kinds: Ids::of("wound kind", track.into_iter().flat_map(|track| track.list("kinds")))
                .unless_unknown(is_unknown),
            has_wounds_anywhere,
            is_pool,
            target_moves: match &dice {
                Some(dice) => dice.target.is_none() || dice.target_moves(),
                None => !is_dice_sum(root),
            },
            pool_die: dice.filter(|_| is_pool).map(|dice| dice.sides),
            damage_types: declared.map(by_folded),
            combat,
        }
    }

    /// The damage type under `key`.
    pub fn damage_type(&self, holder: &Node<'_>, key: &str, found: &mut Problems) {
        if let Some(place) = holder.get(key)
            && let Some(name) = place.text()
        {
            self.damage_type_named(name, &place, found);
        }
    }

    /// That a damage type is declared, compared without case and outer spaces. Where a ruleset does not say which there
    /// are, any word will do; where it says that there are none, no word does.
    pub fn damage_type_named(&self, name: &str, place: &Node<'_>, found: &mut Problems) {
        if !self.is_damage_type(name) {
            let declared = self.damage_types.iter().flat_map(BTreeMap::values).copied();
            let likely = found.suggest(name, declared);
            found.push(unknown("damage type", name, place, &likely));
        }
    }

    /// Whether this may stand where a damage type is wanted.
    pub fn is_damage_type(&self, name: &str) -> bool {
        self.damage_types.as_ref().is_none_or(|types| types.contains_key(&folded(name)))
    }

    /// Whether `combat.damageTypes` says that there are none.
    pub fn has_no_damage_types(&self) -> bool {
        self.damage_types.as_ref().is_some_and(BTreeMap::is_empty)
    }

    /// Whether no style of initiative spends what others take.
    pub fn spends_no_initiative(&self) -> bool {
        let Some(initiative) = self.combat.as_ref().and_then(|combat| combat.get("initiative")) else { return false };
        let styles = initiative.get("resource").and_then(|resource| resource.get("styles"));
        styles.is_none_or(|styles| styles.items().all(|style| !style.has("spends")))
    }

    /// The lists that attacks are taken from.
    pub fn attack_lists(&self) -> BTreeSet<&'a str> {
        let attacks = self.combat.iter().flat_map(|combat| combat.list("attacks"));
        attacks.filter_map(|attack| attack.text_of("list")).collect()
    }

    /// Whether the board has distances.
    pub fn has_distance(&self) -> bool {
        self.combat.as_ref().is_some_and(|combat| combat.has("distance"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn damage_types_are_compared_without_case_and_outer_spaces() {
        let ruleset = json!({"combat": {"damageTypes": ["Cold fire", " rust "]}});
        let used = json!(["cold FIRE ", "Rust", "coldfire", "light"]);
        let whole = Whole::new(&ruleset, &[]);
        let fight = Fight::of(&whole);
        let mut found = Problems::default();
        for word in Node::root(&used, "ruleset.json").items() {
            fight.damage_type_named(word.text().unwrap(), &word, &mut found);
        }
        let told: Vec<_> = found.iter().map(|p| (p.pointer.as_deref().unwrap(), p.hint.as_deref())).collect();
        assert_eq!(told, [("/2", Some("did you mean `Cold fire`?")), ("/3", None)]);
    }

    #[test]
    fn a_ruleset_that_does_not_say_which_damage_types_there_are_takes_any_word() {
        for (ruleset, is_taken) in
            [(json!({}), true), (json!({"combat": {}}), true), (json!({"combat": {"damageTypes": []}}), false)]
        {
            let whole = Whole::new(&ruleset, &[]);
            assert_eq!(Fight::of(&whole).is_damage_type("anything"), is_taken, "{ruleset}");
        }
    }
}
