use super::{Example, GROUPS, Group, Level, Rule, Snippet, snippets};
use std::fmt::Write as _;

#[cfg(feature = "diceframe")]
use crate::diceframe::PACK;
#[cfg(not(feature = "diceframe"))]
const PACK: &str = "";

const PREFACE: &str = "\
# Codes

Every problem a check reports and every failure of a command has a stable code. This page explains them all;
`rulepack explain CODE` does so in a terminal, `rulepack explain --all --json` for programs. Each example is a change to
[the example catalog](../catalog-example/){PACK},
and a test runs it: the wrong one raises its code, the right one raises nothing. Where a code takes the
version published before, that is the example catalog as it is, or what is shown as \"Before\". Only the keys that
matter are shown, and `…` stands for the items of a list before them.

This page is made by `rulepack explain --all --format markdown`; change the tables in `docs/codes/` and
`src/diceframe/codes/`, not it.
";

/// The reference page of these codes, as Markdown. Ends in a line end.
pub fn page(codes: &[&Rule]) -> String {
    let mut out = PREFACE.replace("{PACK}", PACK);
    out.push_str("\n| severity | what it does |\n|---|---|\n");
    for level in Level::ALL {
        line(&mut out, format_args!("| {} | {} |", level.name(), level.meaning()));
    }
    for Group { about, codes: known } in GROUPS {
        let told: Vec<&Rule> = known.iter().filter(|known| codes.contains(known)).collect();
        if !told.is_empty() {
            line(&mut out, format_args!("\n## {about}"));
            told.into_iter().for_each(|explained| section(explained, &mut out));
        }
    }
    out
}

fn section(explained: &Rule, out: &mut String) {
    let Rule { code, severity, meaning, why, mend, source, example, .. } = explained;
    line(out, format_args!("\n### {code}\n"));
    let exit = explained.exit().map(|number| format!(", exit code {number}")).unwrap_or_default();
    line(out, format_args!("*{}{exit}* — {meaning} {why}\n", severity.name()));
    line(out, format_args!("{mend}\n"));
    line(out, format_args!("Source: {}.", linked(source)));
    if let Some(Example { old, wrong, right, .. }) = example {
        shown("Before", &snippets(old.unwrap_or_default()), out);
        shown("Wrong", &snippets(wrong), out);
        if right.is_empty() {
            line(out, format_args!("\nRight: without it."));
        } else {
            shown("Right", &snippets(right), out);
        }
    }
}

/// Every place of the specification as a link, from the folder that the page lies in.
fn linked(source: &str) -> String {
    let link = |word: &str| {
        let place = word.trim_end_matches([';', ',', ':']);
        match place.strip_prefix("docs/") {
            Some(target) => format!("[{}]({target}){}", target.trim_start_matches("spec/"), &word[place.len()..]),
            None => word.to_owned(),
        }
    };
    source.split(' ').map(link).collect::<Vec<_>>().join(" ")
}

fn shown(word: &str, snippets: &[Snippet], out: &mut String) {
    for Snippet { file, text } in snippets {
        line(out, format_args!("\n{word}, in `{file}`:\n\n```jsonc\n{text}\n```"));
    }
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing into a String cannot fail.
    let _ = writeln!(out, "{text}");
}
