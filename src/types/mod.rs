//! The words every other room is written in: values that cannot hold a wrong value, and the two ways of
//! saying that something is wrong.
//!
//! A value here is made by parsing only ([`std::str::FromStr`], [`serde::Deserialize`]), so whoever holds one
//! need not check it again. A [`Failure`] ends what a command was doing for one package; a [`Problem`] is one
//! finding among many.

mod api;
mod byte_size;
mod cancel;
pub(crate) mod codes;
mod count;
mod deadline;
mod expected;
mod failure;
mod https_url;
mod language;
mod package_id;
mod problem;
mod problems;
mod reporter;
pub mod rule;
mod safe_path;
mod sha256;
mod suggest;
mod version;
mod warning;

pub use api::{Api, NEWEST_KNOWN_API};
pub use byte_size::ByteSize;
pub use cancel::Cancel;
pub(crate) use count::{at_most, count};
pub use deadline::Deadline;
pub use expected::{Digester, Expected, Mismatch};
pub use failure::{Code, Coded, Failure};
pub use https_url::{HttpsUrl, InvalidUrl, redacted};
pub use language::{InvalidLanguage, Language, is_tag};
pub use package_id::{InvalidPackageId, PackageId};
pub use problem::{Excerpt, Pointer, Problem, Severity};
pub use problems::{MOST_TOLD, Problems};
pub use reporter::{Reporter, Silent, Transfer, TransferKind, Wait};
pub use rule::Rule;
pub use safe_path::{InvalidPath, SafePath, folded};
pub use sha256::{InvalidSha256, Sha256};
pub use suggest::{Effort, did_you_mean, suggest};
pub use version::{InvalidVersion, Version};
pub use warning::Warning;

use serde::de::{Deserializer, Visitor};
use std::fmt::{self, Display};
use std::marker::PhantomData;
use std::str::FromStr;

/// Implements `Deserialize`, `Serialize`, `Display` and `Debug` of a type that is a checked text, through its
/// `FromStr` and `as_str`: one door in, one spelling out.
macro_rules! checked_text {
    ($type:ty) => {
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                $crate::types::parsed(from)
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, into: S) -> Result<S::Ok, S::Error> {
                into.serialize_str(self.as_str())
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::fmt::Debug for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{:?}", self.as_str())
            }
        }
    };
}
use checked_text;

/// What a text reads as, without a copy of the text.
fn parsed<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    struct Text<T>(PhantomData<T>);
    impl<T: FromStr<Err: Display>> Visitor<'_> for Text<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a string")
        }

        fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<T, E> {
            text.parse().map_err(E::custom)
        }
    }
    from.deserialize_str(Text(PhantomData))
}
