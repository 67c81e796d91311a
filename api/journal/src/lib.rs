//! What a store of matches holds, and the one way to read and to write it.
//!
//! A match is a *header* and a chain of *commits*. A commit is sealed, hashed and never changed; the match at any version is its events,
//! folded. Whoever serves live matches and whoever reads finished ones in bulk does it with this crate, so there is one reader of each
//! format, one fold and one writer. Read in this order: [`Header`], [`Record`], [`Folded`], [`Journal`].

mod aside;
mod bot;
mod canonical;
mod chance;
mod damaged;
mod fold;
mod hash;
mod header;
mod id;
mod journal;
mod platform;
mod record;
pub mod rules;
mod standing;
mod write;

pub use aside::Aside;
pub use bot::Bot;
pub use canonical::{canonical, canonical_raw, raw};
pub use chance::{Generator, Seeded};
pub use damaged::{DamageKind, Damaged, Place};
pub use fold::Folded;
pub use hash::Bytes32;
pub use header::{BranchedFrom, Header, SeatHeader, Status, Visibility};
pub use id::{MatchId, match_id, stream_id};
pub use journal::{Journal, Unread};
pub use platform::{PlatformEvent, kind};
pub use record::{Body, Outline, Record, event_seen};
pub use standing::ranks_of;
pub use store::{OpenError, Trouble};
pub use write::Next;
