//! How an answer is shown: one report with two faces, findings as people and as GitHub read them, and how text reaches
//! a terminal. Whoever has a report of its own shows it with these.

mod answer;
mod args;
mod findings;
mod github;
pub mod term;

pub use answer::{Answer, Answered, Report, Status, here, to_json, to_line};
pub use args::{FindingsArgs, Format};
pub use findings::{show_problems, show_verdict, shown_path};
pub use github::annotation;
