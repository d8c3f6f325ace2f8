use super::super::block::{Attribute, Combat, PoolOrigin};
use super::super::fight::Sheet;
use crate::diceframe::dice::Generator;
use crate::diceframe::dice::text_formula::{DEFAULT_HP, TextFormula};
use serde_json::Value;
use std::collections::BTreeMap;

/// How often whoever has an item can use it.
const USES: i64 = 3;
/// The die of life of a class that names none.
const HP_DIE: i64 = 8;

/// Who meets in one fight: players `p1`, `p2` … and enemies `e1`, `e2` …, each enemy the image of a player. Attributes
/// are drawn from what the rule allows, pools are full, and everybody has what the actions consume.
pub(super) fn draw(rule: &Value, combat: &Combat, players: u32, dice: &mut Generator) -> Vec<Sheet> {
    let hp = hp_formula(rule);
    let mut sheets = Vec::new();
    for number in 1..=players {
        let attributes: BTreeMap<String, i64> =
            combat.attributes.iter().map(|(key, attribute)| (key.clone(), value(*attribute, dice))).collect();
        let initiative = i64::from(dice.between(0, 20));
        let pools = pools(combat, life(&hp, &attributes));
        let player = Sheet { id: format!("p{number}"), attributes, initiative, pools, inventory: inventory(combat) };
        sheets.push(Sheet { id: format!("e{number}"), ..player.clone() });
        sheets.push(player);
    }
    sheets
}

/// A value of an attribute; of one without any sensible bounds, one near its minimum.
fn value(attribute: Attribute, dice: &mut Generator) -> i64 {
    let span = attribute.max.saturating_sub(attribute.min).min(i32::MAX.into());
    let above = dice.between(0, i32::try_from(span).unwrap_or(i32::MAX));
    attribute.min.saturating_add(above.into())
}

/// The rule's formula; one that cannot be read, which is a finding of the rules' audit, gives way to the usual one.
fn hp_formula(rule: &Value) -> Option<TextFormula> {
    let own = rule.get("hp_formula").and_then(Value::as_str).and_then(|text| TextFormula::parse(text).ok());
    own.or_else(|| TextFormula::parse(DEFAULT_HP).ok())
}

/// Life at the start: at least 1, as on every sheet.
fn life(formula: &Option<TextFormula>, attributes: &BTreeMap<String, i64>) -> i64 {
    let value_of = |name: &str| match (attributes.get(name), name) {
        (Some(value), _) => Some(*value),
        (None, "con_mod") => Some(attributes.get("con").copied().unwrap_or(10).saturating_sub(10).div_euclid(2)),
        (None, "class_hp_die") => Some(HP_DIE),
        _ => None,
    };
    let value = formula.as_ref().and_then(|formula| formula.value(&value_of).ok()).unwrap_or(1);
    i64::try_from(value.max(1)).unwrap_or(i64::MAX)
}

fn pools(combat: &Combat, life: i64) -> BTreeMap<String, (i64, Option<i64>)> {
    let pool = |resource: &super::super::block::Resource| {
        let most = match resource.source {
            PoolOrigin::Hp => life,
            PoolOrigin::Stat { max, .. } => max,
            PoolOrigin::CombatState => return None,
        };
        let full = resource.maximum.unwrap_or(most);
        Some((resource.id.clone(), (full, Some(full))))
    };
    combat.resources.iter().filter_map(pool).collect()
}

fn inventory(combat: &Combat) -> Vec<(String, i64)> {
    let mut items = BTreeMap::new();
    for item in combat.actions.iter().filter_map(|action| action.consumes.as_ref()) {
        let there: &mut i64 = items.entry(item.name.clone()).or_default();
        *there = there.saturating_add(item.quantity.saturating_mul(USES));
    }
    items.into_iter().collect()
}
