use super::fold::ZEROS;
use super::words::languages;
use super::*;
use proptest::prelude::*;

fn number(english: &str, translation: &str) -> Option<String> {
    differences(english, &Figures::of_english(english), translation, "ru").number
}

#[test]
fn what_is_told_names_what_is_there_and_what_was_meant() {
    for (english, translation, told) in [
        ("Heals 3 Grit.", "Возвращает 4 Выдержки.", "has the number `4`, but the English text has `3`"),
        ("Within 30 feet", "Рядом", "does not have the number `30`"),
        ("Heals 1,000", "Лечит 10", "has the number `10`, but the English text has `1,000`"),
        ("Heals 1,000", "Лечит 10.000", "has the number `10.000`, but the English text has `1,000`"),
        ("Heals 10 thousand", "Лечит 10", "has the number `10`, but the English text has `10 thousand`"),
        ("1/2 of it", "5 от этого", "has the number `5`, but the English text has `1/2`"),
        ("2.05 paces", "2,5 шага", "has the number `2,5`, but the English text has `2.05`"),
        ("+2 to it", "2 к этому", "does not have the plus before 2"),
        ("+2 to it", "-2 к этому", "has a minus, but the English text has a plus, before 2"),
    ] {
        assert_eq!(number(english, translation).as_deref(), Some(told), "{english} / {translation}");
    }
    let dice = |translation| differences("2d6", &Figures::of_english("2d6"), translation, "ru").dice.unwrap();
    assert_eq!(dice("2к8"), "has `2к8`, but the English text has the dice `2d6`");
    assert_eq!(dice("кости"), "does not have the dice `2d6`");
    let placeholder = |english, other| differences(english, &Figures::of_english(english), other, "ru").placeholder;
    assert_eq!(placeholder("{a} falls", "падает").as_deref(), Some("does not have the placeholder `{a}`"));
    assert_eq!(placeholder("Falls", "{a} падает").as_deref(), Some("has an extra placeholder `{a}`"));
}

#[test]
fn every_script_with_digits_of_its_own_is_read() {
    for zero in ZEROS {
        for value in 0..10 {
            let digit = char::from_u32(zero + value).unwrap();
            assert_eq!(number(&value.to_string(), &format!("ж {digit} ж")), None, "{digit}");
            assert_ne!(number("777", &format!("ж {digit} ж")), None, "{digit}");
        }
    }
}

#[test]
fn a_text_with_more_figures_than_a_game_has_is_not_judged() {
    let many = "1 ".repeat(100_000);
    assert_eq!(number(&many, "2"), None);
    assert_eq!(number("2", &many), None);
}

#[test]
fn a_letter_before_a_number_is_no_die_where_there_are_none() {
    assert_eq!(number("s1 ٣00", "s1 ٣00"), None);
}

proptest! {
    #[test]
    fn no_text_panics_and_a_text_keeps_its_own(text in "[a{}%$s0-9٣二d .,+-]{0,20}|\\PC{0,20}", other: String) {
        let figures = Figures::of_english(&text);
        for language in languages() {
            prop_assert_eq!(differences(&text, &figures, &text, language), Differences::default(), "{}", language);
        }
        let _ = differences(&text, &figures, &other, "fa");
        let _ = differences(&other, &Figures::of_english(&other), &text, "zh");
    }
}
