use crate::app::{CacheReport, Holds, Whereabouts};
use crate::face::term::{Role, Stream, clean, count};
use crate::face::{Report, to_json};
use crate::types::ByteSize;
use serde_json::value::RawValue;

impl Report for Holds {
    fn json(&self) -> Box<RawValue> {
        to_json(self)
    }

    fn show(&self, out: &mut Stream, _verbose: bool) {
        for package in &self.packages {
            let text = match package.held {
                true => "is held: `rulepack update` leaves it alone",
                false => "is not held: `rulepack update` may change it",
            };
            out.line(format!("{} {text}", out.look().palette.paint(Role::Id, clean(&package.id))));
        }
    }

    fn is_asked_for(&self) -> bool {
        false
    }
}

impl Report for Whereabouts {
    fn json(&self) -> Box<RawValue> {
        to_json(self)
    }

    /// The folder first and alone on its line, so that a shell can take it.
    fn show(&self, out: &mut Stream, verbose: bool) {
        out.line(clean(&self.root));
        if verbose {
            out.line(clean(&self.ruleset));
            self.language_pack.iter().for_each(|path| out.line(clean(path)));
        }
    }
}

/// `cache dir`: the path alone, for a shell to take.
pub struct CacheDir(pub CacheReport);

/// `cache size` and `cache clean`.
pub struct CacheContent {
    pub report: CacheReport,
    /// Whether it has just been removed.
    pub removed: bool,
}

impl Report for CacheDir {
    fn json(&self) -> Box<RawValue> {
        to_json(&self.0)
    }

    fn show(&self, out: &mut Stream, _verbose: bool) {
        out.line(clean(&self.0.dir));
    }
}

impl Report for CacheContent {
    fn json(&self) -> Box<RawValue> {
        to_json(&self.report)
    }

    fn show(&self, out: &mut Stream, _verbose: bool) {
        let CacheReport { dir, bytes, files } = &self.report;
        let content = format!("{} ({})", count(*files, "file", "files"), ByteSize(*bytes));
        match self.removed {
            true => out.line(format!("Removed {content} from {}", clean(dir))),
            false => out.line(format!("{content} in {}", clean(dir))),
        }
    }
}
