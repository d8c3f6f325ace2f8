use super::find::find;
use super::host::Host;
use super::load::{Loader, Rule};
use super::source::canonical;
use crate::diceframe::codes;
use crate::json::locate;
use crate::types::{Cancel, Code, Failure, Problem, Warning};
use std::path::{Path, PathBuf};

/// The rules that an audit of what they come to begins with.
#[derive(Debug)]
pub struct Gathered {
    /// By path.
    pub rules: Vec<Rule>,
    /// Why others could not be read.
    pub problems: Vec<Problem>,
    /// Folders without rules.
    pub warnings: Vec<Warning>,
}

/// Reads the rules of a host and of these paths, bases left out. A path that does not exist, a file that is no rule and
/// a base named directly are wrong usage: nobody plays a base.
pub fn gather(host: Option<&Path>, paths: &[PathBuf], cancel: &Cancel) -> Result<Gathered, Failure> {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let host = host.map(|host| Host::at(absolute(host)));
    let mut loader = Loader::new(host.clone());
    let found = find(host.as_ref(), paths, &mut loader)?;
    let is_named = |file: &Path| paths.iter().any(|path| canonical(path) == canonical(file));
    if let Some(world) = found.worlds.iter().find(|world| is_named(world)) {
        return Err(usage(format!("{} is a world, but only rules can be given here", world.display())));
    }
    let mut warnings = Vec::new();
    for path in &found.empty {
        if !path.is_dir() {
            return Err(usage(format!("{} is not a rule", path.display())));
        }
        warnings.push(Warning::new(codes::NOTHING_TO_AUDIT, format!("{} contains no rules", path.display())));
    }
    let (mut rules, mut problems) = (Vec::new(), Vec::new());
    for path in &found.rules {
        cancel.stop_if_asked()?;
        // Before it is followed to what it extends: a base need not be whole.
        if loader.source(path).is_ok_and(|source| source.is_abstract()) {
            if is_named(path) {
                let base = format!("{} is abstract: it is only a base for other rules", path.display());
                return Err(usage(base).hint("give a rule that extends it"));
            }
            continue;
        }
        match loader.load(path) {
            Ok(rule) => rules.push(rule),
            Err(problem) => problems.push(placed(*problem, &mut loader)),
        }
    }
    Ok(Gathered { rules, problems, warnings })
}

/// The same with its line, where the file can still be read.
fn placed(mut problem: Problem, loader: &mut Loader) -> Problem {
    if let Some(Ok(source)) = problem.file.as_deref().map(|file| loader.source(Path::new(file))) {
        locate(source.text.as_bytes(), [&mut problem]);
    }
    problem
}

fn usage(message: String) -> Failure {
    Failure::new(Code::Usage, message)
}
