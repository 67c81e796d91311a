//! The only place where a position changes.

use kernel::Edition;

use crate::{CENTRE, Color, Event, Fields, HEROES, MatchStarted, Phase, Pile, Position, STONES};

/// The start position of `MatchStarted`; `None` for any other event.
pub(crate) fn start(first: &Event, edition: Edition) -> Option<Position> {
    let Event::MatchStarted(started) = first else { return None };
    Some(started_position(started, edition))
}

fn started_position(started: &MatchStarted, edition: Edition) -> Position {
    let MatchStarted { game: _, options, start_seat, hands, draw_pile } = started;
    Position {
        edition,
        options: *options,
        phase: Phase::Turn(*start_seat),
        start_seat: *start_seat,
        stones: [Fields::EMPTY; 2],
        crown: CENTRE,
        hands: *hands,
        heroes: [HEROES; 2],
        stones_left: STONES,
        draw_pile: *draw_pile,
        discard_pile: Pile::EMPTY,
    }
}

/// Changes the position as the event says (section 8 of the rules).
#[inline(always)]
pub(crate) fn apply(position: &mut Position, event: &Event) {
    match *event {
        Event::MatchStarted(ref started) => *position = started_position(started, position.edition),
        Event::CardPlayed { seat, card } => {
            let hand = &mut position.hands[seat.index()];
            *hand = hand.without(card);
            position.discard_pile.push(card);
        }
        Event::HeroSpent { seat, heroes_left } => position.heroes[seat.index()] = heroes_left,
        Event::StonePlaced { seat: _, color, at, stones_left } => {
            let stones = &mut position.stones[color.index()];
            *stones = stones.with(at);
            position.stones_left = stones_left;
        }
        Event::StoneFlipped { seat: _, color, at } => {
            let [own, turned] = [color, color.other()].map(Color::index);
            position.stones[own] = position.stones[own].with(at);
            position.stones[turned] = position.stones[turned].without(at);
        }
        Event::CrownMoved { from: _, to } => position.crown = to,
        Event::DrawPileReshuffled { ref draw_pile } => {
            position.draw_pile = **draw_pile;
            position.discard_pile = Pile::EMPTY;
        }
        Event::CardDrawn { seat, card, draw_pile_left: _ } => {
            position.draw_pile.pop();
            let hand = &mut position.hands[seat.index()];
            *hand = hand.with(card);
        }
        Event::TurnPassed { seat: _ } => {}
        Event::TurnStarted { seat } => position.phase = Phase::Turn(seat),
        Event::ScoreAwarded(_) => {}
        Event::MatchFinished(ref finished) => position.phase = Phase::Finished(finished.reason),
    }
}
