use crate::cli::args::Explaining;
use crate::explain::{Example, Explained, GROUPS, Level, Rule, Snippet, page, snippets};
use crate::face::term::{LongWord, Look, Role, Stream, count, wrap};
use crate::face::{Report, to_json};
use serde_json::value::RawValue;
use std::fmt::Display;

/// The columns beside which the texts of an explanation stand.
const LABEL: usize = 9;

/// Codes to explain. Everything that is shown of them is rulepack's own text.
pub struct Codes {
    pub found: Vec<&'static Rule>,
    /// Whether all were asked for: they are listed then, not explained.
    pub all: bool,
    pub format: Explaining,
}

impl Report for Codes {
    fn json(&self) -> Box<RawValue> {
        to_json(&Explained::of(self.found.iter().copied()))
    }

    fn show(&self, out: &mut Stream, verbose: bool) {
        match self.format {
            Explaining::Markdown => out.print(&page(&self.found)),
            Explaining::Text if self.all && !verbose => list(out),
            Explaining::Text => {
                for (n, explained) in self.found.iter().enumerate() {
                    if n > 0 {
                        out.line("");
                    }
                    explain(explained, out);
                }
            }
        }
    }
}

/// Every code on a line of its own, under what it is about.
fn list(out: &mut Stream) {
    let palette = out.look().palette;
    let codes = || GROUPS.iter().flat_map(|group| group.codes);
    let widest = |text: fn(&Rule) -> usize| codes().map(text).max().unwrap_or_default();
    let (code_width, severity_width) = (widest(|it| it.code.len()), widest(|it| it.severity.name().len()));
    for group in GROUPS.iter().filter(|group| !group.codes.is_empty()) {
        out.line(palette.paint(Role::Strong, group.about));
        for Rule { code, severity, meaning, .. } in group.codes {
            let code = palette.paint(Role::Id, format!("{code:code_width$}"));
            let name = palette.paint(role(*severity), format!("{:severity_width$}", severity.name()));
            let room = out.look().width.saturating_sub(code_width + severity_width + 6);
            out.line(format!("  {code}  {name}  {}", shortened(meaning, room)));
        }
        out.line("");
    }
    let number = count(codes().count() as u64, "code", "codes");
    out.line(format!("{number}; `rulepack explain CODE` explains one."));
}

/// As much of a text as a line has room for, cut between words.
fn shortened(text: &str, room: usize) -> String {
    let mut lines = wrap(text, room.saturating_sub(2), LongWord::Keep).into_iter();
    let first = lines.next().unwrap_or_default();
    if lines.next().is_some() { format!("{first} …") } else { first }
}

fn explain(explained: &Rule, out: &mut Stream) {
    let Rule { code, severity, meaning, why, mend, source, example, .. } = explained;
    let palette = out.look().palette;
    let exit = explained.exit().map(|number| format!(", exit code {number}")).unwrap_or_default();
    let kind = palette.paint(role(*severity), severity.name());
    out.line(format!("{}  {kind}{exit}", palette.paint(Role::Id, code)));
    let either = (*severity == Level::Either).then(|| format!("{meaning} {}", severity.meaning()));
    for (label, text) in
        [("what", either.as_deref().unwrap_or(meaning)), ("why", why), ("mend", mend), ("source", source)]
    {
        labelled(label, text, out);
    }
    if let Some(Example { old, wrong, right, .. }) = example {
        shown(palette.paint(Role::Dim, "before"), &snippets(old.unwrap_or_default()), out);
        shown(palette.paint(Role::Error, "wrong"), &snippets(wrong), out);
        match right {
            [] => out.line(format!("\n  {}: without it", palette.paint(Role::Ok, "right"))),
            right => shown(palette.paint(Role::Ok, "right"), &snippets(right), out),
        }
    }
}

fn labelled(label: &str, text: &str, out: &mut Stream) {
    let Look { palette, width, .. } = out.look();
    let lines = wrap(text, width.min(100).saturating_sub(LABEL + 2), LongWord::Keep);
    for (n, line) in lines.iter().enumerate() {
        let label = if n == 0 { label } else { "" };
        out.line(format!("  {}{line}", palette.paint(Role::Dim, format!("{label:LABEL$}"))));
    }
}

fn shown(word: impl Display, snippets: &[Snippet], out: &mut Stream) {
    let palette = out.look().palette;
    for Snippet { file, text } in snippets {
        out.line(format!("\n  {word}, in {}", palette.paint(Role::Dim, file)));
        text.lines().for_each(|line| out.line(format!("    {line}")));
    }
}

fn role(level: Level) -> Role {
    match level {
        Level::Error | Level::Failure => Role::Error,
        Level::Warning | Level::Either => Role::Warn,
    }
}
