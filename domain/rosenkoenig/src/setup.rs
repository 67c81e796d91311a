//! The start of a match (section 5 of the rules).

use kernel::{Chance, Refusal, Seat};

use crate::printed::HAND_START;
use crate::{Cards, Color, Event, GameName, MatchStarted, Options, Pile, Start};

/// The kind of each draw of a card.
pub(crate) const POWER_CARD: &str = "power_card";

/// Draws who begins, then all 24 cards: five for each seat, the rest is the draw pile.
///
/// # Errors
/// if an option has a wrong value; then nothing is drawn.
pub(crate) fn setup(options: Options, chance: &mut dyn Chance) -> Result<Vec<Event>, Refusal> {
    let options = options.complete()?;
    let start_seat = match options.start {
        Start::Random => chance.pick("start_seat", &[Seat(0), Seat(1)]),
        Start::Red => options.colors.seat(Color::Red),
    };
    let mut pile = Pile::shuffled(Cards::all(), |left| {
        chance.pick_index(POWER_CARD, left.len(), |index| left[index])
    });
    let mut deal = || std::iter::from_fn(|| pile.pop()).take(HAND_START).collect::<Cards>();
    let hands = [deal(), deal()];
    let game = GameName::Rosenkoenig;
    let started = MatchStarted { game, options, start_seat, hands, draw_pile: pile };
    Ok(vec![Event::MatchStarted(Box::new(started))])
}
