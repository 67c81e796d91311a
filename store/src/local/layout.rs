//! How records lie in sled: keys, values, checksums, compression. All numbers are big-endian.
//!
//! | key | value |
//! |---|---|
//! | `c` stream(16) number(8) | a commit |
//! | `h` stream(16) | a header, written with commit 1 |
//! | `n` key | a note |
//! | `p` length of key(2) key index(4) | a further piece of the long record with that key; index 1, 2 ... |
//! | `f` position(8) | the feed of one batch, from that position on |
//!
//! A record's value is `checksum(4) position(8) form(1) [pieces(4)] [length(4)] [dictionary(1)] payload`. The position of a note is that of
//! the commit that it came with, or of the last commit before it; it is 0 for headers, and in notes of older programs. The form says which
//! of the others are there: bit 7 that the payload goes on in so many pieces; bit 0 that it is an LZ4 block of so many bytes when unpacked,
//! which older programs wrote; bit 1 that it is packed with the dictionary of that number (see the module `pack`). The other bits are 0:
//! a record that has one of them is of a newer program. The checksum (CRC-32) covers the key, everything behind the position, the further
//! pieces, and the position, in this order.
//!
//! A feed value is `"FEED" checksum(4) first(8) count(4)` and count times `stream(16) number(8)`; the checksum covers
//! what follows it. It names itself, so that it can be found in a file that sled cannot open any more.
//!
//! Nothing is ever written twice, so no key changes its value and a record's pieces always fit together.
//!
//! Long payloads are cut because sled puts a page of more than 128 KiB into a file of its own, which it never syncs. A page
//! has at most 17 records before it is split, so records of 6 KiB keep every page below that.

use crc32fast::Hasher;
use sled::{Batch, IVec};

use crate::error::ReadError;
use crate::pack;
use crate::stream::{Bytes, StreamId};
use crate::write::Write;

/// The most bytes of payload that one sled record holds.
const PIECE_BYTES: usize = 6 * 1024;
/// The most commits that one feed record lists: 5,780 bytes.
pub(crate) const FEED_ENTRIES: usize = 240;

const COMMIT: u8 = b'c';
const HEADER: u8 = b'h';
const NOTE: u8 = b'n';
const PIECE: u8 = b'p';
const FEED: u8 = b'f';

const FORM_AT: usize = 12;
const LZ4: u8 = 1;
const ZSTD: u8 = 2;
const PIECES: u8 = 0x80;

pub(crate) const FEED_MARK: &[u8; 4] = b"FEED";
const FEED_HEAD: usize = 20;
const FEED_ENTRY: usize = 24;

pub(crate) fn commit_key(stream: StreamId, number: u64) -> Vec<u8> {
    [[COMMIT].as_slice(), &stream.0, &number.to_be_bytes()].concat()
}

/// The stream and number of a commit's key.
pub(crate) fn commit_of_key(key: &[u8]) -> Option<(StreamId, u64)> {
    let rest = key.strip_prefix(&[COMMIT])?;
    let (stream, number) = rest.split_first_chunk()?;
    Some((StreamId(*stream), u64::from_be_bytes(number.try_into().ok()?)))
}

pub(crate) fn header_key(stream: StreamId) -> Vec<u8> {
    [[HEADER].as_slice(), &stream.0].concat()
}

pub(crate) fn stream_of_header_key(key: &[u8]) -> Option<StreamId> {
    Some(StreamId(key.strip_prefix(&[HEADER])?.try_into().ok()?))
}

pub(crate) fn note_key(key: &[u8]) -> Vec<u8> {
    [[NOTE].as_slice(), key].concat()
}

pub(crate) fn feed_key(position: u64) -> Vec<u8> {
    [[FEED].as_slice(), &position.to_be_bytes()].concat()
}

/// The caller's own key of a note.
pub(crate) fn key_of_note(key: &[u8]) -> Option<&[u8]> {
    key.strip_prefix(&NOTES)
}

/// A key in words.
pub(crate) fn name_of_key(key: &[u8]) -> String {
    if let Some((stream, number)) = commit_of_key(key) {
        return format!("commit {number} of stream {stream}");
    }
    if let Some(stream) = stream_of_header_key(key) {
        return format!("the header of stream {stream}");
    }
    let position = key.strip_prefix(&FEEDS).and_then(|rest| rest.try_into().ok());
    match (position, key_of_note(key)) {
        (Some(position), _) => format!("position {}", u64::from_be_bytes(position)),
        (None, Some(note)) => format!("the note {}", note.escape_ascii()),
        (None, None) => key.escape_ascii().to_string(),
    }
}

pub(crate) const COMMITS: [u8; 1] = [COMMIT];
pub(crate) const FEEDS: [u8; 1] = [FEED];
pub(crate) const HEADERS: [u8; 1] = [HEADER];
pub(crate) const NOTES: [u8; 1] = [NOTE];

fn piece_key(key: &[u8], index: u32) -> Vec<u8> {
    let length = u16::try_from(key.len())
        .expect("keys are short: a note's key is checked when it is submitted");
    [[PIECE].as_slice(), &length.to_be_bytes(), key, &index.to_be_bytes()].concat()
}

/// All keys that a record with this key and value takes: its own, and those of its further pieces.
pub(crate) fn keys_of(key: &[u8], value: &[u8]) -> Vec<Vec<u8>> {
    let form = value.get(FORM_AT).copied().unwrap_or_default();
    let count = value.get(FORM_AT + 1..).and_then(<[u8]>::first_chunk::<4>);
    let count = count.filter(|_| form & PIECES != 0).map_or(0, |count| u32::from_be_bytes(*count));
    // No value has more, whatever a damaged one says.
    let most = u32::try_from(Write::VALUE_BYTES / PIECE_BYTES + 1).unwrap_or(u32::MAX);
    let pieces = (1..=count.min(most)).map(|index| piece_key(key, index));
    std::iter::once(key.to_vec()).chain(pieces).collect()
}

/// A record, ready but for its position: what costs time (compression, checksum) is done before the writer gets it.
#[derive(Debug)]
pub(crate) struct Record {
    pub(crate) key: Vec<u8>,
    value: Vec<u8>,
    pieces: Vec<Vec<u8>>,
    checksum: Hasher,
    /// Its position, where that is not the one of its write.
    at: Option<u64>,
}

impl Record {
    pub(crate) fn new(key: Vec<u8>, bytes: &[u8]) -> Record {
        // Headers are few, and mostly random digits.
        let packed = if key.starts_with(&HEADERS) { None } else { pack::pack(bytes) };
        let payload = packed.as_deref().unwrap_or(bytes);
        let first = &payload[..payload.len().min(PIECE_BYTES)];
        let pieces: Vec<Vec<u8>> =
            payload[first.len()..].chunks(PIECE_BYTES).map(<[u8]>::to_vec).collect();
        let mut form = 0;
        let mut value = Vec::with_capacity(FORM_AT + 9 + first.len());
        value.resize(FORM_AT + 1, 0);
        if !pieces.is_empty() {
            form |= PIECES;
            value.extend_from_slice(&number(pieces.len()));
        }
        if packed.is_some() {
            form |= ZSTD;
            value.push(pack::DICTIONARY);
        }
        value[FORM_AT] = form;
        value.extend_from_slice(first);
        let mut checksum = Hasher::new();
        checksum.update(&key);
        checksum.update(&value[FORM_AT..]);
        pieces.iter().for_each(|piece| checksum.update(piece));
        Record { key, value, pieces, checksum, at: None }
    }

    /// The same with a position of its own.
    pub(crate) fn at(self, position: u64) -> Record {
        Record { at: Some(position), ..self }
    }

    /// How many bytes it adds to a batch.
    pub(crate) fn size(&self) -> usize {
        self.key.len() + self.value.len() + self.pieces.iter().map(Vec::len).sum::<usize>()
    }

    /// Puts the record into a batch, with the position of its write. Returns its key.
    pub(crate) fn place(mut self, position: u64, batch: &mut Batch) -> Vec<u8> {
        let position = self.at.unwrap_or(position).to_be_bytes();
        self.checksum.update(&position);
        self.value[..4].copy_from_slice(&self.checksum.finalize().to_be_bytes());
        self.value[4..FORM_AT].copy_from_slice(&position);
        for (piece, index) in self.pieces.into_iter().zip(1..) {
            batch.insert(piece_key(&self.key, index), piece);
        }
        batch.insert(self.key.as_slice(), self.value);
        self.key
    }
}

fn number(length: usize) -> [u8; 4] {
    u32::try_from(length).expect("lengths are checked when a write is submitted").to_be_bytes()
}

/// The position that a record claims to have: it may be damaged.
pub(crate) fn claimed(value: &[u8]) -> Option<u64> {
    let (position, _) = value.get(4..)?.split_first_chunk()?;
    Some(u64::from_be_bytes(*position))
}

/// The position and bytes of a record; `piece` fetches the further pieces by key.
pub(crate) fn decode(
    key: &[u8],
    value: &[u8],
    piece: impl Fn(Vec<u8>) -> Result<Option<IVec>, ReadError>,
) -> Result<(u64, Bytes), ReadError> {
    let short = || ReadError::Damaged("a record is too short".to_owned());
    let (checksum, rest) = value.split_first_chunk::<4>().ok_or_else(short)?;
    let (position, covered) = rest.split_first_chunk::<8>().ok_or_else(short)?;
    let (form, mut payload) = covered.split_first().ok_or_else(short)?;
    let mut next_number = || -> Result<u32, ReadError> {
        let (number, rest) = payload.split_first_chunk::<4>().ok_or_else(short)?;
        payload = rest;
        Ok(u32::from_be_bytes(*number))
    };
    let pieces = if form & PIECES == 0 { 0 } else { next_number()? };
    let length = if form & LZ4 == 0 { None } else { Some(next_number()?) };
    let dictionary = if form & ZSTD == 0 {
        None
    } else {
        let (number, rest) = payload.split_first().ok_or_else(short)?;
        payload = rest;
        Some(*number)
    };
    let mut hasher = Hasher::new();
    hasher.update(key);
    hasher.update(covered);
    let mut joined = Vec::new();
    if pieces > 0 {
        joined.extend_from_slice(payload);
        for index in 1..=pieces {
            let piece = piece(piece_key(key, index))?.ok_or_else(|| {
                ReadError::Damaged(format!("piece {index} of {pieces} of a record is missing"))
            })?;
            hasher.update(&piece);
            joined.extend_from_slice(&piece);
        }
        payload = &joined;
    }
    hasher.update(position);
    if hasher.finalize() != u32::from_be_bytes(*checksum) {
        return Err(ReadError::Damaged("a record's checksum differs".to_owned()));
    }
    if form & !(LZ4 | ZSTD | PIECES) != 0 {
        return Err(ReadError::Newer(format!("a record has the form {form}")));
    }
    let bytes = match (length, dictionary) {
        (None, None) => Bytes::new(payload),
        (Some(length), None) => Bytes::new(&pack::unpack_lz4(payload, length)?),
        (None, Some(dictionary)) => Bytes::new(&pack::unpack(payload, dictionary)?),
        (Some(_), Some(_)) => {
            return Err(ReadError::Damaged("a record is packed in two ways".to_owned()));
        }
    };
    Ok((u64::from_be_bytes(*position), bytes))
}

/// The value of a feed record: which commits have the positions from `first` on.
pub(crate) fn feed_value(first: u64, commits: &[(StreamId, u64)]) -> Vec<u8> {
    let mut value = Vec::with_capacity(FEED_HEAD + FEED_ENTRY * commits.len());
    value.extend_from_slice(FEED_MARK);
    value.extend_from_slice(&[0; 4]);
    value.extend_from_slice(&first.to_be_bytes());
    value.extend_from_slice(&number(commits.len()));
    for (stream, number) in commits {
        value.extend_from_slice(&stream.0);
        value.extend_from_slice(&number.to_be_bytes());
    }
    let checksum = crc32fast::hash(&value[8..]);
    value[4..8].copy_from_slice(&checksum.to_be_bytes());
    value
}

/// One record of the feed: the commits that have the positions from `first` on.
#[derive(Debug)]
pub(crate) struct Feed {
    pub(crate) first: u64,
    pub(crate) commits: Vec<(StreamId, u64)>,
}

impl Feed {
    /// The position after its last.
    pub(crate) fn end(&self) -> u64 {
        self.first + self.commits.len() as u64
    }
}

/// Reads a feed value, if `bytes` begin with a whole one that holds at least one commit.
pub(crate) fn feed_of_value(bytes: &[u8]) -> Option<Feed> {
    let (checksum, covered) = bytes.strip_prefix(FEED_MARK)?.split_first_chunk::<4>()?;
    let (first, rest) = covered.split_first_chunk::<8>()?;
    let (count, rest) = rest.split_first_chunk::<4>()?;
    let count = usize::try_from(u32::from_be_bytes(*count))
        .ok()
        .filter(|count| (1..=FEED_ENTRIES).contains(count))?;
    let entries = rest.get(..count * FEED_ENTRY)?;
    if crc32fast::hash(&covered[..12 + entries.len()]) != u32::from_be_bytes(*checksum) {
        return None;
    }
    let entry = |entry: &[u8]| {
        let (stream, number) = entry.split_first_chunk::<16>()?;
        Some((StreamId(*stream), u64::from_be_bytes(number.try_into().ok()?)))
    };
    let commits: Option<Vec<_>> = entries.chunks_exact(FEED_ENTRY).map(entry).collect();
    Some(Feed { first: u64::from_be_bytes(*first), commits: commits? })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As programs of before wrote them: no program of today does.
    #[test]
    fn a_record_of_an_lz4_block_is_read_whole_and_in_pieces() {
        let key = commit_key(StreamId([7; 16]), 3);
        let position = 9u64.to_be_bytes();
        let block = b"\x8fone and \x08\x00\x0b\x50d one".as_slice();
        let (first, further) = block.split_at(10);
        let whole = [b"\x7b\x08\x7e\xea".as_slice(), &position, b"\x01\0\0\0\x2b", block].concat();
        let begun = [b"\x09\xc2\xe8\x40".as_slice(), &position, b"\x81\0\0\0\x01\0\0\0\x2b", first]
            .concat();
        let of_piece = [b"p\0\x19".as_slice(), key.as_slice(), b"\0\0\0\x01"].concat();
        for value in [whole, begun] {
            let piece = |wanted: Vec<u8>| Ok((wanted == of_piece).then(|| IVec::from(further)));
            let (position, bytes) = decode(&key, &value, piece).expect("it is whole");
            let text = b"one and one and one and one and one and one".as_slice();
            assert_eq!((position, &*bytes), (9, text));
        }
    }
}
