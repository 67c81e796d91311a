//! What can be written, and the ticket for it.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::sync::oneshot;

use crate::error::WriteError;
use crate::stream::StreamId;

/// One write: all of it becomes durable, or nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Write {
    /// The next commit of a stream.
    pub commit: Option<Commit>,
    /// Small values by key. Each key is written once, and again only after it was forgotten: a write with one that is there already is refused as a whole. A key has at most
    /// [`Write::NOTE_KEY_BYTES`] bytes.
    pub notes: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Write {
    /// The longest key of a note, in bytes.
    pub const NOTE_KEY_BYTES: usize = 512;
    /// The longest commit, header or note value, in bytes.
    pub const VALUE_BYTES: usize = 16 << 20;

    /// Why it can never be stored, if it cannot: a part is too long, or a header comes with a later commit than the first.
    pub(crate) fn problem(&self) -> Option<String> {
        if let Some(Commit { number, header: Some(_), .. }) = self.commit
            && number != 1
        {
            return Some(format!("a header is written with commit 1, not with commit {number}"));
        }
        let values = self.commit.iter().flat_map(|c| [&c.bytes].into_iter().chain(&c.header));
        let longest = values.chain(self.notes.iter().map(|(_, value)| value)).map(Vec::len).max();
        let key = self.notes.iter().map(|(key, _)| key.len()).max();
        if let Some(n) = longest.filter(|n| *n > Write::VALUE_BYTES) {
            return Some(format!("a value of {n} bytes is longer than {}", Write::VALUE_BYTES));
        }
        key.filter(|n| *n > Write::NOTE_KEY_BYTES)
            .map(|n| format!("a note's key of {n} bytes is longer than {}", Write::NOTE_KEY_BYTES))
    }
}

/// A commit to append.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    /// The stream to append to. It begins to exist with its first commit.
    pub stream: StreamId,
    /// The number that the commit shall have: the stream's last number + 1, so 1 in a new stream.
    pub number: u64,
    /// What to store. The store does not look inside.
    pub bytes: Vec<u8>,
    /// The header of the stream, which is written with commit 1 and never again; with any other number the write is refused.
    pub header: Option<Vec<u8>>,
}

/// The promise of an answer to a [`Write`].
///
/// Await it, or [`wait`](Ticket::wait) for it. It resolves to the commit's feed position (or, for a write without a commit, the current
/// one) when the write is on disk. Dropping a ticket does not stop the write.
#[derive(Debug)]
#[must_use = "whether the write became durable is known from its ticket alone"]
pub struct Ticket(pub(crate) oneshot::Receiver<Result<u64, WriteError>>);

impl Ticket {
    /// Blocks until the write is on disk or failed.
    ///
    /// # Errors
    /// As [`WriteError`] says.
    ///
    /// # Panics
    /// If called from asynchronous code, which must not block: await the ticket there.
    pub fn wait(self) -> Result<u64, WriteError> {
        self.0.blocking_recv().unwrap_or_else(|_| Err(WriteError::unanswered()))
    }
}

impl Future for Ticket {
    type Output = Result<u64, WriteError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.0)
            .poll(context)
            .map(|answer| answer.unwrap_or_else(|_| Err(WriteError::unanswered())))
    }
}
