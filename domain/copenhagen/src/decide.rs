//! What an accepted command leads to: the events, in the order of section 5 of the rules.

use kernel::{Draft, Refusal, Rule, Seat};

use crate::board::{Cells, PlacedTile};
use crate::command::Command;
use crate::event::{Declined, Event, Price, ScoreReason};
use crate::legality::{self, Building, Step};
use crate::pieces::{Ability, Cards, Drawn};
use crate::position::{EndCard, MatchResult, Phase, Reason, Slot};
use crate::printed::{END_CARD_BOTTOM, HAND_LIMIT, TARGET_POINTS};
use crate::refusal::Breach;
use crate::{Copenhagen, scoring};

type Decision<'a> = Draft<'a, Copenhagen>;

/// Decides a command of the active seat (C-306).
pub(crate) fn decide(draft: &mut Decision<'_>, command: &Command) -> Result<(), Refusal> {
    let position = draft.position();
    let Some(seat) = position.active_seat else {
        return Err(Refusal::new(Rule("C-301"), "the match is finished"));
    };
    let step = legality::check(position, seat, command).map_err(Breach::refusal)?;
    perform(draft, seat, step);
    Ok(())
}

fn perform(draft: &mut Decision<'_>, seat: Seat, step: Step) {
    match step {
        Step::Take { slot, color, using } => {
            if let Some(ability) = using {
                draft.emit(Event::AbilityUsed { seat, ability, from_color: None, to_color: None });
            }
            draft.emit(Event::CardTaken { seat, slot, color });
            after_card(draft, seat);
        }
        Step::EndTaking => {
            draft.emit(Event::OptionDeclined { seat, option: Declined::ThirdCard });
            after_taking(draft, seat);
        }
        Step::Discard(color) => {
            draft.emit(Event::CardDiscarded { seat, color });
            after_taking(draft, seat);
        }
        Step::Build(building) => build(draft, seat, building),
        Step::EndTurn => {
            draft.emit(Event::OptionDeclined { seat, option: Declined::Build });
            end_turn(draft, seat);
        }
        Step::PlaceSpecial(placed, cells) => place(draft, seat, placed, cells, None, Cards::EMPTY),
        Step::TakeAbility(ability) => {
            draft.emit(Event::AbilityTaken { seat, ability });
            use_coats(draft, seat);
        }
        Step::Reactivate(abilities) => {
            draft.emit(Event::AbilitiesReactivated { seat, abilities });
            use_coats(draft, seat);
        }
    }
}

/// A card was taken: a second one is due, or a third one possible, or that was all (C-303, C-403, C-405).
fn after_card(draft: &mut Decision<'_>, seat: Seat) {
    let position = draft.position();
    let third = position.player(seat).abilities.is_active(Ability::AdditionalCard);
    match position.phase {
        Phase::Action => change_phase(draft, Phase::SecondCard),
        Phase::SecondCard if third => change_phase(draft, Phase::ThirdCard),
        Phase::SecondCard
        | Phase::ThirdCard
        | Phase::Discard
        | Phase::Build
        | Phase::CoatOfArms
        | Phase::Finished => after_taking(draft, seat),
    }
}

/// All cards are taken: the hand limit comes first, then building with `both_actions` (C-406, C-707).
fn after_taking(draft: &mut Decision<'_>, seat: Seat) {
    let player = draft.position().player(seat);
    if player.hand.len() > HAND_LIMIT {
        change_phase(draft, Phase::Discard);
    } else if player.abilities.is_active(Ability::BothActions) {
        change_phase(draft, Phase::Build);
    } else {
        end_turn(draft, seat);
    }
}

fn change_phase(draft: &mut Decision<'_>, phase: Phase) {
    if draft.position().phase != phase {
        draft.emit(Event::PhaseChanged { phase });
    }
}

fn build(draft: &mut Decision<'_>, seat: Seat, building: Building) {
    let Building { placed, cells, price, payment, color, changed } = building;
    let used = |ability| Event::AbilityUsed { seat, ability, from_color: None, to_color: None };
    if price.construction_discount > 0 {
        draft.emit(used(Ability::ConstructionDiscount));
    }
    if changed.is_some() {
        let (from_color, to_color) = (changed, Some(color));
        draft.emit(Event::AbilityUsed {
            seat,
            ability: Ability::ChangeOfColors,
            from_color,
            to_color,
        });
    }
    if draft.position().phase == Phase::Build {
        draft.emit(used(Ability::BothActions));
    }
    place(draft, seat, placed, cells, Some(price), payment);
}

/// A tile goes on the board: points first, then coats of arms (C-608).
fn place(
    draft: &mut Decision<'_>,
    seat: Seat,
    placed: PlacedTile,
    cells: Cells,
    price: Option<Price>,
    payment: Cards,
) {
    let before = draft.position().player(seat).board.covered();
    let PlacedTile { tile, orientation, x, y } = placed;
    draft.emit(Event::TilePlaced { seat, tile, orientation, x, y, cells, price, payment });
    award(draft, seat, before);
    if draft.position().player(seat).score >= TARGET_POINTS {
        return finish(draft, Reason::TwelvePoints);
    }
    let coats = scoring::activated(before, &draft.position().player(seat).board);
    if coats.count() > 0 {
        let scoring::CoatsOfArms { cells, rows } = coats;
        draft.emit(Event::CoatsOfArmsActivated { seat, count: coats.count(), cells, rows });
    }
    use_coats(draft, seat);
}

/// The points for the lines that are complete since the board covered the spaces `before`, if there are any (C-803).
fn award(draft: &mut Decision<'_>, seat: Seat, before: u64) {
    let player = draft.position().player(seat);
    let lines = scoring::completed(before, &player.board);
    if !lines.is_empty() {
        let points = lines.points();
        let total = player.score + points;
        let reason = ScoreReason::LinesCompleted;
        draft.emit(Event::ScoreAwarded { seat, points, total, reason, lines });
    }
}

/// Coats of arms that are left are used next, or lapse; without any the turn is over (C-303, C-607).
fn use_coats(draft: &mut Decision<'_>, seat: Seat) {
    let position = draft.position();
    let count = position.coats;
    if count > 0 && legality::can_use_coat(position, seat) {
        return change_phase(draft, Phase::CoatOfArms);
    }
    if count > 0 {
        draft.emit(Event::CoatsOfArmsLapsed { seat, count });
    }
    end_turn(draft, seat);
}

/// Fills the harbor; then it is the next seat's turn, unless the end card came (C-305, C-902).
fn end_turn(draft: &mut Decision<'_>, seat: Seat) {
    let harbor = draft.position().harbor;
    for slot in Slot::all().filter(|slot| harbor[slot.index()].is_none()) {
        match draw(draft) {
            Drawn::Card(color) => draft.emit(Event::HarborCardRevealed { slot, color }),
            Drawn::EndCard => {
                draft.emit(Event::EndCardRevealed { slot });
                return finish(draft, Reason::EndCard);
            }
        }
    }
    let position = draft.position();
    draft.emit(Event::TurnEnded {
        seat,
        next_seat: position.next(seat),
        next_turn: position.turn + 1,
    });
}

/// Draws a card for the harbor, after the one reshuffle if the deck has run out (C-902, C-904).
fn draw(draft: &mut Decision<'_>) -> Drawn {
    let position = draft.position();
    if position.deck.is_empty() && position.end_card == EndCard::Aside {
        let cards =
            u8::try_from(position.discard.len()).expect("there are at most 70 facade cards");
        draft.emit(Event::DeckReshuffled { cards });
    }
    let position = draft.position();
    let deck = position.deck;
    let end_card = position.end_card == EndCard::Deck && deck.len() <= END_CARD_BOTTOM;
    let candidate = |index| {
        if index < deck.len() { Drawn::Card(deck.nth(index)) } else { Drawn::EndCard }
    };
    candidate(draft.pick_index("harbor_refill", deck.len() + usize::from(end_card), candidate))
}

fn finish(draft: &mut Decision<'_>, reason: Reason) {
    let MatchResult { reason, winners, standing } =
        scoring::result(reason, &draft.position().players);
    draft.emit(Event::MatchFinished { reason, winners, standing });
}
