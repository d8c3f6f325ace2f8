//! What lies beside a catalog that is served: its other lanes, its preview, and the notes of all of them.

use super::listed::Listed;
use super::tree::{Document, Notes, Place, Tier, Tree};
use crate::catalog::{EngineRange, Envelope, FIRST_LANE};
use crate::fetch::{FetchError, Fetcher, InvalidCatalog, WebAddress, text_of};
use crate::types::Reporter;

/// Past the lanes that the ranges of a catalog reach, as many more are asked for: a lane read alone lists none of
/// those.
const ONE_MORE: u32 = 1;

/// Asks for everything that lies beside the one document of a tree. What is not there is not there; how many of the
/// others could not be had is given back.
pub(super) fn ask(tree: &mut Tree, address: &WebAddress, fetcher: &Fetcher, reporter: &dyn Reporter) -> usize {
    let own = Place::of_address(address.url());
    let [document] = tree.documents.as_slice() else { return 0 };
    if !own.is_catalog() {
        return 0;
    }
    let last = lanes_reached(&document.text).max(own.lane.unwrap_or(FIRST_LANE)) + ONE_MORE;
    let lanes = || std::iter::once(None).chain((FIRST_LANE..=last).map(Some));
    let places = [Tier::Published, Tier::Preview].into_iter().flat_map(|tier| lanes().map(move |lane| (tier, lane)));
    let catalogs: Vec<Place> =
        places.map(|(tier, lane)| Place::of_catalog(tier, lane)).filter(|it| *it != own).collect();
    let (found, mut unhad) = texts(&catalogs, address, &own, fetcher, reporter);
    tree.documents.extend(found.into_iter().map(|(place, text)| place.document(text)));
    tree.documents.sort_by_key(|document| (document.tier, document.lane));
    let notes: Vec<Place> =
        tree.documents.iter().map(|Document { tier, lane, .. }| Place::of_notes(*tier, *lane)).collect();
    let (found, others) = texts(&notes, address, &own, fetcher, reporter);
    tree.notes.extend(found.into_iter().map(|(place, text)| Notes { name: place.name(), text }));
    unhad += others;
    unhad
}

/// The last lane that an entry of a catalog stands in.
fn lanes_reached(catalog: &str) -> u32 {
    let elements = Envelope::read(catalog).ok().and_then(|envelope| envelope.elements).unwrap_or_default();
    let ranges = elements.into_iter().filter_map(|element| Listed::new(0, 0, element).range);
    ranges.filter_map(|range: EngineRange| range.lanes().last()).max().unwrap_or(FIRST_LANE)
}

/// The texts of those that are there, and how many of the others could not be had.
fn texts(
    places: &[Place],
    address: &WebAddress,
    own: &Place,
    fetcher: &Fetcher,
    reporter: &dyn Reporter,
) -> (Vec<(Place, String)>, usize) {
    let root = "../".repeat(own.depth() - 1);
    let of = |place: &Place| {
        let url = address.url().join(&format!("{root}{}", place.name())).ok()?;
        Some((place.clone(), WebAddress::try_from(url).ok()?))
    };
    let (places, addresses): (Vec<Place>, Vec<WebAddress>) = places.iter().filter_map(of).unzip();
    let bodies = fetcher.glance(&addresses, reporter);
    let (mut found, mut unhad) = (Vec::new(), 0);
    for ((place, address), body) in places.into_iter().zip(&addresses).zip(bodies) {
        match body.and_then(|body| text_of(body, address)) {
            Ok(text) => found.push((place, text)),
            Err(error) if is_nothing(&error) => {}
            Err(_) => unhad += 1,
        }
    }
    (found, unhad)
}

/// Whether a server has no such file. Some answer with a page of theirs then.
fn is_nothing(error: &FetchError) -> bool {
    match error {
        FetchError::Catalog { invalid, .. } => matches!(invalid, InvalidCatalog::WebPage | InvalidCatalog::Empty),
        error => error.is_not_there(),
    }
}
