//! Running two commands in turn and comparing what they take.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What one comparison came to.
#[derive(Clone, Copy, Debug)]
pub struct Paired {
    pub ours: Duration,
    pub theirs: Duration,
    /// The median of what each pair had as its ratio: what slows the machine for a while slows both of a pair.
    pub ratio: f64,
    /// The median difference of a pair, in seconds; negative where ours is faster.
    pub more: f64,
}

/// Runs both in turn, the first of each pair changing, after one pair that warms the caches.
pub fn pairs(runs: usize, mut ours: impl FnMut() -> Duration, mut theirs: impl FnMut() -> Duration) -> Paired {
    ours();
    theirs();
    let both = |run: usize| {
        if run.is_multiple_of(2) {
            let first = ours();
            (first, theirs())
        } else {
            let first = theirs();
            (ours(), first)
        }
    };
    let taken: Vec<(Duration, Duration)> = (0..runs).map(both).collect();
    let of = |value: fn(&(Duration, Duration)) -> f64| median(taken.iter().map(value).collect());
    Paired {
        ours: Duration::from_secs_f64(of(|(ours, _)| ours.as_secs_f64())),
        theirs: Duration::from_secs_f64(of(|(_, theirs)| theirs.as_secs_f64())),
        ratio: of(|(ours, theirs)| ours.as_secs_f64() / theirs.as_secs_f64()),
        more: of(|(ours, theirs)| ours.as_secs_f64() - theirs.as_secs_f64()),
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// How long a command takes from its start to its end. Nothing reads what it says.
pub fn time(command: Command) -> Duration {
    time_fed(command, Stdio::null())
}

/// The same for one that reads this on stdin.
pub fn time_fed(mut command: Command, stdin: impl Into<Stdio>) -> Duration {
    command.stdin(stdin).stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    let status = command.status();
    let taken = start.elapsed();
    assert!(status.as_ref().is_ok_and(|status| status.success()), "{command:?}: {status:?}");
    taken
}

/// The most memory a command had at one moment, in bytes, as the system counted it. None without GNU `time`.
pub fn peak(command: &Command) -> Option<u64> {
    let time = tool("time")?;
    let mut watched = under(&time, &["--format", "%M"], command);
    let output = watched.stdin(Stdio::null()).stdout(Stdio::null()).output().ok()?;
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    let kib: u64 = String::from_utf8_lossy(&output.stderr).lines().last()?.trim().parse().ok()?;
    Some(kib << 10)
}

/// The same command, run by another program.
pub fn under(program: &Path, arguments: &[&str], command: &Command) -> Command {
    let mut outer = Command::new(program);
    outer.args(arguments).arg(command.get_program()).args(command.get_args()).env_clear();
    outer.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    outer.current_dir(command.get_current_dir().unwrap_or(Path::new(".")));
    outer
}

/// Where a program of the system lies, if it is there.
pub fn tool(name: impl AsRef<OsStr>) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name.as_ref())).find(|file| file.is_file())
}
