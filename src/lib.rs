//! The package manager for Marinara Engine rulesets.

pub mod app;
pub mod catalog;
pub mod cli;
pub mod crash;
pub mod fetch;
pub mod json;
pub mod package;
pub mod ruleset;
pub mod store;
pub mod types;
