use schemars::JsonSchema;
use serde::Serialize;

/// What a check comes to. DiceFrame calls them, in this order: 大成功, 极难成功, 困难成功, 普通成功, 成功, 失败, 大失败.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Critical,
    /// d100 alone.
    Extreme,
    /// d100 alone.
    Hard,
    /// d100 alone.
    Regular,
    /// d20 alone.
    Success,
    Failure,
    Fumble,
}

impl Verdict {
    pub const ALL: [Verdict; 7] = [
        Verdict::Critical,
        Verdict::Extreme,
        Verdict::Hard,
        Verdict::Regular,
        Verdict::Success,
        Verdict::Failure,
        Verdict::Fumble,
    ];

    /// The word for it in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Critical => "critical",
            Verdict::Extreme => "extreme",
            Verdict::Hard => "hard",
            Verdict::Regular => "regular",
            Verdict::Success => "success",
            Verdict::Failure => "failure",
            Verdict::Fumble => "fumble",
        }
    }
}
