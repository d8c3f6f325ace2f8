use super::read::kind;
use crate::diceframe::codes;
use crate::types::{Pointer, Problem};
use serde_json::Value;

/// How checks are resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiceSystem {
    /// A d20 and modifiers against a target.
    D20,
    /// A d100 at or below a target.
    D100,
    /// Nothing is checked.
    None,
}

impl DiceSystem {
    /// The word rule files have for it.
    pub const fn name(self) -> &'static str {
        match self {
            DiceSystem::D20 => "d20",
            DiceSystem::D100 => "d100",
            DiceSystem::None => "none",
        }
    }

    /// The dice system of a resolved rule: d20 where it says nothing; in any case, but without blanks around it
    /// (docs/spec/diceframe.md#keys-of-a-rule). Anything else is D08.
    pub fn of(resolved: &Value) -> Result<DiceSystem, Box<Problem>> {
        let said = match resolved.get("dice_system") {
            None | Some(Value::Null) => return Ok(DiceSystem::D20),
            Some(said) => said,
        };
        match said.as_str().map(str::to_lowercase).as_deref() {
            Some("" | "d20") => Ok(DiceSystem::D20),
            Some("d100") => Ok(DiceSystem::D100),
            Some("none") => Ok(DiceSystem::None),
            _ => {
                let message = format!("`dice_system` is {}, but should be d20, d100 or none", kind(said));
                Err(Box::new(Problem::new(codes::D08, &Pointer::root().at("dice_system"), message)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn d08_any_case_and_nothing_at_all_but_no_blanks() {
        for (said, system) in [
            (json!({}), DiceSystem::D20),
            (json!({"dice_system": ""}), DiceSystem::D20),
            (json!({"dice_system": null}), DiceSystem::D20),
            (json!({"dice_system": "D100"}), DiceSystem::D100),
            (json!({"dice_system": "None"}), DiceSystem::None),
        ] {
            assert_eq!(DiceSystem::of(&said).unwrap(), system, "{said}");
        }
        for wrong in [json!("d6"), json!(" d20"), json!(20), json!(["d20"]), json!(false)] {
            assert_eq!(DiceSystem::of(&json!({"dice_system": wrong})).unwrap_err().code, codes::D08);
        }
    }
}
