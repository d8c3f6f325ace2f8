//! The command line: the human face and the JSON face of what the commands report.

pub mod progress;
pub mod term;
