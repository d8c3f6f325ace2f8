use super::super::block::{Action, ActionKind, Cost, Effect, Item};
use super::super::formula::Formula;
use super::Reader;
use super::formula::FormulaUse;
use super::node::{Node, wanted};
use crate::diceframe::codes;
use crate::json::excerpt;
use crate::types::Rule;
use std::collections::BTreeSet;

const KEYS: [&str; 6] = ["id", "kind", "name", "costs", "effects", "consume_item"];
const EFFECT_KEYS: [&str; 6] = ["kind", "amount", "resource", "duration", "damage_type", "target_policy"];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Damage,
    Change,
    Modify,
}

impl Reader<'_> {
    pub(super) fn actions(&mut self, block: &Node<'_>) -> Option<Vec<Action>> {
        let entries = block.list("actions", codes::C20, self.problems)?;
        let at = block.at.at("actions");
        let mut seen = BTreeSet::new();
        let mut actions = Vec::with_capacity(entries.len());
        for (index, value) in entries.iter().enumerate() {
            let Some(node) = Node::read(value, at.at(index), codes::C20, "an action", self.problems) else { continue };
            node.report_strangers(&KEYS, self.problems);
            let id = node.text("id", codes::C21, self.problems);
            if let Some(id) = id.filter(|id| !seen.insert(*id)) {
                self.report(codes::C21, &node.at.at("id"), format!("the action `{}` is defined twice", excerpt(id)));
            }
            let action = self.action(&node, id);
            actions.extend(action);
        }
        Some(actions)
    }

    fn action(&mut self, node: &Node<'_>, id: Option<&str>) -> Option<Action> {
        let kinds =
            [("attack", ActionKind::Attack), ("ability", ActionKind::Ability), ("consumable", ActionKind::Consumable)];
        let kind = node.word("kind", codes::C22, &kinds, self.problems);
        let name = node.optional_text("name", codes::C23, self.problems).or(id);
        let costs = self.costs(node);
        let effects = self.effects(node);
        let consumes = self.consumed_item(node);
        let (id, name) = (id?.to_owned(), name?.to_owned());
        Some(Action { id, kind: kind?, name, costs, effects, consumes })
    }

    fn costs(&mut self, action: &Node<'_>) -> Vec<Cost> {
        let entries = action.optional_list("costs", codes::C24, self.problems).unwrap_or_default();
        let at = action.at.at("costs");
        let mut seen = BTreeSet::new();
        let mut costs = Vec::with_capacity(entries.len());
        for (index, value) in entries.iter().enumerate() {
            let Some(node) = Node::read(value, at.at(index), codes::C24, "a cost", self.problems) else { continue };
            node.report_strangers(&["resource", "amount"], self.problems);
            let id = node.text("resource", codes::C24, self.problems);
            if let Some(id) = id.filter(|id| !seen.insert(*id)) {
                let message = format!("this action has two costs in `{}`", excerpt(id));
                self.report(codes::C24, &node.at.at("resource"), message);
            }
            let resource = id.and_then(|id| self.paid(id, &node));
            let amount = self.amount(&node, codes::C24);
            costs.extend(resource.zip(amount).map(|(resource, amount)| Cost { resource, amount }));
        }
        costs
    }

    fn effects(&mut self, action: &Node<'_>) -> Vec<Effect> {
        let Some(entries) = action.list("effects", codes::C25, self.problems) else { return Vec::new() };
        let at = action.at.at("effects");
        if entries.is_empty() {
            self.report(codes::C25, &at, "`effects` is empty, so the action does nothing");
        }
        let mut effects = Vec::with_capacity(entries.len());
        for (index, value) in entries.iter().enumerate() {
            let Some(node) = Node::read(value, at.at(index), codes::C25, "an effect", self.problems) else { continue };
            node.report_strangers(&EFFECT_KEYS, self.problems);
            let effect = self.effect(&node);
            effects.extend(effect);
        }
        effects
    }

    fn effect(&mut self, node: &Node<'_>) -> Option<Effect> {
        if node.get("target_policy").is_some() {
            self.report(codes::C27, &node.at.at("target_policy"), "`target_policy` is not supported");
        }
        let sorts = [("damage", Sort::Damage), ("resource_change", Sort::Change), ("modify_stat", Sort::Modify)];
        let sort = node.word("kind", codes::C26, &sorts, self.problems)?;
        let forbidden: &[&str] = match sort {
            Sort::Damage => &["resource", "duration"],
            Sort::Change => &["damage_type", "duration"],
            Sort::Modify => &["damage_type"],
        };
        for key in forbidden.iter().filter(|key| node.get(key).is_some()) {
            self.report(codes::C27, &node.at.at(key), format!("`{key}` is not allowed in an effect of this kind"));
        }
        let amount = self.amount(node, codes::C27);
        match sort {
            Sort::Damage => {
                let damage_type = self.damage_type(node);
                Some(Effect::Damage { amount: amount?, damage_type })
            }
            Sort::Change => {
                let id = node.text("resource", codes::C27, self.problems)?;
                let resource = self.reference(id, node, codes::C28);
                Some(Effect::Change { resource: resource?, amount: amount? })
            }
            Sort::Modify => {
                let stat = node.text("resource", codes::C27, self.problems);
                if node.get("duration").is_none() {
                    self.report(codes::C27, &node.at, "`duration` is missing");
                }
                let duration = node.optional_count("duration", codes::C27, self.problems);
                let stat = stat?;
                self.check_stat(stat, node);
                Some(Effect::Modify { stat: stat.to_owned(), amount: amount?, duration: duration? })
            }
        }
    }

    fn damage_type(&mut self, node: &Node<'_>) -> Option<String> {
        let damage_type = node.optional_text("damage_type", codes::C30, self.problems)?;
        if self.vocabulary.as_ref().is_some_and(|known| !known.contains(damage_type)) {
            let message = format!("`{}` is not one of the block's `damage_types`", excerpt(damage_type));
            self.report(codes::C30, &node.at.at("damage_type"), message);
        }
        Some(damage_type.to_owned())
    }

    /// What `modify_stat` may change: the speed, by the scheduler's name for it, or a pool
    /// (docs/spec/diceframe.md#reading-1).
    fn check_stat(&mut self, stat: &str, node: &Node<'_>) {
        let is_speed = self.speed.as_deref() == Some(stat);
        let is_resource = self.resources.as_ref().is_none_or(|declared| declared.contains_key(stat));
        // A scheduler that is no object has been told of already.
        let scheduler = self.rule.pointer("/combat/scheduler");
        let is_told = scheduler.is_some_and(|value| !value.is_object() && !value.is_null());
        if !is_speed && !is_resource && !is_told {
            let stat = excerpt(stat);
            let message = format!("`{stat}` is neither the scheduler's speed nor a declared resource");
            self.report(codes::C29, &node.at.at("resource"), message);
        }
    }

    /// The place of a resource that a cost names, which has to be costable.
    fn paid(&mut self, id: &str, node: &Node<'_>) -> Option<usize> {
        let place = self.reference(id, node, codes::C24)?;
        if self.resources.as_ref()?.get(id).is_some_and(|declared| !declared.is_costable) {
            let message = format!("`{}` is not costable, so it cannot pay for anything", excerpt(id));
            self.report(codes::C24, &node.at.at("resource"), message);
        }
        Some(place)
    }

    /// The place of a resource that is named; one that is not declared is a finding under `code`. Where there are no
    /// resources to look at, it is nothing without a finding.
    fn reference(&mut self, id: &str, node: &Node<'_>, code: &'static Rule) -> Option<usize> {
        let declared = self.resources.as_ref()?.get(id).copied();
        if declared.is_none() {
            let message = format!("`{}` is not declared in `resources`", excerpt(id));
            self.report(code, &node.at.at("resource"), message);
        }
        declared.map(|declared| declared.place)
    }

    /// The formula every cost and effect has; that it is missing is a finding under `code`.
    fn amount(&mut self, node: &Node<'_>, code: &'static Rule) -> Option<Formula> {
        let Some(value) = node.get("amount") else {
            self.report(code, &node.at, "`amount` is missing");
            return None;
        };
        self.formula(value, node.at.at("amount"), FormulaUse::Amount, codes::C31)
    }

    fn consumed_item(&mut self, action: &Node<'_>) -> Option<Item> {
        let value = action.get("consume_item")?;
        let node = Node::read(value, action.at.at("consume_item"), codes::C37, "`consume_item`", self.problems)?;
        node.report_strangers(&["item", "qty"], self.problems);
        let name = node.text("item", codes::C37, self.problems)?.to_owned();
        let quantity = match node.get("qty") {
            None => 1,
            Some(value) => match value.as_i64().filter(|quantity| *quantity > 0) {
                Some(quantity) => quantity,
                None => {
                    self.report(codes::C37, &node.at.at("qty"), wanted("qty", value, "a whole number above 0"));
                    return None;
                }
            },
        };
        Some(Item { name, quantity })
    }
}
