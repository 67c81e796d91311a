//! What is printed on cards, tiles and boards, read from `data/copenhagen.toml` when the program is compiled: the text that the
//! catalogue serves is what plays.

use kernel::printed::{Printed, Table, Value};

use crate::pieces::Color;

/// The printed data, as the catalogue serves them.
pub(crate) const DATA: &str = include_str!("../data/copenhagen.toml");

const PRINTED: Printed<'static> = Printed::of(DATA);

const fn count(table: &str, key: &str) -> u8 {
    PRINTED.table(table).value(key).count()
}

/// How many seats a match may have (C-201).
pub(crate) const SEATS: std::ops::RangeInclusive<u8> = {
    let players = PRINTED.table("[game]").value("players").table();
    players.value("min").count()..=players.value("max").count()
};
/// Points that end the match (C-901).
pub const TARGET_POINTS: u8 = count("[game]", "target_points");
/// The most cards in a hand after taking (C-406).
pub(crate) const HAND_LIMIT: usize = count("[game]", "hand_limit") as usize;
/// The end card lies among so many of the lowest facade cards (C-902).
pub(crate) const END_CARD_BOTTOM: usize = count("[cards]", "end_card_bottom") as usize;
/// Cards at the start by seat (C-205).
pub(crate) const START_HANDS: [u8; 4] =
    counts(PRINTED.table("[cards]").value("start_hand_by_seat"));
/// Copies of the special tile (C-105).
pub(crate) const SPECIAL_COPIES: u8 = count("[special_tile]", "copies");

/// Points of a row, and of one with all windows (C-801).
pub(crate) const ROW: [u8; 2] = [count("[scoring]", "row"), count("[scoring]", "row_all_windows")];
/// Points of a column, and of one with all windows (C-802).
pub(crate) const COLUMN: [u8; 2] =
    [count("[scoring]", "column"), count("[scoring]", "column_all_windows")];

/// Columns of a board (C-101).
pub const WIDTH: u8 = count("[board]", "width");
/// Rows of a board (C-101).
pub const HEIGHT: u8 = count("[board]", "height");
/// Slots of the harbor.
pub(crate) const SLOTS: u8 = count("[game]", "harbor_slots");

/// Places `(x, y)` of the coats of arms on spaces (C-102).
pub const COAT_CELLS: [(u8, u8); 4] = {
    let printed = PRINTED.table("[board]").value("coat_cells");
    let (mut cells, mut place) = ([(0, 0); 4], 0);
    assert!(printed.len() == cells.len(), "four spaces have a coat of arms");
    while place < cells.len() {
        let cell = printed.item(place).table();
        cells[place] = (cell.value("x").count(), cell.value("y").count());
        place += 1;
    }
    cells
};
/// Rows with a coat of arms beside them (C-102).
pub const COAT_ROWS: [u8; 3] = counts(PRINTED.table("[board]").value("coat_rows"));

/// Facade cards of each colour by number of players (C-103).
pub(crate) const fn cards_per_color(seats: usize) -> u8 {
    CARDS[seats - 2].0
}

/// Is the end card in the deck at the start, or aside (C-903)?
pub(crate) const fn end_card_in_deck(seats: usize) -> bool {
    CARDS[seats - 2].1
}

/// Copies of each kind of facade tile by number of players and size (C-104).
pub(crate) const fn tile_copies(seats: usize, size: u8) -> u8 {
    COPIES[seats - 2][size as usize - 2]
}

const CARDS: [(u8, bool); 3] = [
    cards(PRINTED.table("[cards.by_players.2]")),
    cards(PRINTED.table("[cards.by_players.3]")),
    cards(PRINTED.table("[cards.by_players.4]")),
];

const fn cards(table: Table<'_>) -> (u8, bool) {
    (table.value("per_color").count(), table.value("end_card_at_start").is("deck"))
}

const COPIES: [[u8; 4]; 3] = [
    copies(PRINTED.table("[tile_copies.by_players.2]")),
    copies(PRINTED.table("[tile_copies.by_players.3]")),
    copies(PRINTED.table("[tile_copies.by_players.4]")),
];

const fn copies(table: Table<'_>) -> [u8; 4] {
    [
        table.value("size_2").count(),
        table.value("size_3").count(),
        table.value("size_4").count(),
        table.value("size_5").count(),
    ]
}

/// How many kinds of tiles there are: five colours in four sizes, and the special tile last.
pub(crate) const KINDS: usize = 21;

/// The id of each kind of tile, and its shape at orientation 0, upper row first: `W` window, `B` brick (C-104, C-105).
pub(crate) const TILES: [(&str, Value<'static>); KINDS] = {
    let special = PRINTED.table("[special_tile]");
    let mut tiles = [tile(special); KINDS];
    let (mut rest, mut place) = (PRINTED, 0);
    while let Some((printed, behind)) = rest.find("[[tiles]]") {
        let color = Color::ALL[place / 4];
        let size = 2 + place % 4;
        assert!(printed.value("color").is(color.name()), "tiles are sorted by colour");
        assert!(printed.value("size").count() as usize == size, "then by size");
        tiles[place] = tile(printed);
        (rest, place) = (behind, place + 1);
    }
    assert!(place == KINDS - 1, "there are twenty kinds of facade tiles");
    tiles
};

const fn tile(table: Table<'static>) -> (&'static str, Value<'static>) {
    (table.value("id").text().expect("a tile has an id"), table.value("shape"))
}

const fn counts<const N: usize>(printed: Value<'_>) -> [u8; N] {
    let (mut numbers, mut place) = ([0; N], 0);
    assert!(printed.len() == N, "the list has another length");
    while place < N {
        numbers[place] = printed.item(place).count();
        place += 1;
    }
    numbers
}
