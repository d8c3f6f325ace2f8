//! What an artifact holds.
