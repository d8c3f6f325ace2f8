use super::rename::moves_away;
use super::steps::{Step, StepKind, Steps};
use super::{GENEROUS, GENEROUS_WORDS, too_many};
use crate::json::excerpt;
use crate::ruleset::migrating::Folded;
use crate::ruleset::names::type_of;
use crate::ruleset::node::Node;
use crate::ruleset::rules::cells::{check_cell, refusal};
use crate::ruleset::rules::held_to::held_to;
use crate::ruleset::rules::repeats::{repeated_texts, repeats};
use crate::ruleset::whole::Whole;
use crate::types::{Problems, codes};
use icu_properties::CodePointMapData;
use icu_properties::props::{GeneralCategory, GeneralCategoryGroup};
use std::collections::{BTreeMap, BTreeSet};

/// M04, M06 and M09 to M11 of the route at `index`.
///
/// Its source may still be on the sheet (docs/spec/decisions.md#q11), and `else` may be one of the cases (Q10).
pub(super) fn check<'a>(whole: &Whole<'a>, steps: &Steps<'a>, (index, step): (usize, &Step<'a>), found: &mut Problems) {
    listed_twice(step, found);
    for case in step.node.list("cases") {
        words(&case, found);
    }
    if let Some(cases) = step.node.get("cases") {
        too_many(&cases, GENEROUS, "cases", found);
    }
    if let Some(by) = step.node.get("by")
        && !by.text().is_some_and(|by| moves_away(steps, by))
    {
        whole.names.fields.resolve_as(codes::M09, &by, found);
    }
    let targets: Vec<_> =
        step.targets.iter().filter_map(|target| Some((arrival(whole, steps, index, target, found)?, target))).collect();
    for (field, target) in &targets {
        is_free(field, target, found);
    }
    let Some(default) = step.node.get("default") else { return };
    if let Some((field, _)) = targets.iter().find(|(field, _)| refusal(field, default.value()).is_some()) {
        held_to(codes::M11, found, |found| check_cell(field, &default, found));
    }
}

/// The field that a value sent to `target` ends in, once later renames have moved it on. Nothing when it ends in none:
/// no field and no rename is M04, and a chain of renames that breaks is told where it does.
fn arrival<'w, 'a>(
    whole: &'w Whole<'a>,
    steps: &Steps<'a>,
    index: usize,
    target: &Node<'a>,
    found: &mut Problems,
) -> Option<&'w Node<'a>> {
    let fields = &whole.names.fields;
    let (mut at, mut id) = (index, target.text()?);
    loop {
        if let Some(field) = fields.get(id) {
            return Some(field);
        }
        let later = steps.moving("field", id).find(|(later, step)| *later > at && step.kind == StepKind::Rename);
        let Some((next, step)) = later else {
            if at == index {
                fields.named_as(codes::M04, id, target, found);
            }
            return None;
        };
        (at, id) = (next, step.node.text_of("to")?);
    }
}

/// M10. A `longtext` field is taken for a text field, the milder reading.
fn is_free(field: &Node<'_>, target: &Node<'_>, found: &mut Problems) {
    let Some(kind) = type_of(field) else { return };
    let id = excerpt(field.text_of("id").unwrap_or_default());
    if !["number", "text", "longtext"].contains(&kind) {
        let message = format!("`{id}` is a field of type {kind}, but a route can only lead to number and text fields");
        found.push(target.problem(codes::M10, message));
        return;
    }
    let default = field.get("default").filter(|default| {
        default.number().is_some_and(|number| number != 0.0) || default.text().is_some_and(|text| !text.is_empty())
    });
    if let Some(default) = default {
        let given = default.value().to_string();
        let message = format!(
            "`{id}` has the default {}, which would look like a value from the sheet whenever the route leads \
             elsewhere",
            excerpt(&given)
        );
        let hint = "remove the field's default, or make it 0 or empty";
        found.push(target.problem(codes::M10, message).hint(hint));
    }
}

/// M06: one target in two cases, or one word in two (docs/spec/decisions.md#q9). A word twice in one case does no harm.
fn listed_twice(step: &Step<'_>, found: &mut Problems) {
    let targets = step.node.list("cases").filter_map(|case| case.get("to"));
    for (again, first) in repeated_texts(targets) {
        let id = excerpt(again.text().unwrap_or_default());
        let message = format!("there is already a case for `{id}` ({})", first.at());
        found.push(again.problem(codes::M06, message).hint("put the words of both into one case"));
    }
    // The words of a case whose target is told already go with those of the first.
    let mut targets = BTreeSet::new();
    let cases = step.node.list("cases").filter(|case| case.text_of("to").is_none_or(|to| targets.insert(to)));
    let words = cases.flat_map(|case| {
        let mut own = BTreeMap::new();
        for word in case.list("words") {
            if let Some(text) = word.text() {
                own.entry(Folded::of(text)).or_insert(word);
            }
        }
        own
    });
    for (again, first) in repeats(words) {
        let word = excerpt(again.text().unwrap_or_default());
        let message = format!("`{word}` is already a word of another case ({}), so neither applies", first.at());
        found.push(again.problem(codes::M06, message));
    }
}

/// M11: words are made of letters, since nothing but letters joins a word. A phrase of them is fine
/// (docs/spec/decisions.md#q42), and so is a hyphen or an apostrophe between two, which the engine's page does not
/// speak of.
fn words(case: &Node<'_>, found: &mut Problems) {
    if let Some(words) = case.get("words") {
        too_many(&words, GENEROUS_WORDS, "words", found);
    }
    for word in case.list("words") {
        let Some(text) = word.text().filter(|text| !text.is_empty()) else { continue };
        if !text.split([' ', '-', '\'', '’']).all(is_word) {
            let message = format!(
                "`{}` is not a word: words consist of letters only, so `Fighter3` matches \
                         `fighter`",
                excerpt(text)
            );
            found.push(word.problem(codes::M11, message));
        }
    }
}

/// A letter, and letters with the marks that belong to them; those that join or part letters as some scripts write
/// them are taken for marks.
fn is_word(text: &str) -> bool {
    let category = CodePointMapData::<GeneralCategory>::new();
    let is = |group: GeneralCategoryGroup, character| group.contains(category.get(character));
    let is_letter = |character| is(GeneralCategoryGroup::Letter, character);
    let is_mark =
        |character| is(GeneralCategoryGroup::Mark, character) || ['\u{200c}', '\u{200d}'].contains(&character);
    let mut characters = text.chars();
    characters.next().is_some_and(is_letter) && characters.all(|character| is_letter(character) || is_mark(character))
}

#[cfg(test)]
mod tests {
    use super::super::tests::of_steps;
    use serde_json::{Value, json};

    /// A right route, changed.
    fn route(change: impl FnOnce(&mut Value)) -> Value {
        let mut step = json!({
            "route": "level",
            "by": "class",
            "cases": [{"words": ["fighter"], "to": "level_fighter"}, {"words": ["wizard"], "to": "level_wizard"}],
            "else": "level_other",
            "default": 1,
        });
        change(&mut step);
        step
    }

    fn codes(change: impl FnOnce(&mut Value)) -> Vec<String> {
        of_steps(json!([route(change)]))
    }

    #[test]
    fn m04_a_target_is_on_the_sheet_or_moved_on_later() {
        assert_eq!(codes(|step| step["else"] = json!("level_none")), ["M04 /0/else"]);
        assert_eq!(codes(|step| step["cases"][1]["to"] = json!("level_none")), ["M04 /0/cases/1/to"]);
        let route = route(|step| step["else"] = json!("level_none"));
        let on = |to: &str| json!({"rename": "field", "from": "level_none", "to": to});
        assert_eq!(of_steps(json!([route, on("level_other")])), [""; 0]);
        assert_eq!(of_steps(json!([on("level_other"), route])), ["M04 /1/else"]);
        assert_eq!(of_steps(json!([route, on("nowhere")])), ["M08 /1/to"], "told where the chain ends");
    }

    #[test]
    fn m06_no_case_is_listed_twice() {
        assert_eq!(codes(|step| step["cases"][1]["to"] = json!("level_fighter")), ["M06 /0/cases/1/to"]);
        assert_eq!(codes(|step| step["cases"][1]["words"] = json!(["mage", "FIGHTER"])), ["M06 /0/cases/1/words/1"]);
        // A case that stands there twice as a whole is one fault.
        assert_eq!(codes(|step| step["cases"][1] = step["cases"][0].clone()), ["M06 /0/cases/1/to"]);
        // One word, composed and not: where the one stands in a sheet, so does the other.
        let spelled = |step: &mut Value| {
            step["cases"][0]["words"] = json!(["caf\u{e9}"]);
            step["cases"][1]["words"] = json!(["Cafe\u{301}"]);
        };
        assert_eq!(codes(spelled), ["M06 /0/cases/1/words/0"]);
        assert_eq!(codes(|step| step["cases"][1]["words"] = json!(["mage", "Mage"])), [""; 0]);
        assert_eq!(codes(|step| step["else"] = json!("level_wizard")), [""; 0]);
    }

    #[test]
    fn m09_what_decides_is_a_field_or_was_one() {
        assert_eq!(codes(|step| step["by"] = json!("profession")), ["M09 /0/by"]);
        assert_eq!(codes(|step| step["by"] = json!("tinker")), ["M09 /0/by"]);
        let by = route(|step| step["by"] = json!("profession"));
        let renamed = |kind: &str, to: &str| json!({"rename": kind, "from": "profession", "to": to});
        assert_eq!(of_steps(json!([by, renamed("field", "class")])), [""; 0], "before or after");
        assert_eq!(of_steps(json!([renamed("skill", "tinker"), by])), ["M09 /1/by"]);
    }

    #[test]
    fn m10_targets_are_numbers_or_texts_that_stay_empty() {
        let other = |to: &str| {
            codes(|step| {
                step["else"] = json!(to);
                step.as_object_mut().unwrap().remove("default");
            })
        };
        assert_eq!(other("oath"), [""; 0]);
        assert_eq!(other("class"), [""; 0]);
        assert_eq!(other("rank"), ["M10 /0/else"]);
        assert_eq!(other("sworn"), ["M10 /0/else"]);
        let moved = json!({"rename": "field", "from": "old_rank", "to": "rank"});
        let route = route(|step| step["else"] = json!("old_rank"));
        assert_eq!(of_steps(json!([route, moved])), ["M10 /0/else"], "where it ends counts");
    }

    #[test]
    fn m11_every_target_can_hold_the_default() {
        for right in [json!(0), json!(20)] {
            assert_eq!(codes(|step| step["default"] = right), [""; 0]);
        }
        for wrong in [json!(21), json!(1.5), json!("1"), json!(true)] {
            assert_eq!(codes(|step| step["default"] = wrong), ["M11 /0/default"]);
        }
        assert_eq!(codes(|step| step["else"] = json!("oath")), ["M11 /0/default"], "a number is no text");
    }

    #[test]
    fn m11_words_are_made_of_letters() {
        let word = |word: &str| codes(|step| step["cases"][0]["words"] = json!([word]));
        for right in
            ["fighter", "Kämpfer", "боец", "戦士", "half-elf", "scarlet knight", "d'Artagnan", "e\u{301}lu", "योद्धा"]
        {
            assert_eq!(word(right), [""; 0], "{right}");
        }
        for wrong in ["3", "fighter3", "fighter!", " fighter", "-", "a  b"] {
            assert_eq!(word(wrong), ["M11 /0/cases/0/words/0"], "{wrong}");
        }
    }

    #[test]
    fn sizes_beyond_reason_are_warned_about() {
        let letters = |n: u8| json!((0..n).map(|i| format!("x{}", char::from(b'a' + i))).collect::<Vec<_>>());
        assert_eq!(codes(|step| step["cases"][0]["words"] = letters(24)), [""; 0]);
        assert_eq!(codes(|step| step["cases"][0]["words"] = letters(25)), ["migration-size /0/cases/0/words"]);
    }
}
