//! What `rulepack explain` says is true: its examples raise what they say, the page in `docs/` is the one that is made
//! of it, and what is named of the specification is there.

mod base;
mod examples;
#[cfg(feature = "diceframe")]
mod page;
mod places;
