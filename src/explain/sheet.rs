//! Ids, references, and the rules of checks, the sheet, its live state, rests and guidance.

use super::Explanation;

pub(super) const ALL: &[Explanation] = &[];
