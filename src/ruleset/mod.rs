//! What a ruleset says.
