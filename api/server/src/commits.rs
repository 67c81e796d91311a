//! Commits as answers show them.

use kernel::{Moved, Seat};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

/// A commit as a viewer sees it.
#[derive(Serialize, ToSchema)]
pub(crate) struct CommitEntry {
    /// The number of the commit in the match, from 1.
    commit: u64,
    /// The version of its first event.
    first_version: u64,
    /// The version of its last event.
    last_version: u64,
    /// The seat that acted; null for the setup and for the end of a closed match.
    seat: Option<Seat>,
    /// When it was recorded.
    #[schema(format = "date-time")]
    recorded_at: String,
    /// The command; null for the setup, a take-back, a seat that was taken, a reply that was refused, and the end of a closed match.
    #[schema(value_type = Option<engine::by_game::Command>)]
    command: Option<Box<RawValue>>,
    /// Its events, in order.
    #[schema(value_type = Vec<engine::by_game::EventView>)]
    events: Vec<Box<RawValue>>,
    /// SHA-256(SHA-256(seed || k || "salt") || canonical JSON of the whole commit).
    #[schema(pattern = "^[0-9a-f]{64}$")]
    sealed: String,
    /// The hash of the previous commit; zeros for the first one.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    prev_hash: String,
    /// SHA-256(prev_hash || SHA-256(canonical JSON of the commit as a spectator sees it) || sealed).
    #[schema(pattern = "^[0-9a-f]{64}$")]
    hash: String,
    /// In streams with `patch=true`: the JSON Patch from the view at the previous message to the view after this commit.
    patch: Vec<PatchStep>,
    /// With `include=moves`, and in streams with `moves=true`: the moves of the pieces.
    moves: Vec<Moved>,
}

/// A step of a JSON Patch (RFC 6902).
#[derive(Serialize, ToSchema)]
pub(crate) struct PatchStep {
    /// `add`, `remove` or `replace`.
    op: String,
    /// Where, as a JSON pointer; empty for the whole view.
    path: String,
    /// The new value, unless it is removed.
    value: Option<serde_json::Value>,
}

/// A page of commits.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct CommitPage {
    /// The game that is played.
    game: &'static str,
    /// The commits, in order.
    #[schema(value_type = Vec<CommitEntry>)]
    items: Vec<Box<RawValue>>,
    /// The parameter `after` for the next page; null on the last page.
    next: Option<String>,
}

impl CommitPage {
    pub(crate) fn new(
        game: &'static str,
        (items, next): (Vec<Box<RawValue>>, Option<u64>),
    ) -> Self {
        CommitPage { game, items, next: next.map(|next| next.to_string()) }
    }
}
