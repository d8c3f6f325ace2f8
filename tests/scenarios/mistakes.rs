//! What a first-time author gets wrong: each is told once, under one code, at the file and the character to change.

use super::kit::sandbox::Sandbox;
use std::fs;
use std::path::Path;

/// One change to a package that is sound.
enum Slip {
    /// In a file, the first of a text is another.
    Instead(&'static str, &'static str, &'static str),
    /// A file holds these bytes.
    Holds(&'static str, &'static [u8]),
    /// These bytes stand before all else in a file.
    Before(&'static str, &'static [u8]),
    Renamed(&'static str, &'static str),
    Gone(&'static str),
}
use Slip::{Before, Gone, Holds, Instead, Renamed};

const RULESET: &str = "ruleset.json";
const MANIFEST: &str = "manifest.json";

/// What was done, and all that is told of it: severity, code, file with line and column, and a part of the words.
const MISTAKES: &[(&str, Slip, &str, &str)] = &[
    (
        "a brace lost",
        Instead(
            RULESET,
            "      \"sides\": 6\n    },\n    \"abilityModifier\"",
            "      \"sides\": 6\n    ,\n    \"abilityModifier\"",
        ),
        "Error ruleset-json ruleset.json:22:13",
        "this object is not closed (is a `}` missing?)",
    ),
    (
        "a bracket lost",
        Instead(RULESET, "          \"motor\"\n        ],\n", "          \"motor\",\n"),
        "Error ruleset-json ruleset.json:160:19",
        "this array is not closed before the next key on line 164 (is a `]` missing?)",
    ),
    (
        "a comma after the last",
        Instead(RULESET, "      \"sides\": 6\n", "      \"sides\": 6,\n"),
        "Error ruleset-json ruleset.json:24:17",
        "trailing comma",
    ),
    (
        "a comma forgotten",
        Instead(RULESET, "\"id\": \"ember-roads\",", "\"id\": \"ember-roads\""),
        "Error ruleset-json ruleset.json:4:3",
        "is a comma missing before it?",
    ),
    (
        "quotes of another language",
        Instead(RULESET, "\"Ember Roads\"", "“Ember Roads”"),
        "Error ruleset-json ruleset.json:5:11",
        "use `\"` for quotes",
    ),
    (
        "a comment",
        Instead(RULESET, "  \"license\"", "  // mine\n  \"license\""),
        "Error ruleset-json ruleset.json:7:3",
        "JSON does not allow comments",
    ),
    (
        "saved with a byte order mark",
        Before("locales/ru.json", b"\xef\xbb\xbf"),
        "Error T02 locales/ru.json:1:1",
        "without a byte order mark",
    ),
    (
        "not saved as UTF-8",
        Before("catalogs/wares.json", b"\xff"),
        "Error catalog-json catalogs/wares.json:1:1",
        "save the file as UTF-8",
    ),
    ("no manifest yet", Gone(MANIFEST), "Warning no-manifest manifest.json", "add a manifest.json beside the ruleset"),
    (
        "the manifest in capitals",
        Renamed(MANIFEST, "Manifest.json"),
        "Error misnamed-file Manifest.json",
        "rename it `manifest.json`",
    ),
    ("a folder in capitals", Renamed("locales", "Locales"), "Error misnamed-file Locales", "rename it `locales`"),
    (
        "a folder in capitals that the ruleset leans on",
        Renamed("catalogs", "Catalogs"),
        "Error misnamed-file Catalogs",
        "rename it `catalogs`",
    ),
    (
        "a catalog file in capitals",
        Renamed("catalogs/wares.json", "catalogs/Wares.json"),
        "Error misnamed-file catalogs/Wares.json",
        "rename it `catalogs/wares.json`",
    ),
    (
        "a catalog file misspelt where it is named",
        Instead(RULESET, "catalogs/wares.json", "catalogs/ware.json"),
        "Error catalog-name ruleset.json:635:16",
        "should be `catalogs/wares.json`",
    ),
    (
        "a broken listing",
        Holds("listing.json", b"{\n  \"category\": \"misc\",\n}\n"),
        "Error listing-shape listing.json:2:21",
        "trailing comma",
    ),
    (
        "a key misspelt that much leans on, translations too",
        Instead(RULESET, "\"abilities\": [\n      {", "\"abilites\": [\n      {"),
        "Error unknown-key ruleset.json:91:5",
        "did you mean `abilities`?",
    ),
    (
        "a key misspelt in the manifest",
        Instead(MANIFEST, "\"engine\"", "\"engin\""),
        "Error manifest-engine manifest.json:15:3",
        "`engin` should be `engine`, which is missing (write `engine`)",
    ),
    (
        "a number in quotes",
        Instead(RULESET, "\"maxItems\": 20", "\"maxItems\": \"20\""),
        "Error wrong-type ruleset.json:289:21",
        "write `20`",
    ),
    (
        "an id in capitals",
        Instead(RULESET, "\"id\": \"common\"", "\"id\": \"Common\""),
        "Error bad-id ruleset.json:663:15",
        "write `common`",
    ),
    (
        "one text where there is a list",
        Instead(RULESET, "[\n            \"damage\"\n          ]", "\"damage\""),
        "Error wrong-type ruleset.json:562:22",
        "write `[\"damage\"]`",
    ),
    (
        "an id misspelt where it is used",
        Instead(RULESET, "\"ability\": \"heart\"", "\"ability\": \"hart\""),
        "Error unknown-id ruleset.json:136:20",
        "did you mean `heart`?",
    ),
    (
        "an id given twice",
        Instead(RULESET, "\"id\": \"innkeeper\"", "\"id\": \"peddler\""),
        "Error duplicate-id ruleset.json:860:17",
        "change one of the two ids",
    ),
    (
        "a key written twice",
        Instead(RULESET, "  \"version\": 2,\n", "  \"version\": 2,\n  \"version\": 2,\n"),
        "Warning duplicate-key ruleset.json:5:3",
        "duplicate key `version`",
    ),
    (
        "a word misspelt",
        Instead(RULESET, "\"op\": \"identity\"", "\"op\": \"idntity\""),
        "Error not-a-choice ruleset.json:27:13",
        "did you mean `identity`?",
    ),
    (
        "an API that is too old for much of what is used",
        Instead(MANIFEST, "\"minor\": 813", "\"minor\": 20"),
        "Error K10 ruleset.json:1125:16",
        "declare capabilityApi 1.813",
    ),
    (
        "a ladder that falls",
        Instead(RULESET, "\"dc\": 6\n", "\"dc\": 66\n"),
        "Warning ladder-falls ruleset.json:63:15",
        "`dc` is 8, less than in the step before it (66)",
    ),
    (
        "the least above the most",
        Instead(RULESET, "            3,\n            8\n", "            8,\n            3\n"),
        "Error threat-range ruleset.json:986:13",
        "`health` goes from 8 down to 3",
    ),
];

/// An example package whose manifest leaves `files` to the build, as that of an author does.
fn package(sandbox: &Sandbox) {
    fn copy(from: &Path, to: &Path) {
        fs::create_dir_all(to).unwrap();
        for entry in fs::read_dir(from).unwrap() {
            let (from, to) = (entry.as_ref().unwrap().path(), to.join(entry.unwrap().file_name()));
            if from.is_dir() { copy(&from, &to) } else { fs::copy(from, to).map(drop).unwrap() }
        }
    }
    let root = sandbox.work().join("mine");
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog-example/packages/ember-roads"), &root);
    let manifest = fs::read_to_string(root.join(MANIFEST)).unwrap();
    let (before, files) = manifest.split_once(",\n  \"files\": [").unwrap();
    let (_, after) = files.split_once("\n  ]").unwrap();
    fs::write(root.join(MANIFEST), format!("{before}{after}")).unwrap();
}

fn make(slip: &Slip, root: &Path) {
    match slip {
        Instead(file, from, to) => {
            let text = fs::read_to_string(root.join(file)).unwrap();
            assert!(text.contains(from), "{from} is not in {file}");
            fs::write(root.join(file), text.replacen(from, to, 1)).unwrap();
        }
        Holds(file, bytes) => fs::write(root.join(file), bytes).unwrap(),
        Before(file, bytes) => {
            let whole = [*bytes, &fs::read(root.join(file)).unwrap()].concat();
            fs::write(root.join(file), whole).unwrap();
        }
        Renamed(from, to) => fs::rename(root.join(from), root.join(to)).unwrap(),
        Gone(file) => fs::remove_file(root.join(file)).unwrap(),
    }
}

#[test]
fn each_is_told_once_where_it_has_to_be_mended() {
    let mut all = Vec::new();
    for (what, slip, place, words) in MISTAKES {
        let sandbox = Sandbox::new();
        package(&sandbox);
        make(slip, &sandbox.work().join("mine"));
        let answer = sandbox.json(&["check", "mine"]);
        let root = format!("{}/mine/", sandbox.work().display());
        let told: Vec<String> = answer
            .check()
            .problems
            .iter()
            .map(|problem| {
                let places = [problem.line, problem.column].into_iter().flatten();
                let place = places.fold(problem.file.clone().unwrap(), |place, number| format!("{place}:{number}"));
                let words = format!("{} ({})", problem.message, problem.hint.as_deref().unwrap_or_default());
                format!("{:?} {} {}: {words}", problem.severity, problem.code, place.replace(&root, ""))
            })
            .collect();
        let is_right =
            matches!(told.as_slice(), [one] if one.starts_with(&format!("{place}: ")) && one.contains(words));
        if !is_right {
            all.push(format!("{what}\n  wanted {place}: …{words}…\n  told   {}", told.join("\n         ")));
        }
    }
    assert!(all.is_empty(), "\n{}", all.join("\n"));
}
