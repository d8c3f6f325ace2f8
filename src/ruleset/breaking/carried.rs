use super::kinds::By;
use crate::ruleset::migrating::{Cell, MigrationStep, Plan};
use std::collections::{HashMap, HashSet};

/// What the migrations of a new version take along of sheets stored at the version before.
#[derive(Debug, Default)]
pub struct Carried<'a> {
    /// Where each id goes, step by step.
    moves: HashMap<(By, &'a str), Vec<Move<'a>>>,
    /// The values that are set anew on every row that has them, by list and column.
    set: HashMap<(&'a str, &'a str), HashSet<&'a Cell>>,
}

/// One target of a step.
#[derive(Clone, Copy, Debug)]
struct Move<'a> {
    /// Counted over all entries: what is moved once may be moved on by a later step.
    step: usize,
    to: &'a str,
}

impl<'a> Carried<'a> {
    /// Of the entries that run on sheets stored at `before` (MR1), and every `routeLive` whatever its entry is from
    /// (MR8).
    pub fn of(plan: &'a Plan, before: u64) -> Self {
        let mut carried = Carried::default();
        let steps = plan.entries.iter().flat_map(|entry| entry.steps.iter().map(move |step| (entry.from, step)));
        for (number, (from, step)) in steps.enumerate() {
            let runs = from >= before;
            match step {
                MigrationStep::Rename { part, from, to } if runs => {
                    carried.note(By::Rename(*part), from, number, vec![to])
                }
                MigrationStep::Route { from, cases, otherwise, .. } if runs => {
                    let targets = cases.iter().map(|(_, to)| to.as_str()).chain([otherwise.as_str()]).collect();
                    carried.note(By::FIELD, from, number, targets);
                }
                MigrationStep::RouteLive { live, from, cases, otherwise } => {
                    let targets = cases.iter().map(String::as_str).chain([otherwise.as_str()]).collect();
                    carried.note(By::RouteLive(*live), from, number, targets);
                }
                MigrationStep::SetColumn { list, wheres, column, .. } if runs => {
                    // One that asks for more than the value leaves it on other rows.
                    if let [(asked, values)] = wheres.as_slice()
                        && asked == column
                    {
                        carried.set.entry((list, column)).or_default().extend(values);
                    }
                }
                MigrationStep::Rename { .. } | MigrationStep::Route { .. } | MigrationStep::SetColumn { .. } => {}
            }
        }
        carried
    }

    fn note(&mut self, by: By, from: &'a str, step: usize, to: Vec<&'a str>) {
        let moves = to.into_iter().map(|to| Move { step, to });
        self.moves.entry((by, from)).or_default().extend(moves);
    }

    /// The ids under which what was stored for one is in the end; nothing where no step takes it along.
    pub fn ends(&self, by: By, id: &str) -> Option<Vec<&'a str>> {
        let (mut ends, mut seen) = (Vec::new(), HashSet::new());
        let mut open = self.moves_from(by, id, 0);
        if open.is_empty() {
            return None;
        }
        while let Some(Move { step, to }) = open.pop() {
            if !seen.insert(to) {
                continue;
            }
            match self.moves_from(by, to, step + 1) {
                onward if onward.is_empty() => ends.push(to),
                onward => open.extend(onward),
            }
        }
        Some(ends)
    }

    /// Where the steps from this one on take an id.
    fn moves_from(&self, by: By, id: &str, step: usize) -> Vec<Move<'a>> {
        let moves = self.moves.get(&(by, id)).into_iter().flatten();
        moves.filter(|it| it.step >= step).copied().collect()
    }

    /// Whether each row of a list that has this value in a column is given another.
    pub fn sets(&self, list: &str, column: &str, value: &Cell) -> bool {
        self.set.get(&(list, column)).is_some_and(|values| values.contains(value))
    }
}
