//! A place of its own to run the program in, from which it can see nothing of the machine it runs on.
//!
//! ```ignore
//! let sandbox = Sandbox::new().attach(&server);
//! sandbox.run(&["install", "ember-roads"]).expect(0);
//! let answer = sandbox.command(&["sync"]).env("LANG", "ru_RU.UTF-8").json();
//! ```

use super::envelope::Envelope;
use super::server::Server;
use std::ffi::{OsStr, OsString};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// No scenario takes so long unless it hangs.
const PATIENCE: Duration = Duration::from_secs(90);

pub struct Sandbox {
    root: tempfile::TempDir,
    ca: Option<PathBuf>,
    catalog: Option<OsString>,
    environment: Vec<(OsString, OsString)>,
}

impl Default for Sandbox {
    fn default() -> Self {
        Sandbox::new()
    }
}

impl Sandbox {
    pub fn new() -> Self {
        let root = tempfile::Builder::new().prefix("rulepack-scenario-").tempdir().unwrap();
        for folder in ["data", "cache", "home", "work"] {
            std::fs::create_dir(root.path().join(folder)).unwrap();
        }
        Sandbox { root, ca: None, catalog: None, environment: Vec::new() }
    }

    /// Trusts this server and takes its `/catalog.json` for the catalog.
    pub fn attach(self, server: &Server) -> Self {
        let catalog = server.url("/catalog.json");
        self.trust(server).catalog(catalog)
    }

    /// Trusts this server, for `--mirror` and the like.
    pub fn trust(mut self, server: &Server) -> Self {
        let file = self.root.path().join("ca.pem");
        std::fs::write(&file, server.ca_pem()).unwrap();
        self.ca = Some(file);
        self
    }

    /// Every run gets this `--catalog`: an address, a file or a folder.
    pub fn catalog(mut self, source: impl AsRef<OsStr>) -> Self {
        self.catalog = Some(source.as_ref().to_owned());
        self
    }

    /// Every run gets this variable.
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.environment.push((name.into(), value.as_ref().to_owned()));
        self
    }

    pub fn root(&self) -> &Path {
        self.root.path()
    }

    /// What the program takes for its data folder.
    pub fn data(&self) -> PathBuf {
        self.root.path().join("data")
    }

    pub fn cache(&self) -> PathBuf {
        self.root.path().join("cache")
    }

    pub fn home(&self) -> PathBuf {
        self.root.path().join("home")
    }

    /// The working folder of every run.
    pub fn work(&self) -> PathBuf {
        self.root.path().join("work")
    }

    /// `capability-packages/` in the data folder.
    pub fn packages(&self) -> PathBuf {
        self.data().join("capability-packages")
    }

    /// The folder of one version of one package.
    pub fn version(&self, id: &str, version: &str) -> PathBuf {
        self.packages().join("versions").join(id).join(version)
    }

    /// The engine's registry, as it stands.
    #[track_caller]
    pub fn registry(&self) -> serde_json::Value {
        serde_json::from_slice(&std::fs::read(self.packages().join("installed.json")).unwrap()).unwrap()
    }

    /// Writes a file into the working folder and gives its path.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.work().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path
    }

    /// A run that can still be adjusted.
    pub fn command<S: AsRef<OsStr>>(&self, args: &[S]) -> Invocation {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rulepack"));
        command
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.home())
            .env("XDG_DATA_HOME", self.home().join("share"))
            .env("XDG_CACHE_HOME", self.home().join("cache"))
            .env("XDG_CONFIG_HOME", self.home().join("config"))
            .env("XDG_RUNTIME_DIR", self.home().join("run"))
            .env("RULEPACK_DATA_DIR", self.data())
            .env("RULEPACK_CACHE_DIR", self.cache())
            .env("LC_ALL", "C")
            .current_dir(self.work());
        // Windows programs cannot open a socket without it.
        if let Some(windows) = std::env::var_os("SystemRoot") {
            command.env("SystemRoot", windows);
        }
        // A variable that says the language must not be hidden behind LC_ALL.
        if self.environment.iter().any(|(name, _)| is_language(name)) {
            command.env_remove("LC_ALL");
        }
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        if let Some(ca) = &self.ca {
            command.arg("--ca-cert").arg(ca);
        }
        if let Some(catalog) = &self.catalog {
            command.arg("--catalog").arg(catalog);
        }
        command.args(args);
        Invocation { command, stdin: None, patience: PATIENCE }
    }

    /// Runs the program to its end.
    #[track_caller]
    pub fn run<S: AsRef<OsStr>>(&self, args: &[S]) -> Outcome {
        self.command(args).run()
    }

    /// Runs the program with `--json` and reads its answer.
    #[track_caller]
    pub fn json<S: AsRef<OsStr>>(&self, args: &[S]) -> Envelope {
        self.command(args).json()
    }
}

fn is_language(name: &OsStr) -> bool {
    ["LANG", "LC_MESSAGES", "LC_ALL"].iter().any(|variable| name == *variable)
}

/// One run of the program, not started yet.
pub struct Invocation {
    command: Command,
    stdin: Option<Vec<u8>>,
    patience: Duration,
}

impl Invocation {
    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.command.arg(arg);
        self
    }

    /// Sets a variable; one that says the language takes the sandbox's `LC_ALL` away.
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        if is_language(OsStr::new(name)) {
            self.command.env_remove("LC_ALL");
        }
        self.command.env(name, value);
        self
    }

    pub fn env_remove(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    pub fn cwd(mut self, folder: impl AsRef<Path>) -> Self {
        self.command.current_dir(folder);
        self
    }

    /// Runs it under this umask, which a shell sets on the way.
    #[cfg(unix)]
    pub fn umask(self, umask: u32) -> Self {
        self.after(&format!("umask {umask:03o}"))
    }

    /// What stands on stdin; without this it is closed.
    pub fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = Some(bytes.into());
        self
    }

    /// How long it may take before the test fails.
    pub fn timeout(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Lets it write no file larger than this, in blocks of 512 bytes: what goes beyond fails as on a full disk.
    #[cfg(unix)]
    pub fn no_file_above(self, blocks: u64) -> Self {
        self.after(&format!("trap '' XFSZ; ulimit -f {blocks}"))
    }

    /// Lets it have no more files open than this at one moment.
    #[cfg(unix)]
    pub fn no_more_files_than(self, count: u64) -> Self {
        self.after(&format!("ulimit -n {count}"))
    }

    /// Runs it in a shell that did something first.
    #[cfg(unix)]
    fn after(self, script: &str) -> Self {
        self.through(&["sh", "-c", &format!("{script}; exec \"$0\" \"$@\"")])
    }

    /// Runs it by another program, which is given its name and arguments.
    #[cfg(unix)]
    pub fn through(mut self, wrapper: &[&str]) -> Self {
        let folder = self.command.get_current_dir().expect("every run has a folder").to_owned();
        let mut outer = Command::new(wrapper[0]);
        // Not every program that runs another keeps the folder.
        let inside = ["sh", "-c", "cd \"$0\" && exec \"$@\""];
        outer.args(&wrapper[1..]).args(inside).arg(&folder).current_dir(&folder);
        outer.arg(self.command.get_program()).args(self.command.get_args()).env_clear();
        for (name, value) in self.command.get_envs() {
            match value {
                Some(value) => outer.env(name, value),
                None => outer.env_remove(name),
            };
        }
        self.command = outer;
        self
    }

    /// Starts it and returns at once: for tests that kill it, or run two.
    #[track_caller]
    pub fn spawn(mut self) -> Running {
        self.command.stdin(if self.stdin.is_some() { Stdio::piped() } else { Stdio::null() });
        self.command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = self.command.spawn().unwrap();
        if let (Some(bytes), Some(mut pipe)) = (self.stdin, child.stdin.take()) {
            // A program that does not read to the end is no fault of the writer.
            std::thread::spawn(move || pipe.write_all(&bytes));
        }
        let stdout = drain(child.stdout.take().unwrap());
        let stderr = drain(child.stderr.take().unwrap());
        let said = format!("{:?}", self.command.get_args().collect::<Vec<_>>());
        Running { child, stdout: Some(stdout), stderr: Some(stderr), patience: self.patience, said }
    }

    /// Runs it to its end.
    #[track_caller]
    pub fn run(self) -> Outcome {
        self.spawn().wait()
    }

    /// Runs it with `--json` and reads its answer.
    #[track_caller]
    pub fn json(self) -> Envelope {
        self.arg("--json").run().json()
    }

    /// The process as it would be started, for what is started in a way of its own.
    pub fn into_command(self) -> Command {
        self.command
    }
}

/// Reads a pipe to its end on a thread of its own, so that a chatty program never blocks on it.
fn drain(mut pipe: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.read_to_end(&mut bytes);
        bytes
    })
}

/// A run under way. It is killed when dropped.
pub struct Running {
    child: Child,
    stdout: Option<JoinHandle<Vec<u8>>>,
    stderr: Option<JoinHandle<Vec<u8>>>,
    patience: Duration,
    said: String,
}

impl Running {
    /// The process id, for signals.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// `kill -9`: it gets no chance to tidy up.
    pub fn kill(mut self) -> Outcome {
        let _ = self.child.kill();
        let status = self.child.wait().unwrap();
        self.outcome(status)
    }

    /// Sends a signal by its name: `INT` is Ctrl-C.
    #[cfg(unix)]
    pub fn signal(&self, name: &str) {
        let sent = Command::new("sh").arg("-c").arg(format!("kill -{name} {}", self.id())).status().unwrap();
        assert!(sent.success(), "no {name} could be sent");
    }

    pub fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// Waits for its end; one that hangs is killed and fails the test with all it said.
    #[track_caller]
    pub fn wait(mut self) -> Outcome {
        let deadline = Instant::now() + self.patience;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return self.outcome(status);
            }
            if Instant::now() > deadline {
                let patience = self.patience;
                panic!("still running after {patience:?}: {}", self.kill());
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    fn outcome(&mut self, status: ExitStatus) -> Outcome {
        let read = |pipe: Option<JoinHandle<Vec<u8>>>| pipe.and_then(|pipe| pipe.join().ok()).unwrap_or_default();
        let text = |bytes| String::from_utf8(bytes).expect("the program's output is UTF-8");
        Outcome {
            status: status.code(),
            stdout: text(read(self.stdout.take())),
            stderr: text(read(self.stderr.take())),
            said: self.said.clone(),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A run that ended.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The exit number; none when a signal ended it.
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
    said: String,
}

impl Outcome {
    /// Fails with all that was said unless it exited with this number.
    #[track_caller]
    pub fn expect(self, status: i32) -> Self {
        assert!(self.status == Some(status), "expected exit {status}: {self}");
        self
    }

    /// Reads stdout as the answer of a run with `--json`.
    #[track_caller]
    pub fn json(&self) -> Envelope {
        let status = self.status.unwrap_or_else(|| panic!("ended by a signal: {self}"));
        Envelope::parse(&self.stdout, status).unwrap_or_else(|why| panic!("{why}: {self}"))
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Outcome { status, stdout, stderr, said } = self;
        write!(f, "{said} gave {status:?}\n--- stdout\n{stdout}\n--- stderr\n{stderr}")
    }
}
