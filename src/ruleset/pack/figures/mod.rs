//! What a translation keeps of its English text: placeholders, dice and numbers. Which differences are told and which
//! are the language's own way of writing is docs/spec/checks.md#figures.

mod compare;
mod fold;
mod numerals;
mod scan;
mod words;

pub(super) use compare::{Differences, differences};
pub(super) use scan::Figures;

#[cfg(test)]
mod tests;
