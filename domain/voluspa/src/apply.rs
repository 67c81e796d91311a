//! How events change a position (section 8).

use kernel::Seat;

use crate::board::{Cell, Piece};
use crate::command::Mode;
use crate::event::{Event, HelCount};
use crate::pieces::Tile;
use crate::position::{Flight, Phase, Position};
use crate::setup;

/// Changes the position as the event says.
#[expect(clippy::too_many_lines, reason = "one exhaustive match, an arm for each event")]
pub(crate) fn apply(position: &mut Position, event: &Event) {
    match *event {
        Event::MatchStarted { seats, options, tile_types, ref pile, ref boosters } => {
            *position =
                setup::opened(position.edition, seats, options, tile_types, **pile, **boosters);
        }
        Event::HelDealt { seat, count } => position.player_mut(seat).hand.add(Tile::Hel, count),
        Event::TileDrawn { seat, tile } => {
            position.pile.remove(tile, 1);
            position.player_mut(seat).hand.add(tile, 1);
        }
        Event::StartTilePlaced { tile, at } => {
            position.pile.remove(tile, 1);
            position.board.put(at, Piece { tile, boost: 0 });
        }
        Event::StartSeatChosen { seat } => {
            position.start_seat = seat;
            let order = [seat].into_iter().chain(position.clockwise(seat));
            for (reached, seat) in (0..u32::from(position.seats)).zip(order) {
                position.player_mut(seat).reached = reached;
            }
        }
        Event::TurnStarted { seat, passed: _ } => {
            position.active_seat = Some(seat);
            rest(position, Phase::Play);
        }
        Event::FreyaDiscarded { seat, boost } => {
            discard(position, seat, Tile::Freya, 1);
            position.boost = boost;
        }
        Event::TilePlaced { seat, tile, boost, at, mode, under, under_boost, bumped_to } => {
            let under = under.map(|tile| Piece { tile, boost: under_boost });
            position.player_mut(seat).hand.remove(tile, 1);
            clear(position, seat, Clearing { tile, at, mode, under, bumped_to });
            let piece = Piece { tile, boost };
            if boost > 0 {
                position.boosters.take(piece.value());
            }
            position.board.put(at, piece);
            position.boost = 0;
            position.hermod = None;
        }
        Event::FreyaReturned { seat, count } => {
            position.discard.remove(Tile::Freya, count);
            position.player_mut(seat).hand.add(Tile::Freya, count);
        }
        Event::ScoreAwarded {
            seat,
            points: _,
            reason: _,
            tile: _,
            at: _,
            parts: _,
            total,
            reached,
        } => {
            let player = position.player_mut(seat);
            player.score = total;
            player.reached = reached;
        }
        Event::ExtraPlayGranted { seat: _, hermod } => {
            position.phase = Phase::Hermod;
            position.hermod = Some(hermod);
        }
        Event::ExtraPlaySkipped { seat: _ } => position.hermod = None,
        Event::RavenFlightGranted { seat: _ } => position.phase = Phase::Raven,
        Event::RavenMoved { seat: _, from, restored, at, mode: _, under, under_boost } => {
            let boost = position.board.at(from).map_or(0, |raven| raven.boost);
            Flight { at: from, under: restored }.lift(&mut position.board);
            if let Some(tile) = under {
                return_token(position, Piece { tile, boost: under_boost });
                position.discard.add(tile, 1);
            }
            position.board.put(at, Piece { tile: Tile::Raven, boost });
            position.raven = None;
        }
        Event::RavenKept { seat: _ } => {
            if let Some(Flight { at: _, under: Some(tile) }) = position.raven.take() {
                position.discard.add(tile, 1);
            }
        }
        Event::SurplusFound { seat: _, count: _ } => {
            position.phase = Phase::Surplus;
            position.hermod = None;
        }
        Event::TileDiscarded { seat, tile, reason: _ } => discard(position, seat, tile, 1),
        Event::HelRemoved { ref hels } => {
            for HelCount { seat, count } in hels {
                discard(position, *seat, Tile::Hel, *count);
            }
        }
        Event::MatchFinished { ranking: _ } => {
            position.active_seat = None;
            rest(position, Phase::Finished);
        }
    }
}

/// A placement that is about to take its cell.
struct Clearing {
    tile: Tile,
    at: Cell,
    mode: Mode,
    under: Option<Piece>,
    bumped_to: Option<Cell>,
}

/// What lies on the cell goes away, and its token where it belongs.
fn clear(position: &mut Position, seat: Seat, clearing: Clearing) {
    let Clearing { tile, at, mode, under, bumped_to } = clearing;
    if tile == Tile::Raven {
        position.raven = Some(Flight { at, under: under.map(|piece| piece.tile) });
    }
    let Some(under) = under else { return };
    match (mode, bumped_to) {
        (Mode::Bump, Some(cell)) => position.board.put(cell, under),
        (Mode::Exchange, _) => {
            return_token(position, under);
            position.player_mut(seat).hand.add(under.tile, 1);
        }
        (Mode::Lay | Mode::Cover | Mode::Bump, _) => {
            return_token(position, under);
            if tile != Tile::Raven {
                position.discard.add(under.tile, 1);
            }
        }
    }
}

fn return_token(position: &mut Position, piece: Piece) {
    if piece.boost > 0 {
        position.boosters.put(piece.value());
    }
}

fn discard(position: &mut Position, seat: Seat, tile: Tile, count: u32) {
    position.player_mut(seat).hand.remove(tile, count);
    position.discard.add(tile, count);
}

/// Between two turns nothing is under way.
fn rest(position: &mut Position, phase: Phase) {
    position.phase = phase;
    position.boost = 0;
    position.hermod = None;
    position.raven = None;
}
