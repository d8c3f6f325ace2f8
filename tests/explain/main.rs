//! What `rulepack explain` says is true: its examples raise what they say, every code there is has one explanation, and
//! the page in `docs/` is the one that is made of them.

mod base;
mod examples;
mod page;
mod sources;
