//! Every format, with samples that use all there is of it and what reads it.

use serde_json::Value;
use std::path::Path;

pub struct Format {
    pub name: &'static str,
    pub samples: fn() -> Vec<Value>,
    /// Puts the input where it is read, which is not measured.
    pub prepare: fn(&[u8]),
    pub run: fn(&[u8]),
}

pub const FORMATS: &[Format] = &[
    Format { name: "ruleset", samples: rulesets, prepare: nothing, run: ruleset },
    Format { name: "entry", samples: entries, prepare: nothing, run: entry },
];

fn nothing(_: &[u8]) {}

fn testdata(path: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata").join(path);
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

fn rulesets() -> Vec<Value> {
    ["lantern-coast", "iron-quarter"].map(|name| testdata(&format!("rulesets/{name}.json"))).into()
}

fn entries() -> Vec<Value> {
    vec![testdata("hostile/base/entry.json")]
}

fn ruleset(input: &[u8]) {
    let inspection = rulepack::publish::inspect(input, &Default::default(), None);
    rulepack::publish::Findings::new(inspection.problems, 1, 1, false);
    let _ = rulepack::ruleset::essentials(input, &Default::default(), None);
}

fn entry(input: &[u8]) {
    rulepack::catalog::read_entry(std::str::from_utf8(input).unwrap());
}
