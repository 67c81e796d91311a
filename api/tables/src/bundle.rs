//! All tables as one archive of files, piece by piece: what an export writes to a folder, for whoever has none here.
//!
//! The archive (tar) consists of groups. A group has the files of some matches, named as those of an export by the first of them, and ends
//! with the file `_position`: up to this feed position everything is there. Whoever got a part of a group asks again after the last `_position`,
//! and gets files of the same names.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::Range;
use std::sync::Arc;

use engine::{Archive, Damaged, Finish, Finishes};

use crate::batch::Batch;
use crate::catalogue::{Batches, Catalogue};
use crate::column::Table;
use crate::download::{DownloadError, Pieces, Shared};
use crate::export::Wanted;
use crate::write::{Format, Writer};

/// Rows of so many bytes become a group.
const GROUP: usize = 16 << 20;

/// The file at the end of a group.
const POSITION: &str = "_position";

/// The tables of a game that have no file yet, by index, and where it would be.
struct Without {
    month: String,
    first: u64,
    tables: BTreeSet<usize>,
}

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
    /// By game. Only from the beginning of the feed: later they have one.
    without: Option<BTreeMap<&'static str, Without>>,
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
            without: (span.start == 0).then(BTreeMap::new),
            finishes: archive.finishes(span),
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
        let damaged = |damaged| DownloadError::Damaged { damaged, position };
        let finish = finish.map_err(damaged)?;
        let wanted = self.wanted.wants(&self.archive, &finish);
        if !wanted.map_err(damaged)? {
            return Ok(());
        }
        let read = self.archive.read(&finish).map_err(damaged)?;
        let game = read.game.info().id;
        let month = finish.finished_at.get(..7).unwrap_or("unknown").to_owned();
        let part = self.parts.entry((month, game));
        let (_, batches) = part.or_insert_with(|| (finish.position, self.catalogue.batches(game)));
        self.catalogue.rows(&read, batches).map_err(|what| {
            let place = format!("match {}", finish.r#match);
            damaged(Damaged { place, what })
        })?;
        let held = self.parts.values().map(|(_, batches)| batches.held());
        if held.sum::<usize>() > GROUP {
            self.group()?;
            self.mark(position)?;
        }
        Ok(())
    }

    /// Writes a file without rows for each table of a game that has none, so that every table can be read.
    fn fill_up(&mut self) -> io::Result<()> {
        let without = self.without.take().unwrap_or_default();
        let Some(tar) = &mut self.tar else {
            return Ok(());
        };
        for (game, without) in without {
            for (at, table) in self.catalogue.tables(game).enumerate() {
                if without.tables.contains(&at) {
                    let path = path(table, game, &without.month, without.first, self.format);
                    let empty = Batch::new(table, game);
                    append(tar, &path, &file(self.format, table, &empty)?)?;
                }
            }
        }
        Ok(())
    }

    /// Writes the files of a group.
    fn group(&mut self) -> io::Result<()> {
        let Some(tar) = &mut self.tar else {
            return Ok(());
        };
        for ((month, game), (first, batches)) in std::mem::take(&mut self.parts) {
            let tables = self.catalogue.tables(game).zip(&batches.tables);
            for (at, (table, batch)) in tables.enumerate().filter(|(_, (_, b))| b.rows() > 0) {
                let path = path(table, game, &month, first, self.format);
                append(tar, &path, &file(self.format, table, batch)?)?;
                if let Some(without) = &mut self.without {
                    let all = || Without {
                        month: month.clone(),
                        first,
                        tables: (0..batches.tables.len()).collect(),
                    };
                    let of_game = without.entry(game).or_insert_with(all);
                    of_game.tables.remove(&at);
                }
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
                self.fill_up()?;
                self.mark(self.end)?;
                self.tar.take().map_or(Ok(()), |mut tar| tar.finish())?;
            }
        }
        Ok(true)
    }

    fn out(&self) -> &Shared {
        &self.out
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
