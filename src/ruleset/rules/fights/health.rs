use crate::json::excerpt;
use crate::ruleset::names::is_wound_track;
use crate::ruleset::node::Node;
use crate::ruleset::rules::refs;
use crate::ruleset::whole::Whole;
use crate::types::{Problems, codes};

/// The `health` of `battle` or `combat`: a live pool, which starts full, or a wound track.
pub fn check_health<'a>(ruleset: &Whole<'a>, block: &Node<'a>, found: &mut Problems) {
    let Some(health) = block.get("health") else { return };
    check_full_pool(ruleset, &health, found);
    let track = refs::one(&ruleset.names.tracks, &health, "track", found);
    if let (Some(track), Some(place)) = (track, health.get("track"))
        && !is_wound_track(track)
    {
        let id = excerpt(place.text().unwrap_or_default());
        let message = format!("the track `{id}` does not count wounds, so it cannot be health");
        found.push(place.problem(codes::HEALTH_SOURCE, message).hint("use a track with `kinds`, or a pool"));
    }
}

fn check_full_pool<'a>(ruleset: &Whole<'a>, health: &Node<'a>, found: &mut Problems) {
    let pool = refs::one(&ruleset.names.pools, health, "pool", found);
    if let (Some(pool), Some(place)) = (pool, health.get("pool"))
        && pool.text_of("start") == Some("empty")
    {
        let id = excerpt(place.text().unwrap_or_default());
        let message = format!("the pool `{id}` starts empty, so everybody would start defeated");
        found.push(place.problem(codes::HEALTH_SOURCE, message).hint("make it start full"));
    }
}
