//! What a store of matches holds, and the one way to read and to write it.
//!
//! A match is a chain of *commits*: everything that happens to it is an event of one of them. A commit is sealed, hashed and never changed;
//! the match at any version is its events, folded. Beside the chain stands what must stay secret or may be forgotten (the *header*, the
//! players' names); the chain commits to it. Whoever serves live matches and whoever reads finished ones in bulk does it with this crate, so there is one reader of each
//! format, one fold and one writer. Read in this order: [`Record`], [`PlatformEvent`], [`Table`],
//! [`Folded`], [`Header`], [`Journal`].

mod aside;
mod bot;
mod canonical;
mod chance;
mod damaged;
mod fold;
mod forgetting;
mod hash;
mod header;
mod id;
mod journal;
mod nickname;
mod origin;
mod people;
mod platform;
mod record;
pub mod rules;
mod standing;
mod table;
mod tag;
pub mod words;
mod write;

pub use aside::Aside;
pub use bot::Bot;
pub use canonical::{canonical, canonical_raw, raw};
pub use chance::{Generator, Seeded, TICKET_SECRET};
pub use damaged::{DamageKind, Damaged, Place, left_out};
pub use fold::Folded;
pub use forgetting::{forgetting_note, forgotten_match, last_forgetting};
pub use hash::Bytes32;
pub use header::{BranchedFrom, Header, Status, Visibility};
pub use id::{MatchId, match_id, stream_id};
pub use journal::{Journal, Opening, Unread};
pub use nickname::{is_formula, looked_for, name_of_person, nickname};
pub use origin::Origin;
pub use people::{
    NAMES, Name, People, match_of_name, seat_of_token_note, token_commitment, token_key, token_note,
};
pub use platform::{
    BotScript, CloseReason, ClosedBy, Commitments, ForcedDraws, MatchClosed, PlatformEvent,
    PlatformSchemas, Replies, ReplyRefused, Sandbox, SeatOpened, SeatTaken, TableOpened, kind,
};
pub use record::{Body, End, Outline, Record, event_seen};
pub use standing::{ranks_of, standing_told};
pub use store::{
    Address, Alone, Distribution, Figures, Home, OpenError, Scratch, Trouble, has_store,
};
pub use table::{Table, TableSeat};
pub use tag::Tag;
pub use write::Next;
