//! The booster tokens in the supply.

use kernel::Open;
use kernel::json::ascending;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::ToSchema;

use crate::printed::{TOKEN_MAX, TOKEN_MIN, TOKENS};

/// A multiset of booster tokens, each with a value from 2 to 12. JSON: an ascending array of values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ToSchema, Open)]
#[schema(value_type = Vec<u8>, max_items = 16)]
#[open(0)]
pub struct Tokens([u32; TOKEN_MAX + 1]);

impl Tokens {
    /// The lowest value of a token.
    pub const LOWEST: u8 = TOKEN_MIN as u8;
    /// The highest value of a token: no tile is boosted beyond it.
    pub const HIGHEST: u8 = TOKEN_MAX as u8;

    /// All tokens of the box.
    #[must_use]
    pub const fn all() -> Tokens {
        Tokens(TOKENS)
    }

    /// How many tokens of this value there are. None has a value beyond [`HIGHEST`](Tokens::HIGHEST).
    #[must_use]
    pub fn count(&self, value: u8) -> u32 {
        self.0.get(usize::from(value)).copied().unwrap_or_default()
    }

    /// Is there a token of this value?
    #[must_use]
    pub fn has(&self, value: u8) -> bool {
        self.count(value) > 0
    }

    /// Puts a token back.
    ///
    /// # Panics
    /// If no token has this value: a tile's value and boosts always make one.
    pub fn put(&mut self, value: u8) {
        self.0[usize::from(value)] += 1;
    }

    /// Takes a token.
    ///
    /// # Panics
    /// If there is none: a boost without its token is refused (V-311).
    pub fn take(&mut self, value: u8) {
        self.0[usize::from(value)] -= 1;
    }
}

impl Serialize for Tokens {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let repeat = |(value, count): (u8, &u32)| std::iter::repeat_n(value, *count as usize);
        serializer.collect_seq((0..).zip(&self.0).flat_map(repeat))
    }
}

impl<'de> Deserialize<'de> for Tokens {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let list = ascending(deserializer, |before: &u8, value| before <= value)?;
        let mut tokens = Tokens::default();
        for value in list {
            if !(Tokens::LOWEST..=Tokens::HIGHEST).contains(&value) {
                return Err(D::Error::custom(format!(
                    "there is no booster token of value {value}"
                )));
            }
            tokens.put(value);
        }
        Ok(tokens)
    }
}
