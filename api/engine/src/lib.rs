//! The use cases of a match server, without HTTP: open a match, submit a command, look at it, read its history, analyse a position,
//! verify a store, simulate.
//!
//! The engine takes the games as an argument and knows none of them; it reads the clock, draws the seeds and makes the ids, and
//! passes them in. Everything that waits for a disk is a [`store::Ticket`], a future that needs no runtime; reads block
//! and are short. A future of the engine that writes must be driven to its end: dropped in between, its commit may be on disk and
//! not be shown.
//!
//! Read in this order: [`Engine`], `open`, `submit`, `history`, `ledger`, `look`, `feed`, `analysis`, `verify`, `simulate`.

mod caller;
mod clock;
mod error;
mod play;
mod refusals;
mod damaged;
mod live;
mod engine;
mod index;
mod write;
mod open;
mod submit;
pub mod look;
mod history;
mod ledger;
mod scene;
mod feed;
mod analysis;
mod simulate;
mod waiting;

pub use analysis::{
    Analysed, AnalysisRequest, ChanceRequest, Include, PositionRequest, StartPosition, Step,
};
pub use caller::Caller;
pub use engine::{Config, Engine};
pub use error::Error;
pub use feed::{FeedEntry, FeedFilter, FeedLine, FeedPage, FeedPlace};
pub use history::{EventEntry, Frame, Replay, StreamEntry};
pub use index::{Filter, MatchSummary, SeatInfo};
pub use ledger::{Ledger, LedgerEntry, LedgerQuery};
pub use live::Slot;
pub use look::{MatchInfo, Seen};
pub use open::{BranchRequest, JoinRequest, OpenRequest, Opened, SeatRequest};
pub use play::RandomPlay;
pub use refusals::{RefusalStats, RuleCount};
pub use scene::{PictureRequest, Scene};
pub use simulate::{Report, Simulation};
pub use submit::{Accepted, DryRun, Submission, seat_of};
pub use waiting::BotDue;
