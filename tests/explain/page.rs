//! `docs/codes.md` is made of the explanations.
//!
//! After a change to one, `RULEPACK_BLESS=1 cargo test --test explain page` writes it anew.

use super::base::repository;
use rulepack::internals::explain;

#[test]
fn the_page_of_codes_is_current() {
    let made = explain::page(&explain::all().collect::<Vec<_>>());
    let path = repository().join("docs/codes.md");
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    if std::env::var_os("RULEPACK_BLESS").is_some_and(|value| value == "1") {
        std::fs::write(path, made).unwrap();
        return;
    }
    let line = made.lines().zip(kept.lines()).position(|(made, kept)| made != kept);
    let line = line.unwrap_or(kept.lines().count()) + 1;
    assert!(made == kept, "docs/codes.md is out of date from line {line} on; RULEPACK_BLESS=1 writes it anew");
}
