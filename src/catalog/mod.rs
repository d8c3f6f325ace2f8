//! What a publisher says: the catalog envelope, its entries and their manifests.
