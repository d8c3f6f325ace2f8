//! Disks as a scenario needs them, full or read-only, in a world of mounts that nobody outside sees and that goes when
//! it is dropped. Made with util-linux in a user namespace, so it takes no rights; where a system allows no such thing
//! there is none to be had.

use super::sandbox::{Invocation, Outcome};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

pub struct Mounts {
    /// Holds the world open.
    holder: Child,
}

impl Mounts {
    /// Runs a shell script of mounts over a folder, its `$0`. Nothing where this system allows no mounts.
    pub fn make(script: &str, folder: &Path) -> Option<Self> {
        let script = format!("set -e\n{script}\necho ready; exec cat");
        let mut command = Command::new("unshare");
        command.args(["--user", "--map-root-user", "--mount", "sh", "-c", &script]).arg(folder);
        let mut holder = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
        let mut said = String::new();
        let read = BufReader::new(holder.stdout.take()?).read_line(&mut said);
        let mounts = Mounts { holder };
        if read.is_ok() && said == "ready\n" {
            return Some(mounts);
        }
        eprintln!("skipped: this system lets nobody make mounts of their own");
        None
    }

    /// A folder of its own size in bytes, holding what the folder on the real disk holds.
    pub fn small(folder: &Path, bytes: u64) -> Option<Self> {
        let script = format!(
            "mkdir \"$0.copy\"; cp -a \"$0/.\" \"$0.copy\"; mount -t tmpfs -o size={bytes},mode=755 none \"$0\"
             cp -a \"$0.copy/.\" \"$0\"; rm -r \"$0.copy\""
        );
        Mounts::make(&script, folder)
    }

    /// A folder or file that nothing can be written to, not even by root.
    pub fn read_only(path: &Path) -> Option<Self> {
        Mounts::make("mount --bind \"$0\" \"$0\"; mount -o remount,ro,bind \"$0\"", path)
    }

    /// A file that can be written, but not replaced or removed.
    pub fn pinned(path: &Path) -> Option<Self> {
        Mounts::make("mount --bind \"$0\" \"$0\"", path)
    }

    /// A file that the disk cannot read: whoever does is told of an input/output error.
    pub fn broken(path: &Path) -> Option<Self> {
        Mounts::make("mount --bind /proc/$$/mem \"$0\"", path)
    }

    /// The folder as the lower layer of an overlay: its folders can be neither renamed nor exchanged as a whole.
    pub fn overlay(folder: &Path) -> Option<Self> {
        Mounts::make(
            "mkdir \"$0.over\"; mount -t tmpfs none \"$0.over\"; mkdir \"$0.over/up\" \"$0.over/work\"
             mount -t overlay -o \"lowerdir=$0,upperdir=$0.over/up,workdir=$0.over/work,userxattr\" none \"$0\"",
            folder,
        )
    }

    /// Runs the program among these mounts.
    pub fn run(&self, invocation: Invocation) -> Outcome {
        let holder = self.holder.id().to_string();
        invocation.through(&["nsenter", "--preserve-credentials", "--user", "--mount", "--target", &holder]).run()
    }

    /// A path as it is among these mounts.
    pub fn path(&self, path: &Path) -> PathBuf {
        let root = PathBuf::from(format!("/proc/{}/root", self.holder.id()));
        root.join(path.strip_prefix("/").unwrap())
    }
}

impl Drop for Mounts {
    fn drop(&mut self) {
        let _ = self.holder.kill();
        let _ = self.holder.wait();
    }
}
