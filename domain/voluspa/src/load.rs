//! May a loaded position be played (V-109)?

mod bounds;

use kernel::{Refusal, require};

use crate::board::{Board, Cell, Piece};
use crate::pieces::{Tile, Tokens};
use crate::position::{BoardCell, Phase, Player, PlayerForm, Position, PositionForm, SEATS_MOST};
use crate::scoring::{self, Place};
use crate::{Voluspa, legality, refusal};

/// The most points that a loaded position may have: far beyond any match, and no sum runs out of numbers.
const SCORE_MOST: u64 = 1_000_000_000_000;
/// The latest `reached` of a loaded position.
const REACHED_MOST: u32 = 1_000_000_000;

/// A position that came out of one box, checked and ready for play.
///
/// # Errors
/// V-109, with the first thing that is wrong.
pub(crate) fn admit(form: PositionForm) -> Result<Position, Refusal> {
    bounds::check(&form)?;
    restore(form)
}

/// A position that was checked, ready for play.
///
/// # Errors
/// V-109, with the first thing that is wrong. Types, single fields and the order of arrays of tiles and tokens were checked when
/// the form was read; that it comes out of one box is asked in `bounds`.
pub(crate) fn restore(form: PositionForm) -> Result<Position, Refusal> {
    check(&form).map_err(|reason| Refusal::new(refusal::POSITION, reason))?;
    let mut players = [Player::default(); SEATS_MOST];
    for (player, PlayerForm { hand, score, reached }) in players.iter_mut().zip(&form.players) {
        *player = Player { hand: *hand, score: *score, reached: *reached };
    }
    let piece =
        |&BoardCell { x, y, tile, boost }: &BoardCell| (Cell { x, y }, Piece { tile, boost });
    let pieces: Vec<(Cell, Piece)> = form.board.iter().map(piece).collect();
    let position = Position {
        edition: form.edition.unwrap_or_else(kernel::newest::<Voluspa>),
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
        .map_err(|reason| Refusal::new(refusal::POSITION, reason))?;
    Ok(position)
}

/// The shape of a form, but for what needs the board.
fn check(form: &PositionForm) -> Result<(), String> {
    form.options.check().map_err(|refusal| refusal.reason)?;
    let seats = form.seats;
    require((2..=5).contains(&seats), || format!("a match has 2 to 5 seats, not {seats}"))?;
    let players = form.players.len();
    require(players == usize::from(seats), || format!("{seats} seats, but {players} players"))?;
    for seat in form.active_seat.into_iter().chain([form.start_seat]) {
        require(seat.0 < seats, || format!("there is no seat {seat}"))?;
    }
    require(form.phase != Phase::Setup, || "no position of play is in phase setup".to_owned())?;
    if form.active_seat.is_some() == (form.phase == Phase::Finished) {
        return Err("a seat is active exactly while the match is not finished".to_owned());
    }
    let highest = Tokens::HIGHEST - 1;
    require(form.boost <= highest, || format!("boost is {}, more than {highest}", form.boost))?;
    check_players(&form.players)?;
    check_board(&form.board)
}

fn check_players(players: &[PlayerForm]) -> Result<(), String> {
    for (seat, PlayerForm { hand: _, score, reached }) in players.iter().enumerate() {
        require(*score <= SCORE_MOST, || {
            format!("the score of seat {seat} is {score}, more than {SCORE_MOST}")
        })?;
        require(*reached <= REACHED_MOST, || {
            format!("reached of seat {seat} is {reached}, more than {REACHED_MOST}")
        })?;
        let alone = players[..seat].iter().all(|other| other.reached != *reached);
        require(alone, || format!("two seats have reached {reached}"))?;
    }
    Ok(())
}

fn check_board(board: &[BoardCell]) -> Result<(), String> {
    require(!board.is_empty(), || "no tile lies on the board".to_owned())?;
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
        let (boost, s) = (found.boost, if found.boost == 1 { "" } else { "s" });
        Err(format!("the {} on {} cannot have {boost} boost{s}", found.tile, cell(found)))
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
    if ranking != scoring::ranking(position).as_deref() {
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
