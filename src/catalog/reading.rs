use super::draft::Draft;
use super::entry::{Entry, Reading};
use super::findings::Findings;
use super::offers::{read_artifact, read_packs};
use super::rules::judge_ruleset;
use crate::json::{Object, parsed, text, texts};
use crate::types::{HttpsUrl, Pointer};

const KEYS: &[&str] = &["manifest", "category", "artifact", "iconUrl", "documentationUrl", "locales"];
/// The kinds of package there are (catalog format, section 3.1).
const KINDS: [&str; 5] = ["agent", "maps", "conversation-calls", "turn-game", "ruleset"];

/// Reads one element of `packages[]` by the rules of the catalog format, sections 2 to 5, that need no download.
/// Pointers in what it finds begin at the entry.
///
/// Unusable is an entry that misses what an installer needs or breaks what the contract lists in section 3. What the
/// engine is stricter about (unknown keys, icons, categories) becomes a note of the entry, most of severity error, so
/// that `catalog verify` fails on it and an install does not.
pub fn read_entry(text: &str) -> Reading {
    let mut found = Findings::default();
    let entry = match Object::parse(text, Pointer::root()) {
        Ok(entry) => entry,
        Err(why) => {
            found.refuse("entry-shape", &Pointer::root(), format!("the entry {why}"));
            return Reading::Unusable { id: None, reasons: found.reasons, notes: found.notes };
        }
    };
    let manifest = entry.required_object("manifest", "manifest-shape", &mut found.reasons);
    let id = manifest.as_ref().and_then(readable_id);
    if let (Some(id), Some(kinds)) = (&id, manifest.as_ref().and_then(other_kinds)) {
        return Reading::OtherKind { id: id.clone(), kinds };
    }
    let read = read_ruleset(&entry, manifest.as_ref(), &mut found);
    found.complete(id.as_deref());
    match read {
        Some(read) if found.reasons.is_empty() => Reading::Ruleset(Box::new(Entry { notes: found.notes, ..read })),
        _ => Reading::Unusable { id, reasons: found.reasons, notes: found.notes },
    }
}

fn readable_id(manifest: &Object<'_>) -> Option<String> {
    text(1, usize::MAX)(manifest.get("id")?).ok().map(Into::into)
}

/// The kinds of a package that is none of ours: not a ruleset, or also something nobody knows yet.
fn other_kinds(manifest: &Object<'_>) -> Option<Vec<String>> {
    let kinds = texts(manifest.get("kind")?).ok().filter(|kinds| !kinds.is_empty())?;
    let ours = kinds.iter().any(|kind| kind == "ruleset") && kinds.iter().all(|kind| KINDS.contains(&kind.as_str()));
    (!ours).then_some(kinds)
}

fn read_ruleset(entry: &Object<'_>, manifest: Option<&Object<'_>>, found: &mut Findings) -> Option<Entry> {
    entry.report_strangers(KEYS, &mut found.notes);
    note_addresses(entry, found);
    let draft = match manifest.zip(entry.get("manifest")) {
        Some((manifest, raw)) => Some(Draft::read(manifest, raw, found)?),
        None => None,
    };
    if let Some((draft, manifest)) = draft.as_ref().zip(manifest) {
        judge_ruleset(draft, manifest.at(), found);
    }
    let draft = draft.unwrap_or_default();
    let (url, artifact) = read_artifact(entry, found);
    let packs = read_packs(entry, &draft, url.as_ref(), found);
    let manifest = draft.finish(entry.get("manifest")?)?;
    Some(Entry { manifest, artifact: artifact?, packs, notes: Vec::new() })
}

/// What only a store page shows: wrong, it hides the entry from engines and costs an installer nothing.
fn note_addresses(entry: &Object<'_>, found: &mut Findings) {
    entry.optional("iconUrl", "entry-icon", parsed::<HttpsUrl>, &mut found.notes);
    entry.optional("documentationUrl", "entry-documentation", parsed::<HttpsUrl>, &mut found.notes);
    let category = entry.optional("category", "entry-category", text(0, usize::MAX), &mut found.notes);
    if let Some(category) = category.filter(|name| !matches!(name.as_ref(), "writer" | "tracker" | "misc")) {
        let message = format!("`{}` is none of writer, tracker, misc", crate::json::excerpt(&category));
        found.note("entry-category", &entry.at().at("category"), message);
    }
}
