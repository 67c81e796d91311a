//! What can be wrong with a command, the sentence that tells a player so, and the rules that are quoted otherwise.

use kernel::{Refusal, Rule};

use crate::board::Cell;
use crate::command::{Command, Mode};
use crate::pieces::Tile;
use crate::position::{Phase, Position};

pub(crate) const SEATS: Rule = Rule("V-101");
pub(crate) const OPTIONS: Rule = Rule("V-102");
pub(crate) const POSITION: Rule = Rule("V-109");
pub(crate) const FINISHED: Rule = Rule("V-201");
pub(crate) const COMMAND: Rule = Rule("V-202");
pub(crate) const NOT_ACTIVE: Rule = Rule("V-211");

/// The first thing that is wrong with a command: a rule, and which of its conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Breach {
    /// The match is finished.
    Finished,
    /// The type is not listed for the phase.
    NotListed,
    /// `bump` does not go with `mode`.
    BumpField,
    /// The tile is not in the hand.
    NotInHand,
    /// No Freya is in the hand.
    NoFreya,
    /// A tile is discarded although a Freya was discarded for it.
    DiscardBoosted,
    /// A tile is discarded although one can be placed.
    DiscardPlaceable,
    /// After the Freya nothing could be placed.
    FreyaUseless,
    /// The extra tile is skipped after a Freya was discarded for it.
    SkipBoosted,
    /// The extra tile is skipped although none fits.
    SkipNothing,
    /// Hel is discarded as surplus.
    SurplusHel,
    /// Hel is placed after the last tile of the pile was drawn.
    LateHel,
    /// The tile is not placed in this mode.
    WrongMode,
    /// The cell is not empty.
    Occupied,
    /// No other tile lies beside the cell.
    Apart,
    /// A Troll lies beside the cell.
    Troll,
    /// A bumped Troll would lie beside the Jotunn.
    BumpedTroll,
    /// A line would be longer than seven.
    TooLong,
    /// No tile lies there that could be covered.
    NoCover,
    /// No tile lies there that could be exchanged.
    NoExchange,
    /// No tile lies there that could be bumped.
    NoBump,
    /// The cell just beyond the end of the line is not empty, or there is none.
    NoRoom,
    /// The bumped tile would lie beside a Troll.
    BumpedToTroll,
    /// The cell is not in the Hermod's reach.
    OutOfReach,
    /// Hel is boosted.
    HelBoosted,
    /// The token is not in the supply.
    NoToken,
    /// The Raven flies to where it is.
    SamePlace,
}

impl Breach {
    /// The refusal of a command for this breach, with the facts of the position.
    pub(crate) fn refusal(self, position: &Position, command: &Command) -> Refusal {
        let (tile, at, mode) = subject(command);
        let one = named(tile);
        let seat = position.active_seat.map_or(String::new(), |seat| seat.to_string());
        let boost = position.boost;
        // A flying Raven is lifted first.
        let gone = if position.phase == Phase::Raven { "with the Raven gone, " } else { "" };
        let (rule, reason) = match self {
            Breach::Finished => (FINISHED, "the match is finished".to_owned()),
            Breach::NotListed => {
                (COMMAND, format!("this is not a command of the phase {}", position.phase))
            }
            Breach::BumpField if mode == Mode::Bump => {
                (COMMAND, "mode bump needs a direction".to_owned())
            }
            Breach::BumpField => (COMMAND, "only mode bump has a direction".to_owned()),
            Breach::NotInHand => (Rule("V-203"), format!("the hand of seat {seat} has no {tile}")),
            Breach::NoFreya => (Rule("V-203"), format!("the hand of seat {seat} has no Freya")),
            Breach::DiscardBoosted => {
                (Rule("V-204"), format!("{} discarded for the next tile", freya(boost)))
            }
            Breach::DiscardPlaceable => {
                (Rule("V-204"), format!("a tile of the hand of seat {seat} can be placed"))
            }
            Breach::FreyaUseless => {
                let (least, s) = (boost + 1, if boost == 0 { "" } else { "s" });
                (Rule("V-205"), format!("with {least} boost{s} or more nothing could be placed"))
            }
            Breach::SkipBoosted => {
                (Rule("V-206"), format!("{} discarded for the extra tile", freya(boost)))
            }
            Breach::SkipNothing => {
                (Rule("V-206"), "no tile of the hand fits, so one must be discarded".to_owned())
            }
            Breach::SurplusHel => {
                (Rule("V-207"), "Hel does not count against the five tiles of a hand".to_owned())
            }
            Breach::LateHel => (
                Rule("V-210"),
                "the pile is empty, and Hel is not placed then in this match".to_owned(),
            ),
            Breach::WrongMode => (Rule("V-301"), format!("{one} is not placed in mode {mode}")),
            Breach::Occupied => (Rule("V-302"), format!("the cell {at} is not empty")),
            Breach::Apart => (Rule("V-303"), format!("no other tile lies beside the cell {at}")),
            Breach::Troll => (Rule("V-304"), format!("{gone}a Troll lies beside the cell {at}")),
            Breach::BumpedTroll => {
                (Rule("V-304"), format!("the Troll bumped from {at} would lie beside the Jotunn"))
            }
            Breach::TooLong => {
                (Rule("V-305"), format!("with {one} on {at} a line would be longer than seven"))
            }
            Breach::NoCover => (
                Rule("V-306"),
                format!("{} lies on {at}: {one} does not cover that", found(position, at)),
            ),
            Breach::NoExchange => (
                Rule("V-307"),
                format!("{} lies on {at}: no Skadi takes that", found(position, at)),
            ),
            Breach::NoBump => (
                Rule("V-308"),
                format!("{} lies on {at}: no Jotunn bumps that", found(position, at)),
            ),
            Breach::NoRoom => (Rule("V-308"), no_room(at)),
            Breach::BumpedToTroll => {
                (Rule("V-309"), format!("the tile bumped from {at} would lie beside a Troll"))
            }
            Breach::OutOfReach => {
                (Rule("V-310"), format!("the Hermod does not reach {one} on {at}"))
            }
            Breach::HelBoosted => {
                (Rule("V-311"), "Hel has no value that could be boosted".to_owned())
            }
            Breach::NoToken => {
                (Rule("V-311"), format!("the supply has no token {}", tile.printed() + boost))
            }
            Breach::SamePlace => (Rule("V-312"), format!("the Raven is on {at} already")),
        };
        Refusal::new(rule, reason)
    }
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

fn no_room(at: Cell) -> String {
    format!(
        "the cell just beyond the end of the line through {at} in that direction is not empty, \
         or there is none"
    )
}

fn found(position: &Position, at: Cell) -> String {
    position.board.at(at).map_or("nothing".to_owned(), |piece| named(piece.tile))
}

/// How many Freya, as the beginning of a sentence about them.
fn freya(count: u8) -> String {
    if count == 1 { "a Freya was".to_owned() } else { format!("{count} Freya were") }
}

/// A tile with its article.
fn named(tile: Tile) -> String {
    let article = if tile.name().starts_with(['A', 'E', 'I', 'O', 'U']) { "an" } else { "a" };
    format!("{article} {tile}")
}
