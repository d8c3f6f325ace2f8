use crate::json::{Object, text};
use crate::types::{Pointer, Problem, Problems, codes};
use std::borrow::Cow;

/// One element of `packages[]`, taken apart down to the keys of its manifest, once for all that ask about it.
#[derive(Debug)]
pub struct Element<'t> {
    entry: Option<Object<'t>>,
    manifest: Option<Object<'t>>,
    /// Why one of the two is not there.
    pub(super) fault: Option<Problem>,
}

impl<'t> Element<'t> {
    /// Takes the text of an element apart, whatever it is.
    pub fn of(text: &'t str) -> Self {
        match Object::parse(text, Pointer::root()) {
            Ok(entry) => {
                let mut problems = Problems::default();
                let manifest = entry.required_object("manifest", codes::MANIFEST_SHAPE, &mut problems);
                Element { entry: Some(entry), manifest, fault: problems.into_vec().pop() }
            }
            Err(why) => {
                let fault = Problem::new(codes::ENTRY_SHAPE, &Pointer::root(), format!("the entry {why}"));
                Element { entry: None, manifest: None, fault: Some(fault) }
            }
        }
    }

    /// The entry, key by key; nothing of what is no object.
    pub fn entry(&self) -> Option<&Object<'t>> {
        self.entry.as_ref()
    }

    /// Its manifest, key by key. Pointers begin at the entry.
    pub fn manifest(&self) -> Option<&Object<'t>> {
        self.manifest.as_ref()
    }

    /// The id, as well as it can be told: whatever else is wrong with an entry, it can then be found by name and
    /// refused with its reasons.
    pub fn id(&self) -> Option<Cow<'t, str>> {
        text(1, usize::MAX)(self.manifest()?.get("id")?).ok()
    }
}
