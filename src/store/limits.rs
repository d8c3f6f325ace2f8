//! What all files of this room are held to.

/// How large a record may be, in bytes: the registry, `rulepack.json`, the record of declined versions, the intent. A
/// thousand rulesets with their manifests take some 20 MiB.
pub(super) const MOST_RECORD: u64 = 32 << 20;

/// What every folder of work in progress is called, followed by something unique.
pub(super) const STAGING_PREFIX: &str = ".staging-";
