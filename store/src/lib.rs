//! An append-only event log: streams, numbers and bytes.
//!
//! A [`Store`] keeps *commits* in *streams*. A commit is a piece of bytes with the next number of its stream; it is stored
//! once, completely, and never changed. All commits of a store also have a *position* in its *feed*: the order in which
//! they became durable. Beside its commits a stream may have a *header*, a small value that is written with its first commit,
//! and the store keeps *notes*, small values by key. One [`Write`] may hold a commit and notes, and is stored as a whole or not
//! at all. Nothing that is stored is ever changed, replaced or removed, but for notes
//! that are [forgotten](Store::forget). The store knows nothing of games, JSON or HTTP.
//!
//! # Example
//! ```
//! use store::{Commit, Config, Store, StreamId, Write, WriteError};
//!
//! let folder = tempfile::tempdir()?;
//! let store = Store::open(&folder.path().join("data"), Config::default())?;
//! let stream = StreamId([7; 16]);
//! let header = Some(b"secret".to_vec());
//! let first = Commit { stream, number: 1, bytes: b"opened".to_vec(), header };
//! let second = Commit { stream, number: 2, bytes: b"closed".to_vec(), header: None };
//! let note = (b"key".to_vec(), b"value".to_vec());
//!
//! let write = Write { commit: Some(first), notes: vec![note.clone()] };
//! assert_eq!(store.submit(write.clone()).wait(), Ok(1));
//! assert_eq!(store.submit(write).wait(), Err(WriteError::Conflict { last: 1 }));
//! let write = Write { commit: Some(second), notes: vec![note] };
//! assert_eq!(store.submit(write).wait(), Err(WriteError::NoteTaken { key: b"key".to_vec() }));
//!
//! assert_eq!(store.commits(stream, 0, 100)?.len(), 1);
//! assert_eq!(store.header(stream)?.as_deref(), Some(b"secret".as_slice()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Durability
//! A ticket resolves when the whole write is on disk. One thread takes all waiting writes, checks the numbers of the commits and
//! the keys of the notes, applies the writes as one atomic batch, and syncs once (group commit); so many writers share the cost,
//! and one alone never waits for a timer. Readers see nothing that is not durable yet. A refused write is answered when what
//! stands in its way is durable and can be read. After a crash the store holds every acknowledged write, perhaps some whose
//! answer never arrived, and never a part of one.
//!
//! When the disk fails, nobody knows what is on it of the batch that was under way: its writes are answered so
//! ([`WriteError::Unknown`]), and shown to no reader. All later writes are refused until a restart; what was durable can be read.
//! Before each batch the store looks whether it may write at all ([`Trouble`]).
//!
//! # Engines
//! `Store::open` opens a folder: the module `local`, on sled. `Store::connect` opens a database: the module `postgres`, with the feature of
//! that name. [`Home`] names either of them, with the feature and without. What a store promises does not depend on its engine.

mod stream;
mod write;
mod error;
mod figures;
mod home;
mod store;
mod queue;
mod lease;
mod pack;
mod local;
#[cfg(feature = "postgres")]
mod postgres;

pub use error::{Damage, OpenError, ReadError, Trouble, WriteError};
pub use figures::{Distribution, Figures};
pub use home::{Address, Beside, Home};
pub use lease::{Alone, Leases, SHARES, share_of};
pub use local::copy::Scratch;
pub use local::folder::{has_store, sync_above};
pub use store::{AtPlaces, Checked, Config, Store};
pub use stream::{Bytes, Note, Place, Stored, StreamId};
pub use write::{Commit, Ticket, Write};
