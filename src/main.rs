#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    rulepack::run(std::env::args_os().collect(), |name| std::env::var_os(name))
}
