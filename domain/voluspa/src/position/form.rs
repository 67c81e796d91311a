//! The JSON of a position.

use kernel::{Edition, Seat, present};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::board::{Board, Cell, Piece};
use crate::options::Options;
use crate::pieces::{Tile, TileSet, Tiles, Tokens};
use crate::position::{Flight, Phase, Player, Position};
use crate::scoring::{self, Place};

/// The name of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum GameId {
    /// Völuspá.
    Voluspa,
}

/// A cell with the tile on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BoardCell {
    /// The column.
    pub x: i32,
    /// The row, growing downwards.
    pub y: i32,
    /// The tile that lies there.
    pub tile: Tile,
    /// The number of Freya that boost it. Together with the printed value at most 12, the highest token.
    #[schema(maximum = 11)]
    pub boost: u8,
}

/// What a seat has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PlayerForm {
    /// Its tiles, sorted.
    pub hand: Tiles,
    /// The points. When a position is loaded, at most 1,000,000,000,000.
    pub score: u64,
    /// The order in which the seats reached their scores: smaller is earlier, all seats differ. When a position is loaded, at most 1,000,000,000.
    pub reached: u32,
}

/// A complete position: every field is there, hidden parts included.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(title = "Position", as = Position)]
pub struct PositionForm {
    /// The name of the game.
    pub game: GameId,
    /// The edition of the rules. Default: the newest.
    #[serde(default, deserialize_with = "kernel::edition::<crate::Voluspa, _>")]
    #[schema(value_type = Edition, required = false)]
    pub edition: Option<Edition>,
    /// The options of the match.
    pub options: Options,
    /// The number of seats.
    #[schema(minimum = 2, maximum = 5)]
    pub seats: u8,
    /// All types in this match, in order.
    pub tile_types: TileSet,
    /// The seat that had the first turn.
    pub start_seat: Seat,
    /// The seat to act; null when the match is finished or still being set up.
    #[serde(deserialize_with = "present")]
    #[schema(required = true)]
    pub active_seat: Option<Seat>,
    /// What the active seat has to do.
    pub phase: Phase,
    /// Freya discarded for the tile that comes next.
    #[schema(maximum = 11)]
    pub boost: u8,
    /// In phase `hermod`: where the Hermod lies; otherwise null. Between the events of a commit it may be null in this phase already.
    #[serde(deserialize_with = "present")]
    #[schema(required = true)]
    pub hermod: Option<Cell>,
    /// In phase `raven`: where the Raven lies, and on what; otherwise null. Between the events of a commit it may be set before this phase begins, and null before it ends.
    #[serde(deserialize_with = "present")]
    #[schema(required = true)]
    pub raven: Option<Flight>,
    /// All tiles on the table, sorted by `y`, then `x`.
    #[schema(max_items = 116)]
    pub board: Vec<BoardCell>,
    /// By seat.
    #[schema(min_items = 2, max_items = 5)]
    pub players: Vec<PlayerForm>,
    /// The tiles not yet drawn, sorted.
    pub pile: Tiles,
    /// The booster tokens in the supply, ascending.
    pub boosters: Tokens,
    /// All tiles out of play, sorted.
    pub discard: Tiles,
    /// The final ranking; null until the match is finished.
    #[serde(deserialize_with = "present")]
    #[schema(required = true)]
    pub ranking: Option<Vec<Place>>,
}

impl From<Position> for PositionForm {
    fn from(position: Position) -> Self {
        let ranking = scoring::ranking(&position);
        let player = |(_, player): (Seat, &Player)| {
            let Player { hand, score, reached } = *player;
            PlayerForm { hand, score, reached }
        };
        PositionForm {
            game: GameId::Voluspa,
            edition: Some(position.edition),
            options: position.options,
            seats: position.seats,
            tile_types: position.tile_types,
            start_seat: position.start_seat,
            active_seat: position.active_seat,
            phase: position.phase,
            boost: position.boost,
            hermod: position.hermod,
            raven: position.raven,
            board: cells(&position.board),
            players: position.players().map(player).collect(),
            pile: position.pile,
            boosters: position.boosters,
            discard: position.discard,
            ranking,
        }
    }
}

/// All tiles of a board as JSON has them.
pub(crate) fn cells(board: &Board) -> Vec<BoardCell> {
    let cell = |(Cell { x, y }, Piece { tile, boost })| BoardCell { x, y, tile, boost };
    board.pieces().map(cell).collect()
}
