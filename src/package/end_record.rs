//! The frame of a zip, looked at before the zip crate reads anything. The crate looks for an end record that somehow
//! works and takes the directory's word for its length; here there is exactly one zip, from the first byte to the last,
//! of a size that is known before memory is spent on it (docs/spec/catalog.md#the-frame-of-a-zip).

use super::fault::excerpt;
use super::{CHUNK, Fault, MAX_DIRECTORY, MAX_ENTRIES};
use std::collections::HashSet;
use std::io::{self, Read, Seek, SeekFrom};

const END: &[u8; 4] = b"PK\x05\x06";
const END_LENGTH: usize = 22;
const LOCATOR: &[u8; 4] = b"PK\x06\x07";
const LOCATOR_LENGTH: u64 = 20;
const END64: &[u8; 4] = b"PK\x06\x06";
const END64_LENGTH: usize = 56;
const ENTRY: &[u8; 4] = b"PK\x01\x02";
const ENTRY_LENGTH: usize = 46;

/// What the end record says, once it is known to describe the whole file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct EndRecord {
    pub entries: u64,
    pub directory_start: u64,
    pub directory_bytes: u64,
}

impl EndRecord {
    /// Finds the end record, zip64 or not, with a comment or without, and checks that the directory ends where it
    /// begins.
    pub(super) fn find<R: Read + Seek>(from: &mut R) -> Result<Self, Fault> {
        let file_end = from.seek(SeekFrom::End(0))?;
        let tail_start = file_end.saturating_sub((END_LENGTH + usize::from(u16::MAX)) as u64);
        let mut tail = Vec::new();
        from.seek(SeekFrom::Start(tail_start))?;
        from.by_ref().take(file_end - tail_start).read_to_end(&mut tail)?;

        // The last one counts, as for every reader that starts at the end. One inside a comment does not describe
        // the file, so such a comment is refused below.
        let at = tail.windows(END.len()).rposition(|bytes| bytes == END).ok_or(Fault::NoEndRecord)?;
        let record = &tail[at..];
        if record.len() < END_LENGTH {
            return Err(Fault::NoEndRecord);
        }
        let comment = usize::from(u16_at(record, 20));
        match record.len().cmp(&(END_LENGTH + comment)) {
            std::cmp::Ordering::Less => return Err(Fault::NoEndRecord),
            std::cmp::Ordering::Greater => return Err(Fault::BytesAfterEnd),
            std::cmp::Ordering::Equal => {}
        }
        let start = tail_start + at as u64;
        let found = match locator_before(from, start)? {
            Some(locator) => Self::zip64(from, record, start - LOCATOR_LENGTH, &locator)?,
            None => Self::plain(record, start)?,
        };
        if found.entries > MAX_ENTRIES {
            return Err(Fault::TooManyEntries { count: found.entries });
        }
        if found.directory_bytes > MAX_DIRECTORY.0 {
            return Err(Fault::DirectoryTooLong { bytes: found.directory_bytes });
        }
        Ok(found)
    }

    fn plain(record: &[u8], start: u64) -> Result<Self, Fault> {
        let [disk, directory_disk, here, entries] = [4, 6, 8, 10].map(|at| u16_at(record, at));
        if disk != 0 || directory_disk != 0 || here != entries {
            return Err(Fault::SeveralDisks);
        }
        let found = EndRecord {
            entries: entries.into(),
            directory_bytes: u32_at(record, 12).into(),
            directory_start: u32_at(record, 16).into(),
        };
        found.ends_at(start)
    }

    /// The zip64 end record, which the locator points to, must stand right before the locator.
    fn zip64<R: Read + Seek>(from: &mut R, record: &[u8], locator_start: u64, locator: &[u8]) -> Result<Self, Fault> {
        let start = u64_at(locator, 8);
        if start.checked_add(END64_LENGTH as u64).is_none_or(|end| end > locator_start) {
            return Err(Fault::DirectoryMoved);
        }
        let mut large = [0; END64_LENGTH];
        from.seek(SeekFrom::Start(start))?;
        from.read_exact(&mut large)?;
        let length = u64_at(&large, 4).checked_add(12);
        if !large.starts_with(END64) || length.and_then(|length| start.checked_add(length)) != Some(locator_start) {
            return Err(Fault::DirectoryMoved);
        }
        let [disk, directory_disk] = [16, 20].map(|at| u32_at(&large, at));
        let [here, entries, directory_bytes, directory_start] = [24, 32, 40, 48].map(|at| u64_at(&large, at));
        let disks = [u32_at(locator, 4), disk, directory_disk];
        if disks != [0; 3] || u32_at(locator, 16) > 1 || here != entries {
            return Err(Fault::SeveralDisks);
        }
        // A field of the short record is either too small for its value, and says so, or says the same.
        let same16 = |at, value| [u64::from(u16::MAX), value].contains(&u16_at(record, at).into());
        let same32 = |at, value| [u64::from(u32::MAX), value].contains(&u32_at(record, at).into());
        let same = same16(4, 0) && same16(6, 0) && same16(8, entries) && same16(10, entries);
        if !same || !same32(12, directory_bytes) || !same32(16, directory_start) {
            return Err(Fault::EndRecordsDiffer);
        }
        EndRecord { entries, directory_start, directory_bytes }.ends_at(start)
    }

    fn ends_at(self, end: u64) -> Result<Self, Fault> {
        if self.directory_start.checked_add(self.directory_bytes) == Some(end) {
            Ok(self)
        } else {
            Err(Fault::DirectoryMoved)
        }
    }

    /// Walks the directory from end to end: as many entries as were said, all on this disk, no name twice. (The zip
    /// crate keeps the last of two entries with one name.)
    pub(super) fn check_directory<R: Read + Seek>(&self, from: &mut R) -> Result<(), Fault> {
        from.seek(SeekFrom::Start(self.directory_start))?;
        let mut directory = io::BufReader::with_capacity(CHUNK, from.take(self.directory_bytes));
        let (mut found, mut left) = (0, self.directory_bytes);
        let mut names = HashSet::new();
        while left > 0 {
            let mut entry = [0; ENTRY_LENGTH];
            exactly(&mut directory, &mut entry)?;
            if !entry.starts_with(ENTRY) {
                return Err(Fault::Inconsistent { why: "its directory contains more than entries".to_owned() });
            }
            if !matches!(u16_at(&entry, 34), 0 | u16::MAX) {
                return Err(Fault::SeveralDisks);
            }
            let [name, extra, comment] = [28, 30, 32].map(|at| usize::from(u16_at(&entry, at)));
            let mut rest = vec![0; name + extra + comment];
            exactly(&mut directory, &mut rest)?;
            left = left.saturating_sub((ENTRY_LENGTH + rest.len()) as u64);
            rest.truncate(name);
            if let Some(twice) = names.replace(rest) {
                let name = String::from_utf8_lossy(&twice);
                return Err(match name.parse() {
                    Ok(path) => Fault::SameName { path },
                    Err(why) => Fault::UnsafePath { name: excerpt(&name), why },
                });
            }
            found += 1;
        }
        if found == self.entries { Ok(()) } else { Err(Fault::WrongCount { declared: self.entries, found }) }
    }
}

/// The zip64 locator, if one stands right before the end record at `start`.
fn locator_before<R: Read + Seek>(from: &mut R, start: u64) -> Result<Option<[u8; LOCATOR_LENGTH as usize]>, Fault> {
    let Some(at) = start.checked_sub(LOCATOR_LENGTH) else { return Ok(None) };
    let mut locator = [0; LOCATOR_LENGTH as usize];
    from.seek(SeekFrom::Start(at))?;
    from.read_exact(&mut locator)?;
    Ok(locator.starts_with(LOCATOR).then_some(locator))
}

fn exactly(from: &mut impl Read, bytes: &mut [u8]) -> Result<(), Fault> {
    from.read_exact(bytes).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => Fault::Inconsistent { why: "its directory ends within an entry".to_owned() },
        _ => Fault::Read(error),
    })
}

fn bytes_at<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let mut number = [0; N];
    number.copy_from_slice(&bytes[at..at + N]);
    number
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(bytes_at(bytes, at))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes_at(bytes, at))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes_at(bytes, at))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{FILES, Parts, end_record, entries, entry, faults, manifest, parts, unpacked};
    use super::*;

    fn ordinary() -> Parts {
        parts(&entries(FILES))
    }

    fn fault(artifact: &[u8]) -> String {
        faults(artifact, &manifest(FILES)).remove(0)
    }

    fn is_accepted(artifact: &[u8]) {
        if let Err(faults) = unpacked(artifact, &manifest(FILES)).0 {
            panic!("{faults:?}");
        }
    }

    #[test]
    fn a_comment_and_zip64_records_are_accepted() {
        let zip = ordinary();
        is_accepted(&zip.with_end(&zip.end()));
        is_accepted(&zip.with_end(&zip.end64()));
        for comment in [&b"made by hand"[..], &[b'x'; u16::MAX as usize]] {
            let end = end_record(0, zip.count, zip.directory.len() as u32, zip.files.len() as u32, comment);
            is_accepted(&zip.with_end(&end));
        }
        let mut says_it_in_both = zip.end64();
        let short = zip.end();
        says_it_in_both.truncate(says_it_in_both.len() - short.len());
        says_it_in_both.extend(short);
        is_accepted(&zip.with_end(&says_it_in_both));
    }

    #[test]
    fn bytes_before_or_after_the_zip_are_refused() {
        let zip = ordinary();
        let whole = zip.with_end(&zip.end());
        assert_eq!(fault(&[&whole[..], b"x"].concat()), "BytesAfterEnd");
        assert_eq!(fault(&whole[..whole.len() - 1]), "NoEndRecord");
        assert_eq!(fault(&whole[..whole.len() - 22]), "NoEndRecord");
        assert_eq!(fault(&[&whole[..], &whole[..]].concat()), "DirectoryMoved");
        assert_eq!(fault(&[b"PK\x03\x04 a stub", &whole[..]].concat()), "DirectoryMoved");

        // The same with its offsets mended, as self-extracting archives have them.
        let mut moved = parts(&entries(FILES));
        let stub = b"PK\x03\x04 a stub";
        moved.files.splice(..0, stub.iter().copied());
        let mut at = 0;
        while at < moved.directory.len() {
            let offset = u32_at(&moved.directory, at + 42) + stub.len() as u32;
            moved.directory[at + 42..at + 46].copy_from_slice(&offset.to_le_bytes());
            at += ENTRY_LENGTH + usize::from(u16_at(&moved.directory, at + 28));
        }
        assert_eq!(fault(&moved.with_end(&moved.end())), "BytesBeforeStart");
    }

    #[test]
    fn of_two_zips_in_one_file_neither_is_read() {
        let (first, second) = (ordinary(), parts(&entries(&[("ruleset.json", b"{}")])));
        let whole = second.with_end(&second.end());
        assert_eq!(fault(&[first.with_end(&first.end()), whole.clone()].concat()), "DirectoryMoved");
        // The second as the first one's comment.
        let end = end_record(0, first.count, first.directory.len() as u32, first.files.len() as u32, &whole);
        assert_eq!(fault(&first.with_end(&end)), "DirectoryMoved");
    }

    #[test]
    fn a_record_that_lies_about_the_directory_is_refused() {
        let zip = ordinary();
        let (length, start) = (zip.directory.len() as u32, zip.files.len() as u32);
        let with = |disk, count, length, start| zip.with_end(&end_record(disk, count, length, start, b""));
        assert_eq!(fault(&with(0, zip.count - 1, length, start)), "WrongCount");
        assert_eq!(fault(&with(0, zip.count + 1, length, start)), "WrongCount");
        assert_eq!(fault(&with(0, zip.count, length - 1, start)), "DirectoryMoved");
        assert_eq!(fault(&with(0, zip.count, length, start + 1)), "DirectoryMoved");
        assert_eq!(fault(&with(0, zip.count, length + 1, start - 1)), "Inconsistent");
        assert_eq!(fault(&with(1, zip.count, length, start)), "SeveralDisks");
        assert_eq!(fault(&with(0, 8193, length, start)), "TooManyEntries");
        assert_eq!(fault(&with(0, u16::MAX, u32::MAX, u32::MAX)), "DirectoryMoved");
    }

    #[test]
    fn a_zip64_record_that_lies_is_refused() {
        let zip = ordinary();
        let changed = |at: usize, byte: u8| {
            let mut end = zip.end64();
            end[at] ^= byte;
            fault(&zip.with_end(&end))
        };
        let locator = END64_LENGTH;
        let short = END64_LENGTH + LOCATOR_LENGTH as usize;
        assert_eq!(changed(0, 1), "DirectoryMoved");
        assert_eq!(changed(4, 1), "DirectoryMoved");
        assert_eq!(changed(16, 1), "SeveralDisks");
        assert_eq!(changed(24, 1), "SeveralDisks");
        assert_eq!(changed(33, 0x40), "SeveralDisks");
        assert_eq!(changed(40, 1), "DirectoryMoved");
        assert_eq!(changed(48, 1), "DirectoryMoved");
        assert_eq!(changed(55, 0xff), "DirectoryMoved");
        assert_eq!(changed(locator + 4, 1), "SeveralDisks");
        assert_eq!(changed(locator + 8, 1), "DirectoryMoved");
        assert_eq!(changed(locator + 15, 0xff), "DirectoryMoved");
        assert_eq!(changed(locator + 16, 2), "SeveralDisks");
        assert_eq!(changed(short + 10, 1), "EndRecordsDiffer");
        assert_eq!(changed(short + 16, 1), "EndRecordsDiffer");
    }

    #[test]
    fn entries_and_directory_are_limited_before_memory_is_spent() {
        let many: Vec<_> = (0..=MAX_ENTRIES).map(|n| entry(format!("f{n}"), "")).collect();
        let zip = parts(&many);
        assert_eq!(fault(&zip.with_end(&zip.end())), "TooManyEntries");

        let mut long = ordinary();
        long.directory.resize(MAX_DIRECTORY.0 as usize + 1, 0);
        assert_eq!(fault(&long.with_end(&long.end())), "DirectoryTooLong");
    }

    #[test]
    fn an_entry_on_another_disk_or_named_twice_is_refused() {
        let mut all = entries(FILES);
        all[1].disk = 1;
        assert_eq!(fault(&super::super::testing::zip(&all)), "SeveralDisks");
        all[1].disk = u16::MAX;
        is_accepted(&super::super::testing::zip(&all));
        all.push(all[2].clone());
        assert_eq!(fault(&super::super::testing::zip(&all)), "SameName");
    }
}
