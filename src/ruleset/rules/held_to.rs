use crate::types::{Problem, Problems};

/// What one part of a ruleset is held to, held against another part under the code of that part's own rule.
pub fn held_to(code: &str, found: &mut Problems, check: impl FnOnce(&mut Problems)) {
    let refused = found.apart(check);
    found.extend(refused.into_iter().map(|problem| Problem { code: code.to_owned(), ..problem }));
}
