//! What is printed on tiles, cards and boards, read from `data/delphi.toml` and `data/delphi_map.toml` when the program is compiled: the
//! text that the catalogue serves is what plays.

use kernel::printed::{Printed, Table, Value};

use crate::board::MapName;
use crate::board::tile::{Cell, Ground, Placement, Tile};
use crate::pieces::{Color, Face, God, Letter, PlayerColor};

/// The printed data, as the catalogue serves them.
pub(crate) const DATA: &str =
    concat!(include_str!("../data/delphi.toml"), include_str!("../data/delphi_map.toml"));

const BOX: Printed<'static> = Printed::of(include_str!("../data/delphi.toml"));
const MAPS: Printed<'static> = Printed::of(include_str!("../data/delphi_map.toml"));

/// A number of one of the tables.
pub(crate) const fn count(table: &str, key: &str) -> u8 {
    BOX.table(table).value(key).count()
}

/// A number of a list in one of the tables.
pub(crate) const fn counts<const N: usize>(table: &str, key: &str) -> [u8; N] {
    let printed = BOX.table(table).value(key);
    let (mut numbers, mut place) = ([0; N], 0);
    assert!(printed.len() == N, "the list has another length");
    while place < N {
        numbers[place] = printed.item(place).count();
        place += 1;
    }
    numbers
}

/// A number of an equipment card.
pub(crate) const fn on_card(id: &str, key: &str) -> u8 {
    one("[[equipment]]", id).value(key).count()
}

/// The colour of an equipment card.
pub(crate) const fn card_color(id: &str) -> Color {
    color(one("[[equipment]]", id).value("color"))
}

/// The three colours of an equipment card.
pub(crate) const fn card_colors(id: &str) -> [Color; 3] {
    three(one("[[equipment]]", id).value("colors"))
}

/// The faces of an oracle die.
pub(crate) const ORACLE_DIE: [Color; 6] = {
    let printed = BOX.table("[oracle_die]").value("faces");
    let (mut faces, mut place) = ([Color::Red; 6], 0);
    assert!(printed.len() == faces.len(), "a die has six faces");
    while place < faces.len() {
        faces[place] = color(printed.item(place));
        place += 1;
    }
    faces
};

/// How many white tiles of a kind of task each seat has.
pub(crate) const fn white_tiles(kind: &str) -> u8 {
    let printed = BOX.table("[zeus_tiles]").value(kind);
    let mut count = 0;
    while count < printed.len() {
        assert!(printed.item(count).is("white"), "tiles of one side and of a colour are none");
        count += 1;
    }
    count as u8
}

/// The value of `fewer_tasks` from which on the short game is without one task of this kind.
pub(crate) const fn removed_from(kind: &str) -> u8 {
    let order = BOX.table("[short_game]").value("order");
    let mut place = 0;
    while !order.item(place).is(kind) {
        place += 1;
    }
    place as u8 + 1
}

/// Do the gods stand in the order of their colours, as [`Color::god`] and [`God::color`] have them?
const _: () = {
    let (mut rest, mut place) = (BOX, 0);
    while let Some((god, behind)) = rest.find("[[god]]") {
        assert!(color(god.value("color")) as usize == place, "a god is of another colour");
        (rest, place) = (behind, place + 1);
    }
    assert!(place == God::ALL.len(), "there are six gods");
};

/// The gods of `god_to_top`.
pub(crate) const TO_TOP: [God; 4] = {
    let printed = one("[[equipment]]", "god_to_top").value("gods");
    let (mut gods, mut place) = ([God::Ares; 4], 0);
    assert!(printed.len() == gods.len(), "the card has four gods");
    while place < gods.len() {
        let name = printed.item(place).text().expect("a god is a string");
        gods[place] = color(one("[[god]]", name).value("color")).god();
        place += 1;
    }
    gods
};

/// Places of storage on each ship tile.
pub(crate) const STORAGE: [usize; 8] = {
    let (mut storage, mut rest, mut place) = ([0; 8], BOX, 0);
    while let Some((ship, behind)) = rest.find("[[ship]]") {
        storage[place] = ship.value("storage").count() as usize;
        (rest, place) = (behind, place + 1);
    }
    assert!(place == storage.len(), "there are eight ship tiles");
    storage
};

/// The row to which a god rises from the lowest one, by number of seats from two on.
pub(crate) const FIRST_ROWS: [u8; 3] = {
    let rows = BOX.table("[god_track]").value("first_row").table();
    [rows.value("2").count(), rows.value("3").count(), rows.value("4").count()]
};

/// The two-sided Zeus tiles: offering, monster.
pub(crate) const TWO_SIDED: [(Color, Color); 4] = {
    let mut tiles = [(Color::Red, Color::Red); 4];
    let (mut rest, mut place) = (BOX, 0);
    while let Some((tile, behind)) = rest.find("[[two_sided_tile]]") {
        tiles[place] = (color(tile.value("offering")), color(tile.value("monster")));
        (rest, place) = (behind, place + 1);
    }
    assert!(place == tiles.len(), "there are four two-sided tiles");
    tiles
};

/// The island tiles.
pub(crate) const ISLAND_TILES: [Face; 12] = {
    let mut tiles = [Face { color: PlayerColor::Red, letter: Letter::Sigma }; 12];
    let (players, letters) = (BOX.table("[colors]").value("players"), BOX.table("[letters]"));
    let (mut rest, mut place) = (BOX, 0);
    while let Some((tile, behind)) = rest.find("[[island_tile]]") {
        tiles[place] = Face {
            color: PlayerColor::ALL[tile.value("color").place_in(players)],
            letter: Letter::ALL[tile.value("letter").place_in(letters.value("order"))],
        };
        (rest, place) = (behind, place + 1);
    }
    assert!(place == tiles.len(), "there are twelve island tiles");
    tiles
};

/// How many seeds of random maps there are.
pub(crate) const SEEDS: u16 = match MAPS.table("[generator]").value("seeds").number() {
    Some(seeds @ 1..=0xffff) => seeds as u16,
    Some(_) | None => panic!("the number of seeds is no number"),
};

/// All tiles of the map: the one with Zeus, eleven more map tiles, six city tiles.
pub(crate) static TILES: [Tile; 18] = {
    let mut tiles =
        [Tile { cells: [Cell { q: 0, r: 0, ground: Ground::Shallow }; 11], len: 0 }; 18];
    let (mut rest, mut place) = (MAPS, 0);
    while let Some((printed, behind)) = rest.find("[[tile]]") {
        let cells = printed.value("cells");
        let tile = &mut tiles[place];
        while let Some(printed) = cells.get(tile.len) {
            tile.cells[tile.len] = cell(printed.table());
            tile.len += 1;
        }
        assert!(printed.value("city").is_true() == (place >= MAP_TILES), "map tiles come first");
        (rest, place) = (behind, place + 1);
    }
    assert!(place == tiles.len(), "there are 18 tiles");
    tiles
};

/// How many of the tiles, the first ones, are map tiles; the others are city tiles.
pub(crate) const MAP_TILES: usize = 12;

/// The places of the tiles in a predefined map; `None` for random maps.
pub(crate) fn placements(name: MapName) -> Option<&'static [Placement]> {
    static MAPS: [[Placement; 18]; 3] = [map("first_journey"), map("cyclades"), map("sporades")];
    match name {
        MapName::FirstJourney => Some(&MAPS[0]),
        MapName::Cyclades => Some(&MAPS[1]),
        MapName::Sporades => Some(&MAPS[2]),
        MapName::Random => None,
    }
}

const fn map(name: &str) -> [Placement; 18] {
    let mut rest = MAPS;
    while let Some((map, behind)) = rest.find("[[map]]") {
        if map.value("name").is(name) {
            let printed = map.value("placements");
            let (mut laid, mut place) = ([Placement { tile: 0, q: 0, r: 0, rot: 0 }; 18], 0);
            while place < laid.len() {
                laid[place] = placement(printed.item(place).table());
                place += 1;
            }
            return laid;
        }
        rest = behind;
    }
    panic!("the data have no such map")
}

const fn placement(printed: Table<'_>) -> Placement {
    let name = printed.value("tile");
    let (mut rest, mut tile) = (MAPS, 0);
    while let Some((known, behind)) = rest.find("[[tile]]") {
        if name.is(known.value("name").text().expect("a tile has a name")) {
            let (q, r) = hex(printed);
            return Placement { tile, q, r, rot: printed.value("rot").count() };
        }
        (rest, tile) = (behind, tile + 1);
    }
    panic!("a map has an unknown tile")
}

const fn cell(printed: Table<'_>) -> Cell {
    let (q, r) = hex(printed);
    let kind = printed.value("kind");
    let ground = if kind.is("water") {
        Ground::Water(color(printed.value("color")))
    } else if kind.is("shallow") {
        Ground::Shallow
    } else if kind.is("zeus") {
        Ground::Zeus
    } else if kind.is("offering") {
        Ground::Offering
    } else if kind.is("temple") {
        Ground::Temple
    } else if kind.is("monster") {
        Ground::Monster { marked: printed.value("marked").is_true() }
    } else if kind.is("statue") {
        Ground::Statue(three(printed.value("sites")))
    } else if kind.is("island") {
        Ground::Island(color(printed.value("color")))
    } else if kind.is("city") {
        Ground::City(color(printed.value("color")))
    } else {
        panic!("a cell is of no known kind")
    };
    Cell { q, r, ground }
}

const fn hex(printed: Table<'_>) -> (i32, i32) {
    let q = printed.value("q").number().expect("a coordinate is a number");
    (q, printed.value("r").number().expect("a coordinate is a number"))
}

const fn three(printed: Value<'_>) -> [Color; 3] {
    assert!(printed.len() == 3, "three colours are printed");
    [color(printed.item(0)), color(printed.item(1)), color(printed.item(2))]
}

const fn color(printed: Value<'_>) -> Color {
    Color::ALL[printed.place_in(BOX.table("[colors]").value("wheel"))]
}

/// The table with this header and `id`.
const fn one(header: &str, id: &str) -> Table<'static> {
    let mut rest = BOX;
    while let Some((table, behind)) = rest.find(header) {
        if table.value("id").is(id) {
            return table;
        }
        rest = behind;
    }
    panic!("the data have no piece of this id")
}
