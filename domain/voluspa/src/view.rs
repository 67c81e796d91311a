//! A position as one viewer may see it (section 4).
//!
//! [`View`] is another shape than the position: it has the sizes of the pile and the hands, scores as they are shown, and the ranking.

use kernel::{Edition, Seat, Viewer};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::board::Cell;
use crate::options::{Options, Set};
use crate::pieces::{Tile, TileSet, Tiles, Tokens};
use crate::position::{BoardCell, Flight, GameId, Phase, Player, Position, cells};
use crate::scoring::{self, Place};

/// A position as one viewer may see it. Other hands and the pile are null until the match is finished.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct View {
    /// The name of the game.
    pub game: GameId,
    /// The edition of the rules by which the match is played.
    pub edition: Edition,
    /// The options of the match.
    #[serde(deserialize_with = "OptionsRead::deserialize")]
    pub options: Options,
    /// The number of seats.
    #[schema(minimum = 2, maximum = 5)]
    pub seats: u8,
    /// All types in this match, in order.
    pub tile_types: TileSet,
    /// The seat that had the first turn.
    pub start_seat: Seat,
    /// The seat to act; null when the match is finished or still being set up.
    #[schema(required = true)]
    pub active_seat: Option<Seat>,
    /// What the active seat has to do.
    pub phase: Phase,
    /// Freya discarded for the tile that comes next.
    pub boost: u8,
    /// In phase `hermod`: where the Hermod lies; otherwise null. Between the events of a commit it may be null in this phase already.
    #[schema(required = true)]
    pub hermod: Option<Cell>,
    /// In phase `raven`: where the Raven lies, and on what; otherwise null. Between the events of a commit it may be set before this phase begins, and null before it ends.
    #[schema(required = true)]
    pub raven: Option<Flight>,
    /// All tiles on the table, sorted by `y`, then `x`.
    pub board: Vec<BoardCell>,
    /// By seat.
    pub players: Vec<PlayerView>,
    /// The tiles not yet drawn: null until the match is finished.
    #[schema(value_type = Option<Vec<Tile>>, required = true)]
    pub pile: Option<Tiles>,
    /// How many tiles are not yet drawn.
    pub pile_count: u32,
    /// The booster tokens in the supply, ascending.
    pub boosters: Tokens,
    /// All tiles out of play, sorted.
    pub discard: Tiles,
    /// The final ranking; null until the match is finished.
    #[schema(required = true)]
    pub ranking: Option<Vec<Place>>,
}

/// How a view's options are read: those of another edition may have more fields.
#[derive(Deserialize)]
#[serde(remote = "Options")]
struct OptionsRead {
    set: Set,
    custom_types: Option<TileSet>,
    lightning_bolt: bool,
    no_late_hel: bool,
}

/// What a viewer sees of a seat.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct PlayerView {
    /// Its tiles, sorted: null for the other seats and for spectators until the match is finished.
    #[schema(value_type = Option<Vec<Tile>>, required = true)]
    pub hand: Option<Tiles>,
    /// How many tiles it holds, Hel included.
    pub hand_count: u32,
    /// How many of them are Hel: dealt and played openly.
    pub hel_count: u32,
    /// The points.
    pub score: u64,
    /// The order in which the seats reached their scores: smaller is earlier.
    pub reached: u32,
    /// The score as it is shown (V-703).
    pub display: String,
}

/// What `viewer` may see.
pub(crate) fn view(position: &Position, viewer: Viewer) -> View {
    let Position {
        edition,
        options,
        seats,
        tile_types,
        start_seat,
        active_seat,
        phase,
        boost,
        hermod,
        raven,
        board,
        players: _,
        pile,
        boosters,
        discard,
    } = position;
    let open = *phase == Phase::Finished;
    View {
        game: GameId::Voluspa,
        edition: *edition,
        options: *options,
        seats: *seats,
        tile_types: *tile_types,
        start_seat: *start_seat,
        active_seat: *active_seat,
        phase: *phase,
        boost: *boost,
        hermod: *hermod,
        raven: *raven,
        board: cells(board),
        players: position
            .players()
            .map(|(seat, player)| {
                let Player { hand, score, reached } = *player;
                PlayerView {
                    hand: (open || viewer.is(seat)).then_some(hand),
                    hand_count: hand.total(),
                    hel_count: hand.count(Tile::Hel),
                    score,
                    reached,
                    display: scoring::display(position, seat),
                }
            })
            .collect(),
        pile: open.then_some(*pile),
        pile_count: pile.total(),
        boosters: *boosters,
        discard: *discard,
        ranking: scoring::ranking(position),
    }
}
