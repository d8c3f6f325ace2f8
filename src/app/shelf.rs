use crate::catalog::{self, Entry, Reading};
use crate::fetch::{CatalogCopy, Source};
use crate::types::{Code, Failure, Problem, Warning};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// The catalog as the use cases ask it: by id, parsing only what is asked for, or all of it.
pub struct Shelf {
    copy: CatalogCopy,
    /// Where it was published, for the rules that hold under the official address.
    published_at: Option<url::Url>,
    found: RefCell<HashMap<String, Found>>,
}

/// What the catalog has under an id.
#[derive(Clone, Debug)]
pub enum Found {
    Ruleset(Rc<Entry>),
    /// A package of another kind.
    OtherKind(Vec<String>),
    /// An entry that cannot be used, with every reason.
    Unusable(Vec<Problem>),
    Missing,
}

impl Shelf {
    pub fn new(copy: CatalogCopy, source: &Source) -> Self {
        Shelf { copy, published_at: source.url().cloned(), found: RefCell::default() }
    }

    /// The entry of this id. Of several the first counts, on every run the same (B11).
    pub fn find(&self, id: &str) -> Result<Found, Failure> {
        if let Some(found) = self.found.borrow().get(id) {
            return Ok(found.clone());
        }
        let found = match self.copy.rows().iter().find(|row| row.id() == id) {
            None => Found::Missing,
            Some(row) => match self.read(&self.copy.raw_of(row)?) {
                Reading::Ruleset(entry) => Found::Ruleset(Rc::from(entry)),
                Reading::OtherKind { kinds, .. } => Found::OtherKind(kinds),
                Reading::Unusable { reasons, .. } => Found::Unusable(reasons),
            },
        };
        self.found.borrow_mut().insert(id.to_owned(), found.clone());
        Ok(found)
    }

    /// The ruleset of this id, if the catalog has a usable one.
    pub fn ruleset(&self, id: &str) -> Result<Option<Rc<Entry>>, Failure> {
        Ok(match self.find(id)? {
            Found::Ruleset(entry) => Some(entry),
            _ => None,
        })
    }

    /// The ruleset of this id, or the failure of its not being there, usable, or a ruleset.
    pub fn offered(&self, id: &str) -> Result<Rc<Entry>, Failure> {
        match self.find(id)? {
            Found::Ruleset(entry) => Ok(entry),
            Found::OtherKind(kinds) => {
                let text = format!("{id} is no ruleset but a package of kind {}", kinds.join(", "));
                let hint = "rulepack installs rulesets only; other packages carry code and are the engine's to install";
                Err(Failure::new(Code::NotARuleset, text).hint(hint).package(id))
            }
            Found::Unusable(reasons) => {
                let reasons: Vec<String> = reasons.iter().map(Problem::reason).collect();
                let text = format!("the catalog's entry of {id} cannot be used: {}", reasons.join("; "));
                let hint = "only the catalog's maintainers can mend it; the other entries are not affected";
                Err(Failure::new(Code::InvalidEntry, text).hint(hint).package(id))
            }
            Found::Missing => {
                let failure = Failure::new(Code::NotInCatalog, format!("the catalog has no {id}")).package(id);
                Err(match super::nearest(id, self.ids()) {
                    Some(names) => failure.hint(format!("in the catalog and spelled much like it: {names}")),
                    None => failure.hint("`rulepack search` shows what there is"),
                })
            }
        }
    }

    /// The warning of an id that stands in the catalog more than once.
    pub fn doubled(&self, id: &str) -> Option<Warning> {
        let count = self.copy.rows().iter().filter(|row| row.id() == id).count();
        let text = || format!("the catalog lists {id} {count} times; the first entry counts");
        (count > 1).then(|| Warning::new("duplicate-id", text()).about(id))
    }

    /// Every id the catalog names.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.copy.rows().iter().map(|row| row.id()).filter(|id| !id.is_empty())
    }

    /// Reads every element, in the catalog's order, one at a time.
    pub fn each(&self, mut visit: impl FnMut(Reading)) -> Result<(), Failure> {
        self.copy.each(|raw| visit(self.read(raw)))?;
        Ok(())
    }

    fn read(&self, raw: &str) -> Reading {
        catalog::read_entry(raw, self.published_at.as_ref())
    }
}
