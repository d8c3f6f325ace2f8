//! Language packs and what they translate.

use super::Explanation;

pub(super) const ALL: &[Explanation] = &[];
