use crate::app::{Card, Info, SearchResult};
use crate::cli::answer::{Report, to_json};
use crate::cli::term::{LongWord, Role, Stream, clean, count, wrap};
use crate::types::ByteSize;
use serde_json::value::RawValue;

impl Report for SearchResult {
    fn json(&self) -> Box<RawValue> {
        to_json(self)
    }

    fn show(&self, out: &mut Stream, verbose: bool) {
        if self.rulesets.is_empty() {
            out.line("No ruleset of the catalog fits. Fewer words find more; none at all shows everything.");
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
        let left_out = count(self.left_out.len() as u64, "entry cannot be used", "entries cannot be used");
        out.line("");
        out.line(palette.paint(Role::Dim, format!("{left_out}:")));
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
        show_card(&self.ruleset, out);
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
    // As wide as is read with ease, however wide the terminal is.
    for line in wrap(&clean(&card.description), look.width.min(100).saturating_sub(2), LongWord::Keep) {
        out.line(format!("  {line}"));
    }
    let mut facts = vec![ByteSize(card.bytes).to_string()];
    facts.push(match card.languages.as_slice() {
        [] => "English only".to_owned(),
        languages => format!("en, {}", languages.join(", ")),
    });
    if let Some(version) = &card.installed {
        facts.push(format!("installed: {version}"));
    }
    out.line(format!("  {}", palette.paint(Role::Dim, clean(&facts.join("  ·  ")))));
    for reason in &card.reasons {
        out.line(format!("  {}", palette.paint(Role::Warn, clean(reason))));
    }
}
