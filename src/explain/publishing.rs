//! What only maintainers are held to: lanes, notes, official addresses.

use super::Explanation;

pub(super) const ALL: &[Explanation] = &[];
