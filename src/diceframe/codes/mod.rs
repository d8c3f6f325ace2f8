//! What the codes of the audits mean, why they matter and how to mend what has them.

mod combat;
mod dice;
mod rules;

use crate::types::explanation::Group;

/// The codes of the audits, in the order they are explained in.
pub const CODES: [Group; 3] = [
    Group { about: "DiceFrame: rules, worlds and packs", codes: rules::ALL },
    Group { about: "DiceFrame: combat blocks, and the fights by them", codes: combat::ALL },
    Group { about: "DiceFrame: what every check of `audit dice` is held to", codes: dice::ALL },
];

/// Where the page of codes says that the examples of these are a change to.
pub const PACK: &str = " or, for DiceFrame, to [an example pack](../testdata/diceframe/packs-harbor/)";
