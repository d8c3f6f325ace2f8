use crate::app::{Card, Info, LeftOut, SearchResult};
use crate::face::term::{Cell, Column, LongWord, Look, Role, Stream, Table, clean, count, wrap};
use crate::face::{Report, to_json};
use crate::types::{ByteSize, Code, Warning, codes};
use serde_json::value::RawValue;

impl Report for SearchResult {
    fn json(&self) -> Box<RawValue> {
        to_json(self)
    }

    /// An entry that is left out is warned of with its reasons (docs/spec/commands.md#reading-entries); people get one
    /// line for all, and the reasons with `-v`.
    fn warnings(&self, for_people: bool) -> Vec<Warning> {
        if for_people {
            return left_out_warning(&self.left_out).into_iter().collect();
        }
        let warning = |entry: &LeftOut| {
            let text = format!("skipped an entry of the catalog: {}", entry.reasons.join("; "));
            Warning { package: entry.id.clone(), ..Warning::new(Code::InvalidEntry.rule(), text) }
        };
        self.left_out.iter().map(warning).collect()
    }

    fn show(&self, out: &mut Stream, verbose: bool) {
        if self.rulesets.is_empty() {
            out.line(match self.by_words {
                true => "No ruleset in the catalog matches. Try fewer words, or none to show all.",
                false => "The catalog has no usable rulesets. Choose another with `--catalog`.",
            });
        }
        for (n, card) in self.rulesets.iter().enumerate() {
            if n > 0 {
                out.line("");
            }
            show_card(card, out);
        }
        // That there are some is said by a warning.
        if self.left_out.is_empty() || !verbose {
            return;
        }
        let palette = out.look().palette;
        let left_out = count(self.left_out.len() as u64, "unusable entry", "unusable entries");
        out.line("");
        out.line(palette.paint(Role::Dim, format!("Skipped {left_out}:")));
        for entry in &self.left_out {
            out.line(format!("  {}", palette.paint(Role::Id, clean(entry.id.as_deref().unwrap_or("(no id)")))));
            for reason in &entry.reasons {
                out.line(format!("    {}", clean(reason)));
            }
        }
    }
}

impl Report for Info {
    fn json(&self) -> Box<RawValue> {
        to_json(self)
    }

    fn show(&self, out: &mut Stream, _verbose: bool) {
        let Info { ruleset: card, needs } = self;
        let palette = out.look().palette;
        out.line(palette.paint(Role::Strong, clean(&card.name)));
        show_description(card, out);
        out.line("");
        let mut facts = Table::new([Column::left("").role(Role::Dim), Column::left("")]);
        let mut fact = |name: &str, value: Cell| facts.push([Cell::new(name), value]);
        fact("id", Cell::new(&card.id).role(Role::Id));
        fact("version", Cell::new(&card.version));
        fact("installed", Cell::new(card.installed.as_deref().unwrap_or("no")));
        fact("size", Cell::new(ByteSize(card.bytes)));
        fact("languages", Cell::new(languages(card)));
        let engine = format!("{} or newer, below {}", needs.engine_min, needs.engine_max_exclusive);
        fact("engine", Cell::new(engine));
        needs.api.iter().for_each(|api| fact("API", Cell::new(api)));
        out.print(&facts.render(out.look()));
        show_reasons(card, out);
    }
}

fn show_card(card: &Card, out: &mut Stream) {
    let look = out.look();
    let palette = look.palette;
    out.line(format!(
        "{}  {} {}",
        palette.paint(Role::Strong, clean(&card.name)),
        palette.paint(Role::Id, clean(&card.id)),
        card.version
    ));
    show_description(card, out);
    let mut facts = vec![ByteSize(card.bytes).to_string(), languages(card)];
    if let Some(version) = &card.installed {
        facts.push(format!("installed: {version}"));
    }
    for line in wrap(&clean(&facts.join(" · ")), room(look), LongWord::Keep) {
        out.line(format!("  {}", palette.paint(Role::Dim, line)));
    }
    show_reasons(card, out);
}

fn show_description(card: &Card, out: &mut Stream) {
    for line in wrap(&clean(&card.description), room(out.look()), LongWord::Keep) {
        out.line(format!("  {line}").trim_end());
    }
}

/// Why it is not for this engine.
fn show_reasons(card: &Card, out: &mut Stream) {
    let look = out.look();
    for line in card.reasons.iter().flat_map(|reason| wrap(&clean(reason), room(look), LongWord::Keep)) {
        out.line(format!("  {}", look.palette.paint(Role::Warn, line)));
    }
}

/// The columns beside the indent: as many as are read with ease, however wide the terminal is.
fn room(look: Look) -> usize {
    look.width.min(100).saturating_sub(2)
}

/// English is what every ruleset is written in; the rest are packs.
fn languages(card: &Card) -> String {
    std::iter::once("en").chain(card.languages.iter().map(String::as_str)).collect::<Vec<_>>().join(", ")
}

/// One warning for all that was left out; the reasons of each are in the answer.
fn left_out_warning(left_out: &[LeftOut]) -> Option<Warning> {
    const NAMED: usize = 5;
    let named: Vec<&str> = left_out.iter().map(|entry| entry.id.as_deref().unwrap_or("(no id)")).collect();
    let text = match named.as_slice() {
        [] => return None,
        [one] => format!("skipped an unusable entry of the catalog: {one}; `search -v` shows why"),
        many => {
            let more = if many.len() > NAMED { ", …" } else { "" };
            let names = many[..many.len().min(NAMED)].join(", ");
            format!("skipped {} unusable entries of the catalog: {names}{more}; `search -v` shows why", many.len())
        }
    };
    let warning = Warning::new(codes::LEFT_OUT, text);
    Some(match left_out {
        [LeftOut { id: Some(id), .. }] => warning.about(id),
        _ => warning,
    })
}
