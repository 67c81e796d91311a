//! The map: its tiles, the predefined maps, and how many random ones there are.

use kernel::printed::{Printed, Table, Value};

use crate::board::tile::{Cell, Ground, Placement, Tile};
use crate::board::{HexKind, MapName};
use crate::pieces::Color;

const FACTS: Facts = Facts::read(Printed::of(include_str!("../../data/delphi_map.toml")));

/// How many seeds of random maps there are.
pub(crate) const SEEDS: u16 = FACTS.seeds;

/// All tiles of the map: the one with Zeus, eleven more map tiles, six city tiles.
pub(crate) static TILES: [Tile; 18] = FACTS.tiles;

/// How many of the tiles, the first ones, are map tiles; the others are city tiles.
pub(crate) const MAP_TILES: usize = 12;

/// How many building sites all tiles have: three on each statue island.
pub(crate) const SITES: usize = 3 * spaces(HexKind::Statue);

/// How many spaces of this kind all tiles have.
pub(crate) const fn spaces(kind: HexKind) -> usize {
    let (mut spaces, mut tile) = (0, 0);
    while tile < TILES.len() {
        let (cells, mut cell) = (TILES[tile].cells(), 0);
        while cell < cells.len() {
            spaces += (cells[cell].ground.shown().0 as usize == kind as usize) as usize;
            cell += 1;
        }
        tile += 1;
    }
    spaces
}

/// The places of the tiles in a predefined map; `None` for random maps.
pub(crate) fn placements(name: MapName) -> Option<&'static [Placement]> {
    static MAPS: [[Placement; 18]; 3] = FACTS.maps;
    match name {
        MapName::FirstJourney => Some(&MAPS[0]),
        MapName::Cyclades => Some(&MAPS[1]),
        MapName::Sporades => Some(&MAPS[2]),
        MapName::Random => None,
    }
}

/// What play reads from the printed data of the map.
#[derive(Debug, PartialEq, Eq)]
struct Facts {
    seeds: u16,
    tiles: [Tile; 18],
    maps: [[Placement; 18]; 3],
}

impl Facts {
    const fn read(printed: Printed<'static>) -> Facts {
        Facts {
            seeds: match printed.table("[generator]").value("seeds").number() {
                Some(seeds @ 1..=0xffff) => seeds as u16,
                Some(_) | None => panic!("the number of seeds is no number"),
            },
            tiles: tiles(printed),
            maps: [
                map(printed, "first_journey"),
                map(printed, "cyclades"),
                map(printed, "sporades"),
            ],
        }
    }
}

const fn tiles(data: Printed<'static>) -> [Tile; 18] {
    let mut tiles =
        [Tile { cells: [Cell { q: 0, r: 0, ground: Ground::Shallow }; 11], len: 0 }; 18];
    let (mut rest, mut place) = (data, 0);
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
}

const fn map(data: Printed<'static>, name: &str) -> [Placement; 18] {
    let mut rest = data;
    while let Some((map, behind)) = rest.find("[[map]]") {
        if map.value("name").is(name) {
            let (names, printed) = (names(data), map.value("placements"));
            let (mut laid, mut place) = ([Placement { tile: 0, q: 0, r: 0, rot: 0 }; 18], 0);
            while place < laid.len() {
                laid[place] = placement(&names, printed.item(place).table());
                place += 1;
            }
            return laid;
        }
        rest = behind;
    }
    panic!("the data have no such map")
}

const fn placement(names: &[Value<'_>; 18], printed: Table<'_>) -> Placement {
    let (name, mut tile) = (printed.value("tile").text().expect("a tile has a name"), 0);
    while !names[tile].is(name) {
        tile += 1;
    }
    let (q, r) = hex(printed);
    Placement { tile, q, r, rot: printed.value("rot").count() }
}

/// The names of the tiles, in order.
const fn names(data: Printed<'static>) -> [Value<'static>; 18] {
    let mut names = [data.table("[[tile]]").value("name"); 18];
    let (mut rest, mut place) = (data, 0);
    while let Some((tile, behind)) = rest.find("[[tile]]") {
        names[place] = tile.value("name");
        (rest, place) = (behind, place + 1);
    }
    names
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

const fn color(word: Value<'_>) -> Color {
    super::color(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn play_reads_every_value_of_the_served_map_but_these() {
        let data = include_str!("../../data/delphi_map.toml");
        let unread = testkit::unread(data, |text| Facts::read(Printed::of(text)));
        let reasons = [
            ("[[generator.vector]] attempts", "are examples for the test of random maps"),
            ("[[generator.vector]] placements", "likewise"),
            ("[[generator.vector]] seed", "likewise"),
        ];
        assert_eq!(Vec::from_iter(unread), reasons.map(|(key, _)| key));
    }
}
