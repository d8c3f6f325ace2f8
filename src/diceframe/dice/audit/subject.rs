use crate::diceframe::rules::{DiceSystem, Rule, SourceFile, owners};
use crate::json::locate;
use crate::types::Problem;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
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
    pub chain: Vec<Arc<SourceFile>>,
}

impl Subject {
    /// How its checks are resolved, if that can be told.
    pub fn dice_system(&self) -> Option<DiceSystem> {
        DiceSystem::of(&self.resolved).ok()
    }

    /// Places findings about the resolved rule in the files that say so. Each file is gone over once.
    pub fn place(&self, problems: &mut [Problem]) {
        let mut by_file: BTreeMap<&Path, (&SourceFile, Vec<&mut Problem>)> = BTreeMap::new();
        for (owner, problem) in owners(problems, &self.chain).into_iter().zip(problems) {
            if let Some(source) = owner {
                problem.file = Some(source.name());
                by_file.entry(&source.path).or_insert_with(|| (source, Vec::new())).1.push(problem);
            }
        }
        for (source, problems) in by_file.into_values() {
            locate(source.text.as_bytes(), problems);
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diceframe::codes;
    use crate::types::Pointer;

    #[test]
    fn what_is_missing_is_placed_in_the_file_that_has_what_leads_to_it() {
        let source = |path: &str, text: &str| {
            let value = serde_json::from_str(text).unwrap();
            Arc::new(SourceFile::new(path.into(), text.to_owned(), value))
        };
        let chain = vec![
            source("child.json", "{\n  \"extends\": \"base\"\n}"),
            source("base.json", "{\n  \"combat\": {\n    \"scheduler\": {}\n  }\n}"),
        ];
        let subject = Subject { name: "child".to_owned(), file: None, resolved: Value::Null, chain };
        let mut problems = ["/extends", "/combat/scheduler/speed_formula"].map(|at| {
            let pointer = Some(at.to_owned());
            Problem { pointer, ..Problem::new(codes::GAUGE_STALLED, &Pointer::root(), "wrong") }
        });
        subject.place(&mut problems);
        let places = problems.map(|problem| (problem.file.unwrap(), problem.line));
        assert_eq!(places, [("child.json".to_owned(), Some(2)), ("base.json".to_owned(), Some(3))]);
    }
}
