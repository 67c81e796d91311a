//! The files of one game and one month.

use std::fs::File;
use std::io::BufWriter;

use super::error::{ExportError, io_error};
use super::folder::Folder;
use crate::batch::Batch;
use crate::bundle::path;
use crate::catalogue::{Batches, Catalogue};
use crate::column::Table;
use crate::write::{Format, Writer};

/// Rows of so many bytes become a row group.
const GROUP: usize = 12 << 20;

pub(super) struct Part {
    format: Format,
    game: &'static str,
    month: String,
    first: u64,
    tables: Vec<Table>,
    pub(super) batches: Batches,
    files: Vec<Option<Open>>,
}

struct Open {
    path: String,
    writer: Writer<BufWriter<File>>,
    rows: u64,
}

impl Part {
    pub(super) fn new(
        format: Format,
        catalogue: &Catalogue,
        game: &'static str,
        month: &str,
        first: u64,
    ) -> Self {
        let tables: Vec<Table> = catalogue.tables(game).cloned().collect();
        Part {
            format,
            game,
            month: month.to_owned(),
            first,
            files: tables.iter().map(|_| None).collect(),
            tables,
            batches: catalogue.batches(game),
        }
    }

    /// How much memory it holds, in bytes.
    pub(super) fn held(&self) -> usize {
        self.batches.held()
    }

    pub(super) fn write_large(&mut self, folder: &mut Folder) -> Result<(), ExportError> {
        for at in 0..self.tables.len() {
            if self.batches.tables[at].bytes() > GROUP {
                self.write(at, folder)?;
            }
        }
        Ok(())
    }

    /// Gives back the memory of the table that holds most.
    pub(super) fn relieve(&mut self, folder: &mut Folder) -> Result<(), ExportError> {
        let held = self.batches.tables.iter().map(Batch::held);
        let Some((at, _)) = held.enumerate().max_by_key(|(_, held)| *held) else {
            return Ok(());
        };
        if self.batches.tables[at].rows() > 0 {
            self.write(at, folder)?;
        }
        self.batches.tables[at] = Batch::new(&self.tables[at], self.game);
        Ok(())
    }

    /// Moves the rows of a table to its file.
    fn write(&mut self, at: usize, folder: &mut Folder) -> Result<(), ExportError> {
        let batch = &mut self.batches.tables[at];
        let open = match &mut self.files[at] {
            Some(open) => open,
            closed => {
                let table = &self.tables[at];
                let path = path(table, self.game, &self.month, self.first, self.format);
                let file = folder.create(&path)?;
                let writer = Writer::new(self.format, table, false, BufWriter::new(file))
                    .map_err(io_error("write", &folder.unfinished(&path)))?;
                closed.insert(Open { path, writer, rows: 0 })
            }
        };
        let path = folder.unfinished(&open.path);
        open.writer.write(batch).map_err(io_error("write", &path))?;
        open.rows += batch.rows() as u64;
        batch.truncate(0);
        Ok(())
    }

    /// Ends all files. A table that has no file yet gets one without rows, so that every table can be read.
    pub(super) fn finish(mut self, folder: &mut Folder) -> Result<(), ExportError> {
        for at in 0..self.tables.len() {
            let waits = self.batches.tables[at].rows() > 0;
            if waits || (self.files[at].is_none() && !folder.has(&self.tables[at].name, self.game))
            {
                self.write(at, folder)?;
            }
            let Some(Open { path, writer, rows }) = self.files[at].take() else {
                continue;
            };
            let unfinished = folder.unfinished(&path);
            let failed = io_error("write", &unfinished);
            let file = writer.finish().map_err(&failed)?;
            let file = file.into_inner().map_err(|error| failed(error.into_error()))?;
            folder.finished(path, &file, rows)?;
        }
        Ok(())
    }
}
