//! The JSON of a position.

use kernel::{Edition, Seat, present};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::board::PlacedTile;
use crate::options::Options;
use crate::pieces::{Abilities, Cards, Color, Supply};
use crate::position::{EndCard, Harbor, MatchResult, Phase, Player, Position};

/// The game that a position belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum GameName {
    /// This game.
    Copenhagen,
}

/// A position as JSON: the complete state of a match, hidden parts included. C-210 says which ones may be loaded.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PositionForm {
    /// Always `copenhagen`.
    pub game: GameName,
    /// The edition of the rules. Default: the newest.
    #[serde(default, deserialize_with = "kernel::edition::<crate::Copenhagen, _>")]
    #[schema(value_type = Edition, required = false)]
    pub edition: Option<Edition>,
    /// Always empty.
    pub options: Options,
    /// Number of the current turn, all seats counted together. When a position is loaded, at most 1,000,000,000.
    #[schema(minimum = 1)]
    pub turn: u32,
    /// What the active seat may do.
    pub phase: Phase,
    /// The seat to act; null exactly when the match is finished.
    #[serde(deserialize_with = "present")]
    #[schema(required = true)]
    pub active_seat: Option<Seat>,
    /// Coats of arms that the active seat has activated and not yet used.
    #[schema(maximum = 7)]
    pub coats: u8,
    /// The players, in seat order.
    #[schema(min_items = 2, max_items = 4)]
    pub players: Vec<PlayerForm>,
    /// The colours in slots 0 to 6; null where a slot is empty.
    #[schema(value_type = Vec<Option<Color>>, min_items = 7, max_items = 7)]
    pub harbor: Harbor,
    /// Facade cards in the deck, sorted; a multiset without order.
    #[schema(value_type = Vec<Color>, max_items = 70)]
    pub deck: Cards,
    /// Facade cards that were paid or discarded, sorted.
    #[schema(value_type = Vec<Color>, max_items = 70)]
    pub discard: Cards,
    /// Where the end card is.
    pub end_card: EndCard,
    /// Tiles not yet on a board.
    pub supply: Supply,
    /// How the match ended; null until then.
    #[serde(deserialize_with = "present")]
    #[schema(required = true)]
    pub result: Option<MatchResult>,
}

/// A player in the JSON of a position.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PlayerForm {
    /// The player's index in the list.
    pub seat: Seat,
    /// The value of the complete lines of the board.
    pub score: u8,
    /// Cards in hand, sorted.
    #[schema(value_type = Vec<Color>, max_items = 70)]
    pub hand: Cards,
    /// The five abilities.
    pub abilities: Abilities,
    /// Tiles on the board, in order of placing.
    #[schema(max_items = 45)]
    pub tiles: Vec<PlacedTile>,
}

impl From<Position> for PositionForm {
    fn from(position: Position) -> Self {
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
        let seated = (0..).map(Seat).zip(&players);
        PositionForm {
            game: GameName::Copenhagen,
            edition: Some(edition),
            options: Options {},
            turn,
            phase,
            active_seat,
            coats,
            players: seated.map(|(seat, player)| player_form(seat, player)).collect(),
            harbor,
            deck,
            discard,
            end_card,
            supply,
            result: result.map(|result| *result),
        }
    }
}

fn player_form(seat: Seat, player: &Player) -> PlayerForm {
    let Player { score, hand, abilities, board } = player;
    PlayerForm {
        seat,
        score: *score,
        hand: *hand,
        abilities: *abilities,
        tiles: board.tiles().to_vec(),
    }
}
