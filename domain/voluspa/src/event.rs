//! What happened (section 8).

use kernel::{Fact, Seat};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::ToSchema;

use crate::board::Cell;
use crate::command::Mode;
use crate::options::Options;
use crate::pieces::{Tile, TileSet, Tiles, Tokens};
use crate::position::Position;
use crate::scoring::Place;

/// Why a tile was discarded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DiscardReason {
    /// No tile of the hand could be placed (V-204).
    Unplayable,
    /// The hand held more than five tiles (V-207).
    Surplus,
}

/// By which rule points were awarded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ScoreReason {
    /// The tile dominates its row, its column or both (V-504).
    Lines,
    /// The tile lies alone (V-506).
    Solitary,
    /// V-509.
    SeaSerpent,
    /// V-508.
    LightningBolt,
    /// V-507.
    Hel,
    /// V-510.
    Dwarf,
}

/// What the points of a part are counted from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PartKind {
    /// Tiles in the row; cells, for a Sea Serpent.
    Row,
    /// Tiles in the column; cells, for a Sea Serpent.
    Column,
    /// The tile alone.
    Solitary,
    /// Tiles around a Hel.
    Neighbours,
    /// Values beside a Dwarf.
    Values,
}

/// A part of the points: `points` = `count` + `bonus`, or half the `count` for `values`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// What was counted.
    pub kind: PartKind,
    /// How many.
    pub count: u64,
    /// What Niohoggr adds (V-505).
    pub bonus: u64,
    /// The points of this part.
    pub points: u64,
}

/// The one or two parts of an award, row before column. JSON: an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    first: Part,
    second: Option<Part>,
}

impl Parts {
    /// An award of one part, or of two.
    #[must_use]
    pub fn new(first: Part, second: Option<Part>) -> Parts {
        Parts { first, second }
    }

    /// The parts in order.
    pub fn iter(&self) -> impl Iterator<Item = &Part> {
        std::iter::once(&self.first).chain(&self.second)
    }

    /// The points of all parts.
    #[must_use]
    pub fn points(&self) -> u64 {
        self.iter().map(|part| part.points).sum()
    }
}

impl Serialize for Parts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Parts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Vec::<Part>::deserialize(deserializer)?[..] {
            [first] => Ok(Parts::new(first, None)),
            [first, second] => Ok(Parts::new(first, Some(second))),
            [] | [_, _, _, ..] => Err(D::Error::custom("an award has one or two parts")),
        }
    }
}

/// How many Hel a seat has lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HelCount {
    /// Who lost them.
    pub seat: Seat,
    /// How many.
    pub count: u32,
}

/// A fact. `seat` is the acting seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Fact)]
#[secret(position = Position)]
#[serde(tag = "type", deny_unknown_fields)]
pub enum Event {
    /// A match began; all of its tiles but Hel are in the pile.
    #[open(seats, options, tile_types, pile, boosters)]
    MatchStarted {
        /// How many seats.
        #[schema(minimum = 2, maximum = 5)]
        seats: u8,
        /// The options, defaults filled in.
        options: Options,
        /// All types of the match.
        tile_types: TileSet,
        /// The pile, sorted: the printed content, and no secret.
        #[schema(value_type = Vec<Tile>)]
        pile: Box<Tiles>,
        /// The booster tokens, ascending; none without Freya.
        #[schema(value_type = Vec<u8>)]
        boosters: Box<Tokens>,
    },
    /// A seat got Hel tiles.
    #[open(seat, count)]
    HelDealt {
        /// Who got them.
        seat: Seat,
        /// How many.
        count: u32,
    },
    /// A tile was drawn from the pile.
    #[open(seat)]
    TileDrawn {
        /// Who drew it.
        seat: Seat,
        /// Which one: hidden from all others.
        #[hidden(owner = seat, doc = "Always null: only the seat itself sees it.")]
        #[news(all)]
        tile: Tile,
    },
    /// The first tile was laid.
    #[open(at)]
    StartTilePlaced {
        /// Which one.
        #[news(all)]
        tile: Tile,
        /// Where: (0, 0).
        at: Cell,
    },
    /// The start seat was drawn.
    StartSeatChosen {
        /// Who begins.
        #[news(all)]
        seat: Seat,
    },
    /// A turn began.
    #[open(seat, passed)]
    TurnStarted {
        /// Whose turn.
        seat: Seat,
        /// Seats without tiles that were passed, in order.
        passed: Vec<Seat>,
    },
    /// A Freya was discarded to boost the next tile.
    #[news(others)]
    #[open(seat, boost)]
    FreyaDiscarded {
        /// Who discarded it.
        seat: Seat,
        /// Freya discarded so far for that tile.
        boost: u8,
    },
    /// A tile was placed.
    #[open(seat, boost, at, mode, under, under_boost, bumped_to)]
    TilePlaced {
        /// Who placed it.
        seat: Seat,
        /// Which one.
        #[news(others, if = |tile: &Tile| *tile != Tile::Hel)]
        tile: Tile,
        /// Its boosts.
        boost: u8,
        /// Where.
        at: Cell,
        /// How.
        mode: Mode,
        /// The tile that was covered, exchanged or bumped; null if none.
        #[serde(deserialize_with = "kernel::present")]
        #[schema(required = true)]
        under: Option<Tile>,
        /// The boosts of that tile.
        under_boost: u8,
        /// Where it was bumped to; null if it was not.
        #[serde(deserialize_with = "kernel::present")]
        #[schema(required = true)]
        bumped_to: Option<Cell>,
    },
    /// Skadi exchanged a boosted tile, and its Freya came back from the discard pile.
    #[open(seat, count)]
    FreyaReturned {
        /// Who got them.
        seat: Seat,
        /// How many.
        count: u32,
    },
    /// A placement scored.
    #[open(seat, points, reason, tile, at, parts, total, reached)]
    ScoreAwarded {
        /// Who scored.
        seat: Seat,
        /// How many points: the sum of the parts, at least 1.
        points: u64,
        /// By which rule.
        reason: ScoreReason,
        /// The tile that scored.
        tile: Tile,
        /// Where it lies.
        at: Cell,
        /// What the points are made of: one part, or row and column.
        #[schema(value_type = Vec<Part>, min_items = 1, max_items = 2)]
        parts: Parts,
        /// The score afterwards.
        total: u64,
        /// When the seat reached it (V-513).
        reached: u32,
    },
    /// An extra tile may be placed.
    #[open(seat, hermod)]
    ExtraPlayGranted {
        /// By whom.
        seat: Seat,
        /// Where the Hermod lies.
        hermod: Cell,
    },
    /// No extra tile was placed.
    #[open(seat)]
    ExtraPlaySkipped {
        /// Who did without it.
        seat: Seat,
    },
    /// The Raven may fly on.
    #[open(seat)]
    RavenFlightGranted {
        /// Whose Raven.
        seat: Seat,
    },
    /// The Raven flew to its second place.
    #[open(seat, from, restored, at, mode, under, under_boost)]
    RavenMoved {
        /// Whose Raven.
        seat: Seat,
        /// Its first place.
        from: Cell,
        /// The tile that lies open there again; null if none.
        #[serde(deserialize_with = "kernel::present")]
        #[schema(required = true)]
        restored: Option<Tile>,
        /// Its second place.
        at: Cell,
        /// `lay` or `cover`.
        mode: Mode,
        /// The tile that was covered; null if none.
        #[serde(deserialize_with = "kernel::present")]
        #[schema(required = true)]
        under: Option<Tile>,
        /// The boosts of that tile.
        under_boost: u8,
    },
    /// The Raven stayed.
    #[open(seat)]
    RavenKept {
        /// Whose Raven.
        seat: Seat,
    },
    /// The hand holds more than five tiles.
    #[open(seat, count)]
    SurplusFound {
        /// Whose hand.
        seat: Seat,
        /// How many are too many.
        count: u32,
    },
    /// A tile was discarded.
    #[open(seat, reason)]
    TileDiscarded {
        /// Who discarded it.
        seat: Seat,
        /// Which one.
        #[news(others)]
        tile: Tile,
        /// Why.
        reason: DiscardReason,
    },
    /// The last tile of the pile was drawn, and Hel left the match (V-210).
    #[open(hels)]
    HelRemoved {
        /// The seats that had some.
        hels: Vec<HelCount>,
    },
    /// The match is over.
    #[open(ranking)]
    MatchFinished {
        /// By rank.
        ranking: Vec<Place>,
    },
}
