//! The table for a terminal.

use canvas::Cell;
use canvas::plain::Plain;
use canvas::{Scene, Unreadable};

use crate::grid::Grid;
use crate::tile::Tile;
use crate::view::{Event, View};

pub(crate) fn text(scene: &Scene<'_>) -> Result<String, Unreadable> {
    let view = View::read(scene)?;
    let mut plain = Plain::new(scene, view.active_seat, &view.task());
    board(scene, &view, &mut plain);
    plain.line("");
    for (seat, player) in view.players.iter().enumerate() {
        let rank = view.rank(seat).map_or_else(String::new, |rank| format!(", rank {rank}"));
        let score = &player.display;
        plain.seat(scene, seat, view.active_seat, format_args!("{score} points{rank}"));
        match &player.hand {
            Some(hand) if hand.is_empty() => plain.line("      hand -"),
            Some(hand) => plain.items("      hand", &list(hand)),
            None => plain.line(format!(
                "      hand {} tiles, {} of them Hel",
                player.hand_count, player.hel_count
            )),
        }
    }
    plain.line("");
    match &view.pile {
        Some(pile) if !pile.is_empty() => plain.items("pile:", &list(pile)),
        Some(_) | None => plain.line(format!("pile {}", view.pile_count)),
    }
    if !view.discard.is_empty() {
        plain.items("discarded:", &list(&view.discard));
    }
    if !view.boosters.is_empty() {
        let tokens: Vec<String> = view.boosters.iter().map(u8::to_string).collect();
        plain.line(format!("booster tokens: {}", tokens.join(" ")));
    }
    Ok(plain.into_string())
}

fn board(scene: &Scene<'_>, view: &View, plain: &mut Plain) {
    let grid = Grid::new(view, &[]);
    let events: Vec<Event> = scene.events();
    let last = |cell: Cell| {
        events.iter().any(|event| match event {
            Event::StartTilePlaced { at }
            | Event::TilePlaced { at, .. }
            | Event::RavenMoved { at, .. } => *at == cell,
            Event::ScoreAwarded { .. } | Event::TileDiscarded { .. } | Event::Other => false,
        })
    };
    let mut head = " ".repeat(5);
    for x in &grid.columns {
        head.push_str(&format!("{x:^6}"));
    }
    plain.line(head);
    for y in &grid.rows {
        let mut row = format!("{y:>4} ");
        let mut before = false;
        for x in &grid.columns {
            let cell = Cell { x: *x, y: *y };
            let now = last(cell);
            row.push(match (before, now) {
                (_, true) => '[',
                (true, false) => ']',
                (false, false) => ' ',
            });
            before = now;
            match view.at(cell) {
                None => row.push_str("  .  "),
                Some(piece) => {
                    let worth = piece.tile.worth(piece.boost);
                    let words = format!("{}{worth}", piece.tile.letters());
                    row.push_str(&format!("{words:^5}"));
                }
            }
        }
        plain.line(row);
    }
}

/// Tiles in order, equal ones counted.
fn list(tiles: &[Tile]) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for group in tiles.chunk_by(|one, next| one == next) {
        let name = group[0].words(0);
        words.push(match group.len() {
            1 => name,
            count => format!("{name} ×{count}"),
        });
    }
    words
}
