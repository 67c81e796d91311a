//! A look at sled's file before sled opens it, without changing it.
//!
//! When sled opens a log, it reads what was written since its last snapshot (of the last start). At the end it stops at the
//! first message that is not whole, and wipes out what follows; further up it goes on with the next segment without a
//! word. Right after a crash, fatal when a bit flipped. So we read the same before: where sled will stop, to compare it
//! with what was acknowledged, and whether anything before is damaged.
//!
//! The format is that of sled 0.34: segments of 512 KiB, each with a header `checksum(4) lsn(8) stable(8)`, the numbers
//! little-endian and flipped; then messages `checksum(4) kind(1) length segment page` with variable-length numbers, and
//! the body. A segment's first byte has a log sequence number (lsn) that is a multiple of the segment size.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::RangeInclusive;
use std::path::Path;
use std::thread;

use crate::local::layout;

pub(crate) const SEGMENT: u64 = 512 * 1024;
pub(crate) const SEGMENT_HEADER: usize = 20;
/// Nothing begins in the last bytes of a segment: a header might not fit.
pub(crate) const RED_ZONE: usize = 32;
/// All kinds of messages; 0 stands for none.
const KINDS: RangeInclusive<u8> = 1..=11;
/// The kind of message that was given up before it was written, and is passed.
pub(crate) const KIND_PASSED: u8 = 1;
/// The kind of message that fills the rest of a segment.
pub(crate) const KIND_CAP: u8 = 2;
/// The kind of message that says that a page is free.
pub(crate) const KIND_FREE: u8 = 4;
/// The kinds of messages that say all of a page: each of them makes it known, whatever was before.
pub(crate) const KINDS_OF_PAGES: RangeInclusive<u8> = KIND_FREE..=9;

/// What sled will find.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// The log sequence number of the last byte that it accepts; -1 in an empty log.
    pub(crate) end: i64,
    /// The last feed position found up to there, as far as it can be told.
    pub(crate) position: u64,
    /// Where the log is damaged in what was acknowledged: an offset in the file.
    pub(crate) damage: Option<u64>,
}

/// Looks at the log in `folder`, which was acknowledged up to the log sequence number `acknowledged`; `snapshot` is the one up to which
/// sled need not read it, 0 if it reads all.
pub(crate) fn look(folder: &Path, snapshot: u64, acknowledged: i64) -> io::Result<Found> {
    let path = folder.join("db");
    let mut file = match File::open(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(Found { end: -1, position: 0, damage: None });
        }
        opened => opened?,
    };
    let acknowledged = u64::try_from(acknowledged).unwrap_or(0);
    let segments = segments(&path)?;
    let tail = segments.stable.max(snapshot) / SEGMENT * SEGMENT;
    let damage = damage(&mut file, &segments, snapshot, tail, acknowledged)?;
    let (end, valid) = follow(&mut file, &segments.by_lsn, tail, snapshot)?;
    let mut position = last_position(&valid);
    let mut earlier = segments.by_lsn.range(..end / SEGMENT * SEGMENT).rev();
    while position.is_none()
        && let Some((_, &at)) = earlier.next()
    {
        position = last_position(&segment(&mut file, at)?);
    }
    Ok(Found {
        end: i64::try_from(end).map_or(i64::MAX, |end| end - 1),
        position: position.unwrap_or(0),
        damage,
    })
}

/// The first offset where something acknowledged is damaged, among what sled replays before the segment `tail`.
fn damage(
    file: &mut File,
    segments: &Segments,
    snapshot: u64,
    tail: u64,
    acknowledged: u64,
) -> io::Result<Option<u64>> {
    let mut damage = Vec::new();
    // A segment without a header is new, or wiped out by sled, perhaps not to its end; what it has is not in this range. There may be
    // very many of them, so they are looked through only where one of the range is missing.
    let replayed = snapshot / SEGMENT..=acknowledged / SEGMENT;
    let is_there = |segment: u64| segments.by_lsn.contains_key(&(segment * SEGMENT));
    let are_all_there = replayed.clone().all(is_there);
    for &at in segments.headless.iter().filter(|_| !are_all_there) {
        let found = whole_message(&segment(file, at)?, |segment| replayed.contains(&segment));
        damage.extend(found.map(|_| at));
    }
    for (&lsn, &at) in segments.by_lsn.range(snapshot / SEGMENT * SEGMENT..tail) {
        let bytes = segment(file, at)?;
        let (length, is_full) = valid_length(&bytes, lsn);
        // What was not acknowledged may be torn. And a crash may catch sled when it has begun to fill a freed segment anew,
        // but not from its beginning.
        let is_known = lsn + length as u64 <= acknowledged;
        let is_newer = |segment| segment > acknowledged / SEGMENT;
        if !is_full && is_known && whole_message(&bytes[length..], is_newer).is_none() {
            damage.push(at + length as u64);
        }
    }
    Ok(damage.into_iter().min())
}

/// Follows the log from the segment `tail` on. Returns the lsn behind its end (`snapshot`, if there is nothing), and all
/// bytes of whole messages on the way.
fn follow(
    file: &mut File,
    by_lsn: &BTreeMap<u64, u64>,
    tail: u64,
    snapshot: u64,
) -> io::Result<(u64, Vec<u8>)> {
    let mut end = snapshot;
    let mut valid = Vec::new();
    for ((&lsn, &at), expected) in by_lsn.range(tail..).zip((tail..).step_by(SEGMENT as usize)) {
        if lsn != expected {
            break;
        }
        let bytes = segment(file, at)?;
        let (length, is_full) = valid_length(&bytes, lsn);
        valid.extend_from_slice(&bytes[..length]);
        end = if is_full { lsn + SEGMENT } else { lsn + length as u64 };
        if !is_full {
            break;
        }
    }
    Ok((end, valid))
}

/// The segments of the file.
pub(crate) struct Segments {
    /// Where those with a valid header lie, by lsn.
    pub(crate) by_lsn: BTreeMap<u64, u64>,
    /// The highest lsn that a header calls stable.
    pub(crate) stable: u64,
    /// Where the others lie.
    pub(crate) headless: Vec<u64>,
}

/// How many headers are read at the same time: they lie far apart, and each waits for the disk.
const READERS: usize = 16;

pub(crate) fn segments(path: &Path) -> io::Result<Segments> {
    let starts: Vec<u64> = (0..path.metadata()?.len()).step_by(SEGMENT as usize).collect();
    let share = starts.len().div_ceil(READERS).max(1);
    let shares = thread::scope(|scope| {
        let readers: Vec<_> =
            starts.chunks(share).map(|starts| scope.spawn(|| headers(path, starts))).collect();
        let read = readers.into_iter().map(|reader| reader.join().expect("a reader never panics"));
        read.collect::<io::Result<Vec<_>>>()
    })?;
    let mut segments = Segments { by_lsn: BTreeMap::new(), stable: 0, headless: Vec::new() };
    for (at, header) in starts.into_iter().zip(shares.into_iter().flatten()) {
        match header {
            Some((lsn, stable)) => {
                segments.by_lsn.insert(lsn, at);
                segments.stable = segments.stable.max(stable);
            }
            None => segments.headless.push(at),
        }
    }
    Ok(segments)
}

/// The headers of the segments that start there, each as [`segment_header`] reads it. A reader has its own place in the file.
fn headers(path: &Path, starts: &[u64]) -> io::Result<Vec<Option<(u64, u64)>>> {
    let mut file = File::open(path)?;
    let header = |at: &u64| {
        let mut header = Vec::with_capacity(SEGMENT_HEADER);
        file.seek(SeekFrom::Start(*at))?;
        (&mut file).take(SEGMENT_HEADER as u64).read_to_end(&mut header)?;
        Ok(segment_header(&header))
    };
    starts.iter().map(header).collect()
}

fn segment_header(header: &[u8]) -> Option<(u64, u64)> {
    let (checksum, rest) = header.split_first_chunk::<4>()?;
    let (lsn, stable) = rest.split_first_chunk::<8>()?;
    let number = |bytes: [u8; 8]| i64::from_le_bytes(bytes) ^ i64::MAX;
    if u32::from_le_bytes(*checksum) != !crc32fast::hash(rest) {
        return None;
    }
    let lsn = u64::try_from(number(*lsn)).ok()?;
    Some((lsn, u64::try_from(number(stable.try_into().ok()?)).unwrap_or(0)))
}

pub(crate) fn segment(file: &mut File, at: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(SEGMENT as usize);
    file.seek(SeekFrom::Start(at))?;
    file.take(SEGMENT).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// How many bytes of a segment are whole messages, and whether the log goes on in the next segment.
pub(crate) fn valid_length(bytes: &[u8], lsn: u64) -> (usize, bool) {
    let mut at = SEGMENT_HEADER;
    while at + RED_ZONE <= SEGMENT as usize {
        match message(bytes.get(at..).unwrap_or(&[]), |segment| segment == lsn / SEGMENT) {
            None => return (at.min(bytes.len()), false),
            Some(Message { kind: KIND_CAP, length, .. }) => return (at + length, true),
            Some(message) => at += message.length,
        }
    }
    (at, true)
}

/// The first whole message of a wanted segment, wherever it begins, and its offset.
pub(crate) fn whole_message(
    bytes: &[u8],
    is_wanted: impl Fn(u64) -> bool,
) -> Option<(usize, Message)> {
    // Most of those that are looked through are all zeros, and there are hundreds.
    if bytes.iter().all(|byte| *byte == 0) {
        return None;
    }
    (0..bytes.len()).find_map(|at| Some((at, message(&bytes[at..], &is_wanted)?)))
}

/// What the beginning of a message says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) kind: u8,
    /// Of all of it.
    pub(crate) length: usize,
    pub(crate) segment: u64,
    pub(crate) page: u64,
}

/// The message at the beginning of `bytes`, if it is whole and its segment is wanted.
pub(crate) fn message(bytes: &[u8], is_wanted: impl Fn(u64) -> bool) -> Option<Message> {
    let (message, header) = claimed(bytes)?;
    if !is_wanted(message.segment) {
        return None;
    }
    let (checksum, _) = bytes.split_first_chunk::<4>()?;
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(bytes.get(4 + header.len()..message.length)?);
    hasher.update(header);
    (!hasher.finalize() == u32::from_le_bytes(*checksum)).then_some(message)
}

/// What the message at the beginning of `bytes` says of itself, whole or not, and its header behind the checksum.
pub(crate) fn claimed(bytes: &[u8]) -> Option<(Message, &[u8])> {
    let (_, covered) = bytes.split_first_chunk::<4>()?;
    let (&kind, mut rest) = covered.split_first()?;
    if !KINDS.contains(&kind) {
        return None;
    }
    let length = usize::try_from(variable(&mut rest)?).ok()?;
    let segment = variable(&mut rest)?;
    let page = variable(&mut rest)?;
    let header = &covered[..covered.len() - rest.len()];
    let length = length.checked_add(4 + header.len())?;
    Some((Message { kind, length, segment, page }, header))
}

/// Reads one of sled's numbers of variable length, and moves `bytes` behind it.
fn variable(bytes: &mut &[u8]) -> Option<u64> {
    let (&first, rest) = bytes.split_first()?;
    let extra = match first {
        0..=240 => 0,
        241..=248 => 1,
        249 => 2,
        250.. => usize::from(first - 247),
    };
    let (digits, rest) = rest.split_at_checked(extra)?;
    *bytes = rest;
    let number = digits.iter().rev().fold(0, |number, digit| number << 8 | u64::from(*digit));
    Some(match first {
        0..=240 => u64::from(first),
        241..=248 => 240 + 256 * (u64::from(first) - 241) + number,
        249 => 2288 + 256 * u64::from(digits[0]) + u64::from(digits[1]),
        250.. => number,
    })
}

/// The highest feed position that a whole feed value in `bytes` names.
fn last_position(bytes: &[u8]) -> Option<u64> {
    let marks = bytes
        .windows(layout::FEED_MARK.len())
        .enumerate()
        .filter(|(_, window)| *window == layout::FEED_MARK);
    let feeds = marks.filter_map(|(at, _)| layout::feed_of_value(&bytes[at..]));
    feeds.map(|feed| feed.end() - 1).max()
}
