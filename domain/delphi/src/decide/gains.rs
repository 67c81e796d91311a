//! Gains (D-121): favor, cards, shield, rows of gods. Each of them in one place, with what ships and companions add.

use kernel::{Draft, Seat};

use crate::Delphi;
use crate::event::{Deck, Event, Reason};
use crate::pieces::{Colors, CompanionKind, God, Ship};
use crate::position::{Position, TOP_ROW};
use crate::printed::FACTS;

/// The highest shield (F8).
pub(crate) const MOST_SHIELD: u8 = FACTS.most_shield;

/// Takes favor: one receipt, one higher with `favor_1`.
pub(crate) fn favor(draft: &mut Draft<'_, Delphi>, seat: Seat, amount: u16, reason: Reason) {
    let sails = draft.position().player(seat).sails(Ship::Favor1);
    let more = if sails { FACTS.ship_favor } else { 0 };
    draft.emit(Event::FavorGained { seat, amount: amount + more, reason });
}

/// Is there an oracle card to draw, in the deck or in the discard?
pub(crate) fn has_oracle_card(position: &Position) -> bool {
    !position.oracle_deck.is_empty() || !position.oracle_discard.is_empty()
}

/// Draws an oracle card if there is one.
pub(crate) fn oracle_card(draft: &mut Draft<'_, Delphi>, seat: Seat, reason: Reason) {
    if !has_oracle_card(draft.position()) {
        return;
    }
    if draft.position().oracle_deck.is_empty() {
        draft.emit(Event::DeckReshuffled { deck: Deck::Oracle });
    }
    let deck = draft.position().oracle_deck;
    let color = deck.nth(draft.pick_index("oracle_card", deck.len(), |place| deck.nth(place)));
    draft.emit(Event::OracleCardDrawn { seat, color, reason });
}

/// Draws an injury card if there is one; a hero sends it on.
pub(crate) fn injury(draft: &mut Draft<'_, Delphi>, seat: Seat, reason: Reason) {
    let position = draft.position();
    if position.injury_deck.is_empty() {
        if position.injury_discard.is_empty() {
            return;
        }
        draft.emit(Event::DeckReshuffled { deck: Deck::Injury });
    }
    let deck = draft.position().injury_deck;
    let color = deck.nth(draft.pick_index("injury_card", deck.len(), |place| deck.nth(place)));
    let kept = !draft.position().player(seat).is_joined_by(CompanionKind::Hero, color);
    draft.emit(Event::InjuryDrawn { seat, color, kept, reason });
}

/// Raises the shield, to 5 at most.
pub(crate) fn shield(draft: &mut Draft<'_, Delphi>, seat: Seat, by: u8, reason: Reason) {
    let from = draft.position().player(seat).shield;
    let to = from.saturating_add(by).min(MOST_SHIELD);
    if to > from {
        draft.emit(Event::ShieldRaised { seat, from, to, reason });
    }
}

/// Advances a god one row, or from row 0 to the first row; not above row 6.
pub(crate) fn advance(draft: &mut Draft<'_, Delphi>, seat: Seat, god: God, reason: Reason) {
    let position = draft.position();
    let from = position.player(seat).gods.row(god);
    let to = if from == 0 { position.first_row() } else { from + 1 };
    if from < TOP_ROW {
        draft.emit(Event::GodAdvanced { seat, god, from, to, reason });
    }
}

/// Discards injury cards, if there are any.
pub(crate) fn discard_injuries(
    draft: &mut Draft<'_, Delphi>,
    seat: Seat,
    cards: Colors,
    reason: Reason,
) {
    if !cards.is_empty() {
        draft.emit(Event::InjuriesDiscarded { seat, cards, reason });
    }
}
