//! The file `HEAD`: how far the log was acknowledged. sled cuts off a torn end without a word; with this we notice.
//!
//! Two slots, 4,096 bytes apart, written in turn: `sequence(8) position(8) lsn(8) checksum(4)`. A slot is written after
//! its batch was synced, so it never claims what is not on disk; it is not synced itself, so after a power cut it may
//! be behind, never ahead. `lsn` is sled's log sequence number up to which the log was on disk.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

const SLOT_STRIDE: usize = 4096;
const SLOT_BYTES: usize = 28;

/// What was acknowledged last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Acknowledged {
    pub(crate) position: u64,
    pub(crate) lsn: i64,
}

/// The open file.
#[derive(Debug)]
pub(crate) struct Head {
    file: File,
    sequence: u64,
}

impl Head {
    /// Writes the first content of a new file and syncs it.
    pub(crate) fn create(mut file: File) -> io::Result<Head> {
        file.set_len(0)?;
        file.write_all(&[0; 2 * SLOT_STRIDE])?;
        let mut head = Head { file, sequence: 0 };
        head.write(Acknowledged::default())?;
        head.sync()?;
        Ok(head)
    }

    /// Reads the newest valid slot; `None` if there is none.
    pub(crate) fn read(mut file: File) -> io::Result<Option<(Head, Acknowledged)>> {
        let mut bytes = Vec::new();
        (&mut file).take(2 * SLOT_STRIDE as u64).read_to_end(&mut bytes)?;
        let slots = [0, SLOT_STRIDE].map(|at| bytes.get(at..).and_then(slot));
        let newest = slots.into_iter().flatten().max_by_key(|(sequence, _)| *sequence);
        Ok(newest.map(|(sequence, acknowledged)| (Head { file, sequence }, acknowledged)))
    }

    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    /// Replaces the older slot. Needs no new space on disk.
    pub(crate) fn write(&mut self, acknowledged: Acknowledged) -> io::Result<()> {
        self.sequence += 1;
        let mut bytes = [0; SLOT_BYTES];
        bytes[..8].copy_from_slice(&self.sequence.to_be_bytes());
        bytes[8..16].copy_from_slice(&acknowledged.position.to_be_bytes());
        bytes[16..24].copy_from_slice(&acknowledged.lsn.to_be_bytes());
        let checksum = crc32fast::hash(&bytes[..24]);
        bytes[24..].copy_from_slice(&checksum.to_be_bytes());
        let at = (self.sequence % 2) * SLOT_STRIDE as u64;
        self.file.seek(SeekFrom::Start(at))?;
        self.file.write_all(&bytes)
    }

    pub(crate) fn sync(&self) -> io::Result<()> {
        self.file.sync_all()
    }
}

fn slot(bytes: &[u8]) -> Option<(u64, Acknowledged)> {
    let (slot, _) = bytes.split_first_chunk::<SLOT_BYTES>()?;
    let (covered, checksum) = slot.split_last_chunk::<4>()?;
    let (sequence, rest) = covered.split_first_chunk::<8>()?;
    let (position, lsn) = rest.split_first_chunk::<8>()?;
    let acknowledged = Acknowledged {
        position: u64::from_be_bytes(*position),
        lsn: i64::from_be_bytes(lsn.try_into().ok()?),
    };
    (crc32fast::hash(covered) == u32::from_be_bytes(*checksum))
        .then(|| (u64::from_be_bytes(*sequence), acknowledged))
}
