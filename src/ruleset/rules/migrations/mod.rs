use crate::ruleset::whole::Whole;
use crate::types::Problem;
pub fn check(_: &Whole<'_>, _: &mut Vec<Problem>) {}
