use super::super::names::{Ids, Names, is_wound_track};
use super::super::node::Node;
use super::super::whole::Whole;
use super::derived::check_is_value;
use super::places::each;
use super::refs;
use crate::json::excerpt;
use crate::types::{Problems, codes};

/// What rests restore and clear (docs/spec/checks.md#rests-and-game-master). That a step names one thing and one way is
/// the shape's.
pub(super) fn check(ruleset: &Whole<'_>, found: &mut Problems) {
    for step in each(&ruleset.root, "rests[].restore[]") {
        check_step(ruleset, &step, found);
    }
    for text in each(&ruleset.root, "rests[].clear.text[]") {
        ruleset.names.texts.resolve(&text, found);
    }
    for condition in each(&ruleset.root, "rests[].clear.conditions[]") {
        ruleset.names.conditions.resolve(&condition, found);
    }
}

fn check_step(ruleset: &Whole<'_>, step: &Node<'_>, found: &mut Problems) {
    let names = &ruleset.names;
    refs::one(&names.pools, step, "pool", found);
    if let Some(group) = step.get("poolGroup") {
        check_group(names, &group, found);
    }
    check_to(names, step, found);
    check_recharge(names, step, found);
    check_kind(names, step, found);
}

fn check_group(names: &Names<'_>, group: &Node<'_>, found: &mut Problems) {
    if let Some(word) = group.text().filter(|word| !names.pools.is_unknown() && !names.pool_groups.contains(word)) {
        let likely = found.suggest(word, names.pool_groups.iter().copied());
        found.push(refs::unknown("group of live pools", word, group, &likely));
    }
}

/// A number goes to an end of its range or to a number, a state to one of its values.
fn check_to(names: &Names<'_>, step: &Node<'_>, found: &mut Problems) {
    if let Some(named) = step.get("state") {
        let Some(state) = names.states.resolve(&named, found) else { return };
        if let Some(by) = step.get("by") {
            found
                .push(by.problem(codes::REST_TO, "a live state is not a number: expected `to` with one of its values"));
        }
        match step.get("to") {
            Some(to) if to.text() == Some("default") => {}
            Some(to) => match to.text() {
                Some(word) => check_is_value(state, word, &to, codes::REST_TO, found),
                None => found
                    .push(to.problem(codes::REST_TO, "a live state can only change to `default` or one of its values")),
            },
            None => {}
        }
    } else if let Some(to) = step.get("to")
        && let Some(word) = to.text().filter(|word| !matches!(*word, "max" | "min"))
    {
        let message = format!("`to` is `{}`, but should be `max`, `min` or a whole number", excerpt(word));
        found.push(to.problem(codes::REST_TO, message));
    }
}

/// `recharge` picks rows of a list by the value of its recharge column.
fn check_recharge(names: &Names<'_>, step: &Node<'_>, found: &mut Problems) {
    let recharge = step.get("recharge");
    let Some(named) = step.get("listPools") else {
        return found.extend(
            recharge.map(|at| at.problem(codes::REST_RECHARGE, "`recharge` selects rows, so it requires `listPools`")),
        );
    };
    let Some(list) = names.lists.resolve(&named, found) else { return };
    let Some(pools) = list.get("pools") else {
        let message = format!("the list `{}` has no `pools` to restore", excerpt(named.text().unwrap_or_default()));
        return found.push(named.problem(codes::WRONG_REFERENCE_TYPE, message));
    };
    let Some(recharge) = recharge else { return };
    let Some(column) = pools.text_of("rechargeColumn") else {
        let message = "`recharge` selects rows by their recharge column, but the list has none";
        return found.push(
            recharge.problem(codes::REST_RECHARGE, message).hint("add one as the list's `pools.rechargeColumn`"),
        );
    };
    if let Some(column) = Names::columns(list).get(column) {
        for word in recharge.items() {
            check_is_value(column, word.text().unwrap_or_default(), &word, codes::REST_RECHARGE, found);
        }
    }
}

/// `kind` heals one kind of wound.
fn check_kind(names: &Names<'_>, step: &Node<'_>, found: &mut Problems) {
    let track = refs::one(&names.tracks, step, "track", found);
    let Some(kind) = step.get("kind") else { return };
    match track {
        Some(track) if is_wound_track(track) => {
            Ids::of("kind of wound", track.list("kinds")).resolve(&kind, found);
        }
        // The track is named, and wrongly: that is all there is to say.
        None if step.has("track") => {}
        _ => found
            .push(kind.problem(codes::REST_KIND, "`kind` is a kind of wound, so it requires a `track` with `kinds`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::rules::told as findings;
    use serde_json::{Value, json};

    fn told(rest: Value) -> String {
        let columns =
            json!([{"id": "name", "type": "text"}, {"id": "back", "type": "enum", "values": ["camp", "scene"]}]);
        let live = json!({
            "pools": [{"id": "grit", "group": "body"}], "text": [{"id": "focus"}], "conditions": [{"id": "shaken"}],
            "tracks": [{"id": "harm", "kinds": [{"id": "knock"}]}, {"id": "heat"}],
            "states": [{"id": "form", "values": ["own", "wolf"]}]});
        let lists = json!([{"id": "tricks", "columns": columns, "pools": {"rechargeColumn": "back"}},
                           {"id": "uses", "columns": columns, "pools": {}}, {"id": "gear", "columns": columns}]);
        let ruleset = json!({"sheet": {"live": live, "lists": lists}, "rests": [rest]});
        findings(check, &ruleset).join(", ").replace("/rests/0", "").replace("/restore/0", "")
    }

    #[test]
    fn a_step_restores_what_there_is() {
        let cases = [
            (json!({"pool": "grit", "to": "max"}), ""),
            (json!({"pool": "body", "to": "max"}), "unknown-id /pool"),
            (json!({"poolGroup": "body", "by": {"const": 1}}), ""),
            (json!({"poolGroup": "grit", "to": "max"}), "unknown-id /poolGroup"),
            (json!({"track": "heat", "to": 3}), ""),
            (json!({"track": "grit", "to": "min"}), "unknown-id /track"),
            (json!({"track": "heat", "to": "default"}), "rest-to /to"),
            (json!({"track": "harm", "kind": "knock", "to": "min"}), ""),
            (json!({"track": "harm", "kind": "tear", "to": "min"}), "unknown-id /kind"),
            (json!({"track": "heat", "kind": "knock", "to": "min"}), "rest-kind /kind"),
            (json!({"track": "none", "kind": "knock", "to": "min"}), "unknown-id /track"),
            (json!({"pool": "grit", "kind": "knock", "to": "max"}), "rest-kind /kind"),
            (json!({"state": "form", "to": "default"}), ""),
            (json!({"state": "form", "to": "wolf"}), ""),
            (json!({"state": "form", "to": "max"}), "rest-to /to"),
            (json!({"state": "form", "to": 1}), "rest-to /to"),
            (json!({"state": "form", "by": {"const": 1}}), "rest-to /by"),
            (json!({"state": "none", "to": "max"}), "unknown-id /state"),
            (json!({"listPools": "tricks", "recharge": ["camp"], "to": "max"}), ""),
            (json!({"listPools": "tricks", "to": "max"}), ""),
            (json!({"listPools": "tricks", "recharge": ["camp", "dawn"], "to": "max"}), "rest-recharge /recharge/1"),
            (json!({"listPools": "uses", "to": "max"}), ""),
            (json!({"listPools": "uses", "recharge": ["camp"], "to": "max"}), "rest-recharge /recharge"),
            (json!({"listPools": "gear", "to": "max"}), "wrong-reference-type /listPools"),
            (json!({"listPools": "none", "to": "max"}), "unknown-id /listPools"),
            (json!({"pool": "grit", "recharge": ["camp"], "to": "max"}), "rest-recharge /recharge"),
        ];
        for (step, wanted) in cases {
            assert_eq!(told(json!({"restore": [step]})), wanted, "{step}");
        }
    }

    #[test]
    fn a_rest_clears_what_there_is() {
        assert_eq!(told(json!({"clear": {"text": ["focus"], "conditions": ["shaken"]}})), "");
        assert_eq!(told(json!({"clear": {"conditions": "all"}})), "");
        let wrong = json!({"clear": {"text": ["shaken"], "conditions": ["focus"]}});
        assert_eq!(told(wrong), "unknown-id /clear/text/0, unknown-id /clear/conditions/0");
    }
}
