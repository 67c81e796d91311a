//! What a viewer may see: hands and the deck are hidden until the match is finished.
//!
//! [`View`] is another shape than the position: it has the viewer, and the sizes of the deck and of the hands.

use kernel::{Edition, Seat, Secret, Viewer};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use crate::board::{Column, Orientation, PlacedTile, Row};
use crate::options::Options;
use crate::pieces::{Abilities, Cards, Color, Supply, Tile};
use crate::position::{EndCard, GameName, Harbor, MatchResult, Phase, Player, Position};

/// A position as one viewer may see it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct View {
    /// Always `copenhagen`.
    pub game: GameName,
    /// The edition of the rules by which the match is played.
    pub edition: Edition,
    /// Always empty.
    pub options: Options,
    /// The viewer.
    pub viewer: Viewer,
    /// Number of the current turn, all seats counted together.
    #[schema(minimum = 1)]
    pub turn: u32,
    /// What the active seat may do.
    pub phase: Phase,
    /// The seat to act; null exactly when the match is finished.
    #[schema(required = true)]
    pub active_seat: Option<Seat>,
    /// Coats of arms that the active seat has activated and not yet used.
    #[schema(maximum = 7)]
    pub coats: u8,
    /// The players, in seat order.
    pub players: Vec<PlayerView>,
    /// The colours in slots 0 to 6; null where a slot is empty.
    #[schema(value_type = Vec<Option<Color>>, min_items = 7, max_items = 7)]
    pub harbor: Harbor,
    /// Facade cards in the deck, sorted; null until the match is finished.
    #[schema(required = true, value_type = Option<Vec<Color>>)]
    pub deck: Option<Cards>,
    /// Facade cards in the deck, plus 1 if the end card is in it.
    pub deck_size: usize,
    /// Facade cards that were paid or discarded, sorted.
    #[schema(value_type = Vec<Color>)]
    pub discard: Cards,
    /// Where the end card is.
    pub end_card: EndCard,
    /// Tiles not yet on a board.
    pub supply: Supply,
    /// How the match ended; null until then.
    #[schema(required = true)]
    pub result: Option<MatchResult>,
}

/// A player as one viewer may see them.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct PlayerView {
    /// The player's index in the list.
    pub seat: Seat,
    /// The value of the complete lines of the board.
    pub score: u8,
    /// Cards in hand, sorted; null for other players until the match is finished.
    #[schema(required = true, value_type = Option<Vec<Color>>)]
    pub hand: Option<Cards>,
    /// How many cards are in hand.
    pub hand_size: usize,
    /// The five abilities.
    pub abilities: Abilities,
    /// Tiles on the board, in order of placing.
    #[serde(deserialize_with = "tiles")]
    pub tiles: Vec<PlacedTile>,
}

/// Reads the tiles of a view: those of another edition may have more fields.
fn tiles<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<PlacedTile>, D::Error> {
    #[derive(Deserialize)]
    struct Read {
        tile: Tile,
        orientation: Orientation,
        x: Column,
        y: Row,
    }
    let placed = |Read { tile, orientation, x, y }| PlacedTile { tile, orientation, x, y };
    Ok(Vec::<Read>::deserialize(deserializer)?.into_iter().map(placed).collect())
}

impl Secret for Position {
    type Position = Position;
    type Seen = View;

    fn seen(&self, _: &Position, viewer: Viewer) -> View {
        view(self, viewer)
    }
}

/// The position as `viewer` may see it.
pub(crate) fn view(position: &Position, viewer: Viewer) -> View {
    let Position {
        edition,
        turn,
        phase,
        active_seat,
        coats,
        players,
        harbor,
        deck,
        discard,
        end_card,
        supply,
        result,
    } = position;
    let open = result.is_some();
    let player = |(seat, player)| player_view(seat, player, open || viewer.is(seat));
    View {
        game: GameName::Copenhagen,
        edition: *edition,
        options: Options {},
        viewer,
        turn: *turn,
        phase: *phase,
        active_seat: *active_seat,
        coats: *coats,
        players: (0..).map(Seat).zip(players).map(player).collect(),
        harbor: *harbor,
        deck: open.then_some(*deck),
        deck_size: position.deck_size(),
        discard: *discard,
        end_card: *end_card,
        supply: *supply,
        result: result.as_deref().cloned(),
    }
}

fn player_view(seat: Seat, player: &Player, open: bool) -> PlayerView {
    let Player { score, hand, abilities, board } = player;
    PlayerView {
        seat,
        score: *score,
        hand: open.then_some(*hand),
        hand_size: hand.len(),
        abilities: *abilities,
        tiles: board.tiles().to_vec(),
    }
}
