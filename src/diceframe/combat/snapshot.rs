//! What two computations of the same fight are compared by.

use std::collections::BTreeMap;

/// A fight at one moment: lent, since one is taken of either computation after every move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot<'s> {
    /// In the order of their ids.
    pub fighters: Vec<FighterState<'s>>,
    /// In the order they may act.
    pub ready: Vec<&'s str>,
    pub modifiers: &'s [Modifier],
    /// Where turns are taken one after the other.
    pub round: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FighterState<'s> {
    pub id: &'s str,
    /// By the id of the resource.
    pub pools: BTreeMap<&'s str, i64>,
    /// Where there are gauges.
    pub gauge: Option<i128>,
    /// The rows of the inventory.
    pub items: &'s [(String, i64)],
}

/// A change to a value for as long as it lasts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Modifier {
    pub entity: String,
    pub stat: String,
    pub delta: i64,
    /// Advances it still lasts for; above 0.
    pub remaining: i64,
}
