use crate::catalog::read_store_page;
use crate::json::{Object, document, locate};
use crate::types::{Pointer, Problem, Problems, codes};

/// A `listing.json`: what an entry says beside its manifest, its files and its packs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    pub category: Option<String>,
    pub icon_url: Option<String>,
    pub documentation_url: Option<String>,
}

impl Listing {
    /// What the file says, and everything that is wrong with it, each finding with its place.
    pub(crate) fn read(bytes: &[u8]) -> (Self, Vec<Problem>) {
        let mut found = Problems::default();
        let text = match document(bytes, codes::LISTING_SHAPE) {
            Ok(_) => String::from_utf8_lossy(bytes),
            Err(problem) => return (Listing::default(), vec![*problem]),
        };
        let listing = match Object::parse(&text, Pointer::root()) {
            Ok(object) => {
                object.report_strangers(&["$schema", "category", "iconUrl", "documentationUrl"], &mut found);
                let page = read_store_page(&object, &mut found);
                Listing {
                    category: page.category,
                    icon_url: page.icon_url.map(|url| url.to_string()),
                    documentation_url: page.documentation_url,
                }
            }
            Err(why) => {
                found.push(Problem::new(codes::LISTING_SHAPE, &Pointer::root(), format!("the file {why}")));
                Listing::default()
            }
        };
        let mut problems = found.into_vec();
        locate(bytes, &mut problems);
        (listing, problems)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_right_is_read_and_what_is_wrong_has_its_place() {
        let right = br#"{"$schema": "...", "category": "misc", "iconUrl": "https://example.org/a.png"}"#;
        let (listing, problems) = Listing::read(right);
        assert_eq!((listing.category.as_deref(), problems), (Some("misc"), vec![]));
        assert_eq!(listing.icon_url.as_deref(), Some("https://example.org/a.png"));
        for (text, told) in [
            ("{\"category\": \"misc\"", "listing-shape 1:1"),
            ("[]", "listing-shape 1:1"),
            ("{\n\"category\": 3}", "entry-category 2:13"),
            ("{\"category\": \"rules\"}", "entry-category 1:14"),
            ("{\"iconUrl\": \"icon.png\"}", "entry-icon 1:13"),
            ("{\"docs\": \"https://example.org\"}", "unknown-key 1:2"),
        ] {
            let places = Listing::read(text.as_bytes()).1.into_iter();
            let places: Vec<_> =
                places.map(|p| format!("{} {}:{}", p.code, p.line.unwrap(), p.column.unwrap())).collect();
            assert_eq!(places, [told], "{text}");
        }
    }
}
