//! Files of tables on their way to a folder or an archive: one for each table, game and month.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::batch::Batch;
use crate::catalogue::{Batches, Catalogue};
use crate::column::Table;
use crate::write::{Format, Writer};

/// Rows of so many bytes become a row group.
const GROUP: usize = 12 << 20;

/// Where files go.
pub(crate) trait Shelf {
    /// A file that grows.
    type Out: Write + Send + 'static;
    type Error;

    /// Begins a file.
    fn create(&mut self, path: &str) -> Result<Self::Out, Self::Error>;

    /// Takes a file that is whole.
    fn finished(&mut self, path: String, out: Self::Out, rows: u64) -> Result<(), Self::Error>;

    /// Has this table of this game a file?
    fn has(&self, table: &str, game: &str) -> bool;

    /// What a file that cannot be written is.
    fn failed(&self, path: &str, error: io::Error) -> Self::Error;
}

/// All files that grow.
pub(crate) struct Parts<S: Shelf> {
    format: Format,
    /// By month and game.
    parts: BTreeMap<(String, &'static str), Part<S>>,
}

impl<S: Shelf> Parts<S> {
    pub(crate) fn new(format: Format) -> Self {
        Parts { format, parts: BTreeMap::new() }
    }

    /// Where the rows of a match go; a new file is named by the position of its first match.
    pub(crate) fn batches(
        &mut self,
        catalogue: &Catalogue,
        game: &'static str,
        month: &str,
        position: u64,
    ) -> &mut Batches {
        let part = self.parts.entry((month.to_owned(), game));
        let part = part.or_insert_with(|| Part::new(self.format, catalogue, game, month, position));
        &mut part.batches
    }

    /// How much memory is held for rows, in bytes.
    fn held(&self) -> usize {
        self.parts.values().map(|part| part.batches.held()).sum()
    }

    /// Writes out what is large, and then what it takes to hold no more than `budget` bytes.
    pub(crate) fn relieve(&mut self, shelf: &mut S, budget: usize) -> Result<(), S::Error> {
        for part in self.parts.values_mut() {
            part.write_large(shelf)?;
        }
        while self.held() > budget {
            let largest = self.parts.values_mut().max_by_key(|part| part.batches.held());
            largest.expect("what holds memory is a part").relieve(shelf)?;
        }
        Ok(())
    }

    /// Finishes the files of the months before this one.
    pub(crate) fn finish_before(&mut self, month: &str, shelf: &mut S) -> Result<(), S::Error> {
        let later = self.parts.split_off(&(month.to_owned(), ""));
        let parts = std::mem::replace(&mut self.parts, later);
        parts.into_values().try_for_each(|part| part.finish(shelf))
    }

    /// Finishes all files.
    pub(crate) fn finish(&mut self, shelf: &mut S) -> Result<(), S::Error> {
        let parts = std::mem::take(&mut self.parts);
        parts.into_values().try_for_each(|part| part.finish(shelf))
    }
}

/// The files of one game and one month.
struct Part<S: Shelf> {
    format: Format,
    game: &'static str,
    month: String,
    first: u64,
    tables: Vec<Table>,
    batches: Batches,
    files: Vec<Option<Open<S::Out>>>,
}

struct Open<W: Write + Send + 'static> {
    path: String,
    writer: Writer<W>,
    rows: u64,
}

impl<S: Shelf> Part<S> {
    fn new(
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

    fn write_large(&mut self, shelf: &mut S) -> Result<(), S::Error> {
        for at in 0..self.tables.len() {
            if self.batches.tables[at].bytes() > GROUP {
                self.write(at, shelf)?;
            }
        }
        Ok(())
    }

    /// Gives back the memory of the table that holds most.
    fn relieve(&mut self, shelf: &mut S) -> Result<(), S::Error> {
        let held = self.batches.tables.iter().map(Batch::held);
        let Some((at, _)) = held.enumerate().max_by_key(|(_, held)| *held) else {
            return Ok(());
        };
        if self.batches.tables[at].rows() > 0 {
            self.write(at, shelf)?;
        }
        self.batches.tables[at] = Batch::new(&self.tables[at], self.game);
        Ok(())
    }

    /// Moves the rows of a table to its file.
    fn write(&mut self, at: usize, shelf: &mut S) -> Result<(), S::Error> {
        let batch = &mut self.batches.tables[at];
        let open = match &mut self.files[at] {
            Some(open) => open,
            closed => {
                let table = &self.tables[at];
                let path = path(table, self.game, &self.month, self.first, self.format);
                let file = shelf.create(&path)?;
                let writer = Writer::new(self.format, table, false, file)
                    .map_err(|error| shelf.failed(&path, error))?;
                closed.insert(Open { path, writer, rows: 0 })
            }
        };
        open.writer.write(batch).map_err(|error| shelf.failed(&open.path, error))?;
        open.rows += batch.rows() as u64;
        batch.truncate(0);
        Ok(())
    }

    /// Ends all files. A table that has no file yet gets one without rows, so that every table can be read.
    fn finish(mut self, shelf: &mut S) -> Result<(), S::Error> {
        for at in 0..self.tables.len() {
            let waits = self.batches.tables[at].rows() > 0;
            if waits || (self.files[at].is_none() && !shelf.has(&self.tables[at].name, self.game)) {
                self.write(at, shelf)?;
            }
            let Some(Open { path, writer, rows }) = self.files[at].take() else {
                continue;
            };
            let out = writer.finish().map_err(|error| shelf.failed(&path, error))?;
            shelf.finished(path, out, rows)?;
        }
        Ok(())
    }
}

/// The path of a file, in an archive or in a folder.
fn path(table: &Table, game: &str, month: &str, first: u64, format: Format) -> String {
    let (table, format) = (&table.name, format.name());
    format!("{table}/game={game}/month={month}/part-{first:012}.{format}")
}
