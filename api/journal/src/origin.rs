//! Where a match comes from that was played on another server: a note, since its chain is that of the other server.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::canonical::raw;
use crate::id::MatchId;
use crate::journal::{Journal, Unread};
use crate::people::changed;

/// Where an imported match comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Origin {
    /// Its address on the other server, or something else that the operator said about it. Nothing proves it.
    pub from: String,
    /// When it was imported.
    #[schema(format = "date-time")]
    pub imported_at: String,
}

impl Origin {
    /// The note that keeps it for a match.
    #[must_use]
    pub fn note(&self, id: MatchId) -> (Vec<u8>, Vec<u8>) {
        (key(id), raw(self).get().as_bytes().to_vec())
    }

    /// What a note keeps of that, and the match; nothing if it is another note, or cannot be read.
    #[must_use]
    pub fn of_note(key: &[u8], value: &[u8]) -> Option<(MatchId, Self)> {
        let id = MatchId::from_slice(key.strip_prefix(ORIGINS)?).ok()?;
        Some((id, serde_json::from_slice(value).ok()?))
    }
}

/// How the keys of these notes begin; the match follows.
const ORIGINS: &[u8] = b"origin/";

fn key(id: MatchId) -> Vec<u8> {
    [ORIGINS, id.as_bytes()].concat()
}

impl Journal {
    /// Where a match comes from; `None` for one that was played here.
    ///
    /// # Errors
    /// If that cannot be read.
    pub fn origin(&self, id: MatchId) -> Result<Option<Origin>, Unread> {
        let Some(note) = self.beside(id, &key(id))? else { return Ok(None) };
        serde_json::from_slice(&note).map(Some).map_err(|_| changed(id, "its origin"))
    }
}
