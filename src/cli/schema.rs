//! The JSON Schema of what each command prints with `--json`, made from the very types it is printed from.

use super::envelope::Envelope;
use crate::app::{
    CacheReport, Changes, Diagnosis, Holds, ImportReport, Info, Listing, MigratedSheets, Outdated, SearchResult, Shown,
    Translated, Whereabouts,
};
use crate::contentpack::combat;
use crate::contentpack::dice;
use crate::contentpack::rules::AuditReport;
use crate::explain::Explained;
use crate::publish::strings::Translation;
use crate::publish::verify::Verification;
use crate::publish::{Built, CheckReport, MadeEntry};
use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings};

/// The names `rulepack schema` takes: the commands that answer in JSON.
pub const NAMES: &[&str] = &[
    "search",
    "info",
    "install",
    "update",
    "outdated",
    "rollback",
    "uninstall",
    "list",
    "language",
    "sync",
    "hold",
    "unhold",
    "path",
    "doctor",
    "import",
    "show",
    "translate",
    "migrate",
    "check",
    "catalog-verify",
    "catalog-entry",
    "catalog-build",
    "strings",
    "audit-rules",
    "audit-dice",
    "audit-combat",
    "explain",
    "cache",
];

/// The schema of a command's output, `None` for a name not in [`NAMES`].
pub fn of(name: &str) -> Option<Schema> {
    let schema = match name {
        "search" => answer::<SearchResult>(),
        "info" => answer::<Info>(),
        "install" | "update" | "rollback" | "uninstall" | "language" | "sync" => answer::<Changes>(),
        "outdated" => answer::<Outdated>(),
        "list" => answer::<Listing>(),
        "hold" | "unhold" => answer::<Holds>(),
        "path" => answer::<Whereabouts>(),
        "doctor" => answer::<Diagnosis>(),
        "import" => answer::<ImportReport>(),
        "show" => answer::<Shown>(),
        "translate" => answer::<Translated>(),
        "migrate" => answer::<MigratedSheets>(),
        "check" => answer::<CheckReport>(),
        "catalog-verify" => answer::<Verification>(),
        "catalog-entry" => answer::<MadeEntry>(),
        "catalog-build" => answer::<Built>(),
        "strings" => answer::<Translation>(),
        "audit-rules" => answer::<AuditReport>(),
        "audit-dice" => answer::<dice::audit::Report>(),
        "audit-combat" => answer::<combat::audit::Report>(),
        "explain" => answer::<Explained>(),
        "cache" => answer::<CacheReport>(),
        _ => return None,
    };
    Some(schema)
}

/// Of what is written, not of what is read: there, every key is present.
fn generator() -> SchemaGenerator {
    SchemaSettings::draft2020_12().for_serialize().into_generator()
}

fn answer<T: JsonSchema>() -> Schema {
    generator().into_root_schema_for::<Envelope<'static, T>>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_a_schema_that_wants_every_key() {
        for name in NAMES {
            let schema = of(name).unwrap().to_value();
            let required = schema["required"].as_array().unwrap();
            assert_eq!(required.len(), 6, "{name}: {schema}");
            assert_eq!(schema["additionalProperties"], false, "{name}");
        }
        assert!(of("nothing").is_none());
    }
}
