//! The rules of DiceFrame packs, many of them on disk.

use super::clock::spent;
use super::fault;
use rulepack::internals::diceframe::rules::{Request, audit};
use rulepack::types::Cancel;
use std::path::{Path, PathBuf};

/// A folder of so many rules, each of which extends the next or the one before.
fn chain(root: &Path, rules: usize, upwards: bool) -> PathBuf {
    let folder = root.join("content/rules");
    std::fs::create_dir_all(&folder).unwrap();
    for n in 0..rules {
        let parent = if upwards { n.checked_sub(1) } else { Some(n + 1).filter(|next| *next < rules) };
        let rule = match parent {
            None => r#"{"rule_id": "base", "dice_system": "d20"}"#.to_owned(),
            Some(parent) => format!(r#"{{"rule_id": "{n}", "extends": "rule-{parent:06}"}}"#),
        };
        std::fs::write(folder.join(format!("rule-{n:06}.json")), rule).unwrap();
    }
    root.to_owned()
}

#[test]
fn a_rule_of_a_chain_is_not_merged_anew_with_all_it_extends() {
    for upwards in [true, false] {
        let run = |rules: usize| {
            let root = tempfile::tempdir().unwrap();
            let request = Request { paths: vec![chain(root.path(), rules, upwards)], ..Request::default() };
            spent(|| {
                let (report, _) = audit(&request, &Cancel::default()).unwrap();
                assert_eq!(report.summary.rules, rules);
            })
        };
        assert_eq!(fault("a chain of rules", 100, 1_000, run), None);
    }
}

#[test]
fn patterns_of_a_pack_are_not_each_held_against_all_its_files() {
    for pattern in ["rule-{}.json", "rule-{}*"] {
        let run = |rules: usize| {
            let root = tempfile::tempdir().unwrap();
            let folder = root.path().join("content/rules");
            std::fs::create_dir_all(&folder).unwrap();
            let pattern = |n: usize| format!("content/rules/{}", pattern.replace("{}", &n.to_string()));
            let patterns: Vec<String> = (0..rules).map(pattern).collect();
            let manifest = serde_json::json!({"contributes": {"rules": patterns}});
            std::fs::write(root.path().join("plugin.json"), manifest.to_string()).unwrap();
            (0..rules).for_each(|n| std::fs::write(folder.join(format!("rule-{n}.json")), "{}").unwrap());
            let request = Request { paths: vec![root.path().to_owned()], ..Request::default() };
            spent(|| assert_eq!(audit(&request, &Cancel::default()).unwrap().0.summary.rules, rules))
        };
        assert_eq!(fault(pattern, 150, 1_500, run), None);
    }
}

#[test]
fn rules_of_one_id_are_not_each_held_against_all() {
    let root = tempfile::tempdir().unwrap();
    let run = |rules: usize| {
        let folder = root.path().join(format!("{rules}/content/rules"));
        std::fs::create_dir_all(&folder).unwrap();
        for n in 0..rules {
            // One rule in every language there could be.
            let language: String =
                [n / 676, n / 26 % 26, n % 26].iter().map(|at| char::from(b'a' + *at as u8)).collect();
            let name = format!("harbor_{}-{}.json", &language[1..], language[..1].to_uppercase().repeat(2));
            std::fs::write(folder.join(name), r#"{"rule_id": "harbor", "dice_system": "d20"}"#).unwrap();
        }
        let request = Request { paths: vec![root.path().join(rules.to_string())], ..Request::default() };
        spent(|| {
            let (report, _) = audit(&request, &Cancel::default()).unwrap();
            assert!(report.problems.iter().all(|problem| problem.code.as_str() != "D17"));
        })
    };
    assert_eq!(fault("rules of one id", 200, 2_000, run), None);
}
