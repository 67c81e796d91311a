//! The board: every cell that matters is a spot, and spots know their neighbours.
//!
//! A spot is a cell that holds a tile, or lies beside one, or once did. Tiles are only ever placed on spots, so a board of n
//! tiles has at most 5n of them, wherever they lie: a match of 116 tiles stays under 600, most matches under 150. Links to the
//! four neighbours make walking along a line a matter of indices; no cell of the empty plane around is ever visited. That
//! is as fast as a dense grid on the small boards of play, and exact for loaded boards that are scattered over all
//! 32-bit coordinates, without a second representation.

use crate::cell::{Axis, Cell, Direction};
use crate::tile::Tile;

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

/// A cell that matters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    /// Where it is.
    pub(crate) cell: Cell,
    /// The spots beside it, by [`Direction`].
    beside: [SpotId; 4],
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
    order: Vec<SpotId>,
}

impl Board {
    /// A board without tiles.
    #[must_use]
    pub fn empty() -> Board {
        Board {
            spots: vec![Spot::empty(Cell { x: 0, y: 0 })],
            order: Vec::new(),
        }
    }

    /// The board with these tiles, at one go: the same as putting them one by one.
    #[must_use]
    pub fn of(pieces: &[(Cell, Piece)]) -> Board {
        let near = |cell: Cell| {
            Direction::ALL
                .into_iter()
                .filter_map(move |way| cell.step(way))
        };
        let mut cells: Vec<Cell> = pieces
            .iter()
            .flat_map(|(cell, _)| near(*cell).chain([*cell]))
            .collect();
        cells.sort_unstable();
        cells.dedup();
        let mut board = Board::empty();
        board.spots.extend(cells.into_iter().map(Spot::empty));
        board.order = (1..).map(SpotId).take(board.spots.len() - 1).collect();
        for index in 1..board.spots.len() {
            let cell = board.spots[index].cell;
            board.spots[index].beside = Direction::ALL.map(|way| board.neighbour(cell, way));
        }
        for (cell, piece) in pieces {
            let id = board.find(*cell);
            board.fill(id, *piece);
        }
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
        self.clear(id);
        self.fill(id, piece);
    }

    /// Takes the tile off a cell.
    pub fn lift(&mut self, cell: Cell) {
        self.clear(self.find(cell));
    }

    /// All spots by `y`, then `x`: those that hold a tile, and all cells beside them.
    pub(crate) fn spots(&self) -> impl Iterator<Item = SpotId> {
        self.order.iter().copied()
    }

    /// What there is to know about a spot.
    pub(crate) fn spot(&self, id: SpotId) -> &Spot {
        &self.spots[id.0 as usize]
    }

    /// The spot of a cell, or [`NOWHERE`].
    pub(crate) fn find(&self, cell: Cell) -> SpotId {
        self.search(cell).map_or(NOWHERE, |place| self.order[place])
    }

    /// The spot beside another one, or [`NOWHERE`].
    pub(crate) fn step(&self, id: SpotId, direction: Direction) -> SpotId {
        self.spot(id).beside[direction as usize]
    }

    /// How many tiles lie in an unbroken run from the next cell on.
    pub(crate) fn run(&self, id: SpotId, direction: Direction) -> usize {
        let mut length = 0;
        let mut next = self.step(id, direction);
        while self.spot(next).in_line().is_some() {
            length += 1;
            next = self.step(next, direction);
        }
        length
    }

    /// The first spot in a direction that is not part of the run of tiles from the next cell on.
    pub(crate) fn beyond(&self, id: SpotId, direction: Direction) -> SpotId {
        let mut next = self.step(id, direction);
        while self.spot(next).in_line().is_some() {
            next = self.step(next, direction);
        }
        next
    }

    /// How long the line through a spot is, with a tile on it.
    pub(crate) fn length(&self, id: SpotId, axis: Axis) -> usize {
        let [back, on] = axis.directions();
        self.run(id, back) + 1 + self.run(id, on)
    }

    fn search(&self, cell: Cell) -> Result<usize, usize> {
        self.order
            .binary_search_by(|id| self.spot(*id).cell.cmp(&cell))
    }

    fn neighbour(&self, cell: Cell, direction: Direction) -> SpotId {
        cell.step(direction).map_or(NOWHERE, |next| self.find(next))
    }

    /// The spot of a cell; a new one if it has none yet.
    fn ensure(&mut self, cell: Cell) -> SpotId {
        let place = match self.search(cell) {
            Ok(place) => return self.order[place],
            Err(place) => place,
        };
        let id = SpotId(u32::try_from(self.spots.len()).expect("a board fits in memory"));
        let beside = Direction::ALL.map(|direction| self.neighbour(cell, direction));
        // No tile lies beside a new spot: the cells beside a tile are spots already.
        self.spots.push(Spot {
            beside,
            ..Spot::empty(cell)
        });
        self.order.insert(place, id);
        for (direction, next) in Direction::ALL.into_iter().zip(beside) {
            if next != NOWHERE {
                self.spots[next.0 as usize].beside[direction.opposite() as usize] = id;
            }
        }
        id
    }

    fn fill(&mut self, id: SpotId, piece: Piece) {
        self.spots[id.0 as usize].piece = Some(piece);
        self.tell(id, piece, |count| *count += 1);
    }

    fn clear(&mut self, id: SpotId) {
        if let Some(piece) = self.spots[id.0 as usize].piece.take() {
            self.tell(id, piece, |count| *count -= 1);
        }
    }

    fn tell(&mut self, id: SpotId, piece: Piece, change: impl Fn(&mut u8) + Copy) {
        for next in self.spot(id).beside {
            if next != NOWHERE {
                self.spots[next.0 as usize].count(piece, change);
            }
        }
    }
}

impl PartialEq for Board {
    fn eq(&self, other: &Self) -> bool {
        self.pieces().eq(other.pieces())
    }
}
