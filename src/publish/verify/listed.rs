use super::tree::Document;
use crate::catalog::EngineRange;
use crate::json::{Object, parsed, text};
use crate::types::{Pointer, Version};
use std::collections::HashMap;

/// One element of `packages[]`, as much as is known of it before it is judged.
#[derive(Debug)]
pub(super) struct Listed<'t> {
    /// Which of the documents it stands in.
    pub document: usize,
    /// Where in it.
    pub at: Pointer,
    /// As it is written.
    pub text: &'t str,
    pub id: Option<String>,
    pub name: Option<String>,
    pub version: Option<Version>,
    /// `engine.min` and `engine.maxExclusive`.
    pub range: Option<EngineRange>,
}

impl<'t> Listed<'t> {
    pub fn new(document: usize, index: usize, text: &'t str) -> Self {
        let at = Pointer::root().at("packages").at(index);
        let mut listed = Listed { document, at, text, id: None, name: None, version: None, range: None };
        let Some(manifest) = listed.manifest() else { return listed };
        let word = |key: &str| Some(text_of(&manifest, key)?.into_owned());
        (listed.id, listed.name) = (word("id"), word("name"));
        listed.version = manifest.get("version").and_then(|value| parsed(value).ok());
        let engine = manifest.get("engine").and_then(|engine| Object::parse(engine.get(), Pointer::root()).ok());
        let end = |key: &str| engine.as_ref().and_then(|engine| parsed::<Version>(engine.get(key)?).ok());
        let ends = end("min").zip(end("maxExclusive"));
        listed.range = ends.map(|(min, max_exclusive)| EngineRange { min, max_exclusive });
        listed
    }

    /// The manifest, key by key.
    pub fn manifest(&self) -> Option<Object<'t>> {
        let entry = Object::parse(self.text, Pointer::root()).ok()?;
        Object::parse(entry.get("manifest")?.get(), Pointer::root()).ok()
    }

    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }
}

fn text_of<'t>(object: &Object<'t>, key: &str) -> Option<std::borrow::Cow<'t, str>> {
    text(1, usize::MAX)(object.get(key)?).ok()
}

/// The entries to look into: each once, however many lanes list it.
pub(super) fn distinct<'l, 't>(all: &'l [Listed<'t>]) -> Vec<&'l Listed<'t>> {
    let mut seen = HashMap::with_capacity(all.len());
    for listed in all {
        seen.entry(listed.text).or_insert(listed);
    }
    all.iter().filter(|listed| seen.get(listed.text).is_some_and(|first| std::ptr::eq(*first, *listed))).collect()
}

/// The places of a document's entries in a list that has them in order.
pub(super) fn of_document<'l, 't>(
    all: &'l [Listed<'t>],
    documents: &'l [Document],
    wanted: impl Fn(&Document) -> bool + 'l,
) -> impl Iterator<Item = &'l Listed<'t>> {
    all.iter().filter(move |listed| documents.get(listed.document).is_some_and(&wanted))
}
