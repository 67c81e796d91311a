//! A copy of a damaged log, made such that sled reads on behind the damage.
//!
//! sled ends the log at the first message of its last segments that is not whole, and what follows is lost, or it does not open at all. So in
//! the place of damaged messages comes one that sled passes, as long as they were; behind the last whole message of a segment, one that says
//! that the log goes on in the next; and a segment whose header is damaged gets a new one. What stood there is lost: its readers find a hole,
//! or an older page. Only a copy is treated so, from which what is whole is taken match by match, and never a store that goes on.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

use crate::local::probe::{
    KIND_CAP, KIND_PASSED, SEGMENT, segment, segments, valid_length, whole_message,
};

/// Treats the log in `folder`, which was acknowledged up to the log sequence number `acknowledged`, as far as sled reads it when it opens:
/// from the last snapshot on. What was not acknowledged may be torn, and stays so.
pub(crate) fn bandage(folder: &Path, snapshot: u64, acknowledged: i64) -> io::Result<()> {
    let path = folder.join("db");
    if !path.exists() {
        return Ok(());
    }
    let mut file = File::options().read(true).write(true).open(&path)?;
    let acknowledged = u64::try_from(acknowledged).unwrap_or(0);
    let (first, last) = (snapshot / SEGMENT, acknowledged / SEGMENT);
    let mut segments = segments(&path)?;
    for number in first..=last {
        let lsn = number * SEGMENT;
        if segments.by_lsn.contains_key(&lsn) {
            continue;
        }
        for &at in &segments.headless {
            if whole_message(&segment(&mut file, at)?, |of| of == number).is_some() {
                write(&mut file, at, &header(lsn))?;
                segments.by_lsn.insert(lsn, at);
                break;
            }
        }
    }
    for (&lsn, &at) in segments.by_lsn.range(first * SEGMENT..=acknowledged) {
        let goes_on = segments.by_lsn.contains_key(&(lsn + SEGMENT));
        while let Some((length, message)) = next(&segment(&mut file, at)?, lsn, goes_on)
            && lsn + length <= acknowledged
        {
            write(&mut file, at + length, &message)?;
        }
    }
    file.sync_all()
}

/// Where a segment is damaged first, and what comes there; nothing if it is whole, or ends there.
fn next(bytes: &[u8], lsn: u64, goes_on: bool) -> Option<(u64, Vec<u8>)> {
    let (length, is_full) = valid_length(bytes, lsn);
    if is_full {
        return None;
    }
    let number = lsn / SEGMENT;
    let found = whole_message(bytes.get(length..)?, |of| of == number);
    let message = match found {
        Some(gap) => message(KIND_PASSED, number, gap)?,
        None if goes_on => message(KIND_CAP, number, SEGMENT as usize - length)?,
        None => return None,
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

/// A message of exactly this length in this segment; nothing if none is so short.
fn message(kind: u8, segment: u64, length: usize) -> Option<Vec<u8>> {
    // A length may miss, by one, what its own digits leave room for: then the page has one digit more.
    for page in [0, 241] {
        let rest = [variable(segment), variable(page)].concat();
        for digits in 1..=4 {
            let Some(body) = length.checked_sub(5 + digits + rest.len()) else { break };
            let written = variable(body as u64);
            if written.len() != digits {
                continue;
            }
            let header = [&[kind], written.as_slice(), &rest].concat();
            let body = vec![0; body];
            let mut hasher = crc32fast::Hasher::new();
            hasher.update(&body);
            hasher.update(&header);
            let checksum = (!hasher.finalize()).to_le_bytes();
            return Some([checksum.as_slice(), &header, &body].concat());
        }
    }
    None
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
    use crate::local::probe::message as read;

    #[test]
    fn a_message_of_any_length_is_read_as_it_was_made() {
        for length in (0..3_000).chain(67_800..67_900).chain([SEGMENT as usize - 20]) {
            for segment in [0, 240, 241, 2_287, 2_288, 67_823, 67_824, 1 << 24, 1 << 40] {
                let Some(message) = message(KIND_PASSED, segment, length) else {
                    assert!(length < 20, "{length}");
                    continue;
                };
                assert_eq!(message.len(), length);
                let found = read(&message, |of| of == segment);
                assert_eq!(found, Some((KIND_PASSED, length)), "{segment}");
            }
        }
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
            let (length, message) = next(&hurt, lsn, false).unwrap();
            hurt[length as usize..][..message.len()].copy_from_slice(&message);
            assert_eq!(valid_length(&hurt, lsn), (end, false), "{at}");
            assert_eq!(next(&hurt, lsn, false), None);
            let (length, cap) = next(&hurt, lsn, true).unwrap();
            assert_eq!((length as usize, length as usize + cap.len()), (end, SEGMENT as usize));
        }
    }
}
