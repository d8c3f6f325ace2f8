//! Where the file lies that a rule extends (docs/spec/diceframe.md#extends).

use super::host::Host;
use super::read::kind;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Why there is no parent, in words that follow "`extends`".
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NoParent {
    /// D05: nothing of that name, or no name at all.
    Missing(String),
    /// D20: a file that is neither with the rule nor built in.
    Outside(PathBuf),
}

/// The file a rule extends: none for a rule that stands alone.
///
/// It is looked for beside the rule, then by its last name among the built-in rules of the host. A name without a
/// suffix is one of a `.json`. Only files of the same rules folder and those built in may be extended
/// (docs/spec/diceframe.md#reading-11).
pub(super) fn parent_of(
    rule: &Path,
    extends: Option<&Value>,
    host: Option<&Host>,
) -> Result<Option<PathBuf>, NoParent> {
    let Some(extends) = extends.filter(|value| !value.is_null() && **value != "") else { return Ok(None) };
    let Value::String(name) = extends else {
        return Err(NoParent::Missing(format!("is {}, but should be the name of one file", kind(extends))));
    };
    let name = with_suffix(Path::new(name));
    let folder = rule.parent().unwrap_or(Path::new(""));
    let beside = folder.join(&name);
    if beside.is_file() {
        let allowed = [Some(rules_folder(rule)), host.map(Host::built_in_rules)];
        // An absolute name leads there on this machine alone.
        let inside = !name.has_root() && allowed.iter().flatten().any(|folder| lies_within(&beside, folder));
        return if inside { Ok(Some(beside)) } else { Err(NoParent::Outside(beside)) };
    }
    let built_in = host.zip(name.file_name()).map(|(host, name)| host.built_in_rules().join(name));
    match built_in.filter(|path| path.is_file()) {
        Some(path) => Ok(Some(path)),
        None => Err(NoParent::Missing(format!("names `{}`, which was not found", name.display()))),
    }
}

/// `base` is `base.json`; `base.v1` has its suffix and stays.
fn with_suffix(name: &Path) -> PathBuf {
    match name.extension() {
        Some(suffix) if !suffix.is_empty() => name.to_owned(),
        _ => name.with_added_extension("json"),
    }
}

/// The folder whose rules belong together: the pack's `content/rules`, else the folder the file lies in.
pub(super) fn rules_folder(rule: &Path) -> PathBuf {
    let is_of_a_pack = |folder: &&Path| folder.ends_with("content/rules");
    let beside = rule.parent().unwrap_or(Path::new(""));
    beside.ancestors().find(is_of_a_pack).unwrap_or(beside).to_owned()
}

/// Whether a file lies below a folder once links and `..` are followed.
fn lies_within(file: &Path, folder: &Path) -> bool {
    match (file.canonicalize(), folder.canonicalize()) {
        (Ok(file), Ok(folder)) => file.starts_with(folder),
        _ => false,
    }
}
