//! A look at sled's file before sled opens it, without changing it.
//!
//! When sled opens a log, it reads to the first message at the end that is not whole, and wipes out what follows: right
//! after a crash, fatal when a bit flipped. So we find out first where sled will stop, and compare that with what was
//! acknowledged. This reads the 20-byte header of each segment and the last few segments completely.
//!
//! The format is that of sled 0.34: segments of 512 KiB, each with a header `checksum(4) lsn(8) stable(8)`, the numbers
//! little-endian and flipped; then messages `checksum(4) kind(1) length segment page` with variable-length numbers, and
//! the body. A segment's first byte has a log sequence number (lsn) that is a multiple of the segment size.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use crate::layout;

const SEGMENT: u64 = 512 * 1024;
const SEGMENT_HEADER: usize = 20;
/// Nothing begins in the last bytes of a segment: a header might not fit.
const RED_ZONE: usize = 32;
const KIND_CORRUPTED: u8 = 0;
const KIND_CAP: u8 = 2;
const KIND_LAST: u8 = 11;

/// Where sled will stop reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct End {
    /// The log sequence number of the last byte that it accepts; -1 in an empty log.
    pub(crate) lsn: i64,
    /// The last feed position found up to there, as far as it can be told.
    pub(crate) position: u64,
}

/// Finds where sled will stop reading the log in `folder`.
pub(crate) fn end(folder: &Path) -> io::Result<End> {
    let mut file = match File::open(folder.join("db")) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(End {
                lsn: -1,
                position: 0,
            });
        }
        opened => opened?,
    };
    let snapshot = snapshot_lsn(folder)?;
    let (segments, stable) = segments(&mut file)?;
    let mut expected = stable.max(snapshot) / SEGMENT * SEGMENT;
    let mut end = snapshot;
    let mut tail = Vec::new();
    for (&lsn, &at) in segments.range(expected..) {
        if lsn != expected {
            break;
        }
        let bytes = segment(&mut file, at)?;
        let (length, full) = valid_length(&bytes, lsn);
        end = if full {
            lsn + SEGMENT
        } else {
            lsn + length as u64
        };
        tail.extend_from_slice(&bytes[..length]);
        expected += SEGMENT;
        if !full {
            break;
        }
    }
    let mut position = last_position(&tail);
    let mut earlier = segments.range(..end / SEGMENT * SEGMENT).rev();
    while position.is_none()
        && let Some((_, &at)) = earlier.next()
    {
        position = last_position(&segment(&mut file, at)?);
    }
    Ok(End {
        lsn: i64::try_from(end).map_or(i64::MAX, |end| end - 1),
        position: position.unwrap_or(0),
    })
}

/// The lsn up to which sled's newest snapshot describes the log: it is the file's name.
fn snapshot_lsn(folder: &Path) -> io::Result<u64> {
    let mut newest = 0;
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        let lsn = name.to_str().and_then(|name| name.strip_prefix("snap."));
        newest = newest.max(
            lsn.and_then(|lsn| u64::from_str_radix(lsn, 16).ok())
                .unwrap_or(0),
        );
    }
    Ok(newest)
}

/// Where each segment with a valid header lies, by lsn, and the highest lsn that a header calls stable.
fn segments(file: &mut File) -> io::Result<(BTreeMap<u64, u64>, u64)> {
    let mut segments = BTreeMap::new();
    let mut stable = 0;
    for at in (0..file.metadata()?.len()).step_by(SEGMENT as usize) {
        let mut header = Vec::with_capacity(SEGMENT_HEADER);
        file.seek(SeekFrom::Start(at))?;
        file.take(SEGMENT_HEADER as u64).read_to_end(&mut header)?;
        if let Some((lsn, says)) = segment_header(&header) {
            segments.insert(lsn, at);
            stable = stable.max(says);
        }
    }
    Ok((segments, stable))
}

fn segment_header(header: &[u8]) -> Option<(u64, u64)> {
    let (checksum, rest) = header.split_first_chunk::<4>()?;
    let (lsn, stable) = rest.split_first_chunk::<8>()?;
    let number = |bytes: [u8; 8]| i64::from_le_bytes(bytes) ^ i64::MAX;
    if u32::from_le_bytes(*checksum) != !crc32fast::hash(rest) {
        return None;
    }
    let lsn = u64::try_from(number(*lsn)).ok()?;
    Some((
        lsn,
        u64::try_from(number(stable.try_into().ok()?)).unwrap_or(0),
    ))
}

fn segment(file: &mut File, at: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(at))?;
    file.take(SEGMENT).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// How many bytes of a segment are whole messages, and whether the log goes on in the next segment.
fn valid_length(bytes: &[u8], lsn: u64) -> (usize, bool) {
    let mut at = SEGMENT_HEADER;
    while at + RED_ZONE <= SEGMENT as usize {
        match message(bytes.get(at..).unwrap_or(&[]), lsn / SEGMENT) {
            None => return (at.min(bytes.len()), false),
            Some((KIND_CAP, length)) => return (at + length, true),
            Some((_, length)) => at += length,
        }
    }
    (at, true)
}

/// The kind and length of the message at the beginning of `bytes`, if it is whole and belongs to that segment.
fn message(bytes: &[u8], segment: u64) -> Option<(u8, usize)> {
    let (checksum, covered) = bytes.split_first_chunk::<4>()?;
    let (kind, mut rest) = covered.split_first()?;
    let length = usize::try_from(variable(&mut rest)?).ok()?;
    let of_segment = variable(&mut rest)?;
    variable(&mut rest)?;
    let header = &covered[..covered.len() - rest.len()];
    let body = rest.get(..length)?;
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(body);
    hasher.update(header);
    let is_whole = !hasher.finalize() == u32::from_le_bytes(*checksum);
    let is_known = (KIND_CORRUPTED + 1..=KIND_LAST).contains(kind);
    (is_whole && is_known && of_segment == segment).then_some((*kind, 4 + header.len() + length))
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
    let number = digits
        .iter()
        .rev()
        .fold(0, |number, digit| number << 8 | u64::from(*digit));
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
