//! JSON that others wrote, read loosely: whatever is wrong with it is collected, nothing that was not asked for is
//! refused, and what is carried on keeps its spelling.
//!
//! An [`Object`] borrows from the text it was read from; its values stay unread ([`serde_json::value::RawValue`])
//! until one of the readers here ([`text`], [`parsed`], [`integer`] …) is asked for them.

mod broken;
mod document;
mod equal;
mod lexer;
mod literal;
mod object;
mod outline;
mod places;
mod pretty;
mod repeated;
mod sight;
mod syntax;
mod tokens;
mod tree;
mod values;

pub use document::{document, document_and_repeats, not_json, too_much};
pub use equal::{equal, equal_in_order};
pub use object::{Object, in_order};
pub use outline::{Shape, outline};
pub use places::{Aim, locate, place_at, places};
pub use pretty::pretty;
pub use repeated::repeated_keys;
#[cfg(feature = "diceframe")]
pub use repeated::repeated_keys_under;
pub use sight::{Place, place_of};
pub use tokens::{MAX_DEPTH, depth, is_too_deep};
pub use values::{MAX_ITEMS, boolean, excerpt, fits, integer, list, parsed, text, texts, whole_number};
