//! What a command names in the picture: a tile of the hand and a cell, and for a bump the cell to which the tile there goes.

use kernel::Pointed;

use crate::board::Cell;
use crate::command::Command;
use crate::pieces::Tile;
use crate::position::Position;

pub(crate) fn pointed(position: &Position, command: &Command) -> Pointed {
    let none = Pointed::default();
    match command {
        Command::PlaceTile { tile, at, mode: _, bump } => {
            let placed = cell(hand(*tile), *at);
            let pushed = bump.and_then(|way| position.board.bumped(*at, way));
            pushed.into_iter().fold(placed, cell)
        }
        Command::DiscardFreya {} => hand(Tile::Freya),
        Command::DiscardTile { tile } => hand(*tile),
        Command::MoveRaven { at, mode: _ } => cell(none, *at),
        Command::KeepRaven {} => {
            let raven = position.raven.iter().map(|flight| flight.at);
            raven.fold(none, cell)
        }
        Command::SkipExtra {} => none,
    }
}

/// A tile of the hand.
fn hand(tile: Tile) -> Pointed {
    Pointed::default().spot("hand", id(tile))
}

/// A tile as JSON names it.
pub(crate) fn id(tile: Tile) -> String {
    tile.name().to_lowercase().replace(' ', "_")
}

fn cell(pointed: Pointed, Cell { x, y }: Cell) -> Pointed {
    pointed.spot("cell", format_args!("{x},{y}"))
}
