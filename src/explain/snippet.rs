//! What the edits of an example make of a file, as the few lines of it that a reader needs to see.

use super::Edit;
use crate::json::Object;
use crate::types::Pointer;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::value::RawValue;

/// The columns a value may take on one line.
const WIDTH: usize = 76;

/// Stands for what a list holds before what is shown of it.
const LEFT_OUT: &str = "…";

/// Part of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Snippet {
    pub file: String,
    /// Lines without a line end after the last.
    pub text: String,
}

/// What edits make of their files, one snippet a file, in the order of the edits. Each value stands nested in the keys
/// that lead to it, and values under the same keys stand together.
pub fn snippets(edits: &[Edit]) -> Vec<Snippet> {
    let mut files: Vec<(&str, Vec<Part>)> = Vec::new();
    for edit in edits {
        let known = files.iter().position(|(file, _)| *file == edit.file);
        let at = known.unwrap_or_else(|| {
            files.push((edit.file, Vec::new()));
            files.len() - 1
        });
        let parts = &mut files[at].1;
        let path: Vec<String> = edit.at.split('/').skip(1).map(unescaped).collect();
        // What an earlier edit wrote as a whole is not opened again: what goes into it stands below.
        if !parts.last_mut().is_some_and(|part| part.add(&path, edit.to)) {
            parts.push(Part::new(&path, edit.to));
        }
    }
    let text = |parts: Vec<Part>| parts.iter().map(Part::text).collect::<Vec<_>>().join("\n");
    files.into_iter().map(|(file, parts)| Snippet { file: file.to_owned(), text: text(parts) }).collect()
}

fn unescaped(part: &str) -> String {
    part.replace("~1", "/").replace("~0", "~")
}

/// What is shown of a value, before it is laid out.
enum Part {
    /// As it is written.
    Text(&'static str),
    /// Taken away.
    Gone,
    Object(Vec<(String, Part)>),
    /// Each with its index; none where it is appended.
    List(Vec<(Option<usize>, Part)>),
}

impl Part {
    fn new(path: &[String], to: &'static str) -> Self {
        match path {
            [] if to.is_empty() => Part::Gone,
            [] => Part::Text(to),
            [key, rest @ ..] => match index(key) {
                Some(index) => Part::List(vec![(index, Part::new(rest, to))]),
                None => Part::Object(vec![(key.clone(), Part::new(rest, to))]),
            },
        }
    }

    /// Adds one more value below the same keys; false where there is no place for it.
    fn add(&mut self, path: &[String], to: &'static str) -> bool {
        let [key, rest @ ..] = path else { return false };
        match (self, index(key)) {
            (Part::Object(members), None) => match members.iter_mut().find(|(name, _)| name == key) {
                Some((_, part)) => part.add(rest, to),
                None => {
                    members.push((key.clone(), Part::new(rest, to)));
                    true
                }
            },
            (Part::List(items), Some(index)) => match items.iter_mut().find(|(at, _)| at.is_some() && *at == index) {
                Some((_, part)) => part.add(rest, to),
                None => {
                    items.push((index, Part::new(rest, to)));
                    true
                }
            },
            _ => false,
        }
    }

    /// A whole file is shown as it is written; of anything else, the braces around the outermost keys are left out.
    fn text(&self) -> String {
        match self {
            Part::Text(text) => (*text).to_owned(),
            Part::Gone => "// no such file".to_owned(),
            part => match part.node() {
                Node::Object(members) => {
                    let mut out = String::new();
                    write_members(&members, 0, &mut out);
                    out.trim_start_matches('\n').to_owned()
                }
                node => {
                    let mut out = String::new();
                    node.write(0, 0, &mut out);
                    out
                }
            },
        }
    }

    fn node(&self) -> Node {
        match self {
            Part::Text(text) => Node::of(text),
            Part::Gone => Node::Note("// omitted".to_owned()),
            Part::Object(members) => Node::Object(
                members
                    .iter()
                    .map(|(key, part)| match part {
                        Part::Gone => (None, Node::Note(format!("// no {}", quoted(key)))),
                        part => (Some(quoted(key)), part.node()),
                    })
                    .collect(),
            ),
            Part::List(items) => {
                let mut nodes = Vec::new();
                let mut next = 0;
                for (index, part) in items {
                    if index.map_or(nodes.is_empty(), |index| index > next) {
                        nodes.push(Node::Text(LEFT_OUT.to_owned()));
                    }
                    next = index.map_or(next, |index| index + 1);
                    nodes.push(part.node());
                }
                Node::List(nodes)
            }
        }
    }
}

/// The place of a list a part of a pointer names: `-` is none yet. Nothing for a key.
fn index(part: &str) -> Option<Option<usize>> {
    if part == "-" { Some(None) } else { part.parse().ok().map(Some) }
}

fn quoted(key: &str) -> String {
    serde_json::Value::from(key).to_string()
}

/// A value to lay out.
enum Node {
    /// A scalar, as it is spelled.
    Text(String),
    /// A comment, which takes a line of its own.
    Note(String),
    /// Each with its key in quotes; none for a comment.
    Object(Vec<(Option<String>, Node)>),
    List(Vec<Node>),
}

impl Node {
    /// The order of keys and the spelling of scalars stay as they are written.
    fn of(text: &str) -> Self {
        let text = text.trim();
        if let Ok(object) = Object::parse(text, Pointer::root()) {
            let members = object.into_fields().into_iter();
            return Node::Object(members.map(|(key, value)| (Some(quoted(&key)), Node::of(value.get()))).collect());
        }
        match serde_json::from_str::<Vec<&RawValue>>(text) {
            Ok(items) => Node::List(items.into_iter().map(|item| Node::of(item.get())).collect()),
            Err(_) => Node::Text(text.to_owned()),
        }
    }

    /// Written after `column` columns of a line that is indented by `indent`.
    fn write(&self, indent: usize, column: usize, out: &mut String) {
        if let Some(line) = self.one_line().filter(|line| column + line.chars().count() < WIDTH) {
            out.push_str(&line);
            return;
        }
        match self {
            Node::Text(text) | Node::Note(text) => out.push_str(text),
            Node::Object(members) => {
                out.push('{');
                write_members(members, indent + 2, out);
                new_line(indent, out);
                out.push('}');
            }
            Node::List(items) => {
                out.push('[');
                for (n, item) in items.iter().enumerate() {
                    new_line(indent + 2, out);
                    item.write(indent + 2, indent + 2, out);
                    if n + 1 < items.len() && !matches!(item, Node::Note(_)) {
                        out.push(',');
                    }
                }
                new_line(indent, out);
                out.push(']');
            }
        }
    }

    /// Nothing where a comment stands in it.
    fn one_line(&self) -> Option<String> {
        Some(match self {
            Node::Text(text) => text.clone(),
            Node::Note(_) => return None,
            Node::Object(members) if members.is_empty() => "{}".to_owned(),
            Node::Object(members) => {
                let member =
                    |(key, node): &(Option<String>, Node)| Some(format!("{}: {}", key.as_ref()?, node.one_line()?));
                format!("{{ {} }}", members.iter().map(member).collect::<Option<Vec<_>>>()?.join(", "))
            }
            Node::List(items) => {
                format!("[{}]", items.iter().map(Node::one_line).collect::<Option<Vec<_>>>()?.join(", "))
            }
        })
    }
}

fn write_members(members: &[(Option<String>, Node)], indent: usize, out: &mut String) {
    for (n, (key, node)) in members.iter().enumerate() {
        new_line(indent, out);
        let key = key.as_ref().map(|key| format!("{key}: ")).unwrap_or_default();
        out.push_str(&key);
        node.write(indent, indent + key.chars().count(), out);
        let more = members[n + 1..].iter().any(|(key, _)| key.is_some());
        if more && !matches!(node, Node::Note(_)) {
            out.push(',');
        }
    }
}

fn new_line(indent: usize, out: &mut String) {
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', indent));
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn edit(at: &'static str, to: &'static str) -> Edit {
        Edit { file: "ruleset.json", at, to }
    }

    #[track_caller]
    fn shows(edits: &[Edit], lines: &[&str]) {
        let told: Vec<String> = snippets(edits).into_iter().map(|snippet| snippet.text).collect();
        assert_eq!(told, [lines.join("\n")]);
    }

    #[test]
    fn a_value_stands_in_the_keys_that_lead_to_it() {
        shows(
            &[edit("/sheet/fields/-", r#"{"id":"grit","type":"number","max":3.0}"#)],
            &[r#""sheet": { "fields": […, { "id": "grit", "type": "number", "max": 3.0 }] }"#],
        );
        shows(&[edit("/a~1b/0", "true")], &[r#""a/b": [true]"#]);
        shows(&[edit("/name", "\"Ember\"")], &[r#""name": "Ember""#]);
    }

    #[test]
    fn what_is_too_long_for_a_line_is_broken() {
        let long = r#"[{"id":"a","name":"A name that takes its room"},{"id":"b","name":"One more of the kind"},{}]"#;
        shows(
            &[edit("/sheet/fields", long)],
            &[
                r#""sheet": {"#,
                r#"  "fields": ["#,
                r#"    { "id": "a", "name": "A name that takes its room" },"#,
                r#"    { "id": "b", "name": "One more of the kind" },"#,
                r#"    {}"#,
                r#"  ]"#,
                r#"}"#,
            ],
        );
    }

    #[test]
    fn values_under_the_same_keys_stand_together() {
        shows(
            &[edit("/a/b/1/x", "1"), edit("/a/b/1/y", "2"), edit("/a/b/4", "3"), edit("/a/b/-", "4"), edit("/c", "5")],
            &[r#""a": { "b": […, { "x": 1, "y": 2 }, …, 3, 4] },"#, r#""c": 5"#],
        );
        shows(&[edit("/a", "{}"), edit("/a/b", "1")], &[r#""a": {}"#, r#""a": { "b": 1 }"#]);
    }

    #[test]
    fn what_is_taken_away_is_said() {
        shows(&[edit("/name", "")], &[r#"// no "name""#]);
        shows(&[edit("/a/b", ""), edit("/a/c", "1")], &[r#""a": {"#, r#"  // no "b""#, r#"  "c": 1"#, r#"}"#]);
        shows(&[edit("/a/0", "")], &[r#""a": ["#, "  // omitted", "]"]);
        shows(&[edit("", "")], &["// no such file"]);
    }

    #[test]
    fn a_whole_file_is_shown_as_it_is_written() {
        shows(&[edit("", "{\"a\": 1,\n  \"a\": 2")], &["{\"a\": 1,", "  \"a\": 2"]);
    }

    #[test]
    fn each_file_has_its_own() {
        let other = Edit { file: "catalogs/wares.json", at: "/entries/-", to: "3" };
        let told = snippets(&[edit("/a", "1"), other, edit("/b", "2")]);
        let told: Vec<_> = told.iter().map(|snippet| (snippet.file.as_str(), snippet.text.as_str())).collect();
        assert_eq!(told, [("ruleset.json", "\"a\": 1,\n\"b\": 2"), ("catalogs/wares.json", "\"entries\": […, 3]")]);
    }
}
