use super::imports::{LocalRuleset, locals};
use super::naming::name_of;
use super::report::{LanguagePack, ListedPackage, Listing, PackStatus, Soundness};
use super::{App, unreadable_records};
use crate::store::Snapshot;
use crate::types::{Failure, Language};

impl App {
    /// What is installed. Every file is hashed, so that `ok` means what it says; no network is used.
    ///
    /// # Errors
    /// When the store cannot be read: `damaged-store`, `io`.
    pub fn list(&self) -> Result<Listing, Failure> {
        let is_sound = |listing: &Listing| listing.packages.iter().all(|package| package.state == Soundness::Ok);
        self.look(|snapshot| self.list_of(snapshot), is_sound)
    }

    fn list_of(&self, snapshot: &Snapshot) -> Result<Listing, Failure> {
        unreadable_records(snapshot).into_iter().for_each(|warning| self.warn(warning));
        let language = self.language(&snapshot.state);
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
                name: name_of(&ruleset, &language, &snapshot.state),
                version: ruleset.version.to_string(),
                previous_version: ruleset.previous.as_ref().map(|previous| previous.version.to_string()),
                state,
                held: snapshot.state.is_held(&ruleset.id),
                language_pack: pack.map(|kept| LanguagePack::kept(PackStatus::Current, &kept, &root)),
                path: root.display().to_string(),
                installed_at: Some(ruleset.installed_at),
            });
        }
        for ruleset in locals(snapshot) {
            packages.push(self.list_local(&ruleset, &language)?);
        }
        Ok(Listing { packages })
    }

    fn list_local(&self, ruleset: &LocalRuleset, language: &Language) -> Result<ListedPackage, Failure> {
        let is_intact = self.local_flaws(&ruleset.id, ruleset.version, &ruleset.kept.all_files())?.is_empty();
        let root = self.local_root(ruleset);
        let kept = ruleset.kept.pack.as_ref().filter(|_| self.local_pack(ruleset).is_some());
        Ok(ListedPackage {
            id: ruleset.owner().to_string(),
            name: Some(self.local_name(ruleset, language)),
            version: ruleset.version.to_string(),
            previous_version: None,
            state: if is_intact { Soundness::Ok } else { Soundness::Damaged },
            held: false,
            language_pack: kept.map(|kept| LanguagePack::kept(PackStatus::Current, kept, &root)),
            path: root.display().to_string(),
            installed_at: Some(ruleset.kept.installed_at.clone()),
        })
    }
}
