//! Which rule a command breaks, and the sentence for the player.

use kernel::{Refusal, Rule};

use crate::board::reach;
use crate::{Card, Field, HAND_MAX, Position};

/// Why a command is not legal. No text yet: listing the legal commands needs none.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Breach {
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

impl Breach {
    /// The refusal that the player gets, with the facts of the position.
    #[cold]
    pub(crate) fn refusal(self, position: &Position) -> Refusal {
        let (rule, reason) = match self {
            Breach::Finished => ("R-23", "the match is finished".to_owned()),
            Breach::HandFull => {
                ("R-45", format!("the hand has {HAND_MAX} cards, no more can be drawn"))
            }
            Breach::NotInHand(card) => ("R-30", format!("the card {card} is not in the hand")),
            Breach::OffBoard(card) => {
                let (x, y) = reach(position.crown, card);
                ("R-32", format!("{card} leads to ({x}, {y}), which is off the board"))
            }
            Breach::OwnStone(at) => ("R-34", format!("an own stone lies on the target {at}")),
            Breach::HeroOnEmptyField(at) => {
                ("R-35", format!("the target {at} is empty: no hero is played there"))
            }
            Breach::NoHeroPlayed(at) => {
                ("R-36", format!("an opponent's stone lies on the target {at}: that takes a hero"))
            }
            Breach::NoHeroLeft(at) => {
                ("R-37", format!("no hero is left to turn the opponent's stone on {at}"))
            }
        };
        Refusal::new(Rule(rule), reason)
    }
}
