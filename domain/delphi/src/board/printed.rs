//! The 12 map tiles and 6 city tiles, and the places in which the predefined maps lay them (`delphi_map.toml`).

use crate::board::MapName;
use crate::board::tile::{Cell, Ground, Placement};
use crate::pieces::Color::{self, Black, Blue, Green, Pink, Red, Yellow};

const fn cell(q: i32, r: i32, ground: Ground) -> Cell {
    Cell { q, r, ground }
}

const fn water(q: i32, r: i32, color: Color) -> Cell {
    cell(q, r, Ground::Water(color))
}

const fn placement(tile: usize, q: i32, r: i32, rot: u8) -> Placement {
    Placement { tile, q, r, rot }
}

/// How many of the tiles, the first ones, are map tiles; the others are city tiles.
pub(crate) const MAP_TILES: usize = 12;

/// All tiles: the one with Zeus, eleven more map tiles, six city tiles.
pub(crate) const TILES: [&[Cell]; 18] = [
    // zeus
    &[
        water(0, -1, Yellow),
        water(1, -1, Black),
        water(-1, 0, Red),
        cell(0, 0, Ground::Zeus),
        water(1, 0, Green),
        water(-1, 1, Blue),
        water(0, 1, Pink),
    ],
    // ring_1
    &[
        water(0, -1, Pink),
        water(1, -1, Red),
        cell(-1, 0, Ground::Island(Green)),
        cell(0, 0, Ground::Shallow),
        water(1, 0, Blue),
        cell(-1, 1, Ground::Monster { marked: false }),
        water(0, 1, Yellow),
    ],
    // ring_2
    &[
        water(0, -1, Black),
        water(1, -1, Green),
        cell(-1, 0, Ground::Island(Green)),
        cell(0, 0, Ground::Shallow),
        water(1, 0, Yellow),
        cell(-1, 1, Ground::Offering),
        water(0, 1, Red),
    ],
    // bay_1
    &[
        water(1, -2, Blue),
        cell(0, -1, Ground::Island(Black)),
        water(1, -1, Black),
        cell(-1, 0, Ground::Monster { marked: true }),
        water(0, 0, Green),
        water(-1, 1, Yellow),
        cell(0, 1, Ground::Temple),
    ],
    // bay_2
    &[
        water(1, -2, Black),
        cell(0, -1, Ground::Temple),
        water(1, -1, Blue),
        cell(-1, 0, Ground::Island(Blue)),
        water(0, 0, Yellow),
        cell(-1, 1, Ground::Monster { marked: false }),
        water(0, 1, Red),
    ],
    // bay_3
    &[
        cell(1, -2, Ground::Monster { marked: true }),
        water(0, -1, Blue),
        cell(1, -1, Ground::Temple),
        cell(-1, 0, Ground::Island(Blue)),
        water(0, 0, Yellow),
        cell(-1, 1, Ground::Statue([Red, Pink, Blue])),
        water(0, 1, Black),
    ],
    // gulf_1
    &[
        cell(-1, -1, Ground::Offering),
        water(0, -1, Yellow),
        cell(1, -1, Ground::Statue([Red, Yellow, Green])),
        water(-1, 0, Blue),
        cell(0, 0, Ground::Island(Yellow)),
        water(1, 0, Green),
        water(-2, 1, Pink),
        water(-1, 1, Red),
        water(0, 1, Pink),
    ],
    // gulf_2
    &[
        water(-1, -1, Pink),
        cell(0, -1, Ground::Island(Black)),
        cell(1, -1, Ground::Monster { marked: true }),
        water(-1, 0, Yellow),
        water(0, 0, Pink),
        water(1, 0, Red),
        cell(-2, 1, Ground::Statue([Black, Blue, Yellow])),
        water(-1, 1, Green),
        cell(0, 1, Ground::Offering),
    ],
    // gulf_3
    &[
        cell(-1, -1, Ground::Statue([Pink, Yellow, Green])),
        water(0, -1, Pink),
        cell(1, -1, Ground::Island(Red)),
        water(-1, 0, Black),
        water(0, 0, Green),
        cell(1, 0, Ground::Offering),
        cell(-2, 1, Ground::Temple),
        water(-1, 1, Blue),
        cell(0, 1, Ground::Monster { marked: false }),
    ],
    // strait_1
    &[
        water(0, -1, Blue),
        water(1, -1, Black),
        cell(-1, 0, Ground::Island(Red)),
        water(0, 0, Yellow),
        water(1, 0, Red),
        water(-1, 1, Black),
        cell(0, 1, Ground::Monster { marked: false }),
        water(-2, 2, Red),
        water(-1, 2, Blue),
        cell(-2, 3, Ground::Temple),
        cell(-1, 3, Ground::Island(Pink)),
    ],
    // strait_2
    &[
        water(0, -1, Black),
        water(1, -1, Green),
        cell(-1, 0, Ground::Offering),
        water(0, 0, Pink),
        cell(1, 0, Ground::Island(Yellow)),
        water(-1, 1, Red),
        cell(0, 1, Ground::Monster { marked: false }),
        water(-2, 2, Black),
        water(-1, 2, Blue),
        water(-2, 3, Green),
        cell(-1, 3, Ground::Statue([Black, Blue, Green])),
    ],
    // strait_3
    &[
        water(0, -1, Pink),
        cell(1, -1, Ground::Offering),
        cell(-1, 0, Ground::Statue([Red, Black, Pink])),
        water(0, 0, Red),
        water(1, 0, Green),
        water(-1, 1, Yellow),
        cell(0, 1, Ground::Temple),
        cell(-2, 2, Ground::Island(Pink)),
        water(-1, 2, Green),
        water(-2, 3, Pink),
        cell(-1, 3, Ground::Monster { marked: false }),
    ],
    // city_red
    &[cell(1, -1, Ground::City(Red)), water(0, 0, Black), water(1, 0, Pink)],
    // city_black
    &[cell(1, -1, Ground::City(Black)), water(0, 0, Yellow), water(1, 0, Pink)],
    // city_pink
    &[cell(1, -1, Ground::City(Pink)), water(0, 0, Red), water(1, 0, Blue)],
    // city_blue
    &[cell(1, -1, Ground::City(Blue)), water(0, 0, Yellow), water(1, 0, Green)],
    // city_yellow
    &[cell(1, -1, Ground::City(Yellow)), water(0, 0, Red), water(1, 0, Green)],
    // city_green
    &[cell(1, -1, Ground::City(Green)), water(0, 0, Black), water(1, 0, Blue)],
];

/// The places of the tiles in a predefined map; `None` for random maps.
pub(crate) const fn placements(name: MapName) -> Option<&'static [Placement]> {
    match name {
        MapName::FirstJourney => Some(&FIRST_JOURNEY),
        MapName::Cyclades => Some(&CYCLADES),
        MapName::Sporades => Some(&SPORADES),
        MapName::Random => None,
    }
}

const FIRST_JOURNEY: [Placement; 18] = [
    placement(0, 0, 0, 5),
    placement(2, 1, 2, 4),
    placement(1, 3, -1, 3),
    placement(10, 4, 1, 0),
    placement(11, -2, 3, 2),
    placement(9, 2, -3, 4),
    placement(6, -1, 5, 3),
    placement(7, 6, -2, 1),
    placement(8, -1, -2, 5),
    placement(5, -5, 4, 2),
    placement(4, 4, -6, 4),
    placement(3, 7, -6, 3),
    placement(16, -4, 1, 4),
    placement(12, 7, -1, 2),
    placement(13, 0, -4, 0),
    placement(17, 2, 5, 2),
    placement(14, -3, 6, 3),
    placement(15, 6, -8, 0),
];

const CYCLADES: [Placement; 18] = [
    placement(0, 0, 0, 0),
    placement(1, 3, -3, 3),
    placement(6, 5, -2, 5),
    placement(10, 2, -5, 4),
    placement(2, 2, 1, 3),
    placement(8, 7, -6, 5),
    placement(9, 4, -8, 2),
    placement(7, 7, -9, 3),
    placement(11, -1, -6, 4),
    placement(3, 10, -10, 3),
    placement(4, 8, -12, 2),
    placement(5, 5, -11, 2),
    placement(14, 10, -8, 2),
    placement(16, 4, 1, 2),
    placement(12, -2, 1, 4),
    placement(13, -2, -7, 5),
    placement(15, 3, -11, 5),
    placement(17, 10, -12, 0),
];

const SPORADES: [Placement; 18] = [
    placement(0, 0, 0, 0),
    placement(8, 3, -4, 5),
    placement(4, -1, -2, 3),
    placement(11, -3, 2, 1),
    placement(10, 3, -1, 0),
    placement(6, -5, 5, 3),
    placement(3, -8, 5, 2),
    placement(7, -1, 4, 2),
    placement(9, 4, 1, 3),
    placement(2, 1, 5, 5),
    placement(1, -7, 8, 5),
    placement(5, 7, -1, 3),
    placement(12, 5, 2, 2),
    placement(13, -1, 6, 3),
    placement(16, -9, 9, 4),
    placement(14, -8, 3, 0),
    placement(15, -2, -3, 5),
    placement(17, 4, -3, 0),
];
