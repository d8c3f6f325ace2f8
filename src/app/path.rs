use super::imports::{LocalRuleset, is_local, local};
use super::report::Whereabouts;
use super::{App, installed};
use crate::catalog::RULESET;
use crate::store::Layout;
use crate::types::{Code, Failure};

impl App {
    /// Where the active version of a ruleset and its language pack lie. No network is used and nothing is hashed.
    ///
    /// # Errors
    /// `not-installed`, and where the store cannot be read.
    pub fn path(&self, id: &str) -> Result<Whereabouts, Failure> {
        let snapshot = self.read()?;
        if is_local(id) {
            return self.local_path(&local(&snapshot, id)?);
        }
        let ruleset = installed(&snapshot, id)?;
        let root = self.store.layout().version(&ruleset.id, &ruleset.version);
        let file = root.join(RULESET);
        if !self.has_kept(&file)? {
            let text = format!("{id} {} is installed, but {} is missing", ruleset.version, file.display());
            let hint = format!("restore it with `rulepack install {id}` or `rulepack doctor --repair`");
            return Err(Failure::new(Code::DamagedPackage, text).hint(hint).package(id));
        }
        let pack = self.kept_pack(&snapshot.state, &ruleset.id, &ruleset.version);
        Ok(Whereabouts {
            root: root.display().to_string(),
            ruleset: file.display().to_string(),
            language_pack: pack.as_ref().map(|kept| Layout::pack_in(&root, &kept.language).display().to_string()),
            language: pack.map(|kept| kept.language.to_string()),
            version: ruleset.version.to_string(),
        })
    }

    fn local_path(&self, ruleset: &LocalRuleset) -> Result<Whereabouts, Failure> {
        let root = self.local_root(ruleset);
        let file = root.join(RULESET);
        if !self.has_kept(&file)? {
            let (id, version) = (ruleset.owner(), ruleset.version);
            let text = format!("{id} {version} is imported, but {} is missing", file.display());
            let hint = "restore it by importing the same file again";
            return Err(Failure::new(Code::DamagedPackage, text).hint(hint).package(id));
        }
        let pack = self.local_pack(ruleset);
        Ok(Whereabouts {
            root: root.display().to_string(),
            ruleset: file.display().to_string(),
            language_pack: pack.as_ref().map(|(_, path)| path.display().to_string()),
            language: pack.map(|(language, _)| language.to_string()),
            version: ruleset.version.to_string(),
        })
    }
}
