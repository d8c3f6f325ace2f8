//! What only maintainers are held to: envelopes, lanes, notes, official addresses, and files that must be there.

use super::{Base, Edit, Example, Explanation, Level};

/// An example of the example catalog as a whole.
const fn example(wrong: &'static [Edit], right: &'static [Edit]) -> Option<Example> {
    Some(Example { base: Base::Catalog, wrong, right })
}

const fn value(at: &'static str, to: &'static str) -> Edit {
    Edit { file: "catalog.json", at, to }
}

/// A whole file.
const fn file(file: &'static str, to: &'static str) -> Edit {
    Edit { file, at: "", to }
}

/// A catalog without packages, as a lane may be.
const EMPTY: &str = r#"{ "schemaVersion": 1, "generatedAt": "2026-11-30T00:00:00.000Z", "packages": [] }"#;

/// The lanes of no packages at all.
const EMPTY_LANES: &[Edit] = &[file("catalog.json", EMPTY), file("v2/catalog.json", EMPTY)];

pub(super) const ALL: &[Explanation] = &[
    Explanation {
        code: "catalog-envelope",
        severity: Level::Error,
        meaning: "`schemaVersion` of a catalog is not 1, or `packages` is not a list.",
        why: "The engine refuses the whole document, and with it every package it lists.",
        mend: "Write `\"schemaVersion\": 1` and the entries as a list under `packages`.",
        source: "docs/spec/catalog.md#catalog",
        example: example(&[value("/schemaVersion", "2")], &[value("/schemaVersion", "1")]),
    },
    Explanation {
        code: "generated-at",
        severity: Level::Error,
        meaning: "`generatedAt` of a catalog is not a moment in UTC in the one spelling JavaScript has for it.",
        why: "The engine refuses a catalog without a moment, and two spellings of one moment make a rebuilt catalog \
              differ from the one before.",
        mend: "Write it with milliseconds and a `Z`, as `new Date().toISOString()` does.",
        source: "docs/spec/catalog.md#catalog",
        example: example(
            &[value("/generatedAt", r#""2026-11-30T01:00:00+01:00""#)],
            &[value("/generatedAt", r#""2026-11-30T00:00:00.000Z""#)],
        ),
    },
    Explanation {
        code: "lane-foreign",
        severity: Level::Error,
        meaning: "A lane lists a package that is not for the engines of that lane.",
        why: "Every engine that reads the lane shows a package it then refuses to install.",
        mend: "Take the entry out of the lane, or widen the `engine` range of its manifest.",
        source: "docs/spec/catalog.md#lanes-and-preview",
        example: example(
            &[file(
                "v3/catalog.json",
                r#"{
  "schemaVersion": 1,
  "generatedAt": "2026-11-30T00:00:00.000Z",
  "packages": [
    { "manifest": { "id": "saltmarsh-post", "engine": { "min": "2.3.0", "maxExclusive": "3.0.0" } } }
  ]
}"#,
            )],
            EMPTY_LANES,
        ),
    },
    Explanation {
        code: "lane-missing",
        severity: Level::Error,
        meaning: "A lane does not list a package whose `engine` range reaches its engines.",
        why: "Players with such an engine never see the package, or lose sight of it after an update of the engine.",
        mend: "Build the lanes out of the manifests, as `rulepack catalog build` does.",
        source: "docs/spec/catalog.md#lanes-and-preview",
        example: example(&[file("v3/catalog.json", EMPTY)], EMPTY_LANES),
    },
    Explanation {
        code: "lane-set",
        severity: Level::Error,
        meaning: "A lane is missing that some package's `engine` range reaches, or one is there that none reaches.",
        why: "Engines of a major version ask for their lane and find nothing, or find an empty store.",
        mend: "Keep a lane for version 2 and for each major version that an engine range reaches, and no other.",
        source: "docs/spec/catalog.md#lanes-and-preview",
        example: example(
            &[file("catalog.json", EMPTY), file("v2/catalog.json", EMPTY), file("v9/catalog.json", EMPTY)],
            EMPTY_LANES,
        ),
    },
    Explanation {
        code: "lane-alias",
        severity: Level::Error,
        meaning: "`catalog.json` is missing, or is not the same as `v2/catalog.json`, byte for byte.",
        why: "Engines that know no lanes read the one and all others of version 2 the other; they must see the same.",
        mend: "Copy `v2/catalog.json` to `catalog.json` whenever it changes.",
        source: "docs/spec/catalog.md#lanes-and-preview",
        example: example(&[file("v2/catalog.json", EMPTY)], EMPTY_LANES),
    },
    Explanation {
        code: "lane-differs",
        severity: Level::Error,
        meaning: "Two lanes list the same package with different entries.",
        why: "Players get one version or another depending on their engine, although both are the latest.",
        mend: "Build all lanes from the same manifests, in one go.",
        source: "docs/spec/catalog.md#lanes-and-preview",
        example: example(
            &[file(
                "v3/catalog.json",
                r#"{
  "schemaVersion": 1,
  "generatedAt": "2026-11-30T00:00:00.000Z",
  "packages": [
    { "manifest": { "id": "saltmarsh-post", "version": "0.3.0" } }
  ]
}"#,
            )],
            EMPTY_LANES,
        ),
    },
    Explanation {
        code: "lane-order",
        severity: Level::Error,
        meaning: "The entries of a lane are not sorted by the name of their package.",
        why: "Lanes are sorted so that a rebuilt one differs from the one before in nothing but what has changed.",
        mend: "Sort the entries by `manifest.name`, ignoring case.",
        source: "docs/spec/catalog.md#lanes-and-preview",
        example: example(
            &[file(
                "v3/catalog.json",
                r#"{
  "schemaVersion": 1,
  "generatedAt": "2026-11-30T00:00:00.000Z",
  "packages": [
    { "manifest": { "id": "b", "name": "Saltmarsh Post" } },
    { "manifest": { "id": "a", "name": "Gravewatch" } }
  ]
}"#,
            )],
            EMPTY_LANES,
        ),
    },
    Explanation {
        code: "two-tiers",
        severity: Level::Error,
        meaning: "A package is in the preview and published as well.",
        why: "The published one hides the other, so nobody ever tries what is in the preview.",
        mend: "Take the package out of the preview once it is published.",
        source: "docs/spec/catalog.md#lanes-and-preview",
        example: example(
            &[file(
                "preview/catalog.json",
                r#"{
  "schemaVersion": 1,
  "generatedAt": "2026-11-30T00:00:00.000Z",
  "packages": [{ "manifest": { "id": "saltmarsh-post", "name": "Saltmarsh Post" } }]
}"#,
            )],
            &[file("preview/catalog.json", EMPTY)],
        ),
    },
    Explanation {
        code: "notes-shape",
        severity: Level::Error,
        meaning: "`notes.json` has a value of the wrong type or size, or a key that is no package id.",
        why: "One mistake anywhere in it and the engine shows no notes of any package.",
        mend: "Give every version a `version`, a `date`, `notes` of at most 1000 characters, and perhaps `highlight`; \
               at most 20 versions a package.",
        source: "docs/spec/catalog.md#release-notes",
        example: example(
            &[file(
                "notes.json",
                r#"{
  "schemaVersion": 1,
  "packages": {
    "gravewatch": { "versions": [{ "version": "1.2.0", "date": "2026-11-30", "notes": "" }] }
  }
}"#,
            )],
            &[file(
                "notes.json",
                r#"{
  "schemaVersion": 1,
  "packages": {
    "gravewatch": { "versions": [{ "version": "1.2.0", "date": "2026-11-30", "notes": "The long night." }] }
  }
}"#,
            )],
        ),
    },
    Explanation {
        code: "notes-version",
        severity: Level::Error,
        meaning: "A version in `notes.json` is not in its one spelling, or has notes twice.",
        why: "The engine then shows no notes of any package.",
        mend: "Write the version just as the manifest has it, without leading zeros, and once.",
        source: "docs/spec/catalog.md#release-notes",
        example: example(
            &[file(
                "notes.json",
                r#"{
  "schemaVersion": 1,
  "packages": {
    "gravewatch": { "versions": [{ "version": "1.02.0", "date": "2026-11-30", "notes": "The long night." }] }
  }
}"#,
            )],
            &[file(
                "notes.json",
                r#"{
  "schemaVersion": 1,
  "packages": {
    "gravewatch": { "versions": [{ "version": "1.2.0", "date": "2026-11-30", "notes": "The long night." }] }
  }
}"#,
            )],
        ),
    },
    Explanation {
        code: "notes-date",
        severity: Level::Error,
        meaning: "A `date` in `notes.json` is no day of the calendar written as year, month and day.",
        why: "The engine then shows no notes of any package.",
        mend: "Write it like `2026-11-30`.",
        source: "docs/spec/catalog.md#release-notes",
        example: example(
            &[file(
                "notes.json",
                r#"{
  "schemaVersion": 1,
  "packages": {
    "gravewatch": { "versions": [{ "version": "1.2.0", "date": "2026-11-31", "notes": "The long night." }] }
  }
}"#,
            )],
            &[file(
                "notes.json",
                r#"{
  "schemaVersion": 1,
  "packages": {
    "gravewatch": { "versions": [{ "version": "1.2.0", "date": "2026-11-30", "notes": "The long night." }] }
  }
}"#,
            )],
        ),
    },
    Explanation {
        code: "notes-missing",
        severity: Level::Warning,
        meaning: "A new minor or major version of a package has no notes.",
        why: "Players are offered an update without being told what it brings.",
        mend: "Add a note for exactly that version.",
        source: "docs/spec/catalog.md#release-notes",
        example: example(
            &[file("notes.json", r#"{ "schemaVersion": 1, "packages": {} }"#)],
            &[file(
                "notes.json",
                r#"{
  "schemaVersion": 1,
  "packages": {
    "ember-roads": { "versions": [{ "version": "1.0.0", "date": "2026-11-30", "notes": "The road is open." }] },
    "gravewatch": { "versions": [{ "version": "1.2.0", "date": "2026-11-30", "notes": "The long night." }] },
    "saltmarsh-post": { "versions": [{ "version": "0.4.0", "date": "2026-11-30", "notes": "Tides." }] }
  }
}"#,
            )],
        ),
    },
    Explanation {
        code: "official-range",
        severity: Level::Warning,
        meaning: "The `engine` range of an official package begins below 2.3.0 or ends below 4.0.0.",
        why: "Engines before 2.3.0 read no catalog, and a package that ends early goes missing with the next engine.",
        mend: "Begin at 2.3.0 or later and end at 4.0.0 or later.",
        source: "docs/spec/catalog.md#lanes-and-preview",
        example: example(
            &[value("/packages/2/manifest/engine", r#"{ "min": "2.3.0", "maxExclusive": "3.0.0" }"#)],
            &[value("/packages/2/manifest/engine", r#"{ "min": "2.3.0", "maxExclusive": "4.0.0" }"#)],
        ),
    },
    Explanation {
        code: "missing-documentation",
        severity: Level::Error,
        meaning: "An official entry has no `documentationUrl`.",
        why: "The store's card has nowhere to lead a player who wants to know how the ruleset is played.",
        mend: "Name the page that says so.",
        source: "docs/spec/catalog.md#entry; docs/spec/catalog.md#lanes-and-preview",
        example: example(
            &[value("/packages/2/documentationUrl", "")],
            &[value(
                "/packages/2/documentationUrl",
                r#""https://github.com/Pasta-Devs/Marinara-Engine/tree/main/docs/examples/rulesets""#,
            )],
        ),
    },
    Explanation {
        code: "missing-icon",
        severity: Level::Warning,
        meaning: "An official entry has no `iconUrl`.",
        why: "Every other card of the store has a picture.",
        mend: "Add one: a PNG image of 512 by 512 pixels, `artwork/agent-covers/<id>.png`.",
        source: "docs/spec/catalog.md#entry",
        example: example(
            &[value("/packages/2/documentationUrl", r#""https://example.org/saltmarsh""#)],
            &[
                value(
                    "/packages/0/iconUrl",
                    r#""https://raw.githubusercontent.com/Pasta-Devs/Marinara-Agents/main/artwork/agent-covers/ember-roads.png""#,
                ),
                value(
                    "/packages/1/iconUrl",
                    r#""https://raw.githubusercontent.com/Pasta-Devs/Marinara-Agents/main/artwork/agent-covers/gravewatch.png""#,
                ),
                value(
                    "/packages/2/iconUrl",
                    r#""https://raw.githubusercontent.com/Pasta-Devs/Marinara-Agents/main/artwork/agent-covers/saltmarsh-post.png""#,
                ),
            ],
        ),
    },
    Explanation {
        code: "official-icon",
        severity: Level::Error,
        meaning: "The icon of an official entry does not have the official address.",
        why: "The engine takes the official catalog's addresses from one place only, so that nobody else can put \
              something there.",
        mend: "Put the icon into `artwork/agent-covers/` as `<id>.png` and name it on `main`.",
        source: "docs/spec/catalog.md#official-addresses",
        example: example(
            &[value("/packages/2/iconUrl", r#""https://example.org/saltmarsh.png""#)],
            &[value(
                "/packages/2/iconUrl",
                r#""https://raw.githubusercontent.com/Pasta-Devs/Marinara-Agents/main/artwork/agent-covers/saltmarsh-post.png""#,
            )],
        ),
    },
    Explanation {
        code: "icon-image",
        severity: Level::Error,
        meaning: "The icon of a package, as it lies beside the catalog, is no PNG image of 512 by 512 pixels.",
        why: "The store shows it too small, out of shape, or not at all.",
        mend: "Save it as PNG in that size.",
        source: "docs/spec/catalog.md#official-addresses",
        example: example(&[file("artwork/agent-covers/gravewatch.png", "GIF89a")], &[]),
    },
    Explanation {
        code: "line-ends",
        severity: Level::Error,
        meaning: "A file would be the one that the catalog lists if its lines ended in LF; here they end in CRLF.",
        why: "Size and hash are of the published bytes: whoever downloads a file with other line ends refuses it.",
        mend: "Put `*.json -text` into `.gitattributes` and check the files out again.",
        source: "docs/spec/lessons.md#b10",
        example: None,
    },
    Explanation {
        code: "web-page",
        severity: Level::Error,
        meaning: "A web page is in the place of a file that the catalog lists.",
        why: "Somebody saved the page about the file, or a network answered with its login page.",
        mend: "Save the file itself, from its raw address.",
        source: "docs/spec/catalog.md#entry; docs/spec/catalog.md#language-packs",
        example: example(
            &[
                file(
                    "artifacts/saltmarsh-post-0.4.0.ja.json",
                    "<!DOCTYPE html>\n<title>saltmarsh-post-0.4.0.ja.json</title>\n",
                ),
                value("/packages/2/locales/ja/bytes", "1682"),
            ],
            &[],
        ),
    },
    Explanation {
        code: "unreachable",
        severity: Level::Error,
        meaning: "A file could not be fetched, so nothing is known of it.",
        why: "The server, the network, or `--offline` is in the way; the catalog itself may be all right.",
        mend: "Try again later, or name a folder that holds the files with `--artifacts`.",
        source: "docs/spec/commands.md#downloads",
        example: None,
    },
    Explanation {
        code: "unreadable-file",
        severity: Level::Error,
        meaning: "A file that the catalog lists is on this disk and cannot be read.",
        why: "The system refuses it, so nothing is known of it.",
        mend: "Look at its permissions, and at the disk.",
        source: "docs/spec/commands.md#exit-codes",
        example: None,
    },
];
