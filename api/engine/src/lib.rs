//! Live matches, without HTTP: open a match, submit a command, look at it, read its history, analyse a position, simulate.
//!
//! The engine takes the games as an argument and knows none of them; it reads the clock, draws the seeds and makes the ids, and
//! passes them in. Everything that waits for a disk is a [`store::Ticket`], a future that needs no runtime; reads block
//! and are short. A future of the engine that writes must be driven to its end: dropped in between, its commit may be on disk and
//! not be shown.
//!
//! Read in this order: [`Engine`], `open`, `seats`, `submit`, `append`, `history`, `ledger`, `look`, `feed`, `analysis`, `bots`, `simulate`.

mod account;
mod accounts;
mod analysis;
mod answered;
mod append;
mod booking;
mod bots;
pub mod by_game;
mod caller;
mod capped;
mod clock;
mod damaged;
mod dry_run;
mod edition;
mod engine;
mod entries;
mod error;
mod feed;
mod figures;
mod follow;
mod forget;
mod forgettings;
mod history;
mod idle;
mod ids;
mod index;
mod keeper;
mod kept;
mod keys;
mod ledger;
mod list_file;
mod listed;
mod live;
mod look;
mod marks;
mod open;
mod patches;
mod people;
mod pieces;
mod play;
mod quotas;
mod reached;
mod reading;
mod recent;
mod refusals;
mod replies;
mod room;
mod sandbox;
mod scene;
mod seats;
mod seeds;
mod setup;
mod simulate;
mod submit;
mod told;
mod tracks;
mod waiting;
mod walk;

pub use account::{Ledger, LedgerEntry, LedgerQuery};
pub use analysis::{
    Analysed, AnalysisRequest, ChanceRequest, Include, PositionRequest, StartPosition, Step,
};
pub use caller::Caller;
pub use clock::seconds_ahead;
pub use dry_run::{DryRun, RefusedWays};
pub use engine::{Config, Engine};
pub use error::{Error, Quota};
pub use feed::{FeedEntry, FeedFilter, FeedLine, FeedPage, FeedPlace};
pub use forget::Forgotten;
pub use history::{EventEntry, Frame, Replay};
pub use idle::IdleEnds;
pub use listed::{Filter, MatchSummary, SeatInfo};
pub use live::Slot;
pub use look::{Legal, MatchInfo, Part, Seen};
pub use open::{BranchRequest, JoinRequest, OpenRequest, Opened, Prepared, SeatRequest};
pub use patches::LastShown;
pub use play::RandomPlay;
pub use quotas::{Opener, Quotas};
pub use reading::READERS;
pub use recent::StreamEntry;
pub use refusals::{RefusalStats, RuleCount};
pub use room::{ANSWER_BYTES, PAGE_BYTES};
pub use sandbox::{FastForward, ReplyRequest, SandboxRequest};
pub use scene::{PictureRequest, Scene};
pub use seeds::SeedTicket;
pub use simulate::{Ready, Simulated, Simulation, Start};
pub use submit::{Accepted, Done, Submission, Telling, seat_of};
pub use waiting::BotDue;
