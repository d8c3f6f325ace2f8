use crate::types::{Problem, Problems, Rule};

/// What one part of a ruleset is held to, held against another part under the code of that part's own rule.
pub fn held_to(code: &'static Rule, found: &mut Problems, check: impl FnOnce(&mut Problems)) {
    let refused = found.apart(check);
    found.extend(refused.into_iter().map(|problem| Problem { code, ..problem }));
}
