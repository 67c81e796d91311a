//! What each event changes.

use crate::board::PlacedTile;
use crate::event::Event;
use crate::pieces::{AbilityState, Cards, Tile};
use crate::position::{EndCard, MatchResult, Phase, Position};

/// Applies an event that was decided at this position.
pub(crate) fn apply(position: &mut Position, event: &Event) {
    match *event {
        Event::MatchStarted { position: ref start } => {
            *position = Position { edition: position.edition, ..Position::clone(start) };
        }
        Event::CardTaken { seat, slot, color } => {
            position.harbor[slot.index()] = None;
            position.player_mut(seat).hand.add(color);
        }
        Event::AbilityUsed { seat, ability, from_color: _, to_color: _ } => {
            position.player_mut(seat).abilities.set(ability, AbilityState::Used);
        }
        Event::OptionDeclined { seat: _, option: _ } => {}
        Event::CardDiscarded { seat, color } => {
            position.player_mut(seat).hand.remove(color);
            position.discard.add(color);
        }
        Event::TilePlaced { seat, tile, orientation, x, y, cells, price: _, payment } => {
            let player = position.player_mut(seat);
            player.hand.remove_all(&payment);
            player.board.place(PlacedTile { tile, orientation, x, y }, cells);
            position.discard.add_all(&payment);
            position.supply.take(tile);
            position.coats -= u8::from(tile == Tile::SPECIAL);
        }
        Event::ScoreAwarded { seat, points: _, total, reason: _, lines: _ } => {
            position.player_mut(seat).score = total;
        }
        Event::CoatsOfArmsActivated { seat: _, count, cells: _, rows: _ } => {
            position.coats += count
        }
        Event::AbilityTaken { seat, ability } => {
            position.player_mut(seat).abilities.set(ability, AbilityState::Active);
            position.coats -= 1;
        }
        Event::AbilitiesReactivated { seat, abilities } => {
            let player = position.player_mut(seat);
            abilities
                .iter()
                .for_each(|ability| player.abilities.set(ability, AbilityState::Active));
            position.coats -= 1;
        }
        Event::CoatsOfArmsLapsed { seat: _, count: _ } => position.coats = 0,
        Event::PhaseChanged { phase } => position.phase = phase,
        Event::DeckReshuffled { cards: _ } => {
            position.deck = position.discard;
            position.discard = Cards::EMPTY;
            position.end_card = EndCard::Deck;
        }
        Event::HarborCardRevealed { slot, color } => {
            position.deck.remove(color);
            position.harbor[slot.index()] = Some(color);
        }
        Event::EndCardRevealed { slot: _ } => position.end_card = EndCard::Revealed,
        Event::TurnEnded { seat: _, next_seat, next_turn } => {
            position.active_seat = Some(next_seat);
            position.turn = next_turn;
            position.phase = Phase::Action;
        }
        Event::MatchFinished { reason, ref winners, ref standing } => {
            position.phase = Phase::Finished;
            position.active_seat = None;
            position.coats = 0;
            let (winners, standing) = (winners.clone(), standing.clone());
            position.result = Some(Box::new(MatchResult { reason, winners, standing }));
        }
    }
}
