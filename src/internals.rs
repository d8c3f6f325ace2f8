//! What the tests beside the sources reach into behind the library's door. It is no part of the library, and may change
//! with any release.

#[cfg(feature = "diceframe")]
pub mod diceframe {
    pub mod combat {
        pub use crate::diceframe::combat::{audit, check};
    }
    pub mod dice {
        pub use crate::diceframe::dice::audit;
    }
    pub mod rules {
        pub use crate::diceframe::rules::{Request, audit, gather, load};
    }
}

pub mod explain {
    pub use crate::explain::{Base, Edit, Example, GROUPS, Level, Rule, all, page};
}

pub mod face {
    pub use crate::face::term::{LongWord, clean, clean_lines, json_safe, shorten, width, wrap};
}

pub mod fetch {
    pub use crate::fetch::fuzzing;
}

pub mod inspect {
    pub use crate::inspect::{Findings, inspect, read_shared};
}

pub mod json {
    pub use crate::json::{MAX_DEPTH, depth, document, equal, pretty};
}

pub mod package {
    pub use crate::package::{Nowhere, Sink, unpack};
}

pub mod publish {
    pub use crate::publish::{Container, Containers, Order, build, strings, verify};
}

pub mod store {
    pub use crate::store::{Decisions, Installed, Registered, fuzzing};
}

pub mod threads {
    pub use crate::threads::map;
}
