use super::event::Event;
use std::collections::BTreeMap;

/// What somebody wants to do. It holds no number: every amount is the rule's and the server's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Intent {
    /// 1 to 160 characters; what makes a repetition known as one.
    pub id: String,
    pub actor: String,
    pub action: String,
    /// At most one; nobody is the actor.
    pub targets: Vec<String>,
}

impl Intent {
    /// How long an id may be, in characters.
    pub const LONGEST_ID: usize = 160;
}

/// What became of earlier intents.
#[derive(Clone, Debug, Default)]
pub struct Ledger(BTreeMap<String, (Intent, Vec<Event>)>);

impl Ledger {
    /// The result of the same intent before; the error is that the id was that of another one.
    pub fn replay(&self, intent: &Intent) -> Result<Option<&[Event]>, ()> {
        match self.0.get(&intent.id) {
            None => Ok(None),
            Some((before, events)) if before == intent => Ok(Some(events)),
            Some(_) => Err(()),
        }
    }

    pub fn record(&mut self, intent: &Intent, events: &[Event]) {
        self.0.insert(intent.id.clone(), (intent.clone(), events.to_vec()));
    }
}
