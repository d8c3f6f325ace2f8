use super::report::{LanguagePack, ListedPackage, Listing, PackStatus, Soundness};
use super::{App, name_of, unreadable_records};
use crate::store::{Layout, Snapshot};
use crate::types::Failure;

impl App {
    /// What is installed. Every file is hashed, so that `ok` means what it says; no network is used.
    pub fn list(&self) -> Result<Listing, Failure> {
        let is_sound = |listing: &Listing| listing.packages.iter().all(|package| package.state == Soundness::Ok);
        self.look(|snapshot| self.list_of(snapshot), is_sound)
    }

    fn list_of(&self, snapshot: &Snapshot) -> Result<Listing, Failure> {
        unreadable_records(snapshot).into_iter().for_each(|warning| self.warn(warning));
        let mut packages = Vec::new();
        for ruleset in snapshot.registry.rulesets() {
            let root = self.store.layout().version(&ruleset.id, &ruleset.version);
            let pack = self.kept_pack(&snapshot.state, &ruleset.id, &ruleset.version);
            let state = match self.is_intact(&ruleset, pack.as_ref(), snapshot)? {
                true => Soundness::Ok,
                false => Soundness::Damaged,
            };
            packages.push(ListedPackage {
                id: ruleset.id.to_string(),
                name: name_of(&ruleset),
                version: ruleset.version.to_string(),
                previous_version: ruleset.previous.as_ref().map(|previous| previous.version.to_string()),
                state,
                held: snapshot.state.is_held(&ruleset.id),
                language_pack: pack.map(|kept| LanguagePack {
                    status: PackStatus::Current,
                    language: Some(kept.language.to_string()),
                    path: Some(Layout::pack_in(&root, &kept.language).display().to_string()),
                    sha256: Some(kept.file.sha256.to_string()),
                    bytes: Some(kept.file.bytes.0),
                    reason: None,
                }),
                path: root.display().to_string(),
                installed_at: Some(ruleset.installed_at),
            });
        }
        Ok(Listing { packages })
    }
}
