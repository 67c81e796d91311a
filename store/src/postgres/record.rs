//! Records as bytes: `checksum(4) form(1) [dictionary(1)] payload`. The checksum (CRC-32) covers the name of the record and all behind it.
//! The form is 0, or 2 where the payload is packed with that dictionary, as in a folder.

use std::fmt;

use crc32fast::Hasher;

use crate::error::ReadError;
use crate::pack;
use crate::stream::{Bytes, StreamId};

const PLAIN: u8 = 0;
const ZSTD: u8 = 2;

/// Which record.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Name<'a> {
    Commit(StreamId, u64),
    Header(StreamId),
    Note(&'a [u8]),
}

impl Name<'_> {
    fn hash(self, hasher: &mut Hasher) {
        match self {
            Name::Commit(StreamId(stream), number) => {
                hasher.update(b"c");
                hasher.update(&stream);
                hasher.update(&number.to_be_bytes());
            }
            Name::Header(StreamId(stream)) => {
                hasher.update(b"h");
                hasher.update(&stream);
            }
            Name::Note(key) => {
                hasher.update(b"n");
                hasher.update(key);
            }
        }
    }
}

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Name::Commit(stream, number) => write!(f, "commit {number} of stream {stream}"),
            Name::Header(stream) => write!(f, "the header of stream {stream}"),
            Name::Note(key) => write!(f, "the note {}", key.escape_ascii()),
        }
    }
}

/// What is stored for these bytes.
pub(crate) fn encode(name: Name<'_>, bytes: &[u8]) -> Vec<u8> {
    // Headers are few, and mostly random digits.
    let packed = if matches!(name, Name::Header(_)) { None } else { pack::pack(bytes) };
    let mut record = vec![0; 4];
    match &packed {
        Some(packed) => {
            record.extend([ZSTD, pack::DICTIONARY]);
            record.extend(packed);
        }
        None => {
            record.push(PLAIN);
            record.extend(bytes);
        }
    }
    let checksum = checksum(name, &record[4..]);
    record[..4].copy_from_slice(&checksum);
    record
}

/// The bytes of a record.
pub(crate) fn decode(name: Name<'_>, record: &[u8]) -> Result<Bytes, ReadError> {
    let damaged = |what: &str| ReadError::Damaged(what.to_owned());
    let short = || damaged("a record is too short");
    let (found, covered) = record.split_first_chunk::<4>().ok_or_else(short)?;
    if *found != checksum(name, covered) {
        return Err(damaged("a record's checksum differs"));
    }
    match covered {
        [] | [ZSTD] => Err(short()),
        [PLAIN, payload @ ..] => Ok(Bytes::new(payload)),
        [ZSTD, dictionary, payload @ ..] => Ok(Bytes::new(&pack::unpack(payload, *dictionary)?)),
        [form, ..] => Err(ReadError::Newer(format!("a record has the form {form}"))),
    }
}

fn checksum(name: Name<'_>, covered: &[u8]) -> [u8; 4] {
    let mut hasher = Hasher::new();
    name.hash(&mut hasher);
    hasher.update(covered);
    hasher.finalize().to_be_bytes()
}
