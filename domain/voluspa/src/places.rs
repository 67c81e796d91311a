//! What lies where, for everybody: tiles on the table, one below a Raven that may yet fly on, and Hel in the hands, who is dealt and
//! played openly. Other hands and the pile are not everybody's to see, and stay out when they are shown after the end.

use kernel::Placed;

use crate::pieces::Tile;
use crate::spots::id;
use crate::view::View;

pub(crate) fn places(view: &View) -> Vec<Placed> {
    let kind = |tile: Tile| format!("tile-{}", id(tile));
    let mut places = Vec::new();
    for lies in &view.board {
        places.push(Placed::new(kind(lies.tile), format_args!("cell:{},{}", lies.x, lies.y)));
    }
    if let Some(flight) = &view.raven {
        let below =
            |tile| Placed::new(kind(tile), format_args!("below:{},{}", flight.at.x, flight.at.y));
        places.extend(flight.under.map(below));
    }
    for (seat, player) in view.players.iter().enumerate() {
        let count = usize::try_from(player.hel_count).unwrap_or(usize::MAX);
        places.push(Placed::many(count, kind(Tile::Hel), format_args!("hand-of:{seat}")));
    }
    places
}
