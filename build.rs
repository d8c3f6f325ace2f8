//! Makes a constant of every code that the tables in `docs/codes` and `src/diceframe/codes` explain, so that a code
//! that is raised is one that is explained. `docs/codes/README.md` says how they are written.

use serde::Deserialize;
use serde::de::IntoDeserializer as _;
use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};
use toml::Spanned;
use toml::de::DeTable;

/// What stands in a file before its codes. Each of the texts but the first is what codes of the file share that do not
/// say otherwise.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Family {
    /// What the codes are about.
    about: String,
    why: Option<String>,
    mend: Option<String>,
    source: Option<String>,
    unshown: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Code {
    severity: Level,
    meaning: String,
    why: Option<String>,
    mend: Option<String>,
    source: Option<String>,
    hint: Option<String>,
    example: Option<Example>,
    /// Why there is no example.
    unshown: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Level {
    Error,
    Warning,
    Either,
    Failure,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Example {
    base: Base,
    /// What the version published before is, as a change to the base too, where the code takes one.
    old: Option<Vec<Edit>>,
    wrong: Vec<Edit>,
    #[serde(default)]
    right: Vec<Edit>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Base {
    Sum,
    Pool,
    Catalog,
    Harbor,
}

/// File, place, text.
type Edit = [String; 3];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    write("docs/codes", "codes.rs")?;
    if env::var_os("CARGO_FEATURE_DICEFRAME").is_some() {
        write("src/diceframe/codes", "diceframe_codes.rs")?;
    }
    Ok(())
}

/// Writes what a folder of tables says as a module, to be included.
fn write(folder: &str, name: &str) -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={folder}");
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_, std::io::Error>>()?;
    files.retain(|file| file.extension().is_some_and(|kind| kind == "toml"));
    files.sort();
    let mut out = String::new();
    for file in files {
        let of_file = |error: Box<dyn Error>| format!("{}: {error}", file.display());
        write_family(&file, &mut out).map_err(of_file)?;
    }
    fs::write(Path::new(&env::var("OUT_DIR")?).join(name), out)?;
    Ok(())
}

fn write_family(file: &Path, out: &mut String) -> Result<(), Box<dyn Error>> {
    let text = fs::read_to_string(file)?;
    let table = DeTable::parse(&text)?;
    let span = table.span();
    let (codes, shared): (Vec<_>, Vec<_>) =
        table.into_inner().into_iter().partition(|(_, value)| value.get_ref().is_table());
    let family = Family::deserialize(Spanned::new(span, shared.into_iter().collect::<DeTable>()).into_deserializer())?;
    let mut rules = Vec::new();
    for (name, value) in codes {
        let code = Code::deserialize(value.into_deserializer()).map_err(|why| format!("{}: {why}", name.get_ref()))?;
        rules.push((name, code));
    }
    // In the order they are written in.
    rules.sort_by_key(|(name, _)| name.span().start);
    let group = constant(&file.file_stem().ok_or("it has no name")?.to_string_lossy());
    writeln!(out, "pub(crate) static {group}: Group = Group {{ about: {:?}, codes: &{group}_CODES }};", family.about)?;
    writeln!(out, "static {group}_CODES: [Rule; {}] = [", rules.len())?;
    for (name, code) in &rules {
        write_rule(name.get_ref(), code, &family, out).map_err(|why| format!("{}: {why}", name.get_ref()))?;
    }
    writeln!(out, "];")?;
    for (index, (name, code)) in rules.iter().enumerate() {
        writeln!(out, "/// {}", prose(&code.meaning))?;
        writeln!(out, "pub(crate) const {}: &Rule = &{group}_CODES[{index}];", constant(name.get_ref()))?;
    }
    Ok(())
}

fn write_rule(name: &str, code: &Code, family: &Family, out: &mut String) -> Result<(), Box<dyn Error>> {
    let said = |own: &Option<String>, shared: &Option<String>, key: &str| {
        own.as_ref().or(shared.as_ref()).map(|text| prose(text)).ok_or(format!("`{key}` is missing"))
    };
    let (why, mend) = (said(&code.why, &family.why, "why")?, said(&code.mend, &family.mend, "mend")?);
    let source = said(&code.source, &family.source, "source")?;
    match &code.example {
        None => drop(said(&code.unshown, &family.unshown, "example` or `unshown")?),
        Some(_) if code.unshown.is_some() => return Err("an `example` and `unshown` exclude each other".into()),
        Some(_) => {}
    }
    let Code { severity, meaning, hint, .. } = code;
    writeln!(
        out,
        "Rule {{ code: {name:?}, severity: Level::{severity:?}, meaning: {:?}, why: {why:?},",
        prose(meaning)
    )?;
    writeln!(out, "mend: {mend:?}, source: {source:?}, hint: {:?},", hint.as_deref().map(prose))?;
    match &code.example {
        None => writeln!(out, "example: None }},")?,
        Some(Example { base, old, wrong, right }) => {
            let old = old.as_ref().map_or("None".to_owned(), |old| format!("Some(&[{}])", edits(old)));
            let (wrong, right) = (edits(wrong), edits(right));
            let example = format!("base: Base::{base:?}, old: {old}, wrong: &[{wrong}], right: &[{right}]");
            writeln!(out, "example: Some(Example {{ {example} }}) }},")?;
        }
    }
    Ok(())
}

fn edits(edits: &[Edit]) -> String {
    edits.iter().map(|[file, at, to]| format!("Edit {{ file: {file:?}, at: {at:?}, to: {to:?} }},")).collect()
}

/// Text that may be broken into lines wherever it has a space.
fn prose(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `unknown-key` is `UNKNOWN_KEY`.
fn constant(name: &str) -> String {
    name.to_ascii_uppercase().replace('-', "_")
}
