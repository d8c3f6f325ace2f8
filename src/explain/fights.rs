//! Items as a whole, battle and combat.

use super::Explanation;

pub(super) const ALL: &[Explanation] = &[];
