use crate::ruleset::node::Node;
use std::collections::BTreeMap;

/// What a step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StepKind {
    Rename,
    Route,
    RouteLive,
    SetColumn,
}

impl StepKind {
    pub(super) const ALL: [StepKind; 4] = [StepKind::Rename, StepKind::Route, StepKind::RouteLive, StepKind::SetColumn];

    /// The key that makes a step one of this kind.
    pub(super) fn key(self) -> &'static str {
        match self {
            StepKind::Rename => "rename",
            StepKind::Route => "route",
            StepKind::RouteLive => "routeLive",
            StepKind::SetColumn => "setColumn",
        }
    }
}

/// One step of a migration.
pub(super) struct Step<'a> {
    pub node: Node<'a>,
    pub kind: StepKind,
    /// What kind of value it moves away, under which id: of a rename, and of a route, which moves fields.
    pub takes: Option<(&'a str, &'a str)>,
    /// The ids it writes to: of a rename and of a route.
    pub targets: Vec<Node<'a>>,
}

/// Every step in the order in which they run: the entries from low to high, the steps of each as written. "Later" is
/// meant so (docs/spec/decisions.md#q13).
pub(super) struct Steps<'a> {
    steps: Vec<Step<'a>>,
    /// Where what is moved away under an id is moved, in order.
    by_source: BTreeMap<(&'a str, &'a str), Vec<usize>>,
}

impl<'a> Steps<'a> {
    /// Leaves out what is no step, or several at once; the shape tells.
    pub fn of(migrations: &Node<'a>) -> Self {
        let mut entries: Vec<_> = migrations.items().collect();
        entries.sort_by(|a, b| {
            let from = |entry: &Node<'_>| entry.number_of("from").unwrap_or(f64::INFINITY);
            from(a).total_cmp(&from(b))
        });
        let steps: Vec<_> = entries.iter().flat_map(|entry| entry.list("steps")).filter_map(Step::of).collect();
        let mut by_source = BTreeMap::<_, Vec<_>>::new();
        for (index, step) in steps.iter().enumerate() {
            if let Some(source) = step.takes {
                by_source.entry(source).or_default().push(index);
            }
        }
        Steps { steps, by_source }
    }

    pub fn iter(&self) -> impl Iterator<Item = (usize, &Step<'a>)> {
        self.steps.iter().enumerate()
    }

    /// Every step that moves away this kind of value under this id, and its index.
    pub fn moving(&self, kind: &'a str, id: &'a str) -> impl Iterator<Item = (usize, &Step<'a>)> {
        let indices = self.by_source.get(&(kind, id)).into_iter().flatten();
        indices.filter_map(|index| Some((*index, self.steps.get(*index)?)))
    }

    /// The ids under which a value of this kind was before the step at `index` finds it under `id`, the latest first:
    /// of several ways to there the last one, and no more of it than is good to read.
    pub fn origins(&self, index: usize, kind: &'a str, id: &'a str) -> Vec<&'a str> {
        const READABLE: usize = 8;
        let (mut origins, mut now) = (Vec::new(), id);
        for step in self.steps.iter().take(index).rev() {
            if let Some((taken, from)) = step.takes
                && taken == kind
                && origins.len() < READABLE
                && step.targets.iter().any(|target| target.text() == Some(now))
            {
                origins.push(from);
                now = from;
            }
        }
        origins
    }
}

impl<'a> Step<'a> {
    fn of(node: Node<'a>) -> Option<Self> {
        let mut kinds = StepKind::ALL.into_iter().filter(|kind| node.has(kind.key()));
        let (Some(kind), None) = (kinds.next(), kinds.next()) else { return None };
        let takes = match kind {
            StepKind::Rename => node.text_of("rename").zip(node.text_of("from")),
            StepKind::Route => node.text_of("route").map(|from| ("field", from)),
            StepKind::RouteLive | StepKind::SetColumn => None,
        };
        let targets = match kind {
            StepKind::Rename => node.get("to").into_iter().collect(),
            StepKind::Route => node.list("cases").filter_map(|case| case.get("to")).chain(node.get("else")).collect(),
            StepKind::RouteLive | StepKind::SetColumn => Vec::new(),
        };
        Some(Step { node, kind, takes, targets })
    }
}
