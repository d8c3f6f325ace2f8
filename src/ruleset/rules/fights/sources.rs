use crate::json::excerpt;
use crate::ruleset::names::Names;
use crate::ruleset::node::Node;
use crate::ruleset::rules::hiding::mismatch;
use crate::ruleset::rules::refs;
use crate::types::{Problems, codes};

/// A list whose rows a fight offers, of `battle.skills` or `combat.abilities`, and which of them.
pub fn check_source<'a>(names: &Names<'a>, source: &Node<'a>, found: &mut Problems) {
    let list = refs::one(&names.lists, source, "list", found);
    let always = source.get("alwaysWhen");
    if let Some(always) = always.as_ref().filter(|_| !source.has("onlyWhen")) {
        let message = "`alwaysWhen` makes exceptions to `onlyWhen`, but there is no `onlyWhen`";
        found.push(always.problem(codes::ALWAYS_WHEN, message));
    }
    let Some(list) = list else { return };
    let columns = Names::columns(list);
    refs::typed(&columns, source, "onlyWhen", &["boolean"], found);
    let Some(always) = always else { return };
    if let Some(column) = refs::one(&columns, &always, "column", found)
        && let Some(equals) = always.get("equals").filter(|equals| mismatch(column, equals.value(), false).is_some())
    {
        let id = excerpt(column.text_of("id").unwrap_or_default());
        let message =
            format!("`equals` is {}, but the column `{id}` never has that value", excerpt(&equals.value().to_string()));
        found.push(equals.problem(codes::ALWAYS_WHEN, message));
    }
}
