//! What can be wrong with a command, and the rules that are quoted when something is refused.

mod explain;

pub(crate) use explain::refusal;

use kernel::Rule;

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
    /// No tile lies beside the cell.
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
    /// There is no empty cell beyond the end of the line.
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
    /// The rule that is broken.
    pub(crate) const fn rule(self) -> Rule {
        match self {
            Breach::Finished => FINISHED,
            Breach::NotListed | Breach::BumpField => COMMAND,
            Breach::NotInHand | Breach::NoFreya => Rule("V-203"),
            Breach::DiscardBoosted | Breach::DiscardPlaceable => Rule("V-204"),
            Breach::FreyaUseless => Rule("V-205"),
            Breach::SkipBoosted | Breach::SkipNothing => Rule("V-206"),
            Breach::SurplusHel => Rule("V-207"),
            Breach::LateHel => Rule("V-210"),
            Breach::WrongMode => Rule("V-301"),
            Breach::Occupied => Rule("V-302"),
            Breach::Apart => Rule("V-303"),
            Breach::Troll | Breach::BumpedTroll => Rule("V-304"),
            Breach::TooLong => Rule("V-305"),
            Breach::NoCover => Rule("V-306"),
            Breach::NoExchange => Rule("V-307"),
            Breach::NoBump | Breach::NoRoom => Rule("V-308"),
            Breach::BumpedToTroll => Rule("V-309"),
            Breach::OutOfReach => Rule("V-310"),
            Breach::HelBoosted | Breach::NoToken => Rule("V-311"),
            Breach::SamePlace => Rule("V-312"),
        }
    }
}
