use crate::ruleset::node::Node;
use std::collections::BTreeMap;

/// Every value whose key another one before it had, with the first that had it.
pub fn repeats<'a, K: Ord>(keyed: impl Iterator<Item = (K, Node<'a>)>) -> Vec<(Node<'a>, Node<'a>)> {
    let mut firsts = BTreeMap::<K, Node<'a>>::new();
    let mut again = Vec::new();
    for (key, node) in keyed {
        match firsts.get(&key) {
            Some(first) => again.push((node, first.clone())),
            None => drop(firsts.insert(key, node)),
        }
    }
    again
}

/// [`repeats`] of the texts among these.
pub fn repeated_texts<'a>(nodes: impl Iterator<Item = Node<'a>>) -> Vec<(Node<'a>, Node<'a>)> {
    repeats(nodes.filter_map(|node| Some((node.text()?, node))))
}
