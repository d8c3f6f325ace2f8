use super::report::{Outdated, OutdatedPackage, OutdatedReason};
use super::{App, name_of};
use crate::types::{Failure, Warning};
use std::cmp::Ordering;

impl App {
    /// What `update` without an id would do, and what it would leave alone with the reason.
    pub fn outdated(&self) -> Result<Outdated, Failure> {
        let snapshot = self.read()?;
        let rulesets = snapshot.registry.rulesets();
        let mut packages = Vec::new();
        if rulesets.is_empty() {
            return Ok(Outdated { packages, installed: 0 });
        }
        let installed = rulesets.len();
        let shelf = self.shelf()?;
        let decisions = self.store.decisions();
        for ruleset in rulesets {
            let Some(entry) = shelf.ruleset(ruleset.id.as_str())? else {
                let text = format!("the catalog has no usable entry of {}; what is installed stays", ruleset.id);
                self.warn(Warning::new("not-in-catalog", text).about(&ruleset.id));
                continue;
            };
            let available = &entry.manifest.version;
            let reason = match available.precedence(&ruleset.version) {
                Ordering::Less => continue,
                Ordering::Equal if self.is_republished(&entry, &ruleset, &snapshot) => OutdatedReason::Republished,
                Ordering::Equal => continue,
                Ordering::Greater => OutdatedReason::Newer,
            };
            if let Err(failure) = self.refuse_incompatible(&entry.manifest) {
                self.warn(Warning::new(failure.code.as_str(), failure.message).about(&ruleset.id));
                continue;
            }
            let reason = if snapshot.state.is_held(&ruleset.id) {
                OutdatedReason::Held
            } else if decisions.declined(&ruleset.id) == Some(available.as_str()) {
                OutdatedReason::Declined
            } else {
                reason
            };
            packages.push(OutdatedPackage {
                id: ruleset.id.to_string(),
                name: name_of(&ruleset),
                version: ruleset.version.to_string(),
                available: available.to_string(),
                reason,
            });
        }
        Ok(Outdated { packages, installed })
    }
}
