//! How many matches the file has.

use journal::{MatchId, Status};
use rusqlite::{Connection, OptionalExtension};

/// How many matches have each status, in the order of [`Status::ALL`].
pub(crate) type Counts = [u64; Status::ALL.len()];

/// How many matches of the file have each status, but for these.
pub(super) fn counts_without(db: &Connection, ids: &[MatchId]) -> rusqlite::Result<Counts> {
    let mut counts = counts(db)?;
    let mut select = db.prepare_cached("SELECT status FROM matches WHERE id = ?")?;
    for id in ids {
        let status: Option<u8> = select.query_row([id.as_bytes()], |row| row.get(0)).optional()?;
        let count = status.and_then(|status| counts.get_mut(usize::from(status)));
        if let Some(count) = count {
            *count = count.saturating_sub(1);
        }
    }
    Ok(counts)
}

/// All of them.
pub(super) fn counts(db: &Connection) -> rusqlite::Result<Counts> {
    let mut counts = Counts::default();
    let mut select = db.prepare_cached("SELECT status, matches FROM counts")?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        if let Some(count) = counts.get_mut(usize::from(row.get::<_, u8>(0)?)) {
            *count = row.get::<_, i64>(1)?.unsigned_abs();
        }
    }
    Ok(counts)
}
