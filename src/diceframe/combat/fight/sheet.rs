use std::collections::BTreeMap;

/// A fighter as they come into a fight: what their character sheet says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    pub id: String,
    pub attributes: BTreeMap<String, i64>,
    pub initiative: i64,
    /// What they have, and can have, of the resources with the source `hp` and `special_stat`, by the id of the
    /// resource. What is not here, as any combat state, begins empty.
    pub pools: BTreeMap<String, (i64, Option<i64>)>,
    /// Rows of the inventory: an item and how many. An item may have several.
    pub inventory: Vec<(String, i64)>,
}
