//! What is drawn of a view, and what has just happened.

use kernel::Seat;
use serde::Deserialize;

use canvas::{Cell, Scene, Unreadable, known};

use crate::tile::Tile;

/// More tiles than any box has: 114.
const TILES_MOST: usize = 200;

#[derive(Deserialize)]
pub(crate) struct View {
    pub(crate) seats: u8,
    pub(crate) active_seat: Option<Seat>,
    pub(crate) phase: Phase,
    pub(crate) boost: u8,
    pub(crate) hermod: Option<Cell>,
    pub(crate) raven: Option<Flight>,
    pub(crate) tile_types: Vec<Tile>,
    pub(crate) board: Vec<Piece>,
    pub(crate) players: Vec<Player>,
    /// Null until the match is finished.
    pub(crate) pile: Option<Vec<Tile>>,
    pub(crate) pile_count: u32,
    pub(crate) boosters: Vec<u8>,
    pub(crate) discard: Vec<Tile>,
    pub(crate) ranking: Option<Vec<Place>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Phase {
    Setup,
    Play,
    Hermod,
    Raven,
    Surplus,
    Finished,
}

#[derive(Deserialize)]
pub(crate) struct Flight {
    pub(crate) at: Cell,
}

/// A tile on the table.
#[derive(Clone, Copy, Deserialize)]
pub(crate) struct Piece {
    #[serde(flatten)]
    pub(crate) at: Cell,
    pub(crate) tile: Tile,
    pub(crate) boost: u8,
}

#[derive(Deserialize)]
pub(crate) struct Player {
    /// Null for those who may not see it.
    pub(crate) hand: Option<Vec<Tile>>,
    pub(crate) hand_count: u32,
    pub(crate) hel_count: u32,
    pub(crate) display: String,
}

#[derive(Deserialize)]
pub(crate) struct Place {
    pub(crate) rank: u8,
    pub(crate) seat: Seat,
}

/// What is highlighted.
#[derive(Deserialize)]
#[serde(tag = "type")]
pub(crate) enum Event {
    StartTilePlaced {
        at: Cell,
    },
    TilePlaced {
        at: Cell,
        bumped_to: Option<Cell>,
    },
    RavenMoved {
        from: Cell,
        at: Cell,
    },
    ScoreAwarded {
        seat: Seat,
        points: u64,
        at: Cell,
        parts: Vec<Part>,
    },
    TileDiscarded {
        tile: Tile,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
pub(crate) struct Part {
    pub(crate) kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    Row,
    Column,
    Solitary,
    Neighbours,
    Values,
}

/// The cells with a tile in the other views of the match, sorted, each once.
///
/// # Errors
/// If one of them is no view.
pub(crate) fn occupied(scene: &Scene<'_>) -> Result<Vec<Cell>, Unreadable> {
    #[derive(Deserialize)]
    struct Board {
        board: Vec<Cell>,
    }
    let mut cells = Vec::new();
    for view in scene.room {
        let read: Result<Board, _> = serde_json::from_str(view.get());
        cells.extend(read.map_err(|error| Unreadable(error.to_string()))?.board);
    }
    cells.sort_unstable();
    cells.dedup();
    Ok(cells)
}

impl View {
    pub(crate) fn read(scene: &Scene<'_>) -> Result<Self, Unreadable> {
        let mut view: View = scene.view()?;
        let seats = usize::from(view.seats);
        if !(2..=5).contains(&seats) || view.players.len() != seats {
            return Err(Unreadable("two to five seats have a hand each".to_owned()));
        }
        known(view.active_seat, seats)?;
        let few = |count: usize, what: &str| match count {
            0..=TILES_MOST => Ok(()),
            _ => Err(Unreadable(format!("{count} tiles {what} are too many to draw"))),
        };
        few(view.board.len(), "on the table")?;
        few(view.boosters.len(), "for boosts")?;
        for player in &view.players {
            few(player.hand.as_ref().map_or(0, Vec::len), "in a hand")?;
            few(player.hand_count as usize, "in a hand")?;
            if player.hel_count > player.hand_count {
                return Err(Unreadable("a hand has more Hel than tiles".to_owned()));
            }
            if player.display.len() > 24 {
                return Err(Unreadable("a score is too long to draw".to_owned()));
            }
        }
        view.board.sort_by_key(|piece| (piece.at.y, piece.at.x));
        view.board.dedup_by_key(|piece| piece.at);
        Ok(view)
    }

    /// The tile on a cell.
    pub(crate) fn at(&self, cell: Cell) -> Option<Piece> {
        let key = |piece: &Piece| (piece.at.y, piece.at.x);
        let found = self.board.binary_search_by_key(&(cell.y, cell.x), key);
        found.ok().map(|index| self.board[index])
    }

    /// The first and the last tile of the line through a cell, in a row or in a column. A Hel is a gap.
    pub(crate) fn line(&self, at: Cell, kind: Kind) -> Option<(Cell, Cell)> {
        let (dx, dy) = match kind {
            Kind::Row => (1, 0),
            Kind::Column => (0, 1),
            Kind::Solitary | Kind::Neighbours | Kind::Values => return None,
        };
        let lies = |cell: &Cell| self.at(*cell).is_some_and(|piece| piece.tile != Tile::Hel);
        let end = |sign: i32| {
            let next = |cell: Cell| {
                Some(Cell { x: cell.x.checked_add(sign * dx)?, y: cell.y.checked_add(sign * dy)? })
            };
            let mut last = at;
            while let Some(cell) = next(last).filter(lies) {
                last = cell;
            }
            last
        };
        Some((end(-1), end(1)))
    }

    pub(crate) fn rank(&self, seat: usize) -> Option<u32> {
        let places = self.ranking.as_ref()?;
        let place = places.iter().find(|place| place.seat.index() == seat);
        place.map(|place| place.rank.into())
    }

    /// What the seat to act has to do.
    pub(crate) fn task(&self) -> String {
        match self.phase {
            Phase::Setup => "setting up".to_owned(),
            Phase::Play if self.boost > 0 => format!("place a tile, +{}", self.boost),
            Phase::Play => "place a tile".to_owned(),
            Phase::Hermod => "an extra tile in Hermod's line, or none".to_owned(),
            Phase::Raven => "fly on with the Raven, or stay".to_owned(),
            Phase::Surplus => "discard down to five tiles".to_owned(),
            Phase::Finished => String::new(),
        }
    }
}
