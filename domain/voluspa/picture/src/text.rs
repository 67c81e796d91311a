//! The table for a terminal.

use canvas::plain::Plain;
use canvas::{Says, Scene, Unreadable, say};

use crate::grid::Grid;
use voluspa::seen::{BoardCell, Cell, EventView, Tiles, View};

use crate::tile::{letters, words, worth};
use crate::view::{at, boosters, cell, rank, read, task, waiting};

/// The most places of the grid. Those of a real match are some thousands at most; tiles that are loaded far apart could make megabytes of dots.
const PLACES_MOST: usize = 20_000;

pub(crate) fn text(scene: &Scene<'_>) -> Result<String, Unreadable> {
    let (view, says) = (read(scene)?, scene.says);
    let mut plain = Plain::new(scene, view.active_seat, &task(says, &view));
    board(scene, &view, &mut plain);
    for (_, told) in waiting(says, &view) {
        plain.line(told);
    }
    plain.line("");
    for (seat, player) in view.players.iter().enumerate() {
        let rank = rank(&view, seat);
        let rank = rank.map_or_else(String::new, |rank| say!(says, ", rank {rank}", rank = rank));
        let points = says.counted(&player.display, "{n} point", "{n} points");
        plain.seat(scene, seat, view.active_seat, format_args!("{points}{rank}"));
        match &player.hand {
            Some(hand) if hand.is_empty() => plain.line(format!("      {} -", say!(says, "hand"))),
            Some(hand) => {
                plain.items(&format!("      {}", say!(says, "hand")), &list(says, hand));
            }
            None => plain.line(say!(
                says,
                "      hand {tiles}, {hel} of them Hel",
                tiles = says.counted(player.hand_count, "{n} tile", "{n} tiles"),
                hel = player.hel_count
            )),
        }
    }
    plain.line("");
    match &view.pile {
        Some(pile) if !pile.is_empty() => plain.items(&say!(says, "pile:"), &list(says, pile)),
        Some(_) | None => plain.line(say!(says, "pile {n}", n = view.pile_count)),
    }
    if !view.discard.is_empty() {
        plain.items(&say!(says, "discarded:"), &list(says, &view.discard));
    }
    let tokens: Vec<String> = boosters(&view).map(|value| value.to_string()).collect();
    if !tokens.is_empty() {
        plain.line(say!(says, "booster tokens: {tokens}", tokens = tokens.join(" ")));
    }
    Ok(plain.into_string())
}

fn board(scene: &Scene<'_>, view: &View, plain: &mut Plain) {
    let grid = Grid::new(view, &[]);
    let events: Vec<EventView> = scene.events();
    let last = |cell: Cell| {
        events.iter().any(|event| {
            matches!(event, EventView::StartTilePlaced { at, .. } | EventView::TilePlaced { at, .. }
                | EventView::RavenMoved { at, .. } if *at == cell)
        })
    };
    let said = |piece: BoardCell| {
        let worth = worth(piece.tile, piece.boost);
        format!("{}{worth}", letters(scene.says, piece.tile))
    };
    if grid.columns.len() * grid.rows.len() > PLACES_MOST {
        for piece in &view.board {
            let at = cell(piece);
            let [open, close] = if last(at) { ['[', ']'] } else { [' ', ' '] };
            plain.line(format!("{open}{}{close} {at}", said(*piece)));
        }
        return;
    }
    // As wide as what is longest there: a boosted tile, or a column far away.
    let length = |line: &i32| line.to_string().len();
    let left = grid.rows.iter().map(length).fold(4, usize::max);
    let mut widths: Vec<usize> = grid.columns.iter().map(|x| length(x).max(5)).collect();
    for piece in &view.board {
        if let Some((column, _)) = grid.place(cell(piece)) {
            widths[column] = widths[column].max(said(*piece).chars().count());
        }
    }
    let mut head = " ".repeat(left + 1);
    for (x, wide) in grid.columns.iter().zip(&widths) {
        head.push_str(&format!("{x:^wide$}", wide = wide + 1));
    }
    plain.line(head);
    for y in &grid.rows {
        let mut row = format!("{y:>left$} ");
        let mut before = false;
        for (x, wide) in grid.columns.iter().zip(widths.iter().copied()) {
            let cell = Cell { x: *x, y: *y };
            let now = last(cell);
            row.push(match (before, now) {
                (_, true) => '[',
                (true, false) => ']',
                (false, false) => ' ',
            });
            before = now;
            let words = at(view, cell).map_or_else(|| ".".to_owned(), said);
            row.push_str(&format!("{words:^wide$}"));
        }
        plain.line(row);
    }
}

/// Tiles in order, equal ones counted.
fn list(says: Says<'_>, tiles: &Tiles) -> Vec<String> {
    let kinds = tiles.kinds().map(|tile| match tiles.count(tile) {
        1 => words(says, tile, 0),
        count => format!("{} ×{count}", words(says, tile, 0)),
    });
    kinds.collect()
}
