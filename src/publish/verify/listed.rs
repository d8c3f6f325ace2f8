use super::tree::Document;
use crate::catalog::{Element, EngineRange};
use crate::json::{self, Object, parsed};
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
        let element = Element::of(text);
        let Some(manifest) = element.manifest() else { return listed };
        listed.id = element.id().map(Into::into);
        listed.name = manifest.get("name").and_then(|name| json::text(1, usize::MAX)(name).ok()).map(Into::into);
        listed.version = manifest.get("version").and_then(|value| parsed(value).ok());
        let engine = manifest.get("engine").and_then(|engine| Object::parse(engine.get(), Pointer::root()).ok());
        let end = |key: &str| engine.as_ref().and_then(|engine| parsed::<Version>(engine.get(key)?).ok());
        let ends = end("min").zip(end("maxExclusive"));
        listed.range = ends.map(|(min, max_exclusive)| EngineRange { min, max_exclusive });
        listed
    }

    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }
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
