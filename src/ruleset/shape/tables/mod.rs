//! Every object of a ruleset and of a catalog file, one part of it a file. Where the format's newest parts are
//! described in words only, the shape is our reading of these.

mod catalogs;
mod combat;
mod common;
mod creatures;
mod effects;
mod fields;
mod items;
mod layers;
mod live;
mod mechanics;
mod migrations;
mod resolution;
mod rests;
mod sheet;
mod shop;

pub use catalogs::CATALOG_FILE;

use super::language::*;
use catalogs::CATALOG;
use combat::{BATTLE, COMBAT};
use layers::LAYER;
use resolution::RESOLUTION;
use rests::{GM, REST};
use sheet::SHEET;
use shop::ITEMS;

pub const NAME: Shape = safe(80);

/// `ruleset.json`. Its first four keys are judged apart, as install judges them.
pub const RULESET: Shape = record!({
    "schemaVersion?": ANY, "id?": ANY, "version?": ANY, "name?": ANY,
    "edition?": safe(160), "license?": record!({ "spdx?": string(0..=64), "attribution?": string(0..=4000) }),
    "coverage": record!({
        "checks?": BOOLEAN, "saves?": BOOLEAN, "sheet?": BOOLEAN, "resources?": BOOLEAN, "rests?": BOOLEAN,
        "combat?": BOOLEAN, "summary": safe(400),
    }),
    "resolution": RESOLUTION, "sheet": SHEET, "rests?": array(&REST, 0..=12), "gm": GM,
    "catalogs?": array(&CATALOG, 0..=12), "items?": ITEMS, "battle?": BATTLE, "combat?": COMBAT,
    "layers?": array(&LAYER, 0..=12),
});

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Looks into everything below a shape.
    fn visit(shape: &Shape, path: &str) {
        match shape {
            Shape::List { items: inner, min, max, .. } | Shape::Mapping { values: inner, min, max } => {
                assert!(min <= max, "{path}");
                visit(inner, &format!("{path}[]"));
            }
            Shape::Record { groups, rules } => record(groups, &[], rules, path),
            Shape::Either(shapes) => shapes.iter().for_each(|shape| visit(shape, path)),
            Shape::ByKey { key, shared, cases } => {
                for case in *cases {
                    let path = format!("{path}({key}={})", case.word);
                    assert!(case.keys.iter().all(|other| other.name != *key), "{path}");
                    record(shared, case.keys, case.rules, &path);
                }
            }
            Shape::Having { with, without, .. } => [with, without].into_iter().for_each(|shape| visit(shape, path)),
            Shape::ByResolution(shapes) => shapes.iter().for_each(|(_, shape)| visit(shape, path)),
            Shape::Number(number) => assert!(number.min <= number.max, "{path}"),
            Shape::Text(text) => assert!(text.min <= text.max, "{path}"),
            Shape::Steps { values, .. } => visit(values, &format!("{path}[]")),
            Shape::Any | Shape::Flag | Shape::Yes | Shape::Numbers(_) | Shape::Words(_) => (),
        }
    }

    fn record(groups: &[Keys], own: Keys, rules: &[Rule], path: &str) {
        let mut names = BTreeSet::new();
        for key in groups.iter().copied().chain([own]).flatten() {
            let path = format!("{path}.{}", key.name);
            assert!(names.insert(key.name), "{path} stands there twice");
            visit(&key.shape, &path);
        }
        for rule in rules {
            let rule = match rule {
                Rule::As(_, rule) => rule,
                rule => rule,
            };
            let keys: &[&str] = match rule {
                Rule::ExactlyOne(keys) | Rule::AtLeastOne(keys) | Rule::SaysSomething(keys) => keys,
                Rule::OnlyBeside(a, b)
                | Rule::OnlyWith(a, b, _)
                | Rule::NeededBy(a, b, _)
                | Rule::NotBelow(a, b)
                | Rule::NoMoreThan(a, b) => &[*a, *b],
                Rule::Excludes(key, others) => {
                    assert!(others.iter().all(|other| names.contains(other)), "{path}: {rule:?}");
                    &[*key]
                }
                Rule::NotZero(key) => &[*key],
                Rule::Range => &["min", "max"],
                Rule::DefaultFits => &["default", "maxLength"],
                Rule::DefaultAmongValues => &["default", "values"],
                Rule::Closed(..) | Rule::As(..) => &[],
            };
            assert!(keys.iter().all(|key| names.contains(key)), "{path}: {rule:?}");
        }
    }

    #[test]
    fn no_object_has_a_key_twice_and_rules_are_about_keys_there_are() {
        visit(&RULESET, "ruleset");
        visit(&CATALOG_FILE, "catalog");
    }
}
