use super::App;
use super::look::Terms;
use super::report::OutdatedReason;
use super::shelf::{CatalogAnswer, Shelf, unusable};
use crate::catalog::Entry;
use crate::store::Installed;
use crate::types::{Failure, Warning, codes};
use std::cmp::Ordering;
use std::rc::Rc;

/// Where an installed ruleset stands towards the catalog: what `update` acts on and `outdated` lists, so that the two
/// never disagree.
pub(super) enum Standing {
    /// There is nothing to take. The entry, where there is one, may still supply the language pack.
    Current(Option<Rc<Entry>>),
    /// There may be something, but it cannot be taken: a failure for who asked for it by name, else worth a warning.
    Refused(Option<Rc<Entry>>, Failure),
    /// Something was held or declined.
    KeptBack(Rc<Entry>, OutdatedReason),
    /// The catalog has a newer version, or other bytes for the same one.
    Behind(Rc<Entry>, OutdatedReason),
}

impl App {
    /// Where a ruleset stands, by what the catalog says of it.
    pub(super) fn standing(
        &self,
        installed: &Installed,
        named: bool,
        terms: Terms,
        shelf: Shelf,
        warnings: &mut Vec<Warning>,
    ) -> Result<Standing, Failure> {
        let said = shelf.find(installed.id.as_str())?;
        if matches!(said, CatalogAnswer::Ruleset(_)) {
            warnings.extend(shelf.doubled(installed.id.as_str())?);
        }
        Ok(stand(installed, named, said, terms, warnings))
    }
}

/// Named by its reader, a version once declined is wanted after all.
pub(super) fn stand(
    installed: &Installed,
    named: bool,
    said: CatalogAnswer,
    terms: Terms,
    warnings: &mut Vec<Warning>,
) -> Standing {
    let id = &installed.id;
    let mut tell = |code, text: String| warnings.push(Warning::new(code, text).about(id));
    let entry = match said {
        CatalogAnswer::Ruleset(entry) => entry,
        CatalogAnswer::Missing => {
            tell(codes::NOT_IN_CATALOG, format!("the catalog no longer has {id}; what is installed stays"));
            return Standing::Current(None);
        }
        CatalogAnswer::OtherKind(_) => {
            tell(codes::NOT_A_RULESET, format!("{id} is no longer a ruleset in the catalog; what is installed stays"));
            return Standing::Current(None);
        }
        CatalogAnswer::Unusable(reasons) => return Standing::Refused(None, unusable(id.as_str(), &reasons)),
    };
    let offered = &entry.manifest.version;
    let why = match offered.precedence(&installed.version) {
        Ordering::Less => {
            tell(
                codes::DOWNGRADE,
                format!("{id} {} is newer than the catalog's {offered}; it stays", installed.version),
            );
            None
        }
        Ordering::Equal => terms.is_republished(&entry, installed).then_some(OutdatedReason::Republished),
        Ordering::Greater => Some(OutdatedReason::Newer),
    };
    let Some(why) = why else { return Standing::Current(Some(entry)) };
    if terms.snapshot.state.is_held(id) {
        return Standing::KeptBack(entry, OutdatedReason::Held);
    }
    if !named && terms.snapshot.decisions.declined(id) == Some(offered.as_str()) {
        return Standing::KeptBack(entry, OutdatedReason::Declined);
    }
    match terms.refuse_incompatible(&entry.manifest) {
        Err(failure) => Standing::Refused(Some(entry), failure),
        Ok(()) => Standing::Behind(entry, why),
    }
}
