use crate::types::{Code, Failure, Version};
use jiff::civil::Date;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

/// The most versions whose notes are published of one package (docs/spec/catalog.md#release-notes).
const MOST: usize = 20;
/// The longest note, in UTF-16 units.
const LONGEST: usize = 1000;

/// The `notes.json` beside a catalog.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Notes {
    pub schema_version: u32,
    pub packages: BTreeMap<String, PackageNotes>,
}

#[derive(Debug, PartialEq, Serialize)]
pub struct PackageNotes {
    pub versions: Vec<Note>,
}

/// What is new in one version.
#[derive(Debug, PartialEq, Serialize)]
pub struct Note {
    pub version: String,
    pub date: String,
    pub notes: String,
    pub highlight: bool,
}

impl PackageNotes {
    /// Reads a package's changelog: headings `## <version> — <date>`, newest first, the first of them the version
    /// published; `highlight` or `quiet` after the date says whether the note stands out. Without either it does when
    /// the major or minor version changed.
    ///
    /// # Errors
    ///
    /// `invalid-entry`, with the line, for a changelog that is none.
    pub fn read(changelog: &str, version: &Version, file: &Path) -> Result<Self, Failure> {
        let mut found: Vec<Draft<'_>> = Vec::new();
        for (number, line) in changelog.lines().enumerate() {
            match line.strip_prefix("## ") {
                Some(heading) => {
                    let draft = Draft::read(heading).map_err(|why| refuse(file, number + 1, why))?;
                    if found.iter().any(|known| known.version == draft.version) {
                        return Err(refuse(file, number + 1, "this version already has a heading"));
                    }
                    if let Some(above) = found.last().filter(|above| draft.version.precedence(&above.version).is_gt()) {
                        let why =
                            format!("the newest version should come first, but {} is above it", above.version.as_str());
                        return Err(refuse(file, number + 1, &why));
                    }
                    found.push(Draft { line: number + 1, ..draft });
                }
                // What stands before the first heading is the file's own title.
                None => found.iter_mut().next_back().into_iter().for_each(|draft| draft.lines.push(line)),
            }
        }
        if found.first().is_none_or(|newest| newest.version != *version) {
            let line = found.first().map_or(1, |newest| newest.line);
            return Err(refuse(file, line, &format!("the first heading is not for version {}", version.as_str())));
        }
        let before = found.iter().skip(1).map(|older| Some(older.version.clone())).chain([None]).collect::<Vec<_>>();
        let notes = found.iter().zip(before).take(MOST).map(|(draft, before)| draft.note(before.as_ref(), file));
        Ok(PackageNotes { versions: notes.collect::<Result<_, _>>()? })
    }
}

struct Draft<'a> {
    version: Version,
    date: Date,
    highlight: Option<bool>,
    lines: Vec<&'a str>,
    line: usize,
}

/// The major and the minor version.
fn line_of(version: &Version) -> impl Iterator<Item = &str> {
    version.as_str().splitn(3, '.').take(2)
}

impl<'a> Draft<'a> {
    fn read(heading: &'a str) -> Result<Self, &'static str> {
        const WANTED: &str =
            "expected a heading such as `## 1.2.0 — 2026-11-30`, optionally followed by `highlight` or `quiet`";
        let mut words = heading.split_whitespace().filter(|word| !matches!(*word, "—" | "–" | "-"));
        let version = words.next().and_then(|word| word.parse::<Version>().ok()).filter(Version::is_canonical);
        let date = words.next().and_then(|word| word.parse::<Date>().ok());
        let highlight = match words.next().map(|word| word.trim_matches(['[', ']'])) {
            None => None,
            Some("highlight") => Some(true),
            Some("quiet") => Some(false),
            Some(_) => return Err(WANTED),
        };
        let (Some(version), Some(date), None) = (version, date, words.next()) else { return Err(WANTED) };
        Ok(Draft { version, date, highlight, lines: Vec::new(), line: 0 })
    }

    fn note(&self, before: Option<&Version>, file: &Path) -> Result<Note, Failure> {
        let notes = self.lines.join("\n").trim().to_owned();
        match notes.encode_utf16().count() {
            0 => return Err(refuse(file, self.line, "no text follows this heading")),
            units if units > LONGEST => {
                return Err(refuse(file, self.line, &format!("{units} characters, more than the limit of {LONGEST}")));
            }
            _ => {}
        }
        let changed = before.is_none_or(|before| !line_of(before).eq(line_of(&self.version)));
        Ok(Note {
            version: self.version.as_str().to_owned(),
            date: self.date.to_string(),
            notes,
            highlight: self.highlight.unwrap_or(changed),
        })
    }
}

fn refuse(file: &Path, line: usize, why: &str) -> Failure {
    Failure::new(Code::InvalidEntry, format!("{}:{line}: {why}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<PackageNotes, String> {
        PackageNotes::read(text, &"1.1.1".parse().unwrap(), Path::new("CHANGELOG.md"))
            .map_err(|failure| failure.message)
    }

    #[test]
    fn headings_become_notes_and_a_new_minor_version_stands_out() {
        let text = "# Changes\n\n## 1.1.1 — 2026-11-30\n\nA word.\n\n## 1.1.0 - 2026-11-01\nMarket.\n\n- Lamps\n\n\
                    ## 1.0.1 — 2026-10-01 [highlight]\nMended.\n## 1.0.0 — 2026-09-01 quiet\nFirst.\n";
        let notes = read(text).unwrap();
        let told: Vec<_> = notes.versions.iter().map(|n| (n.version.as_str(), n.notes.as_str(), n.highlight)).collect();
        assert_eq!(
            told,
            [
                ("1.1.1", "A word.", false),
                ("1.1.0", "Market.\n\n- Lamps", true),
                ("1.0.1", "Mended.", true),
                ("1.0.0", "First.", false)
            ]
        );
        assert_eq!(notes.versions[0].date, "2026-11-30");
    }

    #[test]
    fn a_release_after_its_own_prerelease_is_no_new_minor_version() {
        let text = "## 1.1.1 — 2026-11-30\nx\n## 1.1.1-rc.2 — 2026-11-29\nx\n## 1.1.0-rc.1.a — 2026-11-28\nx\n\
                    ## 1.0.9 — 2026-11-27\nx\n## 0.0.9 — 2026-11-26\nx";
        let highlights: Vec<bool> = read(text).unwrap().versions.iter().map(|note| note.highlight).collect();
        assert_eq!(highlights, [false, false, true, true, true]);
    }

    #[test]
    fn a_changelog_that_is_none_says_where() {
        for (text, place) in [
            ("", "CHANGELOG.md:1: the first heading"),
            ("## 1.1.0 — 2026-11-30\nx", "CHANGELOG.md:1: the first heading"),
            ("\n## 1.1.1 — 2026-02-30\nx", "CHANGELOG.md:2: expected a heading"),
            ("## 1.1.1\nx", "CHANGELOG.md:1: expected a heading"),
            ("## 1.1.1 — 2026-11-30 loud\nx", "CHANGELOG.md:1: expected a heading"),
            ("## 1.1.1 — 2026-11-30\n \n", "CHANGELOG.md:1: no text follows"),
            ("## 1.1.1 — 2026-11-30\nx\n## 1.1.1 — 2026-11-29\ny", "CHANGELOG.md:3: this version"),
            (
                "## 1.1.1 — 2026-11-30\nx\n## 1.0.0 — 2026-09-01\ny\n## 1.1.0 — 2026-11-01\nz",
                "CHANGELOG.md:5: the newest version should come first, but 1.0.0 is above it",
            ),
        ] {
            assert!(read(text).unwrap_err().starts_with(place), "{text:?}: {:?}", read(text));
        }
        assert!(read(&format!("## 1.1.1 — 2026-11-30\n{}", "x".repeat(1001))).unwrap_err().contains("1001"));
    }
}
