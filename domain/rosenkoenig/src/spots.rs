//! What a command names in the picture: a card, the field to which it leads the crown, and the hero that goes with it.

use kernel::Pointed;

use crate::{Command, Phase, Position};

pub(crate) fn pointed(position: &Position, command: &Command) -> Pointed {
    let none = Pointed::default();
    match command {
        // An empty draw pile is not drawn: its cards come from the discard pile.
        Command::DrawCard {} if position.draw_pile().is_empty() => none.spot("pile", "discard"),
        Command::DrawCard {} => none.spot("pile", "draw"),
        Command::PlayCard { card, hero } => {
            let played = none.spot("card", card);
            let target = position.crown.target(*card);
            let led = target.into_iter().fold(played, |led, field| {
                led.spot("cell", format_args!("{},{}", field.x(), field.y()))
            });
            match (position.phase, hero) {
                (Phase::Turn(seat), true) => {
                    let last = position.heroes(seat).saturating_sub(1);
                    led.spot("hero", format_args!("{seat}-{last}"))
                }
                (Phase::Turn(_), false) | (Phase::Finished(_), _) => led,
            }
        }
    }
}
