//! `rulepack audit rules`.
