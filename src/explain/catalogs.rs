//! The entries of a published catalog and their manifests, as far as they can be judged without a download.

use super::{Base, Edit, Example, Explanation, Level};

/// An example of one value of `catalog.json`.
const fn example(wrong: &'static [Edit], right: &'static [Edit]) -> Option<Example> {
    Some(Example { base: Base::Catalog, wrong, right })
}

const fn value(at: &'static str, to: &'static str) -> Edit {
    Edit { file: "catalog.json", at, to }
}

/// The manifest of the smallest package, with all it needs.
const MANIFEST: &str = r#"{
  "schemaVersion": 2,
  "capabilityApi": { "major": 1, "minor": 811 },
  "builtAgainst": { "engineVersion": "2.4.0", "engineCommit": "0000000000000000000000000000000000000000" },
  "id": "saltmarsh-post",
  "name": "Saltmarsh Post",
  "version": "0.4.0",
  "engine": { "min": "2.3.0", "maxExclusive": "4.0.0" },
  "kind": ["ruleset"],
  "entrypoints": {},
  "contributions": { "assets": { "paths": ["ruleset.json"] } },
  "files": [
    {
      "path": "ruleset.json",
      "sha256": "04b4a9a4f48eb6539e0036fb73bae8998a79d3768bc0bfbb496ae9ea902f6492",
      "bytes": 7468
    }
  ],
  "permissions": []
}"#;

/// Its one file.
const FILES: &str = r#"[
  {
    "path": "ruleset.json",
    "sha256": "04b4a9a4f48eb6539e0036fb73bae8998a79d3768bc0bfbb496ae9ea902f6492",
    "bytes": 7468
  }
]"#;

/// Where it is published.
const ARTIFACT: &str = r#"{
  "url": "https://raw.githubusercontent.com/Pasta-Devs/Marinara-Agents/main/artifacts/saltmarsh-post-0.4.0.ruleset.json",
  "sha256": "04b4a9a4f48eb6539e0036fb73bae8998a79d3768bc0bfbb496ae9ea902f6492",
  "bytes": 7468
}"#;

/// The same address alone.
const ARTIFACT_URL: &str = r#""https://raw.githubusercontent.com/Pasta-Devs/Marinara-Agents/main/artifacts/saltmarsh-post-0.4.0.ruleset.json""#;

/// And what is there.
const SHA256: &str = r#""04b4a9a4f48eb6539e0036fb73bae8998a79d3768bc0bfbb496ae9ea902f6492""#;

/// Its language packs, or one of them.
const PACKS: &str = r#"{
  "ja": {
    "url": "https://raw.githubusercontent.com/Pasta-Devs/Marinara-Agents/main/artifacts/saltmarsh-post-0.4.0.ja.json",
    "sha256": "a5bd9d0a6e1b00fe0a8b326783457b1e1afccac465ffa6b40c52e9b2c11a824e",
    "bytes": 1682,
    "name": "塩沼の郵便屋",
    "description": "平底舟で沼を渡り手紙を届ける。ダイス一つ、能力値三つ、そして敵は潮。"
  }
}"#;

/// That one alone.
const JAPANESE: &str = r#"{
  "url": "https://raw.githubusercontent.com/Pasta-Devs/Marinara-Agents/main/artifacts/saltmarsh-post-0.4.0.ja.json",
  "sha256": "a5bd9d0a6e1b00fe0a8b326783457b1e1afccac465ffa6b40c52e9b2c11a824e",
  "bytes": 1682,
  "name": "塩沼の郵便屋",
  "description": "平底舟で沼を渡り手紙を届ける。ダイス一つ、能力値三つ、そして敵は潮。"
}"#;

pub(super) const ALL: &[Explanation] = &[
    Explanation {
        code: "entry-shape",
        severity: Level::Error,
        meaning: "An element of `packages[]` is not an object.",
        why: "There is nothing in it to read: no engine and no rulepack can use the entry.",
        mend: "Write each entry as an object with `manifest` and `artifact`.",
        source: "docs/spec/catalog.md#entry",
        example: example(&[value("/packages/-", r#""saltmarsh-post""#)], &[]),
    },
    Explanation {
        code: "manifest-shape",
        severity: Level::Error,
        meaning: "A manifest is missing, or is not a JSON object.",
        why: "The manifest says what the package is; without it the entry cannot be used.",
        mend: "Write the whole manifest into the entry, not its name or address.",
        source: "docs/spec/catalog.md#common-keys",
        example: example(
            &[value("/packages/2/manifest", r#""saltmarsh-post""#)],
            &[value("/packages/2/manifest", MANIFEST)],
        ),
    },
    Explanation {
        code: "manifest-depth",
        severity: Level::Error,
        meaning: "A manifest is nested deeper than 100 levels.",
        why: "Nothing the format describes is nested so deep, and reading it would cost memory without end.",
        mend: "Flatten what is nested that deep.",
        source: "our limit; docs/spec/catalog.md#common-keys sets none",
        example: None,
    },
    Explanation {
        code: "newer-manifest",
        severity: Level::Error,
        meaning: "A manifest has a newer `schemaVersion` than this rulepack knows.",
        why: "Its keys may mean something else there, so nothing is read of it.",
        mend: "Readers: update rulepack. Publishers: the newest that engines read is 2.",
        source: "docs/spec/catalog.md#common-keys",
        example: example(
            &[value("/packages/2/manifest/schemaVersion", "3")],
            &[value("/packages/2/manifest/schemaVersion", "2")],
        ),
    },
    Explanation {
        code: "manifest-schema-version",
        severity: Level::Error,
        meaning: "`schemaVersion` of a manifest is missing or no whole number.",
        why: "It decides how everything else is read.",
        mend: "Write `2`.",
        source: "docs/spec/catalog.md#common-keys",
        example: example(
            &[value("/packages/2/manifest/schemaVersion", r#""2""#)],
            &[value("/packages/2/manifest/schemaVersion", "2")],
        ),
    },
    Explanation {
        code: "manifest-id",
        severity: Level::Error,
        meaning: "The id of a package is no id: lowercase letters and digits in groups joined by `-`, at most 80, \
                  and no name that Windows reserves.",
        why: "The id names the package's folder on every system, so it must be a plain name.",
        mend: "Choose such an id. It names the package for ever: another id is another package.",
        source: "docs/spec/catalog.md#common-keys",
        example: example(
            &[value("/packages/2/manifest/id", r#""Saltmarsh Post""#)],
            &[value("/packages/2/manifest/id", r#""saltmarsh-post""#)],
        ),
    },
    Explanation {
        code: "manifest-name",
        severity: Level::Error,
        meaning: "The name of a package is missing, empty or longer than 120 characters.",
        why: "It is what a player reads in the list of rulesets.",
        mend: "Write a name of 1 to 120 characters, as JavaScript counts them.",
        source: "docs/spec/catalog.md#common-keys",
        example: example(
            &[value("/packages/2/manifest/name", r#""""#)],
            &[value("/packages/2/manifest/name", r#""Saltmarsh Post""#)],
        ),
    },
    Explanation {
        code: "manifest-version",
        severity: Level::Error,
        meaning: "The version of a package is not of the form `1.2.3` or `1.2.3-beta.1`.",
        why: "Versions are compared to tell an update from a downgrade, and name folders and files.",
        mend: "Write three numbers joined by dots; what comes before a release goes behind a `-`.",
        source: "docs/spec/catalog.md#common-keys; docs/spec/catalog.md#version-order",
        example: example(
            &[value("/packages/2/manifest/version", r#""0.4""#)],
            &[value("/packages/2/manifest/version", r#""0.4.0""#)],
        ),
    },
    Explanation {
        code: "version-spelling",
        severity: Level::Error,
        meaning: "A version is readable, but not in the one spelling Semantic Versioning has for it, for example \
                  with leading zeros.",
        why: "`01.0.0` and `1.0.0` are the same version and different texts: the engine holds each for the older \
              one.",
        mend: "Leave leading zeros and empty parts out.",
        source: "docs/spec/catalog.md#version-order",
        example: example(
            &[value("/packages/2/manifest/version", r#""0.04.0""#)],
            &[value("/packages/2/manifest/version", r#""0.4.0""#)],
        ),
    },
    Explanation {
        code: "manifest-description",
        severity: Level::Error,
        meaning: "The description of a package is no text or longer than 2000 characters.",
        why: "The engine refuses the whole entry for it.",
        mend: "Write at most 2000 characters, or leave the key out.",
        source: "docs/spec/catalog.md#common-keys",
        example: example(
            &[value("/packages/2/manifest/description", "null")],
            &[value("/packages/2/manifest/description", r#""Carry letters through a marsh by flat boat.""#)],
        ),
    },
    Explanation {
        code: "manifest-localizations",
        severity: Level::Error,
        meaning: "A manifest's own `localizations` are not what they must be: by language tag, a name of 1 to 120 \
                  and a description of up to 2000 characters.",
        why: "The engine refuses the entry; rulepack only shows the card in English.",
        mend: "Correct or remove it. With language packs it is not needed: `locales` have name and description, too.",
        source: "docs/spec/catalog.md#common-keys",
        example: example(
            &[value("/packages/2/manifest/localizations", r#"{ "de": { "name": "" } }"#)],
            &[value("/packages/2/manifest/localizations", r#"{ "de": { "name": "Salzmarschpost" } }"#)],
        ),
    },
    Explanation {
        code: "manifest-engine",
        severity: Level::Error,
        meaning: "`engine` does not say which engine versions a package is for: `min` and `maxExclusive`, each a \
                  version.",
        why: "Without the range nobody can tell whether the engine at hand can use it.",
        mend: "Write both versions in full; `maxExclusive` is the first that is too new.",
        source: "docs/spec/catalog.md#common-keys",
        example: example(
            &[value("/packages/2/manifest/engine", r#"{ "min": "2.3", "maxExclusive": "4" }"#)],
            &[value("/packages/2/manifest/engine", r#"{ "min": "2.3.0", "maxExclusive": "4.0.0" }"#)],
        ),
    },
    Explanation {
        code: "engine-range",
        severity: Level::Error,
        meaning: "The range of engine versions fits no lane of the catalog: its ends are not plain `x.y.z`, the \
                  lower is not below the upper, they span more than 20 major versions, or all lie below 2.0.0.",
        why: "No engine is ever offered the entry.",
        mend: "Write plain versions, `min` below `maxExclusive`, of the engines the package is for.",
        source: "docs/spec/catalog.md#lanes-and-preview",
        example: example(
            &[value("/packages/2/manifest/engine", r#"{ "min": "4.0.0", "maxExclusive": "2.3.0" }"#)],
            &[value("/packages/2/manifest/engine", r#"{ "min": "2.3.0", "maxExclusive": "4.0.0" }"#)],
        ),
    },
    Explanation {
        code: "manifest-kind",
        severity: Level::Error,
        meaning: "`kind` is no list of words, or names no kind.",
        why: "It tells rulesets, which are data, from packages that carry code.",
        mend: "Write `[\"ruleset\"]`.",
        source: "docs/spec/catalog.md#common-keys",
        example: example(
            &[value("/packages/2/manifest/kind", r#""ruleset""#)],
            &[value("/packages/2/manifest/kind", r#"["ruleset"]"#)],
        ),
    },
    Explanation {
        code: "manifest-entrypoints",
        severity: Level::Error,
        meaning: "`entrypoints` is missing or not an object.",
        why: "The engine refuses a manifest without it.",
        mend: "Write `{}`: a ruleset has none.",
        source: "docs/spec/catalog.md#common-keys",
        example: example(
            &[value("/packages/2/manifest/entrypoints", "[]")],
            &[value("/packages/2/manifest/entrypoints", "{}")],
        ),
    },
    Explanation {
        code: "manifest-contributions",
        severity: Level::Error,
        meaning: "`contributions` is not what it must be: an object whose `assets.paths` is a list of paths.",
        why: "It names the files that the engine reads; here it cannot tell which.",
        mend: "Write `{ \"assets\": { \"paths\": [\"ruleset.json\"] } }`.",
        source: "docs/spec/catalog.md#assets",
        example: example(
            &[value("/packages/2/manifest/contributions", r#"{ "assets": ["ruleset.json"] }"#)],
            &[value("/packages/2/manifest/contributions", r#"{ "assets": { "paths": ["ruleset.json"] } }"#)],
        ),
    },
    Explanation {
        code: "asset-count",
        severity: Level::Error,
        meaning: "A manifest lists more than 256 assets.",
        why: "The engine refuses it.",
        mend: "List what the ruleset reads: `ruleset.json` and its catalog files.",
        source: "docs/spec/catalog.md#assets",
        example: None,
    },
    Explanation {
        code: "asset-paths",
        severity: Level::Error,
        meaning: "An asset is neither JSON nor an image the engine shows (gif, jpg, jpeg, png, webp), or its path is \
                  longer than 240 characters.",
        why: "The engine refuses the manifest.",
        mend: "Convert the file, or leave it out of the assets.",
        source: "docs/spec/catalog.md#assets",
        example: example(
            &[value("/packages/2/manifest/contributions/assets/paths", r#"["ruleset.json", "art/cover.svg"]"#)],
            &[value("/packages/2/manifest/contributions/assets/paths", r#"["ruleset.json"]"#)],
        ),
    },
    Explanation {
        code: "manifest-files",
        severity: Level::Error,
        meaning: "`files` is not what it must be: 1 to 8191 objects with `path`, `sha256` (64 lowercase hexadecimal \
                  digits) and `bytes` (at most 104,857,600).",
        why: "Each file is held against these before it is used; a file that cannot be checked is not installed.",
        mend: "Let `rulepack catalog entry` or `rulepack catalog build` write it.",
        source: "docs/spec/catalog.md#common-keys",
        example: example(
            &[value("/packages/2/manifest/files", r#"[{ "path": "ruleset.json", "bytes": 7468 }]"#)],
            &[value("/packages/2/manifest/files", FILES)],
        ),
    },
    Explanation {
        code: "duplicate-path",
        severity: Level::Error,
        meaning: "Two files of a package are one file where upper and lower case are the same, or one is a folder of \
                  the other.",
        why: "Unpacked on Windows or macOS, one would overwrite the other.",
        mend: "Give them names that differ in more than case.",
        source: "docs/spec/catalog.md#archives",
        example: example(
            &[value(
                "/packages/2/manifest/files",
                r#"[
  {
    "path": "ruleset.json",
    "sha256": "04b4a9a4f48eb6539e0036fb73bae8998a79d3768bc0bfbb496ae9ea902f6492",
    "bytes": 7468
  },
  {
    "path": "Ruleset.json",
    "sha256": "04b4a9a4f48eb6539e0036fb73bae8998a79d3768bc0bfbb496ae9ea902f6492",
    "bytes": 7468
  }
]"#,
            )],
            &[value("/packages/2/manifest/files", FILES)],
        ),
    },
    Explanation {
        code: "manifest-path",
        severity: Level::Error,
        meaning: "A manifest lists `manifest.json` among its own files.",
        why: "That is the manifest's own name in a package, and a file cannot hold its own hash.",
        mend: "Take it out of `files`.",
        source: "docs/spec/catalog.md#archives",
        example: example(
            &[value(
                "/packages/2/manifest/files",
                r#"[
  {
    "path": "ruleset.json",
    "sha256": "04b4a9a4f48eb6539e0036fb73bae8998a79d3768bc0bfbb496ae9ea902f6492",
    "bytes": 7468
  },
  {
    "path": "manifest.json",
    "sha256": "04b4a9a4f48eb6539e0036fb73bae8998a79d3768bc0bfbb496ae9ea902f6492",
    "bytes": 7468
  }
]"#,
            )],
            &[value("/packages/2/manifest/files", FILES)],
        ),
    },
    Explanation {
        code: "manifest-permissions",
        severity: Level::Error,
        meaning: "`permissions` is missing or no list of words.",
        why: "The engine refuses a manifest without it.",
        mend: "Write `[]`: a ruleset asks for none.",
        source: "docs/spec/catalog.md#common-keys",
        example: example(
            &[value("/packages/2/manifest/permissions", r#""none""#)],
            &[value("/packages/2/manifest/permissions", "[]")],
        ),
    },
    Explanation {
        code: "manifest-restart-required",
        severity: Level::Error,
        meaning: "`restartRequired` is neither `true` nor `false`.",
        why: "The engine refuses the manifest.",
        mend: "Write `false`, or leave it out: a ruleset needs no restart.",
        source: "docs/spec/catalog.md#common-keys",
        example: example(
            &[value("/packages/2/manifest/restartRequired", r#""no""#)],
            &[value("/packages/2/manifest/restartRequired", "false")],
        ),
    },
    Explanation {
        code: "manifest-capability-api",
        severity: Level::Error,
        meaning: "`capabilityApi` is missing or not made of two whole numbers, or stands in a manifest of \
                  schemaVersion 1.",
        why: "It says which features the package may use; an engine without them refuses it in time.",
        mend: "Write `major` and `minor` apart. The minor is a whole number: 1.8 is older than 1.66.",
        source: "docs/spec/catalog.md#schema-version-2",
        example: example(
            &[value("/packages/2/manifest/capabilityApi", "1.811")],
            &[value("/packages/2/manifest/capabilityApi", r#"{ "major": 1, "minor": 811 }"#)],
        ),
    },
    Explanation {
        code: "manifest-built-against",
        severity: Level::Error,
        meaning: "`builtAgainst` is missing or lacks `engineVersion` or a full `engineCommit`, or stands in a \
                  manifest of schemaVersion 1.",
        why: "It records what the package was tried with.",
        mend: "Write the engine's version and the 40 digits of its commit.",
        source: "docs/spec/catalog.md#schema-version-2",
        example: example(
            &[value("/packages/2/manifest/builtAgainst", r#"{ "engineVersion": "2.4.0", "engineCommit": "main" }"#)],
            &[value(
                "/packages/2/manifest/builtAgainst",
                r#"{
  "engineVersion": "2.4.0",
  "engineCommit": "0000000000000000000000000000000000000000"
}"#,
            )],
        ),
    },
    Explanation {
        code: "built-against-range",
        severity: Level::Error,
        meaning: "A package was built against an engine that is outside of its own range.",
        why: "It was never tried with an engine it says it is for.",
        mend: "Widen `engine`, or try it with an engine of that range and say so.",
        source: "docs/spec/catalog.md#lanes-and-preview",
        example: example(
            &[value("/packages/2/manifest/builtAgainst/engineVersion", r#""2.2.0""#)],
            &[value("/packages/2/manifest/builtAgainst/engineVersion", r#""2.4.0""#)],
        ),
    },
    Explanation {
        code: "entry-icon",
        severity: Level::Error,
        meaning: "`iconUrl` is no https address.",
        why: "The engine refuses the entry; an installer needs no icon.",
        mend: "Write the address of the image, or leave the key out.",
        source: "docs/spec/catalog.md#entry",
        example: example(
            &[value("/packages/2/iconUrl", r#""saltmarsh-post.png""#)],
            &[value(
                "/packages/2/iconUrl",
                r#""https://raw.githubusercontent.com/Pasta-Devs/Marinara-Agents/main/artwork/agent-covers/saltmarsh-post.png""#,
            )],
        ),
    },
    Explanation {
        code: "entry-documentation",
        severity: Level::Error,
        meaning: "`documentationUrl` is no https address.",
        why: "The engine refuses the entry; an installer needs no documentation.",
        mend: "Write the whole address.",
        source: "docs/spec/catalog.md#entry",
        example: example(
            &[value("/packages/2/documentationUrl", r#""docs/saltmarsh.md""#)],
            &[value("/packages/2/documentationUrl", r#""https://example.org/saltmarsh-post""#)],
        ),
    },
    Explanation {
        code: "entry-category",
        severity: Level::Error,
        meaning: "`category` is none of `writer`, `tracker` and `misc`.",
        why: "The engine refuses the entry; an installer needs no category.",
        mend: "Write `misc`, as all rulesets do, or leave it out.",
        source: "docs/spec/catalog.md#entry",
        example: example(
            &[value("/packages/2/category", r#""rulesets""#)],
            &[value("/packages/2/category", r#""misc""#)],
        ),
    },
    Explanation {
        code: "artifact-shape",
        severity: Level::Error,
        meaning: "`artifact` of an entry is missing or not an object.",
        why: "Nobody knows where the package is.",
        mend: "Write `url`, `sha256` and `bytes` of the published file.",
        source: "docs/spec/catalog.md#entry",
        example: example(
            &[value("/packages/2/artifact", r#""saltmarsh-post-0.4.0.ruleset.json""#)],
            &[value("/packages/2/artifact", ARTIFACT)],
        ),
    },
    Explanation {
        code: "artifact-url",
        severity: Level::Error,
        meaning: "The address of an artifact is missing, is no https address, or names no file.",
        why: "Engines fetch over https only.",
        mend: "Write the whole https address of the published file.",
        source: "docs/spec/catalog.md#entry; docs/spec/catalog.md#official-addresses",
        example: example(
            &[value("/packages/2/artifact/url", r#""http://example.org/saltmarsh-post-0.4.0.ruleset.json""#)],
            &[value("/packages/2/artifact/url", ARTIFACT_URL)],
        ),
    },
    Explanation {
        code: "artifact-sha256",
        severity: Level::Error,
        meaning: "The `sha256` of an artifact is missing or not 64 lowercase hexadecimal digits.",
        why: "Without it no byte of the artifact can be trusted, so nothing is installed.",
        mend: "Compute it over the published bytes; `rulepack catalog entry` does.",
        source: "docs/spec/catalog.md#entry",
        example: example(
            &[value(
                "/packages/2/artifact/sha256",
                r#""sha256:04b4a9a4f48eb6539e0036fb73bae8998a79d3768bc0bfbb496ae9ea902f6492""#,
            )],
            &[value("/packages/2/artifact/sha256", SHA256)],
        ),
    },
    Explanation {
        code: "artifact-bytes",
        severity: Level::Error,
        meaning: "The size of an artifact is missing or no whole number from 1 to 104,857,600.",
        why: "A download stops at the first byte past it.",
        mend: "Write the size of the published file in bytes.",
        source: "docs/spec/catalog.md#entry",
        example: example(
            &[value("/packages/2/artifact/bytes", r#""7 KB""#)],
            &[value("/packages/2/artifact/bytes", "7468")],
        ),
    },
    Explanation {
        code: "blob-url",
        severity: Level::Error,
        meaning: "An address leads to the page that a code-hosting site shows about a file, instead of to the file.",
        why: "What is downloaded is a web page, which fits no hash.",
        mend: "Use the address of the raw file.",
        source: "docs/spec/lessons.md#b22",
        example: example(
            &[value(
                "/packages/2/artifact/url",
                r#""https://github.com/Pasta-Devs/Marinara-Agents/blob/main/artifacts/saltmarsh-post-0.4.0.ruleset.json""#,
            )],
            &[value("/packages/2/artifact/url", ARTIFACT_URL)],
        ),
    },
    Explanation {
        code: "official-url",
        severity: Level::Error,
        meaning: "An entry of the official catalog lists an artifact that is not at the official address for its id \
                  and version.",
        why: "The engine refuses the whole official catalog for one such entry.",
        mend: "Publish it as `artifacts/<id>-<version>.ruleset.json` on the branch `main`.",
        source: "docs/spec/catalog.md#official-addresses",
        example: example(
            &[value(
                "/packages/2/artifact/url",
                r#""https://raw.githubusercontent.com/Pasta-Devs/Marinara-Agents/main/artifacts/saltmarsh.ruleset.json""#,
            )],
            &[value("/packages/2/artifact/url", ARTIFACT_URL)],
        ),
    },
    Explanation {
        code: "official-zip",
        severity: Level::Warning,
        meaning: "An entry of the official catalog declares Capability API 1.811 or newer and lists a `.zip`.",
        why: "It installs, but engines from that API on have a plainer form for rulesets.",
        mend: "Publish it as `.ruleset.json`.",
        source: "docs/spec/catalog.md#official-addresses; docs/spec/decisions.md#q3",
        example: example(
            &[value(
                "/packages/2/artifact/url",
                r#""https://raw.githubusercontent.com/Pasta-Devs/Marinara-Agents/main/artifacts/saltmarsh-post-0.4.0.zip""#,
            )],
            &[value("/packages/2/artifact/url", ARTIFACT_URL)],
        ),
    },
    Explanation {
        code: "locales-shape",
        severity: Level::Error,
        meaning: "`locales` of an entry is not an object.",
        why: "No language pack can be found in it, and the entry is refused.",
        mend: "Write the packs under their language tags, or leave the key out.",
        source: "docs/spec/catalog.md#language-packs",
        example: example(&[value("/packages/2/locales", r#"["ja"]"#)], &[value("/packages/2/locales", PACKS)]),
    },
    Explanation {
        code: "pack-shape",
        severity: Level::Error,
        meaning: "A language pack of an entry is not an object.",
        why: "Nobody knows where the pack is, and the entry is refused.",
        mend: "Write `url`, `sha256`, `bytes`, `name` and `description`.",
        source: "docs/spec/catalog.md#language-packs",
        example: example(
            &[value("/packages/2/locales/ja", r#""saltmarsh-post-0.4.0.ja.json""#)],
            &[value("/packages/2/locales/ja", JAPANESE)],
        ),
    },
    Explanation {
        code: "pack-language",
        severity: Level::Error,
        meaning: "A language pack is listed under, or its file in `locales/` is named for, something that is no language \
                  tag; or it is listed in an odd spelling, twice in two spellings, or (a warning) as a kind of English.",
        why: "Readers are given a pack by its tag; under a wrong one nobody ever gets it.",
        mend: "Write the tag as the engine names its own packs: `ru`, `pt-BR`, `zh-Hans`; the file is `ru.json`.",
        source: "docs/spec/catalog.md#language-packs; docs/spec/checks.md#t01; docs/spec/decisions.md#q5; docs/spec/decisions.md#q6",
        example: example(
            &[value(
                "/packages/2/locales",
                r#"{
  "japanese": {
    "url": "https://raw.githubusercontent.com/Pasta-Devs/Marinara-Agents/main/artifacts/saltmarsh-post-0.4.0.japanese.json",
    "sha256": "a5bd9d0a6e1b00fe0a8b326783457b1e1afccac465ffa6b40c52e9b2c11a824e",
    "bytes": 1682,
    "name": "塩沼の郵便屋",
    "description": "平底舟で沼を渡り手紙を届ける。ダイス一つ、能力値三つ、そして敵は潮。"
  }
}"#,
            )],
            &[value("/packages/2/locales", PACKS)],
        ),
    },
    Explanation {
        code: "pack-url",
        severity: Level::Error,
        meaning: "The address of a language pack is no https address, is outside of its artifact's folder, or is not \
                  named `<id>-<version>.<language>.json`.",
        why: "A pack belongs to one version of one package; its name is how everybody can tell.",
        mend: "Publish the pack beside the artifact, under that name.",
        source: "docs/spec/catalog.md#language-packs; docs/spec/decisions.md#q24",
        example: example(
            &[value(
                "/packages/2/locales/ja/url",
                r#""https://raw.githubusercontent.com/Pasta-Devs/Marinara-Agents/main/artifacts/saltmarsh-post.ja.json""#,
            )],
            &[value(
                "/packages/2/locales/ja/url",
                r#""https://raw.githubusercontent.com/Pasta-Devs/Marinara-Agents/main/artifacts/saltmarsh-post-0.4.0.ja.json""#,
            )],
        ),
    },
    Explanation {
        code: "pack-sha256",
        severity: Level::Error,
        meaning: "The `sha256` of a language pack is missing or not 64 lowercase hexadecimal digits.",
        why: "Without it no byte of the pack can be trusted, and the entry is refused.",
        mend: "Compute it over the published bytes; `rulepack catalog entry --pack` does.",
        source: "docs/spec/catalog.md#language-packs",
        example: example(
            &[value("/packages/2/locales/ja/sha256", r#""""#)],
            &[value(
                "/packages/2/locales/ja/sha256",
                r#""a5bd9d0a6e1b00fe0a8b326783457b1e1afccac465ffa6b40c52e9b2c11a824e""#,
            )],
        ),
    },
    Explanation {
        code: "pack-bytes",
        severity: Level::Error,
        meaning: "The size of a language pack is missing or no whole number from 1 to 8,388,608; from 8,000,000 on \
                  it is a warning.",
        why: "A larger pack is refused, and with it the entry.",
        mend: "Write the size of the published file in bytes; shorten a pack that is too large.",
        source: "docs/spec/catalog.md#language-packs; docs/spec/decisions.md#q4",
        example: example(
            &[value("/packages/2/locales/ja/bytes", "9000000")],
            &[value("/packages/2/locales/ja/bytes", "1682")],
        ),
    },
    Explanation {
        code: "pack-card",
        severity: Level::Error,
        meaning: "A language pack has no `name` of 1 to 120 characters, or no `description` of up to 2000.",
        why: "They are the ruleset's card in that language, which is shown before the pack is fetched.",
        mend: "Translate both into the pack's language.",
        source: "docs/spec/catalog.md#language-packs; docs/spec/decisions.md#q23",
        example: example(
            &[value("/packages/2/locales/ja/name", r#""""#)],
            &[value("/packages/2/locales/ja/name", r#""塩沼の郵便屋""#)],
        ),
    },
    Explanation {
        code: "T08",
        severity: Level::Error,
        meaning: "An entry lists language packs and declares a Capability API below 1.811.",
        why: "Older engines refuse an entry with `locales` as a whole, so it must say that it is not for them.",
        mend: "Declare `capabilityApi` 1.811 or newer.",
        source: "docs/spec/checks.md#t08",
        example: example(
            &[value("/packages/2/manifest/capabilityApi", r#"{ "major": 1, "minor": 66 }"#)],
            &[value("/packages/2/manifest/capabilityApi", r#"{ "major": 1, "minor": 811 }"#)],
        ),
    },
    Explanation {
        code: "T10",
        severity: Level::Error,
        meaning: "An entry lists a language pack for English, or a package has more than 40 packs.",
        why: "English is the ruleset itself: a pack in it would translate nothing.",
        mend: "Take the English pack out; keep at most 40.",
        source: "docs/spec/checks.md#t10",
        example: example(
            &[value(
                "/packages/2/locales",
                r#"{
  "en": {
    "url": "https://raw.githubusercontent.com/Pasta-Devs/Marinara-Agents/main/artifacts/saltmarsh-post-0.4.0.en.json",
    "sha256": "a5bd9d0a6e1b00fe0a8b326783457b1e1afccac465ffa6b40c52e9b2c11a824e",
    "bytes": 1682,
    "name": "塩沼の郵便屋",
    "description": "平底舟で沼を渡り手紙を届ける。ダイス一つ、能力値三つ、そして敵は潮。"
  }
}"#,
            )],
            &[value("/packages/2/locales", PACKS)],
        ),
    },
    Explanation {
        code: "K1",
        severity: Level::Error,
        meaning: "`ruleset.json` is not among the assets of a ruleset package.",
        why: "It is the ruleset; without it there is nothing to install.",
        mend: "List it in `contributions.assets.paths` and in `files`.",
        source: "docs/spec/catalog.md#k1",
        example: example(
            &[value("/packages/2/manifest/contributions/assets/paths", "[]")],
            &[value("/packages/2/manifest/contributions/assets/paths", r#"["ruleset.json"]"#)],
        ),
    },
    Explanation {
        code: "K2",
        severity: Level::Error,
        meaning: "A ruleset package declares a Capability API below 1.20, or, in a manifest of schemaVersion 1, \
                  none.",
        why: "Engines that old know no rulesets and must be able to tell that this is not for them.",
        mend: "Declare schemaVersion 2 and `capabilityApi` 1.20 or newer.",
        source: "docs/spec/catalog.md#k2",
        example: example(
            &[value("/packages/2/manifest/capabilityApi", r#"{ "major": 1, "minor": 19 }"#)],
            &[value("/packages/2/manifest/capabilityApi", r#"{ "major": 1, "minor": 811 }"#)],
        ),
    },
    Explanation {
        code: "K3",
        severity: Level::Error,
        meaning: "A ruleset package has catalog files and declares a Capability API below 1.21.",
        why: "Older engines do not read catalog files.",
        mend: "Declare `capabilityApi` 1.21 or newer.",
        source: "docs/spec/catalog.md#k3",
        example: example(
            &[value("/packages/0/manifest/capabilityApi", r#"{ "major": 1, "minor": 20 }"#)],
            &[value("/packages/0/manifest/capabilityApi", r#"{ "major": 1, "minor": 813 }"#)],
        ),
    },
    Explanation {
        code: "K5",
        severity: Level::Error,
        meaning: "A file below `catalogs/` is not named for a catalog: `catalogs/<id>.json`, the id beginning with a \
                  lowercase letter, of lowercase letters, digits and `_`, at most 40.",
        why: "The engine finds a catalog's file by its id.",
        mend: "Rename the file, and the catalog with it.",
        source: "docs/spec/catalog.md#k5",
        example: example(
            &[value(
                "/packages/0/manifest/contributions/assets/paths",
                r#"["ruleset.json", "catalogs/Road-Trouble.json"]"#,
            )],
            &[value(
                "/packages/0/manifest/contributions/assets/paths",
                r#"[
  "ruleset.json",
  "catalogs/knacks.json",
  "catalogs/road_trouble.json",
  "catalogs/wares.json"
]"#,
            )],
        ),
    },
    Explanation {
        code: "K7",
        severity: Level::Error,
        meaning: "A ruleset package is also of another kind, has entrypoints, asks for permissions or needs a \
                  restart.",
        why: "A ruleset is data and nothing that runs; that is why it can be installed without a question.",
        mend: "Take out whatever is not data.",
        source: "docs/spec/catalog.md#k7",
        example: example(
            &[value("/packages/2/manifest/permissions", r#"["network"]"#)],
            &[value("/packages/2/manifest/permissions", "[]")],
        ),
    },
    Explanation {
        code: "K8",
        severity: Level::Error,
        meaning: "An asset is not among the declared files, in the same spelling.",
        why: "Without size and SHA-256 it can neither be checked nor installed.",
        mend: "List every asset in `files`.",
        source: "docs/spec/catalog.md#k8",
        example: example(
            &[value("/packages/2/manifest/contributions/assets/paths", r#"["ruleset.json", "catalogs/towns.json"]"#)],
            &[value("/packages/2/manifest/contributions/assets/paths", r#"["ruleset.json"]"#)],
        ),
    },
    Explanation {
        code: "K9",
        severity: Level::Error,
        meaning: "`ruleset.json` has more than 262,144 bytes (a warning above API 1.66) or a catalog file more than \
                  1,048,576.",
        why: "The engine installs it and then does not read it.",
        mend: "Move lists out of the ruleset into catalog files, and split large catalogs.",
        source: "docs/spec/catalog.md#k9; docs/spec/decisions.md#q28",
        example: example(
            &[value("/packages/0/manifest/files/1/bytes", "1200000")],
            &[value("/packages/0/manifest/files/1/bytes", "5413")],
        ),
    },
    Explanation {
        code: "K11",
        severity: Level::Error,
        meaning: "A ruleset of a catalog carries `locales/…` among its files.",
        why: "Every player would download every language. The engine refuses the package before the download.",
        mend: "Publish translations as language packs, in `locales` of the entry.",
        source: "docs/spec/catalog.md#k11; docs/spec/decisions.md#q22",
        example: example(
            &[value(
                "/packages/2/manifest/files/-",
                r#"{
  "path": "locales/ja.json",
  "sha256": "a5bd9d0a6e1b00fe0a8b326783457b1e1afccac465ffa6b40c52e9b2c11a824e",
  "bytes": 1682
}"#,
            )],
            &[value("/packages/2/locales/ja", JAPANESE)],
        ),
    },
    Explanation {
        code: "duplicate-key",
        severity: Level::Warning,
        meaning: "An object has the same key twice.",
        why: "The last one counts, and the first is dropped without a word, whatever it said.",
        mend: "Keep the one that is meant.",
        source: "docs/spec/catalog.md#reading-rules",
        example: Some(Example {
            base: Base::Pool,
            wrong: &[Edit {
                file: "catalogs/charms.json",
                at: "",
                to: r#"{
  "schemaVersion": 1,
  "catalog": "wards",
  "catalog": "charms",
  "entries": []
}"#,
            }],
            right: &[Edit {
                file: "catalogs/charms.json",
                at: "",
                to: r#"{
  "schemaVersion": 1,
  "catalog": "charms",
  "entries": []
}"#,
            }],
        }),
    },
];
