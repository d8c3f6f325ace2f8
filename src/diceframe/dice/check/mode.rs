//! Advantage and disadvantage, which on a d100 are a bonus and a penalty die.

use super::read::flag;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

/// How a check is rolled other than plainly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// d20: the higher of two. d100: one bonus die, the lower candidate.
    Advantage,
    /// d20: the lower of two. d100: one penalty die, the higher candidate.
    Disadvantage,
}

/// What is asked for. Both cancel out, and neither stacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Modes {
    pub advantage: bool,
    pub disadvantage: bool,
}

impl Modes {
    /// What is left of them.
    pub const fn net(self) -> Option<Mode> {
        match (self.advantage, self.disadvantage) {
            (true, false) => Some(Mode::Advantage),
            (false, true) => Some(Mode::Disadvantage),
            _ => None,
        }
    }

    const fn is_none(self) -> bool {
        !self.advantage && !self.disadvantage
    }
}

impl From<Option<Mode>> for Modes {
    fn from(mode: Option<Mode>) -> Self {
        Modes { advantage: mode == Some(Mode::Advantage), disadvantage: mode == Some(Mode::Disadvantage) }
    }
}

/// What a rule declares in `check_mechanic.advantage`; by default nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Advantage {
    /// Whether its type is the one of its dice system.
    supported: bool,
    /// Whether a player may claim it in words.
    explicit: bool,
    /// What helpers bring.
    assistance: Option<Mode>,
}

impl Advantage {
    /// What a mechanic declares for the dice system whose type this is. A type of another dice system supports nothing
    /// (D11, D12).
    pub(super) fn of(mechanic: Option<&Map<String, Value>>, wanted: &str) -> Self {
        let Some(declared) = mechanic.and_then(|mechanic| mechanic.get("advantage")?.as_object()) else {
            return Advantage::default();
        };
        let said = declared.get("type").and_then(Value::as_str).unwrap_or_default();
        let supported = said == wanted;
        let assistance = match declared.get("assistance_grants").and_then(Value::as_str) {
            Some("advantage") => Some(Mode::Advantage),
            Some("disadvantage") => Some(Mode::Disadvantage),
            _ => None,
        };
        let explicit = flag(declared.get("allow_explicit"), !said.is_empty());
        Advantage { supported, explicit, assistance }
    }

    /// How a check is rolled. A mode the rule does not support, or that a player claims where players may not, is
    /// dropped. Helpers matter where nothing else was asked for, even if what was asked for cancels out.
    pub(super) fn mode(self, asked: Modes, claimed: bool, helped: bool) -> Option<Mode> {
        if !self.supported {
            return None;
        }
        let asked = if claimed && !self.explicit { Modes::default() } else { asked };
        if asked.is_none() && helped { self.assistance } else { asked.net() }
    }
}
