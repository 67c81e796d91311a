//! The start of a match (section 5 of the rules).

use kernel::{Chance, Refusal, Seat};

use crate::{
    Cards, Color, Event, Field, GameName, HAND_MAX, HEIGHT, MatchStarted, Options, Pile, Start,
    WIDTH,
};

/// Stones in the common supply.
pub const STONES: u8 = 52;

/// Heroes of each seat at the start.
pub const HEROES: u8 = 4;

/// Where the crown stands at the start.
pub const CENTRE: Field =
    Field::new(WIDTH as i64 / 2, HEIGHT as i64 / 2).expect("the centre is on the board");

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
    let mut pile = Pile::shuffled(Cards::ALL, |left| {
        chance.pick_index(POWER_CARD, left.len(), |index| left[index])
    });
    let mut deal = || std::iter::from_fn(|| pile.pop()).take(HAND_MAX).collect::<Cards>();
    let hands = [deal(), deal()];
    let game = GameName::Rosenkoenig;
    let started = MatchStarted { game, options, start_seat, hands, draw_pile: pile };
    Ok(vec![Event::MatchStarted(Box::new(started))])
}
