//! What is known of a match beside its events: who sits where, what is secret, how it may be looked at.

use kernel::{AnyGame, Seat, StreamError};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{Bot, Bytes32};

/// The id of a match: a UUIDv7, so that later matches have greater ids.
pub type MatchId = Uuid;

/// Who may look at a match.
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
            _ => Err("visibility is public or private"),
        }
    }
}

/// Where a match is in its life.
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
pub(crate) struct SeatHeader {
    pub(crate) name: Option<String>,
    /// SHA-256 of the seat's token; `None` while the seat is open.
    pub(crate) token_hash: Option<Bytes32>,
    /// The player of the server that sits there; it has no token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) bot: Option<Bot>,
}

impl SeatHeader {
    /// Does somebody sit there?
    pub(crate) fn taken(&self) -> bool {
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
pub(crate) struct Header {
    pub(crate) format: u8,
    pub(crate) game: String,
    /// Complete: defaults are filled in, and what the setup drew is entered.
    pub(crate) options: Box<RawValue>,
    /// As they were asked for, canonical: the setup is decided again from these, since it draws only what was left open. `None` where
    /// there was no setup, in a match that began from a position.
    pub(crate) asked: Option<Box<RawValue>>,
    pub(crate) seats: Vec<SeatHeader>,
    pub(crate) owner_hash: Bytes32,
    pub(crate) visibility: Visibility,
    pub(crate) take_back: bool,
    pub(crate) seed: Bytes32,
    pub(crate) created_at: String,
    pub(crate) branched_from: Option<BranchedFrom>,
    pub(crate) closed_at: Option<String>,
}

impl Header {
    pub(crate) const FORMAT: u8 = 2;

    /// Takes what the store kept: the header, and its game.
    ///
    /// # Errors
    /// If it is of another format, of a game that is not there, or no header.
    pub(crate) fn read<'a>(
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

    pub(crate) fn bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("plain data always has JSON")
    }

    /// What the setup was decided from.
    ///
    /// # Errors
    /// If the match began from a position.
    pub(crate) fn asked(&self) -> Result<&RawValue, StreamError> {
        let missing = || StreamError("a setup in a match from a position".to_owned());
        self.asked.as_deref().ok_or_else(missing)
    }

    pub(crate) fn is_open(&self) -> bool {
        self.seats.iter().any(|seat| !seat.taken())
    }

    pub(crate) fn status(&self, finished: bool) -> Status {
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

    /// Whose token is it? All are compared, each in constant time.
    pub(crate) fn caller(&self, token: Bytes32) -> Option<Caller> {
        let hash = Bytes32::hash(&[&token.0]);
        let mut found = None;
        for (number, seat) in (0..).zip(&self.seats) {
            if seat.token_hash.is_some_and(|known| known.same(&hash)) {
                found = Some(Caller::Seat(Seat(number)));
            }
        }
        if self.owner_hash.same(&hash) {
            found = Some(Caller::Owner);
        }
        found
    }
}

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// Nobody in particular.
    Stranger,
    /// The player of a seat.
    Seat(Seat),
    /// Who opened the match.
    Owner,
}

impl Caller {
    /// As whom the caller looks.
    #[must_use]
    pub fn viewer(self) -> kernel::Viewer {
        match self {
            Caller::Seat(seat) => kernel::Viewer::Seat(seat),
            Caller::Stranger | Caller::Owner => kernel::Viewer::Spectator,
        }
    }
}
