use crate::ruleset::node::Node;

/// What a step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Rename,
    Route,
    RouteLive,
    SetColumn,
}

impl Kind {
    pub(super) const ALL: [Kind; 4] = [Kind::Rename, Kind::Route, Kind::RouteLive, Kind::SetColumn];

    /// The key that makes a step one of this kind.
    pub(super) fn key(self) -> &'static str {
        match self {
            Kind::Rename => "rename",
            Kind::Route => "route",
            Kind::RouteLive => "routeLive",
            Kind::SetColumn => "setColumn",
        }
    }
}

/// One step of a migration.
pub(super) struct Step<'a> {
    pub node: Node<'a>,
    pub kind: Kind,
    /// What kind of value it moves away, under which id: of a rename, and of a route, which moves fields.
    pub takes: Option<(&'a str, &'a str)>,
}

/// Every step in the order in which they run: the entries from low to high, the steps of each as written. "Later" is
/// meant so (open question Q13).
pub(super) struct Steps<'a>(Vec<Step<'a>>);

impl<'a> Steps<'a> {
    /// Leaves out what is no step, or several at once; the shape tells.
    pub fn of(migrations: &Node<'a>) -> Self {
        let mut entries: Vec<_> = migrations.items().collect();
        entries.sort_by(|a, b| {
            let from = |entry: &Node<'_>| entry.number_of("from").unwrap_or(f64::INFINITY);
            from(a).total_cmp(&from(b))
        });
        Steps(entries.iter().flat_map(|entry| entry.list("steps")).filter_map(Step::of).collect())
    }

    pub fn iter(&self) -> impl Iterator<Item = (usize, &Step<'a>)> {
        self.0.iter().enumerate()
    }

    pub fn get(&self, index: usize) -> Option<&Step<'a>> {
        self.0.get(index)
    }

    /// The first step after the one at `index` that moves this value on, and where it stands.
    pub fn later(&self, index: usize, what: (&str, &str)) -> Option<(usize, &Step<'a>)> {
        self.iter().skip(index + 1).find(|(_, step)| step.takes == Some(what))
    }

    /// The same of the steps before it.
    pub fn earlier(&self, index: usize, what: (&str, &str)) -> Option<&Step<'a>> {
        self.0.iter().take(index).find(|step| step.takes == Some(what))
    }

    /// Every id that a value of this kind has had before the step at `index` finds it under `id`, the latest first.
    pub fn origins(&self, index: usize, (kind, id): (&'a str, &'a str)) -> Vec<&'a str> {
        let mut ids = vec![id];
        for step in self.0.iter().take(index).rev() {
            let leads_here = || step.targets().any(|target| target.text().is_some_and(|target| ids.contains(&target)));
            if let Some((taken, from)) = step.takes
                && taken == kind
                && !ids.contains(&from)
                && leads_here()
            {
                ids.push(from);
            }
        }
        ids.split_off(1)
    }
}

impl<'a> Step<'a> {
    fn of(node: Node<'a>) -> Option<Self> {
        let mut kinds = Kind::ALL.into_iter().filter(|kind| node.has(kind.key()));
        let (Some(kind), None) = (kinds.next(), kinds.next()) else { return None };
        let takes = match kind {
            Kind::Rename => node.text_of("rename").zip(node.text_of("from")),
            Kind::Route => node.text_of("route").map(|from| ("field", from)),
            Kind::RouteLive | Kind::SetColumn => None,
        };
        Some(Step { node, kind, takes })
    }

    /// The ids it writes to: of a rename and of a route.
    pub fn targets(&self) -> impl Iterator<Item = Node<'a>> + use<'a> {
        let renamed = self.node.get("to").filter(|_| self.kind == Kind::Rename);
        let routed = self.node.clone();
        let is_route = self.kind == Kind::Route;
        let cases = routed.list("cases").filter_map(|case| case.get("to")).chain(routed.get("else"));
        renamed.into_iter().chain(cases.filter(move |_| is_route))
    }
}
