//! The package manager for Marinara Engine rulesets: a library, and a program of the same name that is one call of
//! [`cli::run`].
//!
//! # How a command flows
//!
//! ```text
//!  arguments                                                                      people, or JSON
//!      │                                                                                 ▲
//!     cli ────► app: what is there, what is wanted ────► plan ────► execute ────► report ┘
//!                    │                                (plain data)     │
//!                    ├─ catalog   what a publisher says                ├─ fetch    bytes, sized and hashed
//!                    └─ store     what is on disk                      ├─ package  what the bytes hold
//!                                                                      ├─ ruleset  what the files say
//!                                                                      └─ store    staged, then activated
//! ```
//!
//! A command becomes one use case of [`app`]. It reads the store and, where it must, the catalog, looks at what a plan
//! depends on, and makes of that a plan: what will happen to each ruleset and its language pack, as data; `--dry-run`
//! shows it and stops. Carrying it out first downloads, checks and unpacks everything into a staging folder, without
//! the lock. Only then the lock is taken, the plan made again from the store as it is by now, and what was staged is
//! activated. The report of it all is one value with two renderings.
//!
//! # What always holds
//!
//! * The registry parses, and every version it names is complete and was verified, whenever and however a run ends.
//! * A ruleset is as it was before a change or as it is after it. A change that fails leaves the disk as it was.
//! * Bytes are used after their size and SHA-256 have been checked against the catalog, never before:
//!   [`disk::Verified`] is made in one place, and the store takes nothing else. Where bytes come from never matters.
//! * What changes the store holds [`store::StoreLock`], a lock of the operating system that is free again when its
//!   process is gone. Readers and downloads never wait for it.
//! * What a killed run leaves is finished, undone or swept by the next run. Nothing depends on a destructor.
//! * A signal ends a run within a second, and nobody need read what it writes while it works.
//! * A language pack that cannot be had leaves its ruleset installed, in English.
//! * A registry that cannot be read is an error, never an empty registry.
//! * Nothing is written outside the data folder and the cache folder, and nothing is removed that rulepack did not put
//!   there. Nothing is asked, and stdin is read only where a command is given `-`.
//! * Untrusted text becomes a type that cannot hold a wrong value ([`types`]) or is shown through [`face::term`], which
//!   makes it harmless.
//!
//! # The rooms
//!
//! Each folder of `src/`, and each file beside them, is one room, and a room uses only those named beside it; a test
//! holds the table to that.
//!
//! | room | what lives there | uses |
//! |---|---|---|
//! | [`cli`] | arguments, the human and the JSON face of a report, progress, the end a signal asks for | `app`, `catalog`, `diceframe`, `explain`, `face`, `fetch`, `inspect`, `package`, `publish`, `types` |
//! | [`app`] | one use case a file, and the plan that all changes share | `catalog`, `disk`, `fetch`, `inspect`, `json`, `package`, `ruleset`, `store`, `threads`, `types` |
//! | [`catalog`] | entries, manifests, language packs on offer, the rules they must meet | `json`, `types` |
//! | [`fetch`] | https, folders and the cache; caps, retries, validators | `catalog`, `crash`, `disk`, `threads`, `types` |
//! | [`package`] | what an artifact holds, safe names | `catalog`, `json`, `types` |
//! | [`store`] | the engine's layout on disk: registry, lock, staging, activation, recovery | `catalog`, `crash`, `disk`, `json`, `package`, `threads`, `types` |
//! | [`ruleset`] | what a `ruleset.json` says, and a language pack of it | `json`, `types` |
//! | [`inspect`] | what lies at a path and what it says: a package in hand, and everything that is wrong with it | `catalog`, `disk`, `json`, `package`, `ruleset`, `threads`, `types` |
//! | [`publish`] | for maintainers and translators: verify, entry, build, strings | `catalog`, `disk`, `fetch`, `inspect`, `json`, `package`, `ruleset`, `threads`, `types` |
//! | `diceframe` | DiceFrame: rule files, dice, combat, the audits of them, and all that is said of those | `disk`, `face`, `json`, `threads`, `types` |
//! | [`explain`] | what every code means, and an example that a test runs | `diceframe`, `json`, `types` |
//! | [`face`] | what rooms with reports of their own show them with: findings, and text on its way to a terminal | `types` |
//! | [`json`] | JSON that others wrote, read loosely and with every fault | `types` |
//! | [`disk`] | files and folders as they are opened, and the bytes of them as they are verified | `types` |
//! | [`internals`] | what the tests beside the sources reach into; no part of the library | `diceframe`, `explain`, `face`, `fetch`, `inspect`, `json`, `package`, `publish`, `store`, `threads`, `types` |
//! | [`crash`] | named places at which tests kill the process | |
//! | [`threads`] | the same done to many things at the same time | |
//! | [`types`] | the words all others are written in: ids, versions, languages, hashes, failures | |
//!
//! `diceframe` is there with the feature of that name, which is a default: whoever builds without it has no `audit`,
//! and whoever takes the folder out takes out the lines that name the feature with it.
//!
//! `catalog`, `ruleset`, `json`, `types` and every plan do no I/O, so they are tested as functions. A failure is a
//! small enum in its room that knows its code, its address and what to do next ([`types::Coded`]); there is one table
//! from code to exit number ([`types::Code`]). What a check finds or a command warns of names its rule
//! ([`types::Rule`]), which says how bad it is and what to do: `build.rs` makes a constant of each table in
//! `docs/codes` and `src/diceframe/codes`, so no code is raised that is not explained, and the compiler warns of one
//! that never is.
//!
//! # What lies on disk
//!
//! ```text
//! DIR/capability-packages/
//!   installed.json                       the engine's registry: which version of what is active
//!   update-decisions-v1.json             the engine's record of declined versions
//!   rulepack.json                        ours: language, holds, hashes of what was installed
//!   versions/<id>/<version>/             manifest.json, ruleset.json, catalogs/…; never changed once in place,
//!     locales/<language>.json            but for the one language pack
//!   .staging-*/                          work in progress of a process that lives, or left for the next to sweep
//!   .rulepack-intent.json                the change being made, so that whoever comes next can finish or undo it
//!   .rulepack.lock                       held by whoever changes all this
//! DIR/rulesets/local/<id>/<version>/     imported ones: the reader's own, recorded in rulepack.json
//! ```

// What a run says goes through the printers of `cli`, where untrusted text is made harmless and a closed pipe no fault.
#![warn(clippy::print_stdout, clippy::print_stderr)]
// The door: what stands here without `pub` is nobody's outside, and what does has its documentation.
#![warn(missing_docs, clippy::missing_errors_doc)]
#![allow(rustdoc::private_intra_doc_links)]

pub mod app;
pub mod catalog;
mod cli;
mod crash;
#[cfg(feature = "diceframe")]
#[allow(missing_docs, clippy::missing_errors_doc)]
mod diceframe;
mod disk;
mod explain;
mod face;
pub mod fetch;
#[allow(missing_docs)]
mod inspect;
#[doc(hidden)]
#[allow(missing_docs)]
pub mod internals;
#[allow(clippy::missing_errors_doc)]
mod json;
#[allow(clippy::missing_errors_doc)]
mod package;
#[allow(missing_docs)]
mod publish;
pub mod ruleset;
#[allow(missing_docs)]
mod store;
mod threads;
pub mod types;

pub use cli::run;
