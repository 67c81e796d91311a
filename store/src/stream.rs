//! The names and values that cross the store's door.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// The id of a stream: 16 bytes that the caller chooses; UUIDv7 if the order of ids is to be the order of time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StreamId(pub [u8; 16]);

impl fmt::Display for StreamId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", u128::from_be_bytes(self.0))
    }
}

impl fmt::Debug for StreamId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Bytes that were read: cheap to clone, for they are shared.
#[derive(Clone, PartialEq, Eq)]
pub struct Bytes(Arc<[u8]>);

impl Bytes {
    pub(crate) fn new(bytes: &[u8]) -> Bytes {
        Bytes(bytes.into())
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.escape_ascii())
    }
}

/// A commit as it was stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The stream that it belongs to.
    pub stream: StreamId,
    /// Its number in the stream: 1, 2, 3 ...
    pub number: u64,
    /// Its place among all commits of the store, in the order in which they became durable: 1, 2, 3 ...
    pub position: u64,
    /// What was written.
    pub bytes: Bytes,
}

/// A note as it was stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Its key.
    pub key: Vec<u8>,
    /// What was written.
    pub value: Vec<u8>,
    /// The position of the commit that it came with, or of the last commit before it; 0 if that is not known.
    pub position: u64,
}

/// A place in the feed: which commit has a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The stream of the commit.
    pub stream: StreamId,
    /// The number of the commit in the stream.
    pub number: u64,
    /// The position.
    pub position: u64,
}
