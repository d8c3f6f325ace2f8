use super::super::formula::FormulaError;

/// Why something is refused; everything is as it was then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("two fighters have the id `{0}`")]
    TwoOfOneId(String),
    #[error("the order of turns does not name everybody once")]
    BadOrder,
    #[error("the speed of `{who}` cannot be told: {why}")]
    NoSpeed { who: String, why: FormulaError },
    #[error("`{0}` has no speed above 0 and would never be ready")]
    StandsStill(String),
    #[error("an intent has an id of 1 to 160 characters")]
    BadIntentId,
    #[error("the intent `{0}` was another one before")]
    IntentConflict(String),
    #[error("there is no fighter `{0}`")]
    NoActor(String),
    #[error("`{0}` is down")]
    ActorDown(String),
    #[error("it is not the turn of `{0}`")]
    NotReady(String),
    #[error("there is no action `{0}`")]
    NoAction(String),
    #[error("an action has one target at most")]
    TooManyTargets,
    #[error("there is no target `{0}`")]
    NoTarget(String),
    #[error("a cost in `{resource}` cannot be told: {why}")]
    NoCost { resource: String, why: FormulaError },
    #[error("a cost in `{resource}` would be {amount}, below 0")]
    NegativeCost { resource: String, amount: i64 },
    #[error("it costs {amount} of `{resource}`, of which there is {there}")]
    TooDear { resource: String, amount: i64, there: i64 },
    #[error("it takes {quantity} of `{item}`, of which there is {there}")]
    ItemMissing { item: String, quantity: i64, there: i64 },
    #[error("the amount of effect {effect} cannot be told: {why}")]
    NoAmount { effect: usize, why: FormulaError },
    #[error("the amount of effect {effect} would be {amount}, which does nothing")]
    NoEffect { effect: usize, amount: i64 },
}
