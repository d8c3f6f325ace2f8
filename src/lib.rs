//! The package manager for Marinara Engine rulesets.

pub mod catalog;
pub mod cli;
pub mod fetch;
pub mod package;
pub mod ruleset;
pub mod store;
pub mod types;
