//! What a viewer sees, and the words for it: all that the picture of this game may name.

pub use crate::{Card, Color, DIRECTIONS, EndReason, EventView, Field, Score, View, WIDTH};
