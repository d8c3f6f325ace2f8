use crate::ruleset::names::{Ids, is_wound_track};
use crate::ruleset::node::Node;
use crate::ruleset::rules::pool_dice::PoolDice;
use crate::ruleset::rules::refs::unknown;
use crate::ruleset::whole::Whole;
use crate::types::Problems;
use std::collections::BTreeMap;

/// What the rules about entries ask of a ruleset's fights.
#[derive(Debug)]
pub struct Fight<'a> {
    /// The `combat` block. None: fights are not resolved by this ruleset.
    pub combat: Option<Node<'a>>,
    /// The kinds of wound that health is counted in; none where health is a pool.
    pub wound_kinds: Ids<'a>,
    /// Whether health is a wound track, as `combat` says, or `battle` where there is no `combat`.
    pub has_wounds: bool,
    /// The faces of the die a pool fight is thrown with; None in other fights.
    pub pool_die: Option<f64>,
    /// As declared, by how they are compared.
    damage_types: BTreeMap<String, &'a str>,
}

impl<'a> Fight<'a> {
    pub fn of(ruleset: &Whole<'a>) -> Self {
        let root = &ruleset.root;
        let combat = root.get("combat");
        let health = combat.clone().or_else(|| root.get("battle")).and_then(|block| block.get("health"));
        let is_pool_of_health = health.as_ref().is_some_and(|health| health.has("pool"));
        let track = health.and_then(|health| ruleset.names.tracks.get(health.text_of("track")?).cloned());
        let track = track.filter(is_wound_track);
        // What is neither is told where it stands, and leaves open which kinds there are.
        let is_unknown = track.is_none() && !is_pool_of_health;
        let is_pool = combat.as_ref().and_then(|combat| combat.text_of("kind")) == Some("dice-pool");
        let declared = combat.iter().flat_map(|combat| combat.list("damageTypes")).filter_map(|word| word.text());
        Fight {
            has_wounds: track.is_some(),
            wound_kinds: Ids::of("wound kind", track.into_iter().flat_map(|track| track.list("kinds")))
                .unless_unknown(is_unknown),
            pool_die: PoolDice::of(ruleset).filter(|_| is_pool).map(|dice| dice.sides),
            damage_types: declared.map(|word| (folded(word), word)).collect(),
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

    /// That a damage type is declared, compared without case and outer spaces. Where a ruleset declares none, any word
    /// will do: damage types are then no more than words.
    pub fn damage_type_named(&self, name: &str, place: &Node<'_>, found: &mut Problems) {
        if !self.is_damage_type(name) {
            let likely = found.suggest(name, self.damage_types.values().copied());
            found.push(unknown("damage type", name, place, &likely));
        }
    }

    /// Whether this may stand where a damage type is wanted.
    pub fn is_damage_type(&self, name: &str) -> bool {
        self.damage_types.is_empty() || self.damage_types.contains_key(&folded(name))
    }

    /// Whether the board has distances.
    pub fn has_distance(&self) -> bool {
        self.combat.as_ref().is_some_and(|combat| combat.has("distance"))
    }
}

fn folded(name: &str) -> String {
    name.trim().to_lowercase()
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
    fn a_ruleset_without_damage_types_takes_any_word() {
        for ruleset in [json!({}), json!({"combat": {}}), json!({"combat": {"damageTypes": []}})] {
            let whole = Whole::new(&ruleset, &[]);
            assert!(Fight::of(&whole).is_damage_type("anything"), "{ruleset}");
        }
    }
}
