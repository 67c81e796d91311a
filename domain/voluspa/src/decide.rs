//! What a command leads to: all events of its commit, in the order of section 8.

use kernel::{Draft, Refusal, Seat};

use crate::board::{Cell, Piece};
use crate::command::{Command, Mode};
use crate::event::{DiscardReason, Event, HelCount};
use crate::legality::{self, Placement, Step};
use crate::pieces::Tile;
use crate::position::{Flight, Position};
use crate::printed::HAND_LIMIT;
use crate::setup::draw_tile;
use crate::{Voluspa, scoring};

/// Emits all events of a command.
///
/// # Errors
/// The first rule that the command breaks; then nothing was emitted or drawn.
pub(crate) fn decide(draft: &mut Draft<'_, Voluspa>, command: &Command) -> Result<(), Refusal> {
    let position = draft.position();
    let step =
        legality::check(position, command).map_err(|breach| breach.refusal(position, command))?;
    let seat = position.active_seat.expect("a command was accepted, so a seat is active");
    match step {
        Step::Place(placement) => place(draft, seat, placement),
        Step::DiscardFreya => {
            let boost = position.boost + 1;
            draft.emit(Event::FreyaDiscarded { seat, boost });
        }
        Step::Discard(tile, reason) => discard(draft, seat, tile, reason),
        Step::Skip => {
            draft.emit(Event::ExtraPlaySkipped { seat });
            end_turn(draft, seat);
        }
        Step::Fly(flight, placement) => fly(draft, seat, flight, placement),
        Step::Keep => {
            draft.emit(Event::RavenKept { seat });
            end_turn(draft, seat);
        }
    }
    Ok(())
}

fn place(draft: &mut Draft<'_, Voluspa>, seat: Seat, placement: Placement) {
    let Placement { tile, at, mode, under, bumped_to } = placement;
    let boost = draft.position().boost;
    let (under, under_boost) = split(under);
    draft.emit(Event::TilePlaced { seat, tile, boost, at, mode, under, under_boost, bumped_to });
    if mode == Mode::Exchange {
        let count = u32::from(under_boost).min(draft.position().discard.count(Tile::Freya));
        if count > 0 {
            draft.emit(Event::FreyaReturned { seat, count });
        }
    }
    score(draft, seat, tile, at, mode == Mode::Cover && under == Some(Tile::Niohoggr));
    match tile {
        Tile::Raven => draft.emit(Event::RavenFlightGranted { seat }),
        Tile::Hermod if !draft.position().player(seat).hand.is_empty() => {
            draft.emit(Event::ExtraPlayGranted { seat, hermod: at });
        }
        Tile::Odin
        | Tile::Thor
        | Tile::Troll
        | Tile::Dragon
        | Tile::Fenrir
        | Tile::Skadi
        | Tile::Valkyrie
        | Tile::Loki
        | Tile::Hel
        | Tile::Hermod
        | Tile::Jotunn
        | Tile::SeaSerpent
        | Tile::Dwarf
        | Tile::Freya
        | Tile::Niohoggr
        | Tile::LightningBolt => end_turn(draft, seat),
    }
}

fn fly(draft: &mut Draft<'_, Voluspa>, seat: Seat, flight: Flight, placement: Placement) {
    let Placement { tile, at, mode, under, bumped_to: _ } = placement;
    let Flight { at: from, under: restored } = flight;
    let (under, under_boost) = split(under);
    draft.emit(Event::RavenMoved { seat, from, restored, at, mode, under, under_boost });
    score(draft, seat, tile, at, under == Some(Tile::Niohoggr));
    end_turn(draft, seat);
}

fn split(under: Option<Piece>) -> (Option<Tile>, u8) {
    (under.map(|piece| piece.tile), under.map_or(0, |piece| piece.boost))
}

/// Awards the points of a placement, if there are any (V-513).
fn score(draft: &mut Draft<'_, Voluspa>, seat: Seat, tile: Tile, at: Cell, killed: bool) {
    let position = draft.position();
    let Some((reason, parts)) = scoring::placed(&position.board, at, killed) else { return };
    let points = parts.points();
    let total = position.player(seat).score + points;
    let latest = position.players().map(|(_, player)| player.reached).max();
    let reached = latest.expect("a match has seats") + 1;
    draft.emit(Event::ScoreAwarded { seat, points, reason, tile, at, parts, total, reached });
}

fn discard(draft: &mut Draft<'_, Voluspa>, seat: Seat, tile: Tile, reason: DiscardReason) {
    draft.emit(Event::TileDiscarded { seat, tile, reason });
    match reason {
        DiscardReason::Unplayable => end_turn(draft, seat),
        DiscardReason::Surplus if draft.position().surplus(seat) == 0 => refill(draft, seat),
        DiscardReason::Surplus => {}
    }
}

/// V-208.
fn end_turn(draft: &mut Draft<'_, Voluspa>, seat: Seat) {
    let count = draft.position().surplus(seat);
    if count > 0 {
        draft.emit(Event::SurplusFound { seat, count });
    } else {
        refill(draft, seat);
    }
}

/// V-208 from step 2 on.
fn refill(draft: &mut Draft<'_, Voluspa>, seat: Seat) {
    let short = |position: &Position| position.player(seat).hand.total_but_hel() < HAND_LIMIT;
    while short(draft.position()) && !draft.position().pile.is_empty() {
        draw_tile(draft, "draw_tile", seat);
        if draft.position().pile.is_empty() && draft.position().options.no_late_hel {
            remove_hel(draft);
        }
    }
    next_turn(draft, seat);
}

/// V-210.
fn remove_hel(draft: &mut Draft<'_, Voluspa>) {
    let players = draft.position().players();
    let hels = players.map(|(seat, player)| HelCount { seat, count: player.hand.count(Tile::Hel) });
    let hels: Vec<HelCount> = hels.filter(|hel| hel.count > 0).collect();
    if !hels.is_empty() {
        draft.emit(Event::HelRemoved { hels });
    }
}

/// V-209, V-701.
fn next_turn(draft: &mut Draft<'_, Voluspa>, seat: Seat) {
    let position = draft.position();
    let empty = |seat: &Seat| position.player(*seat).hand.is_empty();
    let passed: Vec<Seat> = position.clockwise(seat).take_while(empty).collect();
    match position.clockwise(seat).nth(passed.len()) {
        Some(next) => draft.emit(Event::TurnStarted { seat: next, passed }),
        None => {
            let ranking = scoring::places(position);
            draft.emit(Event::MatchFinished { ranking });
        }
    }
}
