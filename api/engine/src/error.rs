//! What can go wrong, without a word of HTTP.

use std::fmt;

use journal::{Damaged, End};
use kernel::{Refusal, Rule, Seat, StreamError};
use store::{ReadError, WriteError};

use crate::room::ANSWER_BYTES;

/// Why a request was not carried out. Nothing was stored, but where the outcome is unknown.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no such game, match or seat.
    #[error("there is no {0}")]
    NotFound(&'static str),
    /// The request needs a token.
    #[error("{0}")]
    TokenRequired(&'static str),
    /// The token was never given by this server.
    #[error("this server never issued this token")]
    TokenInvalid,
    /// The token belongs to something else.
    #[error("{0}")]
    NotYours(&'static str),
    /// The request asks for hidden information.
    #[error("{0}")]
    Hidden(&'static str),
    /// The request is not well-formed; the pointer says where.
    #[error("{detail}")]
    Malformed {
        /// What is wrong.
        detail: String,
        /// A JSON pointer into the request, or the name of a parameter.
        pointer: String,
    },
    /// The answer would have more bytes than any may have.
    #[error("the answer would have more than {ANSWER_BYTES} bytes: ask for less")]
    TooLarge,
    /// The match is at another version than expected.
    #[error("the match is at version {current}, not at {expected}")]
    VersionConflict {
        /// The version that the client expected.
        expected: u64,
        /// The version of the match.
        current: u64,
    },
    /// The version is too long ago for a patch.
    #[error(
        "version {since} is too far behind version {to}: a patch goes back {most} versions; get the view as a whole"
    )]
    VersionGone {
        /// The version that the client has.
        since: u64,
        /// The version to which the patch would lead.
        to: u64,
        /// The latest version.
        current: u64,
        /// How many versions a patch goes back.
        most: u64,
    },
    /// Another seat is to act.
    #[error("seat {active} is to act")]
    NotActiveSeat {
        /// Who is to act.
        active: Seat,
        /// The version of the match.
        current: u64,
        /// The game's rule, where it has one.
        rule: Option<Rule>,
    },
    /// The match is over.
    #[error("the match is {how}")]
    MatchFinished {
        /// `finished` or `abandoned`.
        how: &'static str,
        /// The version of the match.
        current: u64,
        /// The game's rule.
        rule: Option<Rule>,
    },
    /// Some seat is not taken yet.
    #[error("the match has not started: a seat is open")]
    MatchNotStarted {
        /// The version of the match.
        current: u64,
    },
    /// Somebody sits there.
    #[error("seat {seat} is taken")]
    SeatTaken {
        /// The seat.
        seat: Seat,
        /// The version of the match.
        current: u64,
    },
    /// Who opens a match or takes a seat has so many of them going on.
    #[error(
        "this address has {most} {quota}, which is the limit: one must end first, by being played out or closed with its owner token"
    )]
    QuotaReached {
        /// Which quota.
        quota: Quota,
        /// How many it allows.
        most: u32,
    },
    /// As many matches go on as there may be.
    #[error("this server has {most} open and running matches, which is the limit")]
    Full {
        /// How many it takes.
        most: u32,
    },
    /// A match was opened with this ticket before.
    #[error("this ticket was used for another match")]
    TicketUsed,
    /// The same idempotency key came with another request.
    #[error("this idempotency key was used for another request")]
    IdempotencyConflict {
        /// The version of the match, for a command.
        current: Option<u64>,
    },
    /// A rule of the game forbids the command.
    #[error("{refusal}")]
    IllegalCommand {
        /// The rule and the reason.
        refusal: Refusal,
        /// The version of the match, if it is one.
        current: Option<u64>,
        /// The index of the command in an analysis, or in what a sandbox plays when it is opened.
        step: Option<usize>,
    },
    /// A rule of the game forbids the position.
    #[error("{0}")]
    InvalidPosition(Refusal),
    /// A rule of the game forbids the options or the number of seats.
    #[error("{0}")]
    InvalidOptions(Refusal),
    /// A forced outcome of chance is missing, left over, or no candidate.
    #[error("{detail}")]
    ChanceOutcome {
        /// What is wrong.
        detail: String,
        /// The index of the command, if one was drawing.
        step: Option<usize>,
    },
    /// A sandbox does not come as far as it was asked to, or a match that is simulated does not end.
    #[error("{detail}")]
    NotReached {
        /// How far it came.
        detail: String,
    },
    /// There is no such version.
    #[error("{detail}")]
    VersionUnknown {
        /// What is wrong with the version.
        detail: String,
        /// The version of the match.
        current: u64,
    },
    /// The list of matches is being made.
    #[error("the list of matches is being made: {behind} commits are still to be read")]
    NotListed {
        /// How many commits it does not have yet.
        behind: u64,
    },
    /// A name was forgotten, and may still be told.
    #[error("the name is forgotten, but {0}; repeat the request")]
    StillTold(&'static str),
    /// The store takes no writes now.
    #[error("the store accepts no writes")]
    Unavailable(#[source] WriteError),
    /// The store has what only a newer program knows, so this one writes no more.
    #[error("a newer program writes to the same store")]
    Outdated,
    /// The disk failed while this request, or an earlier one with the same key, was carried out; or no database has confirmed it in time; or it
    /// cannot be read whether its key was used before. Of a disk, what was stored is known only after a restart.
    #[error("it is unknown whether this was stored: {0}")]
    OutcomeUnknown(String),
    /// The store could not be read.
    #[error("the store could not be read")]
    Read(#[from] ReadError),
    /// A stored stream is damaged.
    #[error(transparent)]
    Stream(#[from] StreamError),
    /// A match is damaged, and set aside.
    #[error(transparent)]
    Damaged(Box<Damaged>),
}

/// A quota of an opener.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quota {
    /// Of open and running matches.
    Matches,
    /// Of running matches that bots play alone.
    BotMatches,
}

impl Error {
    /// The request is not well-formed at `pointer`.
    pub(crate) fn malformed(detail: impl Into<String>, pointer: impl Into<String>) -> Error {
        Error::Malformed { detail: detail.into(), pointer: pointer.into() }
    }

    /// The match has ended, by a rule of its game if it has one for that.
    pub(crate) fn over(end: End, current: u64, rule: Option<Rule>) -> Error {
        let how = match end {
            End::Finished => "finished",
            End::Closed => "abandoned",
        };
        Error::MatchFinished { how, current, rule }
    }

    /// The same, where it is about what is stored, or may be: that it cannot be read does not say that nothing was.
    pub(crate) fn of_stored(self) -> Error {
        if let Error::Read(why) = self { Error::OutcomeUnknown(why.to_string()) } else { self }
    }

    /// The same, where it is about the position at a version in the middle of a commit: says so, if the position cannot be played.
    pub(crate) fn of_version_within(mut self, version: u64, commit: u64) -> Error {
        if let Error::InvalidPosition(refusal) = &mut self {
            let within = format!(
                "; version {version} is in the middle of commit {commit}, and the position is whole at the `last_version` of a commit"
            );
            refusal.reason.push_str(&within);
        }
        self
    }
}

/// JSON that is stored, or was made here, is not of the form that it must have.
pub(crate) fn broken(error: serde_json::Error) -> StreamError {
    StreamError(error.to_string())
}

impl fmt::Display for Quota {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Quota::Matches => "open and running matches",
            Quota::BotMatches => "running matches that bots play alone",
        })
    }
}

impl From<WriteError> for Error {
    fn from(error: WriteError) -> Error {
        match error {
            WriteError::Unknown(why) => Error::OutcomeUnknown(why),
            // Of all notes, only a ticket's can be there already: the others are made of fresh random bytes, or looked up before.
            WriteError::NoteTaken { .. } => Error::TicketUsed,
            WriteError::Outdated(_) => Error::Outdated,
            WriteError::Conflict { .. } | WriteError::Unavailable(_) => Error::Unavailable(error),
        }
    }
}
