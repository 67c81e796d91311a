//! The sentence that tells a player what is wrong, with the facts of the position.

use kernel::Refusal;

use crate::board::Cell;
use crate::command::{Command, Mode};
use crate::pieces::Tile;
use crate::position::{Phase, Position};
use crate::refusal::Breach;

/// The refusal of a command for a breach that [`check`](super::check) has found.
pub(crate) fn refusal(position: &Position, command: &Command, breach: Breach) -> Refusal {
    let (tile, at, mode) = subject(command);
    let seat = position.active_seat.map_or(String::new(), |seat| seat.to_string());
    let boost = position.boost;
    let reason = match breach {
        Breach::Finished => "the match is finished".to_owned(),
        Breach::NotListed => {
            format!("the phase is {}, in which this is no command", phase_name(position.phase))
        }
        Breach::BumpField if mode == Mode::Bump => "mode bump needs a direction".to_owned(),
        Breach::BumpField => "only mode bump has a direction".to_owned(),
        Breach::NotInHand => format!("the hand of seat {seat} has no {tile}"),
        Breach::NoFreya => format!("the hand of seat {seat} has no Freya"),
        Breach::DiscardBoosted => format!("{boost} Freya were discarded for the next tile"),
        Breach::DiscardPlaceable => format!("a tile of the hand of seat {seat} can be placed"),
        Breach::FreyaUseless => {
            format!("with {} boosts or more nothing could be placed", boost + 1)
        }
        Breach::SkipBoosted => format!("{boost} Freya were discarded for the extra tile"),
        Breach::SkipNothing => "no tile of the hand fits, so one must be discarded".to_owned(),
        Breach::SurplusHel => "Hel does not count against the five tiles of a hand".to_owned(),
        Breach::LateHel => "the pile is empty, and Hel is not placed then in this match".to_owned(),
        Breach::WrongMode => format!("a {tile} is not placed in mode {}", mode_name(mode)),
        Breach::Occupied => format!("the cell {at} is not empty"),
        Breach::Apart => format!("no tile lies beside the cell {at}"),
        Breach::Troll => format!("a Troll lies beside the cell {at}"),
        Breach::BumpedTroll => format!("the Troll bumped from {at} would lie beside the Jotunn"),
        Breach::TooLong => format!("with a {tile} on {at} a line would be longer than seven"),
        Breach::NoCover => {
            format!("{} lies on {at}: a {tile} does not cover that", found(position, at))
        }
        Breach::NoExchange => format!("{} lies on {at}: no Skadi takes that", found(position, at)),
        Breach::NoBump => format!("{} lies on {at}: no Jotunn bumps that", found(position, at)),
        Breach::NoRoom => format!("beyond the end of the line through {at} is no empty cell"),
        Breach::BumpedToTroll => format!("the tile bumped from {at} would lie beside a Troll"),
        Breach::OutOfReach => format!("the Hermod does not reach a {tile} on {at}"),
        Breach::HelBoosted => "Hel has no value that could be boosted".to_owned(),
        Breach::NoToken => format!("the supply has no token {}", tile.printed() + boost),
        Breach::SamePlace => format!("the Raven is on {at} already"),
    };
    Refusal::new(breach.rule(), reason)
}

/// What a command says about the tile that it moves; for a command that moves none nobody asks.
fn subject(command: &Command) -> (Tile, Cell, Mode) {
    let nowhere = Cell { x: 0, y: 0 };
    match *command {
        Command::PlaceTile { tile, at, mode, bump: _ } => (tile, at, mode),
        Command::MoveRaven { at, mode } => (Tile::Raven, at, mode),
        Command::DiscardTile { tile } => (tile, nowhere, Mode::Lay),
        Command::DiscardFreya {} | Command::SkipExtra {} | Command::KeepRaven {} => {
            (Tile::Freya, nowhere, Mode::Lay)
        }
    }
}

fn found(position: &Position, at: Cell) -> String {
    position.board.at(at).map_or("nothing".to_owned(), |piece| format!("a {}", piece.tile))
}

const fn mode_name(mode: Mode) -> &'static str {
    match mode {
        Mode::Lay => "lay",
        Mode::Cover => "cover",
        Mode::Exchange => "exchange",
        Mode::Bump => "bump",
    }
}

const fn phase_name(phase: Phase) -> &'static str {
    match phase {
        Phase::Setup => "setup",
        Phase::Play => "play",
        Phase::Hermod => "hermod",
        Phase::Raven => "raven",
        Phase::Surplus => "surplus",
        Phase::Finished => "finished",
    }
}
