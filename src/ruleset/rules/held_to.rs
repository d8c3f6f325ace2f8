use crate::types::Problem;

/// What one part of a ruleset is held to, held against another part under the code of that part's own rule.
pub fn held_to(code: &str, found: &mut Vec<Problem>, check: impl FnOnce(&mut Vec<Problem>)) {
    let mut refused = Vec::new();
    check(&mut refused);
    found.extend(refused.into_iter().map(|problem| Problem { code: code.to_owned(), ..problem }));
}
