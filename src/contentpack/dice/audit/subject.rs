use crate::contentpack::rules::{DiceSystem, Rule, Source};
use crate::json::locate;
use crate::types::Problem;
use serde_json::{Value, json};
use std::sync::Arc;

/// A rule that is audited.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Its `rule_id`.
    pub name: String,
    /// The file it comes from; none for one made for the audit.
    pub file: Option<String>,
    /// The rule with all it extends.
    pub resolved: Value,
    /// The files that came together in it, the nearest first.
    pub chain: Vec<Arc<Source>>,
}

impl Subject {
    /// How its checks are resolved, if that can be told.
    pub fn dice_system(&self) -> Option<DiceSystem> {
        DiceSystem::of(&self.resolved).ok()
    }

    /// A finding about the resolved rule, placed in the file that says so.
    pub fn placed(&self, mut problem: Problem) -> Problem {
        let pointer = problem.pointer.clone().unwrap_or_default();
        let says = |source: &&Arc<Source>| source.value.pointer(&pointer).is_some();
        if let Some(source) = self.chain.iter().find(says).or(self.chain.first()) {
            problem.file = Some(source.name());
            locate(source.text.as_bytes(), [&mut problem]);
        }
        problem
    }
}

impl From<Rule> for Subject {
    fn from(rule: Rule) -> Self {
        let file = Some(rule.path.display().to_string());
        Subject { name: rule.rule_id, file, resolved: rule.resolved, chain: rule.chain }
    }
}

/// The rules an audit plays by: those made for it, then these.
pub fn subjects(rules: Vec<Rule>) -> Vec<Subject> {
    let mut subjects = synthetic();
    subjects.extend(rules.into_iter().map(Subject::from));
    subjects
}

/// Three rules that are in every audit, because together they have what ordinary rules seldom have: a high cap without
/// criticals, a low one with wide criticals, and a d100 rule that declares nothing at all.
pub fn synthetic() -> Vec<Subject> {
    [
        json!({
            "rule_id": "audit_strict_d20",
            "dice_system": "d20",
            "max_check_dc": 30,
            "attributes": [{ "key": "focus", "name": "Focus", "min": 3, "max": 20 }],
            "check_mechanic": { "dice": "d20", "critical": {} },
        }),
        json!({
            "rule_id": "audit_cinematic_d20",
            "dice_system": "d20",
            "max_check_dc": 18,
            "attributes": [{ "key": "style", "name": "Style", "min": 3, "max": 18 }],
            "check_mechanic": { "dice": "d20", "critical": { "success": 19, "failure": 2 } },
        }),
        json!({
            "rule_id": "audit_custom_d100",
            "dice_system": "d100",
            "attributes": [{ "key": "focus", "name": "Focus", "min": 1, "max": 99 }],
        }),
    ]
    .into_iter()
    .map(|resolved| Subject {
        name: resolved["rule_id"].as_str().unwrap_or_default().to_owned(),
        file: None,
        chain: Vec::new(),
        resolved,
    })
    .collect()
}
