//! From a legal command to its events (section 8 of the rules).

use kernel::{Draft, Refusal, Seat};

use crate::legality::{self, Step, can_act};
use crate::position::seat::other;
use crate::setup::POWER_CARD;
use crate::{
    Card, Command, EndReason, Event, Field, MatchFinished, Pile, Rosenkoenig, Score, scoring,
};

type RoseDraft<'a> = Draft<'a, Rosenkoenig>;

/// Emits the commit of a command.
///
/// # Errors
/// The first rule that the command breaks; then nothing is emitted or drawn.
#[inline]
pub(crate) fn decide(draft: &mut RoseDraft<'_>, command: Command) -> Result<(), Refusal> {
    let step = legality::check(draft.position(), command)
        .map_err(|breach| breach.refusal(draft.position()))?;
    match step {
        Step::Place { seat, card, at } => place(draft, seat, card, at),
        Step::Flip { seat, card, at } => flip(draft, seat, card, at),
        Step::Draw { seat } => draw(draft, seat),
    }
    let (Step::Place { seat, .. } | Step::Flip { seat, .. } | Step::Draw { seat }) = step;
    end_of_turn(draft, seat);
    Ok(())
}

///
fn place(draft: &mut RoseDraft<'_>, seat: Seat, card: Card, at: Field) {
    let from = draft.position().crown;
    let color = draft.position().options.colors.of(seat);
    let stones_left = draft.position().stones_left - 1;
    draft.emit(Event::CardPlayed { seat, card });
    draft.emit(Event::StonePlaced { seat, color, at, stones_left });
    draft.emit(Event::CrownMoved { from, to: at });
}

///
fn flip(draft: &mut RoseDraft<'_>, seat: Seat, card: Card, at: Field) {
    let from = draft.position().crown;
    let color = draft.position().options.colors.of(seat);
    let heroes_left = draft.position().heroes(seat) - 1;
    draft.emit(Event::CardPlayed { seat, card });
    draft.emit(Event::HeroSpent { seat, heroes_left });
    draft.emit(Event::StoneFlipped { seat, color, at });
    draft.emit(Event::CrownMoved { from, to: at });
}

///
fn draw(draft: &mut RoseDraft<'_>, seat: Seat) {
    if draft.position().draw_pile.is_empty() {
        reshuffle(draft);
    }
    let pile = &draft.position().draw_pile;
    let card = pile.top().expect("two hands hold at most ten of 24 cards (R-48)");
    let draw_pile_left = pile.len() as u8 - 1;
    draft.emit(Event::CardDrawn { seat, card, draw_pile_left });
}

///
fn reshuffle(draft: &mut RoseDraft<'_>) {
    let cards = draft.position().discard_pile.set();
    let pile =
        Pile::shuffled(cards, |left| draft.pick_index(POWER_CARD, left.len(), |index| left[index]));
    draft.emit(Event::DrawPileReshuffled { draw_pile: Box::new(pile) });
}

/// Who is next, or the end, after a command of `seat`.
#[inline]
fn end_of_turn(draft: &mut RoseDraft<'_>, seat: Seat) {
    let opponent = other(seat);
    if draft.position().stones_left == 0 {
        finish(draft, EndReason::LastStone);
    } else if can_act(draft.position(), opponent) {
        draft.emit(Event::TurnStarted { seat: opponent });
    } else if can_act(draft.position(), seat) {
        draft.emit(Event::TurnPassed { seat: opponent });
        draft.emit(Event::TurnStarted { seat });
    } else {
        finish(draft, EndReason::Blocked);
    }
}

///
fn finish(draft: &mut RoseDraft<'_>, reason: EndReason) {
    let awards = scoring::awards(draft.position());
    let scores = awards.each_ref().map(|award| Score::of(award.breakdown.iter().copied()));
    let standing = scoring::ranking(draft.position().options.colors, scores);
    for award in awards {
        draft.emit(Event::ScoreAwarded(Box::new(award)));
    }
    draft.emit(Event::MatchFinished(Box::new(MatchFinished { reason, standing })));
}
