use super::problem::shortened;
use serde::Serialize;

/// Something the reader should know although the work went on.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, schemars::JsonSchema)]
pub struct Warning {
    /// A stable word for the kind of warning.
    pub code: String,
    pub message: String,
    /// The package it is about, when it is about one.
    pub package: Option<String>,
}

impl Warning {
    pub fn new(code: &str, message: impl Into<String>) -> Self {
        Warning { code: code.to_owned(), message: shortened(message.into()), package: None }
    }

    pub fn about(mut self, package: impl std::fmt::Display) -> Self {
        self.package = Some(package.to_string());
        self
    }
}
