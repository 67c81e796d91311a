//! By which rules a match is played.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use crate::{Game, Info, Rule};

/// An edition of a game's rules: a number from 1. A match keeps the edition that it was opened under.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(try_from = "u32")]
#[schema(minimum = 1)]
pub struct Edition(u32);

impl Edition {
    /// Is it this edition, or a later one? This is the condition that stands at a rule that has changed.
    ///
    /// # Example
    /// ```
    /// use kernel::Edition;
    /// let edition: Edition = serde_json::from_str("2")?;
    /// let most = if edition.since(2) { 5 } else { 20 };
    /// assert_eq!(most, 5);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[must_use]
    pub const fn since(self, number: u32) -> bool {
        self.0 >= number
    }

    /// The number.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0
    }
}

impl std::fmt::Display for Edition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl TryFrom<u32> for Edition {
    type Error = &'static str;

    fn try_from(number: u32) -> Result<Self, Self::Error> {
        if number > 0 { Ok(Edition(number)) } else { Err("an edition is a number from 1") }
    }
}

/// The description of an edition. Its number is its place in [`Info::editions`].
#[derive(Clone, Copy, Debug)]
pub struct EditionText {
    /// The day since which it is the newest: `2026-11-22`.
    pub date: &'static str,
    /// What it changes compared to the previous edition: a rule, and what it says now.
    pub changes: &'static [(Rule, &'static str)],
}

impl Info {
    /// All editions with their texts, oldest first.
    pub fn editions(&self) -> impl Iterator<Item = (Edition, &'static EditionText)> {
        (1..).map(Edition).zip(self.editions)
    }

    /// The edition of matches that request none.
    ///
    /// # Panics
    /// If the game has no edition.
    #[must_use]
    pub fn newest(&self) -> Edition {
        self.editions().last().expect("every game has an edition").0
    }

    /// The edition with this number.
    ///
    /// # Errors
    /// A sentence that says which editions there are, if this is none of them.
    pub fn edition(&self, number: u32) -> Result<Edition, String> {
        let newest = self.newest();
        Edition::try_from(number).ok().filter(|edition| *edition <= newest).ok_or_else(|| {
            format!("{} has no edition {number}: its newest is {newest}", self.title)
        })
    }
}

/// For `#[serde(default, deserialize_with = "kernel::edition::<MyGame, _>")]` on the edition of a position's JSON: if it is there, it is
/// one of the game.
///
/// # Errors
/// If it is no edition of the game.
pub fn edition<'de, G: Game, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Edition>, D::Error> {
    let Edition(number) = Edition::deserialize(deserializer)?;
    G::INFO.edition(number).map(Some).map_err(D::Error::custom)
}

/// The newest edition of a game.
#[must_use]
pub fn newest<G: Game>() -> Edition {
    G::INFO.newest()
}
