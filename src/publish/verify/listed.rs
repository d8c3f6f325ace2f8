use super::tree::Document;
use crate::catalog::{Element, EngineRange};
use crate::json::{self, Object, parsed};
use crate::types::{Pointer, Version};
use std::collections::HashMap;

/// One element of `packages[]`, as much as is known of it before it is judged.
#[derive(Debug, Default)]
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
    /// What it says it is; nothing where that cannot be read.
    pub kinds: Vec<String>,
    /// `engine.min` and `engine.maxExclusive`.
    pub range: Option<EngineRange>,
    /// The addresses of its artifact, its icon and its documentation, as they are written.
    pub artifact: Option<String>,
    pub icon: Option<String>,
    pub page: Option<String>,
}

impl<'t> Listed<'t> {
    pub fn new(document: usize, index: usize, text: &'t str) -> Self {
        let at = Pointer::root().at("packages").at(index);
        let mut listed = Listed { document, at, text, ..Listed::default() };
        let element = Element::of(text);
        if let Some(entry) = element.entry() {
            listed.artifact = inner(entry, "artifact").and_then(|artifact| written(&artifact, "url"));
            listed.icon = written(entry, "iconUrl");
            listed.page = written(entry, "documentationUrl");
        }
        let Some(manifest) = element.manifest() else { return listed };
        listed.id = element.id().map(Into::into);
        listed.name = written(manifest, "name");
        listed.version = manifest.get("version").and_then(|value| parsed(value).ok());
        listed.kinds = manifest.get("kind").and_then(|kinds| json::texts(kinds).ok()).unwrap_or_default();
        let engine = inner(manifest, "engine");
        let end = |key: &str| engine.as_ref().and_then(|engine| parsed::<Version>(engine.get(key)?).ok());
        let ends = end("min").zip(end("maxExclusive"));
        listed.range = ends.map(|(min, max_exclusive)| EngineRange { min, max_exclusive });
        listed
    }

    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }
}

/// The object under a key, if there is one.
fn inner<'t>(object: &Object<'t>, key: &str) -> Option<Object<'t>> {
    Object::parse(object.get(key)?.get(), Pointer::root()).ok()
}

/// The text under a key, if there is one.
fn written(object: &Object<'_>, key: &str) -> Option<String> {
    json::text(1, usize::MAX)(object.get(key)?).ok().map(Into::into)
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
