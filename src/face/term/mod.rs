//! How text reaches a terminal: made harmless, measured as it is seen, aligned, coloured and written.
//!
//! Everything here turns values into text, except [`Screen`], which is the only place that writes it. What comes from
//! a catalog, a ruleset or a pack goes through [`clean()`] or [`clean_lines`]; tables and diagnostics do so themselves.

mod clean;
mod diagnostic;
mod screen;
mod style;
mod table;
mod width;
mod wrap;

pub(crate) use crate::types::count;
pub use clean::{clean, clean_lines, json_safe, shorten};
pub use diagnostic::{failure, failures, warnings};
pub use screen::{Screen, Stream};
pub use style::{Colour, Look, Palette, Role, is_dumb};
pub use table::{Cell, Column, Overflow, Table};
pub use width::{cut, cut_start, width};
pub use wrap::{LongWord, wrap};
