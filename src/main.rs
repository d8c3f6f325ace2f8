use std::process::ExitCode;

fn main() -> ExitCode {
    // A value that is no text is still a value: rubbish, where a language is looked for, and not unset.
    let variable = |name: &str| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned());
    rulepack::cli::run(std::env::args_os().collect(), variable)
}
