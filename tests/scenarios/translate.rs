//! `translate`: what display strings read. The examples are the engine's own (`testdata/seed`).

use super::kit::sandbox::Sandbox;
use super::kit::seed;
use serde_json::{Value, json};

fn translated(sandbox: &Sandbox, name: &str, words: &[&str]) -> Vec<(String, String)> {
    let line: Vec<&str> = ["translate", name].into_iter().chain(words.iter().copied()).collect();
    let answer = sandbox.json(&line);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let texts = answer.other()["texts"].as_array().unwrap();
    texts.iter().map(|it| (text(&it["translation"]), text(&it["language"]))).collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(text, language)| ((*text).to_owned(), (*language).to_owned())).collect()
}

#[test]
fn goblin_2_reads_the_translation_of_goblin_with_its_number() {
    let sandbox = Sandbox::new();
    let path = seed::path();
    let told = translated(&sandbox, path.to_str().unwrap(), &["Goblin", "Goblin 2", "Fire Bolt", "--language", "ru"]);
    assert_eq!(told, pairs(&[("Гоблин", "ru"), ("Гоблин 2", "ru"), ("Огненный снаряд", "ru")]));
}

#[test]
fn what_is_not_translated_shows_in_english() {
    let sandbox = Sandbox::new();
    let path = seed::path();
    let told = translated(&sandbox, path.to_str().unwrap(), &["Rope", "Kobold 3", "--language", "ru"]);
    assert_eq!(told, pairs(&[("Rope", "en"), ("Kobold 3", "en")]));
    assert_eq!(translated(&sandbox, path.to_str().unwrap(), &["Goblin"]), pairs(&[("Goblin", "en")]));
}

#[test]
fn the_languages_own_file_comes_first_and_then_the_one_it_is_a_kind_of() {
    let sandbox = Sandbox::new();
    let path = seed::path();
    let told = translated(&sandbox, path.to_str().unwrap(), &["Goblin 2", "Prone", "--language", "pt-BR"]);
    assert_eq!(told, pairs(&[("Duende 2", "pt-BR"), ("Caído", "pt")]));
}

#[test]
fn the_translation_kept_is_the_one_that_is_read() {
    let sandbox = Sandbox::new();
    let path = seed::path();
    sandbox.run(&["import", path.to_str().unwrap(), "--language", "ru"]).expect(0);
    let id = "local/seed-example";
    assert_eq!(translated(&sandbox, id, &["Goblin 2"]), pairs(&[("Гоблин 2", "ru")]));
    assert_eq!(translated(&sandbox, id, &["Goblin 2", "--language", "ru-RU"]), pairs(&[("Гоблин 2", "ru")]));
    assert_eq!(translated(&sandbox, id, &["Goblin 2", "--language", "pt"]), pairs(&[("Goblin 2", "en")]));
    let pack = sandbox.data().join("rulesets/local/seed-example/1/locales/ru.json");
    let size = std::fs::metadata(&pack).unwrap().len();
    std::fs::write(&pack, " ".repeat(usize::try_from(size).unwrap())).unwrap();
    let answer = sandbox.json(&["translate", id, "Goblin"]);
    assert_eq!(answer.warning_codes(), ["damaged-pack"]);
    assert_eq!(answer.other()["texts"], json!([{"text": "Goblin", "translation": "Goblin", "language": "en"}]));
}

#[test]
fn thousands_of_texts_come_through_stdin_one_a_line_and_keep_their_lines() {
    let sandbox = Sandbox::new();
    let path = seed::path();
    let line = ["translate", path.to_str().unwrap(), "-", "--language", "ru"];
    let told = sandbox.command(&line).stdin("Goblin 2\r\n\nRope\nProne").run().expect(0);
    assert_eq!(told.stdout, "Гоблин 2\n\nRope\nЛежащий\n");
    let told = sandbox.command(&line).stdin("\u{feff}Goblin\nProne\n").run().expect(0);
    assert_eq!(told.stdout, "Гоблин\nЛежащий\n", "some shells pipe a BOM first");
    let many: String = (0..5000).map(|n| format!("Goblin {n}\n")).collect();
    let told = sandbox.command(&line).stdin(many).run().expect(0);
    assert_eq!(told.stdout.lines().count(), 5000);
    assert_eq!(told.stdout.lines().last(), Some("Гоблин 4999"));
}

/// A run that waits for what nobody types ends when it is told to.
#[cfg(unix)]
#[test]
fn ctrl_c_while_stdin_says_nothing_ends_the_run() {
    use std::process::Stdio;
    let sandbox = Sandbox::new();
    let path = seed::path();
    for line in [["translate", path.to_str().unwrap(), "-"], ["migrate", path.to_str().unwrap(), "-"]] {
        let mut command = sandbox.command(&line).into_command();
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let held = child.stdin.take();
        // Long enough for it to have come to the wait.
        std::thread::sleep(std::time::Duration::from_millis(300));
        let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        assert_eq!(child.wait().unwrap().code(), Some(130), "{line:?}");
        drop(held);
    }
}

/// Also with everything read: there may be so much of it that the work takes its time.
#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_work_on_hundreds_of_thousands_of_texts_and_sheets() {
    use std::io::Write;
    use std::process::Stdio;
    let sandbox = Sandbox::new();
    let path = seed::path();
    let sheet = "{\"v\": 1, \"build\": {\"fields\": {\"class\": \"Fighter 3\", \"level\": 3}}}\n";
    for (command, input) in [("translate", "Goblin 2\n".repeat(400_000)), ("migrate", sheet.repeat(50_000))] {
        let mut run = sandbox.command(&[command, path.to_str().unwrap(), "-"]).into_command();
        let mut child = run.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        assert_eq!(child.wait().unwrap().code(), Some(130), "{command}");
    }
}
