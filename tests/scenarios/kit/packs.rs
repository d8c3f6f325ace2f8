//! What must hold of language packs after every command, whatever it was: the answer and the disk say the same, and
//! nothing is left lying about (docs/spec/commands.md#the-store, #language, #json).

use super::envelope::{Action, Change, Envelope, LanguagePack, PackReason, PackStatus};
use super::sandbox::{Invocation, Sandbox};
use super::sha256;
use super::tree::Tree;
use std::path::PathBuf;

/// Status, language and reason of a pack, to be compared at one glance.
pub type Told<'a> = (PackStatus, Option<&'a str>, Option<PackReason>);

pub fn fetched(language: &str) -> Told<'_> {
    (PackStatus::Fetched, Some(language), None)
}

pub fn current(language: &str) -> Told<'_> {
    (PackStatus::Current, Some(language), None)
}

/// There is none, for this reason.
pub fn unavailable(reason: PackReason) -> Told<'static> {
    (PackStatus::Unavailable, None, Some(reason))
}

/// The one listed could not be had, and an older or less fitting one stays.
pub fn instead(language: &str, reason: PackReason) -> Told<'_> {
    (PackStatus::Unavailable, Some(language), Some(reason))
}

pub const NOT_NEEDED: Told<'static> = (PackStatus::NotNeeded, None, None);
pub const NOT_LISTED: Told<'static> = (PackStatus::NotListed, None, None);
pub const REMOVED: Told<'static> = (PackStatus::Removed, None, None);

impl Envelope {
    /// What is said of the pack of one package.
    #[track_caller]
    pub fn pack(&self, id: &str) -> Told<'_> {
        let pack = self.package(id).language_pack.as_ref().unwrap_or_else(|| panic!("no pack of {id} in {self:#?}"));
        (pack.status, pack.language.as_deref(), pack.reason)
    }

    /// Fails with the whole answer unless it exited with this number.
    #[track_caller]
    pub fn expect(self, exit: i32) -> Self {
        assert_eq!(self.exit, exit, "{self:#?}");
        self
    }
}

impl Sandbox {
    /// Every language pack on disk as `<id>/<version>/<language>`, in order.
    pub fn packs(&self) -> Vec<String> {
        let tree = Tree::of(self.packages().join("versions"));
        let pack = |path: &&str| path.contains("/locales/") && path.ends_with(".json");
        let name = |path: &str| path.replace("/locales/", "/").trim_end_matches(".json").to_owned();
        tree.files().into_iter().filter(pack).map(name).collect()
    }

    /// Where a pack lies, or would.
    pub fn pack_file(&self, id: &str, version: &str, language: &str) -> PathBuf {
        self.version(id, version).join("locales").join(format!("{language}.json"))
    }

    /// Runs a command that may change packs, and holds the disk against what it says.
    #[track_caller]
    pub fn change(&self, args: &[&str]) -> Envelope {
        self.checked(self.command(args))
    }

    /// The same for a run that was adjusted.
    #[track_caller]
    pub fn checked(&self, run: Invocation) -> Envelope {
        let answer = run.json();
        if answer.answer.is_some() {
            answer.changes().packages.iter().for_each(|package| self.check_package(package));
        }
        let tree = Tree::of(self.packages());
        let left = |path: &&str| path.starts_with(".staging") || path.starts_with(".rulepack-intent");
        assert_eq!(tree.paths().into_iter().filter(left).collect::<Vec<_>>(), [""; 0], "left behind");
        answer
    }

    #[track_caller]
    fn check_package(&self, package: &Change) {
        let here = format!("{}/", package.id);
        let mut packs = self.packs();
        packs.retain(|pack| pack.starts_with(&here));
        let Some(version) = &package.version else {
            assert_eq!(packs, [""; 0], "{package:#?}");
            return;
        };
        match &package.language_pack {
            Some(pack) => {
                let there = self.check_pack(package, pack);
                let expected: Vec<String> =
                    there.map(|language| format!("{here}{version}/{language}")).into_iter().collect();
                assert_eq!(packs, expected, "{package:#?}");
            }
            None => assert!(packs.len() <= 1, "{packs:?}"),
        }
        if package.action == Action::Removed {
            assert_eq!(packs, [""; 0], "{package:#?}");
        }
    }

    /// The language of the pack that is there by what is said of it, its file held against hash and size.
    #[track_caller]
    fn check_pack(&self, package: &Change, pack: &LanguagePack) -> Option<String> {
        let unavailable = pack.status == PackStatus::Unavailable;
        assert_eq!(pack.reason.is_some(), unavailable, "{package:#?}");
        let LanguagePack { language: Some(language), path, sha256: hash, bytes, .. } = pack else {
            assert!(pack.path.is_none() && pack.sha256.is_none() && pack.bytes.is_none(), "{package:#?}");
            assert!(!matches!(pack.status, PackStatus::Fetched | PackStatus::Current), "{package:#?}");
            return None;
        };
        assert!(unavailable || matches!(pack.status, PackStatus::Fetched | PackStatus::Current), "{package:#?}");
        let file = self.pack_file(&package.id, package.version.as_deref().unwrap(), language);
        assert_eq!(path.as_deref(), file.to_str(), "{package:#?}");
        let content = std::fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        assert_eq!(hash.as_ref(), Some(&sha256(&content)), "{package:#?}");
        assert_eq!(*bytes, Some(content.len() as u64), "{package:#?}");
        Some(language.clone())
    }
}
