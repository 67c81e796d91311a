//! A copy of a damaged log, made such that sled reads on behind the damage.
//!
//! sled ends the log at the first message of its last segments that is not whole, and what follows is lost, or it does not open at all. So in
//! the place of damaged messages comes one that sled passes, as long as they were; behind the last whole message of a segment, one that says
//! that the log goes on in the next; and a segment whose header is damaged gets a new one. What stood there is lost. Only a copy is treated
//! so, from which what is whole is taken match by match, and never a store that goes on.
//!
//! sled does not open where a page is not known, or where it lies in a segment that was used again since. So a page whose message is damaged
//! is said to be free: then its readers find a hole. Where all of the log is read, the older page may do as well, if it is still there.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

use crate::local::probe::{
    KIND_CAP, KIND_FREE, KIND_PASSED, KINDS_OF_PAGES, RED_ZONE, SEGMENT, SEGMENT_HEADER, Segments,
    claimed, message as whole, segment, segments, valid_length, whole_message,
};

/// The first page that holds what is stored; those before it are sled's own, and nothing opens without them.
const FIRST_PAGE: u64 = 2;

/// What is read in the place of a page whose last message is damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lost {
    /// Nothing.
    Free,
    /// The older page, where there is one.
    Older,
}

/// Treats the log in `folder`, which was acknowledged up to the log sequence number `acknowledged`, as far as sled reads it when it opens:
/// from the last snapshot on, 0 if there is none. What was not acknowledged may be torn, and stays so.
pub(crate) fn bandage(
    folder: &Path,
    snapshot: u64,
    acknowledged: u64,
    lost: Lost,
) -> io::Result<()> {
    let path = folder.join("db");
    if !path.exists() {
        return Ok(());
    }
    let mut file = File::options().read(true).write(true).open(&path)?;
    let (first, last) = (snapshot / SEGMENT, acknowledged / SEGMENT);
    let mut segments = segments(&path)?;
    for at in segments.headless.clone() {
        let is_missing = |of: u64| {
            (first..=last).contains(&of) && !segments.by_lsn.contains_key(&(of * SEGMENT))
        };
        if let Some((_, found)) = whole_message(&segment(&mut file, at)?, is_missing) {
            let lsn = found.segment * SEGMENT;
            write(&mut file, at, &header(lsn))?;
            segments.by_lsn.insert(lsn, at);
        }
    }
    let known = known_pages(&mut file, &segments, 0)?;
    let is_known = |page| known.last().is_some_and(|last| (FIRST_PAGE..=*last).contains(&page));
    for (&lsn, &at) in segments.by_lsn.range(first * SEGMENT..=acknowledged) {
        let goes_on = segments.by_lsn.contains_key(&(lsn + SEGMENT));
        while let Some((length, message)) = next(&segment(&mut file, at)?, lsn, goes_on, |page| {
            lost == Lost::Free && is_known(page)
        }) && lsn + length <= acknowledged
        {
            write(&mut file, at + length, &message)?;
        }
    }
    if snapshot == 0 {
        free_unknown(&mut file, &segments)?;
    }
    file.sync_all()
}

/// The pages that are known when the log was read from there on.
fn known_pages(file: &mut File, segments: &Segments, from: u64) -> io::Result<BTreeSet<u64>> {
    let mut known = BTreeSet::new();
    for (&lsn, &at) in segments.by_lsn.range(from..) {
        let bytes = segment(file, at)?;
        let mut at = SEGMENT_HEADER;
        while let Some(found) =
            bytes.get(at..).and_then(|rest| whole(rest, |of| of == lsn / SEGMENT))
            && found.kind != KIND_CAP
        {
            if KINDS_OF_PAGES.contains(&found.kind) {
                known.insert(found.page);
            }
            at += found.length;
        }
    }
    Ok(known)
}

/// Says of each page that no message makes known that it is free, at the end of the log.
fn free_unknown(file: &mut File, segments: &Segments) -> io::Result<()> {
    let known = known_pages(file, segments, 0)?;
    let pages = FIRST_PAGE..known.last().copied().unwrap_or(0);
    let unknown: Vec<u64> = pages.filter(|page| !known.contains(page)).collect();
    if unknown.is_empty() {
        return Ok(());
    }
    let tail = segments.stable / SEGMENT * SEGMENT;
    let (mut last, mut length, mut is_full) = (None, 0, false);
    for (&lsn, &at) in segments.by_lsn.range(tail..) {
        if last.is_some_and(|(last, _)| !is_full || last + SEGMENT != lsn) {
            break;
        }
        last = Some((lsn, at));
        (length, is_full) = valid_length(&segment(file, at)?, lsn);
    }
    let Some((lsn, at)) = last else { return Ok(()) };
    let freed = |number| unknown.iter().flat_map(|page| free(number, *page, 0)).collect::<Vec<_>>();
    let here = freed(lsn / SEGMENT);
    if !is_full && length + here.len() + RED_ZONE <= SEGMENT as usize {
        return write(file, at + length as u64, &here);
    }
    if !is_full && let Some(cap) = message(KIND_CAP, lsn / SEGMENT, SEGMENT as usize - length) {
        write(file, at + length as u64, &cap)?;
    }
    let behind = file.metadata()?.len().next_multiple_of(SEGMENT);
    let mut added = [header(lsn + SEGMENT), freed(lsn / SEGMENT + 1)].concat();
    added.resize(added.len().max(SEGMENT as usize), 0);
    write(file, behind, &added[..SEGMENT as usize])
}

/// Where a segment is damaged first, and what comes there; nothing if it is whole, or ends there. A page may be given up where that is so said.
fn next(
    bytes: &[u8],
    lsn: u64,
    goes_on: bool,
    may_free: impl Fn(u64) -> bool,
) -> Option<(u64, Vec<u8>)> {
    let (length, is_full) = valid_length(bytes, lsn);
    if is_full {
        return None;
    }
    let number = lsn / SEGMENT;
    let rest = bytes.get(length..)?;
    let (kind, gap) = match whole_message(rest, |of| of == number) {
        Some((gap, _)) => (KIND_PASSED, gap),
        None if goes_on => (KIND_CAP, SEGMENT as usize - length),
        None => return None,
    };
    // What goes farther than the next message begins, or leaves no room for another, does not say which page it is of.
    let page = claimed(rest).filter(|(claimed, _)| {
        claimed.segment == number
            && KINDS_OF_PAGES.contains(&claimed.kind)
            && (claimed.length == gap || claimed.length + RED_ZONE <= gap)
            && may_free(claimed.page)
    });
    let message = match page {
        Some((claimed, header)) => free(number, claimed.page, claimed.length - 4 - header.len()),
        None => message(kind, number, gap)?,
    };
    Some((length as u64, message))
}

fn write(file: &mut File, at: u64, bytes: &[u8]) -> io::Result<()> {
    file.seek(SeekFrom::Start(at))?;
    file.write_all(bytes)
}

/// The header of a segment. It says nothing of what is stable: those of others do.
fn header(lsn: u64) -> Vec<u8> {
    let numbers = [lsn, 0].map(|number| !number & (u64::MAX >> 1));
    let numbers = numbers.map(u64::to_le_bytes).concat();
    [&(!crc32fast::hash(&numbers)).to_le_bytes(), numbers.as_slice()].concat()
}

/// Says that a page is free, with a body of so many bytes.
fn free(segment: u64, page: u64, body: usize) -> Vec<u8> {
    let numbers = [body as u64, segment, page].map(variable).concat();
    sealed(&[&[KIND_FREE], numbers.as_slice()].concat(), body)
}

/// A message of exactly this length in this segment; nothing if none is so short.
fn message(kind: u8, segment: u64, length: usize) -> Option<Vec<u8>> {
    // A length may miss, by one, what its own digits leave room for: then the page has one digit more.
    for page in [0, 241] {
        let rest = [variable(segment), variable(page)].concat();
        for digits in 1..=4 {
            let Some(body) = length.checked_sub(5 + digits + rest.len()) else { break };
            let written = variable(body as u64);
            if written.len() == digits {
                return Some(sealed(&[&[kind], written.as_slice(), &rest].concat(), body));
            }
        }
    }
    None
}

/// A message with this header and a body of zeros.
fn sealed(header: &[u8], body: usize) -> Vec<u8> {
    let body = vec![0; body];
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&body);
    hasher.update(header);
    [(!hasher.finalize()).to_le_bytes().as_slice(), header, &body].concat()
}

/// One of sled's numbers of variable length.
fn variable(number: u64) -> Vec<u8> {
    let low = |number: u64| number.to_le_bytes()[0];
    match number {
        0..=240 => vec![low(number)],
        241..=2287 => vec![241 + low((number - 240) >> 8), low(number - 240)],
        2288..=67823 => vec![249, low((number - 2288) >> 8), low(number - 2288)],
        _ => {
            let digits = (3..8).find(|digits| number >> (8 * digits) == 0).unwrap_or(8);
            [&[247 + digits as u8], &number.to_le_bytes()[..digits]].concat()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_of_any_length_is_read_as_it_was_made() {
        for length in (0..3_000).chain(67_800..67_900).chain([SEGMENT as usize - 20]) {
            for segment in [0, 240, 241, 2_287, 2_288, 67_823, 67_824, 1 << 24, 1 << 40] {
                let Some(message) = message(KIND_PASSED, segment, length) else {
                    assert!(length < 20, "{length}");
                    continue;
                };
                assert_eq!(message.len(), length);
                let found = whole(&message, |of| of == segment).expect("it is whole");
                assert_eq!((found.kind, found.length), (KIND_PASSED, length), "{segment}");
            }
        }
    }

    #[test]
    fn a_damaged_page_is_given_up_under_its_own_number() {
        let (lsn, number) = (7 * SEGMENT, 7);
        let page =
            sealed(&[&[8], [300, number, 4_711].map(variable).concat().as_slice()].concat(), 300);
        let mut bytes = [header(lsn), page.clone(), message(9, number, 40).unwrap()].concat();
        let end = bytes.len();
        bytes.resize(SEGMENT as usize, 0);
        bytes[SEGMENT_HEADER + 100] ^= 1;
        let (at, put) = next(&bytes, lsn, false, |page| page == 4_711).unwrap();
        assert_eq!((at as usize, put.len()), (SEGMENT_HEADER, page.len()));
        let read = whole(&put, |of| of == number).unwrap();
        assert_eq!((read.kind, read.page), (KIND_FREE, 4_711));
        bytes[SEGMENT_HEADER..][..put.len()].copy_from_slice(&put);
        assert_eq!(valid_length(&bytes, lsn), (end, false));
        let (_, passed) = next(
            &{
                bytes[SEGMENT_HEADER + 100] ^= 1;
                bytes
            },
            lsn,
            false,
            |_| false,
        )
        .unwrap();
        assert_eq!(whole(&passed, |of| of == number).unwrap().kind, KIND_PASSED);
    }

    #[test]
    fn a_damaged_segment_is_read_to_its_end_again() {
        let (lsn, number) = (7 * SEGMENT, 7);
        let whole = |length| message(9, number, length).unwrap();
        let mut bytes = header(lsn);
        for length in [40, 300, 2_500, 100, 70_000] {
            bytes.extend(whole(length));
        }
        let end = bytes.len();
        bytes.resize(SEGMENT as usize, 0);
        assert_eq!(valid_length(&bytes, lsn), (end, false));
        for at in [20, 61, 400, 2_859, 2_861] {
            let mut hurt = bytes.clone();
            hurt[at] ^= 1;
            let (length, message) = next(&hurt, lsn, false, |_| false).unwrap();
            hurt[length as usize..][..message.len()].copy_from_slice(&message);
            assert_eq!(valid_length(&hurt, lsn), (end, false), "{at}");
            assert_eq!(next(&hurt, lsn, false, |_| false), None);
            let (length, cap) = next(&hurt, lsn, true, |_| false).unwrap();
            assert_eq!((length as usize, length as usize + cap.len()), (end, SEGMENT as usize));
        }
    }
}
