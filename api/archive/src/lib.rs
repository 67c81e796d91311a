//! Finished matches in bulk: read and decided again, verified, and counted.
//!
//! Nothing here is of live matches, and nothing waits for one: an [`Archive`] reads the same journal as an engine beside it, or a store
//! that no server has open. Read in this order: [`Archive`], [`Verified`], [`Audited`], [`Projection`]; and [`portable`], which carries a whole
//! store from one place to another.

mod archive;
mod audit;
mod finished;
mod finishes;
mod pace;
pub mod portable;
mod replay;
mod shown;
mod stats;
mod today;
mod turns;
mod verify;

pub use archive::Archive;
pub use audit::{AuditError, Audited, Difference};
pub use finished::{After, Drawn, FinishedCommit, FinishedMatch};
pub use finishes::{Finish, Finishes};
pub use replay::Detail;
pub use shown::Shown;
pub use stats::{
    Asked, AwardStats, Counted, Counting, GameStats, GroupStats, GroupValue, Mean, OptionStats,
    PieceStats, PlayerStats, Population, Projection, Rate, Reach, SeatStats, Share, TableStats,
    Unasked, Unread,
};
pub use verify::{Finding, Verified};
