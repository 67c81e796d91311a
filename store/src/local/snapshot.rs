//! sled's snapshots: files `snap.LSN` that tell what the log says up to a log sequence number, so that a start need not read it from the
//! beginning. They are derived from the log. sled reads the last one by name, and does not open where its checksum differs.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// While it is written it is called so; a crash leaves it. sled reads it all the same.
const UNFINISHED: &str = ".generating";
/// At its end: the length before compression (8), and a CRC-32 of all before that (4).
const TRAILER: usize = 12;

/// A snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Snapshot {
    pub(crate) path: PathBuf,
    /// The position up to which it covers the log.
    pub(crate) lsn: u64,
    /// Whether it was never in use. sled changes nothing else before it has its final name.
    pub(crate) is_unfinished: bool,
}

impl Snapshot {
    /// Is it what was written?
    pub(crate) fn is_whole(&self) -> io::Result<bool> {
        let bytes = fs::read(&self.path)?;
        let Some((content, trailer)) = bytes.split_last_chunk::<TRAILER>() else {
            return Ok(false);
        };
        let [.., a, b, c, d] = *trailer;
        Ok(!content.is_empty() && u32::from_le_bytes([a, b, c, d]) == crc32fast::hash(content))
    }
}

/// All snapshots in the folder of a log, in sled's order: the last one is what it reads.
pub(crate) fn all(log: &Path) -> io::Result<Vec<Snapshot>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(log)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some(rest) = name.strip_prefix("snap.") else { continue };
        if name.ends_with(".in___motion") {
            continue;
        }
        let lsn = u64::from_str_radix(rest.trim_end_matches(UNFINISHED), 16).unwrap_or(0);
        found.push(Snapshot { path, lsn, is_unfinished: rest.ends_with(UNFINISHED) });
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

/// The snapshot that sled will read, if it is damaged.
pub(crate) fn damaged(log: &Path) -> io::Result<Option<Snapshot>> {
    let Some(last) = all(log)?.pop() else { return Ok(None) };
    Ok((!last.is_whole()?).then_some(last))
}
