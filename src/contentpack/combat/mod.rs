//! What a combat block declares, and fights by it.
