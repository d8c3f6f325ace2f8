use super::report::{Outdated, OutdatedPackage};
use super::standing::Standing;
use super::{App, unreadable_records};
use crate::catalog::Notes;
use crate::types::{Failure, Warning};

impl App {
    /// What `update` without an id would do, and what it would leave alone with the reason.
    pub(crate) fn outdated(&self) -> Result<Outdated, Failure> {
        let snapshot = self.read()?;
        unreadable_records(&snapshot).into_iter().for_each(|warning| self.warn(warning));
        let rulesets = snapshot.registry.rulesets();
        let language = self.language(&snapshot.state);
        let mut packages = Vec::new();
        if rulesets.is_empty() {
            return Ok(Outdated { packages, installed: 0 });
        }
        let installed = rulesets.len();
        let shelf = self.shelf()?;
        let mut notes = None;
        for ruleset in rulesets {
            let mut warnings = Vec::new();
            let standing = self.standing(&ruleset, false, self.terms(&snapshot, &language), shelf, &mut warnings)?;
            warnings.into_iter().for_each(|warning| self.warn(warning));
            let (entry, reason) = match standing {
                Standing::Current(_) => continue,
                Standing::Refused(_, failure) => {
                    self.warn(Warning::new(failure.code.rule(), failure.message).about(&ruleset.id));
                    continue;
                }
                Standing::KeptBack(entry, reason) | Standing::Behind(entry, reason) => (entry, reason),
            };
            let available = &entry.manifest.version;
            // Read when there is something to be told of.
            let notes = notes.get_or_insert_with(|| Notes::parse(&self.fetcher.notes(&*self.reporter)));
            packages.push(OutdatedPackage {
                id: ruleset.id.to_string(),
                name: Some(entry.card(&language).name.to_owned()),
                version: ruleset.version.to_string(),
                available: available.to_string(),
                reason,
                sha256: entry.artifact.expected.sha256.to_string(),
                bytes: entry.artifact.expected.bytes.0,
                notes: notes.between(&ruleset.id, &ruleset.version, available),
            });
        }
        Ok(Outdated { packages, installed })
    }
}
