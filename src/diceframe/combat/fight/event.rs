use schemars::JsonSchema;
use serde::Serialize;

/// Something that happened in a fight. Names are DiceFrame's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "event", rename_all_fields = "camelCase")]
pub enum Event {
    #[serde(rename = "combat.resource_changed")]
    ResourceChanged { entity: String, resource: String, before: i64, delta: i64, after: i64, source_action: String },
    /// `applied` is what shields and life lost together.
    #[serde(rename = "combat.damage_applied")]
    DamageApplied { target: String, amount: i64, applied: i64, damage_type: Option<String>, source_action: String },
    #[serde(rename = "combat.buff_applied")]
    BuffApplied { target: String, stat: String, delta: i64, duration: i64, source_action: String },
    /// Units of time that went by; 1 where turns are taken one after the other.
    #[serde(rename = "combat.scheduler.advanced")]
    Advanced { time: i64 },
    #[serde(rename = "combat.scheduler.ready")]
    Ready { entity: String },
    #[serde(rename = "combat.scheduler.consumed")]
    Consumed { entity: String },
}
