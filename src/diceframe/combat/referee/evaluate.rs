use serde_json::Value;
use std::collections::{BTreeMap, VecDeque};

/// What a formula comes to, straight from its JSON; the sums of its throws are those that fell. Nothing where a name is
/// unknown, a throw is missing or 128 bits do not hold what comes out on the way.
pub(super) fn evaluate(
    formula: &Value,
    attributes: &BTreeMap<String, i64>,
    pools: &BTreeMap<String, i64>,
    throws: &mut VecDeque<i64>,
) -> Option<i128> {
    let named = |values: &BTreeMap<String, i64>| Some(i128::from(*values.get(formula["id"].as_str()?)?));
    match formula["op"].as_str()? {
        "constant" => return Some(formula["value"].as_i64()?.into()),
        "attribute" => return named(attributes),
        "resource" => return named(pools),
        "dice" => return Some(throws.pop_front()?.into()),
        _ => {}
    }
    let mut values = Vec::new();
    for term in formula["args"].as_array()? {
        values.push(evaluate(term, attributes, pools, throws)?);
    }
    let first = *values.first()?;
    match formula["op"].as_str()? {
        "negate" => 0_i128.checked_sub(first),
        "subtract" => first.checked_sub(*values.get(1)?),
        "multiply" => first.checked_mul(*values.get(1)?),
        "min" => values.iter().min().copied(),
        "max" => values.iter().max().copied(),
        "add" => {
            let mut sum = first;
            for value in &values[1..] {
                sum = sum.checked_add(*value)?;
            }
            Some(sum)
        }
        _ => None,
    }
}
