//! References by name, in the forms the keys of a ruleset give them. A name nothing declares is `unknown-id`, one that
//! names something of another type is `wrong-reference-type`.

pub use super::super::names::unknown;

use super::super::names::{Ids, type_of};
use super::super::node::Node;
use crate::json::excerpt;
use crate::types::{Problems, codes};

/// The name under `key`.
pub fn one<'n, 'a>(ids: &'n Ids<'a>, holder: &Node<'a>, key: &str, found: &mut Problems) -> Option<&'n Node<'a>> {
    ids.resolve(&holder.get(key)?, found)
}

/// Every name in the list under `key`.
pub fn each(ids: &Ids<'_>, holder: &Node<'_>, key: &str, found: &mut Problems) {
    for reference in holder.list(key) {
        ids.resolve(&reference, found);
    }
}

/// Every key of the object under `key`.
pub fn keys(ids: &Ids<'_>, holder: &Node<'_>, key: &str, found: &mut Problems) {
    for (name, value) in members(holder, key) {
        self::key(ids, name, &value, found);
    }
}

/// The name that is the key of a member.
pub fn key<'n, 'a>(ids: &'n Ids<'a>, name: &str, member: &Node<'a>, found: &mut Problems) -> Option<&'n Node<'a>> {
    of_key(found, |found| ids.named(name, member, found))
}

/// Whatever `check` finds at a member is about its key, and so stands there.
pub fn of_key<T>(found: &mut Problems, check: impl FnOnce(&mut Problems) -> T) -> T {
    let before = found.len();
    let checked = check(found);
    found[before..].iter_mut().for_each(|problem| problem.at_key = true);
    checked
}

/// The members of the object under `key`.
pub fn members<'a>(holder: &Node<'a>, key: &str) -> impl Iterator<Item = (&'a str, Node<'a>)> + use<'a> {
    holder.get(key).into_iter().flat_map(|object| object.members())
}

/// A name of any of several namespaces.
pub fn any_of<'n, 'a>(
    namespaces: &[&'n Ids<'a>],
    name: &str,
    place: &Node<'_>,
    found: &mut Problems,
) -> Option<&'n Node<'a>> {
    let known = namespaces.iter().find_map(|ids| ids.get(name));
    if !namespaces.iter().any(|ids| ids.may_have(name)) {
        let what: Vec<_> = namespaces.iter().map(|ids| ids.what()).collect();
        let likely = found.suggest(name, namespaces.iter().flat_map(|ids| ids.iter()).map(|(id, _)| id));
        found.push(unknown(&what.join(" or "), name, place, &likely));
    }
    known
}

/// The name under `key` of a column or an item stat, provided its `type` is one of `wanted`.
pub fn typed<'n, 'a>(
    ids: &'n Ids<'a>,
    holder: &Node<'a>,
    key: &str,
    wanted: &[&str],
    found: &mut Problems,
) -> Option<&'n Node<'a>> {
    let reference = holder.get(key)?;
    typed_name(ids, reference.text()?, &reference, wanted, found)
}

/// [`typed`] for a name that is a key of what stands at `place`.
pub fn typed_name<'n, 'a>(
    ids: &'n Ids<'a>,
    name: &str,
    place: &Node<'a>,
    wanted: &[&str],
    found: &mut Problems,
) -> Option<&'n Node<'a>> {
    let named = ids.named(name, place, found)?;
    let kind = type_of(named)?;
    if wanted.contains(&kind) {
        return Some(named);
    }
    let (what, id, wanted) = (ids.what(), excerpt(name), wanted.join(" or "));
    let message = format!("the {what} `{id}` is of type {}, but should be {wanted}", excerpt(kind));
    found.push(place.problem(codes::WRONG_REFERENCE_TYPE, message));
    None
}
