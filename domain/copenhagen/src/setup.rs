//! How a match begins (C-201 to C-206).

use kernel::{Chance, Edition, Seat};

use crate::board::Board;
use crate::pieces::{Abilities, Cards, Color, Supply};
use crate::position::{EndCard, Phase, Player, Position};
use crate::printed::{SLOTS, START_HANDS, cards_per_color, end_card_in_deck};

/// The position at the start of a match with `seats` seats, 2 to 4.
pub(crate) fn position(seats: u8, edition: Edition, chance: &mut dyn Chance) -> Position {
    let count = usize::from(seats);
    let mut deck = Cards::of_each(cards_per_color(count));
    let harbor = [(); SLOTS as usize].map(|()| Some(draw("harbor_setup", &mut deck, chance)));
    let mut player = |cards: u8| {
        let mut hand = Cards::EMPTY;
        (0..cards).for_each(|_| hand.add(draw("hand_setup", &mut deck, chance)));
        Player { score: 0, hand, abilities: Abilities::AT_START, board: Board::EMPTY }
    };
    let players = START_HANDS[..count].iter().map(|cards| player(*cards)).collect();
    Position {
        edition,
        turn: 1,
        phase: Phase::Action,
        active_seat: Some(Seat(0)),
        coats: 0,
        players,
        harbor,
        deck,
        discard: Cards::EMPTY,
        end_card: if end_card_in_deck(count) { EndCard::Deck } else { EndCard::Aside },
        supply: Supply::full(count),
        result: None,
    }
}

/// Draws a facade card from the deck.
fn draw(kind: &'static str, deck: &mut Cards, chance: &mut dyn Chance) -> Color {
    let color = deck.nth(chance.pick_index(kind, deck.len(), |index| deck.nth(index)));
    deck.remove(color);
    color
}
