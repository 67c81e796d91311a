//! The draw pile and the discard pile.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::openapi::schema::ArrayBuilder;
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::{Card, Cards};

/// A pile of at most 24 cards, in order. JSON: an array, top card first. In memory the top lies last.
#[derive(Clone, Copy)]
pub struct Pile {
    cards: [Card; Card::COUNT],
    len: u8,
}

impl Pile {
    /// A pile without cards.
    pub const EMPTY: Pile = Pile { cards: [Card::N1; Card::COUNT], len: 0 };

    /// How many cards lie on the pile.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len.into()
    }

    /// Does no card lie on the pile?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The card on top.
    #[must_use]
    pub fn top(&self) -> Option<Card> {
        self.bottom_up().last().copied()
    }

    /// The cards without their order.
    #[must_use]
    pub fn set(&self) -> Cards {
        self.bottom_up().iter().copied().collect()
    }

    /// The cards, top first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Card> + ExactSizeIterator {
        self.bottom_up().iter().rev().copied()
    }

    /// A pile of these cards, given bottom first, each at most once.
    pub(crate) fn from_bottom(cards: impl Iterator<Item = Card>) -> Pile {
        cards.fold(Pile::EMPTY, |mut pile, card| {
            pile.push(card);
            pile
        })
    }

    /// Shuffles `cards`: `draw` gives the index of each next card among those left, which are in card order. The card
    /// drawn first lies on top.
    pub(crate) fn shuffled(cards: Cards, mut draw: impl FnMut(&[Card]) -> usize) -> Pile {
        let mut left = [Card::N1; Card::COUNT + 1];
        let mut count = 0;
        for card in cards.iter() {
            left[count] = card;
            count += 1;
        }
        let mut pile = Pile { len: count as u8, ..Pile::EMPTY };
        while count > 0 {
            let drawn = draw(&left[..count]);
            count -= 1;
            pile.cards[count] = left[drawn];
            // All places, whatever `drawn`: a loop of fixed length has no branches.
            for place in 0..Card::COUNT {
                left[place] = if place < drawn { left[place] } else { left[place + 1] };
            }
        }
        pile
    }

    /// Lays a card on top; a pile of all 24 stays as it is, so that applying events is total even on a damaged stream.
    pub(crate) fn push(&mut self, card: Card) {
        if let Some(top) = self.cards.get_mut(usize::from(self.len)) {
            *top = card;
            self.len += 1;
        }
    }

    /// Takes the top card away; an empty pile stays as it is.
    pub(crate) fn pop(&mut self) -> Option<Card> {
        let card = self.top()?;
        self.len -= 1;
        Some(card)
    }

    fn bottom_up(&self) -> &[Card] {
        &self.cards[..usize::from(self.len)]
    }
}

impl PartialEq for Pile {
    fn eq(&self, other: &Self) -> bool {
        self.bottom_up() == other.bottom_up()
    }
}

impl Eq for Pile {}

impl std::fmt::Debug for Pile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl Serialize for Pile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Pile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let cards = Vec::<Card>::deserialize(deserializer)?;
        if cards.len() == cards.iter().copied().collect::<Cards>().len() {
            return Ok(Pile::from_bottom(cards.into_iter().rev()));
        }
        Err(D::Error::custom("a pile has each card at most once"))
    }
}

impl PartialSchema for Pile {
    fn schema() -> RefOr<Schema> {
        ArrayBuilder::new()
            .items(Ref::from_schema_name(Card::name()))
            .max_items(Some(Card::COUNT))
            .description(Some("A pile of cards; the first lies on top."))
            .into()
    }
}

impl ToSchema for Pile {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((Card::name().into_owned(), Card::schema()));
    }
}
