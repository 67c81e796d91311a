//! Players of the server.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A player run by the server.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Bot {
    /// Any legal command, each equally likely.
    #[default]
    Random,
    /// The command that promises most, as far as the seat can know; one of the best by lot.
    Greedy,
}

impl Bot {
    /// All of them.
    pub const ALL: [Bot; 2] = [Bot::Random, Bot::Greedy];

    /// The version of its play: it is raised whenever the bot would choose otherwise anywhere. A test holds the choices of each version.
    #[must_use]
    pub const fn version(self) -> u32 {
        match self {
            Bot::Random => Bot::FIRST_VERSION,
            Bot::Greedy => 2,
        }
    }

    /// The version of every bot whose seat does not say one.
    pub const FIRST_VERSION: u32 = 1;

    /// Its name in JSON and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Bot::Random => "random",
            Bot::Greedy => "greedy",
        }
    }
}

impl std::fmt::Display for Bot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for Bot {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let known = Bot::ALL.into_iter().find(|bot| bot.name() == name);
        known.ok_or_else(|| format!("there is no bot {name}; the bots are random and greedy"))
    }
}
