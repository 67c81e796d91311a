//! What a command names in the picture: slots of the harbor, cards, abilities, and a tile with all the spaces that it would cover.

use kernel::Pointed;

use crate::board::{Cells, Fill, PlacedTile};
use crate::command::Command;

pub(crate) fn pointed(command: &Command) -> Pointed {
    let none = Pointed::default();
    match command {
        Command::TakeCard { slot } => none.spot("slot", slot.get()),
        Command::DiscardCard { color } => none.spot("card", color),
        Command::PlaceTile { tile, orientation, x, y, payment: _ } => {
            covering(PlacedTile { tile: tile.tile(), orientation: *orientation, x: *x, y: *y })
        }
        Command::PlaceSpecialTile { x, y } => covering(PlacedTile::special(*x, *y)),
        Command::TakeAbility { ability } => none.spot("ability", ability),
        Command::EndTaking {} | Command::EndTurn {} | Command::ReactivateAbilities {} => none,
    }
}

fn covering(placed: PlacedTile) -> Pointed {
    let mut pointed = Pointed::default().spot("tile", placed.tile);
    let (mut drawn, mut next) = (String::new(), (placed.x.get(), placed.y.get()));
    for cell in placed.cells().iter().flat_map(Cells::list) {
        let (x, y) = (cell.x.get(), cell.y.get());
        pointed = pointed.spot("cell", format_args!("{x},{y}"));
        if y > next.1 {
            drawn += " / ";
            next = (placed.x.get(), y);
        }
        for _ in next.0..x {
            drawn.push('·');
        }
        drawn.push(match cell.fill {
            Fill::Window => '□',
            Fill::Brick => '■',
        });
        next = (x + 1, y);
    }
    Pointed { drawn: Some(drawn), ..pointed }
}
