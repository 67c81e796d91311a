//! The shapes of the tiles in all orientations (C-106), computed at compile time.

use kernel::printed::Value;

use crate::board::{Cells, Column, Orientation, Row};
use crate::pieces::Tile;
use crate::printed::{self, HEIGHT, Kind, WIDTH};

/// A tile's shape in one orientation, shifted so that its least x and least y are 0.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    /// The squares, if the bounding box lies at (0, 0).
    squares: u64,
    /// Those of them that are bricks.
    bricks: u64,
    /// By how many bits each square lies behind the corner of the bounding box; the last one repeated.
    steps: [u8; 5],
    /// Where the corner may lie so that the whole shape lies inside the board (C-504).
    corners: u64,
    /// Does no lower orientation look the same?
    canonical: bool,
}

/// By tile, then orientation.
static SHAPES: [[Shape; 8]; 21] = shapes();

impl Shape {
    /// The shape of a tile in an orientation.
    pub(crate) fn of(tile: Tile, orientation: Orientation) -> &'static Shape {
        &SHAPES[tile.index()][orientation.index()]
    }

    /// Is this the lowest of the orientations that look the same?
    pub(crate) const fn is_canonical(&self) -> bool {
        self.canonical
    }

    /// The squares with the bounding box at this corner, or `None` if some lie outside the board.
    pub(crate) fn at(&self, x: Column, y: Row) -> Option<Cells> {
        let step = WIDTH * y.get() + x.get();
        let inside = self.corners & 1 << step != 0;
        inside.then(|| Cells { squares: self.squares << step, bricks: self.bricks << step })
    }

    /// The corners for which all squares lie inside the board and in `free`.
    pub(crate) fn corners_in(&self, free: u64) -> u64 {
        self.steps.iter().fold(self.corners, |corners, step| corners & free >> step)
    }

    /// The corners for which at least one square lies in `set`, as far as the shape lies inside the board.
    pub(crate) fn corners_touching(&self, set: u64) -> u64 {
        self.steps.iter().fold(0, |corners, step| corners | set >> step) & self.corners
    }
}

const fn shapes() -> [[Shape; 8]; 21] {
    let none = Shape { squares: 0, bricks: 0, steps: [0; 5], corners: 0, canonical: false };
    let mut shapes = [[none; 8]; 21];
    let mut tile = 0;
    while tile < 21 {
        let Kind { shape: pattern, orientations, .. } = printed::TILES[tile];
        let mut distinct = 0;
        let mut orientation = 0;
        while orientation < 8 {
            let mut shape = turned(pattern, orientation);
            shape.canonical = true;
            let mut lower = 0;
            while lower < orientation {
                let same = shapes[tile][lower].squares == shape.squares
                    && shapes[tile][lower].bricks == shape.bricks;
                shape.canonical = shape.canonical && !same;
                lower += 1;
            }
            if shape.canonical {
                let printed = orientations.item(distinct).count() as usize;
                assert!(printed == orientation, "a tile has other orientations");
                distinct += 1;
            }
            shapes[tile][orientation] = shape;
            orientation += 1;
        }
        assert!(distinct == orientations.len(), "a tile has fewer orientations");
        tile += 1;
    }
    shapes
}

/// The pattern mirrored if `orientation` is 4 or more, then turned `orientation % 4` quarter turns clockwise.
const fn turned(pattern: Value<'_>, orientation: usize) -> Shape {
    let (width, height) = (line(pattern, 0).len(), pattern.len());
    let (wide, high) =
        if orientation.is_multiple_of(2) { (width, height) } else { (height, width) };
    let (mut squares, mut bricks) = (0u64, 0u64);
    let (mut steps, mut count) = ([0; 5], 0);
    let mut at = 0;
    while at < wide * high {
        // Where does the square (x, y) of the turned shape come from? A turn takes (x, y) to (-y, x): so from (y, -x).
        let (x, y) = (at % wide, at / wide);
        let (from_x, from_y) = match orientation % 4 {
            0 => (x, y),
            1 => (y, height - 1 - x),
            2 => (width - 1 - x, height - 1 - y),
            _ => (width - 1 - y, x),
        };
        let from_x = if orientation < 4 { from_x } else { width - 1 - from_x };
        let fill = line(pattern, from_y)[from_x];
        if fill != b'.' {
            let step = WIDTH as usize * y + x;
            squares |= 1 << step;
            bricks |= if fill == b'B' { 1 << step } else { 0 };
            // Steps beyond the last square repeat it: that changes no set of corners.
            let mut rest = count;
            while rest < 5 {
                steps[rest] = step as u8;
                rest += 1;
            }
            count += 1;
        }
        at += 1;
    }
    Shape { squares, bricks, steps, corners: corners(wide, high), canonical: false }
}

/// A row of squares.
const fn line(pattern: Value<'_>, y: usize) -> &[u8] {
    pattern.item(y).text().expect("a row of a pattern is a string").as_bytes()
}

const fn corners(wide: usize, high: usize) -> u64 {
    let mut corners = 0;
    let mut y = 0;
    while y + high <= HEIGHT as usize {
        let mut x = 0;
        while x + wide <= WIDTH as usize {
            corners |= 1 << (WIDTH as usize * y + x);
            x += 1;
        }
        y += 1;
    }
    corners
}
