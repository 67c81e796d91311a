//! What a viewer sees, and the words for it: all that the picture of this game may name.

pub use crate::{
    Card, Cards, Color, DIRECTIONS, EndReason, EventView, Field, MatchOptions, Pile, Score, View,
    WIDTH,
};
