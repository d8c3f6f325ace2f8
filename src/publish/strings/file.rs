//! The files translators work on.

use super::{CardText, Line, Translation, csv, po};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// The form of a file for translators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The language pack itself.
    Json,
    /// gettext.
    Po,
    /// RFC 4180.
    Csv,
}

impl Translation {
    /// The strings in reading order with the translations there are, as a file to fill.
    pub fn to_file(&self, format: Format) -> String {
        match format {
            Format::Json => pack(self),
            Format::Po => po::write(self),
            Format::Csv => csv::write(self),
        }
    }

    /// The texts of the card with the key of each in the manifest, of those the manifest has.
    pub(super) fn card(&self) -> impl Iterator<Item = (&'static str, &str, &str)> {
        let texts = [("name", &self.package.name), ("description", &self.package.description)];
        texts.into_iter().filter_map(|(key, text)| Some((key, text.text.as_deref()?, translation(text))))
    }
}

/// A language pack, empty texts where nothing is translated yet.
fn pack(of: &Translation) -> String {
    let text = serde_json::to_string_pretty(&PackFile(of));
    text.unwrap_or_else(|_| unreachable!("a pack is texts under texts")) + "\n"
}

fn translation(text: &CardText) -> &str {
    text.translation.as_deref().unwrap_or_default()
}

struct PackFile<'a>(&'a Translation);

impl Serialize for PackFile<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let of = self.0;
        let mut root = serializer.serialize_map(None)?;
        if let Some(schema) = &of.schema {
            root.serialize_entry("$schema", schema)?;
        }
        let locale = of.language.as_deref().unwrap_or_default();
        root.serialize_entry("_meta", &InOrder([("locale", locale), ("direction", &of.direction)]))?;
        let card = [("name", translation(&of.package.name)), ("description", translation(&of.package.description))];
        root.serialize_entry("package", &InOrder(card))?;
        root.serialize_entry("ruleset", &Strings(&of.strings))?;
        root.end()
    }
}

struct InOrder<'a>([(&'static str, &'a str); 2]);

impl Serialize for InOrder<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0)
    }
}

struct Strings<'a>(&'a [Line]);

impl Serialize for Strings<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|line| (&line.text, line.translation.as_deref().unwrap_or_default())))
    }
}
