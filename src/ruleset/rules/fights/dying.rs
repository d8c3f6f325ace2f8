//! Dying by saves counted on two tracks (docs/spec/checks.md#combat).

use crate::json::excerpt;
use crate::ruleset::names::is_wound_track;
use crate::ruleset::node::Node;
use crate::ruleset::rules::refs;
use crate::ruleset::whole::Whole;
use crate::types::{Problems, codes};

pub fn check(ruleset: &Whole<'_>, found: &mut Problems) {
    let dying = ruleset.root.get("combat").and_then(|combat| combat.get("dying"));
    let Some(dying) = dying else { return };
    refs::one(&ruleset.names.conditions, &dying, "condition", found);
    for key in ["successes", "failures"] {
        if let Some(track) = refs::one(&ruleset.names.tracks, &dying, key, found)
            && let Some(place) = dying.get(key)
            && let Some(why) = why_not(track)
        {
            let id = excerpt(place.text().unwrap_or_default());
            found.push(place.problem(codes::DYING_TRACKS, format!("the track `{id}` cannot count saves: {why}")));
        }
    }
    if let Some(failures) = dying.get("failures")
        && let Some(id) = failures.text().filter(|id| dying.text_of("successes") == Some(id))
    {
        let message = format!("the track `{}` already counts successes", excerpt(id));
        found.push(failures.problem(codes::DYING_TRACKS, message));
    }
}

/// Why nothing can be counted on a track up to a fixed number by everybody.
fn why_not(track: &Node<'_>) -> Option<&'static str> {
    if is_wound_track(track) {
        return Some("it counts wounds");
    }
    if track.has("hideWhen") {
        return Some("some characters do not have it");
    }
    let max = track.get("max")?;
    if max.value().is_object() {
        return Some("its maximum is not a fixed number");
    }
    let has_room = max.number()? >= 1.0 && max.number()? > track.number_of("min")?;
    (!has_room).then_some("it has no room: its maximum is below 1, or not above its minimum")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::rules::told as findings;
    use serde_json::json;

    #[test]
    fn saves_are_counted_on_two_plain_tracks_that_everybody_has() {
        for (successes, failures, expected) in [
            ("lives", "deaths", ""),
            ("lives", "lives", "dying-tracks /combat/dying/failures"),
            ("harm", "deaths", "dying-tracks /combat/dying/successes"),
            ("rare", "deaths", "dying-tracks /combat/dying/successes"),
            ("lives", "moving", "dying-tracks /combat/dying/failures"),
            ("lives", "full", "dying-tracks /combat/dying/failures"),
            ("lives", "below", "dying-tracks /combat/dying/failures"),
            ("lives", "nothing", "unknown-id /combat/dying/failures"),
        ] {
            let ruleset = json!({
                "sheet": {"live": {"tracks": [
                    {"id": "lives", "min": -2, "max": 1}, {"id": "deaths", "min": 2, "max": 3}, {"id": "harm", "max": 3, "kinds": []},
                    {"id": "full", "min": 1, "max": 1}, {"id": "below", "min": -1, "max": 0},
                    {"id": "rare", "max": 3, "hideWhen": {}}, {"id": "moving", "max": {"const": 3}}]}},
                "combat": {"dying": {"successes": successes, "failures": failures}}
            });
            assert_eq!(findings(check, &ruleset).join(" "), expected, "{successes} {failures}");
        }
    }
}
