//! Tables as a folder: `<table>/game=<game>/month=<year>-<month>/part-<match_no>.<format>`.
//!
//! A file appears under its name when it is whole and on disk. The folder's manifest says how far the feed was exported; the next
//! export into the same folder goes on from there.

mod dictionary;
mod error;
mod folder;
mod manifest;
mod request;

use std::path::Path;

use archive::{Archive, Finish};
use journal::Damaged;

use crate::catalogue::Catalogue;
use crate::part::Parts;
use crate::read_ahead::{self, Rows};
pub use error::ExportError;
use folder::Folder;
pub use request::Export;

/// How much memory may be held for rows that are not in a file yet, in bytes.
const BUDGET: usize = 80 << 20;

/// What was exported.
#[derive(Clone, Debug, Default)]
pub struct Exported {
    /// How many matches.
    pub matches: u64,
    /// How many events.
    pub events: u64,
    /// How many files.
    pub files: u64,
    /// How many bytes they have.
    pub bytes: u64,
    /// The feed position up to which everything was exported.
    pub position: u64,
    /// What is damaged, and left out: found now, or by an earlier export into the folder and no better since.
    pub damaged: Vec<Damaged>,
}

impl Export {
    /// Exports into a folder. `progress` is told the feed position and the number of matches now and then.
    ///
    /// # Errors
    /// As [`ExportError`] says.
    pub fn run(
        &self,
        archive: &Archive,
        catalogue: &Catalogue,
        out: &Path,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Exported, ExportError> {
        let end = archive.position();
        if let Some(since) = self.since.filter(|since| *since > end) {
            return Err(ExportError::Beyond { since, end });
        }
        let mut folder = Folder::open(self, catalogue, out)?;
        let done = self.fill(archive, catalogue, &mut folder, progress);
        folder.clean();
        done
    }

    fn fill(
        &self,
        archive: &Archive,
        catalogue: &Catalogue,
        folder: &mut Folder,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Exported, ExportError> {
        let span = folder.position()..archive.position();
        if span.start > span.end {
            return Err(ExportError::Ahead {
                folder: folder.path().to_owned(),
                exported: span.start,
                store: span.end,
            });
        }
        folder.check_store(archive)?;
        let mut exported = Exported { position: span.end, ..Exported::default() };
        let mut parts = Parts::new(self.format);
        let wanted = |finish: &Finish| self.wanted.wants(archive, finish);
        let from = (archive, catalogue);
        // What an earlier export has left out may be well again.
        let again = folder.left_out().into_iter().map(|at| at.saturating_sub(1)..at);
        for span in again.chain([span]) {
            read_ahead::each(from, span, self.threads, &wanted, |read| match read {
                Ok(rows) => {
                    add(catalogue, &mut parts, folder, rows)?;
                    exported.matches += 1;
                    exported.events += rows.events;
                    progress(rows.finish.position, exported.matches);
                    Ok(())
                }
                Err(damaged) if damaged.is_away() => Err(ExportError::Away(damaged.to_string())),
                Err(damaged) => {
                    exported.damaged.push(damaged);
                    Ok(())
                }
            })?;
        }
        parts.finish(folder)?;
        let last = archive.journal().last_mark(exported.position);
        let last = last.map_err(|error| ExportError::Away(error.to_string()))?;
        let end = (exported.position, last);
        exported.damaged = archive.journal().each_once(exported.damaged);
        let (files, bytes) = folder.publish(end, &exported.damaged)?;
        (exported.files, exported.bytes) = (files, bytes);
        Ok(exported)
    }
}

fn add(
    catalogue: &Catalogue,
    parts: &mut Parts<Folder>,
    folder: &mut Folder,
    rows: &Rows,
) -> Result<(), ExportError> {
    let month = rows.finish.finished_at.get(..7).unwrap_or("unknown");
    let batches = parts.batches(catalogue, rows.batches.game, month, rows.finish.position);
    batches.append(&rows.batches);
    parts.finish_before(month, folder)?;
    parts.relieve(folder, BUDGET)
}
