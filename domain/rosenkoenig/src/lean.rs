//! What a seat leans towards: it thinks of the reply, and is sparing of its heroes. Everything that it looks at lies open.

use kernel::Seat;

use crate::legality::{self, Step};
use crate::position::seat::other;
use crate::{Color, Command, Event, Phase, Position, apply, scoring};

/// What a hero is worth, in thousandths of a point.
const HERO: i64 = 6_000;

/// What a card in hand is worth, in thousandths of a point.
const CARD: i64 = 1_500;

/// How much the active seat leans towards each of these commands, in thousandths of a point.
pub(crate) fn leanings(position: &Position, commands: &[Command]) -> Vec<i64> {
    let leaning = |command: &Command| match legality::check(position, *command) {
        Ok(Step::Draw { seat }) => CARD - 1_000 * reply(position, seat),
        // The last stone ends the match: nobody replies.
        Ok(Step::Place { .. }) if position.stones_left == 1 => 0,
        Ok(step @ Step::Place { seat, .. }) => -1_000 * reply(&played(position, step), seat),
        Ok(step @ Step::Flip { seat, .. }) => -HERO - 1_000 * reply(&played(position, step), seat),
        Err(_) => 0,
    };
    commands.iter().map(leaning).collect()
}

/// The most that the opponent of `seat` can gain with one card.
fn reply(position: &Position, seat: Seat) -> i64 {
    let opponent = other(seat);
    let mut position = position.clone();
    position.phase = Phase::Turn(opponent);
    let mut replies = Vec::new();
    legality::legal_commands(&position, &mut replies);
    let before = lead(&position, opponent);
    let gain = |reply: &Command| {
        let step = legality::check(&position, *reply).ok()?;
        Some(lead(&played(&position, step), opponent) - before)
    };
    replies.iter().filter_map(gain).max().unwrap_or(0)
}

/// The position after a card; a draw changes nothing that is known beforehand.
fn played(position: &Position, step: Step) -> Position {
    let mut after = position.clone();
    let color = |seat| position.options.colors.of(seat);
    let (seat, card, at, stone) = match step {
        Step::Draw { seat: _ } => return after,
        Step::Place { seat, card, at } => {
            let (color, stones_left) = (color(seat), position.stones_left.saturating_sub(1));
            let stone = Event::StonePlaced { seat, color, at, stones_left };
            (seat, card, at, stone)
        }
        Step::Flip { seat, card, at } => {
            let color: Color = color(seat);
            (seat, card, at, Event::StoneFlipped { seat, color, at })
        }
    };
    let from = position.crown;
    for event in [Event::CardPlayed { seat, card }, stone, Event::CrownMoved { from, to: at }] {
        apply::apply(&mut after, &event);
    }
    after
}

/// By how many points a seat is ahead.
fn lead(position: &Position, seat: Seat) -> i64 {
    let [own, others] =
        [seat, other(seat)].map(|seat| i64::from(scoring::scores(position)[seat.index()].points));
    own - others
}
