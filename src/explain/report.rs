use super::{Example, GROUPS, Level, Rule, Snippet, snippets};
use schemars::JsonSchema;
use serde::Serialize;

/// The answer of `explain`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Explained {
    pub codes: Vec<CodeReport>,
}

/// All there is to say about one code.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CodeReport {
    pub code: String,
    pub severity: Level,
    /// The number a command exits with when this is why it failed.
    pub exit: Option<u8>,
    /// What it is about, as a heading for it and its neighbours.
    pub about: String,
    pub meaning: String,
    pub why: String,
    pub mend: String,
    /// Where the rule comes from.
    pub source: String,
    pub example: Option<ExampleReport>,
}

/// Parts of files that raise a code, and what they should say: only the keys that matter, and `…` for the items of a
/// list before them.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ExampleReport {
    /// What the version published before says. Empty where that is the example catalog as it is, and where the code
    /// takes one version only.
    pub old: Vec<Snippet>,
    pub wrong: Vec<Snippet>,
    /// Empty where it is right to leave the wrong thing out.
    pub right: Vec<Snippet>,
}

impl Explained {
    /// These codes, in this order.
    pub fn of(codes: impl IntoIterator<Item = &'static Rule>) -> Self {
        Explained { codes: codes.into_iter().map(CodeReport::from).collect() }
    }
}

impl From<&'static Rule> for CodeReport {
    fn from(explained: &'static Rule) -> Self {
        let group = GROUPS.iter().find(|group| group.codes.contains(explained));
        let example = explained.example.map(|Example { old, wrong, right, .. }| ExampleReport {
            old: snippets(old.unwrap_or_default()),
            wrong: snippets(wrong),
            right: snippets(right),
        });
        CodeReport {
            code: explained.code.to_owned(),
            severity: explained.severity,
            exit: explained.exit(),
            about: group.map(|group| group.about.to_owned()).unwrap_or_default(),
            meaning: explained.meaning.to_owned(),
            why: explained.why.to_owned(),
            mend: explained.mend.to_owned(),
            source: explained.source.to_owned(),
            example,
        }
    }
}
