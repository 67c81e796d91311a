//! What a viewer sees, and the words for it: all that the picture of this game may name.

pub use crate::{
    Abilities, Ability, AbilityState, Color, EndCard, EventView, LineKind, MatchResult, Phase,
    Reason, View,
};
