//! Names in a package folder that differ from those an engine and a build read it by: mostly in case alone, which some
//! systems do not tell apart, so their author sees nothing wrong and every other reader misses the file.

use super::layout::{CATALOGS, LISTING, LOCALES};
use crate::catalog::{MANIFEST, RULESET};
use crate::disk::OpenFolder;
use crate::types::{Pointer, Problem, codes};
use std::ffi::OsString;
use std::io;
use std::path::Path;

/// What a package folder holds that is read by its name.
const NAMES: [&str; 5] = [MANIFEST, RULESET, CATALOGS, LOCALES, LISTING];

/// Something that lies there under another name than the one it is read by.
#[derive(Debug)]
pub(crate) struct Misnamed {
    /// Its path from the package folder.
    pub file: String,
    /// The path it should have.
    pub wanted: String,
}

impl Misnamed {
    pub fn problem(&self) -> Problem {
        let message = format!("`{}` is not read: it should be named `{}`", self.file, self.wanted);
        let problem = Problem::new(codes::MISNAMED_FILE, &Pointer::root(), message);
        Problem { pointer: None, ..problem }.hint(format!("rename it `{}`", self.wanted)).in_file(&self.file)
    }
}

/// What is misnamed in a package folder whatever its ruleset says: its own files and folders, and the endings of the
/// JSON files in those.
pub(crate) fn misnamed(folder: &OpenFolder) -> io::Result<Vec<Misnamed>> {
    let names = text_names(folder.names()?);
    let is_there = |name: &str| names.iter().any(|there| there == name);
    let in_case = |name: &str| NAMES.into_iter().find(|known| known.eq_ignore_ascii_case(name) && *known != name);
    let own = names.iter().filter_map(|name| Some((name, in_case(name)?)));
    let mut found: Vec<Misnamed> =
        own.map(|(file, wanted)| Misnamed { file: file.clone(), wanted: wanted.to_owned() }).collect();
    for parent in [CATALOGS, LOCALES].into_iter().filter(|parent| is_there(parent)) {
        // A link, or a file in the place of the folder, is told of by whoever reads it.
        for name in text_names(folder.below(Path::new(parent)).and_then(|parent| parent.names()).unwrap_or_default()) {
            let Some((stem, ending)) = name.rsplit_once('.') else { continue };
            if ending.eq_ignore_ascii_case("json") && ending != "json" {
                found.push(Misnamed { file: format!("{parent}/{name}"), wanted: format!("{parent}/{stem}.json") });
            }
        }
    }
    Ok(found)
}

/// Those that are text; others are no names a package could have.
fn text_names(names: Vec<OsString>) -> Vec<String> {
    names.into_iter().filter_map(|name| name.into_string().ok()).collect()
}
