use super::Run;
use super::plan::Live;
use super::reading::Reading;
use serde_json::Value;

impl Run {
    /// Moves a value of the live state to the pool or track the sheet shows, and drops its old key whatever happens
    /// (MR7 to MR9).
    pub(super) fn route_live(&mut self, ruleset: &Value, live: Live, from: &str, cases: &[String], otherwise: &str) {
        let maps: &[&str] = match live {
            Live::Pool => &["pools"],
            // A wound track carries its marks, a plain one its number; a track that was one and became the other can
            // have left both.
            Live::Track => &["wounds", "tracks"],
        };
        let stored = maps.iter().filter(|map| self.sheet["live"][**map].get(from).is_some());
        let stored: Vec<&str> = stored.copied().collect();
        if stored.is_empty() {
            return;
        }
        let (to, why) = self.shown(ruleset, live, cases, otherwise);
        for map in stored {
            self.move_in(map, from, &to, &why);
        }
    }

    /// Takes the old key out of a map; its value moves only while the new key is not there. A `null` is no value.
    fn move_in(&mut self, map: &str, from: &str, to: &str, why: &str) {
        let live = self.sheet.get_mut("live").and_then(|live| live.get_mut(map));
        let Some(values) = live.and_then(Value::as_object_mut) else { return };
        let Some(value) = values.remove(from) else { return };
        let place = |id: &str| format!("/live/{map}/{id}");
        let (to, why) = if value.is_null() {
            (None, "it has no value".to_owned())
        } else if values.get(to).is_some_and(|there| !there.is_null()) {
            (None, format!("`{to}` already has a value, which is kept"))
        } else {
            values.insert(to.to_owned(), value.clone());
            (Some(place(to)), why.to_owned())
        };
        self.note("routeLive", Some(place(from)), to, value, why);
    }

    /// Which of the cases the migrated sheet shows, if it is exactly one of them (docs/spec/decisions.md#q7).
    fn shown(&self, ruleset: &Value, live: Live, cases: &[String], otherwise: &str) -> (String, String) {
        let reading = Reading::of(ruleset, &self.sheet["build"]);
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
