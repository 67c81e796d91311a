//! What happened (section 8).

use kernel::{Fact, Open, Seat};
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(rename_all = "snake_case")]
pub enum DiscardReason {
    /// No tile of the hand could be placed (V-204).
    Unplayable,
    /// The hand held more than five tiles, Hel not counted (V-207).
    Surplus,
}

/// The rule by which points were awarded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
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

/// A part of the points: `points` = `count` + `bonus`, or half the `count`, rounded down, for `values`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(deny_unknown_fields)]
#[open(kind, count, bonus, points)]
pub struct Part {
    /// What was counted.
    pub kind: PartKind,
    /// The number that was counted.
    pub count: u64,
    /// What Niohoggr adds (V-505).
    pub bonus: u64,
    /// The points of this part.
    pub points: u64,
}

/// The one or two parts of an award, row before column. JSON: an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Open)]
#[open(first, second)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(deny_unknown_fields)]
#[open(seat, count)]
pub struct HelCount {
    /// The seat that lost them.
    pub seat: Seat,
    /// The number of Hel.
    pub count: u32,
}

/// A fact. `seat` is the acting seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Fact)]
#[secret(position = Position)]
#[serde(tag = "type", deny_unknown_fields)]
pub enum Event {
    /// A match began; all of its tiles except Hel are in the pile.
    #[open(seats, options, tile_types, pile, boosters)]
    MatchStarted {
        /// The number of seats.
        #[schema(minimum = 2, maximum = 5)]
        seats: u8,
        /// The options, with defaults filled in.
        options: Options,
        /// All types of the match.
        tile_types: TileSet,
        /// The pile, sorted. It is the printed content, not a secret.
        #[schema(value_type = Vec<Tile>)]
        pile: Box<Tiles>,
        /// The booster tokens, ascending; none without Freya.
        #[schema(value_type = Vec<u8>)]
        boosters: Box<Tokens>,
    },
    /// A seat got Hel tiles.
    #[open(seat, count)]
    HelDealt {
        /// The seat that got them.
        seat: Seat,
        /// The number of Hel.
        count: u32,
    },
    /// A tile was drawn from the pile.
    #[open(seat)]
    TileDrawn {
        /// The seat that drew it.
        seat: Seat,
        /// The tile, hidden from all others.
        #[hidden(owner = seat, doc = "Always null: only the seat itself sees it.")]
        #[news(all)]
        tile: Tile,
    },
    /// The first tile was laid.
    #[open(at)]
    StartTilePlaced {
        /// The tile that was placed.
        #[news(all)]
        tile: Tile,
        /// The cell, always (0, 0).
        at: Cell,
    },
    /// The start seat was drawn.
    StartSeatChosen {
        /// The seat that begins.
        #[news(all)]
        seat: Seat,
    },
    /// A turn began.
    #[open(seat, passed)]
    TurnStarted {
        /// The seat whose turn begins.
        seat: Seat,
        /// Seats without tiles that were passed, in order.
        passed: Vec<Seat>,
    },
    /// A Freya was discarded to boost the next tile.
    #[news(others)]
    #[open(seat, boost)]
    FreyaDiscarded {
        /// The seat that discarded it.
        seat: Seat,
        /// The number of Freya discarded so far for that tile.
        boost: u8,
    },
    /// A tile was placed.
    #[open(seat, boost, at, mode, under, under_boost, bumped_to)]
    TilePlaced {
        /// The seat that placed it.
        seat: Seat,
        /// The tile that was placed.
        #[news(others, if = |tile: &Tile| *tile != Tile::Hel)]
        tile: Tile,
        /// The boosts of the tile.
        boost: u8,
        /// The cell on which it was placed.
        at: Cell,
        /// How it was placed.
        mode: Mode,
        /// The tile that was covered, exchanged or bumped; null if none.
        #[serde(deserialize_with = "kernel::present")]
        #[schema(required = true)]
        under: Option<Tile>,
        /// The boosts of that tile.
        under_boost: u8,
        /// The cell to which that tile was bumped; null if it was not.
        #[serde(deserialize_with = "kernel::present")]
        #[schema(required = true)]
        bumped_to: Option<Cell>,
    },
    /// Skadi exchanged a boosted tile, and its Freya came back from the discard pile.
    #[open(seat, count)]
    FreyaReturned {
        /// The seat that got them.
        seat: Seat,
        /// The number of Freya.
        count: u32,
    },
    /// A placement scored.
    #[open(seat, points, reason, tile, at, parts, total, reached)]
    ScoreAwarded {
        /// The seat that scored.
        seat: Seat,
        /// The points: the sum of the parts, at least 1.
        points: u64,
        /// The rule by which the points were awarded.
        reason: ScoreReason,
        /// The tile that scored.
        tile: Tile,
        /// The cell of that tile.
        at: Cell,
        /// What the points are made of: one part, or row and column.
        #[schema(value_type = Vec<Part>, min_items = 1, max_items = 2)]
        parts: Parts,
        /// The score of the seat afterwards.
        total: u64,
        /// The order in which the seats reached their scores (V-513): smaller is earlier.
        reached: u32,
    },
    /// An extra tile may be placed.
    #[open(seat, hermod)]
    ExtraPlayGranted {
        /// The seat that may place it.
        seat: Seat,
        /// Where the Hermod lies.
        hermod: Cell,
    },
    /// No extra tile was placed.
    // So one of the hand fits (V-206), which the others did not know.
    #[news(others)]
    #[open(seat)]
    ExtraPlaySkipped {
        /// The seat that skipped it.
        seat: Seat,
    },
    /// The Raven may fly on.
    #[open(seat)]
    RavenFlightGranted {
        /// The seat of the Raven.
        seat: Seat,
    },
    /// The Raven flew to its second place.
    #[open(seat, from, restored, at, mode, under, under_boost)]
    RavenMoved {
        /// The seat of the Raven.
        seat: Seat,
        /// The cell of its first place.
        from: Cell,
        /// The tile that lies open there again; null if none.
        #[serde(deserialize_with = "kernel::present")]
        #[schema(required = true)]
        restored: Option<Tile>,
        /// The cell of its second place.
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
        /// The seat of the Raven.
        seat: Seat,
    },
    /// The hand holds more than five tiles, Hel not counted.
    #[open(seat, count)]
    SurplusFound {
        /// The seat with the surplus.
        seat: Seat,
        /// The number of tiles above five, Hel not counted.
        count: u32,
    },
    /// A tile was discarded.
    #[open(seat, reason)]
    TileDiscarded {
        /// The seat that discarded it.
        seat: Seat,
        /// The tile that was discarded.
        #[news(others)]
        tile: Tile,
        /// The reason for the discard.
        reason: DiscardReason,
    },
    /// The last tile of the pile was drawn, and all Hel in the hands were discarded (V-210).
    #[open(hels)]
    HelRemoved {
        /// The seats that had Hel, with the number that each lost.
        hels: Vec<HelCount>,
    },
    /// The match is over.
    #[open(ranking)]
    MatchFinished {
        /// The final ranking, by rank.
        ranking: Vec<Place>,
    },
}
