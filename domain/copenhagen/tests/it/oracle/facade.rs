//! A board as a grid of characters.

use serde_json::{Value, json};

use super::{Kind, Oracle};

/// What a board shows: `.` empty, `W` window, `B` brick; and the colour of the tile on each space.
#[derive(Clone)]
pub(crate) struct Facade {
    pub(crate) fill: Vec<Vec<char>>,
    color: Vec<Vec<Option<String>>>,
}

impl Kind {
    /// The squares at an orientation (C-106): mirror, turn, shift.
    pub(crate) fn squares(&self, orientation: u64) -> Vec<(i64, i64, char)> {
        let mut squares = Vec::new();
        for (y, row) in (0..).zip(&self.rows) {
            let filled = (0..).zip(row.chars()).filter(|(_, fill)| *fill != '.');
            squares.extend(filled.map(|(x, fill)| (x, y, fill)));
        }
        if orientation >= 4 {
            squares.iter_mut().for_each(|square| square.0 = -square.0);
        }
        for _ in 0..orientation % 4 {
            squares.iter_mut().for_each(|square| (square.0, square.1) = (-square.1, square.0));
        }
        let least_x = squares.iter().map(|square| square.0).min().expect("a tile has squares");
        let least_y = squares.iter().map(|square| square.1).min().expect("a tile has squares");
        squares
            .iter_mut()
            .for_each(|square| (square.0, square.1) = (square.0 - least_x, square.1 - least_y));
        squares.sort_by_key(|square| (square.1, square.0));
        squares
    }

    /// Does no lower orientation show the same?
    pub(crate) fn is_canonical(&self, orientation: u64) -> bool {
        (0..orientation).all(|lower| self.squares(lower) != self.squares(orientation))
    }
}

impl Facade {
    /// The board with these tiles.
    pub(crate) fn of(oracle: &Oracle, tiles: &Value) -> Self {
        let mut facade = Facade { fill: vec![vec!['.'; 5]; 9], color: vec![vec![None; 5]; 9] };
        for placed in tiles.as_array().expect("a list of tiles") {
            facade.put(oracle, placed);
        }
        facade
    }

    /// Puts a tile, a JSON with `tile`, `orientation`, `x`, `y`.
    pub(crate) fn put(&mut self, oracle: &Oracle, placed: &Value) {
        let kind = oracle.kind(placed["tile"].as_str().expect("an id"));
        for (x, y, fill) in at(kind, placed) {
            self.fill[y as usize][x as usize] = fill;
            self.color[y as usize][x as usize].clone_from(&kind.color);
        }
    }

    /// The fill of a space; `None` outside the board.
    pub(crate) fn fill(&self, x: i64, y: i64) -> Option<char> {
        self.fill.get(usize::try_from(y).ok()?)?.get(usize::try_from(x).ok()?).copied()
    }

    /// Does one of the squares share an edge with a tile of this colour (C-507)?
    pub(crate) fn touches(&self, squares: &[(i64, i64, char)], color: &str) -> bool {
        let colored = |x: i64, y: i64| {
            self.fill(x, y).is_some()
                && self.color[y as usize][x as usize].as_deref() == Some(color)
        };
        squares.iter().any(|(x, y, _)| {
            colored(x - 1, *y) || colored(x + 1, *y) || colored(*x, y - 1) || colored(*x, y + 1)
        })
    }

    /// The complete lines as in `ScoreAwarded.lines` (C-801, C-802).
    pub(crate) fn lines(&self) -> Vec<Value> {
        let rows =
            (0..9).map(|y| ("row", y, (0..5).map(|x| self.fill[y][x]).collect::<Vec<char>>()));
        let columns =
            (0..5).map(|x| ("column", x, (0..9).map(|y| self.fill[y][x]).collect::<Vec<char>>()));
        let mut lines = Vec::new();
        for (kind, index, spaces) in rows.chain(columns) {
            if spaces.contains(&'.') {
                continue;
            }
            let windows_only = spaces.iter().all(|fill| *fill == 'W');
            let points = (if kind == "row" { 1 } else { 2 }) * (if windows_only { 2 } else { 1 });
            lines.push(json!({"kind": kind, "index": index, "all_windows": windows_only, "points": points}));
        }
        lines
    }

    /// The worth of all complete lines (C-804).
    pub(crate) fn score(&self) -> u64 {
        self.lines().iter().map(|line| line["points"].as_u64().expect("a number")).sum()
    }

    /// The coats of arms that are activated on this board, on spaces and beside rows (C-601).
    pub(crate) fn coats(&self) -> (Vec<Value>, Vec<u64>) {
        let picture = [
            "...C. ", "..... ", ".C... ", ".....<", "....C ", ".....<", "..C.. ", ".....<",
            "..... ",
        ];
        let (mut cells, mut rows) = (Vec::new(), Vec::new());
        for (y, row) in picture.iter().enumerate() {
            for (x, mark) in row.chars().enumerate() {
                if mark == 'C' && self.fill[y][x] != '.' {
                    cells.push(json!({"x": x, "y": y}));
                }
                if mark == '<' && !self.fill[y].contains(&'.') {
                    rows.push(y as u64);
                }
            }
        }
        (cells, rows)
    }

    pub(crate) fn empty_spaces(&self) -> usize {
        self.fill.iter().flatten().filter(|fill| **fill == '.').count()
    }
}

/// The squares of a tile where it is placed.
pub(crate) fn at(kind: &Kind, placed: &Value) -> Vec<(i64, i64, char)> {
    let number = |key: &str| placed[key].as_i64().unwrap_or(0);
    let mut squares = kind.squares(placed["orientation"].as_u64().unwrap_or(0));
    squares
        .iter_mut()
        .for_each(|square| (square.0, square.1) = (square.0 + number("x"), square.1 + number("y")));
    squares
}
