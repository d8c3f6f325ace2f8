use super::Run;
use super::plan::Live;
use super::reading::Reading;
use serde_json::{Map, Value};

impl Run {
    /// Moves a value of the live state to the pool or track the sheet shows, and drops its old key whatever happens (MR7 to
    /// MR9).
    pub(super) fn route_live(&mut self, ruleset: &Value, live: Live, from: &str, cases: &[String], otherwise: &str) {
        let maps: &[&str] = match live {
            Live::Pool => &["pools"],
            // A wound track carries its marks, a plain one its number.
            Live::Track => &["wounds", "tracks"],
        };
        let stored = maps.iter().find(|map| self.sheet["live"][**map].get(from).is_some());
        let Some(map) = stored.copied() else { return };
        let (to, why) = self.shown(ruleset, live, cases, otherwise);
        let Some(values) = self.sheet.get_mut("live").and_then(|live| live.get_mut(map)).and_then(Value::as_object_mut)
        else {
            return;
        };
        move_in(values, from, &to).into_iter().for_each(|(moved, value)| {
            let place = |id: &str| format!("/live/{map}/{id}");
            let (to, why) = match moved {
                true => (Some(place(&to)), why.clone()),
                false => (None, format!("`{to}` holds a value already, which stays")),
            };
            self.note("routeLive", Some(place(from)), to, value, why);
        });
    }

    /// Which of the cases the migrated sheet shows, if it is exactly one of them (open question Q7).
    fn shown(&self, ruleset: &Value, live: Live, cases: &[String], otherwise: &str) -> (String, String) {
        let reading = Reading { ruleset, build: &self.sheet["build"] };
        let shown: Vec<&String> = cases
            .iter()
            .filter(|id| match live {
                Live::Pool => reading.shows_pool(id),
                Live::Track => reading.shows_track(id),
            })
            .collect();
        match shown.as_slice() {
            [one] => ((*one).clone(), "it is the one the sheet shows".to_owned()),
            [] => (otherwise.to_owned(), "the sheet shows none of the cases".to_owned()),
            _ => (otherwise.to_owned(), "the sheet shows several of the cases".to_owned()),
        }
    }
}

/// Takes the old key out; its value moves only while the new key is not there. Says whether it moved, and the value.
fn move_in(values: &mut Map<String, Value>, from: &str, to: &str) -> Option<(bool, Value)> {
    let value = values.remove(from)?;
    let moves = !values.contains_key(to);
    if moves {
        values.insert(to.to_owned(), value.clone());
    }
    Some((moves, value))
}
