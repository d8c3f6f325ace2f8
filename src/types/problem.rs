use super::api::Api;
use super::rule::{Level, Rule};
use super::suggest::{did_you_mean, known_here};
use serde::Serialize;
use std::fmt::{self, Write as _};

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The engine refuses it, or players lose by it.
    Error,
    /// Worth a look.
    Warning,
}

impl Severity {
    /// How many of these findings are so bad, those not told one by one among them.
    pub fn count(self, problems: &[Problem]) -> usize {
        problems.iter().filter(|problem| problem.severity == self).map(|problem| problem.stands_for).sum()
    }
}

/// One finding of a check: what rule, where, why, what next. Field for field what `problems[]` holds in JSON
/// (docs/spec/commands.md#results).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, schemars::JsonSchema)]
pub struct Problem {
    /// The rule, which is written as its stable code.
    #[schemars(with = "String")]
    pub code: &'static Rule,
    /// How bad it is.
    pub severity: Severity,
    /// The package it is about.
    pub package: Option<String>,
    /// The file it stands in, as the reader knows it.
    pub file: Option<String>,
    /// RFC 6901 pointer to the value within the file.
    pub pointer: Option<String>,
    /// Counted from 1.
    pub line: Option<u64>,
    /// Counted in characters, from 1.
    pub column: Option<u64>,
    /// The line it ends in.
    #[serde(rename = "endLine")]
    pub end_line: Option<u64>,
    /// The column after its last character.
    #[serde(rename = "endColumn")]
    pub end_column: Option<u64>,
    /// What, where and why.
    pub message: String,
    /// What to do.
    pub hint: Option<String>,
    /// Of a key that is not known: all that may stand in its place, the likeliest first.
    #[schemars(with = "Option<Vec<String>>")]
    pub expected: Option<Vec<&'static str>>,
    /// Whether it is about the key that `pointer` ends in, and not about the value under it.
    #[serde(skip)]
    pub at_key: bool,
    /// The artifact that `file` lies in; `file` then begins with it (see [`Problem::inside`]).
    #[serde(skip)]
    pub artifact: Option<String>,
    /// What stands there, for people to see.
    #[serde(skip)]
    pub excerpt: Option<Box<Excerpt>>,
    /// The Capability API that a manifest would have to declare for it to be none.
    #[serde(skip)]
    pub needs: Option<Api>,
    /// How many findings it is: one, but for the "and 12,345 more" in which those are summed up that are not told.
    #[serde(skip)]
    pub stands_for: usize,
}

/// The line that a finding is about, as much of it as is worth showing. Untrusted text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Excerpt {
    /// What stands before the place.
    pub before: String,
    /// The key, value or bracket the finding is about.
    pub marked: String,
    /// What follows it in the line.
    pub after: String,
    /// Whether the line has more than this before and after it.
    pub cut: (bool, bool),
}

impl Problem {
    /// What breaks a rule at a place, as bad as the rule says and with its hint. A rule that is an error or a warning
    /// is an error here: whoever knows better says so with [`Problem::severity`].
    pub fn new(rule: &'static Rule, pointer: &Pointer, message: impl Into<String>) -> Self {
        Problem {
            code: rule,
            severity: if rule.severity == Level::Warning { Severity::Warning } else { Severity::Error },
            package: None,
            file: None,
            pointer: Some(pointer.to_string()),
            line: None,
            column: None,
            end_line: None,
            end_column: None,
            message: shortened(message.into()),
            hint: rule.hint.map(str::to_owned),
            expected: None,
            at_key: false,
            artifact: None,
            excerpt: None,
            needs: None,
            stands_for: 1,
        }
    }

    /// The same as bad as it is here, where that depends on what is checked.
    pub fn severity(self, severity: Severity) -> Self {
        Problem { severity, ..self }
    }

    /// The same with what to do about it.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(shortened(hint.into()));
        self
    }

    /// The same, which a manifest that declares this API mends.
    pub fn needing(self, api: Api) -> Self {
        Problem { needs: Some(api), ..self }
    }

    /// The same of a key that is not known: `meant` are those it is likely to be, `others` may stand there too.
    pub fn expecting(self, meant: &[&'static str], others: &[&'static str]) -> Self {
        let parts: Vec<String> = [did_you_mean(meant), known_here(others)].into_iter().flatten().collect();
        let hint = (!parts.is_empty()).then(|| parts.join(" "));
        Problem { expected: Some([meant, others].concat()), ..self.hint_if(hint) }
    }

    /// The same with this hint, if there is one: else the rule's own stands.
    pub fn hint_if(self, hint: Option<impl Into<String>>) -> Self {
        match hint {
            Some(hint) => self.hint(hint),
            None => self,
        }
    }

    /// The bytes of text in it, as far as they depend on what is checked.
    pub(super) fn text_len(&self) -> usize {
        let of = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        self.message.len() + of(&self.pointer) + of(&self.hint) + of(&self.file) + of(&self.package)
    }

    /// The same, about the key its pointer ends in: an unknown one, a repeated one.
    pub fn at_key(mut self) -> Self {
        self.at_key = true;
        self
    }

    /// The same, at no line: what it is about has others than the text it was found in.
    pub fn unplaced(self) -> Self {
        Problem { line: None, column: None, end_line: None, end_column: None, excerpt: None, ..self }
    }

    /// The same, in this file.
    pub fn in_file(self, file: impl Into<String>) -> Self {
        Problem { file: Some(file.into()), ..self }
    }

    /// The same, about a file within this artifact: `ruleset.json` of `a.zip` is the file `a.zip!ruleset.json`. What is
    /// about no file within is about the artifact itself.
    pub fn inside(mut self, artifact: &str) -> Self {
        self.file = Some(match self.file {
            Some(inner) => format!("{artifact}!{inner}"),
            None => return Problem { file: Some(artifact.to_owned()), ..self },
        });
        self.artifact = Some(artifact.to_owned());
        self
    }

    /// The path within the artifact, of what is about a file within one.
    pub fn inner_file(&self) -> Option<&str> {
        self.file.as_deref()?.strip_prefix(self.artifact.as_deref()?)?.strip_prefix('!')
    }

    /// The finding as one line, for places that hold text only.
    pub fn reason(&self) -> String {
        match self.pointer.as_deref() {
            Some(pointer) if !pointer.is_empty() => format!("{}: {} (at {pointer})", self.code, self.message),
            _ => format!("{}: {}", self.code, self.message),
        }
    }
}

/// A message of bearable length: what it quotes of a file may be of any.
pub(super) fn shortened(mut message: String) -> String {
    const MOST: usize = 2000;
    if message.len() > MOST {
        message.truncate(message.floor_char_boundary(MOST));
        message.push('…');
    }
    message
}

/// A place in a JSON document, as RFC 6901 writes it.
///
/// It stays short: of a key that no format has, for its length, only the beginning is kept, and what lies deeper than
/// anything anybody wrote stands where the last thing above it does.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pointer(String);

impl Pointer {
    /// The whole document.
    pub fn root() -> Self {
        Pointer::default()
    }

    /// The value under this key or index.
    pub fn at(&self, part: impl fmt::Display) -> Self {
        const LONGEST_PART: usize = 300;
        const LONGEST: usize = 4000;
        if self.0.len() > LONGEST {
            return self.clone();
        }
        let mut text = String::with_capacity(self.0.len() + 24);
        text.push_str(&self.0);
        text.push('/');
        let start = text.len();
        // Writing into a String cannot fail.
        let _ = write!(text, "{part}");
        if text.len() - start > LONGEST_PART {
            text.truncate(text.floor_char_boundary(start + LONGEST_PART));
            text.push('…');
        }
        if text[start..].contains(['~', '/']) {
            let escaped = text[start..].replace('~', "~0").replace('/', "~1");
            text.replace_range(start.., &escaped);
        }
        Pointer(text)
    }

    /// The key or index it ends in; `None` of the whole document.
    pub fn last(&self) -> Option<String> {
        let (_, last) = self.0.rsplit_once('/')?;
        Some(last.replace("~1", "/").replace("~0", "~"))
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_within_an_artifact_is_named_behind_it() {
        let problem = || Problem::new(Rule::named("x"), &Pointer::root(), "");
        let inner = Problem { file: Some("ruleset.json".to_owned()), ..problem() }.inside("/a!/b.zip");
        assert_eq!((inner.file.as_deref(), inner.inner_file()), (Some("/a!/b.zip!ruleset.json"), Some("ruleset.json")));
        let whole = problem().inside("/a!/b.zip");
        assert_eq!((whole.file.as_deref(), whole.inner_file()), (Some("/a!/b.zip"), None));
    }

    #[test]
    fn pointers_escape_their_own_signs() {
        let place = Pointer::root().at("files").at(3).at("a/b~c");
        assert_eq!(place.to_string(), "/files/3/a~1b~0c");
        assert_eq!((place.last().as_deref(), Pointer::root().last()), (Some("a/b~c"), None));
    }
}
