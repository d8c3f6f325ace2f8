use crate::ruleset::whole::FILE;
use crate::types::{Pointer, Problem, Severity, codes};

const MAX_RULESET: usize = 262_144;
const MAX_CATALOG: usize = 1_048_576;

/// K9 for a file that no manifest lists: `ruleset.json` has at most 262,144 bytes, and a catalog file 1,048,576.
///
/// Whether engines after API 1.66 still hold a ruleset to its limit is docs/spec/decisions.md#q28; since nothing is
/// declared here, it is a warning.
pub fn oversize(file: &str, bytes: usize) -> Option<Problem> {
    let is_ruleset = file == FILE;
    let max = if is_ruleset { MAX_RULESET } else { MAX_CATALOG };
    let severity = if is_ruleset { Severity::Warning } else { Severity::Error };
    (bytes > max).then(|| {
        let problem = Problem::new(
            codes::K9,
            &Pointer::root(),
            format!("it has {bytes} bytes, but an engine reads at most {max}"),
        );
        let hint = if is_ruleset { "move entries into catalog files" } else { "split the catalog" };
        Problem { file: Some(file.to_owned()), ..problem }.severity(severity).hint(hint)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ruleset_has_256_kib_and_a_catalog_file_a_mebibyte() {
        let severity = |file, bytes| oversize(file, bytes).map(|problem| problem.severity);
        assert_eq!(severity(FILE, 262_144), None);
        assert_eq!(severity(FILE, 262_145), Some(Severity::Warning));
        assert_eq!(severity("catalogs/knacks.json", 1_048_576), None);
        assert_eq!(severity("catalogs/knacks.json", 1_048_577), Some(Severity::Error));
    }
}
