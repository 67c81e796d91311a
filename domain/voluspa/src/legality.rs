//! What the active seat may do (section 7), and why not.
//!
//! One check serves everybody: `decide` asks it for one command, the lists ask it for every tile on every spot. It answers with a
//! [`Breach`], which is a number; the sentence for the player is made only when somebody is told (`refusal.rs`).

mod listing;
mod placing;

pub(crate) use listing::{can_act, legal_commands};
pub(crate) use placing::Placement;

use kernel::require;

use crate::board::Cell;
use crate::command::{Command, Mode};
use crate::event::DiscardReason;
use crate::pieces::{Tile, Tiles};
use crate::position::{Flight, Phase, Position};
use crate::refusal::Breach;
use listing::{can_place, freya_helps};
use placing::{Ground, Way};

/// What a legal command does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// Place a tile of the hand.
    Place(Placement),
    /// Discard a Freya.
    DiscardFreya,
    /// Discard a tile.
    Discard(Tile, DiscardReason),
    /// Do without the extra tile.
    Skip,
    /// Fly on with the Raven.
    Fly(Flight, Placement),
    /// Stay with the Raven.
    Keep,
}

/// What the command of the active seat does.
///
/// # Errors
/// The first breach, in the order of checks of section 7.
pub(crate) fn check(position: &Position, command: &Command) -> Result<Step, Breach> {
    let seat = position.active_seat.ok_or(Breach::Finished)?;
    let hand = &position.player(seat).hand;
    match *command {
        Command::PlaceTile { tile, at, mode, bump } => {
            let way = Way::of(mode, bump).ok_or(Breach::BumpField)?;
            listed(position, &[Phase::Play, Phase::Hermod])?;
            require(hand.count(tile) > 0, || Breach::NotInHand)?;
            let ground = Ground::of(position, position.boost);
            ground
                .check(tile, way, &ground.site(position.board.find(at)))
                .map(|bumped| Step::Place(Placement::new(&position.board, tile, at, mode, bumped)))
        }
        Command::DiscardFreya {} => {
            listed(position, &[Phase::Play, Phase::Hermod])?;
            require(hand.count(Tile::Freya) > 0, || Breach::NoFreya)?;
            require(freya_helps(position, seat), || Breach::FreyaUseless)?;
            Ok(Step::DiscardFreya)
        }
        Command::DiscardTile { tile } => check_discard(position, hand, tile),
        Command::SkipExtra {} => {
            listed(position, &[Phase::Hermod])?;
            require(position.boost == 0, || Breach::SkipBoosted)?;
            require(can_place(position, hand.kinds(), 0), || Breach::SkipNothing)?;
            Ok(Step::Skip)
        }
        Command::MoveRaven { at, mode } => check_flight(position, at, mode),
        Command::KeepRaven {} => {
            listed(position, &[Phase::Raven])?;
            Ok(Step::Keep)
        }
    }
}

fn check_discard(position: &Position, hand: &Tiles, tile: Tile) -> Result<Step, Breach> {
    listed(position, &[Phase::Play, Phase::Hermod, Phase::Surplus])?;
    require(hand.count(tile) > 0, || Breach::NotInHand)?;
    if position.phase == Phase::Surplus {
        require(tile != Tile::Hel, || Breach::SurplusHel)?;
        return Ok(Step::Discard(tile, DiscardReason::Surplus));
    }
    require(position.boost == 0, || Breach::DiscardBoosted)?;
    require(!can_place(position, hand.kinds(), 0), || Breach::DiscardPlaceable)?;
    Ok(Step::Discard(tile, DiscardReason::Unplayable))
}

fn check_flight(position: &Position, at: Cell, mode: Mode) -> Result<Step, Breach> {
    listed(position, &[Phase::Raven])?;
    let flight = position.raven.ok_or(Breach::NotListed)?;
    require(at != flight.at, || Breach::SamePlace)?;
    let way = match mode {
        Mode::Lay => Way::Lay,
        Mode::Cover => Way::Cover,
        Mode::Exchange | Mode::Bump => return Err(Breach::WrongMode),
    };
    let board = position.lifted(flight);
    let ground = Ground::flight(&board);
    ground
        .check(Tile::Raven, way, &ground.site(board.find(at)))
        .map(|bumped| Step::Fly(flight, Placement::new(&board, Tile::Raven, at, mode, bumped)))
}

/// Is the command's type listed for the phase (V-202)?
fn listed(position: &Position, phases: &[Phase]) -> Result<(), Breach> {
    require(phases.contains(&position.phase), || Breach::NotListed)
}
