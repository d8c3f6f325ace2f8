//! What is measured on: catalogs, stores and artifacts of known sizes, made anew for every run.

use super::kit::publish::{Catalog, Container, Ruleset};
use super::kit::sandbox::Sandbox;
use super::kit::server::Server;
use serde_json::{Value, json};
use std::path::Path;

/// The reader's language throughout: one that has packs.
const LANGUAGE: &str = "ru";
/// The packs every entry lists, as a store with several translations has them.
const LANGUAGES: [&str; 3] = [LANGUAGE, "pt-BR", "zh-Hans"];
/// About three kilobytes each, indented as publishers write them: 2 MB and 30 MB.
pub const SMALL_CATALOG: usize = 640;
pub const LARGE_CATALOG: usize = 9_600;

/// A sandbox whose reader reads [`LANGUAGE`].
pub fn sandbox() -> Sandbox {
    Sandbox::new().env("LANG", "ru_RU.UTF-8")
}

/// A ruleset as catalogs list them: two catalog files, a few translations, cards of a sentence or two.
pub fn ruleset(number: usize) -> Ruleset {
    const ADJECTIVES: [&str; 8] = ["Ember", "Hollow", "Salt", "Iron", "Quiet", "Distant", "Gilded", "Sunken"];
    const NOUNS: [&str; 7] = ["Roads", "Crowns", "Harbours", "Courts", "Watch", "Gardens", "Engines"];
    let name = format!("{} {} {number}", ADJECTIVES[number % 8], NOUNS[number % 7]);
    let described = format!(
        "{name}: travellers between small fires, two dice and a stat, a market for the road, one rest a day, and \
         fights that end before anybody has had to look up a rule."
    );
    let ruleset = Ruleset::new(&format!("bench-{number:05}"), "1.2.0")
        .named(&name)
        .described(&described)
        .documentation("https://example.org/rulesets/of/the/bench")
        .asset("catalogs/gear.json", "{\"entries\":[]}")
        .asset("catalogs/road_trouble.json", "{\"entries\":[]}");
    LANGUAGES.iter().fold(ruleset, |ruleset, language| {
        ruleset.pack_named(language, "Угольные дороги и 炭火之路", &[("Grit", "Стойкость"), ("Sneak", "Скрытность")])
    })
}

/// A catalog of these rulesets, and entries like them up to a number.
pub fn catalog(server: &Server, rulesets: impl IntoIterator<Item = Ruleset>, entries: usize) -> Catalog {
    let mut catalog = rulesets.into_iter().fold(Catalog::on(server), Catalog::with);
    let base = server.url("/artifacts");
    let mut listed = serde_json::from_slice::<Value>(&catalog.text()).unwrap()["packages"].as_array().unwrap().len();
    while listed < entries {
        let entry = ruleset(listed).publish(&base).entry;
        catalog = catalog.with_entry(serde_json::to_value(entry).unwrap());
        listed += 1;
    }
    catalog
}

/// A ruleset of so many catalog files of so many bytes each.
pub fn of_files(number: usize, files: usize, bytes: usize) -> Ruleset {
    (0..files).fold(ruleset(number), |ruleset, file| {
        ruleset.asset(&format!("catalogs/file_{file}.json"), catalog_file(number * files + file, bytes))
    })
}

/// A catalog file of about so many bytes, unlike any other.
fn catalog_file(seed: usize, bytes: usize) -> Vec<u8> {
    let entry = |n: usize| {
        let summary = format!("Entry {n} of file {seed}: a thing that costs something and is of some use on the road.");
        json!({ "id": format!("entry_{n}"), "label": format!("Thing {n}"), "summary": summary })
    };
    let one = entry(0).to_string().len() + 1;
    let entries: Vec<Value> = (0..bytes / one).map(entry).collect();
    json!({ "schemaVersion": 1, "catalog": format!("file_{seed}"), "entries": entries }).to_string().into_bytes()
}

/// A zip of 1.3 MB and a pack of 0.8 MB.
pub fn ordinary() -> Ruleset {
    let strings: Vec<(String, String)> = (0..6_000)
        .map(|n| (format!("A line of text, number {n}, as a sheet shows it"), format!("Строка {n} на листе персонажа")))
        .collect();
    let strings: Vec<(&str, &str)> = strings.iter().map(|(english, said)| (english.as_str(), said.as_str())).collect();
    of_files(0, 12, 108_000).pack(LANGUAGE, &strings)
}

/// An artifact of nearly 100 MB, nearly all of it one file.
pub fn huge(container: Container) -> Ruleset {
    let line = "A line of a very long text, with \"quotes\" and an end.\n";
    // Escapes make the bundle longer than what it holds.
    let bytes = match container {
        Container::Bundle => 92 << 20,
        _ => 98 << 20,
    };
    let text = line.repeat(bytes / line.len());
    Ruleset::new("bench-huge", "1.0.0").container(container).asset("art/text.json", text)
}

/// Rulesets of a large catalog, and the packs of each.
pub const VERIFIED: usize = 300;
pub const VERIFIED_PACKS: usize = 40;
/// Entries of one catalog file of each, whose labels and summaries the packs translate.
const TRANSLATED_ENTRIES: usize = 80;
const TAGS: [&str; VERIFIED_PACKS] = [
    "ar", "bg", "bn", "ca", "cs", "da", "de", "el", "es", "es-MX", "et", "fa", "fi", "fr", "fr-CA", "he", "hi", "hr",
    "hu", "id", "it", "ja", "ko", "lt", "lv", "ms", "nb", "nl", "pl", "pt", "pt-BR", "ro", "ru", "sk", "sl", "sv",
    "th", "tr", "uk", "zh-Hans",
];

/// A ruleset with [`VERIFIED_PACKS`] packs, made of the example catalog's largest one, so that nothing is wrong with
/// it.
pub fn verified(number: usize) -> Ruleset {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog-example/packages/ember-roads");
    let read = |name: &str| std::fs::read(package.join(name)).unwrap();
    let mut knacks: Value = serde_json::from_slice(&read("catalogs/knacks.json")).unwrap();
    let entries = knacks["entries"].as_array_mut().unwrap();
    let mut strings = Vec::new();
    for n in 0..TRANSLATED_ENTRIES {
        let label = format!("Knack {n} of road {number}");
        let summary = format!("What travellers of road {number} tell each other of knack {n}, when the fire is low.");
        let mut entry = entries[0].clone();
        entry["id"] = json!(format!("knack-{n}"));
        (entry["label"], entry["summary"]) = (json!(label), json!(summary));
        let notes = format!("Sneak past what waits on road {number}, as knack {n} has it, before it hears you coming.");
        entry["rows"][0]["values"] = json!({ "name": label, "notes": notes });
        entries.push(entry);
        strings.push((label, format!("Умение {n} дороги {number}")));
        strings
            .push((summary, format!("Что путники дороги {number} рассказывают об умении {n}, когда огонь догорает.")));
    }
    let strings: Vec<(&str, &str)> = strings.iter().map(|(english, said)| (english.as_str(), said.as_str())).collect();
    let ruleset = Ruleset::new(&format!("bench-{number:05}"), "1.2.0")
        .named(&format!("Road {number:05}"))
        .api(1, 813)
        .documentation("https://example.org/rulesets/of/the/bench")
        .ruleset_json(read("ruleset.json"))
        .asset("catalogs/knacks.json", knacks.to_string())
        .asset("catalogs/road_trouble.json", read("catalogs/road_trouble.json"))
        .asset("catalogs/wares.json", read("catalogs/wares.json"));
    TAGS.iter().fold(ruleset, |ruleset, language| ruleset.pack(language, &strings))
}

/// A catalog on disk, with the rulesets of [`verified`]: `catalog.json`, and the names and the bytes of all of its
/// files.
pub fn verified_catalog(folder: &Path) -> (Vec<String>, u64) {
    let artifacts = folder.join("artifacts");
    std::fs::create_dir_all(&artifacts).unwrap();
    let (mut names, mut bytes, mut entries) = (Vec::new(), 0, Vec::new());
    for number in 0..VERIFIED {
        let published = verified(number).publish("https://example.org/artifacts");
        entries.push(serde_json::to_value(published.entry).unwrap());
        for (name, file) in published.files {
            std::fs::write(artifacts.join(&name), &file).unwrap();
            bytes += file.len() as u64;
            names.push(name);
        }
    }
    let catalog = json!({ "schemaVersion": 1, "generatedAt": "2026-11-30T00:00:00.000Z", "packages": entries });
    std::fs::write(folder.join("catalog.json"), serde_json::to_vec_pretty(&catalog).unwrap()).unwrap();
    (names, bytes)
}

/// A stored sheet of the engine's own example, of the layout before; a line.
pub fn sheet(number: usize) -> String {
    let class = ["Fighter3", "Wizard", "Fighter 3 / Wizard 2", "Bard"][number % 4];
    let notes = "Walked the salt road twice and came back with both boots. ".repeat(8);
    let attacks = serde_json::json!([{"name": "Dagger", "ability": "str"}, {"name": "Club", "ability": "str"}]);
    let fields = serde_json::json!({"xp": number, "class": class, "level": number % 20, "calling": "Scout"});
    let sheet = serde_json::json!({
        "v": 3, "name": format!("Mira {number}"), "notes": notes,
        "build": {"abilities": {"str": 1, "dex": 2}, "fields": fields, "lists": {"attacks": attacks}},
        "live": {"pools": {"hit_dice": {"value": number % 5}}},
    });
    format!("{sheet}\n")
}

/// A text to translate; a line.
pub fn text(number: usize) -> String {
    match number % 4 {
        0 => "Prone\n".to_owned(),
        1 => format!("Goblin {number}\n"),
        2 => "Fire Bolt\n".to_owned(),
        _ => format!("Nobody translated this, number {number}\n"),
    }
}
