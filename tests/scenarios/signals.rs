//! Ctrl-C, SIGTERM and readers who do not read: a first signal ends a run within a second whatever holds it up, and
//! nobody who reads progress is needed for the work (docs/spec/commands.md#json, #exit-codes).

use super::kit::publish::{Catalog, Ruleset};
use super::kit::sandbox::Sandbox;
use super::kit::server::Server;
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use serde_json::Value;
use std::io::{ErrorKind, PipeReader, PipeWriter, Read, Write, pipe};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A second by docs/spec/commands.md#signals; more where the machine is busy.
const SOON: Duration = Duration::from_secs(10);

/// A pipe that takes nothing more, since nobody reads it. It stays open for as long as its reader is kept.
fn full_pipe() -> (PipeReader, PipeWriter) {
    let (reader, mut writer) = pipe().unwrap();
    let flags = fcntl_getfl(&writer).unwrap();
    fcntl_setfl(&writer, flags | OFlags::NONBLOCK).unwrap();
    // First much at a time, then to the last byte.
    for size in [4096, 1] {
        let full = loop {
            if let Err(error) = writer.write_all(&vec![b' '; size]) {
                break error;
            }
        };
        assert_eq!(full.kind(), ErrorKind::WouldBlock);
    }
    fcntl_setfl(&writer, flags).unwrap();
    (reader, writer)
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("sh").arg("-c").arg(format!("kill -{name} {}", child.id())).status().unwrap();
    assert!(sent.success(), "no {name} could be sent");
}

/// Waits for the end of a run; one that hangs is killed and fails the test.
#[track_caller]
fn exit_of(mut child: Child, what: &str) -> Option<i32> {
    let asked = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        if asked.elapsed() > SOON {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("{what} is still running after {SOON:?}");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Long enough to have come to what blocks it; shorter would prove the same of an earlier moment.
fn let_it_block(child: &mut Child, what: &str) {
    std::thread::sleep(Duration::from_millis(300));
    assert!(child.try_wait().unwrap().is_none(), "{what} does not wait for its reader");
}

fn command(sandbox: &Sandbox, line: &str) -> Command {
    let mut command = sandbox.command(&line.split_whitespace().collect::<Vec<_>>()).into_command();
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn with_a_catalog() -> Sandbox {
    let sandbox = Sandbox::new();
    let folder = sandbox.work().join("catalog");
    let road = Ruleset::new("ember-roads", "1.0.0").pack("ru", &[("Grit", "Стойкость")]);
    Catalog::on_disk().with(road).with(Ruleset::new("gravewatch", "0.3.0")).write(&folder);
    sandbox.catalog(folder)
}

#[test]
fn a_signal_ends_a_run_whose_answer_nobody_reads() {
    let sandbox = with_a_catalog();
    for (line, name) in [
        ("search --json", "TERM"),
        ("search", "INT"),
        ("install ember-roads --json", "HUP"),
        ("schema list", "TERM"),
        ("completions bash", "INT"),
        ("--help", "TERM"),
        ("--json --version", "INT"),
        ("nope --json", "TERM"),
    ] {
        let (reader, writer) = full_pipe();
        let mut child = command(&sandbox, line).stdout(writer).spawn().unwrap();
        let_it_block(&mut child, line);
        signal(&child, name);
        assert_eq!(exit_of(child, line), Some(130), "{line}");
        drop(reader);
    }
    for line in ["nope", "path gravewatch", "install nothing"] {
        let (reader, writer) = full_pipe();
        let mut child = command(&sandbox, line).stderr(writer).spawn().unwrap();
        let_it_block(&mut child, line);
        signal(&child, "TERM");
        assert_eq!(exit_of(child, line), Some(130), "{line}");
        drop(reader);
    }
}

#[test]
fn a_signal_ends_a_check_of_much_that_is_wrong() {
    let sandbox = Sandbox::new();
    let folder = sandbox.work().join("flood");
    let entries = r#"{"id": 3, "tags": [{}, [], null], "item": {"stats": {"__proto__": {}}}},"#.repeat(1 << 16);
    let text = format!(r#"{{"id": "flood", "catalogs": [{{"id": "a", "holds": "items", "entries": [{entries}0]}}]}}"#);
    std::fs::create_dir_all(&folder).unwrap();
    // Many, so that it is not over before it is told to stop.
    let paths: Vec<String> = (0..40).map(|n| folder.join(format!("ruleset-{n}.json")).display().to_string()).collect();
    paths.iter().for_each(|path| std::fs::write(path, &text).unwrap());
    for format in ["", " --json"] {
        let mut child = command(&sandbox, &format!("check {}{format}", paths.join(" "))).spawn().unwrap();
        let_it_block(&mut child, "check");
        signal(&child, "TERM");
        assert_eq!(exit_of(child, "check"), Some(130), "{format}");
    }
}

#[test]
fn a_second_signal_ends_it_at_once() {
    let sandbox = with_a_catalog();
    let (_reader, writer) = full_pipe();
    let mut child = command(&sandbox, "search --json").stdout(writer).spawn().unwrap();
    let_it_block(&mut child, "search");
    signal(&child, "TERM");
    signal(&child, "TERM");
    assert_eq!(exit_of(child, "search"), Some(130));
}

/// What a reader who came late reads is whole.
#[test]
fn without_a_signal_a_slow_reader_is_waited_for() {
    let sandbox = with_a_catalog();
    let (mut reader, writer) = full_pipe();
    let mut child = command(&sandbox, "search --json").stdout(writer).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    assert!(child.try_wait().unwrap().is_none());
    let mut said = String::new();
    reader.read_to_string(&mut said).unwrap();
    assert_eq!(exit_of(child, "search"), Some(0));
    let answer: Value = serde_json::from_str(said.trim_start()).unwrap();
    assert_eq!(answer["status"], "ok");
}

#[test]
fn nobody_need_read_progress() {
    let server = Server::https();
    let road = Ruleset::new("ember-roads", "1.0.0").pack("ru", &[("Grit", "Стойкость")]);
    let catalog = Catalog::on(&server).with(road);
    catalog.mount(&server);
    // A warning is to be told as well.
    server.remove(&catalog.pack_path("ember-roads", "ru"));
    for (line, exit) in [
        ("install ember-roads --language ru --progress json --json", 0),
        ("install ember-roads --language ru --progress json", 0),
        ("install ember-roads nothing --progress json", 3),
        ("install ember-roads --language ru --json", 0),
        ("install ember-roads --progress auto", 0),
    ] {
        let sandbox = Sandbox::new().attach(&server);
        let (reader, writer) = full_pipe();
        let mut child = command(&sandbox, line).stderr(writer).stdout(Stdio::piped()).spawn().unwrap();
        let mut stdout = child.stdout.take().unwrap();
        assert_eq!(exit_of(child, line), Some(exit), "{line}");
        let mut said = String::new();
        stdout.read_to_string(&mut said).unwrap();
        if line.contains("--json") {
            let answer: Value = serde_json::from_str(&said).unwrap();
            assert_eq!(answer["warnings"].as_array().unwrap().len(), 1, "{line}: {said}");
        } else {
            assert!(said.contains("Installed ember-roads 1.0.0"), "{line}: {said}");
        }
        assert!(sandbox.version("ember-roads", "1.0.0").is_dir(), "{line}");
        drop(reader);
    }
}

#[test]
fn a_signal_in_a_download_is_answered_though_nobody_reads_progress() {
    let server = Server::https();
    let catalog = Catalog::on(&server).with(Ruleset::new("ember-roads", "1.0.0"));
    catalog.mount(&server);
    let path = catalog.artifact_path("ember-roads");
    server.change(&path, |reply| reply.dribble(1, Duration::from_secs(60)));
    for face in ["--progress=json", "--progress=auto"] {
        server.forget();
        let sandbox = Sandbox::new().attach(&server);
        let (reader, writer) = full_pipe();
        let line = format!("install ember-roads --json {face}");
        let mut child = command(&sandbox, &line).stderr(writer).stdout(Stdio::piped()).spawn().unwrap();
        while server.requests_of(&path).is_empty() {
            std::thread::sleep(Duration::from_millis(5));
        }
        let mut stdout = child.stdout.take().unwrap();
        signal(&child, "INT");
        assert_eq!(exit_of(child, &line), Some(130), "{line}");
        interrupted(&mut stdout);
        drop(reader);
    }
}

#[test]
fn a_signal_ends_a_run_that_waits_for_its_input() {
    let sandbox = with_a_catalog();
    let mut command = command(&sandbox, "check - --json");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let input = child.stdin.take();
    let mut stdout = child.stdout.take().unwrap();
    let_it_block(&mut child, "check");
    signal(&child, "TERM");
    assert_eq!(exit_of(child, "check"), Some(130));
    drop(input);
    assert_eq!(interrupted(&mut stdout)["command"], "check");
}

/// The answer of an interrupted run: one whole document.
#[track_caller]
fn interrupted(stdout: &mut impl Read) -> Value {
    let mut said = String::new();
    stdout.read_to_string(&mut said).unwrap();
    let answer: Value = serde_json::from_str(&said).unwrap_or_else(|error| panic!("{error}: {said:?}"));
    assert_eq!((&answer["status"], &answer["error"]["code"]), (&"error".into(), &"interrupted".into()), "{said}");
    answer
}

/// A system call that does not return, as of a disk that is gone: here the opening of a pipe nobody reads, which the
/// notes of the named places go to.
#[test]
fn a_run_that_cannot_look_up_is_ended_and_answered_for() {
    let sandbox = with_a_catalog();
    let pipe = sandbox.work().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for line in ["install ember-roads --json", "install ember-roads"] {
        let mut command = command(&sandbox, line);
        command.env("RULEPACK_CRASH_AT", "nowhere").env("RULEPACK_CRASH_LOG", &pipe);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (mut stdout, mut stderr) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        let_it_block(&mut child, line);
        signal(&child, "TERM");
        assert_eq!(exit_of(child, line), Some(130), "{line}");
        let mut beside = String::new();
        stderr.read_to_string(&mut beside).unwrap();
        if line.ends_with("--json") {
            let answer = interrupted(&mut stdout);
            assert_eq!((&answer["command"], &answer["result"]), (&"install".into(), &Value::Null), "{answer}");
            assert_eq!(beside, "");
        } else {
            assert!(beside.contains("interrupted before it could stop cleanly"), "{beside}");
        }
    }
    // What it left is finished or undone by the next.
    assert_eq!(sandbox.json(&["install", "ember-roads"]).package("ember-roads").version.as_deref(), Some("1.0.0"));
}
