use super::problem::shortened;
use serde::Serialize;

/// Something the reader should know although the work went on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
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

    /// Each fact once: what is said of several packages in the same words becomes one warning that names them all, and
    /// is about none of them alone.
    pub fn once(warnings: Vec<Warning>) -> Vec<Warning> {
        let mut told: Vec<(Warning, Vec<String>)> = Vec::new();
        for warning in warnings {
            let same = |(other, _): &&mut (Warning, Vec<String>)| {
                other.code == warning.code
                    && other.message == warning.message
                    && other.package.is_none() == warning.package.is_none()
            };
            match (told.iter_mut().find(same), &warning.package) {
                (Some((_, packages)), Some(package)) if !packages.contains(package) => packages.push(package.clone()),
                (Some(_), _) => {}
                (None, package) => {
                    let packages = package.iter().cloned().collect();
                    told.push((warning, packages));
                }
            }
        }
        let of_all = |(warning, packages): (Warning, Vec<String>)| match packages.as_slice() {
            [.., _, _] => Warning::new(&warning.code, format!("{} ({})", warning.message, packages.join(", "))),
            _ => warning,
        };
        told.into_iter().map(of_all).collect()
    }

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
        let late = || Warning::new("late", "no time left");
        let other = Warning::new("late", "no time left, alas").about("a");
        let told = vec![late().about("a"), other.clone(), late().about("b"), late().about("a"), late(), late()];
        let all = Warning::new("late", "no time left (a, b)");
        assert_eq!(Warning::once(told), [all, other, late()]);
        assert_eq!(Warning::once(vec![late().about("a"), late().about("a")]), [late().about("a")]);
    }
}
