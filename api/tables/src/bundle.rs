//! All tables as one archive of files, piece by piece: what an export writes to a folder, for whoever has none here.
//!
//! The archive (tar) consists of groups. A group has the files of some matches, named as those of an export by the first of them, and ends
//! with the file `_position`: up to this feed position everything is there. Whoever got a part of a group asks again after the last `_position`,
//! and gets files of the same names.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use archive::{Archive, Finish, Finishes};
use journal::Damaged;

use crate::batch::Batch;
use crate::catalogue::{Batches, Catalogue};
use crate::column::Table;
use crate::download::{DownloadError, LeftOut, Pieces, Shared};
use crate::wanted::Wanted;
use crate::write::{Format, Writer};

/// Rows of so many bytes become a group.
const GROUP: usize = 8 << 20;

/// The file at the end of a group.
const POSITION: &str = "_position";

/// All tables on their way.
pub struct Bundle {
    archive: Archive,
    catalogue: Arc<Catalogue>,
    format: Format,
    wanted: Wanted,
    finishes: Finishes,
    end: u64,
    /// By month and game, with the first match of the group.
    parts: BTreeMap<(String, &'static str), (u64, Batches)>,
    left_out: LeftOut,
    /// None at the end.
    tar: Option<tar::Builder<Shared>>,
    out: Shared,
}

impl Bundle {
    /// The tables of the matches that ended in `span`.
    #[must_use]
    pub fn new(
        archive: Archive,
        catalogue: Arc<Catalogue>,
        format: Format,
        wanted: Wanted,
        span: Range<u64>,
    ) -> Self {
        let out = Shared::default();
        Bundle {
            end: span.end,
            finishes: archive.finishes(span.clone()),
            left_out: LeftOut::new(archive.clone(), span),
            archive,
            catalogue,
            format,
            wanted,
            parts: BTreeMap::new(),
            tar: Some(tar::Builder::new(out.clone())),
            out,
        }
    }

    fn add(&mut self, finish: Result<Finish, Damaged>) -> Result<(), DownloadError> {
        let position = self.finishes.position();
        if let Err(damaged) = finish.and_then(|finish| self.take(&finish)) {
            return self.left_out.pass(damaged);
        }
        let held = self.parts.values().map(|(_, batches)| batches.held());
        if held.sum::<usize>() > GROUP {
            self.group()?;
            self.mark(position)?;
        }
        Ok(())
    }

    /// Takes the rows of a match, if it is wanted.
    fn take(&mut self, finish: &Finish) -> Result<(), Damaged> {
        if !self.wanted.wants(&self.archive, finish)? {
            return Ok(());
        }
        let read = self.catalogue.read(&self.archive, finish)?;
        let game = read.game.info().id;
        let month = finish.finished_at.get(..7).unwrap_or("unknown").to_owned();
        let part = self.parts.entry((month, game));
        let (_, batches) = part.or_insert_with(|| (finish.position, self.catalogue.batches(game)));
        let rows = self.catalogue.rows(&read, batches);
        rows.map_err(|what| self.archive.misfit(finish, what))
    }

    /// Writes the files of a group: those without rows too, so that every table can be read.
    fn group(&mut self) -> io::Result<()> {
        let Some(tar) = &mut self.tar else {
            return Ok(());
        };
        for ((month, game), (first, batches)) in std::mem::take(&mut self.parts) {
            for (table, batch) in self.catalogue.tables(game).zip(&batches.tables) {
                let path = path(table, game, &month, first, self.format);
                append(tar, &path, &file(self.format, table, batch)?)?;
            }
        }
        Ok(())
    }

    /// Says that all is there up to `position`.
    fn mark(&mut self, position: u64) -> io::Result<()> {
        let text = format!("{position}\n");
        let tar = self.tar.as_mut();
        tar.map_or(Ok(()), |tar| append(tar, POSITION, text.as_bytes()))
    }
}

impl Pieces for Bundle {
    fn step(&mut self) -> Result<bool, DownloadError> {
        if self.tar.is_none() {
            return Ok(false);
        }
        match self.finishes.next() {
            Some(finish) => self.add(finish)?,
            None => {
                self.group()?;
                self.mark(self.end)?;
                self.tar.take().map_or(Ok(()), |mut tar| tar.finish())?;
            }
        }
        Ok(true)
    }

    fn out(&self) -> &Shared {
        &self.out
    }

    fn seal(&mut self) -> u64 {
        self.left_out.seal()
    }
}

/// The path of a file, in an archive or in a folder.
pub(crate) fn path(table: &Table, game: &str, month: &str, first: u64, format: Format) -> String {
    let (table, format) = (&table.name, format.name());
    format!("{table}/game={game}/month={month}/part-{first:012}.{format}")
}

/// A file with these rows.
fn file(format: Format, table: &Table, rows: &Batch) -> io::Result<Vec<u8>> {
    let mut writer = Writer::new(format, table, false, Vec::new())?;
    writer.write(rows)?;
    writer.finish()
}

fn append(tar: &mut tar::Builder<Shared>, path: &str, bytes: &[u8]) -> io::Result<()> {
    let mut header = tar::Header::new_ustar();
    header.set_size(bytes.len() as u64);
    header.set_mode(0o644);
    tar.append_data(&mut header, path, bytes)
}
