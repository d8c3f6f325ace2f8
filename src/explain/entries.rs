//! Catalogs, their entries, creatures and items.

use super::Explanation;

pub(super) const ALL: &[Explanation] = &[];
