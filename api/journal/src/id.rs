//! The ids of matches, and of their streams in the store.

use store::StreamId;
use uuid::Uuid;

/// The id of a match: a UUIDv7, so that later matches have greater ids.
pub type MatchId = Uuid;

/// The stream of a match.
#[must_use]
pub fn stream_id(id: MatchId) -> StreamId {
    StreamId(*id.as_bytes())
}

/// The match of a stream.
#[must_use]
pub fn match_id(stream: StreamId) -> MatchId {
    MatchId::from_bytes(stream.0)
}
