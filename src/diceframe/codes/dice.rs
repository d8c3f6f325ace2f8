//! What `audit dice` holds every check to. No file shows them: they are statements on a run, and one that fails is a fault
//! of this program or of the machine it runs on.

use crate::types::explanation::{Explanation, Level};

const SOURCE: &str = "docs/spec/diceframe.md#referee-codes";
const WHY: &str =
    "The check was resolved otherwise than the rule declares, so what the audit says of that rule is in doubt.";
const MEND: &str = "Run it again with the same `--seed` and `--details`, and report the rule and what was printed: the two \
                    computations must never disagree.";

/// A statement that the referee found not to hold.
const fn statement(code: &'static str, meaning: &'static str) -> Explanation {
    Explanation { code, severity: Level::Error, meaning, why: WHY, mend: MEND, source: SOURCE, example: None }
}

pub(super) const ALL: &[Explanation] = &[
    statement("E01", "A die shows what is no face of it, or the candidates of a d100 do not share their units digit."),
    statement("E02", "The roll that counts is not among the dice that were thrown."),
    statement(
        "E03",
        "The recorded modifier is not that of attribute, skill and circumstances, computed anew from the rule.",
    ),
    statement("E04", "The recorded total is not the natural roll and the modifier."),
    statement(
        "E05",
        "The recorded difficulty class is not the requested one within the rule's cap, the armor class of the target, or \
         what the opponent rolled.",
    ),
    statement("E06", "The recorded threshold of a d100 is not that of skill or attribute and circumstances."),
    statement("E07", "The recorded verdict, or its price in luck, is not the one derived anew from the roll."),
    statement("E08", "The check was rolled in another mode than the rule makes of the request."),
    statement("E09", "With advantage or a bonus die there are not two dice, or the wrong one was kept."),
    statement("E10", "With disadvantage or a penalty die there are not two dice, or the wrong one was kept."),
    statement("E11", "A plain check was not rolled with one die."),
    statement("E14", "A round does not have one recorded check for each player."),
    statement("E15", "A rule without dice has made a check."),
];
