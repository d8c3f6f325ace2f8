use crate::face::term::{Role, Stream, clean, clean_lines, count, json_safe};
use crate::face::{Report, show_problems, shown_path, to_json};
use crate::publish::strings::{Format, Line, Translation};
use crate::types::{Warning, codes};
use serde_json::value::RawValue;
use std::path::{Path, PathBuf};

/// A ruleset's display strings: the file to work on, or how far a translation is.
pub struct Strings {
    pub translation: Translation,
    /// The file, where one is wanted.
    pub file: Option<Format>,
    /// Paths below this folder are shown from there on.
    pub base: PathBuf,
}

impl Report for Strings {
    fn json(&self) -> Box<RawValue> {
        to_json(&self.translation)
    }

    fn show(&self, out: &mut Stream, verbose: bool) {
        match self.file {
            Some(format) => show_file(&self.translation, format, out),
            None => show_progress(&self.translation, &self.base, out, verbose),
        }
    }

    fn warnings(&self, for_people: bool) -> Vec<Warning> {
        let mut warnings = self.translation.warnings.clone();
        // Programs find them in the report, as people do where it is shown. A PO file keeps them itself.
        if for_people && matches!(self.file, Some(Format::Json | Format::Csv)) {
            warnings.extend(self.translation.stale.iter().map(|stale| {
                let message = format!(
                    "`{}` is no longer a display string and is not in the file; its translation was `{}`",
                    stale.text, stale.translation
                );
                Warning::new(codes::STALE_STRING, message)
            }));
        }
        warnings
    }
}

/// The file as it is to be saved; on a terminal with nothing in it that a terminal would obey.
fn show_file(translation: &Translation, format: Format, out: &mut Stream) {
    let text = translation.to_file(format);
    match format {
        // The same to whoever reads JSON.
        Format::Json => out.print(&json_safe(text)),
        Format::Po | Format::Csv if out.look().terminal => out.print(&clean_lines(&text)),
        Format::Po | Format::Csv => out.print(&text),
    }
}

fn show_progress(translation: &Translation, base: &Path, out: &mut Stream, verbose: bool) {
    let palette = out.look().palette;
    let coverage = translation.coverage;
    let ruleset = translation.ruleset.as_deref().unwrap_or("the ruleset");
    let language = translation.language.as_deref().unwrap_or_default();
    out.line(format!(
        "{} in {}: {} of {} translated ({} %)",
        palette.paint(Role::Id, clean(ruleset)),
        clean(language),
        coverage.translated,
        count(coverage.strings as u64, "string", "strings"),
        translation.percent
    ));
    match &translation.pack {
        Some(pack) => out.line(format!("pack: {}", clean(shown_path(pack, base)))),
        None => out.line("There is no pack yet. `--format json` prints one to fill in."),
    }
    let of_card = translation.missing_of_card().map(|(key, text)| match text.text.as_deref() {
        Some(text) => format!("{key}: {}", clean(text)),
        None => key.to_owned(),
    });
    show_lines("Missing", of_card.collect(), translation.missing(), out, verbose);
    if !translation.stale.is_empty() {
        out.line(format!("\nNo longer a display string ({}):", translation.stale.len()));
        for stale in &translation.stale {
            out.line(format!("  {}  →  {}", clean(&stale.text), clean(&stale.translation)));
        }
    }
    show_lines("The same as in English", Vec::new(), translation.identical(), out, verbose);
    if !translation.problems.is_empty() {
        out.line("");
        show_problems(&translation.problems, base, verbose, out);
    }
}

/// Texts, one a line, those of the card first; `verbose` adds the first place of each string.
fn show_lines<'a>(
    title: &str,
    of_card: Vec<String>,
    lines: impl Iterator<Item = &'a Line>,
    out: &mut Stream,
    verbose: bool,
) {
    let lines: Vec<&Line> = lines.collect();
    if lines.is_empty() && of_card.is_empty() {
        return;
    }
    out.line(format!("\n{title} ({}):", of_card.len() + lines.len()));
    of_card.iter().for_each(|text| out.line(format!("  {text}")));
    for line in lines {
        out.line(format!("  {}", clean(&line.text)));
        if let Some(place) = line.uses.first().filter(|_| verbose) {
            let place = format!("    {}:{}", clean(&place.file), clean(&place.pointer));
            out.line(out.look().palette.paint(Role::Dim, place));
        }
    }
}
