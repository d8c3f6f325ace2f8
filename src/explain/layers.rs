//! Layers, migrations, and the Capability API that features need.

use super::Explanation;

pub(super) const ALL: &[Explanation] = &[];
