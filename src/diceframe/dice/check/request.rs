//! What a check is asked for with.

use super::mode::Modes;

/// The most bonus or penalty dice there may be.
pub const MAX_EXTRA_DICE: u32 = 100;

/// One check. The default is the plainest one: an attribute of the usual size, no skill, the rule's normal difficulty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request<'r> {
    pub kind: CheckKind,
    /// None and 0 count as 10.
    pub attribute: Option<i32>,
    /// The skill that was matched, if any.
    pub skill: Option<Skill>,
    /// What `proficiency_formula` sees; 1 where a sheet says nothing.
    pub level: Option<i32>,
    /// Counts from -20 to 20.
    pub circumstance: i32,
    /// d20: the difficulty class asked for. A d100 has no use for it.
    pub target: Option<i32>,
    /// d20, without a target: the name of a difficulty of the game.
    pub difficulty: Option<&'r str>,
    pub modes: Modes,
    /// Whether a player claimed the modes in words.
    pub claimed: bool,
    /// Whether anybody helps.
    pub helped: bool,
    /// d100: what luck is left to buy a success with.
    pub luck: i32,
}

/// A skill that was matched. None and 0 count as 20.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Skill {
    pub value: Option<i32>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CheckKind {
    #[default]
    Ordinary,
    /// An attack, at somebody if the target is known.
    Attack { defender: Option<Defender> },
    /// d20: against what somebody else rolls.
    /// The other side rolls first, with the same attribute as the actor.
    Opposed { opponent: Option<i32> },
}

/// What is known of who is attacked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Defender {
    /// The attribute that `attack_target` names.
    pub attribute: Option<i32>,
    pub armor: i32,
}

/// Why a check is not made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("there are more than {} bonus or penalty dice", MAX_EXTRA_DICE)]
    TooManyDice,
    #[error("a die with {sides} sides has no {face}")]
    NoSuchFace { face: u32, sides: u32 },
    #[error("the proficiency formula {0}")]
    Proficiency(#[from] ProficiencyFault),
}

/// Why there is no proficiency bonus at a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProficiencyFault {
    #[error("divides by zero")]
    DivisionByZero,
    #[error("does not fit in 32 bits")]
    TooLarge,
}
