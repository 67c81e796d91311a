//! What is printed on cards, tiles and boards, read from `data/copenhagen.toml` when the program is compiled: the text that the
//! catalogue serves is what plays.

use kernel::printed::{Printed, Table, Value};

use crate::pieces::{Ability, Color};

/// The printed data, as the catalogue serves them.
pub(crate) const DATA: &str = include_str!("../data/copenhagen.toml");

const FACTS: Facts = Facts::read(Printed::of(DATA));

/// How many seats a match may have (C-201).
pub(crate) const SEATS: std::ops::RangeInclusive<u8> = FACTS.seats[0]..=FACTS.seats[1];
/// Points that end the match (C-901).
pub const TARGET_POINTS: u8 = FACTS.target_points;
/// The most cards in a hand after taking (C-406).
pub(crate) const HAND_LIMIT: usize = FACTS.hand_limit as usize;
/// The end card lies among so many of the lowest facade cards (C-902).
pub(crate) const END_CARD_BOTTOM: usize = FACTS.end_card_bottom as usize;
/// Cards at the start by seat (C-205).
pub(crate) const START_HANDS: [u8; 4] = FACTS.start_hands;
/// The abilities that everybody owns at the start (C-206).
pub(crate) const START_ABILITIES: [bool; 5] = FACTS.start_abilities;
/// Copies of the special tile (C-105).
pub(crate) const SPECIAL_COPIES: u8 = FACTS.special_copies;

/// Points of a row, and of one with all windows (C-801).
pub(crate) const ROW: [u8; 2] = FACTS.row;
/// Points of a column, and of one with all windows (C-802).
pub(crate) const COLUMN: [u8; 2] = FACTS.column;

/// Coats of arms on a board and beside it (C-102).
pub(crate) const COATS: u8 = (COAT_CELLS.len() + COAT_ROWS.len()) as u8;

/// Columns of a board (C-101).
pub const WIDTH: u8 = FACTS.size[0];
/// Rows of a board (C-101).
pub const HEIGHT: u8 = FACTS.size[1];
/// Slots of the harbor.
pub(crate) const SLOTS: u8 = FACTS.slots;

/// Places `(x, y)` of the coats of arms on spaces (C-102).
pub const COAT_CELLS: [(u8, u8); 4] = FACTS.coat_cells;
/// Rows with a coat of arms beside them (C-102).
pub const COAT_ROWS: [u8; 3] = FACTS.coat_rows;

/// The kinds of tiles: five colours in four sizes, and the special tile last.
pub(crate) const TILES: [Kind; KINDS] = FACTS.tiles;

/// How many kinds of tiles there are.
pub(crate) const KINDS: usize = 21;

/// Facade cards of each colour by number of players (C-103).
pub(crate) const fn cards_per_color(seats: usize) -> u8 {
    FACTS.cards[seats - 2].0
}

/// Is the end card in the deck at the start, or aside (C-903)?
pub(crate) const fn end_card_in_deck(seats: usize) -> bool {
    FACTS.cards[seats - 2].1
}

/// Copies of each kind of facade tile by number of players and size (C-104).
pub(crate) const fn tile_copies(seats: usize, size: u8) -> u8 {
    FACTS.copies[seats - 2][size as usize - 2]
}

/// What is printed on a kind of tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kind {
    pub(crate) id: &'static str,
    /// The shape at orientation 0, upper row first: `W` window, `B` brick (C-104, C-105).
    pub(crate) shape: Value<'static>,
    /// The orientations that look different, each by its lowest number (C-106).
    pub(crate) orientations: Value<'static>,
}

/// What play reads from the printed data.
#[derive(Debug, PartialEq, Eq)]
struct Facts {
    seats: [u8; 2],
    target_points: u8,
    hand_limit: u8,
    slots: u8,
    end_card_bottom: u8,
    start_hands: [u8; 4],
    start_abilities: [bool; 5],
    special_copies: u8,
    row: [u8; 2],
    column: [u8; 2],
    size: [u8; 2],
    coat_cells: [(u8, u8); 4],
    coat_rows: [u8; 3],
    cards: [(u8, bool); 3],
    copies: [[u8; 4]; 3],
    tiles: [Kind; KINDS],
}

impl Facts {
    const fn read(printed: Printed<'static>) -> Facts {
        let (game, board) = (printed.table("[game]"), printed.table("[board]"));
        let (cards, scoring) = (printed.table("[cards]"), printed.table("[scoring]"));
        let (special, players) = (printed.table("[special_tile]"), game.value("players").table());
        check_words(printed.table("[enums]"));
        let abilities = printed.table("[ability_tiles]");
        assert!(abilities.value("copies_of_each_per_player").count() == 1, "one of each (C-107)");
        Facts {
            seats: [players.value("min").count(), players.value("max").count()],
            target_points: game.value("target_points").count(),
            hand_limit: game.value("hand_limit").count(),
            slots: game.value("harbor_slots").count(),
            end_card_bottom: cards.value("end_card_bottom").count(),
            start_hands: cards.value("start_hand_by_seat").counts(),
            start_abilities: owned(abilities.value("owned_at_start")),
            special_copies: special.value("copies").count(),
            row: [scoring.value("row").count(), scoring.value("row_all_windows").count()],
            column: [scoring.value("column").count(), scoring.value("column_all_windows").count()],
            size: [board.value("width").count(), board.value("height").count()],
            coat_cells: cells(board.value("coat_cells")),
            coat_rows: board.value("coat_rows").counts(),
            cards: [
                by_players(printed.table("[cards.by_players.2]")),
                by_players(printed.table("[cards.by_players.3]")),
                by_players(printed.table("[cards.by_players.4]")),
            ],
            copies: [
                copies(printed.table("[tile_copies.by_players.2]")),
                copies(printed.table("[tile_copies.by_players.3]")),
                copies(printed.table("[tile_copies.by_players.4]")),
            ],
            tiles: tiles(printed, kind(special)),
        }
    }
}

/// Do the enums have the printed words in the printed order (C-108)?
const fn check_words(enums: Table<'_>) {
    let (colors, abilities) = (enums.value("colors"), enums.value("abilities"));
    assert!(colors.len() == 5 && abilities.len() == 5, "five colours and five abilities");
    let mut place = 0;
    while place < 5 {
        assert!(colors.item(place).is(Color::ALL[place].name()), "a colour is of another name");
        assert!(abilities.item(place).is(Ability::ALL[place].name()), "so is an ability");
        place += 1;
    }
}

const fn owned(names: Value<'_>) -> [bool; 5] {
    let (mut owned, mut place, mut found) = ([false; 5], 0, 0);
    while place < owned.len() {
        let mut item = 0;
        while item < names.len() {
            owned[place] = owned[place] || names.item(item).is(Ability::ALL[place].name());
            item += 1;
        }
        found += owned[place] as usize;
        place += 1;
    }
    assert!(found == names.len(), "an ability at the start is unknown");
    owned
}

const fn cells(printed: Value<'_>) -> [(u8, u8); 4] {
    let (mut cells, mut place) = ([(0, 0); 4], 0);
    assert!(printed.len() == cells.len(), "four spaces have a coat of arms");
    while place < cells.len() {
        let cell = printed.item(place).table();
        cells[place] = (cell.value("x").count(), cell.value("y").count());
        place += 1;
    }
    cells
}

const fn by_players(table: Table<'_>) -> (u8, bool) {
    let end_card = table.value("end_card_at_start");
    assert!(end_card.is("deck") || end_card.is("aside"), "the end card lies elsewhere");
    (table.value("per_color").count(), end_card.is("deck"))
}

const fn copies(table: Table<'_>) -> [u8; 4] {
    [
        table.value("size_2").count(),
        table.value("size_3").count(),
        table.value("size_4").count(),
        table.value("size_5").count(),
    ]
}

const fn tiles(printed: Printed<'static>, special: Kind) -> [Kind; KINDS] {
    let mut tiles = [special; KINDS];
    let (mut rest, mut place) = (printed, 0);
    while let Some((printed, behind)) = rest.find("[[tiles]]") {
        let color = Color::ALL[place / 4];
        let size = 2 + place % 4;
        assert!(printed.value("color").is(color.name()), "tiles are sorted by colour");
        assert!(printed.value("size").count() as usize == size, "then by size");
        tiles[place] = kind(printed);
        (rest, place) = (behind, place + 1);
    }
    assert!(place == KINDS - 1, "there are twenty kinds of facade tiles");
    tiles
}

const fn kind(table: Table<'static>) -> Kind {
    Kind {
        id: table.value("id").text().expect("a tile has an id"),
        shape: table.value("shape"),
        orientations: table.value("canonical_orientations"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn play_reads_every_value_of_the_served_data_but_these() {
        let unread = testkit::unread(DATA, |text| Facts::read(Printed::of(text)));
        let reasons = [
            ("[board] sources", "is shown"),
            ("[cards.by_players.2] sources", "is shown"),
            ("[cards.by_players.3] sources", "is shown"),
            ("[cards.by_players.4] sources", "is shown"),
            ("[cards] sources", "is shown"),
            ("[ability_tiles] sources", "is shown"),
            ("[enums] sources", "is shown"),
            ("[game] id", "is the name of the game"),
            ("[game] sources", "is shown"),
            ("[sources] special_tile", "is shown"),
            ("[sources] tile_copies", "is shown"),
            ("[sources] tiles", "is shown"),
            ("source", "is shown"),
        ];
        assert_eq!(unread, reasons.map(|(key, _)| key.to_owned()).into());
    }
}
