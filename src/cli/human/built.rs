use crate::cli::answer::{Report, to_json};
use crate::cli::term::{Role, Stream, clean, count};
use crate::publish::Built;
use crate::types::ByteSize;
use serde_json::value::RawValue;

impl Report for Built {
    fn json(&self) -> Box<RawValue> {
        to_json(self)
    }

    fn show(&self, out: &mut Stream, verbose: bool) {
        let palette = out.look().palette;
        for package in &self.packages {
            let languages = match package.languages.as_slice() {
                [] => "English".to_owned(),
                languages => format!("English, {}", languages.join(", ")),
            };
            let name = palette.paint(Role::Id, clean(&package.id));
            out.line(format!("{name} {}: {}, {}", package.version, ByteSize(package.bytes), clean(&languages)));
        }
        if verbose {
            self.written.iter().for_each(|path| out.line(format!("  wrote {}", clean(path))));
        }
        let written = count(self.written.len() as u64, "file", "files");
        out.line(format!("{written} written in {}, {} as they were", clean(&self.out), self.unchanged));
    }
}
