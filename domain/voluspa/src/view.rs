//! A position as one viewer may see it (section 4).

use kernel::{Seat, Viewer};
use serde::Serialize;
use utoipa::ToSchema;

use crate::board::Cell;
use crate::event::Event;
use crate::options::Options;
use crate::pieces::{Tile, TileSet, Tiles, Tokens};
use crate::position::{BoardCell, Flight, GameId, Phase, Player, Position, cells};
use crate::scoring::{self, Place};

/// A position as one viewer may see it. Other hands and the pile are null until the match is finished.
#[derive(Debug, Serialize, ToSchema)]
pub struct View {
    /// The name of the game.
    game: GameId,
    /// The options of the match.
    options: Options,
    /// How many seats.
    #[schema(minimum = 2, maximum = 5)]
    seats: u8,
    /// All types in this match, in order.
    tile_types: TileSet,
    /// Who had the first turn.
    start_seat: Seat,
    /// Who acts; null when the match is finished.
    #[schema(required = true)]
    active_seat: Option<Seat>,
    /// What the active seat has to do.
    phase: Phase,
    /// Freya discarded for the tile that comes next.
    boost: u8,
    /// In phase `hermod`: where the Hermod lies; otherwise null.
    #[schema(required = true)]
    hermod: Option<Cell>,
    /// In phase `raven`: where the Raven lies, and on what; otherwise null.
    #[schema(required = true)]
    raven: Option<Flight>,
    /// All tiles on the table, sorted by `y`, then `x`.
    board: Vec<BoardCell>,
    /// By seat.
    players: Vec<PlayerView>,
    /// The tiles not yet drawn: null until the match is finished.
    #[schema(value_type = Option<Vec<Tile>>, required = true)]
    pile: Option<Tiles>,
    /// How many tiles are not yet drawn.
    pile_count: u32,
    /// The booster tokens in the supply, ascending.
    boosters: Tokens,
    /// All tiles out of play, sorted.
    discard: Tiles,
    /// The final ranking; null until the match is finished.
    #[schema(required = true)]
    ranking: Option<Vec<Place>>,
}

/// What a viewer sees of a seat.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlayerView {
    /// Its tiles, sorted: null for the other seats and for spectators until the match is finished.
    #[schema(value_type = Option<Vec<Tile>>, required = true)]
    hand: Option<Tiles>,
    /// How many tiles it holds, Hel included.
    hand_count: u32,
    /// How many of them are Hel: dealt and played openly.
    hel_count: u32,
    /// Its points.
    score: u64,
    /// When it reached its score; smaller is earlier.
    reached: u32,
    /// The score as it is shown (V-703).
    display: String,
}

/// What `viewer` may see.
pub(crate) fn view(position: &Position, viewer: Viewer) -> View {
    let Position {
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

/// An event as one viewer may see it: a drawn tile is hidden from the others, everything else is open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum EventView {
    /// A tile that somebody else drew.
    Hidden(HiddenEvent),
    /// An event that this viewer sees in full.
    Open(Event),
}

/// What is left of an event with a hidden part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "type")]
pub enum HiddenEvent {
    /// A tile was drawn from the pile.
    TileDrawn {
        /// Who drew it.
        seat: Seat,
        /// Always null: only the seat itself sees it.
        #[schema(required = true)]
        tile: Option<Tile>,
    },
}

/// The event as `viewer` may see it.
pub(crate) fn event_view(event: &Event, viewer: Viewer) -> EventView {
    match *event {
        Event::TileDrawn { seat, tile: _ } if !viewer.is(seat) => {
            EventView::Hidden(HiddenEvent::TileDrawn { seat, tile: None })
        }
        Event::TileDrawn { seat: _, tile: _ }
        | Event::MatchStarted { seats: _, options: _, tile_types: _, pile: _, boosters: _ }
        | Event::HelDealt { seat: _, count: _ }
        | Event::StartTilePlaced { tile: _, at: _ }
        | Event::StartSeatChosen { seat: _ }
        | Event::TurnStarted { seat: _, passed: _ }
        | Event::FreyaDiscarded { seat: _, boost: _ }
        | Event::TilePlaced {
            seat: _,
            tile: _,
            boost: _,
            at: _,
            mode: _,
            under: _,
            under_boost: _,
            bumped_to: _,
        }
        | Event::FreyaReturned { seat: _, count: _ }
        | Event::ScoreAwarded {
            seat: _,
            points: _,
            reason: _,
            tile: _,
            at: _,
            parts: _,
            total: _,
            reached: _,
        }
        | Event::ExtraPlayGranted { seat: _, hermod: _ }
        | Event::ExtraPlaySkipped { seat: _ }
        | Event::RavenFlightGranted { seat: _ }
        | Event::RavenMoved {
            seat: _,
            from: _,
            restored: _,
            at: _,
            mode: _,
            under: _,
            under_boost: _,
        }
        | Event::RavenKept { seat: _ }
        | Event::SurplusFound { seat: _, count: _ }
        | Event::TileDiscarded { seat: _, tile: _, reason: _ }
        | Event::HelRemoved { hels: _ }
        | Event::MatchFinished { ranking: _ } => EventView::Open(event.clone()),
    }
}
