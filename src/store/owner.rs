use crate::types::PackageId;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// What stands before the id of an imported ruleset, and the folder they are filed in.
pub const IMPORTED: &str = "local";

/// Whose version folders are meant: a package's of the engine, or an imported ruleset's, written `local/<id>`. No id of
/// a package has a `/`, so an imported ruleset never stands in a package's place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Owner {
    Package(PackageId),
    Imported(PackageId),
}

/// Why a text names neither.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is neither a package id nor `{IMPORTED}/` and a ruleset id")]
pub struct InvalidOwner(String);

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Owner::Package(id) => write!(f, "{id}"),
            Owner::Imported(id) => write!(f, "{IMPORTED}/{id}"),
        }
    }
}

impl FromStr for Owner {
    type Err = InvalidOwner;

    fn from_str(text: &str) -> Result<Self, InvalidOwner> {
        let imported = text.strip_prefix(IMPORTED).and_then(|rest| rest.strip_prefix('/'));
        let owner = match imported {
            Some(id) => id.parse().map(Owner::Imported),
            None => text.parse().map(Owner::Package),
        };
        owner.map_err(|_| InvalidOwner(text.chars().take(PackageId::MAX).collect()))
    }
}

impl TryFrom<String> for Owner {
    type Error = InvalidOwner;

    fn try_from(text: String) -> Result<Self, InvalidOwner> {
        text.parse()
    }
}

impl From<Owner> for String {
    fn from(owner: Owner) -> String {
        owner.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_imported_ruleset_is_written_with_what_it_is_filed_under() {
        let owner = |text: &str| text.parse::<Owner>().ok().map(|owner| (owner.to_string(), owner));
        let id: PackageId = "ember-roads".parse().unwrap();
        assert_eq!(owner("ember-roads"), Some(("ember-roads".to_owned(), Owner::Package(id.clone()))));
        assert_eq!(owner("local/ember-roads"), Some(("local/ember-roads".to_owned(), Owner::Imported(id))));
        assert_eq!(owner("local"), Some(("local".to_owned(), Owner::Package("local".parse().unwrap()))));
        for neither in ["", "local/", "local//a", "local/../a", "local/con", "other/a", "local/a/b"] {
            assert_eq!(owner(neither), None, "{neither}");
        }
    }
}
