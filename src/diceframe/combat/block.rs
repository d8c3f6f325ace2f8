use super::formula::Formula;
use super::range::Range;
use std::collections::BTreeMap;

/// A combat block without a fault: what [`super::read()`] gives when nothing breaks C01 to C37.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Combat {
    /// Nothing where nobody's turn is scheduled.
    pub scheduler: Option<Scheduler>,
    /// Exactly one of them is [`PoolOrigin::Hp`].
    pub resources: Vec<Resource>,
    pub actions: Vec<Action>,
    /// What a sheet of this rule holds, by key.
    pub attributes: BTreeMap<String, Attribute>,
}

impl Combat {
    /// The place of a resource in [`Combat::resources`].
    pub fn resource(&self, id: &str) -> Option<usize> {
        self.resources.iter().position(|resource| resource.id == id)
    }

    /// The place of an action in [`Combat::actions`].
    pub fn action(&self, id: &str) -> Option<usize> {
        self.actions.iter().position(|action| action.id == id)
    }

    /// The place of the pool of life.
    pub fn hp(&self) -> usize {
        self.resources.iter().position(|resource| resource.source == PoolOrigin::Hp).unwrap_or_default()
    }
}

/// An attribute of the sheet, with the values it can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attribute {
    pub min: i64,
    pub max: i64,
}

impl Attribute {
    /// What a sheet allows where the rule does not say (docs/spec/diceframe.md#reading-31).
    pub const USUAL: Attribute = Attribute { min: 3, max: 18 };
}

/// Who acts when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scheduler {
    /// What the gauge is called.
    pub gauge: String,
    /// What the speed is called, which `modify_stat` changes.
    pub speed: String,
    pub turns: Turns,
}

/// The three kinds of scheduler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turns {
    /// Gauges fill with time; whoever's is full may act.
    Threshold(Threshold),
    /// The highest initiative first, one after the other.
    Initiative,
    /// By id, one after the other.
    RoundRobin,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Threshold {
    /// How much a full gauge holds; above 0.
    pub full: i64,
    pub overflow: Overflow,
    pub consume: Consumed,
    /// What a unit of time adds to a gauge. None is [`Threshold::USUAL_SPEED`].
    pub speed: Option<Formula>,
}

impl Threshold {
    /// The speed of everybody where the rule has no `speed_formula` (docs/spec/diceframe.md#reading-2).
    pub const USUAL_SPEED: i64 = 25;
}

/// What becomes of what a gauge gets above its threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overflow {
    Carry,
    Clamp,
}

/// What acting takes from a gauge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consumed {
    /// All of it.
    Reset,
    /// The threshold; what is above stays.
    Carry,
}

/// A pool that actions spend, drain and fill. It never holds less than nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    pub id: String,
    pub source: PoolOrigin,
    /// Above 0. None leaves it to the sheet.
    pub maximum: Option<i64>,
    /// Whether a cost may be taken from it.
    pub costable: bool,
    /// The types of damage it takes before life does, if it is a shield; an empty list is all of them.
    pub shields: Option<Vec<String>>,
}

impl Resource {
    /// Whether damage of this type, or of none, goes to this pool before it goes to life. Damage of no type is absorbed
    /// by every shield.
    pub fn absorbs(&self, damage_type: Option<&str>) -> bool {
        self.shields.as_ref().is_some_and(|types| {
            types.is_empty() || damage_type.is_none_or(|wanted| types.iter().any(|absorbed| absorbed == wanted))
        })
    }
}

/// Where a pool's first content comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PoolOrigin {
    Hp,
    /// A special stat of the sheet.
    Stat {
        key: String,
        /// What the rule lets it hold at most.
        max: i64,
    },
    /// Empty at the start of a fight, and filled by effects only.
    CombatState,
}

/// What a fighter can do, as a whole or not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    pub id: String,
    pub kind: ActionKind,
    pub name: String,
    /// Each of another resource.
    pub costs: Vec<Cost>,
    /// Never empty.
    pub effects: Vec<Effect>,
    pub consumes: Option<Item>,
}

/// What an action is sorted under; it makes no difference to a fight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionKind {
    Attack,
    Ability,
    Consumable,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cost {
    /// A place in [`Combat::resources`].
    pub resource: usize,
    /// Not below 0 when it is evaluated, or the action is refused.
    pub amount: Formula,
}

/// One change to each target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Through shields to life; above 0 or refused.
    Damage { amount: Formula, damage_type: Option<String> },
    /// Fills a pool up to its maximum, or drains it to nothing; not 0 or refused.
    Change { resource: usize, amount: Formula },
    /// A change to a named value for so many advances of the scheduler; not 0 or refused.
    Modify { stat: String, amount: Formula, duration: i64 },
}

impl Effect {
    pub fn amount(&self) -> &Formula {
        match self {
            Effect::Damage { amount, .. } | Effect::Change { amount, .. } | Effect::Modify { amount, .. } => amount,
        }
    }
}

/// What an action takes from the inventory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    pub name: String,
    /// Above 0.
    pub quantity: i64,
}

impl Combat {
    /// The values a formula of this block can have, over every sheet the rule allows and whatever the pools hold.
    pub fn range(&self, formula: &Formula) -> Range {
        let attribute = |id: &str| match self.attributes.get(id) {
            Some(Attribute { min, max }) => Range::new((*min).into(), (*max).into()),
            None => Range::ANY,
        };
        let resource = |id: &str| match self.resource(id).map(|at| &self.resources[at]) {
            Some(Resource { maximum: Some(maximum), .. }) => Range::new(0, (*maximum).into()),
            Some(Resource { source: PoolOrigin::Stat { max, .. }, .. }) => Range::new(0, (*max).into()),
            _ => Range::from(0),
        };
        Range::of(formula, &attribute, &resource)
    }
}
