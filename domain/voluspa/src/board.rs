//! The board: every cell that matters is a spot, and spots know their neighbours.
//!
//! A spot is a cell that holds a tile, or lies beside one, or once did. Tiles are only ever placed on spots, so a board of n
//! tiles has at most 5n of them, wherever they lie: a match of 116 tiles stays under 600, most matches under 150. Links to the
//! four neighbours make walking along a line a matter of indices; no cell of the empty plane around is ever visited. Each spot
//! also knows the runs of tiles around it, so that most questions of V-304 to V-310 are answered without a walk. That is
//! as fast as a dense grid on the small boards of play, and exact for loaded boards that are scattered over all 32-bit
//! coordinates, without a second representation.

mod cell;

pub(crate) use cell::Axis;
pub use cell::{Cell, Direction};

use crate::pieces::Tile;

/// A tile on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// What lies there.
    pub tile: Tile,
    /// How many Freya boost it.
    pub boost: u8,
}

impl Piece {
    /// Printed value and boosts: also the value of its token if it has boosts.
    #[must_use]
    pub fn value(self) -> u8 {
        self.tile.printed() + self.boost
    }
}

/// The number of a spot. [`NOWHERE`] stands for any cell that is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SpotId(u32);

/// A cell without a tile and without a tile beside it.
pub(crate) const NOWHERE: SpotId = SpotId(0);

/// A cell that matters: one line of a processor's cache.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    /// Where it is.
    pub(crate) cell: Cell,
    /// The spots beside it, by [`Direction`].
    beside: [SpotId; 4],
    /// How many tiles lie in an unbroken run from the next cell on, by [`Direction`]. Hel breaks it.
    runs: [u32; 4],
    /// The first spots behind these runs.
    ends: [SpotId; 4],
    /// What lies on it.
    pub(crate) piece: Option<Piece>,
    /// How many tiles lie beside it, Hel included.
    pub(crate) tiles: u8,
    /// How many of those are Trolls.
    pub(crate) trolls: u8,
    /// How many of those are Lokis.
    pub(crate) lokis: u8,
}

impl Spot {
    const fn empty(cell: Cell) -> Spot {
        Spot {
            cell,
            beside: [NOWHERE; 4],
            runs: [0; 4],
            ends: [NOWHERE; 4],
            piece: None,
            tiles: 0,
            trolls: 0,
            lokis: 0,
        }
    }

    /// The tile on it, if it is part of lines: any but Hel.
    pub(crate) fn in_line(&self) -> Option<Piece> {
        self.piece.filter(|piece| piece.tile != Tile::Hel)
    }

    /// How many tiles lie in an unbroken run from the next cell on.
    pub(crate) fn run(&self, direction: Direction) -> u32 {
        self.runs[direction as usize]
    }

    /// How long the line through this spot is, with a tile on it.
    pub(crate) fn length(&self, axis: Axis) -> u32 {
        let [back, on] = axis.directions();
        self.run(back) + 1 + self.run(on)
    }

    /// The first spot in a direction that is not part of the run of tiles from the next cell on.
    pub(crate) fn beyond(&self, direction: Direction) -> SpotId {
        self.ends[direction as usize]
    }

    fn count(&mut self, piece: Piece, change: impl Fn(&mut u8)) {
        change(&mut self.tiles);
        if piece.tile == Tile::Troll {
            change(&mut self.trolls);
        }
        if piece.tile == Tile::Loki {
            change(&mut self.lokis);
        }
    }
}

/// All tiles on the table. Two boards are equal if the same tiles lie on the same cells.
#[derive(Clone, Debug)]
pub struct Board {
    /// The spot of [`NOWHERE`], then the others in the order in which they came to matter.
    spots: Vec<Spot>,
    /// All spots but [`NOWHERE`] by cell.
    order: Vec<(Key, SpotId)>,
}

/// A cell as one number that is ordered like it: for a search without detours.
type Key = u64;

fn key(cell: Cell) -> Key {
    let ascending = |number: i32| u64::from(number.cast_unsigned() ^ 1 << 31);
    ascending(cell.y) << 32 | ascending(cell.x)
}

impl Board {
    /// Where the tile on a cell comes to when it is bumped in a direction; `None` if there is no spot that way.
    pub(crate) fn bumped(&self, at: Cell, direction: Direction) -> Option<Cell> {
        let to = self.spot(self.find(at)).beyond(direction);
        (to != NOWHERE).then(|| self.spot(to).cell)
    }

    /// A board without tiles.
    #[must_use]
    pub fn empty() -> Board {
        Board { spots: vec![Spot::empty(Cell { x: 0, y: 0 })], order: Vec::new() }
    }

    /// The board with these tiles, at one go: the same as putting them one by one.
    #[must_use]
    pub fn of(pieces: &[(Cell, Piece)]) -> Board {
        let near = |cell: Cell| Direction::ALL.into_iter().filter_map(move |way| cell.step(way));
        let mut cells: Vec<Cell> =
            pieces.iter().flat_map(|(cell, _)| near(*cell).chain([*cell])).collect();
        cells.sort_unstable();
        cells.dedup();
        let mut board = Board::empty();
        board.order = cells.iter().map(|cell| key(*cell)).zip((1..).map(SpotId)).collect();
        board.spots.extend(cells.into_iter().map(Spot::empty));
        for index in 1..board.spots.len() {
            let cell = board.spots[index].cell;
            board.spots[index].beside = Direction::ALL.map(|way| board.neighbour(cell, way));
        }
        for (cell, piece) in pieces {
            let id = board.find(*cell);
            board.at_mut(id).piece = Some(*piece);
            board.tell(id, *piece, |count| *count += 1);
        }
        board.trace();
        board
    }

    /// All tiles with their cells, by `y`, then `x`.
    pub fn pieces(&self) -> impl Iterator<Item = (Cell, Piece)> {
        self.spots().filter_map(|id| {
            let spot = self.spot(id);
            Some((spot.cell, spot.piece?))
        })
    }

    /// The tile on a cell.
    #[must_use]
    pub fn at(&self, cell: Cell) -> Option<Piece> {
        self.spot(self.find(cell)).piece
    }

    /// Puts a tile on a cell; what lay there is gone.
    pub fn put(&mut self, cell: Cell, piece: Piece) {
        let id = self.ensure(cell);
        for direction in Direction::ALL {
            if self.step(id, direction) == NOWHERE
                && let Some(next) = cell.step(direction)
            {
                self.ensure(next);
            }
        }
        self.replace(id, Some(piece));
    }

    /// Takes the tile off a cell.
    pub fn lift(&mut self, cell: Cell) {
        let id = self.find(cell);
        if id != NOWHERE {
            self.replace(id, None);
        }
    }

    /// How much memory the spots take, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let ordered = self.order.capacity() * size_of::<(Key, SpotId)>();
        self.spots.capacity() * size_of::<Spot>() + ordered
    }

    /// All spots by `y`, then `x`: those that hold a tile, and all cells beside them.
    pub(crate) fn spots(&self) -> impl Iterator<Item = SpotId> {
        self.order.iter().map(|(_, id)| *id)
    }

    /// What there is to know about a spot.
    pub(crate) fn spot(&self, id: SpotId) -> &Spot {
        &self.spots[id.0 as usize]
    }

    /// The spot of a cell, or [`NOWHERE`].
    pub(crate) fn find(&self, cell: Cell) -> SpotId {
        self.search(cell).map_or(NOWHERE, |place| self.order[place].1)
    }

    /// The spot beside another one, or [`NOWHERE`].
    pub(crate) fn step(&self, id: SpotId, direction: Direction) -> SpotId {
        self.spot(id).beside[direction as usize]
    }

    fn at_mut(&mut self, id: SpotId) -> &mut Spot {
        &mut self.spots[id.0 as usize]
    }

    fn search(&self, cell: Cell) -> Result<usize, usize> {
        self.order.binary_search_by_key(&key(cell), |(key, _)| *key)
    }

    fn neighbour(&self, cell: Cell, direction: Direction) -> SpotId {
        cell.step(direction).map_or(NOWHERE, |next| self.find(next))
    }

    /// The spot of a cell; a new one if it has none yet.
    fn ensure(&mut self, cell: Cell) -> SpotId {
        let place = match self.search(cell) {
            Ok(place) => return self.order[place].1,
            Err(place) => place,
        };
        let id = SpotId(u32::try_from(self.spots.len()).expect("a board fits in memory"));
        let beside = Direction::ALL.map(|direction| self.neighbour(cell, direction));
        // No tile lies beside a new spot, because the cells beside a tile are spots already: so its runs are empty.
        self.spots.push(Spot { beside, ends: beside, ..Spot::empty(cell) });
        self.order.insert(place, (key(cell), id));
        for (direction, next) in Direction::ALL.into_iter().zip(beside) {
            if next != NOWHERE {
                self.at_mut(next).beside[direction.opposite() as usize] = id;
                self.trace_from(next, direction);
            }
        }
        id
    }

    /// Exchanges what lies on a spot, and tells all that see it.
    fn replace(&mut self, id: SpotId, piece: Option<Piece>) {
        let was_in_line = self.spot(id).in_line().is_some();
        if let Some(old) = self.spot(id).piece {
            self.tell(id, old, |count| *count -= 1);
        }
        self.at_mut(id).piece = piece;
        if let Some(new) = piece {
            self.tell(id, new, |count| *count += 1);
        }
        if self.spot(id).in_line().is_some() != was_in_line {
            Direction::ALL.into_iter().for_each(|direction| {
                let next = self.step(id, direction);
                if next != NOWHERE {
                    self.trace_from(next, direction);
                }
            });
        }
    }

    fn tell(&mut self, id: SpotId, piece: Piece, change: impl Fn(&mut u8) + Copy) {
        for next in self.spot(id).beside {
            if next != NOWHERE {
                self.at_mut(next).count(piece, change);
            }
        }
    }

    /// Finds all runs and their ends.
    fn trace(&mut self) {
        for index in 0..self.order.len() {
            self.look(self.order[index].1, Direction::Right);
            self.look(self.order[index].1, Direction::Down);
        }
        for index in (0..self.order.len()).rev() {
            self.look(self.order[index].1, Direction::Left);
            self.look(self.order[index].1, Direction::Up);
        }
    }

    /// Finds the runs again that lead to the spot before `id`: those of `id` and of all behind it, as far as they go.
    fn trace_from(&mut self, id: SpotId, direction: Direction) {
        self.look(id, direction);
        let mut next = id;
        while self.spot(next).in_line().is_some() {
            next = self.step(next, direction);
            self.look(next, direction);
        }
    }

    /// Finds the run of a spot against `direction` from that of its neighbour there.
    fn look(&mut self, id: SpotId, direction: Direction) {
        let back = direction.opposite() as usize;
        let neighbour = self.spot(id).beside[back];
        let before = self.spot(neighbour);
        let (run, end) = match before.in_line() {
            Some(_) => (before.runs[back] + 1, before.ends[back]),
            None => (0, neighbour),
        };
        let spot = self.at_mut(id);
        spot.runs[back] = run;
        spot.ends[back] = end;
    }
}

impl PartialEq for Board {
    fn eq(&self, other: &Self) -> bool {
        self.pieces().eq(other.pieces())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;
    use serde_json::{Value, json};

    use super::*;
    use crate::GAME;

    #[test]
    fn a_match_is_counted_with_all_spots_of_a_scattered_board() {
        let mut form: Value =
            serde_json::from_str(include_str!("../tests/cases/table.json")).unwrap();
        let tiles = Tile::ALL.into_iter().flat_map(|tile| std::iter::repeat_n(tile, 5));
        let piece = |(at, tile): (i32, Tile)| json!({"x": at, "y": at, "tile": tile, "boost": 0});
        let board: Vec<Value> = (0..).map(|n| 3 * n).zip(tiles).map(piece).collect();
        let spots = 5 * board.len();
        form["board"] = json!(board);
        form["players"][0]["hand"] = json!(["thor"]);
        let position = RawValue::from_string(form.to_string()).unwrap();
        let bytes = GAME.load(&position, GAME.info().newest()).unwrap().bytes();
        assert!(bytes > spots * (size_of::<Spot>() + size_of::<(Key, SpotId)>()), "{bytes}");
    }
}
