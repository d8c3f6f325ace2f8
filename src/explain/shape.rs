//! The shape of a ruleset: keys, types, bounds, text.

use super::Explanation;

pub(super) const ALL: &[Explanation] = &[];
