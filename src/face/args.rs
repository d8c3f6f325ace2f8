//! What all checks have in common.

use clap::Args;

// What all checks have in common.
#[derive(Args, Clone, Copy, Debug)]
pub struct FindingsArgs {
    /// How to write the findings: text, json (as with --json) or github (annotations of a workflow)
    #[arg(long, value_enum, default_value_t, value_name = "FORM", hide_possible_values = true)]
    #[arg(hide_default_value = true)]
    pub format: Format,
    /// Treat every warning as an error
    #[arg(long)]
    pub strict: bool,
}

/// How the findings of a check are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// For people, each with its line
    #[default]
    Text,
    /// As with --json
    Json,
    /// Annotations of a GitHub workflow
    Github,
}
