//! Artifacts, and the files of a package.

use super::{Base, Edit, Example, Explanation, Level};

pub(super) const ALL: &[Explanation] = &[
    Explanation {
        code: "stale-manifest",
        severity: Level::Warning,
        meaning: "The `files` of a package folder's manifest.json no longer say what lies in the folder.",
        why: "An artifact packed with it would be refused: its files are not the ones its manifest declares.",
        mend: "Let `rulepack catalog build` write `files` anew; in a package folder it may also be left out.",
        source: "docs/spec/catalog.md#common-keys",
        example: Some(Example {
            base: Base::Pool,
            wrong: &[Edit { file: "manifest.json", at: "/files/0/bytes", to: "1" }],
            right: &[Edit { file: "manifest.json", at: "/files", to: "" }],
        }),
    },
    Explanation {
        code: "unknown-file",
        severity: Level::Error,
        meaning: "It cannot be told what a file or folder given to `check` is, neither by what it holds nor by its name.",
        why: "Nothing in it was checked.",
        mend: "Give a ruleset.json, a catalog file, a language pack, a manifest.json, an artifact, or the folder of a \
               package; `rulepack catalog verify` takes a whole catalog.",
        source: "docs/spec/catalog.md#manifest; docs/spec/catalog.md#artifact",
        example: None,
    },
    Explanation {
        code: "no-ruleset",
        severity: Level::Warning,
        meaning: "A language pack or a catalog file was checked alone, with no ruleset beside it and none named.",
        why: "Whether its keys are texts of the ruleset, or its entries fit the ruleset's catalog, could not be seen.",
        mend: "Name the ruleset with `--ruleset`, or check the whole folder of the package.",
        source: "docs/spec/checks.md#catalogs; docs/spec/checks.md#translations",
        example: None,
    },
];
