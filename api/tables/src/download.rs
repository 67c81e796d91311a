//! One table as a stream of bytes, piece by piece: for whoever has no folder, and may go on later.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::mem;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use archive::{Archive, Finish, Finishes};
use journal::{Damaged, Place};

use crate::batch::Batch;
use crate::catalogue::{Batches, Catalogue};
use crate::read_ahead::KEPT;
use crate::sql::{Limits, Sql, Stored};
use crate::wanted::Wanted;
use crate::write::{Format, Writer};

/// A piece of an answer has at least so many bytes, where there are so many.
const PIECE: usize = 64 << 10;

/// Rows of so many bytes become a row group of a Parquet file.
const GROUP: usize = 8 << 20;

/// How long to work without giving what is there.
const SLICE: Duration = Duration::from_millis(100);

/// Where in the feed, and of what.
#[derive(Clone, Debug)]
pub struct Selection {
    /// The name of the table.
    pub table: String,
    /// Which matches.
    pub wanted: Wanted,
    /// Matches that ended after the feed position `start`, up to and with `end`.
    pub span: Range<u64>,
}

/// Bytes that are made piece by piece.
pub trait Pieces: Send {
    /// Makes more of them; `false` at the end.
    ///
    /// # Errors
    /// If a match is found damaged that was not counted; what was written of those before it is lost.
    fn step(&mut self) -> Result<bool, DownloadError>;

    /// Where they are until they are taken.
    fn out(&self) -> &Shared;

    /// Counts what is damaged in the span and left out. Until then all that is found is left out; from now on only what was counted, and
    /// anything else is an error: nothing is left out that nobody was told of.
    fn seal(&mut self) -> u64;

    /// For how long others have worked for them since this was last asked.
    fn elsewhere(&mut self) -> Duration {
        Duration::ZERO
    }

    /// The next bytes, after at least one step of work; there may be none yet. `None` at the end.
    ///
    /// # Errors
    /// If a match is found damaged that was not counted; what was written of those before it is lost.
    fn next_piece(&mut self) -> Result<Option<Vec<u8>>, DownloadError> {
        let start = Instant::now();
        while self.step()? {
            if self.out().len() >= PIECE {
                return Ok(Some(self.out().take()));
            }
            if start.elapsed() > SLICE {
                // Whoever got nothing yet can still be told what is left out.
                return Ok(Some(Vec::new()));
            }
        }
        let rest = self.out().take();
        Ok((!rest.is_empty()).then_some(rest))
    }
}

/// A table on its way. Its rows stand match by match, in the order in which the matches ended; in Parquet those of a game together.
pub struct Download {
    archive: Archive,
    catalogue: Arc<Catalogue>,
    wanted: Wanted,
    games: Vec<&'static str>,
    /// The index of the table among those of each of the games.
    table: usize,
    finishes: Finishes,
    /// The file that has the rows already, as long as it has them.
    stored: Option<Stored>,
    /// For how long that has worked, when it is gone.
    elsewhere: Duration,
    format: Format,
    /// Of the game of the last match: empty, to be filled again.
    empty: Option<Batches>,
    /// Of the table, by game, what is not written yet.
    rows: BTreeMap<&'static str, Batch>,
    left_out: LeftOut,
    /// None at the end.
    writer: Option<Writer<Shared>>,
    out: Shared,
}

/// What is damaged in a span, and left out of it.
pub(crate) struct LeftOut {
    archive: Archive,
    span: Range<u64>,
    /// What was counted; none before the first bytes went out.
    counted: Option<BTreeSet<Place>>,
}

impl LeftOut {
    pub(crate) fn new(archive: Archive, span: Range<u64>) -> Self {
        LeftOut { archive, span, counted: None }
    }

    /// Leaves out what is damaged, if that was or will be counted. What a database that is away did not give out is not damaged.
    pub(crate) fn pass(&self, damaged: Damaged) -> Result<(), DownloadError> {
        if damaged.is_away() {
            return Err(DownloadError::Away(damaged));
        }
        match &self.counted {
            Some(counted) if !counted.contains(&damaged.place()) => {
                Err(DownloadError::Damaged(damaged))
            }
            Some(_) | None => Ok(()),
        }
    }

    pub(crate) fn seal(&mut self) -> u64 {
        let counted = self.counted.get_or_insert_with(|| self.archive.damaged(&self.span));
        counted.len() as u64
    }
}

/// Why a table ended before its end.
#[derive(Debug, thiserror::Error)]
pub enum DownloadError {
    /// A match was found damaged that had not been counted when the first bytes were sent. The next request gets the rest without it.
    #[error("{0}")]
    Damaged(Damaged),
    /// The database does not answer.
    #[error("{0}")]
    Away(Damaged),
    /// The rows could not be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Download {
    /// Begins a table. `None` if there is no table with this name.
    ///
    /// # Errors
    /// If its head cannot be written.
    pub fn new(
        archive: Archive,
        catalogue: Arc<Catalogue>,
        format: Format,
        selection: Selection,
    ) -> io::Result<Option<Self>> {
        let Selection { table: name, wanted, span } = selection;
        let Some((table, games)) = catalogue.find(&name) else {
            return Ok(None);
        };
        let at = games.first().and_then(|game| {
            let mut tables = catalogue.tables(game);
            tables.position(|table| table.name == name)
        });
        let out = Shared::default();
        let writer = Writer::new(format, table, true, out.clone())?;
        Ok(Some(Download {
            finishes: archive.finishes(span.clone()),
            stored: None,
            elsewhere: Duration::ZERO,
            left_out: LeftOut::new(archive.clone(), span),
            archive,
            table: at.unwrap_or_default(),
            games,
            catalogue,
            wanted,
            format,
            empty: None,
            rows: BTreeMap::new(),
            writer: Some(writer),
            out,
        }))
    }

    /// Takes the rows from the file of the tables for SQL as far as it has them, and decides only later matches again. What has damaged
    /// matches in its span, or is not for everybody, is decided again as without the file.
    #[must_use]
    pub fn stored_in(mut self, sql: Arc<Sql>, limits: Limits) -> Self {
        let span = self.left_out.span.clone();
        if self.wanted.private || !self.archive.damaged(&span).is_empty() {
            return self;
        }
        let game = self.games.first().copied().unwrap_or_default();
        let table = self.catalogue.tables(game).nth(self.table);
        let stored =
            table.map(|table| Stored::new((sql, limits), table, &self.games, &self.wanted, span));
        self.stored = stored;
        self
    }

    /// Takes rows from the file; without it, or at its end, false.
    fn take_stored(&mut self) -> io::Result<bool> {
        let Some(stored) = &mut self.stored else { return Ok(false) };
        let Some(batches) = stored.next() else {
            self.elsewhere += stored.worked();
            self.finishes = self.archive.finishes(stored.rest());
            self.stored = None;
            return Ok(false);
        };
        for batch in batches {
            match self.rows.get_mut(batch.game) {
                Some(rows) => rows.append(&batch),
                None => drop(self.rows.insert(batch.game, batch)),
            }
            self.write(self.group())?;
        }
        Ok(true)
    }

    /// Rows of so many bytes are written at once.
    fn group(&self) -> usize {
        if self.format == Format::Parquet { GROUP } else { 0 }
    }

    fn add(&mut self, finish: Result<Finish, Damaged>) -> Result<(), DownloadError> {
        if let Err(damaged) = finish.and_then(|finish| self.take(&finish)) {
            return self.left_out.pass(damaged);
        }
        self.write(self.group())?;
        Ok(())
    }

    /// Takes the rows of a match, if it is wanted.
    fn take(&mut self, finish: &Finish) -> Result<(), Damaged> {
        let (game, _) = self.archive.outline(finish)?;
        let game = game.info().id;
        if !self.games.contains(&game) || !self.wanted.wants(&self.archive, finish)? {
            return Ok(());
        }
        let read = self.catalogue.read(&self.archive, finish)?;
        let empty = self.empty.take().filter(|empty| empty.game == game);
        let mut batches = empty.unwrap_or_else(|| self.catalogue.batches(game));
        let rows = self.catalogue.rows(&read, &mut batches);
        rows.map_err(|what| self.archive.misfit(finish, what))?;
        let found = &batches.tables[self.table];
        match self.rows.get_mut(game) {
            Some(rows) => rows.append(found),
            None => drop(self.rows.insert(game, found.clone())),
        }
        batches.clear();
        self.empty = (batches.held() <= KEPT).then_some(batches);
        Ok(())
    }

    /// Writes the rows, if they take more than so many bytes.
    fn write(&mut self, more_than: usize) -> io::Result<()> {
        let bytes = self.rows.values().map(Batch::bytes).sum::<usize>();
        if let Some(writer) = &mut self.writer
            && bytes > more_than
        {
            for rows in mem::take(&mut self.rows).values() {
                writer.write(rows)?;
            }
        }
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        self.write(0)?;
        if let Some(writer) = self.writer.take() {
            writer.finish()?;
        }
        Ok(())
    }
}

impl Pieces for Download {
    fn step(&mut self) -> Result<bool, DownloadError> {
        if self.writer.is_none() {
            return Ok(false);
        }
        if self.take_stored()? {
            return Ok(true);
        }
        match self.finishes.look() {
            Some(Some(finish)) => self.add(finish)?,
            Some(None) => {}
            None => self.end()?,
        }
        Ok(true)
    }

    fn out(&self) -> &Shared {
        &self.out
    }

    fn seal(&mut self) -> u64 {
        self.left_out.seal()
    }

    fn elsewhere(&mut self) -> Duration {
        mem::take(&mut self.elsewhere) + self.stored.as_mut().map_or(Duration::ZERO, Stored::worked)
    }
}

/// Bytes that were written and not yet taken.
#[derive(Clone, Default)]
pub struct Shared(Arc<Mutex<Vec<u8>>>);

impl Shared {
    fn with<T>(&self, act: impl FnOnce(&mut Vec<u8>) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn len(&self) -> usize {
        self.with(|bytes| bytes.len())
    }

    fn take(&self) -> Vec<u8> {
        self.with(mem::take)
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.with(|out| out.extend_from_slice(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
