//! What is on disk.
