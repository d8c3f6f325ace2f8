use super::App;
use crate::ruleset::{Dropped, Hidden, Layered, Undone, UnknownLayer, with_layers};
use crate::types::{Code, Failure, Warning, codes, did_you_mean};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// The answer of `show`: a ruleset as a game reads it that has these layers on.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Shown {
    /// The whole ruleset, its catalog files within, layers applied. Rules and what the Game Master is told are English.
    pub ruleset: Value,
    /// The layers applied, in the order they are declared in.
    pub layers: Vec<String>,
    /// Those chosen and not applied.
    pub dropped_layers: Vec<Dropped>,
    /// What is shown in another language, and how it reads there.
    pub translation: Option<AppliedTranslation>,
    /// Entries the picker leaves out. They are in the ruleset all the same.
    pub hidden_entries: Vec<Hidden>,
    /// Parts of layers that were not done beside what earlier layers did.
    pub undone: Vec<Undone>,
}

/// The translation that applies: the language's own, and where it is silent the one it is a kind of.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AppliedTranslation {
    pub language: String,
    /// Display string in English to what it reads.
    pub strings: BTreeMap<String, String>,
}

impl App {
    /// The effective ruleset with the chosen layers on. `name` is an installed or imported ruleset, or a file. Nothing
    /// is fetched, and nothing changed.
    pub(crate) fn show(&self, name: &str, layers: &[String]) -> Result<Shown, Failure> {
        let source = self.source(name)?;
        let chosen: Vec<&str> = layers.iter().map(String::as_str).collect();
        let layered = with_layers(&source.ruleset, &source.files, &chosen).map_err(unknown_layer)?;
        let Layered { ruleset, active, dropped, hidden, undone } = layered;
        for Dropped { id, reason, .. } in &dropped {
            self.warn(
                Warning::new(codes::LAYER_DROPPED, format!("skipped the layer `{id}`: {reason}")).about(&source.name),
            );
        }
        for Undone { layer, reason } in &undone {
            let text = format!("skipped part of the layer `{layer}`: {reason}");
            self.warn(Warning::new(codes::LAYER_PART_LEFT_OUT, text).about(&source.name));
        }
        let translation = source.translations.first().map(|(language, _)| AppliedTranslation {
            language: language.to_string(),
            strings: source
                .translations
                .iter()
                .rev()
                .flat_map(|(_, translation)| owned(translation.strings()))
                .collect(),
        });
        Ok(Shown { ruleset, layers: active, dropped_layers: dropped, translation, hidden_entries: hidden, undone })
    }
}

fn owned<'a>(strings: BTreeMap<&'a str, &'a str>) -> impl Iterator<Item = (String, String)> {
    strings.into_iter().map(|(english, said)| (english.to_owned(), said.to_owned()))
}

fn unknown_layer(unknown: UnknownLayer) -> Failure {
    let failure = Failure::new(Code::Usage, unknown.to_string());
    match (did_you_mean(&unknown.near), unknown.known.as_slice()) {
        (_, []) => failure.hint("omit `--layer`: the ruleset has no layers"),
        (None, known) => failure.hint(format!("use one of its layers: {}", known.join(", "))),
        (Some(question), _) => failure.hint(question),
    }
}
