use super::problem::shortened;
use super::rule::Rule;
use serde::Serialize;

/// Something the reader should know although the work went on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Warning {
    /// A stable word for the kind of warning.
    #[schemars(with = "String")]
    pub code: &'static Rule,
    pub message: String,
    /// The package it is about, when it is about one.
    pub package: Option<String>,
}

impl Warning {
    pub fn new(code: &'static Rule, message: impl Into<String>) -> Self {
        Warning { code, message: shortened(message.into()), package: None }
    }

    pub fn about(mut self, package: impl std::fmt::Display) -> Self {
        self.package = Some(package.to_string());
        self
    }
}
