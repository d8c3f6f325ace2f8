//! Every code the sources raise is explained, and every code explained is raised.
//!
//! A code is raised where it is written as a text in one of these forms:
//!
//! * as the argument for a parameter that is called `code`, `codes` or `rule`, of a function or of a closure with a name:
//!   which those are is read from the sources, too;
//! * as the value of a constant whose name ends in `CODE`, `CODES` or `RULE`;
//! * as the value of a field `code`, or of a variable `code`;
//! * as what a function `code` gives;
//! * anywhere, if it looks like a rule of the format's description: `K11`, `T02`;
//! * as one of [`Code`] or [`PackReason`].

use super::base::repository;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use rulepack::app::PackReason;
use rulepack::explain;
use rulepack::types::Code;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The names of what takes or holds a code.
const PARAMETERS: [&str; 3] = ["code", "codes", "rule"];
const CONSTANTS: [&str; 3] = ["CODE", "CODES", "RULE"];

/// Raised, and not explained yet.
const AWAITED: &[&str] = &[];

/// A file of the sources without its tests.
struct Source {
    path: PathBuf,
    tokens: Vec<TokenTree>,
}

/// What takes a code: a function or a closure, by name.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Taker {
    name: String,
    called: Called,
    /// Which argument is the code.
    index: usize,
}

/// What stands before the name of a function where it is called.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Called {
    /// Nothing, or a module: a function of its own, or a closure.
    Alone,
    /// A value: it takes `self`.
    OfValue,
    /// The name of its type.
    OfType(String),
}

fn is_punct(token: Option<&TokenTree>, sign: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == sign)
}

fn word(token: Option<&TokenTree>) -> Option<String> {
    match token {
        Some(TokenTree::Ident(ident)) => Some(ident.to_string()),
        _ => None,
    }
}

fn group(token: Option<&TokenTree>, delimiter: Delimiter) -> Option<Vec<TokenTree>> {
    match token {
        Some(TokenTree::Group(group)) if group.delimiter() == delimiter => Some(group.stream().into_iter().collect()),
        _ => None,
    }
}

/// The text of a plain literal; raw ones and escapes are in no code.
fn text(token: &TokenTree) -> Option<String> {
    let TokenTree::Literal(literal) = token else { return None };
    Some(literal.to_string().strip_prefix('"')?.strip_suffix('"')?.to_owned())
}

fn is_code(text: &str) -> bool {
    let kebab = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    is_rule(text) || text.split('-').all(kebab)
}

/// Whether it looks like `K11` or `T02`.
fn is_rule(text: &str) -> bool {
    let digits = text.trim_start_matches(|c: char| c.is_ascii_uppercase());
    let letters = text.len() - digits.len();
    (1..=2).contains(&letters) && (1..=2).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit())
}

/// The tokens without what is for tests only. The modules of tests that are files of their own go into `modules`.
fn without_tests(stream: TokenStream, modules: &mut Vec<String>) -> Vec<TokenTree> {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let attribute = is_punct(tokens.get(at), '#').then(|| group(tokens.get(at + 1), Delimiter::Bracket)).flatten();
        let attribute = attribute.map(|tokens| tokens.iter().map(ToString::to_string).collect::<String>());
        if attribute.is_some_and(|attribute| attribute == "test" || attribute.replace(' ', "") == "cfg(test)") {
            while at < tokens.len() {
                let is_end = is_punct(tokens.get(at), ';') || group(tokens.get(at), Delimiter::Brace).is_some();
                if word(tokens.get(at)).as_deref() == Some("mod") && is_punct(tokens.get(at + 2), ';') {
                    modules.extend(word(tokens.get(at + 1)));
                }
                at += 1;
                if is_end {
                    break;
                }
            }
            continue;
        }
        kept.push(match &tokens[at] {
            TokenTree::Group(group) => {
                let inner = without_tests(group.stream(), modules).into_iter().collect();
                TokenTree::Group(proc_macro2::Group::new(group.delimiter(), inner))
            }
            token => token.clone(),
        });
        at += 1;
    }
    kept
}

/// The files of the sources but the explanations themselves.
fn sources() -> Vec<Source> {
    fn read(folder: &Path, sources: &mut Vec<Source>) {
        let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        let mut tests = Vec::new();
        for path in paths.iter().filter(|path| path.is_file()) {
            let text = std::fs::read_to_string(path).unwrap();
            let stream = text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let tokens = without_tests(stream, &mut tests);
            sources.push(Source { path: path.clone(), tokens });
        }
        let is_test = |path: &Path| tests.iter().any(|name| path.file_stem().is_some_and(|stem| *stem == **name));
        sources.retain(|source| source.path.parent() != Some(folder) || !is_test(&source.path));
        // What explains codes raises none, and what is not built does neither.
        let is_left_out = |path: &Path| {
            ["src/explain", "src/diceframe/codes"].iter().any(|folder| path.ends_with(folder))
                || (cfg!(not(feature = "diceframe")) && path.ends_with("src/diceframe"))
        };
        for path in paths.iter().filter(|path| path.is_dir() && !is_left_out(path) && !is_test(path)) {
            read(path, sources);
        }
    }
    let mut sources = Vec::new();
    read(&repository().join("src"), &mut sources);
    assert!(sources.len() > 100, "the sources are found");
    sources
}

/// The parts between the commas, of parameters or arguments.
fn parts(tokens: &[TokenTree]) -> Vec<&[TokenTree]> {
    let mut parts = Vec::new();
    let (mut start, mut depth) = (0, 0_i32);
    for (at, token) in tokens.iter().enumerate() {
        // The `>` of `->` and `=>` closes nothing.
        let is_arrow = at > 0 && (is_punct(tokens.get(at - 1), '-') || is_punct(tokens.get(at - 1), '='));
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '<' => depth += 1,
            TokenTree::Punct(punct) if punct.as_char() == '>' && !is_arrow => depth -= 1,
            TokenTree::Punct(punct) if punct.as_char() == ',' && depth <= 0 => {
                parts.push(&tokens[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&tokens[start..]);
    parts
}

/// Which parameter is a code, and whether there is a `self` before it.
fn code_parameter(parameters: &[TokenTree]) -> Option<(usize, bool)> {
    let parameters = parts(parameters);
    let has_self = parameters.first().is_some_and(|first| first.iter().any(|token| token.to_string() == "self"));
    let index = parameters.iter().position(|parameter| {
        let name =
            parameter.iter().position(|token| word(Some(token)).is_some_and(|it| PARAMETERS.contains(&it.as_str())));
        // One of type `Code` is none that is written as a text.
        name.is_some_and(|at| at == 0 && !parameter[1..].iter().any(|token| token.to_string() == "Code"))
    })?;
    Some((index - usize::from(has_self), has_self))
}

/// Finds what takes codes. `owner` is the type whose `impl` block this is.
fn takers(tokens: &[TokenTree], owner: Option<&str>, found: &mut BTreeSet<Taker>) {
    let mut block = None;
    for (at, token) in tokens.iter().enumerate() {
        match (word(Some(token)).as_deref(), token) {
            (Some("impl"), _) => {
                let head = tokens[at..].iter().take_while(|token| group(Some(token), Delimiter::Brace).is_none());
                let mut depth = 0;
                let names = head.filter_map(|token| match token {
                    TokenTree::Punct(punct) if punct.as_char() == '<' => {
                        depth += 1;
                        None
                    }
                    TokenTree::Punct(punct) if punct.as_char() == '>' => {
                        depth -= 1;
                        None
                    }
                    token => word(Some(token)).filter(|_| depth == 0),
                });
                block = names.last();
            }
            (Some("fn"), _) => {
                let Some(name) = word(tokens.get(at + 1)) else { continue };
                let parameters = tokens[at..].iter().find_map(|token| group(Some(token), Delimiter::Parenthesis));
                if let Some((index, has_self)) = parameters.as_deref().and_then(code_parameter) {
                    let called = match owner {
                        _ if has_self => Called::OfValue,
                        Some(owner) => Called::OfType(owner.to_owned()),
                        None => Called::Alone,
                    };
                    found.insert(Taker { name, called, index });
                }
            }
            (Some("let"), _) => {
                let at = if word(tokens.get(at + 1)).as_deref() == Some("mut") { at + 2 } else { at + 1 };
                let Some(name) = word(tokens.get(at)).filter(|_| is_punct(tokens.get(at + 1), '=')) else { continue };
                let start = if word(tokens.get(at + 2)).as_deref() == Some("move") { at + 3 } else { at + 2 };
                if is_punct(tokens.get(start), '|') {
                    let parameters: Vec<TokenTree> =
                        tokens[start + 1..].iter().take_while(|token| !is_punct(Some(token), '|')).cloned().collect();
                    if let Some((index, _)) = code_parameter(&parameters) {
                        found.insert(Taker { name, called: Called::Alone, index });
                    }
                }
            }
            (_, TokenTree::Group(group)) => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                let block = (group.delimiter() == Delimiter::Brace).then(|| block.take()).flatten();
                takers(&inner, block.as_deref().or(owner), found);
            }
            _ => {}
        }
    }
}

/// The texts an expression can come to: not those it compares with, nor the arguments of its calls.
fn values(tokens: &[TokenTree]) -> Vec<String> {
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        match token {
            TokenTree::Literal(_) => {
                let twice = at > 1 && is_punct(before, '=') && is_punct(tokens.get(at - 2), '=');
                let is_value =
                    before.is_none() || is_punct(before, '>') || is_punct(before, '=') || is_punct(before, '&');
                // A text in a list is a value, the second of a tuple is said of the code.
                found.extend(text(token).filter(|text| is_value && !twice && is_code(text)));
            }
            TokenTree::Group(group) => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                match group.delimiter() {
                    Delimiter::Bracket => parts(&inner).into_iter().for_each(|part| found.extend(values(part))),
                    Delimiter::Parenthesis if word(before).is_some() || is_punct(before, '!') => {}
                    Delimiter::Parenthesis => found.extend(values(parts(&inner)[0])),
                    _ => found.extend(values(&inner)),
                }
            }
            _ => {}
        }
    }
    found
}

/// Finds the codes that are raised, and every text there is.
fn raised(tokens: &[TokenTree], takers: &BTreeSet<Taker>, found: &mut BTreeSet<String>, texts: &mut BTreeSet<String>) {
    let statement = |from: usize| -> Vec<TokenTree> {
        tokens[from..].iter().take_while(|token| !is_punct(Some(token), ';')).cloned().collect()
    };
    for (at, token) in tokens.iter().enumerate() {
        if let Some(written) = text(token) {
            found.extend(Some(written.clone()).filter(|written| is_rule(written)));
            texts.insert(written);
        }
        let next = tokens.get(at + 1);
        let name = word(Some(token)).unwrap_or_default();
        let is_parameter = |name: Option<String>| name.is_some_and(|name| PARAMETERS.contains(&name.as_str()));
        match name.as_str() {
            "const" | "static" if word(next).is_some_and(|name| CONSTANTS.iter().any(|end| name.ends_with(end))) => {
                let tokens = statement(at);
                let value = tokens.iter().rposition(|token| is_punct(Some(token), '=')).unwrap_or_default();
                found.extend(values(&tokens[value + 1..]));
            }
            "let" => {
                let tuple = group(next, Delimiter::Parenthesis).unwrap_or_default();
                if is_parameter(word(next)) || is_parameter(word(tuple.first())) {
                    found.extend(values(&statement(at + 2)));
                }
            }
            "fn" if word(next).is_some_and(|name| name == "code") => {
                let body = tokens[at..].iter().find_map(|token| group(Some(token), Delimiter::Brace));
                found.extend(values(&body.unwrap_or_default()));
            }
            "code" if is_punct(next, ':') => found.extend(tokens.get(at + 2).and_then(text)),
            _ => {}
        }
        if let Some(arguments) = group(next, Delimiter::Parenthesis).filter(|_| !name.is_empty()) {
            let arguments = parts(&arguments);
            let before = at.checked_sub(1).and_then(|at| tokens.get(at));
            let owner = (at > 2 && is_punct(before, ':')).then(|| word(tokens.get(at - 3))).flatten();
            let is_called = |taker: &&Taker| {
                taker.name == name
                    && match &taker.called {
                        Called::Alone => !is_punct(before, '.'),
                        Called::OfValue => is_punct(before, '.'),
                        Called::OfType(of) => owner.as_ref().is_some_and(|owner| owner == of || owner == "Self"),
                    }
            };
            for Taker { index, .. } in takers.iter().filter(is_called) {
                found.extend(arguments.get(*index).into_iter().flat_map(|argument| values(argument)));
            }
        }
        if let TokenTree::Group(group) = token {
            raised(&group.stream().into_iter().collect::<Vec<_>>(), takers, found, texts);
        }
    }
}

/// The codes that are no texts of the sources.
fn enumerated() -> BTreeSet<String> {
    let reasons = [
        PackReason::Offline,
        PackReason::HttpError,
        PackReason::SizeMismatch,
        PackReason::ChecksumMismatch,
        PackReason::LocaleMismatch,
        PackReason::InvalidPack,
        PackReason::OtherVersion,
    ];
    let reasons = reasons.iter().map(|reason| serde_json::to_value(reason).unwrap().as_str().unwrap().to_owned());
    reasons.chain(Code::ALL.iter().map(ToString::to_string)).collect()
}

#[test]
fn every_code_raised_is_explained_and_every_code_explained_is_raised() {
    let sources = sources();
    let mut known = BTreeSet::new();
    sources.iter().for_each(|source| takers(&source.tokens, None, &mut known));
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut texts = enumerated();
    for Source { path, tokens } in &sources {
        let mut found = BTreeSet::new();
        raised(tokens, &known, &mut found, &mut texts);
        let place = path.strip_prefix(repository()).unwrap().display().to_string();
        found.into_iter().for_each(|code| places.entry(code).or_default().push(place.clone()));
    }
    let explained: BTreeSet<&str> = explain::all().map(|explained| explained.code).collect();
    let mut complaints = Vec::new();
    for code in AWAITED.iter().filter(|code| explained.contains(*code)) {
        complaints.push(format!("{code}: explained by now, and still listed as awaited"));
    }
    let is_due = |code: &str| !explained.contains(code) && !AWAITED.contains(&code);
    for (code, places) in places.iter().filter(|(code, _)| is_due(code)) {
        complaints.push(format!("{code}: raised in {} and not explained", places.join(", ")));
    }
    for code in explained.into_iter().filter(|code| !texts.contains(*code)) {
        complaints.push(format!("{code}: explained and raised nowhere"));
    }
    assert!(complaints.is_empty(), "{} complaints:\n{}", complaints.len(), complaints.join("\n"));
}

#[test]
fn the_forms_a_code_is_written_in_are_known() {
    let text = r##"
        impl Problem { pub fn error(code: &str, at: &Pointer<A, B>) {} }
        impl<T> Findings<T> { fn refuse(&mut self, at: Map<A, B>, code: &str) {} fn found_as(&self, code: Code) {} }
        const ONE_CODE: &str = "const-a";
        const CODES: [&str; 2] = ["const-b", "const-c"];
        const OTHER: &str = "no-const";
        fn f() {
            let mut tell = |code, text: String| ();
            tell("closure-a", "no-text");
            Problem::error("call-a", at);
            Other::error("no-call", at);
            found.refuse(f(a, b), if x == "no-x" { "call-b" } else { "call-c" });
            found.found_as("no-code");
            refuse(a, "no-method");
            found.tell("no-closure", b);
            let (code, text) = match x("no-y") { A => ("tuple-a", "no-tuple"), B if y == "no-z" => ("held", "n") };
            Problem { code: "field-a".to_owned() };
            anything("K11", "no-k");
        }
        impl Coded for X { fn code(&self) -> &'static str { match self { A => "given-a" } } }
        #[cfg(test)]
        mod tests { fn f() { Problem::error("no-test", at) } }
        #[cfg(test)]
        mod sample;
    "##;
    let mut modules = Vec::new();
    let tokens = without_tests(text.parse().unwrap(), &mut modules);
    let (mut known, mut found) = (BTreeSet::new(), BTreeSet::new());
    takers(&tokens, None, &mut known);
    raised(&tokens, &known, &mut found, &mut BTreeSet::new());
    let expected = "K11 call-a call-b call-c closure-a const-a const-b const-c field-a given-a held tuple-a";
    assert_eq!(found.into_iter().collect::<Vec<_>>().join(" "), expected);
    assert_eq!(modules, ["sample"]);
}
