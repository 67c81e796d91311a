//! What lies where, for everybody: tiles in the supply and on the boards, cards in the harbor and in the discard. Hands and the deck are
//! not everybody's to see, and stay out when they are shown after the end.

use kernel::Placed;

use crate::board::PlacedTile;
use crate::pieces::{Color, Tile};
use crate::view::View;

pub(crate) fn places(view: &View) -> Vec<Placed> {
    let left = |tile: Tile| {
        let count = view.supply.count(tile).into();
        Placed::many(count, format_args!("tile-{tile}"), format_args!("tile:{tile}"))
    };
    let mut places: Vec<Placed> = Tile::all().map(left).collect();
    for player in &view.players {
        let placed = |(index, placed): (usize, &PlacedTile)| {
            let place = format_args!("board:{}-{index}", player.seat);
            Placed::new(format_args!("tile-{}", placed.tile), place)
        };
        places.extend(player.tiles.iter().enumerate().map(placed));
    }
    for (slot, color) in view.harbor.iter().enumerate() {
        let card =
            |color: &Color| Placed::new(format_args!("card-{color}"), format_args!("slot:{slot}"));
        places.extend(color.iter().map(card));
    }
    let discarded = |color: Color| {
        let count = view.discard.count(color).into();
        Placed::many(count, format_args!("card-{color}"), "pile:discard")
    };
    places.extend(Color::ALL.into_iter().map(discarded));
    places
}
