use super::install::distinct;
use super::report::{Hold, Holds};
use super::{App, installed};
use crate::store::{Change, PackageState, Put, Transaction};
use crate::types::Failure;

impl App {
    /// Keeps `update` away from the ids, or lets it at them again. Gives what went wrong beside what was done.
    pub fn hold(&self, ids: &[String], held: bool) -> Result<(Holds, Vec<Failure>), Failure> {
        let (lock, mut snapshot) = self.store.lock(&*self.on)?;
        self.warnings.borrow_mut().append(&mut snapshot.warnings);
        let mut packages = Vec::new();
        let mut transaction = Transaction::default();
        let mut failures = Vec::new();
        for id in distinct(ids) {
            match installed(&snapshot, id) {
                Err(unknown) => failures.push(unknown),
                Ok(ruleset) => {
                    let state = snapshot.state.packages.get(&ruleset.id).cloned().unwrap_or_default();
                    if state.held != held {
                        let mut change = Change::of(&ruleset.id);
                        let active = Some(ruleset.version.clone());
                        change.state = Put::Set(PackageState { held, active, ..state });
                        transaction.changes.push(change);
                    }
                    packages.push(Hold { id: id.to_owned(), held });
                }
            }
        }
        self.store.commit(&lock, &transaction)?;
        Ok((Holds { packages }, failures))
    }
}
