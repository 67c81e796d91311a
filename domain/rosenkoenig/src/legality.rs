//! What the active seat may do (section 7 of the rules).

use kernel::{Refusal, Rule, Seat};

use crate::board::reach;
use crate::{Card, Command, Field, HAND_MAX, Phase, Position};

/// A legal command, with what follows from the position.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// A card is played to an empty field.
    Place { seat: Seat, card: Card, at: Field },
    /// A card and a hero are played to an opponent's stone.
    Flip { seat: Seat, card: Card, at: Field },
    /// A card is drawn.
    Draw { seat: Seat },
}

/// Why a command is not legal. No text yet: listing the legal commands needs none.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fault {
    ///
    Finished,
    ///
    HandFull,
    ///
    NotInHand(Card),
    ///
    OffBoard(Card),
    ///
    OwnStone(Field),
    ///
    HeroOnEmptyField(Field),
    ///
    NoHeroPlayed(Field),
    ///
    NoHeroLeft(Field),
}

/// What lies on the field that a card leads to.
enum Target {
    OffBoard,
    Own(Field),
    Empty(Field),
    Opponent(Field),
}

/// Is the command legal? The first broken rule counts, in the order of section 7.
#[inline]
pub(crate) fn check(position: &Position, command: Command) -> Result<Step, Fault> {
    let Phase::Turn(seat) = position.phase else {
        return Err(Fault::Finished);
    };
    match command {
        Command::DrawCard {} if position.hand(seat).len() < HAND_MAX => Ok(Step::Draw { seat }),
        Command::DrawCard {} => Err(Fault::HandFull),
        Command::PlayCard { card, .. } if !position.hand(seat).contains(card) => {
            Err(Fault::NotInHand(card))
        }
        Command::PlayCard { card, hero } => match target(position, seat, card) {
            Target::OffBoard => Err(Fault::OffBoard(card)),
            Target::Own(at) => Err(Fault::OwnStone(at)),
            Target::Empty(at) if hero => Err(Fault::HeroOnEmptyField(at)),
            Target::Empty(at) => Ok(Step::Place { seat, card, at }),
            Target::Opponent(at) if !hero => Err(Fault::NoHeroPlayed(at)),
            Target::Opponent(at) if position.heroes(seat) == 0 => Err(Fault::NoHeroLeft(at)),
            Target::Opponent(at) => Ok(Step::Flip { seat, card, at }),
        },
    }
}

/// Appends the legal commands: plays in card order, then `DrawCard`.
#[inline]
pub(crate) fn legal_commands(position: &Position, commands: &mut Vec<Command>) {
    let Phase::Turn(seat) = position.phase else {
        return;
    };
    let hand = position.hand(seat);
    for card in hand.iter() {
        if let Some(hero) = playable(position, seat, card) {
            commands.push(Command::PlayCard { card, hero });
        }
    }
    if hand.len() < HAND_MAX {
        commands.push(Command::DrawCard {});
    }
}

/// Has the seat a legal command? With fewer than five cards it can draw.
#[inline]
pub(crate) fn can_act(position: &Position, seat: Seat) -> bool {
    let hand = position.hand(seat);
    hand.len() < HAND_MAX
        || hand
            .iter()
            .any(|card| playable(position, seat, card).is_some())
}

/// The value of `hero` with which a card of the hand is legal, if there is one.
#[inline]
fn playable(position: &Position, seat: Seat, card: Card) -> Option<bool> {
    match target(position, seat, card) {
        Target::Empty(_) => Some(false),
        Target::Opponent(_) if position.heroes(seat) > 0 => Some(true),
        Target::Opponent(_) | Target::OffBoard | Target::Own(_) => None,
    }
}

/// Where the card leads from the crown, whatever lies between.
#[inline]
fn target(position: &Position, seat: Seat, card: Card) -> Target {
    let Some(at) = position.crown.target(card) else {
        return Target::OffBoard;
    };
    let own = position.options.colors.of(seat);
    if position.stones(own).contains(at) {
        Target::Own(at)
    } else if position.stones(own.other()).contains(at) {
        Target::Opponent(at)
    } else {
        Target::Empty(at)
    }
}

impl Fault {
    /// The refusal that the player gets, with the facts of the position.
    #[cold]
    pub(crate) fn refusal(self, position: &Position) -> Refusal {
        let (rule, reason) = match self {
            Fault::Finished => ("R-23", "the match is finished".to_owned()),
            Fault::HandFull => (
                "R-45",
                format!("the hand has {HAND_MAX} cards, no more can be drawn"),
            ),
            Fault::NotInHand(card) => ("R-30", format!("the card {card} is not in the hand")),
            Fault::OffBoard(card) => {
                let (x, y) = reach(position.crown, card);
                (
                    "R-32",
                    format!("{card} leads to ({x}, {y}), which is off the board"),
                )
            }
            Fault::OwnStone(at) => ("R-34", format!("an own stone lies on the target {at}")),
            Fault::HeroOnEmptyField(at) => (
                "R-35",
                format!("the target {at} is empty: no hero is played there"),
            ),
            Fault::NoHeroPlayed(at) => (
                "R-36",
                format!("an opponent's stone lies on the target {at}: that takes a hero"),
            ),
            Fault::NoHeroLeft(at) => (
                "R-37",
                format!("no hero is left to turn the opponent's stone on {at}"),
            ),
        };
        Refusal::new(Rule(rule), reason)
    }
}
