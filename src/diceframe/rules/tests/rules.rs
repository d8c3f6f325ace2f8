//! D01 to D04, D08 to D19, D30 to D38: one rule file by itself.

use super::{assert_found, found_in};

#[test]
fn an_id_makes_a_rule() {
    assert_eq!(found_in(r#"{"rule_id": "t"}"#), [""; 0]);
}

#[test]
fn d01_what_is_no_json_object_is_told_with_its_place() {
    for wrong in [
        "",
        "{",
        "[]",
        "3",
        "\u{feff}{\"rule_id\": \"t\"}",
        "{\"rule_id\": NaN}",
        "{\"a\": Infinity}",
        "{\"a\": 1e999}",
    ] {
        assert_eq!(found_in(wrong), ["D01 "], "{wrong:?}");
    }
}

#[test]
fn d02_the_id_is_text_in_the_file_itself() {
    for wrong in ["{}", r#"{"rule_id": "  "}"#, r#"{"rule_id": 7}"#, r#"{"rule_id": null}"#] {
        assert_eq!(found_in(wrong), ["D02 /rule_id"], "{wrong}");
    }
    // Nothing else is looked at, and nothing at all of a base.
    assert_eq!(found_in(r#"{"dice_system": "d6"}"#), ["D02 /rule_id"]);
    assert_eq!(found_in(r#"{"abstract": 1, "dice_system": "d6", "dice_system": "d6"}"#), [""; 0]);
    assert_eq!(found_in(r#"{"abstract": "", "dice_system": "d6"}"#), ["D02 /rule_id"]);
}

#[test]
fn d03_currencies_of_version_two() {
    let units = r#""units": [{"id": "p", "name": "Penny", "rate": 1}, {"id": "c", "name": "Crown", "rate": 60}]"#;
    let system = |members: &str| format!(r#""currency_system": {{"schema_version": 2, {members}}}"#);
    let right = system(&format!(r#"{units}, "base_unit": "p", "display_unit": "c""#));
    let by_default = system(&format!(r#"{units}, "base_unit": "p""#));
    let no_base = system(units);
    let wrong_base = system(&format!(r#"{units}, "base_unit": "c""#));
    let wrong_display = system(&format!(r#"{units}, "base_unit": "p", "display_unit": "x""#));
    let twice = system(
        r#""base_unit": "p", "units": [{"id": "p", "name": "P", "rate": 1}, {"id": "p", "name": "", "rate": 0, "symbol": 1}]"#,
    );
    assert_found(&[
        (&right, &[]),
        (&by_default, &[]),
        (r#""currency_system": {"units": 3}"#, &[]),
        (r#""currency_system": null"#, &[]),
        (r#""currency_system": {"schema_version": "2"}"#, &["D03 /currency_system/schema_version"]),
        (r#""currency_system": {"schema_version": 2}"#, &["D03 /currency_system/units"]),
        (&no_base, &["D03 /currency_system/base_unit"]),
        (&wrong_base, &["D03 /currency_system/base_unit"]),
        (&wrong_display, &["D03 /currency_system/display_unit"]),
        (
            &twice,
            &[
                "D03 /currency_system/units/1/id",
                "D03 /currency_system/units/1/name",
                "D03 /currency_system/units/1/rate",
                "D03 /currency_system/units/1/symbol",
            ],
        ),
    ]);
}

#[test]
fn d04_every_special_stat_has_a_key() {
    assert_found(&[
        (
            r#""special_stats": [{"name": "x"}, 3, {"key": " ", "initial": 1}]"#,
            &["D04 /special_stats/0/key", "D04 /special_stats/1", "D04 /special_stats/2/key"],
        ),
        (r#""special_stats": {"a": {}, "b": {}}"#, &["D04 /special_stats"]),
        (r#""special_stats": null"#, &[]),
    ]);
    // Also where the rule does not load.
    let broken = r#""extends": "nowhere", "special_stats": [{}, {"key": "oil"}]"#;
    assert_found(&[(broken, &["D05 /extends", "D04 /special_stats/0/key", "D31 /special_stats/1"])]);
}

#[test]
fn d08_the_dice_system_is_one_of_three() {
    assert_found(&[
        (r#""dice_system": "d6""#, &["D08 /dice_system"]),
        (r#""dice_system": " d20", "max_check_dc": 99"#, &["D08 /dice_system"]),
        (r#""dice_system": 20"#, &["D08 /dice_system"]),
        (r#""dice_system": "NONE""#, &[]),
    ]);
}

fn advantage(members: &str, dice: &str) -> String {
    format!(r#""dice_system": "{dice}", "check_mechanic": {{"advantage": {members}}}"#)
}

#[test]
fn d09_advantage_is_an_object() {
    for wrong in ["[]", "\"x\"", "false", "0"] {
        assert_found(&[(&advantage(wrong, "d20"), &["D09 /check_mechanic/advantage"])]);
    }
    for right in ["null", "{}", r#"{"type": null}"#, r#"{"type": ""}"#] {
        assert_found(&[(&advantage(right, "d20"), &[])]);
    }
}

#[test]
fn d10_to_d12_the_type_is_known_and_fits_the_dice() {
    let at = "/check_mechanic/advantage/type";
    for (of, dice, code) in [
        ("\"reroll\"", "d20", Some("D10")),
        ("1", "d20", Some("D10")),
        ("\"d20_keep_high_low\"", "d20", None),
        ("\"d20_keep_high_low\"", "d100", Some("D11")),
        ("\"d20_keep_high_low\"", "none", Some("D11")),
        ("\"coc_bonus_penalty\"", "d100", None),
        ("\"coc_bonus_penalty\"", "d20", Some("D12")),
        ("\"coc_bonus_penalty\"", "none", Some("D12")),
    ] {
        let expected: Vec<String> = code.iter().map(|code| format!("{code} {at}")).collect();
        let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
        assert_found(&[(&advantage(&format!(r#"{{"type": {of}}}"#), dice), &expected)]);
    }
}

#[test]
fn d13_explicit_is_yes_or_no() {
    for wrong in ["\"yes\"", "null", "1"] {
        let members = format!(r#"{{"type": "d20_keep_high_low", "allow_explicit": {wrong}}}"#);
        assert_found(&[(&advantage(&members, "d20"), &["D13 /check_mechanic/advantage/allow_explicit"])]);
    }
}

#[test]
fn d14_and_d15_what_helpers_grant() {
    let at = "/check_mechanic/advantage/assistance_grants";
    let keep = r#"{"type": "d20_keep_high_low", "assistance_grants": "#;
    let bonus = r#"{"type": "coc_bonus_penalty", "assistance_grants": "#;
    for (members, dice, codes) in [
        (format!("{keep}\"advantage\"}}"), "d20", &[][..]),
        (format!("{keep}\"disadvantage\"}}"), "d20", &[]),
        (format!("{keep}null}}"), "d20", &[]),
        (format!("{keep}\"luck\"}}"), "d20", &["D14"]),
        (format!("{bonus}\"\"}}"), "d100", &[]),
        (format!("{bonus}\"advantage\"}}"), "d100", &["D15"]),
        (r#"{"assistance_grants": "advantage"}"#.to_owned(), "d20", &["D15"]),
    ] {
        let expected: Vec<String> = codes.iter().map(|code| format!("{code} {at}")).collect();
        let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
        assert_found(&[(&advantage(&members, dice), &expected)]);
    }
    // All that is wrong with one object is told at once.
    let all = r#"{"type": "coc_bonus_penalty", "assistance_grants": "x", "allow_explicit": "no"}"#;
    assert_eq!(
        found_in(&format!(r#"{{"rule_id": "t", {}}}"#, advantage(all, "none"))),
        [
            "D12 /check_mechanic/advantage/type",
            "D14 /check_mechanic/advantage/assistance_grants",
            "D15 /check_mechanic/advantage/assistance_grants",
            "D13 /check_mechanic/advantage/allow_explicit"
        ]
    );
}

#[test]
fn d16_the_cap_is_a_whole_number_to_forty() {
    for wrong in ["0", "41", "\"25\"", "null", "true", "40.9", "-1", "1e300", "[]"] {
        assert_found(&[(&format!(r#""max_check_dc": {wrong}"#), &["D16 /max_check_dc"])]);
        assert_found(&[(&format!(r#""dice_system": "d100", "max_check_dc": {wrong}"#), &[])]);
    }
    assert_found(&[(r#""max_check_dc": 1"#, &[]), (r#""max_check_dc": 40"#, &[])]);
}

#[test]
fn d18_attributes_have_keys_of_their_own_and_a_range() {
    assert_found(&[
        (r#""attributes": [{"key": "a"}, {"key": "b", "min": 1, "max": 1}]"#, &[]),
        (r#""attributes": {}"#, &["D18 /attributes"]),
        (
            r#""attributes": [{"name": "A"}, "b", {"key": "a"}, {"key": "a"}]"#,
            &["D18 /attributes/0/key", "D18 /attributes/1", "D18 /attributes/3/key"],
        ),
        (r#""attributes": [{"key": "a", "min": 9, "max": 8}]"#, &["D18 /attributes/0/min"]),
        // What is not said is 3 to 18.
        (
            r#""attributes": [{"key": "a", "min": 20}, {"key": "b", "max": 2}]"#,
            &["D18 /attributes/0/min", "D18 /attributes/1/max"],
        ),
        (r#""attributes": [{"key": "a", "min": "1"}]"#, &["D18 /attributes/0/min"]),
    ]);
}

#[test]
fn d19_formulas_are_arithmetic_and_divide_by_something() {
    for wrong in ["", "import os", "2 ** 3", "5 % 2", "max()", "(1", "7 // (2 - 2)", "1 / 0", "eval(1)"] {
        assert_found(&[
            (&format!(r#""hp_formula": "{wrong}""#), &["D19 /hp_formula"]),
            (&format!(r#""proficiency_formula": "{wrong}""#), &["D19 /proficiency_formula"]),
        ]);
    }
    assert_found(&[
        (r#""hp_formula": 12"#, &["D19 /hp_formula"]),
        (r#""hp_formula": null"#, &[]),
        (
            r#""hp_formula": "max(class_hp_die + con_mod, 1)", "proficiency_formula": "max(2, 2 + (level - 1) // 4)""#,
            &[],
        ),
    ]);
}

#[test]
fn d35_a_name_that_nothing_has_is_zero() {
    let attributes = r#""attributes": [{"key": "con"}], "#;
    assert_found(&[
        (&format!(r#"{attributes}"hp_formula": "10 + con""#), &[]),
        (&format!(r#"{attributes}"hp_formula": "10 + CON + str""#), &["D35 /hp_formula", "D35 /hp_formula"]),
        (&format!(r#"{attributes}"proficiency_formula": "con + level""#), &["D35 /proficiency_formula"]),
    ]);
}

#[test]
fn d30_nothing_is_inferred_from_a_word() {
    let declared = r#""check_mechanic": {"advantage": {}}"#;
    assert_found(&[
        (r#""mechanics": "dnd5e_core""#, &["D30 /mechanics"]),
        (r#""mechanics": "coc7e_core", "dice_system": "d100""#, &["D30 /mechanics"]),
        (r#""bonus_dice": true, "dice_system": "d100""#, &["D30 /bonus_dice"]),
        (r#""bonus_dice": false"#, &[]),
        (r#""mechanics": "freeform_d20_core""#, &[]),
        (&format!(r#""mechanics": "dnd5e_core", {declared}"#), &[]),
    ]);
}

#[test]
fn d31_a_stat_without_a_beginning_begins_full() {
    assert_found(&[
        (r#""special_stats": [{"key": "oil", "max": 7}]"#, &["D31 /special_stats/0"]),
        (r#""special_stats": [{"key": "oil", "initial": null}, {"key": "sanity"}, {"key": "luck"}]"#, &[]),
    ]);
    let folder = super::Folder::of(&[("r.json", r#"{"rule_id": "t", "special_stats": [{"key": "oil", "max": 0}]}"#)]);
    let (report, _) = folder.audited(None, &["r.json"]).unwrap();
    assert!(report.problems[0].message.contains("`oil`") && report.problems[0].message.contains("99"));
}

#[test]
fn d25_caps_of_skills_are_numbers() {
    assert_found(&[
        (r#""skill_point_total": "many""#, &["D25 /skill_point_total"]),
        (r#""max_skill_value": "80""#, &["D25 /max_skill_value"]),
        (
            r#""dice_system": "d100", "skill_point_total": "", "max_skill_value": {}"#,
            &["D25 /skill_point_total", "D25 /max_skill_value"],
        ),
        (r#""skill_point_total": null, "max_skill_value": 0"#, &[]),
        (r#""skill_mode": "proficiency", "skill_point_total": 300, "max_skill_value": 80.5"#, &[]),
    ]);
}

#[test]
fn d32_skills_are_worth_something() {
    let table = |steps: &str| format!(r#""skills": ["row"], "skill_value_to_bonus": {{{steps}}}"#);
    assert_found(&[
        (r#""skills": ["row"]"#, &["D32 /skills"]),
        (r#""skills": {"row": {}}"#, &["D32 /skills"]),
        (r#""skill_pools": {"rower": ["row"]}"#, &["D32 /skill_pools"]),
        (r#""skill_point_total": 100"#, &["D32 /skill_point_total"]),
        (r#""max_skill_value": 80"#, &["D32 /max_skill_value"]),
        (r#""skills": [], "skill_pools": {}, "skill_point_total": 0"#, &[]),
        (&table(r#""80": 4"#), &[]),
        (&table(r#""90": 4"#), &["D32 /skill_value_to_bonus"]),
        (r#""skills": ["row"], "skill_mode": "proficiency""#, &[]),
        (r#""skills": ["row"], "dice_system": "d100""#, &[]),
        (r#""skill_point_total": true"#, &["D32 /skill_point_total"]),
    ]);
}

#[test]
fn d33_the_dice_are_said_once_and_the_same() {
    assert_found(&[
        (r#""check_mechanic": {"dice": "d100"}"#, &["D33 /check_mechanic/dice"]),
        (r#""check_mechanic": {"dice": "d20"}"#, &[]),
        (r#""check_mechanic": "d20""#, &["D33 /check_mechanic"]),
        (r#""dice_system": "none", "check_mechanic": {"dice": "none"}"#, &[]),
    ]);
}

#[test]
fn d34_thresholds_that_nobody_obeys() {
    let critical = |members: &str| format!(r#""check_mechanic": {{"critical": {members}}}"#);
    let d100 = |members: &str| format!(r#""dice_system": "d100", {}"#, critical(members));
    let (success, failure) = ("D34 /check_mechanic/critical/success", "D34 /check_mechanic/critical/failure");
    assert_found(&[
        (&critical(r#"{"success": 20, "failure": 1}"#), &[]),
        (&critical(r#"{"success": null, "failure": null}"#), &[]),
        (&critical("{}"), &[]),
        (&critical(r#"{"success": 21, "failure": 0}"#), &[success, failure]),
        (&critical(r#"{"success": "20", "failure": 1.5}"#), &[success, failure]),
        (&critical("20"), &["D34 /check_mechanic/critical"]),
        (r#""check_mechanic": {"attack_critical": {"success": 25}}"#, &["D34 /check_mechanic/attack_critical/success"]),
        (&d100(r#"{"success": 1, "failure_rule": "coc7e"}"#), &[]),
        (&d100(r#"{"success": 5}"#), &[success]),
        (&d100(r#"{"failure": 100}"#), &[failure]),
        (&d100(r#""coc7e""#), &["D34 /check_mechanic/critical"]),
    ]);
}

#[test]
fn d36_a_key_twice_is_told_where_it_comes_again() {
    let rule = "{\"rule_id\": \"t\",\n \"intents\": {\"a\": 1,\n  \"a\": 2}}";
    assert_eq!(found_in(rule), ["D36 /intents/a"]);
    let folder = super::Folder::of(&[("r.json", rule)]);
    let (report, _) = folder.audited(None, &["r.json"]).unwrap();
    assert_eq!((report.problems[0].line, report.problems[0].column), (Some(3), Some(3)));
}

#[test]
fn d37_steps_ascend() {
    let table = |steps: &str| format!(r#""skill_value_to_bonus": {steps}"#);
    assert_found(&[
        (&table(r#"{"9": 1, "20": 2, "100": 3}"#), &[]),
        (&table(r#"{"80": 4, "20": 0}"#), &["D37 /skill_value_to_bonus/20"]),
        (
            &table(r#"{"20": 1, "many": 2, "40": "3"}"#),
            &["D37 /skill_value_to_bonus/many", "D37 /skill_value_to_bonus/40"],
        ),
        (&table("[]"), &["D37 /skill_value_to_bonus"]),
    ]);
}

#[test]
fn d38_a_key_that_nobody_reads() {
    assert_found(&[
        (r#""atributes": []"#, &["D38 /atributes"]),
        (r#""check_mechanic": {"advantge": {}}"#, &["D38 /check_mechanic/advantge"]),
        (r#""language": "en", "generic_check_words": ["look"]"#, &[]),
    ]);
}
