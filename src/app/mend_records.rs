//! Mending records of the registry whose version folders are whole: nothing is fetched, nothing moved.

use super::App;
use super::findings::Findings;
use crate::store::{Change, Installed, Put, Snapshot, Transaction};
use crate::types::{Failure, PackageId};

impl App {
    /// Writes the records again that the registry has lost or the engine has marked as faulty. Gives the store as it is
    /// by then; that of another ruleset, or with files that are broken as well, is left to whoever mends those.
    pub(super) fn mend_records(&self, found: &Findings) -> Result<Snapshot, Failure> {
        let (lock, now) = self.lock()?;
        if found.records.is_empty() {
            return Ok(now);
        }
        for id in &found.records {
            let Some(record) = self.record_to_write(id, &now)? else { continue };
            let mut change = Change::of(id);
            change.record = Put::Set(record.to_record());
            self.put(&lock, &now, &Transaction::of(change))?;
        }
        drop(lock);
        self.read()
    }

    /// Another run may have seen to it since.
    fn record_to_write(&self, id: &PackageId, now: &Snapshot) -> Result<Option<Installed>, Failure> {
        if let Some(lost) = now.lost.iter().find(|lost| lost.id == *id) {
            return Ok(self.store.record_again(lost)?);
        }
        let faulty = now.registry.ruleset(id).filter(|ruleset| ruleset.fault.is_some());
        let Some(healed) = faulty.map(|ruleset| Installed { fault: None, ..ruleset }) else { return Ok(None) };
        Ok(self.is_intact(&healed, None, now)?.then_some(healed))
    }
}
