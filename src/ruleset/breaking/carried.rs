use super::kinds::By;
use crate::ruleset::migrating::{Cell, Plan, Step};
use std::collections::{HashMap, HashSet};

/// What the migrations of a new version take along of sheets stored at the version before.
#[derive(Debug, Default)]
pub struct Carried<'a> {
    /// Where each id goes, each time with the number of its step: what is moved once may be moved on by a later one.
    moves: HashMap<(By, &'a str), Vec<(usize, Vec<&'a str>)>>,
    /// The values that are set anew on every row that has them, by list and column.
    set: HashMap<(&'a str, &'a str), HashSet<&'a Cell>>,
}

impl<'a> Carried<'a> {
    /// Of the entries that run on sheets stored at `before` (MR1), and every `routeLive` whatever its entry is from (MR8).
    pub fn of(plan: &'a Plan, before: u64) -> Self {
        let mut carried = Carried::default();
        let steps = plan.entries.iter().flat_map(|entry| entry.steps.iter().map(move |step| (entry.from, step)));
        for (number, (from, step)) in steps.enumerate() {
            let runs = from >= before;
            match step {
                Step::Rename { part, from, to } if runs => carried.note(By::Rename(*part), from, number, vec![to]),
                Step::Route { from, cases, otherwise, .. } if runs => {
                    let targets = cases.iter().map(|(_, to)| to.as_str()).chain([otherwise.as_str()]).collect();
                    carried.note(By::FIELD, from, number, targets);
                }
                Step::RouteLive { live, from, cases, otherwise } => {
                    let targets = cases.iter().map(String::as_str).chain([otherwise.as_str()]).collect();
                    carried.note(By::RouteLive(*live), from, number, targets);
                }
                Step::SetColumn { list, wheres, column, .. } if runs => {
                    // One that asks for more than the value leaves it on other rows.
                    if let [(asked, values)] = wheres.as_slice()
                        && asked == column
                    {
                        carried.set.entry((list, column)).or_default().extend(values);
                    }
                }
                Step::Rename { .. } | Step::Route { .. } | Step::SetColumn { .. } => {}
            }
        }
        carried
    }

    fn note(&mut self, by: By, from: &'a str, step: usize, to: Vec<&'a str>) {
        self.moves.entry((by, from)).or_default().push((step, to));
    }

    /// The ids under which what was stored for one is in the end; nothing where no step takes it along.
    pub fn ends(&self, by: By, id: &str) -> Option<Vec<&'a str>> {
        let (mut ends, mut seen) = (Vec::new(), HashSet::new());
        let mut open: Vec<(usize, &'a str)> = self.after(by, id, 0)?;
        while let Some((next, id)) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            match self.after(by, id, next) {
                Some(more) => open.extend(more),
                None => ends.push(id),
            }
        }
        Some(ends)
    }

    /// Where the steps from this number on take an id, each with the number to go on from.
    fn after(&self, by: By, id: &str, number: usize) -> Option<Vec<(usize, &'a str)>> {
        let moves = self.moves.get(&(by, id))?.iter().filter(|(step, _)| *step >= number);
        let to: Vec<_> = moves.flat_map(|(step, to)| to.iter().map(move |to| (step + 1, *to))).collect();
        (!to.is_empty()).then_some(to)
    }

    /// Whether each row of a list that has this value in a column is given another.
    pub fn sets(&self, list: &str, column: &str, value: &Cell) -> bool {
        self.set.get(&(list, column)).is_some_and(|values| values.contains(value))
    }
}
