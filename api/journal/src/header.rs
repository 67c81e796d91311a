//! What is known of a match beside its events: who sits where, what is secret, how it may be looked at.

use kernel::{AnyGame, StreamError};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::bot::Bot;
use crate::hash::Bytes32;
use crate::id::MatchId;

/// Who may see a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case", try_from = "String")]
pub enum Visibility {
    /// Everybody.
    #[default]
    Public,
    /// Only who has a token of the match; it is in no list and in no feed.
    Private,
}

/// Serde's own way would also take an object for a word: `{"private": null}`.
impl TryFrom<String> for Visibility {
    type Error = &'static str;

    fn try_from(word: String) -> Result<Self, Self::Error> {
        match word.as_str() {
            "public" => Ok(Visibility::Public),
            "private" => Ok(Visibility::Private),
            _ => Err("visibility must be public or private"),
        }
    }
}

/// The status of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Some seat is not taken yet.
    Open,
    /// It is being played.
    Running,
    /// It was played to its end.
    Finished,
    /// Its owner closed it before the end.
    Abandoned,
}

/// One seat, as stored.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SeatHeader {
    /// The player's name, if one was given.
    pub name: Option<String>,
    /// SHA-256 of the seat's token; `None` while the seat is open.
    pub token_hash: Option<Bytes32>,
    /// The player of the server that sits there; it has no token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot: Option<Bot>,
}

impl SeatHeader {
    /// Whether the seat is taken.
    #[must_use]
    pub fn taken(&self) -> bool {
        self.token_hash.is_some() || self.bot.is_some()
    }
}

/// Where a match branched off.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct BranchedFrom {
    /// The finished match.
    #[schema(value_type = String, format = "uuid")]
    pub r#match: MatchId,
    /// The version of its position.
    pub at: u64,
}

/// The stored header of a match. Everything but seats, names and `closed_at` is fixed when the match is opened.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Header {
    /// [`Header::FORMAT`].
    pub format: u8,
    /// The id of the game.
    pub game: String,
    /// Complete: defaults are filled in, and what the setup drew is entered.
    pub options: Box<RawValue>,
    /// The requested options, canonical. The setup is decided again from these, since it draws only what was left open. `None` for a match
    /// that began from a position and had no setup.
    pub asked: Option<Box<RawValue>>,
    /// The seats, in order.
    pub seats: Vec<SeatHeader>,
    /// SHA-256 of the owner's token.
    pub owner_hash: Bytes32,
    /// Who may look at the match.
    pub visibility: Visibility,
    /// Whether taking back was requested. The game's own options may allow it too.
    pub take_back: bool,
    /// The secret that all chance follows from.
    pub seed: Bytes32,
    /// When the match was opened.
    pub created_at: String,
    /// What it branched off from, if it did.
    pub branched_from: Option<BranchedFrom>,
    /// When its owner closed it.
    pub closed_at: Option<String>,
}

impl Header {
    /// The one format that this program writes and reads.
    pub const FORMAT: u8 = 2;

    /// Takes what the store kept: the header, and its game.
    ///
    /// # Errors
    /// If it is of another format, of a game that is not there, or no header.
    pub fn read<'a>(
        bytes: &[u8],
        games: &[&'a dyn AnyGame],
    ) -> Result<(&'a dyn AnyGame, Self), StreamError> {
        #[derive(Deserialize)]
        struct Form {
            format: u8,
        }
        let unknown = |error: serde_json::Error| StreamError(format!("its header: {error}"));
        let Form { format } = serde_json::from_slice(bytes).map_err(unknown)?;
        if format != Header::FORMAT {
            return Err(StreamError(format!("its header: format {format} is unknown")));
        }
        let header: Header = serde_json::from_slice(bytes).map_err(unknown)?;
        let game = games.iter().copied().find(|game| game.info().id == header.game);
        let missing = || StreamError(format!("its header: there is no game {}", header.game));
        Ok((game.ok_or_else(missing)?, header))
    }

    /// What the store keeps.
    ///
    /// # Panics
    /// Never: plain data always has JSON.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("plain data always has JSON")
    }

    /// What the setup was decided from.
    ///
    /// # Errors
    /// If the match began from a position.
    pub fn asked(&self) -> Result<&RawValue, StreamError> {
        let missing = || StreamError("a setup in a match from a position".to_owned());
        self.asked.as_deref().ok_or_else(missing)
    }

    /// Does a player of the server sit somewhere?
    #[must_use]
    pub fn has_bots(&self) -> bool {
        self.seats.iter().any(|seat| seat.bot.is_some())
    }

    /// Is a seat left to people?
    #[must_use]
    pub fn has_people(&self) -> bool {
        self.seats.iter().any(|seat| seat.bot.is_none())
    }

    /// Is a seat still free?
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.seats.iter().any(|seat| !seat.taken())
    }

    /// Where the match is in its life; `finished`: nobody is to act.
    #[must_use]
    pub fn status(&self, finished: bool) -> Status {
        if finished {
            Status::Finished
        } else if self.closed_at.is_some() {
            Status::Abandoned
        } else if self.is_open() {
            Status::Open
        } else {
            Status::Running
        }
    }
}
