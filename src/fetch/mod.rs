//! Where bytes come from: https, a folder, the cache.
