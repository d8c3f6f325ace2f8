//! What a package folder holds beside its manifest and its ruleset, by name.

/// The folder of catalog files.
pub(crate) const CATALOGS: &str = "catalogs";
/// The folder of language packs.
pub(crate) const LOCALES: &str = "locales";
/// What a build tells of new versions.
pub(crate) const CHANGELOG: &str = "CHANGELOG.md";
/// What a build tells a store page beside the manifest.
pub(crate) const LISTING: &str = "listing.json";
