//! Everything that is legal now.

use std::ops::ControlFlow;

use kernel::Seat;

use crate::board::{Board, Cell};
use crate::command::Command;
use crate::pieces::{Tile, TileSet, Tokens};
use crate::position::{Flight, Phase, Position};

use super::placing::{Ground, LAID, LAID_BESIDE_TROLLS, TAKING, TAKING_BESIDE_TROLLS, Way, fits};

/// Appends all legal commands, placements by cell.
pub(crate) fn legal_commands(position: &Position, commands: &mut Vec<Command>) {
    let Some(seat) = position.active_seat else { return };
    let hand = &position.player(seat).hand;
    let kinds = hand.kinds();
    match position.phase {
        Phase::Play | Phase::Hermod => {
            let before = commands.len();
            each(&Ground::of(position, position.boost), kinds, |tile, at, way| {
                let (mode, bump) = way.fields();
                commands.push(Command::PlaceTile { tile, at, mode, bump });
            });
            let placeable = commands.len() > before;
            if kinds.contains(Tile::Freya) && freya_helps(position, seat) {
                commands.push(Command::DiscardFreya {});
            }
            if position.boost == 0 && !placeable {
                commands.extend(kinds.map(|tile| Command::DiscardTile { tile }));
            }
            if position.boost == 0 && placeable && position.phase == Phase::Hermod {
                commands.push(Command::SkipExtra {});
            }
        }
        Phase::Raven => {
            if let Some(flight) = position.raven {
                list_flights(flight, &position.lifted(flight), commands);
            }
            commands.push(Command::KeepRaven {});
        }
        Phase::Surplus => {
            let kinds = kinds.without(TileSet::of(&[Tile::Hel]));
            commands.extend(kinds.map(|tile| Command::DiscardTile { tile }));
        }
        Phase::Setup | Phase::Finished => {}
    }
}

fn list_flights(flight: Flight, lifted: &Board, commands: &mut Vec<Command>) {
    each(&Ground::flight(lifted), TileSet::of(&[Tile::Raven]), |_, at, way| {
        if at != flight.at {
            let (mode, _) = way.fields();
            commands.push(Command::MoveRaven { at, mode });
        }
    });
}

/// Has the active seat a legal command?
pub(crate) fn can_act(position: &Position) -> bool {
    let Some(seat) = position.active_seat else { return false };
    let hand = &position.player(seat).hand;
    match position.phase {
        // With a tile in hand something can be placed or discarded; after a boost it must be placed.
        Phase::Play | Phase::Hermod if position.boost == 0 => !hand.is_empty(),
        Phase::Play | Phase::Hermod => {
            can_place(position, hand.kinds(), position.boost) || freya_helps(position, seat)
        }
        Phase::Raven => true,
        Phase::Surplus => hand.total_but_hel() > 0,
        Phase::Setup | Phase::Finished => false,
    }
}

/// Can some tile of these kinds be placed with so many boosts?
pub(super) fn can_place(position: &Position, kinds: TileSet, boost: u8) -> bool {
    visit(&Ground::of(position, boost), kinds, |_, _, _| ControlFlow::Break(())).is_break()
}

/// After one Freya of the hand or more, can some tile of the rest be placed (V-205)?
pub(super) fn freya_helps(position: &Position, seat: Seat) -> bool {
    let hand = &position.player(seat).hand;
    let freya = u8::try_from(hand.count(Tile::Freya)).unwrap_or(u8::MAX);
    let most = freya.min(Tokens::HIGHEST.saturating_sub(position.boost));
    let others = hand.kinds().without(TileSet::of(&[Tile::Freya]));
    (1..=most).any(|discarded| {
        let kinds = if discarded < freya { hand.kinds() } else { others };
        can_place(position, kinds, position.boost + discarded)
    })
}

/// Visits every legal placement of tiles of these kinds, by cell.
fn each(ground: &Ground<'_>, kinds: TileSet, mut visitor: impl FnMut(Tile, Cell, Way)) {
    let all = visit(ground, kinds, |tile, at, way| {
        visitor(tile, at, way);
        ControlFlow::Continue(())
    });
    debug_assert!(all.is_continue(), "nobody breaks off");
}

/// Visits every legal placement of tiles of these kinds, by cell, until the visitor breaks off.
fn visit(
    ground: &Ground<'_>,
    kinds: TileSet,
    mut visitor: impl FnMut(Tile, Cell, Way) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let kinds = kinds.without(ground.barred());
    // By cell: empty or not, without or with a Troll beside it. Whatever is left out here is refused by the check.
    let laid = kinds.and(LAID);
    let taking = kinds.and(TAKING);
    let laid = [laid, laid.and(LAID_BESIDE_TROLLS)];
    let taking = [taking, taking.and(TAKING_BESIDE_TROLLS)];
    for id in ground.board.spots() {
        let site = ground.site(id);
        let troll = usize::from(site.spot.trolls > 0);
        if site.spot.piece.is_some() {
            for tile in taking[troll] {
                for way in Way::of_tile(tile).iter().filter(|way| **way != Way::Lay) {
                    if ground.check_cell(tile, *way, &site).is_ok() {
                        visitor(tile, site.spot.cell, *way)?;
                    }
                }
            }
        } else if site.spot.tiles > 0 && fits(site.spot) {
            for tile in laid[troll] {
                if ground.check_cell(tile, Way::Lay, &site).is_ok() {
                    visitor(tile, site.spot.cell, Way::Lay)?;
                }
            }
        }
    }
    ControlFlow::Continue(())
}
