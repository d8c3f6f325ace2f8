//! What happens once a change stands: what it replaced goes, and what was not rulepack's to remove stays and is named
//! (docs/spec/commands.md#store-8). Every step can be made again, so a later run can take over from a dead one.
//!
//! Where the disk does not say what something is, nothing more is removed beside it, and that is said as well.

use super::change::{AddPack, Change, Discard, PackChange, Transaction, VersionPlacement};
use super::folder::Folder;
use super::layout::LOCALES;
use super::limits::STAGING_PREFIX;
use super::own_file::OwnFile;
use super::steps::parking;
use super::tree::Seen;
use super::{KeptPack, Layout, Owner, files, tree};
use crate::crash;
use crate::disk::{FileKind, Unverified};
use crate::types::{Cancel, Expected, Warning, codes};
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

/// What was removed, and what was not.
#[derive(Default)]
pub(super) struct Cleaned {
    pub warnings: Vec<Warning>,
    /// Whether the intent may go: what still lies in the staging folders, if anything, is rulepack's, and is swept.
    pub is_done: bool,
}

impl Cleaned {
    pub fn add(&mut self, other: Cleaned) {
        self.warnings.extend(other.warnings);
        self.is_done &= other.is_done;
    }
}

/// Removes what the change left behind. From here on nothing can make it fail: what cannot be removed is named.
pub(super) fn clean_up(layout: &Layout, transaction: &Transaction) -> Cleaned {
    let mut cleaned = Cleaned { is_done: true, ..Cleaned::default() };
    for change in &transaction.changes {
        let mut left = Left::default();
        match link_above_versions(layout, &change.id) {
            Ok(Some(link)) => {
                left.holds_others = !is_empty(layout, change);
                left.kept.extend(change.removes_anything().then_some(link));
            }
            Ok(None) => clean_up_package(layout, change, &mut left),
            Err(error) => left.unsure(&layout.home(&change.id), &error),
        }
        cleaned.add(left.cleaned(change));
    }
    cleaned
}

/// Whether nothing of a change lies in the staging folders any more.
fn is_empty(layout: &Layout, change: &Change) -> bool {
    let mut names = change.staged().map(|staged| replaced(layout, staged));
    names.all(|replaced| matches!(replaced, Ok((_, names)) if names.is_empty()))
}

/// What is there afterwards.
#[derive(Default)]
struct Left {
    /// Not rulepack's.
    kept: Vec<PathBuf>,
    /// Rulepack's once, and edited since: under this name now.
    edited: Vec<PathBuf>,
    /// What could not be looked at or removed, and why.
    failed: Vec<String>,
    /// Whether something that is not rulepack's, or may not be, is still where things are staged.
    holds_others: bool,
}

impl Left {
    fn failed(&mut self, path: &Path, error: &io::Error) {
        self.failed.push(format!("{} ({error})", path.display()));
    }

    /// The same of what lies where things are staged and may be somebody's: a later run tries again.
    fn unsure(&mut self, path: &Path, error: &io::Error) {
        self.holds_others = true;
        self.failed(path, error);
    }

    fn cleaned(self, change: &Change) -> Cleaned {
        let is_done = !self.holds_others;
        Cleaned { warnings: self.warnings().into_iter().map(|warning| warning.about(&change.id)).collect(), is_done }
    }

    fn warnings(self) -> Vec<Warning> {
        let names =
            |paths: &[PathBuf]| paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ");
        let told = [("rulepack did not create it", &self.kept), ("it was edited or cannot be read", &self.edited)];
        let told = told.iter().filter(|(_, paths)| !paths.is_empty());
        let kept: Vec<String> = told.map(|(why, paths)| format!("kept, because {why}: {}", names(paths))).collect();
        let kept = (!kept.is_empty()).then(|| Warning::new(codes::FILES_KEPT, kept.join("; ")));
        let failed = (!self.failed.is_empty())
            .then(|| Warning::new(codes::NOT_REMOVED, format!("cannot remove {}", self.failed.join(", "))));
        kept.into_iter().chain(failed).collect()
    }
}

/// Of a change that came to nothing, what lies in staging and is not rulepack's goes back to where it was.
pub(super) fn rescue(layout: &Layout, change: &Change) -> Cleaned {
    let mut left = Left::default();
    carry_out(layout, change, &mut left);
    left.cleaned(change)
}

/// Carries out of the staging folders what is not rulepack's, and removes the rest.
fn carry_out(layout: &Layout, change: &Change, left: &mut Left) {
    if let Some(place) = &change.place
        && let Err(error) = empty_replaced(layout, change, place, left)
    {
        left.unsure(&layout.packages().join(&place.staged), &error);
    }
    for PackChange { version, add, remove } in &change.packs {
        let root = layout.folder(&change.id, version);
        if let Some(add) = add
            && let Err(error) = keep_replaced_pack(layout, &root, add, remove.as_ref(), left)
        {
            left.unsure(&layout.packages().join(&add.staged), &error);
        }
    }
}

fn clean_up_package(layout: &Layout, change: &Change, left: &mut Left) {
    carry_out(layout, change, left);
    for PackChange { version, add, remove } in &change.packs {
        let root = layout.folder(&change.id, version);
        let in_its_place = |old: &KeptPack| add.as_ref().is_some_and(|add| add.pack.language == old.language);
        if let Some(old) = remove.as_ref().filter(|old| !in_its_place(old)) {
            if let Err(error) = remove_pack(layout, &root, old, left) {
                left.failed(&Layout::pack_in(&root, &old.language), &error);
            }
            crash::point("pack-removed");
        }
    }
    for discard in &change.discard {
        if let Err(error) = take_away(layout, change, discard, left) {
            left.failed(&layout.folder(&change.id, &discard.version), &error);
        }
        crash::point("version-removed");
    }
    // What could not be removed is no more somebody else's than before.
    if change.forgets_all() && left.failed.is_empty() {
        let home = layout.home(&change.id);
        match tree::files_below(layout, &home) {
            Ok(found) => {
                let found = found.into_iter().map(|path| home.join(path));
                let known = |path: &PathBuf| left.kept.contains(path) || left.edited.contains(path);
                let unknown: Vec<PathBuf> = found.filter(|path| !known(path)).collect();
                left.kept.extend(unknown);
            }
            Err(error) => left.failed(&home, &error),
        }
    }
}

/// A link in place of a folder that holds a package's versions: what lies behind it is somewhere else, and nothing is
/// removed there (B36).
pub(super) fn link_above_versions(layout: &Layout, owner: &Owner) -> io::Result<Option<PathBuf>> {
    let home = layout.home(owner);
    for folder in [home.parent().map(Path::to_owned).unwrap_or_default(), home] {
        if files::metadata(&folder)?.is_some_and(|there| there.is_symlink()) {
            return Ok(Some(folder));
        }
    }
    Ok(None)
}

/// What a file of a folder is, held against what was put there.
fn look(folder: &Folder, path: &str, expected: Option<Expected>) -> io::Result<Seen> {
    match tree::look(folder, path, expected, &Cancel::default()) {
        // Whoever took the right to read it away has changed it, whatever it holds; and so has a disk gone bad.
        Err(Unverified::Io(error)) if error.kind() == io::ErrorKind::PermissionDenied || files::is_broken(&error) => {
            Ok(Seen::Changed(error.to_string()))
        }
        Err(Unverified::Io(error)) => Err(error),
        Err(error) => Err(io::Error::other(error)),
        Ok(seen) => Ok(seen),
    }
}

/// What lies where something was staged: what it was exchanged for. Nothing where a link took the staging folder's
/// place: what lies behind one was not staged, and is neither moved nor removed.
fn replaced(layout: &Layout, staged: &str) -> io::Result<(Option<Folder>, Vec<OsString>)> {
    let staged = layout.packages().join(staged);
    let folder = match layout.open(staged.parent().unwrap_or(layout.packages())) {
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => None,
        folder => folder?,
    };
    let mut found = Vec::new();
    for path in [parking(&staged), staged] {
        let name = path.file_name().unwrap_or_default();
        if let Some(folder) = &folder
            && folder.find(name)?.is_some()
        {
            found.push(name.to_owned());
        }
    }
    Ok((folder, found))
}

/// Empties the folder that was replaced: rulepack's own files go, what somebody put there or edited moves over to the
/// new one. What is ours and cannot be removed now stays where it is, for whoever sweeps next.
fn empty_replaced(layout: &Layout, change: &Change, place: &VersionPlacement, left: &mut Left) -> io::Result<()> {
    let target = layout.folder(&change.id, &place.version);
    let (Some(staging), names) = replaced(layout, &place.staged)? else { return Ok(()) };
    for name in names {
        let is_stuck = match staging.find(&name)? {
            None => false,
            Some(FileKind::Folder) => match move_over(layout, change, place, &staging, &name, left) {
                Err(error) if is_refused(&error) => {
                    left.failed(&layout.packages().join(&place.staged), &error);
                    true
                }
                moved => moved?,
            },
            // Something else was in the place of the folder, and it was not rulepack that put it there.
            Some(_) => true,
        };
        if is_stuck {
            let home = layout.made(&layout.home(&change.id))?;
            let aside = staging.move_to(&name, &home, place.version.as_ref(), ".kept")?;
            left.kept.push(target.with_file_name(aside));
        }
        crash::point("replaced-removed");
    }
    Ok(())
}

/// Gives whether something in it that is not rulepack's may not be moved, so that the folder has to be kept.
fn move_over(
    layout: &Layout,
    change: &Change,
    place: &VersionPlacement,
    staging: &Folder,
    name: &OsStr,
    left: &mut Left,
) -> io::Result<bool> {
    let Some(old) = staging.folder(name)? else { return Ok(false) };
    let target = layout.folder(&change.id, &place.version);
    let packs = change.packs.iter().filter(|pack| pack.version == place.version);
    let packs = packs
        .filter_map(|pack| pack.add.as_ref())
        .map(|add| OwnFile { path: format!("{LOCALES}/{}.json", add.pack.language), expected: Some(add.pack.file) });
    let from = layout.packages().join(&place.staged).with_file_name(name);
    let packs = packs.collect();
    let mut moving = MoveOver { layout, place, packs, root: &old, from: &from, target: &target, left, is_stuck: false };
    moving.folder(&old, Path::new(""))?;
    let is_stuck = moving.is_stuck;
    // Not where something of ours could not be removed, which is named by now.
    let _ = staging.remove_folder(name);
    Ok(is_stuck)
}

/// Carries out of a replaced folder what is not rulepack's.
struct MoveOver<'a> {
    layout: &'a Layout,
    place: &'a VersionPlacement,
    /// What comes into the new one besides: the very same is nobody's but ours.
    packs: Vec<OwnFile>,
    root: &'a Folder,
    from: &'a Path,
    target: &'a Path,
    left: &'a mut Left,
    /// Whether something that is not ours may not be moved.
    is_stuck: bool,
}

impl MoveOver<'_> {
    fn folder(&mut self, from: &Folder, below: &Path) -> io::Result<()> {
        for (name, kind) in from.entries()? {
            let path = below.join(&name);
            let own = self.own(&path);
            let pack = at(&self.packs, &path);
            if self.is_as_put(&own)? || self.is_as_put(&pack)? {
                // Gone before the rest is, so that it is not among what is kept.
                if let Err(error) = from.remove_file(&name) {
                    self.left.failed(&self.from.join(path), &error);
                }
            } else if own.is_empty() && kind == FileKind::Folder {
                if let Some(inner) = from.folder(&name)? {
                    self.folder(&inner, &path)?;
                    // Not where something is left in it, which is named by now.
                    let _ = from.remove_folder(&name);
                }
            } else {
                match self.entry(from, &name, below, !own.is_empty() || !pack.is_empty()) {
                    Err(error) if is_refused(&error) => {
                        self.is_stuck = true;
                        self.left.failed(&self.from.join(path), &error);
                    }
                    moved => moved?,
                }
            }
        }
        Ok(())
    }

    /// What rulepack had put at this path, or has put there now.
    fn own(&self, path: &Path) -> Vec<OwnFile> {
        [at(&self.place.replaced, path), at(&self.place.files, path)].concat()
    }

    fn is_as_put(&self, own: &[OwnFile]) -> io::Result<bool> {
        for file in own {
            if look(self.root, &file.path, file.expected)? == Seen::AsPut {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn entry(&mut self, from: &Folder, name: &OsStr, below: &Path, is_edited: bool) -> io::Result<()> {
        let folder = self.target.join(below);
        let to = self.layout.made(&folder).map_err(|error| match error.kind() {
            io::ErrorKind::NotADirectory => {
                let text = format!("{} is not a folder: move away what is there", self.target.display());
                io::Error::new(error.kind(), text)
            }
            _ => error,
        })?;
        let moved = from.move_to(name, &to, name, if is_edited { EDITED } else { "" })?;
        let into = if is_edited { &mut self.left.edited } else { &mut self.left.kept };
        into.push(folder.join(moved));
        crash::point("file-carried-over");
        Ok(())
    }
}

/// Whether the system will not have something moved or removed, tomorrow as little as today.
fn is_refused(error: &io::Error) -> bool {
    use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem, ResourceBusy};
    matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem | ResourceBusy) || files::is_broken(error)
}

/// Those of the files that have this path.
fn at(files: &[OwnFile], path: &Path) -> Vec<OwnFile> {
    // Part by part: on Unix a `\` is a letter of a name like any other.
    let parts: Option<Vec<&str>> = path.iter().map(|part| part.to_str()).collect();
    let Some(path) = parts.map(|parts| parts.join("/")) else { return Vec::new() };
    files.iter().filter(|file| file.path == path).cloned().collect()
}

/// What a file of ours that was edited is called from then on, after its own name.
const EDITED: &str = ".edited";

/// What a new pack was exchanged with lies where the pack was staged. Unless it is the pack that goes, it was edited or
/// is somebody else's, and comes back beside the new one under another name.
fn keep_replaced_pack(
    layout: &Layout,
    root: &Path,
    add: &AddPack,
    old: Option<&KeptPack>,
    left: &mut Left,
) -> io::Result<()> {
    let target = Layout::pack_in(root, &add.pack.language);
    let old = old.filter(|old| old.language == add.pack.language);
    let (Some(staging), names) = replaced(layout, &add.staged)? else { return Ok(()) };
    for name in names {
        let mut is_ours = false;
        for pack in [Some(&add.pack), old].into_iter().flatten() {
            is_ours |= look(&staging, &name.to_string_lossy(), Some(pack.file))? == Seen::AsPut;
        }
        if is_ours {
            if let Err(error) = staging.remove_file(&name) {
                left.failed(&layout.packages().join(&add.staged).with_file_name(&name), &error);
            }
            continue;
        }
        let locales = layout.made(&root.join(LOCALES))?;
        let aside = staging.move_to(&name, &locales, target.file_name().unwrap_or_default(), EDITED)?;
        left.edited.push(target.with_file_name(aside));
    }
    Ok(())
}

/// Removes a pack. One that was edited since is not read by anybody any more, but stays under another name.
fn remove_pack(layout: &Layout, root: &Path, kept: &KeptPack, left: &mut Left) -> io::Result<()> {
    let path = Layout::pack_in(root, &kept.language);
    let name = path.file_name().unwrap_or_default();
    let locales = match layout.open(&root.join(LOCALES)) {
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            left.kept.push(path);
            return Ok(());
        }
        locales => locales?,
    };
    let Some(locales) = locales else { return Ok(()) };
    match look(&locales, &name.to_string_lossy(), Some(kept.file))? {
        Seen::Missing => {}
        Seen::AsPut => drop(locales.remove_file(name)?),
        Seen::Changed(_) | Seen::NotAFile => {
            let aside = locales.move_to(name, &locales, name, EDITED)?;
            left.edited.push(path.with_file_name(aside));
        }
    }
    // Before the intent goes, after which nobody would remove it again.
    locales.sync()?;
    drop(locales);
    if let Some(folder) = layout.open(root)? {
        match folder.remove_folder(LOCALES.as_ref()) {
            // Whether one may, some systems ask before whether something else is in it.
            Err(error) if is_refused(&error) && holds_anything(&folder, LOCALES)? => {}
            Err(error) => left.failed(&root.join(LOCALES), &error),
            Ok(false) => {}
            Ok(true) => folder.sync()?,
        }
    }
    Ok(())
}

fn holds_anything(folder: &Folder, name: &str) -> io::Result<bool> {
    Ok(match folder.folder(name)? {
        Some(inner) => !inner.entries()?.is_empty(),
        None => false,
    })
}

/// Takes a version away: its files, then every folder left empty, up to the package's own.
fn take_away(layout: &Layout, change: &Change, discard: &Discard, left: &mut Left) -> io::Result<()> {
    let root = layout.folder(&change.id, &discard.version);
    let version: &OsStr = discard.version.as_ref();
    let Some(home) = layout.open(&layout.home(&change.id))? else { return Ok(()) };
    let folder = match home.folder(version) {
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            left.kept.push(root);
            return Ok(());
        }
        folder => folder?,
    };
    if let Some(folder) = folder {
        let (mut edited, mut ours) = (Vec::new(), Vec::new());
        for file in &discard.files {
            match take_away_file(&folder, file)? {
                Taken::Gone => {}
                Taken::Aside(aside) => {
                    // At once: what comes after it may fail.
                    left.edited.push(root.join(&aside));
                    edited.push(aside);
                }
                Taken::Stays(error) => {
                    left.failed(&root.join(&file.path), &error);
                    ours.push(file.path.clone());
                }
            }
            crash::point("file-removed");
        }
        remove_empty_folders(&folder)?;
        drop(folder);
        let mut found = tree::files_below(layout, &root)?;
        found.retain(|path| !ours.contains(path));
        match found.is_empty() {
            true if ours.is_empty() => drop(home.remove_folder(version)?),
            // Where they are swept again and again.
            true => drop(home.move_to(version, &staging_for(layout)?, version, "")?),
            false => sync_all_below(&home, version)?,
        }
        home.sync()?;
        found.retain(|path| !edited.contains(path));
        left.kept.extend(found.into_iter().map(|path| root.join(path)));
    }
    drop(home);
    let home = layout.home(&change.id);
    if let (Some(parent), Some(name)) = (home.parent(), home.file_name())
        && let Some(parent) = layout.open(parent)?
    {
        // The package's own folder goes with its last version.
        if parent.remove_folder(name)? {
            parent.sync()?;
        }
    }
    Ok(())
}

/// Makes it survive a power cut that files went from a folder that stays.
fn sync_all_below(folder: &Folder, name: &OsStr) -> io::Result<()> {
    let Some(inner) = folder.folder(name)? else { return Ok(()) };
    for (name, kind) in inner.entries()? {
        if kind == FileKind::Folder {
            sync_all_below(&inner, &name)?;
        }
    }
    inner.sync()
}

/// A new folder that the next writer sweeps.
fn staging_for(layout: &Layout) -> io::Result<Folder> {
    let folder = files::ordinary(0o777).prefix(STAGING_PREFIX).tempdir_in(layout.packages())?.keep();
    layout.open(&folder)?.ok_or_else(|| io::ErrorKind::NotFound.into())
}

enum Taken {
    Gone,
    /// It was edited and has this name now.
    Aside(String),
    /// It is what was put there, and cannot be removed.
    Stays(io::Error),
}

/// Removes a file of a version if it is what was put there. One that was edited stays.
fn take_away_file(root: &Folder, file: &OwnFile) -> io::Result<Taken> {
    let seen = look(root, &file.path, file.expected)?;
    let (folders, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
    if !matches!(seen, Seen::AsPut | Seen::Changed(_)) {
        return Ok(Taken::Gone);
    }
    let Some(folder) = root.inner(folders)? else { return Ok(Taken::Gone) };
    if seen == Seen::AsPut {
        return Ok(folder.remove_file(name.as_ref()).map_or_else(Taken::Stays, |_| Taken::Gone));
    }
    let aside = folder.move_to(name.as_ref(), &folder, name.as_ref(), EDITED)?;
    let aside = aside.to_string_lossy();
    Ok(Taken::Aside(if folders.is_empty() { aside.into_owned() } else { format!("{folders}/{aside}") }))
}

fn remove_empty_folders(folder: &Folder) -> io::Result<()> {
    for (name, kind) in folder.entries()? {
        if kind == FileKind::Folder
            && let Some(inner) = folder.folder(&name)?
        {
            remove_empty_folders(&inner)?;
            drop(inner);
            folder.remove_folder(&name)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn only_what_was_put_there_is_removed() {
        let dir = tempfile::tempdir().unwrap();
        let layout = Layout::new(dir.path());
        let change = Change::of(&"demo".parse().unwrap());
        let root = layout.folder(&change.id, "1.0.0");
        fs::create_dir_all(root.join("catalogs/deep")).unwrap();
        fs::create_dir_all(root.join("notes")).unwrap();
        for file in ["ruleset.json", "catalogs/deep/a.json", "notes/mine.txt"] {
            fs::write(root.join(file), "x").unwrap();
        }
        fs::write(root.join("catalogs/edited.json"), "y").unwrap();
        let own = ["ruleset.json", "catalogs/deep/a.json", "catalogs/edited.json", "gone.json"];
        let own = own.map(|path| OwnFile { path: path.to_owned(), expected: Some(Expected::of(b"x")) });
        let discard = Discard { version: "1.0.0".to_owned(), files: own.to_vec() };
        let mut left = Left::default();
        take_away(&layout, &change, &discard, &mut left).unwrap();
        assert_eq!(left.kept, [root.join("notes/mine.txt")]);
        assert_eq!(left.edited, [root.join("catalogs/edited.json.edited")]);
        assert!(!root.join("catalogs/deep").exists() && !root.join("ruleset.json").exists());
    }

    #[test]
    fn what_was_put_aside_before_it_could_not_go_on_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let layout = Layout::new(dir.path());
        let change = Change::of(&"demo".parse().unwrap());
        let root = layout.folder(&change.id, "1.0.0");
        fs::create_dir_all(&root).unwrap();
        fs::write(root.join("ruleset.json"), "edited").unwrap();
        // The disk does not say what a name that is too long is.
        let own = ["ruleset.json".to_owned(), "x".repeat(300)];
        let own = own.map(|path| OwnFile { path, expected: Some(Expected::of(b"x")) });
        let discard = Discard { version: "1.0.0".to_owned(), files: own.to_vec() };
        let mut left = Left::default();
        assert!(take_away(&layout, &change, &discard, &mut left).is_err());
        assert_eq!(left.edited, [root.join("ruleset.json.edited")]);
    }

    /// A name that only looks like the path of a declared file.
    #[cfg(unix)]
    #[test]
    fn a_file_with_a_backslash_in_its_name_is_somebodys() {
        let dir = tempfile::tempdir().unwrap();
        let layout = Layout::new(dir.path());
        let change = Change::of(&"demo".parse().unwrap());
        let target = layout.folder(&change.id, "1.0.0");
        let staged = layout.packages().join(".staging-a/0");
        fs::create_dir_all(staged.join("catalogs")).unwrap();
        fs::create_dir_all(&target).unwrap();
        fs::write(staged.join("catalogs/gear.json"), "{}").unwrap();
        fs::write(staged.join("catalogs\\gear.json"), "mine").unwrap();
        let own = OwnFile { path: "catalogs/gear.json".to_owned(), expected: Some(Expected::of(b"{}")) };
        let place = VersionPlacement {
            version: "1.0.0".to_owned(),
            staged: ".staging-a/0".to_owned(),
            files: Vec::new(),
            replaced: vec![own],
        };
        let mut left = Left::default();
        empty_replaced(&layout, &change, &place, &mut left).unwrap();
        assert!(!left.holds_others);
        assert_eq!(left.kept, [target.join("catalogs\\gear.json")]);
        assert_eq!(fs::read_to_string(&left.kept[0]).unwrap(), "mine");
        assert!(!staged.exists());
    }
}
