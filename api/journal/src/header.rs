//! What is kept of a match beside its commits, and must stay secret; and words that describe a match.

use kernel::StreamError;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

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
    /// It was closed before the end.
    Abandoned,
}

impl Status {
    /// All of them, in their order.
    pub const ALL: [Status; 4] =
        [Status::Open, Status::Running, Status::Finished, Status::Abandoned];

    /// Its name, as in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Status::Open => "open",
            Status::Running => "running",
            Status::Finished => "finished",
            Status::Abandoned => "abandoned",
        }
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

/// The stored header of a match, which stays secret until the match is finished. It is written once, with commit 1, which commits to it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Header {
    /// The format of the header: 1.
    pub format: u8,
    /// SHA-256 of the owner's token.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub owner_hash: Bytes32,
    /// By seat, SHA-256 of the token that was issued at the opening; null for an open seat and for a bot.
    #[schema(value_type = Vec<Option<String>>)]
    pub seat_hashes: Vec<Option<Bytes32>>,
    /// The secret that all chance follows from.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub seed: Bytes32,
}

impl Header {
    /// The one format that this program writes and reads.
    pub const FORMAT: u8 = 1;

    /// Takes what the store kept.
    ///
    /// # Errors
    /// If it is of another format, or no header.
    pub fn read(bytes: &[u8]) -> Result<Self, StreamError> {
        #[derive(Deserialize)]
        struct Form {
            format: u8,
        }
        let unknown = |error: serde_json::Error| StreamError(format!("its header: {error}"));
        let Form { format } = serde_json::from_slice(bytes).map_err(unknown)?;
        if format != Header::FORMAT {
            return Err(StreamError(format!("its header: format {format} is unknown")));
        }
        serde_json::from_slice(bytes).map_err(unknown)
    }

    /// What the store keeps.
    ///
    /// # Panics
    /// Never: plain data always has JSON.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("plain data always has JSON")
    }

    /// SHA-256 of what the store keeps: what the chain says of it.
    #[must_use]
    pub fn commitment(&self) -> Bytes32 {
        Bytes32::hash(&[&self.bytes()])
    }

    /// SHA-256 of the seed.
    #[must_use]
    pub fn seed_commitment(&self) -> Bytes32 {
        Bytes32::hash(&[&self.seed.0])
    }
}
