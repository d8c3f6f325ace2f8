use super::install::distinct;
use super::report::{Hold, Holds};
use super::{App, installed};
use crate::store::{Change, Put, Snapshot, Transaction};
use crate::types::Failure;

impl App {
    /// Keeps `update` away from the ids, or lets it at them again. Gives what went wrong beside what was done.
    pub(crate) fn hold(&self, ids: &[String], held: bool) -> Result<(Holds, Vec<Failure>), Failure> {
        let (holds, failures, transaction) = plan_hold(ids, held, &self.read()?);
        if transaction.is_empty() {
            return Ok((holds, failures));
        }
        let (lock, snapshot) = self.lock()?;
        let (holds, failures, transaction) = plan_hold(ids, held, &snapshot);
        self.put(&lock, &snapshot, &transaction)?;
        Ok((holds, failures))
    }
}

pub(super) fn plan_hold(ids: &[String], held: bool, snapshot: &Snapshot) -> (Holds, Vec<Failure>, Transaction) {
    let mut packages = Vec::new();
    let mut transaction = Transaction::default();
    let mut failures = Vec::new();
    for id in distinct(ids) {
        match installed(snapshot, id) {
            Err(unknown) => failures.push(unknown),
            Ok(ruleset) => {
                let mut state = snapshot.state.packages.get(&ruleset.id).cloned().unwrap_or_default();
                if state.held != held {
                    let mut change = Change::of(&ruleset.id);
                    (state.held, state.active) = (held, Some(ruleset.version.clone()));
                    change.state = Put::Set(state);
                    transaction.changes.push(change);
                }
                packages.push(Hold { id: id.to_owned(), held });
            }
        }
    }
    (Holds { packages }, failures, transaction)
}
