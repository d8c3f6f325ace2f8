use super::super::names::{Names, is_wound_track};
use super::super::node::Node;
use super::super::whole::Whole;
use super::places::each;
use super::refs;
use super::repeats::repeats;
use crate::json::excerpt;
use crate::types::{Problems, codes};

/// What only a track that counts wounds has.
const ONLY_OF_WOUNDS: &[&str] = &["levels", "boxes", "fill", "onFull", "extra"];

/// The most boxes of a wound track.
const MOST_BOXES: f64 = 64.0;

/// Tracks that count wounds of several kinds, either down named levels or along numbered boxes
/// (docs/spec/checks.md#sheet). A track that is a plain number has nothing of theirs.
pub(super) fn check(ruleset: &Whole<'_>, found: &mut Problems) {
    for track in each(&ruleset.root, "sheet.live.tracks[]") {
        if is_wound_track(&track) {
            check_form(&track, found);
            check_bounds(&track, found);
            check_penalties(&track, found);
            check_severities(&track, found);
            check_fill(&track, found);
            check_extra(ruleset, &track, found);
        } else {
            for key in ONLY_OF_WOUNDS.iter().filter_map(|key| track.get(key).map(|value| (key, value))) {
                let message = format!("`{}` is only for tracks that count wounds, but this one has no `kinds`", key.0);
                found.push(key.1.problem(codes::WOUND_TRACK_FORM, message));
            }
        }
    }
}

fn check_form(track: &Node<'_>, found: &mut Problems) {
    match (track.get("levels"), track.get("boxes")) {
        (None, None) => {
            found.push(track.problem(
                codes::WOUND_TRACK_FORM,
                "a track that counts wounds needs `levels` or `boxes`, but this has neither",
            ));
        }
        (Some(_), Some(boxes)) => {
            found.push(
                boxes.problem(
                    codes::WOUND_TRACK_FORM,
                    "a track that counts wounds cannot have both `levels` and `boxes`",
                ),
            );
        }
        (None, Some(_)) => {
            if let Some(extra) = track.get("extra") {
                let message = "`extra` adds levels from a list, but a track of `boxes` has no levels";
                found.push(extra.problem(codes::WOUND_TRACK_FORM, message));
            }
        }
        (Some(_), None) => {}
    }
    if let Some(hide) = track.get("hideWhen") {
        found.push(hide.problem(codes::WOUND_TRACK_HIDDEN, "a track that counts wounds cannot be hidden"));
    }
}

fn check_bounds(track: &Node<'_>, found: &mut Problems) {
    for key in ["min", "default"] {
        if let Some(bound) = track.get(key)
            && let Some(number) = bound.number().filter(|number| *number != 0.0)
        {
            let message = format!("`{key}` is {number}, but a track that counts wounds starts at 0");
            found.push(bound.problem(codes::WOUND_TRACK_BOUNDS, message));
        }
    }
    let Some(max) = track.get("max") else { return };
    let levels = track.get("levels").map(|levels| levels.items().count());
    let wrong = match (max.number(), levels) {
        // Text and the like are the shape's.
        // How many boxes there are may be read; how many levels is how many are listed (N01).
        (None, None) => None,
        (None, _) if !max.value().is_object() => None,
        (None, Some(_)) => Some("a track of `levels` needs a fixed `max`, but this one reads it".to_owned()),
        (Some(max), Some(levels)) => {
            (max != levels as f64).then(|| format!("`max` is {max}, but should be the number of levels ({levels})"))
        }
        (Some(max), None) if !track.has("boxes") || (0.0..=MOST_BOXES).contains(&max) => None,
        (Some(max), None) => Some(format!("`max` is {max}, but 0 to {MOST_BOXES} boxes are allowed")),
    };
    found.extend(wrong.map(|message| max.problem(codes::WOUND_TRACK_BOUNDS, message)));
}

/// Going down, things get no better.
fn check_penalties(track: &Node<'_>, found: &mut Problems) {
    let mut worst = f64::INFINITY;
    for penalty in each(track, "levels[].penalty") {
        let Some(number) = penalty.number() else { continue };
        if number > worst {
            let message = format!("the penalty is {number}, milder than that of the level above ({worst})");
            found.push(penalty.problem(codes::WOUND_PENALTY, message));
        }
        worst = number;
    }
}

/// Which wound is the worse has to be clear.
fn check_severities(track: &Node<'_>, found: &mut Problems) {
    // The shape takes whole numbers only, and says so of others.
    let keyed = track.list("kinds").filter_map(|kind| Some((kind.number_of("severity")? as i64, kind)));
    for (again, first) in repeats(keyed) {
        let Some(severity) = again.get("severity") else { continue };
        let first = excerpt(first.text_of("id").unwrap_or_default());
        let message = format!("the severity {} is already that of the kind `{first}`", severity.value());
        found.push(severity.problem(codes::WOUND_SEVERITY, message));
    }
}

fn check_fill(track: &Node<'_>, found: &mut Problems) {
    if let Some(fill) = track.get("fill").filter(|fill| fill.text() == Some("indexed"))
        && track.text_of("onFull") != Some("refuse")
    {
        let message = "`indexed` marks one specific box, so a full track must `refuse` the next wound";
        found.push(fill.problem(codes::WOUND_FILL, message));
    }
}

fn check_extra(ruleset: &Whole<'_>, track: &Node<'_>, found: &mut Problems) {
    let Some(extra) = track.get("extra") else { return };
    let Some(list) = refs::one(&ruleset.names.lists, &extra, "list", found) else { return };
    let columns = Names::columns(list);
    for key in ["countColumn", "penaltyColumn"] {
        refs::typed(&columns, &extra, key, &["number"], found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::rules::told as findings;
    use serde_json::{Value, json};

    fn told(edit: Value) -> String {
        let mut track = json!({
            "id": "harm", "min": 0, "max": 2, "levels": [{"penalty": 0}, {"penalty": -1}],
            "kinds": [{"id": "knock", "severity": 0}, {"id": "tear", "severity": 1}]});
        for (key, value) in edit.as_object().into_iter().flatten() {
            match value {
                Value::Null => drop(track.as_object_mut().unwrap().remove(key)),
                value => track[key] = value.clone(),
            }
        }
        let columns = json!([{"id": "n", "type": "number"}, {"id": "t", "type": "text"}]);
        let sheet = json!({"lists": [{"id": "more", "columns": columns}], "live": {"tracks": [track]}});
        findings(check, &json!({"sheet": sheet})).join(", ").replace("/sheet/live/tracks/0", "").trim_end().to_owned()
    }

    #[test]
    fn a_wound_track_goes_down_levels_or_along_boxes() {
        let boxes = json!({"penalty": {"by": "filled", "table": [[0, 0], [3, -1]]}});
        let cases = [
            (json!({}), ""),
            (json!({"default": 0}), ""),
            (json!({"levels": null, "boxes": boxes, "max": 64}), ""),
            (json!({"levels": null}), "wound-track-form"),
            (json!({"boxes": boxes}), "wound-track-form /boxes"),
            (json!({"kinds": null}), "wound-track-form /levels"),
            (json!({"kinds": null, "levels": null}), ""),
            (json!({"kinds": null, "levels": null, "min": 3, "default": 5, "max": {"const": 9}, "hideWhen": {}}), ""),
            (json!({"kinds": null, "levels": null, "fill": "indexed"}), "wound-track-form /fill"),
            (json!({"hideWhen": {"field": "x", "equals": 1}}), "wound-track-hidden /hideWhen"),
            (json!({"levels": null, "boxes": boxes, "extra": {}}), "wound-track-form /extra"),
        ];
        for (edit, wanted) in cases {
            assert_eq!(told(edit.clone()), wanted, "{edit}");
        }
    }

    #[test]
    fn it_starts_at_nothing_and_ends_with_its_last_level() {
        let cases = [
            (json!({"min": 1}), "wound-track-bounds /min"),
            (json!({"default": 1}), "wound-track-bounds /default"),
            (json!({"max": 3}), "wound-track-bounds /max"),
            (json!({"max": {"const": 2}}), "wound-track-bounds /max"),
            (json!({"max": "two"}), ""),
            (json!({"levels": null, "boxes": {}, "max": 65}), "wound-track-bounds /max"),
            (json!({"levels": null, "boxes": {}, "max": {"const": 99}}), ""),
        ];
        for (edit, wanted) in cases {
            assert_eq!(told(edit.clone()), wanted, "{edit}");
        }
    }

    #[test]
    fn deeper_wounds_are_worse_and_no_two_kinds_are_as_bad() {
        let levels = |penalties: [i32; 2]| json!({"levels": penalties.map(|penalty| json!({"penalty": penalty}))});
        assert_eq!(told(levels([-1, -1])), "");
        assert_eq!(told(levels([-2, -1])), "wound-penalty /levels/1/penalty");
        let kinds = json!([{"id": "a", "severity": 1}, {"id": "b", "severity": 1.0}]);
        assert_eq!(told(json!({"kinds": kinds})), "wound-severity /kinds/1/severity");
    }

    #[test]
    fn boxes_marked_one_by_one_refuse_when_full() {
        assert_eq!(told(json!({"fill": "sequential"})), "");
        assert_eq!(told(json!({"fill": "indexed", "onFull": "refuse"})), "");
        for edit in [json!({"fill": "indexed"}), json!({"fill": "indexed", "onFull": "upgrade"})] {
            assert_eq!(told(edit), "wound-fill /fill");
        }
    }

    #[test]
    fn further_levels_are_counted_in_numbers() {
        let extra = |count: &str, penalty: &str| {
            told(json!({"extra": {"list": "more", "countColumn": count, "penaltyColumn": penalty}}))
        };
        assert_eq!(extra("n", "n"), "");
        assert_eq!(extra("t", "n"), "wrong-reference-type /extra/countColumn");
        assert_eq!(extra("n", "gone"), "unknown-id /extra/penaltyColumn");
    }
}
