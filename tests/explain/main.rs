//! What `rulepack explain` says is true: its examples raise what they say, every code there is has one explanation,
//! the page in `docs/` is the one that is made of them, and what is named of the specification is there.

mod base;
mod examples;
#[cfg(feature = "diceframe")]
mod page;
mod places;
mod sources;
