use crate::types::{Pointer, Problem, Rule};
use serde_json::Value;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The keys of a file that are looked at under other names than they are written under: by the place each has under its
/// name, the place it is written at.
pub type Spelling = BTreeMap<Pointer, Pointer>;

/// A value of a ruleset or of one of its catalog files, and where it stands: what a check looks at, and what it reports
/// about.
///
/// Its readers give nothing where the value has another type. That it has is the shape check's to report, once; the
/// rules between the keys go on with what is there.
#[derive(Clone, Debug)]
pub struct Node<'a> {
    value: &'a Value,
    place: Place<'a>,
    /// `ruleset.json`, or the catalog file's path.
    file: &'a str,
}

/// The way from the whole of a file to a value, put into words for findings only: nearly all that is looked at is in
/// order.
#[derive(Clone, Debug)]
enum Place<'a> {
    Root(Option<&'a Spelling>),
    Below(Rc<(Place<'a>, Part<'a>)>),
}

#[derive(Clone, Copy, Debug)]
enum Part<'a> {
    Key(&'a str),
    Index(usize),
}

impl<'a> Place<'a> {
    fn at(&self, part: Part<'a>) -> Self {
        Place::Below(Rc::new((self.clone(), part)))
    }

    /// As it is written, with the spelling of its file.
    fn pointer(&self) -> (Pointer, Option<&'a Spelling>) {
        let (parent, part) = match self {
            Place::Root(spelling) => return (Pointer::root(), *spelling),
            Place::Below(below) => &**below,
        };
        let (parent, spelling) = parent.pointer();
        let at = match part {
            Part::Key(key) => parent.at(key),
            Part::Index(index) => parent.at(index),
        };
        let written = spelling.and_then(|spelling| spelling.get(&at)).cloned();
        (written.unwrap_or(at), spelling)
    }
}

impl<'a> Node<'a> {
    /// The whole of a file.
    pub fn root(value: &'a Value, file: &'a str) -> Self {
        Node { value, place: Place::Root(None), file }
    }

    /// The same where some of its keys are written otherwise.
    pub fn root_written_as(value: &'a Value, file: &'a str, spelling: Option<&'a Spelling>) -> Self {
        Node { value, place: Place::Root(spelling), file }
    }

    pub fn value(&self) -> &'a Value {
        self.value
    }

    /// Where it stands, as it is written there, for a finding: it is worked out anew each time.
    pub fn at(&self) -> Pointer {
        self.place.pointer().0
    }

    pub fn file(&self) -> &'a str {
        self.file
    }

    /// The value under a key.
    pub fn get(&self, key: &str) -> Option<Node<'a>> {
        let (key, value) = self.value.as_object()?.get_key_value(key)?;
        Some(Node { value, place: self.place.at(Part::Key(key)), file: self.file })
    }

    /// Whether the object has this key, whatever its value.
    pub fn has(&self, key: &str) -> bool {
        self.value.get(key).is_some()
    }

    /// The items, of a list.
    pub fn items(&self) -> impl Iterator<Item = Node<'a>> + use<'a> {
        let Node { value, place, file } = self.clone();
        let items = value.as_array().into_iter().flatten().enumerate();
        items.map(move |(index, value)| Node { value, place: place.at(Part::Index(index)), file })
    }

    /// The keys with their values, of an object. `$comment` is none of them: it may stand anywhere and means nothing.
    pub fn members(&self) -> impl Iterator<Item = (&'a str, Node<'a>)> + use<'a> {
        let Node { value, place, file } = self.clone();
        let members = value.as_object().into_iter().flatten().filter(|(key, _)| *key != "$comment");
        members.map(move |(key, value)| (key.as_str(), Node { value, place: place.at(Part::Key(key)), file }))
    }

    /// The items of the list under a key.
    pub fn list(&self, key: &str) -> impl Iterator<Item = Node<'a>> + use<'a> {
        self.get(key).into_iter().flat_map(|list| list.items())
    }

    pub fn text(&self) -> Option<&'a str> {
        self.value.as_str()
    }

    pub fn number(&self) -> Option<f64> {
        self.value.as_f64()
    }

    pub fn flag(&self) -> Option<bool> {
        self.value.as_bool()
    }

    /// The text under a key.
    pub fn text_of(&self, key: &str) -> Option<&'a str> {
        self.value.get(key)?.as_str()
    }

    /// The number under a key.
    pub fn number_of(&self, key: &str) -> Option<f64> {
        self.value.get(key)?.as_f64()
    }

    /// Whether the value under a key is `true`.
    pub fn is_set(&self, key: &str) -> bool {
        self.value.get(key).and_then(Value::as_bool) == Some(true)
    }

    /// What breaks a rule here.
    pub fn problem(&self, code: &'static Rule, message: impl Into<String>) -> Problem {
        Problem { file: Some(self.file.to_owned()), ..Problem::new(code, &self.at(), message) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_node_knows_where_it_stands_and_gives_nothing_of_another_type() {
        let value = json!({"a": [{"id": "x"}, 3], "$comment": 1, "b/c": true});
        let root = Node::root(&value, "ruleset.json");
        let first = root.list("a").next().unwrap();
        assert_eq!((first.text_of("id"), first.at().to_string().as_str()), (Some("x"), "/a/0"));
        let keys: Vec<_> = root.members().map(|(key, node)| format!("{key} {}", node.at())).collect();
        assert_eq!(keys, ["a /a", "b/c /b~1c"]);
        assert_eq!(root.list("b/c").count() + root.get("a").unwrap().members().count(), 0);
        assert!(root.is_set("b/c") && !root.is_set("a") && root.has("$comment"));
        let pointer = |keys: &[&str]| keys.iter().fold(Pointer::root(), |at, key| at.at(key));
        let spelling =
            [("id", "di"), ("b", "x")].map(|(to, from)| (pointer(&["A", "0", to]), pointer(&["A", "0", from])));
        let spelling = spelling.into_iter().chain([(pointer(&["a"]), pointer(&["A"]))]).collect();
        let misspelt = Node::root_written_as(&value, "ruleset.json", Some(&spelling)).list("a").next().unwrap();
        assert_eq!(misspelt.get("id").unwrap().at(), pointer(&["A", "0", "di"]));
        let told = first.problem(Rule::named("some-code"), "wrong");
        assert_eq!((told.file.as_deref(), told.pointer.as_deref()), (Some("ruleset.json"), Some("/a/0")));
    }
}
