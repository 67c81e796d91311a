//! The JSON of a position, and what is checked when one is loaded (V-109).

use kernel::{Refusal, Seat, present};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::board::{Board, Piece};
use crate::cell::Cell;
use crate::legality;
use crate::options::Options;
use crate::position::{Flight, Phase, Player, Position, SEATS_MOST};
use crate::rules;
use crate::standing::{self, Place};
use crate::tile::Tile;
use crate::tiles::{TileSet, Tiles};
use crate::tokens::Tokens;

/// The most points that a loaded position may have: far beyond any match, and no sum runs out of numbers.
const SCORE_MOST: u64 = 1_000_000_000_000;
/// The latest `reached` of a loaded position.
const REACHED_MOST: u32 = 1_000_000_000;

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
    /// What lies there.
    pub tile: Tile,
    /// How many Freya boost it. With the printed value at most 12, the highest token.
    #[schema(maximum = 11)]
    pub boost: u8,
}

/// What a seat has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PlayerForm {
    /// Its tiles, sorted.
    pub hand: Tiles,
    /// Its points.
    #[schema(maximum = 1_000_000_000_000_u64)]
    pub score: u64,
    /// When it reached its score; smaller is earlier, all seats differ.
    #[schema(maximum = 1_000_000_000)]
    pub reached: u32,
}

/// A complete position: every field is there, hidden parts included.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(title = "Position", as = Position)]
pub struct PositionForm {
    /// The name of the game.
    pub game: GameId,
    /// The options of the match.
    pub options: Options,
    /// How many seats.
    #[schema(minimum = 2, maximum = 5)]
    pub seats: u8,
    /// All types in this match, in order.
    pub tile_types: TileSet,
    /// Who had the first turn.
    pub start_seat: Seat,
    /// Who acts; null when the match is finished.
    #[serde(deserialize_with = "present")]
    #[schema(required = true)]
    pub active_seat: Option<Seat>,
    /// What the active seat has to do.
    pub phase: Phase,
    /// Freya discarded for the tile that comes next.
    #[schema(maximum = 11)]
    pub boost: u8,
    /// In phase `hermod`: where the Hermod lies; otherwise null.
    #[serde(deserialize_with = "present")]
    #[schema(required = true)]
    pub hermod: Option<Cell>,
    /// In phase `raven`: where the Raven lies, and on what; otherwise null.
    #[serde(deserialize_with = "present")]
    #[schema(required = true)]
    pub raven: Option<Flight>,
    /// All tiles on the table, sorted by `y`, then `x`.
    #[schema(min_items = 1, max_items = 116)]
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
        let ranking = standing::ranking(&position);
        let player = |(_, player): (Seat, &Player)| {
            let Player { hand, score, reached } = *player;
            PlayerForm { hand, score, reached }
        };
        PositionForm {
            game: GameId::Voluspa,
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

/// A position that was checked, ready for play.
///
/// # Errors
/// V-109, with the first thing that is wrong. Types, single fields and the order of arrays of tiles and tokens were checked when
/// the form was read; that it comes out of one box is asked in `bounds`.
pub(crate) fn admit(form: PositionForm) -> Result<Position, Refusal> {
    check(&form).map_err(|reason| Refusal::new(rules::POSITION, reason))?;
    let mut players = [Player::default(); SEATS_MOST];
    for (player, PlayerForm { hand, score, reached }) in players.iter_mut().zip(&form.players) {
        *player = Player { hand: *hand, score: *score, reached: *reached };
    }
    let pieces: Vec<(Cell, Piece)> = form
        .board
        .iter()
        .map(|&BoardCell { x, y, tile, boost }| (Cell { x, y }, Piece { tile, boost }))
        .collect();
    let position = Position {
        options: form.options,
        seats: form.seats,
        tile_types: form.tile_types,
        start_seat: form.start_seat,
        active_seat: form.active_seat,
        phase: form.phase,
        boost: form.boost,
        hermod: form.hermod,
        raven: form.raven,
        board: Board::of(&pieces),
        players,
        pile: form.pile,
        boosters: form.boosters,
        discard: form.discard,
    };
    check_play(&position, form.ranking.as_deref())
        .map_err(|reason| Refusal::new(rules::POSITION, reason))?;
    Ok(position)
}

/// The shape of a form, but for what needs the board.
fn check(form: &PositionForm) -> Result<(), String> {
    form.options.check().map_err(|refusal| refusal.reason)?;
    let seats = form.seats;
    if !(2..=5).contains(&seats) {
        return Err(format!("a match has 2 to 5 seats, not {seats}"));
    }
    if form.players.len() != usize::from(seats) {
        return Err(format!("{seats} seats, but {} players", form.players.len()));
    }
    if let Some(seat) =
        form.active_seat.iter().chain([&form.start_seat]).find(|seat| seat.0 >= seats)
    {
        return Err(format!("there is no seat {seat}"));
    }
    if form.phase == Phase::Setup {
        return Err("no position of play is in phase setup".to_owned());
    }
    if form.active_seat.is_some() == (form.phase == Phase::Finished) {
        return Err("a seat is active exactly while the match is not finished".to_owned());
    }
    let highest = Tokens::HIGHEST - 1;
    if form.boost > highest {
        return Err(format!("boost is {}, more than {highest}", form.boost));
    }
    check_players(&form.players)?;
    check_board(&form.board)
}

fn check_players(players: &[PlayerForm]) -> Result<(), String> {
    for (seat, PlayerForm { hand: _, score, reached }) in players.iter().enumerate() {
        if *score > SCORE_MOST {
            return Err(format!("the score of seat {seat} is {score}, more than {SCORE_MOST}"));
        }
        if *reached > REACHED_MOST {
            return Err(format!("reached of seat {seat} is {reached}, more than {REACHED_MOST}"));
        }
        if players[..seat].iter().any(|other| other.reached == *reached) {
            return Err(format!("two seats have reached {reached}"));
        }
    }
    Ok(())
}

fn check_board(board: &[BoardCell]) -> Result<(), String> {
    if board.is_empty() {
        return Err("no tile lies on the board".to_owned());
    }
    let cell = |cell: &BoardCell| Cell { x: cell.x, y: cell.y };
    if let Some(pair) = board.windows(2).find(|pair| cell(&pair[0]) >= cell(&pair[1])) {
        let (one, next) = (cell(&pair[0]), cell(&pair[1]));
        return Err(if one == next {
            format!("the cell {one} is there twice")
        } else {
            format!("the board is not sorted: {next} comes after {one}")
        });
    }
    let overdone = |cell: &&BoardCell| {
        let most = if cell.tile == Tile::Hel { 0 } else { Tokens::HIGHEST - cell.tile.printed() };
        cell.boost > most
    };
    board.iter().find(overdone).map_or(Ok(()), |found| {
        Err(format!("the {} on {} cannot have {} boosts", found.tile, cell(found), found.boost))
    })
}

/// What needs the board, the last question first: can the active seat do anything?
fn check_play(position: &Position, ranking: Option<&[Place]>) -> Result<(), String> {
    let lies =
        |cell: Cell, tile: Tile| position.board.at(cell).is_some_and(|piece| piece.tile == tile);
    if position.hermod.is_some() != (position.phase == Phase::Hermod) {
        return Err("hermod is a cell exactly in phase hermod".to_owned());
    }
    if let Some(cell) = position.hermod.filter(|cell| !lies(*cell, Tile::Hermod)) {
        return Err(format!("no Hermod lies on {cell}"));
    }
    if position.raven.is_some() != (position.phase == Phase::Raven) {
        return Err("raven is set exactly in phase raven".to_owned());
    }
    if let Some(flight) = position.raven.filter(|flight| !lies(flight.at, Tile::Raven)) {
        return Err(format!("no Raven lies on {}", flight.at));
    }
    if ranking != standing::ranking(position).as_deref() {
        return Err(match position.phase {
            Phase::Finished => "the ranking is not that of the scores",
            Phase::Setup | Phase::Play | Phase::Hermod | Phase::Raven | Phase::Surplus => {
                "there is no ranking until the match is finished"
            }
        }
        .to_owned());
    }
    match position.active_seat {
        Some(seat) if !legality::can_act(position) => {
            Err(format!("seat {seat} is active and has no legal command"))
        }
        Some(_) | None => Ok(()),
    }
}
