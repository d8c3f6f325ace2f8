//! D38: keys that nobody reads. DiceFrame keeps them without a word, and so a misspelt one stays unnoticed.

use crate::diceframe::codes;
use crate::json::excerpt;
use crate::types::{Pointer, Problem, Problems, did_you_mean};
use serde_json::Value;

/// How many are told one by one.
const SHOWN: usize = 20;

/// Every key of a rule file, in order, that DiceFrame or its editor reads (docs/spec/diceframe.md#keys-of-a-rule,
/// #decision-2).
const TOP_LEVEL: &[&str] = &[
    "abstract",
    "armor_model",
    "attack_proficiency",
    "attr_hint",
    "attribute_points",
    "attributes",
    "bonus_dice",
    "check_mechanic",
    "classes",
    "combat",
    "combat_model",
    "conflict_model",
    "content_schema_version",
    "currency",
    "currency_system",
    "damage_mechanic",
    "dc_table",
    "death_mechanic",
    "default_locale",
    "description",
    "description_en",
    "dice_system",
    "difficulty_dc_modifiers",
    "difficulty_instructions",
    "extends",
    "generic_check_words",
    "gm_prompt_appendix",
    "growth_system",
    "hp_formula",
    "id",
    "identity_schema",
    "intents",
    "item_categories",
    "language",
    "locale_schema_version",
    "max_check_dc",
    "max_skill_value",
    "max_skills",
    "mechanics",
    "proficiency_formula",
    "progression_schema",
    "pushed_rolls",
    "resource_schema",
    "rule_id",
    "rule_name",
    "rule_name_en",
    "rule_schema_version",
    "rule_version",
    "ruleset_level",
    "scene_image",
    "skill_base_values",
    "skill_hint",
    "skill_mode",
    "skill_point_spend_mode",
    "skill_point_total",
    "skill_pools",
    "skill_value_to_bonus",
    "skills",
    "special_stats",
    "target",
    "ui_schema",
    "valid_qualities",
];

const MECHANIC: &[&str] = &["advantage", "attack_critical", "attack_target", "comparison", "critical", "dice"];
const ADVANTAGE: &[&str] = &["allow_explicit", "assistance_grants", "type"];
const CRITICAL: &[&str] = &["failure", "failure_rule", "success"];
const ATTACK_CRITICAL: &[&str] = &["failure", "success"];
const ATTACK_TARGET: &[&str] = &["attribute", "base", "include_armor", "max", "min", "type"];

pub(super) fn check(rule: &Value, problems: &mut Problems) {
    let root = Pointer::root();
    let mechanic = root.at("check_mechanic");
    let mut unknown = 0;
    look(Some(rule), &root, TOP_LEVEL, &mut unknown, problems);
    let said = rule.get("check_mechanic");
    look(said, &mechanic, MECHANIC, &mut unknown, problems);
    for (key, known) in [
        ("advantage", ADVANTAGE),
        ("critical", CRITICAL),
        ("attack_critical", ATTACK_CRITICAL),
        ("attack_target", ATTACK_TARGET),
    ] {
        look(said.and_then(|said| said.get(key)), &mechanic.at(key), known, &mut unknown, problems);
    }
    if unknown > SHOWN {
        let message = format!("{} more unknown keys", unknown - SHOWN);
        problems.push(Problem::new(codes::D38, &root, message));
    }
}

fn look(value: Option<&Value>, at: &Pointer, known: &[&str], unknown: &mut usize, problems: &mut Problems) {
    for key in value.and_then(Value::as_object).into_iter().flat_map(|members| members.keys()) {
        if known.binary_search(&key.as_str()).is_ok() {
            continue;
        }
        *unknown += 1;
        if *unknown > SHOWN {
            continue;
        }
        let problem = Problem::new(codes::D38, &at.at(key), format!("unknown key `{}`", excerpt(key))).at_key();
        let hint = did_you_mean(&problems.suggest(key, known.iter().copied()));
        problems.push(problem.hint_if(hint));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn told(rule: Value) -> Vec<(String, Option<String>)> {
        let mut problems = Problems::default();
        check(&rule, &mut problems);
        problems.into_iter().map(|problem| (problem.pointer.unwrap(), problem.hint)).collect()
    }

    #[test]
    fn d38_a_misspelt_key_leads_to_what_was_meant() {
        let found = told(
            json!({"rule_id": "t", "atributes": [], "check_mechanic": {"advantge": {}, "critical": {"succes": 1}}}),
        );
        let hint = |text: &str| Some(format!("did you mean `{text}`?"));
        assert_eq!(
            found,
            [
                ("/atributes".to_owned(), hint("attributes")),
                ("/check_mechanic/advantge".to_owned(), hint("advantage")),
                ("/check_mechanic/critical/succes".to_owned(), hint("success")),
            ]
        );
        assert_eq!(told(json!({"check_mechanic": "text", "language": "en", "generic_check_words": []})), []);
    }

    #[test]
    fn d38_a_crowd_is_summed_up() {
        let crowd = (0..500).map(|n| (format!("zz{n}"), json!(0))).collect();
        let found = told(Value::Object(crowd));
        assert_eq!(found.len(), 21);
    }

    #[test]
    fn the_tables_are_in_order() {
        for keys in [TOP_LEVEL, MECHANIC, ADVANTAGE, CRITICAL, ATTACK_CRITICAL, ATTACK_TARGET] {
            assert!(keys.is_sorted());
        }
    }
}
