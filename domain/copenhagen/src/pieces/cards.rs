//! Colours and multisets of cards.

use std::fmt;

use kernel::json::ascending;
use kernel::{Bag, Open, Piece};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::ToSchema;

/// The colour of a card or a facade tile, in the game's order (C-108).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema, Open,
)]
#[serde(rename_all = "snake_case")]
pub enum Color {
    /// Red.
    Red,
    /// Yellow.
    Yellow,
    /// Green.
    Green,
    /// Blue.
    Blue,
    /// Purple.
    Purple,
}

impl Color {
    /// All colours, in order (C-108).
    pub const ALL: [Color; 5] =
        [Color::Red, Color::Yellow, Color::Green, Color::Blue, Color::Purple];

    /// The colour's name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Color::Red => "red",
            Color::Yellow => "yellow",
            Color::Green => "green",
            Color::Blue => "blue",
            Color::Purple => "purple",
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A multiset of cards. JSON: the array of the colours, sorted (C-108).
pub type Cards = Bag<Color, 5>;

/// Reads cards of which there may be more than any match has: more than 255 of a colour count as 255. So a payment of the right form is
/// refused for what it is (C-508).
pub(crate) fn however_many<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Cards, D::Error> {
    let cards = ascending(deserializer, |before: &Color, color| before <= color)?;
    Ok(cards.into_iter().collect())
}

impl Piece for Color {
    const COUNT: usize = 5;
    fn index(self) -> usize {
        self as usize
    }
    fn at(index: usize) -> Self {
        Color::ALL[index]
    }
}

/// What a draw for the harbor may bring (C-902).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Drawn {
    /// A facade card.
    Card(Color),
    /// The end card.
    EndCard,
}

impl Serialize for Drawn {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Drawn::Card(color) => color.serialize(serializer),
            Drawn::EndCard => serializer.serialize_str("end_card"),
        }
    }
}
