//! DiceFrame content packs: rule files, their dice and combat declarations, and the audits of them. Pure functions on what
//! was read, but for the search of files an audit begins with.

pub mod combat;
pub mod dice;
pub mod rules;
