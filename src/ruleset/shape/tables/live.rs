//! `sheet.live`: what changes while playing.

use super::common::*;
use crate::ruleset::shape::language::*;

const TRACK: Keys = keys!({
        "id": ID, "label": LABEL, "min": WHOLE, "max": either(&[WHOLE, VALUE]), "default?": WHOLE,
        "alwaysShow?": BOOLEAN, "hideWhen?": HIDE,
        "levels?": array(&record!({ "label": LABEL, "penalty": integer(-1000..=0) }), 1..=16),
        "kinds?": array(&record!({ "id": ID, "label": safe(16), "severity": integer(-100..=100) }), 1..=6),
        "boxes?": record!({
            "penalty": record!({
                "by": one_of(&["filled", "remaining"]), "table": steps(&integer(-1000..=0), 40),
            }),
        }),
        "fill?": one_of(&["sequential", "indexed"]), "onFull?": one_of(&["upgrade", "refuse"]),
        "extra?": record!({ "list": ID, "countColumn": ID, "penaltyColumn": ID }),
});
/// How far one goes that counts wounds is a rule of its own.
const ANY_TRACK: Shape = having("kinds", &record!({ ..TRACK, }), &record!({ ..TRACK, }, Rule::Range));

const STATE: Shape = record!(
    {
        "id": ID, "label": LABEL, "hideWhen?": HIDE, "valueLabels?": mapping(&LABEL, 0..=MANY),
        "values": distinct(&formed(Form::SafeUnquoted, 1..=80), 2..=40), "default?": ANY,
    },
    Rule::DefaultAmongValues,
);

pub const LIVE: Shape = record!({
    "pools?": array(&record!({
        "id": ID, "label": LABEL, "max": VALUE, "allowTemp?": BOOLEAN, "group?": ID,
        "start?": one_of(&["full", "empty"]), "hideWhen?": HIDE,
    }), 0..=60),
    "tracks?": array(&ANY_TRACK, 0..=30),
    "text?": array(&record!({ "id": ID, "label": LABEL, "maxLength": integer(1..=500) }), 0..=12),
    "conditions?": array(&record!({ "id": ID, "label": LABEL }), 0..=80),
    "states?": array(&STATE, 0..=12),
});
