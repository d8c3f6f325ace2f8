use super::super::node::Node;

/// Every value at a path below `scope`, written as in the gate table: keys joined by `.`, `[]` for every item of a
/// list, `*` for every value of an object. The empty path is the scope itself. Nothing where the path leads nowhere.
pub(super) fn each<'a>(scope: &Node<'a>, path: &str) -> Vec<Node<'a>> {
    // Most of what the tables name is nowhere in most entries.
    let first = path.split(['.', '[']).next().unwrap_or_default();
    if !first.is_empty() && first != "*" && !scope.has(first) {
        return Vec::new();
    }
    let mut nodes = vec![scope.clone()];
    for step in path.split('.').filter(|step| !step.is_empty()) {
        nodes = match step.strip_suffix("[]") {
            Some(key) => nodes.iter().flat_map(|node| node.list(key)).collect(),
            None if step == "*" => nodes.iter().flat_map(|node| node.members().map(|(_, value)| value)).collect(),
            None => nodes.iter().filter_map(|node| node.get(step)).collect(),
        };
    }
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_path_leads_to_every_value_it_describes() {
        let value = json!({"lists": [{"columns": [{"id": "a"}, {"id": "b"}]}, {"columns": 3}], "by": {"x": 1, "y": 2}});
        let root = Node::root(&value, "ruleset.json");
        let at = |path: &str| each(&root, path).iter().map(|node| node.at().to_string()).collect::<Vec<_>>();
        assert_eq!(at("lists[].columns[].id"), ["/lists/0/columns/0/id", "/lists/0/columns/1/id"]);
        assert_eq!(at("by.*"), ["/by/x", "/by/y"]);
        assert_eq!(at(""), [""]);
        assert!(at("lists.columns[]").is_empty() && at("nowhere[].x").is_empty());
    }
}
