//! Colours and multisets of cards.

use std::fmt;

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::ToSchema;

use crate::json;

/// The colour of a card or a facade tile, in the game's order (C-108).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
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

    pub(crate) const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Color {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::word(deserializer, &Color::ALL, Color::name)
    }
}

/// A multiset of cards: how many there are of each colour. JSON: the array of the colours, sorted (C-108).
///
/// Reading counts at most 255 cards of a colour, which is more than any match has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cards([u8; 5]);

impl Cards {
    /// No cards.
    pub const NONE: Cards = Cards([0; 5]);

    /// `count` cards of one colour.
    #[must_use]
    pub fn of(color: Color, count: u8) -> Self {
        let mut cards = Cards::NONE;
        cards.0[color.index()] = count;
        cards
    }

    /// `count` cards of every colour.
    #[must_use]
    pub fn of_each(count: u8) -> Self {
        Cards([count; 5])
    }

    /// How many cards of a colour.
    #[must_use]
    pub fn count(self, color: Color) -> u8 {
        self.0[color.index()]
    }

    /// How many cards in all.
    #[must_use]
    pub fn total(self) -> usize {
        self.0.iter().map(|count| usize::from(*count)).sum()
    }

    /// Are all of `other` among these?
    #[must_use]
    pub fn contains(self, other: Cards) -> bool {
        self.0.iter().zip(other.0).all(|(have, need)| *have >= need)
    }

    /// The card at `index` of the sorted array.
    ///
    /// # Panics
    /// If there are not so many cards.
    #[must_use]
    pub fn nth(self, mut index: usize) -> Color {
        for color in Color::ALL {
            let count = usize::from(self.count(color));
            if index < count {
                return color;
            }
            index -= count;
        }
        panic!("there are {} cards, none at index {index} beyond them", self.total())
    }

    /// The cards as the sorted array.
    pub fn iter(self) -> impl Iterator<Item = Color> {
        Color::ALL
            .into_iter()
            .flat_map(move |color| std::iter::repeat_n(color, usize::from(self.count(color))))
    }

    /// Puts `other` to these.
    ///
    /// # Panics
    /// If there are more than 255 cards of a colour then.
    pub fn add(&mut self, other: Cards) {
        self.0.iter_mut().zip(other.0).for_each(|(count, more)| *count += more);
    }

    /// Takes `other` from these.
    ///
    /// # Panics
    /// If these do not contain `other`.
    pub fn remove(&mut self, other: Cards) {
        self.0.iter_mut().zip(other.0).for_each(|(count, less)| *count -= less);
    }
}

impl fmt::Display for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> = Color::ALL
            .into_iter()
            .filter(|color| self.count(*color) > 0)
            .map(|color| format!("{} {color}", self.count(color)))
            .collect();
        if parts.is_empty() { f.write_str("no cards") } else { f.write_str(&parts.join(", ")) }
    }
}

impl Serialize for Cards {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Cards {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Sorted;
        impl<'de> Visitor<'de> for Sorted {
            type Value = Cards;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a sorted array of colours")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Cards, A::Error> {
                let mut cards = Cards::NONE;
                let mut last = Color::Red;
                while let Some(color) = seq.next_element::<Color>()? {
                    if color < last {
                        return Err(A::Error::custom(format!(
                            "{color} after {last}: cards are sorted (C-108)"
                        )));
                    }
                    last = color;
                    let count = &mut cards.0[color.index()];
                    *count = count.saturating_add(1);
                }
                Ok(cards)
            }
        }
        deserializer.deserialize_seq(Sorted)
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
