//! Artifacts, and the files of a package.

use super::Explanation;

pub(super) const ALL: &[Explanation] = &[];
