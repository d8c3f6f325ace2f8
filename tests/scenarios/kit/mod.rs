//! What every scenario is built from: a server that misbehaves on request, a sandbox to run the program in, strict
//! types of its JSON, a publisher of catalogs, and snapshots of folders.

// Scenarios use what they need; an unused helper here is no dead code of the program.
#![allow(dead_code)]

pub mod agents;
pub mod engine;
pub mod envelope;
#[cfg(target_os = "linux")]
pub mod mounts;
pub mod packs;
pub mod publish;
pub mod sandbox;
pub mod second_writer;
pub mod seed;
pub mod server;
pub mod shop;
pub mod soundness;
#[cfg(unix)]
pub mod terminal;
pub mod tree;

/// The SHA-256 of these bytes as 64 lowercase hex digits.
pub fn sha256(bytes: &[u8]) -> String {
    use sha2::Digest;
    hex::encode(sha2::Sha256::digest(bytes))
}

/// Waits until the condition holds.
#[track_caller]
pub fn until(mut holds: impl FnMut() -> bool) {
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
    while !holds() {
        assert!(std::time::Instant::now() < deadline, "it never came to that");
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
}
