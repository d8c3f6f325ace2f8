//! The rules between the keys of a ruleset, one part of it a file. Each takes the whole ruleset and reports all it finds;
//! none minds what the shape check has already refused.

mod derived;
mod gm;
mod hiding;
mod ids;
pub mod ladder;
mod layers;
mod migrations;
mod places;
pub mod pool_dice;
mod readings;
pub mod refs;
mod repeats;
mod resolution;
mod rests;
mod sheet;
mod value_places;
pub mod values;
mod wounds;

use super::whole::Whole;
use crate::types::Problem;

type Rule = fn(&Whole<'_>, &mut Vec<Problem>);

/// In the order of the file.
const ALL: &[Rule] = &[
    ids::check,
    resolution::check,
    pool_dice::check,
    ladder::check,
    sheet::check,
    derived::check,
    wounds::check,
    hiding::check,
    value_places::check,
    migrations::check,
    rests::check,
    gm::check,
    layers::check,
];

/// Every finding of every rule.
pub fn check(ruleset: &Whole<'_>, found: &mut Vec<Problem>) {
    for rule in ALL {
        rule(ruleset, found);
    }
}

/// What one rule says of a ruleset without catalog files, as "code /pointer".
#[cfg(test)]
fn told(rule: Rule, ruleset: &serde_json::Value) -> Vec<String> {
    let mut found = Vec::new();
    rule(&Whole::new(ruleset, &[]), &mut found);
    found.into_iter().map(|problem| format!("{} {}", problem.code, problem.pointer.unwrap_or_default())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn pointers(value: &Value, at: &str, all: &mut Vec<String>) {
        all.push(at.to_owned());
        match value {
            Value::Array(items) => {
                items.iter().enumerate().for_each(|(index, item)| pointers(item, &format!("{at}/{index}"), all));
            }
            Value::Object(members) => {
                members.iter().for_each(|(key, member)| pointers(member, &format!("{at}/{key}"), all));
            }
            _ => {}
        }
    }

    fn odd() -> impl Strategy<Value = Value> {
        let odd = [json!(null), json!(true), json!(-1e300), json!(""), json!("brawn"), json!([]), json!([{}, [[]], 3])];
        prop_oneof![Just(json!({"id": {}, "of": 3, "kinds": 3, "table": []})), prop::sample::select(odd.to_vec())]
    }

    proptest! {
        /// What a value of the wrong type is, is the shape's to say; no rule may stumble over it.
        #[test]
        fn whatever_stands_anywhere_no_rule_stumbles_over_it(
            changes in prop::collection::vec((any::<prop::sample::Index>(), odd()), 1..6),
            throws_a_pool in any::<bool>(),
        ) {
            let text = match throws_a_pool {
                true => include_str!("../../../testdata/rulesets/gravewatch.json"),
                false => include_str!("../../../testdata/rulesets/ember-roads.json"),
            };
            let mut ruleset: Value = serde_json::from_str(text).unwrap();
            for (place, odd) in changes {
                let mut all = Vec::new();
                pointers(&ruleset, "", &mut all);
                *ruleset.pointer_mut(&all[place.index(all.len())]).unwrap() = odd;
            }
            check(&Whole::new(&ruleset, &[]), &mut Vec::new());
        }
    }

    #[test]
    fn real_rulesets_break_no_rule() {
        for text in [
            include_str!("../../../testdata/rulesets/gravewatch.json"),
            include_str!("../../../testdata/rulesets/ember-roads.json"),
        ] {
            let mut found = Vec::new();
            check(&Whole::new(&serde_json::from_str(text).unwrap(), &[]), &mut found);
            assert!(found.is_empty(), "{found:#?}");
        }
    }
}
