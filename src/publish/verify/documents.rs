//! What holds for the documents of a catalog as such: their sizes, and when they say they were made.

use super::finding;
use super::tree::{Document, Tier};
use crate::types::{ByteSize, Pointer, Problem, Problems, Severity, codes};

/// The most the engine reads of a catalog (docs/spec/catalog.md#catalog).
const MAX_READ: ByteSize = ByteSize::mib(2);
/// From when on the next few packages may be too many.
const NEARLY_TOO_LARGE: usize = 1_600_000;

/// Everything that is wrong with documents, each with what its `generatedAt` says.
pub(super) fn check(documents: &[Document], moments: &[Option<String>]) -> Problems {
    let mut found = Problems::default();
    documents.iter().for_each(|document| found.extend(size(document)));
    for tier in [Tier::Published, Tier::Preview] {
        let dated = documents.iter().zip(moments).filter(|(document, _)| document.tier == tier);
        found.extend(other_moments(dated.filter_map(|(document, moment)| Some((document, moment.as_deref()?)))));
    }
    found
}

fn size(document: &Document) -> Option<Problem> {
    let bytes = document.text.len();
    let (severity, why) = match bytes {
        _ if bytes as u64 > MAX_READ.0 => (Severity::Error, "more than"),
        NEARLY_TOO_LARGE.. => (Severity::Warning, "close to"),
        _ => return None,
    };
    let message = format!("the catalog has {bytes} bytes, {why} the {} that the engine reads", MAX_READ.0);
    let problem = Problem::new(codes::CATALOG_SIZE, &Pointer::root(), message).severity(severity);
    Some(finding(problem, &document.name, None))
}

/// All lanes of a tier are built at once, so they say the same moment.
fn other_moments<'d>(mut dated: impl Iterator<Item = (&'d Document, &'d str)>) -> Vec<Problem> {
    let Some((first, moment)) = dated.next() else { return Vec::new() };
    let others = dated.filter(|(_, other)| *other != moment);
    let told = others.map(|(document, _)| {
        let message = format!("`generatedAt` is not the one of `{}`", first.name);
        finding(Problem::new(codes::LANE_MOMENT, &Pointer::root().at("generatedAt"), message), &document.name, None)
    });
    told.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(name: &str, tier: Tier, bytes: usize) -> Document {
        Document { name: name.to_owned(), tier, lane: None, text: " ".repeat(bytes) }
    }

    #[test]
    fn what_the_engine_does_not_read_is_an_error_and_what_it_soon_will_not_a_warning() {
        let severity = |bytes| size(&document("catalog.json", Tier::Published, bytes)).map(|problem| problem.severity);
        assert_eq!(severity(1_599_999), None);
        assert_eq!(severity(1_600_000), Some(Severity::Warning));
        assert_eq!(severity(2 << 20), Some(Severity::Warning));
        assert_eq!(severity((2 << 20) + 1), Some(Severity::Error));
    }

    #[test]
    fn lanes_of_one_tier_say_the_same_moment() {
        let documents = [("catalog.json", Tier::Published), ("v2/catalog.json", Tier::Published)];
        let documents = documents.into_iter().chain([("preview/catalog.json", Tier::Preview)]);
        let documents: Vec<Document> = documents.map(|(name, tier)| document(name, tier, 0)).collect();
        let told = |moments: [Option<&str>; 3]| -> Vec<String> {
            let moments = moments.map(|moment| moment.map(str::to_owned));
            check(&documents, &moments).iter().map(|problem| problem.file.clone().unwrap()).collect()
        };
        assert_eq!(told([Some("a"), Some("a"), Some("b")]), [""; 0]);
        assert_eq!(told([Some("a"), Some("b"), None]), ["v2/catalog.json"]);
        assert_eq!(told([None, Some("b"), Some("a")]), [""; 0]);
    }
}
