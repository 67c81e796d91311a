//! Cells of the grid, and the ways from one to the next.

use kernel::Open;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A cell of the grid: x grows to the right, y grows downwards. The start tile lies at (0, 0).
///
/// Coordinates are 32-bit integers; there is no cell beyond. Cells are ordered by `y`, then `x`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(deny_unknown_fields)]
#[open(x, y)]
pub struct Cell {
    /// The column.
    pub x: i32,
    /// The row.
    pub y: i32,
}

impl Cell {
    /// The next cell in a direction, or `None` where coordinates end.
    #[must_use]
    pub fn step(self, direction: Direction) -> Option<Cell> {
        let Cell { x, y } = self;
        Some(match direction {
            Direction::Left => Cell { x: x.checked_sub(1)?, y },
            Direction::Right => Cell { x: x.checked_add(1)?, y },
            Direction::Up => Cell { x, y: y.checked_sub(1)? },
            Direction::Down => Cell { x, y: y.checked_add(1)? },
        })
    }

    /// Is the other cell this one, or does it touch it orthogonally or diagonally?
    #[must_use]
    pub fn touches(self, other: Cell) -> bool {
        self.x.abs_diff(other.x) <= 1 && self.y.abs_diff(other.y) <= 1
    }
}

impl Ord for Cell {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.y, self.x).cmp(&(other.y, other.x))
    }
}

impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl std::fmt::Display for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}

/// A direction in which a tile is bumped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// x − 1.
    Left,
    /// x + 1.
    Right,
    /// y − 1.
    Up,
    /// y + 1.
    Down,
}

impl Direction {
    /// All directions: those of the row, then those of the column.
    pub const ALL: [Direction; 4] =
        [Direction::Left, Direction::Right, Direction::Up, Direction::Down];

    /// The way back.
    #[must_use]
    pub const fn opposite(self) -> Direction {
        match self {
            Direction::Left => Direction::Right,
            Direction::Right => Direction::Left,
            Direction::Up => Direction::Down,
            Direction::Down => Direction::Up,
        }
    }

    /// The axis along which this direction runs.
    #[must_use]
    pub(crate) const fn axis(self) -> Axis {
        match self {
            Direction::Left | Direction::Right => Axis::Row,
            Direction::Up | Direction::Down => Axis::Column,
        }
    }
}

/// Row or column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Axis {
    /// Cells with the same y.
    Row,
    /// Cells with the same x.
    Column,
}

impl Axis {
    /// Both, in the order in which points are explained.
    pub(crate) const BOTH: [Axis; 2] = [Axis::Row, Axis::Column];

    /// The other axis.
    pub(crate) const fn across(self) -> Axis {
        match self {
            Axis::Row => Axis::Column,
            Axis::Column => Axis::Row,
        }
    }

    /// The two directions along the axis: towards smaller, then towards greater coordinates.
    pub(crate) const fn directions(self) -> [Direction; 2] {
        match self {
            Axis::Row => [Direction::Left, Direction::Right],
            Axis::Column => [Direction::Up, Direction::Down],
        }
    }

    /// The coordinates of a cell: which row or column it lies in, and its place along it.
    pub(crate) const fn split(self, cell: Cell) -> (i32, i32) {
        match self {
            Axis::Row => (cell.y, cell.x),
            Axis::Column => (cell.x, cell.y),
        }
    }
}
