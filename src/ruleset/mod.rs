//! What a ruleset says.

pub fn essentials(
    _: &[u8],
    _: &std::collections::BTreeMap<crate::types::SafePath, Vec<u8>>,
    _: Option<crate::types::Api>,
) -> Result<(), Vec<crate::types::Problem>> {
    Ok(())
}
