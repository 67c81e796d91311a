//! What a tile is worth, which coats of arms it activates, and who has won (C-601, C-801 to C-804, C-905, C-906).

use kernel::{Open, Seat, json};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::ToSchema;

use crate::board::{Board, COAT_SPACES, Column, Row, column, row, space, spaces};
use crate::position::{MatchResult, Place, Player, Reason};
use crate::printed::{self, COLUMN, ROW};

/// A row or a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LineKind {
    /// 5 spaces: 1 point (C-801).
    Row,
    /// 9 spaces: 2 points (C-802).
    Column,
}

/// A complete line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// Row or column.
    pub kind: LineKind,
    /// The y of a row, or the x of a column.
    #[schema(minimum = 0, maximum = 8)]
    pub index: u8,
    /// Whether all its squares are windows; it then counts twice.
    pub all_windows: bool,
    /// 1, 2 or 4.
    #[schema(minimum = 1, maximum = 4)]
    pub points: u8,
}

/// Lines of one board. JSON: the array of [`Line`], rows by y, then columns by x.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Open)]
#[open(rows, columns, window_rows, window_columns)]
pub struct Lines {
    rows: u16,
    columns: u8,
    window_rows: u16,
    window_columns: u8,
}

impl Lines {
    /// Is there no line?
    #[must_use]
    pub fn is_empty(self) -> bool {
        self == Lines::default()
    }

    /// What the lines are worth together (C-801, C-802): at most 38.
    #[must_use]
    pub fn points(self) -> u8 {
        let worth = |lines: u32, all_windows: u32, [some, all]: [u8; 2]| {
            (lines - all_windows) * u32::from(some) + all_windows * u32::from(all)
        };
        let rows = worth(self.rows.count_ones(), self.window_rows.count_ones(), ROW);
        let columns = worth(self.columns.count_ones(), self.window_columns.count_ones(), COLUMN);
        u8::try_from(rows + columns).expect("9 rows and 5 columns are worth at most 38")
    }

    /// The lines: rows by y, then columns by x.
    #[must_use]
    pub fn list(&self) -> Vec<Line> {
        let line = |kind, index, worth: [u8; 2], all_windows| {
            let points = worth[usize::from(all_windows)];
            Line { kind, index, all_windows, points }
        };
        let rows = (0..9u8).filter(|y| self.rows & 1 << y != 0);
        let columns = (0..5u8).filter(|x| self.columns & 1 << x != 0);
        rows.map(|y| line(LineKind::Row, y, ROW, self.window_rows & 1 << y != 0))
            .chain(
                columns
                    .map(|x| line(LineKind::Column, x, COLUMN, self.window_columns & 1 << x != 0)),
            )
            .collect()
    }

    fn collect(list: &[Line]) -> Self {
        let mut lines = Lines::default();
        for line in list {
            let bit = 1u16.checked_shl(line.index.into()).unwrap_or(0);
            let windows = if line.all_windows { bit } else { 0 };
            match line.kind {
                LineKind::Row => {
                    lines.rows |= bit;
                    lines.window_rows |= windows;
                }
                LineKind::Column => {
                    lines.columns |= (bit & 0xff) as u8;
                    lines.window_columns |= (windows & 0xff) as u8;
                }
            }
        }
        lines
    }
}

impl Serialize for Lines {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.list())
    }
}

impl<'de> Deserialize<'de> for Lines {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::listed(deserializer, Lines::collect, Lines::list)
    }
}

/// The lines that are complete on the board, and were not when it covered the spaces `before` (C-803).
pub(crate) fn completed(before: u64, board: &Board) -> Lines {
    let mut lines = Lines::default();
    for y in 0..9 {
        if newly_complete(row(y), before, board) {
            lines.rows |= 1 << y;
            lines.window_rows |= u16::from(board.bricks() & row(y) == 0) << y;
        }
    }
    for x in 0..5 {
        if newly_complete(column(x), before, board) {
            lines.columns |= 1 << x;
            lines.window_columns |= u8::from(board.bricks() & column(x) == 0) << x;
        }
    }
    lines
}

fn newly_complete(line: u64, before: u64, board: &Board) -> bool {
    line & board.covered() == line && line & before != line
}

/// Coats of arms (C-102): on spaces, and beside rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CoatsOfArms {
    /// The spaces.
    pub(crate) cells: CoatCells,
    /// The rows.
    pub(crate) rows: CoatRows,
}

impl CoatsOfArms {
    /// How many there are: at most 7.
    pub(crate) fn count(self) -> u8 {
        u8::try_from(self.cells.0.count_ones() + self.rows.0.count_ones())
            .expect("a board has 7 coats of arms")
    }
}

/// The coats of arms that were activated since the board covered the spaces `before` (C-601).
pub(crate) fn activated(before: u64, board: &Board) -> CoatsOfArms {
    let rows = printed::COAT_ROWS.into_iter().filter(|y| newly_complete(row(*y), before, board));
    CoatsOfArms {
        cells: CoatCells(board.covered() & !before & COAT_SPACES),
        rows: CoatRows(rows.fold(0, |rows, y| rows | 1 << y)),
    }
}

/// A space of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Space {
    /// Column, from the left.
    #[schema(value_type = u8, minimum = 0, maximum = 4)]
    pub x: Column,
    /// Row, from the top.
    #[schema(value_type = u8, minimum = 0, maximum = 8)]
    pub y: Row,
}

/// Spaces with a coat of arms. JSON: the array of [`Space`], by y, then x.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Open)]
#[open(0)]
pub struct CoatCells(u64);

impl CoatCells {
    fn list(&self) -> Vec<Space> {
        spaces(self.0).map(|(x, y)| Space { x, y }).collect()
    }
}

impl Serialize for CoatCells {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.list())
    }
}

impl<'de> Deserialize<'de> for CoatCells {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let collect = |list: &[Space]| {
            let spaces = list.iter().map(|cell| space(cell.x, cell.y) & COAT_SPACES);
            CoatCells(spaces.fold(0, |set, space| set | space))
        };
        json::listed(deserializer, collect, CoatCells::list)
    }
}

/// Rows with a coat of arms beside them. JSON: the array of their y, ascending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Open)]
#[open(0)]
pub struct CoatRows(u16);

impl CoatRows {
    fn list(&self) -> Vec<u8> {
        (0..9).filter(|y| self.0 & 1 << y != 0).collect()
    }
}

impl Serialize for CoatRows {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.list())
    }
}

impl<'de> Deserialize<'de> for CoatRows {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let collect = |list: &[u8]| {
            let rows = list.iter().filter(|y| printed::COAT_ROWS.contains(y));
            CoatRows(rows.fold(0, |rows, y| rows | 1 << *y))
        };
        json::listed(deserializer, collect, CoatRows::list)
    }
}

/// The result of a match that ends for this reason now (C-905, C-906).
pub(crate) fn result(reason: Reason, players: &[Player]) -> MatchResult {
    let key = |player: &Player| {
        let tie_break = match reason {
            Reason::TwelvePoints => 0,
            Reason::EndCard => player.board.empty_spaces(),
        };
        (u8::MAX - player.score, tie_break)
    };
    let place = |(seat, player): (u8, &Player)| {
        let ahead = players.iter().filter(|other| key(other) < key(player)).count();
        let rank = 1 + u8::try_from(ahead).expect("at most three players are ahead of one");
        Place {
            seat: Seat(seat),
            rank,
            score: player.score,
            empty_spaces: player.board.empty_spaces(),
        }
    };
    let mut standing: Vec<Place> = (0..).zip(players).map(place).collect();
    standing.sort_by_key(|place| (place.rank, place.seat));
    let winners = standing.iter().filter(|place| place.rank == 1).map(|place| place.seat).collect();
    MatchResult { reason, winners, standing }
}
