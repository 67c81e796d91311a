//! Power cards and sets of them.

use kernel::{Open, Piece, Set};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::DIRECTIONS;

/// A direction on the board: absolute, the same for both seats. x grows to the east, y to the south.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Direction {
    /// The name, as cards begin: `ne`.
    pub id: &'static str,
    /// Fields to the east for each unit of distance.
    pub dx: i8,
    /// Fields to the south for each unit of distance.
    pub dy: i8,
}

/// A power card: direction and distance. The variants stand in card order.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
Open,
)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
#[expect(missing_docs, reason = "the names say direction and distance, and nothing else is to be said")]
#[rustfmt::skip]
pub enum Card {
    N1, N2, N3,
    Ne1, Ne2, Ne3,
    E1, E2, E3,
    Se1, Se2, Se3,
    S1, S2, S3,
    Sw1, Sw2, Sw3,
    W1, W2, W3,
    Nw1, Nw2, Nw3,
}

impl Card {
    /// How many cards there are, each once.
    pub const COUNT: usize = 24;

    /// All cards in card order.
    #[rustfmt::skip]
    pub const ALL: [Card; Card::COUNT] = [
        Card::N1, Card::N2, Card::N3,
        Card::Ne1, Card::Ne2, Card::Ne3,
        Card::E1, Card::E2, Card::E3,
        Card::Se1, Card::Se2, Card::Se3,
        Card::S1, Card::S2, Card::S3,
        Card::Sw1, Card::Sw2, Card::Sw3,
        Card::W1, Card::W2, Card::W3,
        Card::Nw1, Card::Nw2, Card::Nw3,
    ];

    /// The place in card order, 0 to 23.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The direction in which the card moves the crown.
    #[must_use]
    pub const fn direction(self) -> Direction {
        DIRECTIONS[self.index() / 3]
    }

    /// How far the card moves the crown: 1, 2 or 3 fields, never less.
    #[must_use]
    pub const fn distance(self) -> u8 {
        self as u8 % 3 + 1
    }
}

impl std::fmt::Display for Card {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.direction().id, self.distance())
    }
}

impl Piece for Card {
    const COUNT: usize = Card::ALL.len();
    fn index(self) -> usize {
        self as usize
    }
    fn at(index: usize) -> Self {
        Card::ALL[index]
    }
}

/// A set of cards: a hand, or a pile without its order. JSON: an array in card order; that order is required when read.
pub type Cards = Set<Card>;
