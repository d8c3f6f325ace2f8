use super::problem::shortened;
use super::rule::Rule;
use serde::Serialize;
use std::collections::{HashMap, HashSet};

/// Something the reader should know although the work went on.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, schemars::JsonSchema)]
pub struct Warning {
    /// A stable word for the kind of warning.
    #[schemars(with = "String")]
    pub code: &'static Rule,
    /// What, where and why.
    pub message: String,
    /// The package it is about, when it is about one.
    pub package: Option<String>,
}

impl Warning {
    /// A warning with the hint of its rule.
    pub fn new(code: &'static Rule, message: impl Into<String>) -> Self {
        Warning { code, message: shortened(message.into()), package: None }
    }

    /// Each fact once: what is said of several packages in the same words becomes one warning that names them all, and
    /// is about none of them alone.
    pub fn once(warnings: Vec<Warning>) -> Vec<Warning> {
        let mut told: Vec<(Warning, Vec<String>)> = Vec::new();
        let mut places = HashMap::new();
        let mut seen = HashSet::new();
        for warning in warnings {
            if !seen.insert(warning.clone()) {
                continue;
            }
            let fact = (warning.code, warning.message.clone(), warning.package.is_some());
            let place = *places.entry(fact).or_insert(told.len());
            let package = warning.package.clone();
            if place == told.len() {
                told.push((warning, Vec::new()));
            }
            told[place].1.extend(package);
        }
        let of_all = |(warning, packages): (Warning, Vec<String>)| match packages.as_slice() {
            [.., _, _] => Warning::new(warning.code, format!("{} ({})", warning.message, packages.join(", "))),
            _ => warning,
        };
        told.into_iter().map(of_all).collect()
    }

    /// The same, said of one package.
    pub fn about(mut self, package: impl std::fmt::Display) -> Self {
        self.package = Some(package.to_string());
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_several_packages_is_said_once() {
        let late = || Warning::new(Rule::named("late"), "no time left");
        let other = Warning::new(Rule::named("late"), "no time left, alas").about("a");
        let told = vec![late().about("a"), other.clone(), late().about("b"), late().about("a"), late(), late()];
        let all = Warning::new(Rule::named("late"), "no time left (a, b)");
        assert_eq!(Warning::once(told), [all, other, late()]);
        assert_eq!(Warning::once(vec![late().about("a"), late().about("a")]), [late().about("a")]);
    }
}
