//! Which columns and rows are shown. Tables have no edges: a tile may lie anywhere, and far apart ones must not make a huge picture.

use voluspa::seen::{Cell, Direction, View};

use crate::view::{at, cell};

/// The columns and rows that are shown, ascending. Where nothing lies for a while, columns and rows are left out.
pub(crate) struct Grid {
    pub(crate) columns: Vec<i32>,
    pub(crate) rows: Vec<i32>,
}

impl Grid {
    /// Every column and row with a tile or one of the other cells, and those beside them.
    pub(crate) fn new(view: &View, others: &[Cell]) -> Self {
        let around = |values: &mut dyn Iterator<Item = i32>| {
            let mut shown: Vec<i32> = values
                .flat_map(|value| [value.saturating_sub(1), value, value.saturating_add(1)])
                .collect();
            shown.sort_unstable();
            shown.dedup();
            shown
        };
        let cells = || {
            let own = view.board.iter().map(cell);
            own.chain(others.iter().copied())
        };
        Grid {
            columns: around(&mut cells().map(|cell| cell.x)),
            rows: around(&mut cells().map(|cell| cell.y)),
        }
    }

    /// Column and row of a cell among those that are shown.
    pub(crate) fn place(&self, cell: Cell) -> Option<(usize, usize)> {
        let column = self.columns.binary_search(&cell.x).ok()?;
        let row = self.rows.binary_search(&cell.y).ok()?;
        Some((column, row))
    }

    /// Is a line left out before this one?
    pub(crate) fn gap(lines: &[i32], index: usize) -> bool {
        index > 0 && lines[index].checked_sub(1) != Some(lines[index - 1])
    }

    /// The cells beside a tile that are empty, in reading order.
    pub(crate) fn free(view: &View) -> Vec<Cell> {
        let beside = |at: Cell| Direction::ALL.into_iter().filter_map(move |way| at.step(way));
        let around = view.board.iter().flat_map(|piece| beside(cell(piece)));
        let mut free: Vec<Cell> = around.filter(|cell| at(view, *cell).is_none()).collect();
        free.sort_unstable();
        free.dedup();
        free
    }
}
