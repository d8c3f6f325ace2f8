//! What happens once a change stands: what it replaced goes, and what was not rulepack's to remove stays and is named
//! (contract, section 4, rule 8). Every step can be made again, so a later run can take over from a dead one.

use super::change::{AddPack, Change, Discard, OwnFile, PackChange, Place, Transaction};
use super::commit::parking;
use super::layout::LOCALES;
use super::whereabouts::is_staged;
use super::{KeptPack, Layout, files, tree};
use crate::crash;
use crate::types::{Cancel, Expected, Warning};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Removes what the change left behind. From here on nothing can make it fail: what cannot be removed is named.
pub(super) fn clean_up(layout: &Layout, transaction: &Transaction) -> Vec<Warning> {
    let mut warnings = Vec::new();
    for change in &transaction.changes {
        let stayed = match link_above_versions(layout, change) {
            Some(link) if change.removes_anything() => vec![link],
            Some(_) => Vec::new(),
            None => clean_up_package(layout, change),
        };
        if !stayed.is_empty() {
            let names: Vec<String> = stayed.iter().map(|path| path.display().to_string()).collect();
            let text = format!("kept, since rulepack did not put it there: {}", names.join(", "));
            warnings.push(Warning::new("files-kept", text).about(&change.id));
        }
    }
    warnings
}

/// Gives what is there afterwards and was not rulepack's.
fn clean_up_package(layout: &Layout, change: &Change) -> Vec<PathBuf> {
    let mut stayed = Vec::new();
    if let Some(place) = &change.place {
        stayed.extend(empty_replaced(layout, change, place));
    }
    for PackChange { version, add, remove } in &change.packs {
        let root = layout.folder(&change.id, version);
        stayed.extend(add.iter().flat_map(|add| keep_replaced_pack(layout, &root, add, remove.as_ref())));
        let in_its_place = |old: &KeptPack| add.as_ref().is_some_and(|add| add.pack.language == old.language);
        if let Some(old) = remove.as_ref().filter(|old| !in_its_place(old)) {
            stayed.extend(remove_pack(&root, old));
            crash::point("pack-removed");
        }
    }
    for discard in &change.discard {
        stayed.extend(take_away(layout, change, discard));
        crash::point("version-removed");
    }
    if change.forgets_all() {
        let root = layout.home(&change.id);
        let left: Vec<PathBuf> = tree::files_below(&root).into_iter().map(|path| root.join(path)).collect();
        stayed.extend(left.into_iter().filter(|path| !stayed.contains(path)).collect::<Vec<_>>());
    }
    stayed
}

/// A link in place of a folder that holds a package's versions: what lies behind it is somewhere else, and nothing is
/// removed there (B36).
fn link_above_versions(layout: &Layout, change: &Change) -> Option<PathBuf> {
    let home = layout.home(&change.id);
    let folders = [home.parent().map(Path::to_owned).unwrap_or_default(), home];
    folders.into_iter().find(|folder| fs::symlink_metadata(folder).is_ok_and(|meta| meta.is_symlink()))
}

/// Whether the file is what was put there.
fn is_as_put(root: &Path, file: &OwnFile) -> bool {
    match file.expected {
        None => true,
        Some(expected) => matches!(tree::check_file(root, &file.path, expected, &Cancel::default()), Ok(None)),
    }
}

/// What lies where something was staged: what it was exchanged for.
fn replaced(layout: &Layout, staged: &str) -> Vec<PathBuf> {
    let staged = layout.packages().join(staged);
    if !is_staged(&staged) {
        return Vec::new();
    }
    let mut found = vec![parking(&staged), staged];
    found.retain(|path| files::exists(path));
    found
}

/// Empties the folder that was replaced: rulepack's own files go, what somebody put there or edited moves over to the
/// new one.
pub(super) fn empty_replaced(layout: &Layout, change: &Change, place: &Place) -> Vec<PathBuf> {
    let target = layout.folder(&change.id, &place.version);
    let mut stayed = Vec::new();
    for old in replaced(layout, &place.staged) {
        let mut move_over = MoveOver { place, target: &target, stayed: Vec::new(), failed: false };
        match files::is_real_folder(&old) {
            true => move_over.folder(&old, &old, Path::new("")),
            false => move_over.failed = true,
        }
        stayed.append(&mut move_over.stayed);
        if move_over.failed {
            // It would be swept with the staging folder.
            stayed.extend(set_aside(&old, &target, ".kept"));
        } else {
            let _ = fs::remove_dir_all(&old);
        }
        crash::point("replaced-removed");
    }
    stayed
}

/// Carries out of a replaced folder what is not rulepack's.
struct MoveOver<'a> {
    place: &'a Place,
    target: &'a Path,
    /// Where each file now lies.
    stayed: Vec<PathBuf>,
    /// Whether something could not be moved.
    failed: bool,
}

impl MoveOver<'_> {
    fn folder(&mut self, root: &Path, folder: &Path, below: &Path) {
        let Ok(entries) = fs::read_dir(folder) else {
            self.failed = true;
            return;
        };
        for entry in entries.flatten() {
            let name = below.join(entry.file_name());
            let own = self.own(&name);
            if !own.is_empty() && own.iter().any(|file| is_as_put(root, file)) {
                // Gone before the rest is, so that it is not among what is kept.
                self.failed |= files::remove_if_there(&entry.path()).is_err();
            } else if own.is_empty() && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                self.folder(root, &entry.path(), &name);
            } else {
                self.entry(&entry.path(), &name, if own.is_empty() { "" } else { ".edited" });
            }
        }
    }

    /// What rulepack had put at this path, or has put there now.
    fn own(&self, path: &Path) -> Vec<OwnFile> {
        // Part by part: on Unix a `\` is a letter of a name like any other.
        let parts: Option<Vec<&str>> = path.iter().map(|part| part.to_str()).collect();
        let Some(path) = parts.map(|parts| parts.join("/")) else { return Vec::new() };
        self.place.replaced.iter().chain(&self.place.files).filter(|file| file.path == path).cloned().collect()
    }

    fn entry(&mut self, from: &Path, name: &Path, suffix: &str) {
        let to = self.target.join(name);
        let moved = to.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| move_aside(from, &to, suffix));
        match moved {
            Ok(to) => self.stayed.push(to),
            Err(_) => self.failed = true,
        }
        crash::point("file-carried-over");
    }
}

/// What a new pack was exchanged with lies where the pack was staged. Unless it is the pack that goes, it was edited or
/// is somebody else's, and comes back beside the new one under another name.
pub(super) fn keep_replaced_pack(layout: &Layout, root: &Path, add: &AddPack, old: Option<&KeptPack>) -> Vec<PathBuf> {
    let target = Layout::pack_in(root, &add.pack.language);
    let old = old.filter(|old| old.language == add.pack.language);
    let ours = [Some(&add.pack), old];
    let mut displaced = replaced(layout, &add.staged);
    displaced.retain(|path| !ours.iter().flatten().any(|pack| is_exactly(path, pack.file)));
    displaced.iter().flat_map(|path| set_aside(path, &target, ".edited")).collect()
}

fn is_exactly(path: &Path, expected: Expected) -> bool {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name().and_then(|name| name.to_str())) else {
        return false;
    };
    matches!(tree::check_file(folder, name, expected, &Cancel::default()), Ok(None))
}

/// Removes a pack. One that was edited since is not read by anybody any more, but stays under another name.
fn remove_pack(root: &Path, kept: &KeptPack) -> Option<PathBuf> {
    let path = Layout::pack_in(root, &kept.language);
    if !files::exists(&path) {
        return None;
    }
    let folder = root.join(LOCALES);
    if !files::is_real_folder(&folder) || !tree::is_own_folder(root) {
        return Some(path);
    }
    let stayed = match is_exactly(&path, kept.file) {
        true => files::remove_if_there(&path).is_err().then(|| path.clone()),
        false => set_aside(&path, &path, ".edited"),
    };
    // Refused when something else is in it.
    let _ = fs::remove_dir(folder);
    stayed
}

/// Moves something that is not rulepack's to a free name beside `beside`; says where it is now.
fn set_aside(from: &Path, beside: &Path, suffix: &str) -> Option<PathBuf> {
    Some(move_aside(from, beside, suffix).unwrap_or_else(|_| from.to_owned()))
}

fn move_aside(from: &Path, beside: &Path, suffix: &str) -> io::Result<PathBuf> {
    let to = files::free_name(beside, suffix);
    files::rename(from, &to)?;
    Ok(to)
}

fn take_away(layout: &Layout, change: &Change, discard: &Discard) -> Vec<PathBuf> {
    let root = layout.folder(&change.id, &discard.version);
    let ours = discard.files.iter().filter(|file| !discard.keep_edited || is_as_put(&root, file));
    let paths = ours.map(|file| file.path.clone()).collect();
    let failed = tree::remove(&root, &paths).is_err();
    let mut stayed: Vec<PathBuf> = tree::files_below(&root).into_iter().map(|path| root.join(path)).collect();
    if failed && stayed.is_empty() {
        stayed.push(root);
    }
    // The package's own folder goes with its last version.
    let _ = fs::remove_dir(layout.home(&change.id));
    stayed
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A name that only looks like the path of a declared file.
    #[cfg(unix)]
    #[test]
    fn a_file_with_a_backslash_in_its_name_is_somebodys() {
        let dir = tempfile::tempdir().unwrap();
        let (old, target) = (dir.path().join("old"), dir.path().join("new"));
        fs::create_dir_all(old.join("catalogs")).unwrap();
        fs::create_dir(&target).unwrap();
        fs::write(old.join("catalogs/gear.json"), "{}").unwrap();
        fs::write(old.join("catalogs\\gear.json"), "mine").unwrap();
        let own = OwnFile { path: "catalogs/gear.json".to_owned(), expected: Some(Expected::of(b"{}")) };
        let version = "1.0.0".to_owned();
        let place = Place { version, staged: String::new(), files: Vec::new(), replaced: vec![own] };
        let mut moving = MoveOver { place: &place, target: &target, stayed: Vec::new(), failed: false };
        moving.folder(&old, &old, Path::new(""));
        assert!(!moving.failed);
        assert_eq!(moving.stayed, [target.join("catalogs\\gear.json")]);
        assert_eq!(fs::read_to_string(&moving.stayed[0]).unwrap(), "mine");
    }
}
