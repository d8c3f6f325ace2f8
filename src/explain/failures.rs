//! Why a command fails.

use super::Explanation;

pub(super) const ALL: &[Explanation] = &[];
