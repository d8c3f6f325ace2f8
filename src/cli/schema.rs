//! The JSON Schema of what each command prints with `--json`, made from the very types it is printed from.
//!
//! Programs keep copies of these, so whatever may be added without notice (docs/spec/commands.md#what-may-change) fits
//! them already: keys, words of enumerations, kinds of events. And Ajv loads them in its strict mode, which takes no
//! formats it does not know.

use super::about::{Help, Version};
use super::envelope::Envelope;
use super::progress::Event;
use crate::app::{
    CacheReport, Changes, Diagnosis, Holds, ImportReport, Info, Listing, MigratedSheets, Outdated, SearchResult, Shown,
    Translated, Whereabouts,
};
#[cfg(feature = "diceframe")]
use crate::diceframe;
use crate::explain::Explained;
use crate::inspect::CheckReport;
use crate::publish::strings::Translation;
use crate::publish::verify::Verification;
use crate::publish::{Built, MadeEntry};
use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, transform_subschemas};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Value, json};

/// Makes a schema.
type Make = fn() -> Schema;

/// What `rulepack schema` takes, each with the schema of it: what answers in JSON carry in `command`, with `-` for the
/// blank in it, and what else is JSON. A test holds the commands among them to those there are.
const SCHEMAS: &[(&str, Make)] = &[
    ("search", answer::<SearchResult>),
    ("info", answer::<Info>),
    ("install", answer::<Changes>),
    ("update", answer::<Changes>),
    ("outdated", answer::<Outdated>),
    ("rollback", answer::<Changes>),
    ("uninstall", answer::<Changes>),
    ("list", answer::<Listing>),
    ("language", answer::<Changes>),
    ("sync", answer::<Changes>),
    ("hold", answer::<Holds>),
    ("unhold", answer::<Holds>),
    ("path", answer::<Whereabouts>),
    ("doctor", answer::<Diagnosis>),
    ("import", answer::<ImportReport>),
    ("show", answer::<Shown>),
    ("translate", answer::<Translated>),
    ("migrate", answer::<MigratedSheets>),
    ("check", answer::<CheckReport>),
    // A family alone is no command: whoever names no more is told what is wrong with that.
    ("catalog", answer::<()>),
    ("catalog-verify", answer::<Verification>),
    ("catalog-entry", answer::<MadeEntry>),
    ("catalog-build", answer::<Built>),
    ("strings", answer::<Translation>),
    #[cfg(feature = "diceframe")]
    ("audit", answer::<()>),
    #[cfg(feature = "diceframe")]
    ("audit-rules", answer::<diceframe::rules::AuditReport>),
    #[cfg(feature = "diceframe")]
    ("audit-dice", answer::<diceframe::dice::audit::Report>),
    #[cfg(feature = "diceframe")]
    ("audit-combat", answer::<diceframe::combat::audit::Report>),
    ("explain", answer::<Explained>),
    // It stands for all of its family, as it always has.
    ("cache", answer::<CacheReport>),
    ("cache-dir", answer::<CacheReport>),
    ("cache-size", answer::<CacheReport>),
    ("cache-clean", answer::<CacheReport>),
    ("usage", answer::<()>),
    ("help", answer::<Help>),
    ("version", answer::<Version>),
    ("progress", progress),
];

/// The names `rulepack schema` takes.
pub fn names() -> impl Iterator<Item = &'static str> {
    SCHEMAS.iter().map(|(name, _)| *name)
}

/// The schema of a command's output, `None` for a name that is not among [`names`].
pub fn of(name: &str) -> Option<Schema> {
    SCHEMAS.iter().find(|(known, _)| *known == name).map(|(_, schema)| schema())
}

/// Of what is written, not of what is read: there, every key is present.
fn generator() -> SchemaGenerator {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    settings.with_transform(RecursiveTransform(without_format)).with_transform(open).into_generator()
}

/// Takes the formats away that only say how wide a number is in here.
fn without_format(schema: &mut Schema) {
    schema.remove("format");
}

/// Lets enumerations take words, and objects with a tag others, that come later.
fn open(schema: &mut Schema) {
    let words = schema.get("enum").filter(|_| schema.get("type") == Some(&json!("string"))).cloned();
    if let Some(words) = words {
        schema.remove("enum");
        schema.remove("type");
        schema.insert("anyOf".into(), json!([{ "type": "string", "enum": words }, any_other_word()]));
        return;
    }
    if let Some(Value::Array(mut branches)) = schema.remove("oneOf") {
        // Words with a description of their own stand each in a branch.
        let (of_words, tag) = (branches.iter().all(|branch| branch["type"] == "string"), tag_of(&branches));
        branches.extend(of_words.then(any_other_word));
        branches.extend(tag.map(|tag| any_other_object(&tag, &branches)));
        let is_open = branches.last().is_some_and(|last| last["description"] == LATER);
        schema.insert(if is_open { "anyOf" } else { "oneOf" }.into(), Value::Array(branches));
        if of_words {
            return;
        }
    }
    transform_subschemas(&mut open, schema);
}

/// How a schema says of itself that it stands for what there is not yet.
const LATER: &str = "Keys that later versions add.";

fn any_other_word() -> Value {
    json!({ "description": LATER, "type": "string" })
}

/// The key by whose word all of these objects are told apart.
fn tag_of(branches: &[Value]) -> Option<String> {
    let mut keys = branches.first()?["properties"].as_object()?.keys();
    keys.find(|key| branches.iter().all(|branch| branch["properties"][*key]["const"].is_string())).cloned()
}

/// An object with a word for this tag that none of these has.
fn any_other_object(tag: &str, branches: &[Value]) -> Value {
    let known: Vec<&Value> = branches.iter().map(|branch| &branch["properties"][tag]["const"]).collect();
    let properties = json!({ tag: { "type": "string", "not": { "enum": known } } });
    json!({ "description": LATER, "type": "object", "properties": properties, "required": [tag] })
}

fn progress() -> Schema {
    generator().into_root_schema_for::<Event<'static>>()
}

fn answer<T: JsonSchema>() -> Schema {
    generator().into_root_schema_for::<Envelope<'static, T>>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_that_answers_in_json_has_a_schema() {
        let commands = crate::cli::names::all().into_iter().map(|name| name.replace(' ', "-"));
        for command in commands.filter(|command| !["completions", "schema"].contains(&command.as_str())) {
            assert!(of(&command).is_some(), "{command}");
        }
    }

    #[test]
    fn every_name_has_a_schema_that_wants_every_key() {
        for name in names() {
            let schema = of(name).unwrap().to_value();
            if name == "progress" {
                assert!(schema["anyOf"].as_array().unwrap().len() > 6, "{schema}");
                continue;
            }
            assert_eq!(schema["required"].as_array().unwrap().len(), 6, "{name}: {schema}");
        }
        assert!(of("nothing").is_none());
    }

    /// All schemas within this one, itself included.
    fn within<'a>(schema: &'a Value, found: &mut Vec<&'a Value>) {
        found.push(schema);
        for key in ["properties", "$defs"] {
            schema[key].as_object().into_iter().flatten().for_each(|(_, below)| within(below, found));
        }
        for key in ["anyOf", "oneOf", "allOf", "prefixItems"] {
            schema[key].as_array().into_iter().flatten().for_each(|below| within(below, found));
        }
        for key in ["items", "additionalProperties", "not"] {
            schema.get(key).into_iter().for_each(|below| within(below, found));
        }
    }

    /// What Ajv knows in its strict mode, as far as it occurs.
    const KNOWN: [&str; 20] = [
        "$defs",
        "$ref",
        "$schema",
        "additionalProperties",
        "anyOf",
        "const",
        "default",
        "description",
        "enum",
        "items",
        "maxItems",
        "maximum",
        "minItems",
        "minimum",
        "not",
        "prefixItems",
        "properties",
        "required",
        "title",
        "type",
    ];

    #[test]
    fn whatever_may_be_added_fits_and_a_strict_reader_knows_every_keyword() {
        for name in names() {
            let schema = of(name).unwrap().to_value();
            let mut all = Vec::new();
            within(&schema, &mut all);
            for part in all {
                let Some(keys) = part.as_object() else { continue };
                let unknown: Vec<&String> = keys.keys().filter(|key| !KNOWN.contains(&key.as_str())).collect();
                assert!(unknown.is_empty(), "{name} has {unknown:?}: {part}");
                assert_ne!(part["additionalProperties"], false, "{name} has a closed object: {part}");
                let typed =
                    ["properties", "required", "items", "minimum", "maximum"].iter().any(|key| keys.contains_key(*key));
                assert!(!typed || keys.contains_key("type"), "{name} has keywords without a type: {part}");
                let required = part["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
                required.for_each(|key| assert!(part["properties"][key] != Value::Null, "{name}: {key} in {part}"));
            }
        }
    }

    #[test]
    fn enumerations_and_tags_are_open_and_still_say_what_there_is() {
        let install = of("install").unwrap().to_value();
        let action = install["$defs"]["Action"]["anyOf"].as_array().unwrap();
        assert!(action.iter().any(|word| word["const"] == "installed"), "{action:?}");
        assert_eq!(action.last(), Some(&any_other_word()));
        let progress = of("progress").unwrap().to_value();
        let other = progress["anyOf"].as_array().unwrap().last().unwrap();
        assert!(
            other["properties"]["event"]["not"]["enum"].as_array().unwrap().contains(&json!("download")),
            "{other}"
        );
        let verify = of("catalog-verify").unwrap().to_value();
        assert_eq!(verify["$defs"]["Severity"]["anyOf"].as_array().unwrap().last(), Some(&any_other_word()));
    }
}
