use super::{Fault, MAX_ENTRIES};
use crate::types::SafePath;
use std::collections::{BTreeMap, HashSet};

/// What an archive has at a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryKind {
    File,
    Folder,
}

/// The names of an archive so far, so that no two of them mean one file on any disk and none needs another to be file
/// and folder at once, nor all of them need more files and folders on a disk than an artifact may have.
#[derive(Default)]
pub(super) struct Names {
    named: BTreeMap<String, (EntryKind, SafePath)>,
    files: u64,
    /// Every folder there is, named or only lain in.
    folders: HashSet<String>,
}

impl Names {
    /// Adds a name, unless it gets into another's way. Folders may be named twice: they are not unpacked.
    pub(super) fn add(&mut self, path: SafePath, kind: EntryKind) -> Result<(), Fault> {
        let folded = path.folded();
        if kind == EntryKind::File
            && let Some(other) = self.file(&folded)
        {
            let other = other.clone();
            return Err(if other == path { Fault::SameName { path } } else { Fault::Twins { path, other } });
        }
        if let Some(other) = self.in_the_way(&folded, kind) {
            return Err(Fault::FileAndFolder { other: other.clone(), path });
        }
        self.count(&folded, kind)?;
        self.named.insert(folded, (kind, path));
        Ok(())
    }

    /// Counts it, and the folders it lies in that nothing before it lay in.
    fn count(&mut self, folded: &str, kind: EntryKind) -> Result<(), Fault> {
        let mut folder = match kind {
            EntryKind::Folder => Some(folded),
            EntryKind::File => {
                self.files += 1;
                folded.rfind('/').map(|end| &folded[..end])
            }
        };
        while let Some(name) = folder.filter(|name| self.folders.insert((*name).to_owned())) {
            folder = name.rfind('/').map(|end| &name[..end]);
        }
        let count = self.files + self.folders.len() as u64;
        if count > MAX_ENTRIES { Err(Fault::TooManyEntries { count }) } else { Ok(()) }
    }

    /// What makes a file of a folder or a folder of a file.
    fn in_the_way(&self, folded: &str, kind: EntryKind) -> Option<&SafePath> {
        let ancestor = folded.match_indices('/').find_map(|(at, _)| self.file(&folded[..at]));
        match kind {
            EntryKind::Folder => ancestor.or_else(|| self.file(folded)),
            EntryKind::File => {
                ancestor.or_else(|| self.named.get(folded).map(|(_, path)| path)).or_else(|| self.below(folded))
            }
        }
    }

    fn file(&self, folded: &str) -> Option<&SafePath> {
        self.named.get(folded).filter(|(kind, _)| *kind == EntryKind::File).map(|(_, path)| path)
    }

    /// Something that lies in a folder of this name.
    fn below(&self, folded: &str) -> Option<&SafePath> {
        let folder = format!("{folded}/");
        let (first, (_, path)) = self.named.range(folder.clone()..).next()?;
        first.starts_with(&folder).then_some(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn added(names: &[(&str, EntryKind)]) -> Result<(), Fault> {
        let mut all = Names::default();
        names.iter().try_for_each(|(name, kind)| all.add(name.parse().unwrap(), *kind))
    }

    #[test]
    fn names_that_mean_one_file_somewhere_are_refused() {
        use EntryKind::{File, Folder};
        assert!(matches!(added(&[("a", File), ("a", File)]), Err(Fault::SameName { .. })));
        assert!(matches!(added(&[("A", File), ("a", File)]), Err(Fault::Twins { .. })));
        assert!(matches!(added(&[("\u{e9}", File), ("e\u{301}", File)]), Err(Fault::Twins { .. })));
        for clash in [
            [("a", File), ("a/b", File)],
            [("a/b", File), ("a", File)],
            [("a/b/c", File), ("A", File)],
            [("a", File), ("a", Folder)],
            [("a", Folder), ("a", File)],
            [("A", Folder), ("a", File)],
            [("a", File), ("a/b", Folder)],
            [("a/b", Folder), ("a", File)],
        ] {
            assert!(matches!(added(&clash), Err(Fault::FileAndFolder { .. })), "{clash:?}");
        }
    }

    #[test]
    fn folders_that_are_only_lain_in_count() {
        let deep = |n: u64| format!("f{n}/{}x", "a/".repeat(98));
        let mut all = Names::default();
        let added = (0..MAX_ENTRIES).map(|n| all.add(deep(n).parse().unwrap(), EntryKind::File));
        // Each is a file and 99 folders.
        let fitting = added.take_while(Result::is_ok).count() as u64;
        assert_eq!(fitting, MAX_ENTRIES / 100);
        let mut all = Names::default();
        for n in 0..MAX_ENTRIES - 2 {
            all.add(format!("a/b/{n}").parse().unwrap(), EntryKind::File).unwrap();
        }
        all.add("a".parse().unwrap(), EntryKind::Folder).unwrap();
        assert!(matches!(all.add("x".parse().unwrap(), EntryKind::File), Err(Fault::TooManyEntries { count: 8193 })));
    }

    #[test]
    fn names_beside_each_other_are_not() {
        use EntryKind::{File, Folder};
        for fine in [
            [("a/b", File), ("a/c", File)],
            [("a", File), ("a-b", File)],
            [("a", File), ("ab/c", File)],
            [("a", Folder), ("a/b", File)],
            [("a/b", File), ("a", Folder)],
            [("a", Folder), ("A", Folder)],
        ] {
            assert!(added(&fine).is_ok(), "{fine:?}");
        }
    }
}
