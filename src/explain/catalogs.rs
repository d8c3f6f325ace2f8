//! Catalogs, their entries and manifests.

use super::Explanation;

pub(super) const ALL: &[Explanation] = &[];
