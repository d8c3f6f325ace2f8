//! Where the texts of a PO file or a table stand, so that what is wrong with the language pack made of it is told
//! there.

use crate::json::{Place, place_at, place_of};
use crate::types::{Pointer, Problem};
use std::collections::HashMap;

/// Where the texts of a file stand, by their pointers in the language pack that is made of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Spots(HashMap<String, Spot>);

/// Bytes from the file's beginning.
#[derive(Clone, Copy, Debug)]
struct Spot {
    /// The English text; of one that stands there twice, the last.
    key: usize,
    /// The translation; of two, the first.
    value: usize,
}

impl Spots {
    pub fn string(&mut self, english: &str, key: usize, value: usize) {
        self.put(Pointer::root().at("ruleset").at(english), key, value);
    }

    /// `key` is `name` or `description`.
    pub fn card(&mut self, key: &str, at: usize, value: usize) {
        self.put(Pointer::root().at("package").at(key), at, value);
    }

    pub fn locale(&mut self, at: usize) {
        self.put(Pointer::root().at("_meta").at("locale"), at, at);
    }

    fn put(&mut self, pointer: Pointer, key: usize, value: usize) {
        self.0.entry(pointer.to_string()).and_modify(|spot| spot.key = key).or_insert(Spot { key, value });
    }

    /// Gives findings their place in the file. What is about no text of it stands at its beginning; what sums
    /// others up, nowhere.
    pub fn locate(&self, file: &str, problems: &mut [Problem]) {
        let placed = problems.iter_mut().filter(|problem| problem.pointer.is_some());
        place_at(file.as_bytes(), placed.map(|problem| (self.offset(problem), problem)));
    }

    fn offset(&self, problem: &Problem) -> usize {
        let spot = problem.pointer.as_ref().and_then(|pointer| self.0.get(pointer));
        spot.map_or(0, |spot| if problem.at_key { spot.key } else { spot.value })
    }

    /// Where the file says its language.
    pub fn place_of_locale(&self, file: &str) -> Option<Place> {
        self.0.get("/_meta/locale").map(|spot| place_of(file.as_bytes(), spot.value))
    }
}

/// What is wrong with a file, and at which of its bytes.
#[derive(Debug)]
pub(super) struct Malformed {
    pub at: usize,
    pub why: String,
}

impl Malformed {
    pub fn new(at: usize, why: impl Into<String>) -> Self {
        Malformed { at, why: why.into() }
    }

    /// The same in words, with the line and the column.
    pub fn in_words(&self, file: &str) -> String {
        format!("{}: {}", in_words(place_of(file.as_bytes(), self.at)), self.why)
    }
}

/// `line 2, column 5`
pub(super) fn in_words(place: Place) -> String {
    format!("line {}, column {}", place.line, place.column)
}
