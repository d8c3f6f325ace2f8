use super::super::formula::FormulaError;

/// Why something is refused; everything is as it was then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("two fighters have the id `{0}`")]
    TwoOfOneId(String),
    #[error("the turn order does not list everybody exactly once")]
    BadOrder,
    #[error("cannot compute the speed of `{who}`: {why}")]
    NoSpeed { who: String, why: FormulaError },
    #[error("`{0}` has no speed above 0, so it would never be ready")]
    StandsStill(String),
    #[error("the id of an intent must have 1 to 160 characters")]
    BadIntentId,
    #[error("the id of the intent `{0}` was already used for another")]
    IntentConflict(String),
    #[error("there is no fighter `{0}`")]
    NoActor(String),
    #[error("`{0}` is down")]
    ActorDown(String),
    #[error("it is not the turn of `{0}`")]
    NotReady(String),
    #[error("there is no action `{0}`")]
    NoAction(String),
    #[error("an action has at most one target")]
    TooManyTargets,
    #[error("there is no target `{0}`")]
    NoTarget(String),
    #[error("cannot compute a cost in `{resource}`: {why}")]
    NoCost { resource: String, why: FormulaError },
    #[error("a cost in `{resource}` would be {amount}, below 0")]
    NegativeCost { resource: String, amount: i64 },
    #[error("it costs {amount} of `{resource}`, but there is only {there}")]
    TooDear { resource: String, amount: i64, there: i64 },
    #[error("it takes {quantity} of `{item}`, but there is only {there}")]
    ItemMissing { item: String, quantity: i64, there: i64 },
    #[error("cannot compute the amount of effect {effect}: {why}")]
    NoAmount { effect: usize, why: FormulaError },
    #[error("the amount of effect {effect} would be {amount}, which does nothing")]
    NoEffect { effect: usize, amount: i64 },
}
