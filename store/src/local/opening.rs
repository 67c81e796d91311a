//! What is looked at before sled opens its log: whether all is there that was acknowledged, and whether what is derived is whole.

use std::fs;
use std::io;
use std::path::Path;

use crate::error::{Damage, OpenError};
use crate::local::bandage::{Lost, bandage};
use crate::local::folder::{Folder, io_error, sync};
use crate::local::head::{Acknowledged, Head};
use crate::local::probe;
use crate::local::settings;
use crate::local::snapshot::{self, Snapshot};

/// A folder that sled may open.
pub(crate) struct Examined {
    pub(crate) head: Head,
    pub(crate) acknowledged: Acknowledged,
    /// What was repaired, in words.
    pub(crate) notices: Vec<String>,
    /// Damage that does not prevent opening.
    pub(crate) damage: Vec<Damage>,
}

impl Examined {
    /// Why the engine did not open: what was found before says more than how it failed.
    pub(crate) fn reason(&self, error: OpenError) -> OpenError {
        let found: Vec<String> = self.damage.iter().map(Damage::to_string).collect();
        if found.is_empty() { error } else { OpenError::Damaged(found.join("; ")) }
    }
}

/// Looks at a folder that will be written. What is lost or damaged is an error; only what is derived is mended.
pub(crate) fn examine(folder: &Folder) -> Result<Examined, OpenError> {
    let (head, acknowledged) = folder.head()?;
    let log = folder.log();
    let mut notices = Vec::new();
    if log.exists() {
        while let Some(damaged) = snapshot::damaged(&log).map_err(io_error("read", &log))? {
            notices.push(remove_snapshot(&log, &damaged, acknowledged)?);
        }
        compare(&log, acknowledged)?;
        notices.extend(settings::mend(&log)?.map(|found| format!("{found} and was removed")));
    }
    Ok(Examined { head, acknowledged, notices, damage: Vec::new() })
}

/// What a copy of a damaged store is read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// The last snapshot and what the log says since, as at a start.
    Snapshot,
    /// All of the log, without any snapshot; a page whose last message is damaged is lost.
    Log,
    /// The same, where the older page is taken.
    OlderPages,
}

/// Looks at a copy, which is only read: goes on with whatever is there, and lists what is not.
pub(crate) fn examine_copy(folder: &Folder, way: Way) -> Result<Examined, OpenError> {
    let mut damage = Vec::new();
    let mut note = |error: OpenError| damage.push(Damage::Files(error.in_short()));
    let (head, acknowledged) = match folder.head() {
        Ok((head, acknowledged)) => (head, Some(acknowledged)),
        Err(error) => {
            note(error);
            (folder.new_head()?, None)
        }
    };
    // Where nobody knows what was acknowledged, all of it is read that can be.
    let end = acknowledged.map_or(u64::MAX, |it| u64::try_from(it.lsn).unwrap_or(0));
    let acknowledged = acknowledged.unwrap_or_default();
    let log = folder.log();
    if log.exists() {
        while let Some(damaged) = snapshot::damaged(&log).map_err(io_error("read", &log))? {
            let error = match holds_all_without(&log, &damaged, acknowledged) {
                Ok(()) => OpenError::Damaged(format!("{}, which is derived", named(&damaged))),
                Err(error) => error,
            };
            note(error);
            remove_all(&log, &damaged)?;
        }
        let lost = match way {
            Way::Snapshot | Way::Log => Lost::Free,
            Way::OlderPages => Lost::Older,
        };
        if way != Way::Snapshot {
            for Snapshot { path, .. } in snapshot::all(&log).map_err(io_error("read", &log))? {
                fs::remove_file(&path).map_err(io_error("remove", &path))?;
            }
        }
        let compared = compare(&log, acknowledged);
        if compared.is_err() || way != Way::Snapshot {
            // What is behind the damage is read all the same.
            let snapshot = last_snapshot(&log).map_err(io_error("read", &log))?;
            bandage(&log, snapshot, end, lost).map_err(io_error("write", &log))?;
        }
        if let Err(error) = compared {
            note(error);
        }
    }
    Ok(Examined { head, acknowledged, notices: Vec::new(), damage })
}

/// Removes a damaged snapshot, where nothing is lost with it; says so.
fn remove_snapshot(
    log: &Path,
    damaged: &Snapshot,
    acknowledged: Acknowledged,
) -> Result<String, OpenError> {
    if !damaged.is_unfinished {
        holds_all_without(log, damaged, acknowledged)?;
    }
    remove_all(log, damaged)?;
    Ok(format!("{} and was removed; all of the log is read instead", named(damaged)))
}

/// Removes a snapshot, and older ones too if it was in force: they may name segments that are used otherwise since.
fn remove_all(log: &Path, damaged: &Snapshot) -> Result<(), OpenError> {
    let mut snapshots = snapshot::all(log).map_err(io_error("read", log))?;
    snapshots.retain(|other| other == damaged || !damaged.is_unfinished);
    for Snapshot { path, .. } in snapshots {
        fs::remove_file(&path).map_err(io_error("remove", &path))?;
    }
    sync(log)
}

/// Whether the log alone says everything: all that the snapshot covered, and all that was acknowledged, in whole segments without a gap.
fn holds_all_without(
    log: &Path,
    damaged: &Snapshot,
    acknowledged: Acknowledged,
) -> Result<(), OpenError> {
    let covered = i64::try_from(damaged.lsn).unwrap_or(i64::MAX).saturating_sub(1);
    let all = Acknowledged { lsn: acknowledged.lsn.max(covered), ..acknowledged };
    let found = probe::look(log, 0, all.lsn).map_err(io_error("read", log))?;
    match is_all(all, &found) {
        Ok(()) => Ok(()),
        Err(error) => Err(OpenError::Damaged(format!(
            "{}, and without it not everything can be found ({})",
            named(damaged),
            error.in_short()
        ))),
    }
}

fn named(snapshot: &Snapshot) -> String {
    let name = snapshot.path.file_name().unwrap_or_default();
    format!("the snapshot {} is damaged", name.to_string_lossy())
}

/// Up to where the engine need not read the log; 0 if it reads all.
fn last_snapshot(log: &Path) -> io::Result<u64> {
    Ok(snapshot::all(log)?.last().map_or(0, |snapshot| snapshot.lsn))
}

/// Whether the engine will find what was acknowledged.
fn compare(log: &Path, acknowledged: Acknowledged) -> Result<(), OpenError> {
    let snapshot = last_snapshot(log).map_err(io_error("read", log))?;
    let found = probe::look(log, snapshot, acknowledged.lsn).map_err(io_error("read", log))?;
    is_all(acknowledged, &found)
}

fn is_all(acknowledged: Acknowledged, found: &probe::Found) -> Result<(), OpenError> {
    // A store that was killed while it was made has no log yet, and nothing of it was acknowledged.
    let is_behind = acknowledged.lsn > 0 && found.end < acknowledged.lsn;
    if is_behind && found.position < acknowledged.position {
        return Err(OpenError::Lost { acknowledged: acknowledged.position, found: found.position });
    }
    if is_behind {
        let what = "the last notes that were acknowledged are not there";
        return Err(OpenError::Damaged(what.to_owned()));
    }
    match found.damage {
        Some(at) => Err(OpenError::Damaged(format!("the log's file cannot be read at byte {at}"))),
        None => Ok(()),
    }
}
