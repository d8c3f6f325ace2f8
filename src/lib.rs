//! The package manager for Marinara Engine rulesets.

pub mod catalog;
pub mod fetch;
pub mod json;
pub mod package;
pub mod ruleset;
pub mod store;
pub mod types;
