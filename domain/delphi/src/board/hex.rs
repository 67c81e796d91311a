//! Hexes: axial coordinates with pointy tops.

use kernel::Open;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::ToSchema;

/// A hex of the map, in axial coordinates: `q` grows to the east, `r` to the south-east. Ordered in *map order*, ascending by r, then q.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(deny_unknown_fields)]
#[open(q, r)]
pub struct Hex {
    /// To the east.
    #[schema(minimum = -2147483648, maximum = 2147483647)]
    pub q: i32,
    /// To the south-east.
    #[schema(minimum = -2147483648, maximum = 2147483647)]
    pub r: i32,
}

impl PartialOrd for Hex {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Hex {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.r, self.q).cmp(&(other.r, other.q))
    }
}

impl std::fmt::Display for Hex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "({}, {})", self.q, self.r)
    }
}

impl Hex {
    /// The directions of the neighbours, clockwise from the east.
    pub const DIRECTIONS: [Hex; 6] = [
        Hex { q: 1, r: 0 },
        Hex { q: 0, r: 1 },
        Hex { q: -1, r: 1 },
        Hex { q: -1, r: 0 },
        Hex { q: 0, r: -1 },
        Hex { q: 1, r: -1 },
    ];

    /// The hex of Zeus on the printed maps: start and goal (D-102).
    pub const ZEUS: Hex = Hex { q: 0, r: 0 };

    /// The sum of the coordinates; `None` on overflow.
    #[must_use]
    pub fn checked_add(self, other: Hex) -> Option<Hex> {
        Some(Hex { q: self.q.checked_add(other.q)?, r: self.r.checked_add(other.r)? })
    }

    /// The neighbours, clockwise from the east.
    pub fn neighbours(self) -> impl Iterator<Item = Hex> {
        Hex::DIRECTIONS.into_iter().filter_map(move |direction| self.checked_add(direction))
    }

    /// The number of steps between two hexes if nothing is in the way.
    #[must_use]
    pub fn distance(self, other: Hex) -> i64 {
        let dq = i64::from(self.q) - i64::from(other.q);
        let dr = i64::from(self.r) - i64::from(other.r);
        (dq.abs() + dr.abs() + (dq + dr).abs()) / 2
    }
}

/// At most two different hexes. JSON: an array in map order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Open)]
#[open(first, second)]
pub struct HexPair {
    first: Option<Hex>,
    second: Option<Hex>,
}

impl HexPair {
    /// A single hex.
    #[must_use]
    pub fn one(hex: Hex) -> Self {
        HexPair { first: Some(hex), second: None }
    }

    /// These hexes and one more. A third hex, or one that is already there, changes nothing.
    #[must_use]
    pub fn with(self, hex: Hex) -> Self {
        match (self.first, self.second) {
            (None, _) => HexPair::one(hex),
            (Some(first), None) if first != hex => {
                HexPair { first: Some(first.min(hex)), second: Some(first.max(hex)) }
            }
            (Some(_), _) => self,
        }
    }

    /// Is the hex one of them?
    #[must_use]
    pub fn contains(self, hex: Hex) -> bool {
        self.iter().any(|other| other == hex)
    }

    /// The hexes in map order.
    pub fn iter(self) -> impl Iterator<Item = Hex> {
        self.first.into_iter().chain(self.second)
    }
}

impl Serialize for HexPair {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for HexPair {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let hexes = Vec::<Hex>::deserialize(deserializer)?;
        if hexes.len() > 2 || !hexes.is_sorted_by(|a, b| a < b) {
            return Err(serde::de::Error::custom("at most two different hexes, in map order"));
        }
        Ok(HexPair { first: hexes.first().copied(), second: hexes.get(1).copied() })
    }
}
