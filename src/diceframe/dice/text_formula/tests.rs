use super::*;
use proptest::prelude::*;

fn value(text: &str) -> Result<i128, ValueError> {
    let known = |name: &str| match name {
        "con" => Some(12),
        "level" => Some(9),
        "体质" => Some(7),
        _ => None,
    };
    TextFormula::parse(text).unwrap_or_else(|error| panic!("{text}: {error}")).value(&known)
}

#[test]
fn every_step_is_an_integer() {
    for (text, wanted) in [
        (DEFAULT_HP, 70),
        (DEFAULT_PROFICIENCY, 4),
        ("7 / 2", 3),
        ("-7 / 2", -3),
        ("7 // 2", 3),
        ("-7 // 2", -4),
        ("7 // -2", -4),
        ("-7 // -2", 3),
        ("8 // -2", -4),
        ("7 / 2 * 2", 6),
        ("2 + 3 * 4 - 5", 9),
        ("(2 + 3) * 4", 20),
        ("10 - 4 - 3", 3),
        ("100 // 5 // 3", 6),
        ("- - 3", 3),
        ("2 * -con", -24),
        ("+5", 5),
        ("min(3, 1, 2) + max(4)", 5),
        ("abs(-4) + int(con / 5)", 6),
        ("max(1, 2,)", 2),
        ("体质 * 2", 14),
        ("\tcon\n+ 1 ", 13),
        ("010", 10),
    ] {
        assert_eq!(value(text), Ok(wanted), "{text}");
    }
}

#[test]
fn an_unknown_name_is_zero_and_case_matters() {
    assert_eq!(value("10 + CON"), Ok(10));
    // A word that could be called is a name like any other where it is not.
    assert_eq!(value("max + 1"), Ok(1));
    let formula = TextFormula::parse("con + CON * max(con_mod, level) - con").unwrap();
    assert_eq!(formula.names(), ["con", "CON", "con_mod", "level"]);
}

#[test]
fn what_is_no_formula_is_refused_with_its_place() {
    use SyntaxError::*;
    let unexpected = |found, at| Unexpected { found, at };
    for (text, wanted) in [
        ("", Empty),
        (" \t", Empty),
        ("1 +", Ends),
        ("7 % 2", unexpected('%', 3)),
        ("2 ** 3", unexpected('*', 4)),
        ("import os", unexpected('o', 8)),
        ("1.5", unexpected('.', 2)),
        ("1_000", unexpected('_', 2)),
        ("con.real", unexpected('.', 4)),
        ("a[0]", unexpected('[', 2)),
        ("'a'", unexpected('\'', 1)),
        ("1 2", unexpected('2', 3)),
        ("2 (3)", unexpected('(', 3)),
        (")", unexpected(')', 1)),
        ("max(1; 2)", unexpected(';', 6)),
        ("max(,)", unexpected(',', 5)),
        ("3 * (4 + 1", Unclosed { at: 5 }),
        ("9223372036854775808", TooLarge { at: 1 }),
        ("eval(1)", UnknownCall { name: "eval".to_owned() }),
        ("Max(1)", UnknownCall { name: "Max".to_owned() }),
        ("max()", Arguments { call: Call::Max, takes: "at least one argument", given: 0 }),
        ("abs(1, 2)", Arguments { call: Call::Abs, takes: "one argument", given: 2 }),
        ("int()", Arguments { call: Call::Int, takes: "one argument", given: 0 }),
    ] {
        assert_eq!(TextFormula::parse(text), Err(wanted), "{text}");
    }
}

#[test]
fn it_nests_fifty_deep_and_no_deeper() {
    let sums = |count: usize| vec!["1"; count + 1].join("+");
    assert_eq!(value(&sums(50)), Ok(51));
    assert_eq!(TextFormula::parse(&sums(51)), Err(SyntaxError::TooDeep));
    let signs = |count: usize| format!("{}1", "-".repeat(count));
    assert_eq!(value(&signs(50)), Ok(1));
    assert_eq!(TextFormula::parse(&signs(51)), Err(SyntaxError::TooDeep));
    for huge in [sums(100_000), signs(100_000), "(".repeat(100_000), "max(".repeat(100_000)] {
        assert_eq!(TextFormula::parse(&huge), Err(SyntaxError::TooDeep));
    }
}

#[test]
fn what_cannot_be_computed_says_why() {
    assert_eq!(value("1 / 0"), Err(ValueError::DivisionByZero));
    assert_eq!(value("1 // unknown"), Err(ValueError::DivisionByZero));
    assert_eq!(value(&["9223372036854775807"; 3].join("*")), Err(ValueError::Overflow));
}

#[test]
fn only_a_divisor_without_names_is_known_to_be_zero() {
    let divides = |text: &str| TextFormula::parse(text).unwrap().divides_by_constant_zero();
    assert!(divides("con // (2 - 2)"));
    assert!(divides("max(1, 4 / 0)"));
    assert!(!divides("con / con_mod"));
    assert!(!divides("con / (0 * con)"));
    assert!(!divides("0 / 4"));
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "[-+*/()0-9a-z_, 体]{0,60}|\\PC{0,40}", con in any::<i64>()) {
        if let Ok(formula) = TextFormula::parse(&text) {
            let _ = formula.value(&|_| Some(con));
            let _ = formula.divides_by_constant_zero();
        }
    }

    #[test]
    fn floor_division_is_the_greatest_integer_below(left in -10_000_i64..10_000, right in -100_i64..100) {
        prop_assume!(right != 0);
        let quotient = value(&format!("{left} // {right}")).unwrap();
        prop_assert_eq!(quotient, (left as f64 / right as f64).floor() as i128);
    }
}
