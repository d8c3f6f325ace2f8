use super::App;
use crate::catalog::{self, Entry, Reading};
use crate::fetch::{CatalogCopy, CatalogSource, FetchError};
use crate::types::{Code, Failure, PackageId, Problem, Warning, codes};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// The catalog as the use cases ask it: by id, parsing only what is asked for, or all of it.
#[derive(Clone, Copy)]
pub(super) struct Shelf<'a> {
    app: &'a App,
}

/// What was read of the catalog so far in this run.
#[derive(Default)]
pub(super) struct Read {
    found: RefCell<HashMap<String, CatalogAnswer>>,
}

/// What the catalog has under an id.
#[derive(Clone, Debug)]
pub(super) enum CatalogAnswer {
    Ruleset(Rc<Entry>),
    /// A package of another kind.
    OtherKind(Vec<String>),
    /// An entry that cannot be used, with every reason.
    Unusable(Vec<Problem>),
    Missing,
}

impl From<Reading> for CatalogAnswer {
    fn from(reading: Reading) -> Self {
        match reading {
            Reading::Ruleset(entry) => CatalogAnswer::Ruleset(Rc::from(entry)),
            Reading::OtherKind { kinds, .. } => CatalogAnswer::OtherKind(kinds),
            Reading::Unusable { reasons, .. } => CatalogAnswer::Unusable(reasons),
        }
    }
}

impl CatalogAnswer {
    /// This, unless what comes later in the catalog can be used and this cannot.
    fn or(self, later: CatalogAnswer) -> CatalogAnswer {
        match (&self, &later) {
            (CatalogAnswer::Missing, _)
            | (CatalogAnswer::Unusable(_), CatalogAnswer::Ruleset(_) | CatalogAnswer::OtherKind(_)) => later,
            _ => self,
        }
    }
}

impl<'a> Shelf<'a> {
    /// The catalog is known to be readable: [`App::shelf`] asked for it first.
    pub fn new(app: &'a App) -> Self {
        Shelf { app }
    }

    /// The entry of this id. Of several the first that can be used counts, on every run the same: one that cannot is
    /// left out, as the engine does, and hides no other (B01, B11).
    pub fn find(&self, id: &str) -> Result<CatalogAnswer, Failure> {
        if let Some(found) = self.app.read.found.borrow().get(id) {
            return Ok(found.clone());
        }
        let found = if id.parse::<PackageId>().is_ok() { self.look_up(id)? } else { self.look_through(id)? };
        self.app.read.found.borrow_mut().insert(id.to_owned(), found.clone());
        Ok(found)
    }

    /// Reads the entries of an id, and nothing else.
    fn look_up(&self, id: &str) -> Result<CatalogAnswer, Failure> {
        let raws: Vec<String> = self.read(|copy| copy.rows_of(id).map(|row| copy.raw_of(row)).collect())?;
        let source = &self.app.options.fetch.source;
        Ok(raws.iter().map(|raw| judge(raw, source).into()).fold(CatalogAnswer::Missing, CatalogAnswer::or))
    }

    /// Looks at every entry for one whose id is none, so that it too is refused by name with its reasons.
    fn look_through(&self, id: &str) -> Result<CatalogAnswer, Failure> {
        let readings = self.each(|reading| Some(reading).filter(|reading| reading.id() == Some(id)))?;
        Ok(readings.into_iter().flatten().map(CatalogAnswer::from).fold(CatalogAnswer::Missing, CatalogAnswer::or))
    }

    /// The digest of the bytes of this id's entries, which is nearly always one: the same digest, the same answer of
    /// [`Shelf::find`].
    pub fn digest(&self, id: &str) -> Result<Option<String>, Failure> {
        self.read(|copy| {
            let digests: Option<Vec<&str>> = copy.rows_of(id).map(|row| row.digest()).collect();
            Ok(digests.filter(|digests| !digests.is_empty()).map(|digests| digests.join("+")))
        })
    }

    /// The ruleset of this id, if the catalog has a usable one.
    pub fn ruleset(&self, id: &str) -> Result<Option<Rc<Entry>>, Failure> {
        Ok(match self.find(id)? {
            CatalogAnswer::Ruleset(entry) => Some(entry),
            _ => None,
        })
    }

    /// The ruleset of this id, or the failure of its not being there, usable, or a ruleset.
    pub fn offered(&self, id: &str) -> Result<Rc<Entry>, Failure> {
        match self.find(id)? {
            CatalogAnswer::Ruleset(entry) => Ok(entry),
            CatalogAnswer::OtherKind(kinds) => {
                let text = format!("{id} is a package of kind {}, not a ruleset", kinds.join(", "));
                let hint = "install it in the engine: it contains code, and rulepack installs rulesets only";
                Err(Failure::new(Code::NotARuleset, text).hint(hint).package(id))
            }
            CatalogAnswer::Unusable(reasons) => Err(unusable(id, &reasons)),
            CatalogAnswer::Missing => {
                let failure =
                    Failure::new(Code::NotInCatalog, format!("the catalog has no {}", super::quoted(id))).package(id);
                let ids = self.ids()?;
                // As other package managers write it.
                if let Some((name, _)) = id.split_once('@').filter(|(name, _)| ids.iter().any(|id| id == name)) {
                    let hint = format!("install {name}; a catalog has one version of each ruleset");
                    return Err(failure.hint(hint));
                }
                Err(match super::meant(id, ids.iter().map(String::as_str)) {
                    Some(question) => failure.hint(question),
                    None => failure.hint("show what is available with `rulepack search`"),
                })
            }
        }
    }

    /// The warning of an id that stands in the catalog more than once.
    pub fn doubled(&self, id: &str) -> Result<Option<Warning>, Failure> {
        let count = self.read(|copy| Ok(copy.rows_of(id).count()))?;
        let text = || format!("the catalog lists {id} {count} times; the first usable entry is used");
        Ok((count > 1).then(|| Warning::new(codes::DUPLICATE_ID, text()).about(id)))
    }

    fn ids(&self) -> Result<Vec<String>, Failure> {
        self.read(|copy| Ok(copy.ids().map(str::to_owned).collect()))
    }

    /// What `keep` makes of every element, in the catalog's order.
    pub fn each<T: Send>(&self, keep: impl Fn(Reading) -> T + Sync) -> Result<Vec<T>, Failure> {
        let source = &self.app.options.fetch.source;
        self.read(|copy| copy.each(|raw| keep(judge(raw, source))))
    }

    fn read<T>(&self, read: impl FnMut(&CatalogCopy) -> Result<T, FetchError>) -> Result<T, Failure> {
        Ok(self.app.fetcher.read_catalog(&*self.app.reporter, read)?)
    }
}

/// What an element of the catalog of this source is.
fn judge(raw: &str, source: &CatalogSource) -> Reading {
    let reading = catalog::read_entry(raw);
    match source {
        CatalogSource::Web(address) => reading.published_at(address.url()),
        CatalogSource::Local(_) => reading,
    }
}

/// What the catalog has under an id, for those to whom not being able to read it is one more answer: it may be beyond
/// reading altogether, or turn out so only at this entry. Nothing is found in a catalog that is not needed.
pub(super) fn ask(shelf: Option<&Result<Shelf, Failure>>, id: &str) -> Result<CatalogAnswer, Failure> {
    match shelf {
        None => Ok(CatalogAnswer::Missing),
        Some(Ok(shelf)) => shelf.find(id),
        Some(Err(failure)) => Err(failure.clone()),
    }
}

/// The failure of an entry that breaks the rules an entry must meet.
pub(super) fn unusable(id: &str, reasons: &[Problem]) -> Failure {
    let reasons: Vec<String> = reasons.iter().map(Problem::reason).collect();
    let text = format!("the catalog's entry of {id} is unusable: {}", reasons.join("; "));
    let hint = "ask the catalog's maintainers to fix it; other entries and installed rulesets are not affected";
    Failure::new(Code::InvalidEntry, text).hint(hint).package(id)
}
