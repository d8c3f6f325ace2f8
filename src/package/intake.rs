use super::fault::excerpt;
use super::{CHUNK, Contents, Fault, Faults, Sink, Wrapping};
use super::{MAX_KEPT, MAX_KEPT_IN_ALL, MAX_UNPACKED};
use crate::catalog::{MANIFEST, Manifest, RULESET};
use crate::json;
use crate::types::{Cancel, Digester, Expected, SafePath};
use std::collections::BTreeMap;

/// Where every container hands over what it finds: holds files against the declared ones, passes them to the sink and
/// collects what is wrong.
pub(super) struct Intake<'a> {
    manifest: &'a Manifest,
    sink: &'a mut dyn Sink,
    cancel: &'a Cancel,
    /// Whether it is a ruleset, whose files later checks want to read.
    is_ruleset: bool,
    /// Declared and not seen yet.
    missing: BTreeMap<&'a SafePath, Expected>,
    ruleset: Option<Vec<u8>>,
    catalogs: BTreeMap<SafePath, Vec<u8>>,
    faults: Vec<Fault>,
}

impl<'a> Intake<'a> {
    /// Refuses a manifest whose files could not be taken in within the limits. Because each file ends at its declared
    /// size, this also bounds what is really unpacked.
    pub(super) fn new(manifest: &'a Manifest, sink: &'a mut dyn Sink, cancel: &'a Cancel) -> Result<Self, Fault> {
        Intake::within_limits(manifest, sink, cancel, true)
    }

    /// The same of a package of any kind, of which nothing is kept.
    pub(super) fn of_any_kind(
        manifest: &'a Manifest,
        sink: &'a mut dyn Sink,
        cancel: &'a Cancel,
    ) -> Result<Self, Fault> {
        Intake::within_limits(manifest, sink, cancel, false)
    }

    fn within_limits(
        manifest: &'a Manifest,
        sink: &'a mut dyn Sink,
        cancel: &'a Cancel,
        is_ruleset: bool,
    ) -> Result<Self, Fault> {
        let mut missing = BTreeMap::new();
        let (mut bytes, mut kept) = (0u64, 0u64);
        for file in &manifest.files {
            let (path, size) = (&file.path, file.expected.bytes.0);
            if path.folded().split('/').next() == Some(MANIFEST) {
                return Err(Fault::ManifestDeclared { path: path.clone() });
            }
            bytes = bytes.saturating_add(size);
            if is_ruleset && is_kept(path) {
                kept = kept.saturating_add(size);
                if size > MAX_KEPT.0 {
                    return Err(Fault::FileTooLarge { path: path.clone(), bytes: size });
                }
            }
            if missing.insert(path, file.expected).is_some() {
                return Err(Fault::SameName { path: path.clone() });
            }
        }
        if bytes > MAX_UNPACKED.0 {
            return Err(Fault::TooLarge { bytes });
        }
        if kept > MAX_KEPT_IN_ALL.0 {
            return Err(Fault::RulesetTooLarge { bytes: kept });
        }
        let (ruleset, catalogs, faults) = (None, BTreeMap::new(), Vec::new());
        Ok(Intake { manifest, sink, cancel, is_ruleset, missing, ruleset, catalogs, faults })
    }

    pub(super) fn cancel(&self) -> &'a Cancel {
        self.cancel
    }

    /// Notes what is wrong and lets the rest be looked at all the same.
    pub(super) fn note(&mut self, fault: Fault) {
        self.faults.push(fault);
    }

    /// Holds the manifest inside the artifact against the catalog's.
    pub(super) fn manifest(&mut self, text: &[u8]) {
        let text = std::str::from_utf8(text).map_err(|_| "it is not UTF-8".to_owned());
        // What is wrong with both is told of the catalog's.
        if text.as_ref().is_ok_and(|text| json::equal(self.manifest.raw.get(), text)) {
            return;
        }
        let parsed = text.and_then(|text| Manifest::parse(text).map_err(|reasons| first_reason(&reasons)));
        match parsed {
            Ok(inside) if self.manifest.says_the_same_as(&inside) => {}
            Ok(_) => self.note(Fault::ManifestDiffers),
            Err(why) => self.note(Fault::ManifestUnreadable { why }),
        }
    }

    /// Takes one file, whose bytes `read` gives piece by piece (0 at the end). Stops asking at the first byte too
    /// many.
    ///
    /// # Errors
    ///
    /// What `read` or the sink fails with, and a wish to stop. A file that is not as declared is noted instead.
    pub(super) fn file(
        &mut self,
        path: &SafePath,
        mut read: impl FnMut(&mut [u8]) -> Result<usize, Fault>,
    ) -> Result<(), Fault> {
        let Some(expected) = self.missing.remove(path) else {
            self.note(Fault::Undeclared { name: excerpt(path.as_str()) });
            return Ok(());
        };
        let size = usize::try_from(expected.bytes.0).unwrap_or(usize::MAX);
        let mut chunk = vec![0; CHUNK.min(size.saturating_add(1))];
        let mut digester = Digester::new(expected);
        let mut kept = (self.is_ruleset && is_kept(path)).then(|| Vec::with_capacity(size));
        let sound = self.faults.is_empty();
        if sound {
            self.sink.begin(path).map_err(Fault::Write)?;
        }
        let verdict = loop {
            if self.cancel.is_asked() {
                return Err(Fault::Interrupted);
            }
            let bytes = match read(&mut chunk)? {
                0 => break digester.finish(),
                n => &chunk[..n],
            };
            if let Err(too_long) = digester.update(bytes) {
                break Err(too_long);
            }
            if sound {
                self.sink.write(bytes).map_err(Fault::Write)?;
            }
            if let Some(kept) = &mut kept {
                kept.extend_from_slice(bytes);
            }
        };
        match verdict {
            Err(source) => self.note(Fault::Mismatch { path: path.clone(), source }),
            Ok(()) => {
                if sound {
                    self.sink.end().map_err(Fault::Write)?;
                }
                match kept {
                    Some(bytes) if path.as_str() == RULESET => self.ruleset = Some(bytes),
                    Some(bytes) => drop(self.catalogs.insert(path.clone(), bytes)),
                    None => {}
                }
            }
        }
        Ok(())
    }

    /// Everything has been read: what was declared must have come, and a ruleset among it.
    pub(super) fn finish(mut self, wrapping: Wrapping) -> Result<Contents, Faults> {
        let (ruleset, catalogs) = (self.ruleset.take(), std::mem::take(&mut self.catalogs));
        if !self.manifest.files.iter().any(|file| file.path.as_str() == RULESET) {
            self.faults.insert(0, Fault::NoRuleset);
        }
        let wrapping = self.finish_any(wrapping)?;
        let ruleset = ruleset.ok_or(Fault::NoRuleset)?;
        Ok(Contents { wrapping, ruleset, catalogs })
    }

    /// The same of a package of any kind.
    pub(super) fn finish_any(self, wrapping: Wrapping) -> Result<Wrapping, Faults> {
        let missing = self.missing.keys().map(|path| Fault::Missing { path: (*path).clone() });
        let mut faults = self.faults.into_iter().chain(missing);
        match faults.next() {
            None => Ok(wrapping),
            Some(first) => Err(Faults::new(first, faults.collect())),
        }
    }

    /// The work ended early; what was noted before still counts, but less.
    pub(super) fn end_with(self, fault: Fault) -> Faults {
        Faults::new(fault, self.faults)
    }
}

/// Whether later checks want the file's bytes.
fn is_kept(path: &SafePath) -> bool {
    let path = path.as_str();
    path == RULESET || (path.starts_with("catalogs/") && path.ends_with(".json"))
}

fn first_reason(reasons: &[crate::types::Problem]) -> String {
    reasons.first().map(|problem| problem.reason()).unwrap_or_default()
}
