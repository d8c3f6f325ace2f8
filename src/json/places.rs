use super::lexer::{Kind, Token, lex, unquoted};
use super::sight::{Place, excerpt_at, offset_of, places_of};
use crate::types::Problem;
use std::collections::BTreeMap;
use std::ops::Range;

/// What is looked for in a document: the value a pointer (RFC 6901) leads to, or the key it ends in.
#[derive(Clone, Copy, Debug)]
pub struct Aim<'p> {
    pub pointer: &'p str,
    pub at_key: bool,
}

/// Where each of these stands in a JSON document, given as stored. What is not there stands where the nearest thing
/// around it that is there does; of a key written twice the last counts, as it does to JavaScript.
///
/// One pass over the text for all of them. The text may be anything: what does not fit is passed over.
pub fn places(text: &[u8], aims: &[Aim<'_>]) -> Vec<Place> {
    let starts: Vec<usize> = spans(text, aims).into_iter().map(|span| span.start).collect();
    places_of(text, &starts)
}

/// Gives findings about one document their place, from its beginning to its end, and shows what stands there. Those
/// that have a line keep it; those without a pointer are about no place.
pub fn locate<'p>(text: &[u8], problems: impl IntoIterator<Item = &'p mut Problem>) {
    let mut unplaced = Vec::new();
    let mut placed = Vec::new();
    for problem in problems {
        match (problem.line, &problem.pointer) {
            (None, Some(_)) => unplaced.push(problem),
            (Some(line), _) if problem.excerpt.is_none() => {
                let start = offset_of(text, Place { line, column: problem.column.unwrap_or(1) });
                placed.push((start, problem));
            }
            _ => {}
        }
    }
    let aim = |problem: &&mut Problem| (problem.pointer.clone().unwrap_or_default(), problem.at_key);
    let aims: Vec<(String, bool)> = unplaced.iter().map(aim).collect();
    let aims: Vec<Aim<'_>> = aims.iter().map(|(pointer, at_key)| Aim { pointer, at_key: *at_key }).collect();
    let spans = if aims.is_empty() { Vec::new() } else { spans(text, &aims) };
    place(text, spans.into_iter().zip(unplaced));
    place_at(text, placed);
}

/// Says of each of these findings about one text, whatever that is written in, that it is about what is shown at this
/// byte.
pub fn place_at<'p>(text: &[u8], found: impl IntoIterator<Item = (usize, &'p mut Problem)>) {
    let shown = |start: usize| start..start + excerpt_at(text, start).marked.len();
    place(text, found.into_iter().map(|(start, problem)| (shown(start), problem)));
}

/// Says of each of these findings about one text that it is about these bytes, and shows what stands there.
pub(super) fn place<'p>(text: &[u8], found: impl IntoIterator<Item = (Range<usize>, &'p mut Problem)>) {
    let found: Vec<_> = found.into_iter().collect();
    let ends: Vec<usize> = found.iter().flat_map(|(span, _)| [span.start, span.end]).collect();
    for ((span, problem), ends) in found.into_iter().zip(places_of(text, &ends).chunks_exact(2)) {
        (problem.line, problem.column) = (Some(ends[0].line), Some(ends[0].column));
        (problem.end_line, problem.end_column) = (Some(ends[1].line), Some(ends[1].column));
        problem.excerpt = Some(Box::new(excerpt_at(text, span.start)));
    }
}

fn spans(text: &[u8], aims: &[Aim<'_>]) -> Vec<Range<usize>> {
    let mut wanted = Wanted::default();
    for aim in aims {
        wanted.add(aim.pointer);
    }
    wanted.find_in(text);
    aims.iter().map(|aim| wanted.span(aim)).collect()
}

/// The tree of all the places that lead to what is looked for; the first is the whole document.
struct Wanted(Vec<Step>);

#[derive(Default)]
struct Step {
    found: Option<Found>,
    keys: BTreeMap<Box<[u8]>, usize>,
    items: BTreeMap<usize, usize>,
}

/// Where a member of something stands, each from its first byte to that after its last.
#[derive(Clone)]
struct Found {
    key: Option<Range<usize>>,
    /// Of an object or a list, its first bracket alone until the last is seen.
    value: Range<usize>,
}

/// A container that leads to what is looked for, while its members go by.
struct Open {
    step: usize,
    is_list: bool,
    index: usize,
    /// In an object, the step of the last key and where the key stands.
    key: Option<(usize, Range<usize>)>,
    is_value_next: bool,
}

impl Default for Wanted {
    fn default() -> Self {
        Wanted(vec![Step::default()])
    }
}

impl Wanted {
    fn add(&mut self, pointer: &str) {
        let mut at = 0;
        for part in parts(pointer) {
            at = match self.0[at].keys.get(part.as_bytes()) {
                Some(below) => *below,
                None => {
                    let below = self.0.len();
                    self.0.push(Step::default());
                    self.0[at].keys.insert(part.as_bytes().into(), below);
                    if let Some(index) = part.parse::<usize>().ok().filter(|index| index.to_string() == part) {
                        self.0[at].items.insert(index, below);
                    }
                    below
                }
            };
        }
    }

    fn find_in(&mut self, text: &[u8]) {
        let mut open: Vec<Open> = Vec::new();
        // How many containers deep we are in something of which nobody asked for what is in it, and whose place it was
        // asked for.
        let mut aside = 0_usize;
        let mut around = None;
        for token in lex(text) {
            let opens = matches!(token.kind, Kind::OpenObject | Kind::OpenList);
            if aside > 0 {
                match token.kind {
                    Kind::Close if aside == 1 => {
                        aside = 0;
                        self.ends(around.take(), token);
                    }
                    Kind::Close => aside -= 1,
                    _ if opens => aside += 1,
                    _ => {}
                }
                continue;
            }
            let value = match open.last_mut() {
                None if self.0[0].found.is_none() => Some((0, None)),
                // What follows the document is none of it.
                None => return,
                Some(container) => match token.kind {
                    Kind::Close => {
                        let closed = container.step;
                        open.pop();
                        self.ends(Some(closed), token);
                        continue;
                    }
                    _ => self.value_of(container, token, text),
                },
            };
            match value {
                Some((step, key)) => {
                    self.found(step, Found { key, value: token.start..token.end });
                    match opens {
                        true if self.0[step].keys.is_empty() => (aside, around) = (1, Some(step)),
                        true => open.push(Open {
                            step,
                            is_list: token.kind == Kind::OpenList,
                            index: 0,
                            key: None,
                            is_value_next: false,
                        }),
                        false => {}
                    }
                }
                None if opens => aside = 1,
                None => {}
            }
        }
    }

    /// Where the container that this was found to be ends.
    fn ends(&mut self, step: Option<usize>, close: Token) {
        if let Some(found) = step.and_then(|step| self.0[step].found.as_mut()) {
            found.value.end = close.end;
        }
    }

    /// The step that the token is the value of, and where its key stands, if it is one that is looked for.
    fn value_of(&self, container: &mut Open, token: Token, text: &[u8]) -> Option<(usize, Option<Range<usize>>)> {
        let step = &self.0[container.step];
        match token.kind {
            Kind::Comma => {
                container.index += 1;
                container.key = None;
                container.is_value_next = false;
                None
            }
            Kind::Colon => {
                container.is_value_next = true;
                None
            }
            _ if container.is_list => step.items.get(&container.index).map(|below| (*below, None)),
            _ if container.is_value_next => container.key.take().map(|(below, key)| (below, Some(key))),
            Kind::Text => {
                let key = unquoted(&text[token.start..token.end]);
                let below = key.and_then(|key| step.keys.get(key.as_ref()));
                container.key = below.map(|below| (*below, token.start..token.end));
                None
            }
            _ => None,
        }
    }

    fn found(&mut self, step: usize, found: Found) {
        if self.0[step].found.replace(found).is_some() {
            let mut stale: Vec<usize> = self.0[step].keys.values().copied().collect();
            while let Some(below) = stale.pop() {
                if self.0[below].found.take().is_some() {
                    stale.extend(self.0[below].keys.values());
                }
            }
        }
    }

    fn span(&self, aim: &Aim<'_>) -> Range<usize> {
        let mut nearest = 0;
        let mut whole = true;
        for part in parts(aim.pointer) {
            let below = self.0[nearest].keys.get(part.as_bytes());
            match below.filter(|below| self.0[**below].found.is_some()) {
                Some(below) => nearest = *below,
                None => {
                    whole = false;
                    break;
                }
            }
        }
        let Some(Found { key, value }) = self.0[nearest].found.clone() else { return 0..0 };
        key.filter(|_| aim.at_key && whole).unwrap_or(value)
    }
}

fn parts(pointer: &str) -> impl Iterator<Item = String> {
    pointer.split('/').skip(1).map(|part| part.replace("~1", "/").replace("~0", "~"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Pointer;
    use crate::types::Rule;
    use proptest::prelude::*;

    fn place(text: &str, pointer: &str, at_key: bool) -> (u64, u64) {
        let Place { line, column } = places(text.as_bytes(), &[Aim { pointer, at_key }])[0];
        (line, column)
    }

    const TEXT: &str = "{\r\n\t\"ä\": [1, {\"b/c\": true, \"d~\": null}],\r\n  \"x\": {\"y\" : \"z\"} }\n";

    #[test]
    fn values_keys_and_items_stand_where_an_editor_says() {
        for (pointer, value, key) in [
            ("", (1, 1), (1, 1)),
            ("/ä", (2, 7), (2, 2)),
            ("/ä/0", (2, 8), (2, 8)),
            ("/ä/1", (2, 11), (2, 11)),
            ("/ä/1/b~1c", (2, 19), (2, 12)),
            ("/ä/1/d~0", (2, 31), (2, 25)),
            ("/x/y", (3, 15), (3, 9)),
        ] {
            assert_eq!(place(TEXT, pointer, false), value, "{pointer}");
            assert_eq!(place(TEXT, pointer, true), key, "{pointer}");
            assert_eq!(place(&format!("\u{feff}{TEXT}"), pointer, false), value, "{pointer} behind a mark");
        }
    }

    #[test]
    fn what_is_not_there_stands_where_the_nearest_thing_around_it_does() {
        for (pointer, nearest) in
            [("/nothing", (1, 1)), ("/x/w/v", (3, 8)), ("/ä/7", (2, 7)), ("/ä/0/a", (2, 8)), ("/x/y/0", (3, 15))]
        {
            assert_eq!(place(TEXT, pointer, false), nearest, "{pointer}");
            assert_eq!(place(TEXT, pointer, true), nearest, "{pointer}");
        }
        assert_eq!(place("", "/a", false), (1, 1));
        assert_eq!(place("\n\n {}", "/a", false), (3, 2));
    }

    #[test]
    fn of_a_key_written_twice_the_last_counts_with_all_below_it() {
        let text = r#"{"a": {"b": 1, "c": 2}, "\u0061": {"b": 3}}"#;
        assert_eq!(place(text, "/a", true), (1, 25));
        assert_eq!(place(text, "/a/b", false), (1, 41));
        assert_eq!(place(text, "/a/c", false), (1, 35));
    }

    #[test]
    fn a_number_is_a_key_of_objects_too() {
        assert_eq!(place(r#"{"a": {"1": [5, 6]}}"#, "/a/1/1", false), (1, 17));
        assert_eq!(place(r#"[[1], [2]]"#, "/01", false), (1, 1));
    }

    #[test]
    fn findings_are_placed_and_shown() {
        let mut problems = [
            Problem::new(Rule::named("a"), &Pointer::root().at("x").at("y"), "").at_key(),
            Problem::new(Rule::named("b"), &Pointer::root().at("ä").at(0), ""),
            Problem { line: Some(2), column: Some(7), ..Problem::new(Rule::named("c"), &Pointer::root(), "") },
            Problem::new(Rule::named("d"), &Pointer::root().at("ä"), ""),
            Problem::new(Rule::named("e"), &Pointer::root().at("nothing"), ""),
            Problem { pointer: None, ..Problem::new(Rule::named("f"), &Pointer::root(), "") },
        ];
        locate(TEXT.as_bytes(), &mut problems);
        let told: Vec<_> = problems
            .iter()
            .map(|p| {
                let marked = p.excerpt.as_ref().map_or("", |excerpt| excerpt.marked.as_str());
                (p.line.zip(p.column), p.end_line.zip(p.end_column), marked)
            })
            .collect();
        assert_eq!(
            told,
            [
                (Some((3, 9)), Some((3, 12)), "\"y\""),
                (Some((2, 8)), Some((2, 9)), "1"),
                (Some((2, 7)), Some((2, 8)), "["),
                (Some((2, 7)), Some((2, 37)), "["),
                (Some((1, 1)), Some((3, 21)), "{"),
                (None, None, "")
            ]
        );
    }

    /// All pointers of a value, with whether each ends in a key.
    fn pointers(value: &serde_json::Value, at: &Pointer, into: &mut Vec<(String, bool)>) {
        if let Some(object) = value.as_object() {
            for (key, value) in object {
                into.push((at.at(key).to_string(), true));
                pointers(value, &at.at(key), into);
            }
        }
        for (index, value) in value.as_array().into_iter().flatten().enumerate() {
            into.push((at.at(index).to_string(), false));
            pointers(value, &at.at(index), into);
        }
    }

    fn any_json() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![any::<i64>().prop_map(serde_json::Value::from), ".{0,4}".prop_map(Into::into)];
        leaf.prop_recursive(4, 32, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(serde_json::Value::from),
                prop::collection::btree_map("[a/~ä\"\\\\0]{0,3}", inner, 0..5)
                    .prop_map(|map| serde_json::Value::Object(map.into_iter().collect()))
            ]
        })
    }

    proptest! {
        /// What stands at the place of a pointer is the value that the pointer leads to.
        #[test]
        fn every_value_is_found(value in any_json(), laid_out in any::<bool>()) {
            let text = if laid_out { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
            let mut wanted = Vec::new();
            pointers(&value, &Pointer::root(), &mut wanted);
            let aim = |at_key| move |(pointer, _): &(String, bool)| (pointer.clone(), at_key);
            for at_key in [false, true] {
                let named: Vec<(String, bool)> = wanted.iter().map(aim(at_key)).collect();
                let aims: Vec<_> = named.iter().map(|(pointer, at_key)| Aim { pointer, at_key: *at_key }).collect();
                for (span, (pointer, is_key)) in spans(text.as_bytes(), &aims).into_iter().zip(&wanted) {
                    let read: serde_json::Value = serde_json::from_str(&text[span]).unwrap();
                    if at_key && *is_key {
                        let key = parts(pointer).last().unwrap();
                        prop_assert_eq!(read, serde_json::Value::from(key));
                    } else {
                        prop_assert_eq!(&read, value.pointer(pointer).unwrap());
                    }
                }
            }
        }

        #[test]
        fn no_bytes_panic(text in prop::collection::vec(prop::sample::select(b"{}[]:,\"\\ a1\n\xff".to_vec()), 0..60)) {
            places(&text, &[Aim { pointer: "/a/1", at_key: true }, Aim { pointer: "x//~", at_key: false }]);
        }
    }
}
