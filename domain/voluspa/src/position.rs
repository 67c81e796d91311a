//! The complete state of a match, chosen for speed; its JSON is [`PositionForm`].

mod form;

use kernel::{Edition, Seat};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub(crate) use form::cells;
pub use form::{BoardCell, GameId, PlayerForm, PositionForm};

use crate::board::{Board, Cell, Piece};
use crate::options::Options;
use crate::pieces::{Tile, TileSet, Tiles, Tokens};
use crate::printed::HAND_LIMIT;

/// The most seats that a match has.
pub(crate) const SEATS_MOST: usize = 5;

/// What the active seat has to do (section 6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// The match is being set up: only between the events of the first commit.
    Setup,
    /// Place a tile.
    Play,
    /// Place an extra tile in the line of a Hermod, or skip.
    Hermod,
    /// Fly on with the Raven, or stay.
    Raven,
    /// Discard down to five tiles.
    Surplus,
    /// Nobody acts.
    Finished,
}

/// Its word in JSON.
impl std::fmt::Display for Phase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.serialize(f)
    }
}

/// A Raven that may fly on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Flight {
    /// The cell of its first place.
    pub at: Cell,
    /// The tile that it covers there, without boosts.
    #[serde(deserialize_with = "kernel::present")]
    #[schema(required = true)]
    pub under: Option<Tile>,
}

impl Flight {
    /// Lifts the Raven: the tile under it lies open again, or the cell is empty.
    pub(crate) fn lift(self, board: &mut Board) {
        let Flight { at, under } = self;
        match under {
            Some(tile) => board.put(at, Piece { tile, boost: 0 }),
            None => board.lift(at),
        }
    }
}

/// What a seat has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Player {
    /// Its tiles; only the number of Hel is known to the others.
    pub hand: Tiles,
    /// Its points.
    pub score: u64,
    /// The order in which the seats reached their scores: smaller is earlier, all seats differ (V-513).
    pub reached: u32,
}

/// The complete state of a match, hidden parts included.
///
/// `hermod` and `raven` are fields beside `phase`, not in it, because the events say so: between two events of a commit a
/// Raven lies at its first place before its flight is granted.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(into = "PositionForm")]
pub struct Position {
    /// The edition of the rules by which the match is played.
    pub(crate) edition: Edition,
    pub(crate) options: Options,
    /// 2 to 5.
    pub(crate) seats: u8,
    pub(crate) tile_types: TileSet,
    pub(crate) start_seat: Seat,
    /// `None` while the match is set up and when it is finished.
    pub(crate) active_seat: Option<Seat>,
    pub(crate) phase: Phase,
    /// Freya discarded for the tile that comes next.
    pub(crate) boost: u8,
    /// In phase `Hermod`: where it lies.
    pub(crate) hermod: Option<Cell>,
    /// From the placing of a Raven to the end of its flight.
    pub(crate) raven: Option<Flight>,
    pub(crate) board: Board,
    /// By seat; places without a seat are empty.
    pub(crate) players: [Player; SEATS_MOST],
    pub(crate) pile: Tiles,
    pub(crate) boosters: Tokens,
    pub(crate) discard: Tiles,
}

impl Position {
    /// All seats with what they have.
    pub(crate) fn players(&self) -> impl Iterator<Item = (Seat, &Player)> {
        (0..self.seats).map(Seat).zip(&self.players)
    }

    /// What a seat has.
    pub(crate) fn player(&self, seat: Seat) -> &Player {
        &self.players[seat.index()]
    }

    /// What a seat has, to change it.
    pub(crate) fn player_mut(&mut self, seat: Seat) -> &mut Player {
        &mut self.players[seat.index()]
    }

    /// The other seats clockwise from a seat on, itself last.
    pub(crate) fn clockwise(&self, seat: Seat) -> impl Iterator<Item = Seat> + use<> {
        let seats = self.seats;
        (1..=seats).map(move |step| Seat((seat.0 + step) % seats))
    }

    /// How many tiles the hand of a seat holds too many (V-208).
    pub(crate) fn surplus(&self, seat: Seat) -> u32 {
        self.player(seat).hand.total_but_hel().saturating_sub(HAND_LIMIT)
    }

    /// The board with the Raven in flight lifted from its first place (V-603).
    pub(crate) fn lifted(&self, flight: Flight) -> Board {
        let mut board = self.board.clone();
        flight.lift(&mut board);
        board
    }
}
