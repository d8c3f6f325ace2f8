//! Where a package lies, and so what readers know its files as.

use crate::catalog::RULESET;
use crate::types::Problem;
use std::path::{Path, PathBuf};

/// The place of a package. Findings name files by their path in the package; here, and only here, that becomes what
/// readers see.
#[derive(Clone, Debug)]
pub enum Root {
    /// A folder, absolute.
    Folder(PathBuf),
    /// A zip or a bundle: the files in it are named behind it.
    Artifact(String),
    /// A ruleset by itself, whatever its name: its catalog files lie around it.
    Ruleset(PathBuf),
}

impl Root {
    /// The package itself.
    pub fn name(&self) -> String {
        match self {
            Root::Folder(path) | Root::Ruleset(path) => path.display().to_string(),
            Root::Artifact(name) => name.clone(),
        }
    }

    /// A file, by its path in the package.
    pub fn name_of(&self, inner: &str) -> String {
        match self {
            Root::Folder(path) => below(path, inner).display().to_string(),
            Root::Artifact(name) => format!("{name}!{inner}"),
            Root::Ruleset(_) if inner == RULESET => self.name(),
            Root::Ruleset(path) => below(path.parent().unwrap_or(Path::new("")), inner).display().to_string(),
        }
    }

    /// A finding as readers see it. What is about no file in the package is about the package itself.
    pub fn tell(&self, problem: Problem) -> Problem {
        if let Root::Artifact(name) = self {
            return problem.inside(name);
        }
        let file = problem.file.as_deref().map_or_else(|| self.name(), |inner| self.name_of(inner));
        problem.in_file(file)
    }
}

/// The path of a file within a folder.
pub(crate) fn below(root: &Path, path: &str) -> PathBuf {
    let mut whole = root.to_owned();
    whole.extend(path.split('/'));
    whole
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Pointer, Rule};

    #[test]
    fn a_finding_is_told_as_its_package_lies() {
        let told = |root: &Root, inner: Option<&str>| {
            let problem = Problem::new(Rule::named("x"), &Pointer::root(), "");
            root.tell(Problem { file: inner.map(str::to_owned), ..problem }).file.unwrap()
        };
        let folder = Path::new("a");
        let lone = Root::Ruleset(folder.join("x.json"));
        let catalog = folder.join("catalogs").join("b.json").display().to_string();
        let name = folder.join("x.json").display().to_string();
        for (root, whole, ruleset, beside) in [
            (&Root::Folder(folder.into()), "a", &*folder.join(RULESET).display().to_string(), &*catalog),
            (&Root::Artifact("a.zip".into()), "a.zip", "a.zip!ruleset.json", "a.zip!catalogs/b.json"),
            (&lone, &*name, &*name, &*catalog),
        ] {
            assert_eq!(told(root, None), whole);
            assert_eq!(told(root, Some(RULESET)), ruleset);
            assert_eq!(told(root, Some("catalogs/b.json")), beside);
        }
    }
}
