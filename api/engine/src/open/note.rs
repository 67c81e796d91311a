//! What was opened under an idempotency key: whoever sends the same again gets the same tokens.

use journal::{Bytes32, MatchId};
use serde::{Deserialize, Serialize};
use store::Note;
use utoipa::ToSchema;

use crate::engine::Engine;
use crate::error::{Error, broken};

/// The match that was opened. The tokens are shown once; those of `POST /v1/matches` also to whoever repeats the request with the same
/// `Idempotency-Key`, for 24 hours.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Opened {
    /// The id of the match.
    #[schema(value_type = String, format = "uuid")]
    pub r#match: MatchId,
    /// The tokens by seat; null for an open seat, and for the seat of a bot.
    #[schema(value_type = Vec<Option<String>>)]
    pub seat_tokens: Vec<Option<Bytes32>>,
    /// The token that may close the match.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub owner_token: Bytes32,
}

/// What was opened under an idempotency key. The tokens are encrypted by the key itself, which is not stored.
#[derive(Serialize, Deserialize)]
pub(crate) struct OpenNote {
    body: Bytes32,
    pub(crate) r#match: MatchId,
    salt: Bytes32,
    seat_tokens: Vec<Option<Bytes32>>,
    owner_token: Bytes32,
}

impl Engine {
    /// What is noted of an opening, and the note as it is stored.
    pub(crate) async fn opening_noted(&self, key: &str) -> Result<Option<(OpenNote, Note)>, Error> {
        let note = self.earlier(open_key(key)).await?;
        note.map(|note| Ok((OpenNote::read(&note.value)?, note))).transpose()
    }
}

impl OpenNote {
    /// Reads a stored note.
    pub(crate) fn read(note: &[u8]) -> Result<Self, Error> {
        Ok(serde_json::from_slice(note).map_err(broken)?)
    }

    /// The note of a match that was opened by a request with this key and body.
    pub(crate) fn new(opened: &Opened, key: &str, body: Bytes32) -> Self {
        let salt = Bytes32::random();
        let hide = |(number, token): (u8, &Option<Bytes32>)| {
            token.map(|token| mask(token, salt, key, number))
        };
        OpenNote {
            body,
            r#match: opened.r#match,
            salt,
            seat_tokens: (0..).zip(&opened.seat_tokens).map(hide).collect(),
            owner_token: mask(opened.owner_token, salt, key, u8::MAX),
        }
    }

    /// The first answer, for whoever sends the same again.
    pub(crate) fn open(self, key: &str, body: Bytes32) -> Result<Opened, Error> {
        let OpenNote { body: first, r#match, salt, seat_tokens, owner_token } = self;
        if first != body {
            return Err(Error::IdempotencyConflict { current: None });
        }
        let show = |(number, token): (u8, Option<Bytes32>)| {
            token.map(|token| mask(token, salt, key, number))
        };
        Ok(Opened {
            r#match,
            seat_tokens: (0..).zip(seat_tokens).map(show).collect(),
            owner_token: mask(owner_token, salt, key, u8::MAX),
        })
    }
}

/// A one-time pad from the idempotency key, which only the client has, and a salt.
fn mask(token: Bytes32, salt: Bytes32, key: &str, number: u8) -> Bytes32 {
    let pad = Bytes32::hash(&[b"idempotency", &salt.0, &[number], key.as_bytes()]);
    let mut bytes = token.0;
    bytes.iter_mut().zip(pad.0).for_each(|(byte, pad)| *byte ^= pad);
    Bytes32(bytes)
}

/// Where the note of a key is.
pub(crate) fn open_key(key: &str) -> Vec<u8> {
    [b"open/".as_slice(), &Bytes32::hash(&[key.as_bytes()]).0].concat()
}
