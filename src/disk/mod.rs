//! Files and folders as they are opened, whoever asks: plain ones alone, through no link where none may be, never
//! waited for; and the one place where the bytes of a file become [`Verified`].

mod open_folder;
mod plain_file;
mod verified;

pub use open_folder::{FileKind, OpenFolder};
pub use plain_file::{
    is_stream, open_plain, open_plain_nofollow, open_plain_nofollow_with, plain_only, read_plain,
    read_plain_nofollow_up_to, read_plain_up_to, read_up_to, refused_link,
};
pub use verified::{Receiving, Unverified, Verified};
