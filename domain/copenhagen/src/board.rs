//! A player's board: sets of spaces as bits, and what lies on them (C-101).
//!
//! Space (x, y) is bit `5 * y + x`; so one row up is a shift right by 5.

use kernel::Open;
use std::fmt;

use kernel::json::Below;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::pieces::{Shape, Tile};
use crate::printed::{HEIGHT, WIDTH};
use crate::{printed, scoring};

/// The number of spaces of a board.
pub(crate) const SPACES: u8 = WIDTH * HEIGHT;
const _: () = assert!(WIDTH == 5 && HEIGHT == 9, "the bits of a space are laid out for this board");
/// All spaces.
const ALL: u64 = (1 << SPACES) - 1;
/// The ground floor.
const GROUND: u64 = row(8);
/// The spaces with a coat of arms (C-102).
pub(crate) const COAT_SPACES: u64 = {
    let mut spaces = 0;
    let mut index = 0;
    while index < printed::COAT_CELLS.len() {
        let (x, y) = printed::COAT_CELLS[index];
        spaces |= 1 << (5 * y + x);
        index += 1;
    }
    spaces
};

/// A column, 0 to 4, from the left.
pub type Column = Below<WIDTH>;
/// A row, 0 to 8, from the top.
pub type Row = Below<HEIGHT>;
/// An orientation, 0 to 7: `r + 4 * m`, quarter turns and mirror (C-106).
pub type Orientation = Below<8>;

/// The spaces of a row.
pub(crate) const fn row(y: u8) -> u64 {
    0b11111 << (5 * y)
}

/// The spaces of a column.
pub(crate) const fn column(x: u8) -> u64 {
    let mut spaces = 0;
    let mut y = 0;
    while y < 9 {
        spaces |= 1 << (5 * y + x);
        y += 1;
    }
    spaces
}

/// The bit of a space.
pub(crate) fn space(x: Column, y: Row) -> u64 {
    1 << (5 * y.get() + x.get())
}

/// The spaces of a set, by y, then x.
pub(crate) fn spaces(set: u64) -> impl Iterator<Item = (Column, Row)> {
    let mut left = set;
    std::iter::from_fn(move || {
        let first = left.trailing_zeros() as u8;
        left &= left.wrapping_sub(1);
        Some((Column::new(first % 5)?, Row::new(first / 5)?))
    })
}

/// A tile on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PlacedTile {
    /// The kind.
    pub tile: Tile,
    /// Quarter turns clockwise plus 4 if mirrored before (C-106).
    #[schema(value_type = u8, minimum = 0, maximum = 7)]
    pub orientation: Orientation,
    /// Column of the upper left corner of the bounding box.
    #[schema(value_type = u8, minimum = 0, maximum = 4)]
    pub x: Column,
    /// Row of the upper left corner of the bounding box.
    #[schema(value_type = u8, minimum = 0, maximum = 8)]
    pub y: Row,
}

impl PlacedTile {
    /// A special tile on a space.
    #[must_use]
    pub const fn special(x: Column, y: Row) -> Self {
        PlacedTile { tile: Tile::SPECIAL, orientation: Orientation::ZERO, x, y }
    }

    /// The squares that the tile covers, or `None` if some lie outside the board (C-504).
    #[must_use]
    pub fn cells(self) -> Option<Cells> {
        Shape::of(self.tile, self.orientation).at(self.x, self.y)
    }
}

/// What a square shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Fill {
    /// A window.
    Window,
    /// A brick wall.
    Brick,
}

/// A square of a tile on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    /// Column, from the left.
    #[schema(value_type = u8, minimum = 0, maximum = 4)]
    pub x: Column,
    /// Row, from the top.
    #[schema(value_type = u8, minimum = 0, maximum = 8)]
    pub y: Row,
    /// Window or brick.
    pub fill: Fill,
}

/// The squares of a placed tile. JSON: the array of [`Cell`], by y, then x.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Open)]
#[open(squares, bricks)]
pub struct Cells {
    pub(crate) squares: u64,
    pub(crate) bricks: u64,
}

impl Cells {
    /// The squares, by y, then x.
    #[must_use]
    pub fn list(&self) -> Vec<Cell> {
        let fill = |x, y| {
            if self.bricks & space(x, y) == 0 { Fill::Window } else { Fill::Brick }
        };
        spaces(self.squares).map(|(x, y)| Cell { x, y, fill: fill(x, y) }).collect()
    }

    fn collect(list: &[Cell]) -> Self {
        let of = |cells: &mut dyn Iterator<Item = &Cell>| {
            cells.fold(0, |set, cell| set | space(cell.x, cell.y))
        };
        let bricks = of(&mut list.iter().filter(|cell| cell.fill == Fill::Brick));
        Cells { squares: of(&mut list.iter()), bricks }
    }
}

impl Serialize for Cells {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.list())
    }
}

impl<'de> Deserialize<'de> for Cells {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        kernel::json::listed(deserializer, Cells::collect, Cells::list)
    }
}

/// The most tiles that fit on a board: 12 special tiles, 15 of size 2, and one of size 3.
const MOST_TILES: usize = 28;

/// A board: the tiles in order of placing, and what they cover.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Board {
    covered: u64,
    bricks: u64,
    by_color: [u64; 5],
    tiles: [PlacedTile; MOST_TILES],
    count: u8,
}

impl Board {
    /// A board without tiles.
    pub const EMPTY: Board = Board {
        covered: 0,
        bricks: 0,
        by_color: [0; 5],
        tiles: [PlacedTile::special(Column::ZERO, Row::ZERO); MOST_TILES],
        count: 0,
    };

    /// The tiles, in order of placing.
    #[must_use]
    pub fn tiles(&self) -> &[PlacedTile] {
        &self.tiles[..usize::from(self.count)]
    }

    /// How many spaces are empty (C-905).
    #[must_use]
    pub fn empty_spaces(&self) -> u8 {
        u8::try_from((ALL & !self.covered).count_ones()).expect("a board has 45 spaces")
    }

    /// What all complete lines of the board are worth (C-801, C-802).
    #[must_use]
    pub fn score(&self) -> u8 {
        scoring::completed(0, self).points()
    }

    /// The covered spaces.
    pub(crate) const fn covered(&self) -> u64 {
        self.covered
    }

    /// The spaces that show bricks.
    pub(crate) const fn bricks(&self) -> u64 {
        self.bricks
    }

    /// The empty spaces that support a tile: on the ground floor, or directly above a covered space (C-506).
    pub(crate) const fn supporting(&self) -> u64 {
        (GROUND | self.covered >> 5) & !self.covered
    }

    /// The spaces that share an edge with a tile of the colour (C-507).
    pub(crate) const fn beside(&self, color: crate::pieces::Color) -> u64 {
        let tiles = self.by_color[color as usize];
        let sideways = (tiles & !column(4)) << 1 | (tiles & !column(0)) >> 1;
        (sideways | tiles << 5 | tiles >> 5) & ALL
    }

    /// Puts a tile on the board.
    ///
    /// # Panics
    /// If more tiles lie on the board than can fit.
    pub(crate) fn place(&mut self, placed: PlacedTile, cells: Cells) {
        self.covered |= cells.squares;
        self.bricks |= cells.bricks;
        if let Some(color) = placed.tile.color() {
            self.by_color[color as usize] |= cells.squares;
        }
        self.tiles[usize::from(self.count)] = placed;
        self.count += 1;
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.tiles()).finish()
    }
}
