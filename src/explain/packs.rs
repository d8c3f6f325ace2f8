//! Language packs and what they translate.

use super::{Base, Edit, Example, Explanation, Level};

/// An example of one value of the Russian pack of Ember Roads.
const fn example(wrong: &'static [Edit], right: &'static [Edit]) -> Option<Example> {
    Some(Example { base: Base::Sum, wrong, right })
}

const fn value(at: &'static str, to: &'static str) -> Edit {
    Edit { file: "locales/ru.json", at, to }
}

pub(super) const ALL: &[Explanation] = &[
    Explanation {
        code: "T02",
        severity: Level::Error,
        meaning: "A language pack is no JSON object in UTF-8, or has something at its top beside `$schema`, `_meta`, `package` \
                  and `ruleset`.",
        why: "The engine reads a pack strictly and refuses such a file, so its players see English.",
        mend: "Save it as UTF-8 without a byte order mark, mend the JSON where it breaks, and take other keys out.",
        source: "docs/spec/checks.md#t02; docs/spec/decisions.md#q21",
        example: example(&[value("/notes", r#""first draft""#)], &[value("/$schema", r#""../pack.schema.json""#)]),
    },
    Explanation {
        code: "T03",
        severity: Level::Error,
        meaning: "`_meta` of a language pack does not say which language it is for, and which way that is written.",
        why: "A pack that says another language than the one it is listed for is not kept, and text may run the wrong way \
              without a direction.",
        mend: "Write `locale` as the tag in the file's name, and `direction` as `ltr` or `rtl`; nothing else belongs there.",
        source: "docs/spec/checks.md#t03; docs/spec/decisions.md#q20",
        example: example(
            &[value("/_meta", r#"{ "locale": "de", "direction": "ltr" }"#)],
            &[value("/_meta", r#"{ "locale": "ru", "direction": "ltr" }"#)],
        ),
    },
    Explanation {
        code: "T04",
        severity: Level::Error,
        meaning: "`package` of a language pack holds something beside a `name` and a `description`, or one of them is no text.",
        why: "The engine reads a pack strictly and refuses such a file.",
        mend: "Keep the two texts and take the rest out.",
        source: "docs/spec/checks.md#t04",
        example: example(
            &[value("/package", r#"{ "name": "Угольные дороги", "description": "Путники.", "summary": "…" }"#)],
            &[value("/package", r#"{ "name": "Угольные дороги", "description": "Путники." }"#)],
        ),
    },
    Explanation {
        code: "T05",
        severity: Level::Warning,
        meaning: "A key of `ruleset` is no text that the ruleset or its catalogs show, which is a warning; a value that is no \
                  text and a key written twice are errors.",
        why: "A translation is found by its English text, word for word. One that is found by nobody is work lost, most often \
              because the English has changed.",
        mend: "Write the English as the ruleset has it now, or take the key out. `rulepack strings` lists what there is.",
        source: "docs/spec/checks.md#t05; docs/spec/decisions.md#q18; docs/spec/decisions.md#q19",
        example: example(
            &[value("/ruleset/Old  Motor", r#""Старый мотор""#)],
            &[value("/ruleset/Old motor", r#""Старый мотор""#)],
        ),
    },
    Explanation {
        code: "T06",
        severity: Level::Error,
        meaning: "The `name` or the `description` in `package` is missing, empty or too long (120 and 2000 characters).",
        why: "They are the ruleset's card in that language. In `ruleset` an empty text only means not translated yet.",
        mend: "Translate both.",
        source: "docs/spec/checks.md#t06; docs/spec/decisions.md#q23",
        example: example(
            &[value("/package", r#"{ "name": "Угольные дороги", "description": "" }"#)],
            &[value("/package", r#"{ "name": "Угольные дороги", "description": "Путники между малыми огнями." }"#)],
        ),
    },
    Explanation {
        code: "T07",
        severity: Level::Error,
        meaning: "A language pack has no `ruleset`, so it translates nothing.",
        why: "The engine refuses it: only a package's own English listing goes without.",
        mend: "Add `ruleset` with the translations; `rulepack strings` prints all there is to translate.",
        source: "docs/spec/checks.md#t07",
        example: example(&[value("/ruleset", "")], &[value("/ruleset", r#"{ "Grit": "Выдержка", "Luck": "" }"#)]),
    },
    Explanation {
        code: "translation-mismatch",
        severity: Level::Warning,
        meaning: "A translation has another number, or other placeholders, than the English text.",
        why: "Players would read that something heals 4 where it heals 3: the rules go on counting in English.",
        mend: "Write the number as the English has it, in digits of any script. Small numbers may be words.",
        source: "docs/spec/checks.md#translations",
        example: example(
            &[value(
                "/ruleset/Spend 1 Grit to give a downed friend 3 Grit back. Once between camps for each point of Heart.",
                r#""За 1 Выдержку верните павшему другу 4. Раз между привалами на каждое очко Сердца.""#,
            )],
            &[value(
                "/ruleset/Spend 1 Grit to give a downed friend 3 Grit back. Once between camps for each point of Heart.",
                r#""За одну Выдержку верните павшему другу 3. Раз между привалами на каждое очко Сердца.""#,
            )],
        ),
    },
    Explanation {
        code: "stale-string",
        severity: Level::Warning,
        meaning: "`strings` leaves a translation out of the file it prints: its English text is shown by the ruleset no longer.",
        why: "Nothing that was translated should be lost without a word.",
        mend: "Use the translation for the text that took its place, if there is one. A PO file keeps such texts at its end.",
        source: "docs/spec/decisions.md#q18",
        example: None,
    },
    Explanation {
        code: "catalog-left-out",
        severity: Level::Warning,
        meaning: "A catalog file that the ruleset names cannot be read, so `strings` does not list its texts and `check` does not \
                  say which keys of a language pack are shown nowhere.",
        why: "A pack would look complete that is not, and texts of that file would look stale.",
        mend: "Put the file where the ruleset says it is, or run `rulepack check` to see what is wrong with it.",
        source: "docs/spec/checks.md#catalogs",
        example: None,
    },
];
