use crate::catalog::Entry;
use crate::types::{Code, Failure, Sha256, Version};

/// A ruleset to install, and what it must be, where whoever asks has seen an offer and means that one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// As typed: whether it is an id at all is told with what comes near.
    pub id: String,
    /// No other version will do.
    pub version: Option<Version>,
    /// No other artifact will do.
    pub sha256: Option<Sha256>,
}

impl Wanted {
    /// Reads `ID` or `ID@VERSION`.
    ///
    /// # Errors
    /// `usage` for what follows an `@` and is no version.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let (id, version) = match text.split_once('@') {
            Some((id, version)) => (id, Some(version)),
            None => (text, None),
        };
        const FORM: &str = "write ID@VERSION, such as ember-roads@1.2.0";
        if id.is_empty() && version.is_some() {
            return Err(Failure::new(Code::Usage, format!("`{text}` has no ruleset id before the `@`")).hint(FORM));
        }
        let version = version.map(|version| {
            version
                .parse::<Version>()
                .map_err(|error| Failure::new(Code::Usage, format!("`{text}`: {error}")).hint(FORM))
        });
        Ok(Wanted { id: id.to_owned(), version: version.transpose()?, sha256: None })
    }

    /// Every ruleset of a command line once, in order; with a sum, which can be that of one alone.
    ///
    /// # Errors
    /// `usage`, also for one ruleset in two versions.
    pub fn all(texts: &[String], sha256: Option<Sha256>) -> Result<Vec<Self>, Failure> {
        let mut all: Vec<Wanted> = Vec::new();
        for text in texts {
            let wanted = Wanted { sha256, ..Wanted::parse(text)? };
            match all.iter().find(|other| other.id == wanted.id) {
                None => all.push(wanted),
                Some(other) if *other == wanted => {}
                Some(_) => {
                    let text = format!("{} is given twice, with different versions", super::quoted(&wanted.id));
                    return Err(Failure::new(Code::Usage, text));
                }
            }
        }
        match (sha256, all.len()) {
            (Some(_), 2..) => Err(Failure::new(Code::Usage, "`--sha256` is for one ruleset, but several are given")
                .hint("install each with its own `--sha256`")),
            _ => Ok(all),
        }
    }

    /// Refuses an entry that is no longer the one meant.
    ///
    /// # Errors
    /// `not-in-catalog` for another version, `checksum-mismatch` for another artifact.
    pub(super) fn refuse_another(&self, entry: &Entry) -> Result<(), Failure> {
        let (id, offered) = (&entry.manifest.id, &entry.manifest.version);
        if let Some(wanted) = self.version.as_ref().filter(|wanted| *wanted != offered) {
            let text = format!("the catalog has {id} {offered}, not {wanted}");
            let hint =
                format!("run `rulepack install {id}` for that version; a catalog has one version of each ruleset");
            return Err(Failure::new(Code::NotInCatalog, text).hint(hint));
        }
        let listed = entry.artifact.expected.sha256;
        match self.sha256.filter(|wanted| *wanted != listed) {
            Some(wanted) => {
                let text = format!("the catalog lists {id} {offered} with the SHA-256 {listed}, not {wanted}");
                let hint = "review it again, then install it with its new SHA-256: it was republished";
                Err(Failure::new(Code::ChecksumMismatch, text).hint(hint))
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(texts: &[&str], sha256: Option<Sha256>) -> Result<Vec<Wanted>, Code> {
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        Wanted::all(&texts, sha256).map_err(|failure| failure.code)
    }

    #[test]
    fn a_version_follows_the_id_and_each_ruleset_is_wanted_once() {
        let wanted = all(&["demo@1.0.0-rc.1", "other", "other"], None).unwrap();
        assert_eq!(wanted.len(), 2);
        assert_eq!((wanted[0].id.as_str(), wanted[0].version.as_ref().unwrap().as_str()), ("demo", "1.0.0-rc.1"));
        assert_eq!((wanted[1].id.as_str(), &wanted[1].version), ("other", &None));
        for wrong in [&["demo@"][..], &["demo@one"], &["@1.0.0"], &["@"], &["demo@1.0.0@2"], &["demo", "demo@1.0.0"]] {
            assert_eq!(all(wrong, None), Err(Code::Usage), "{wrong:?}");
        }
    }

    #[test]
    fn a_sum_is_of_one_artifact() {
        let sum = Some(Sha256::of(b""));
        assert_eq!(all(&["demo", "demo"], sum).unwrap().len(), 1);
        assert_eq!(all(&["demo", "other"], sum), Err(Code::Usage));
    }
}
