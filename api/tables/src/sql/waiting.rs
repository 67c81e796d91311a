//! Rows that wait until there are many of a table: to begin a statement takes longer than to write a row.

use std::collections::BTreeMap;

use rusqlite::Connection;

use super::layout::{Layout, Recorded};
use super::sheet::{Heap, Sheet};
use crate::batch::{Batch, Cell, Misfit};
use crate::catalogue::Batches;

/// Rows of so many bytes are written at once.
const MOST: usize = 8 << 20;

/// Rows on their way into the file.
pub(super) struct Waiting<'a> {
    layout: &'a Layout,
    common: Vec<Heap>,
    wide: BTreeMap<&'static str, Vec<Heap>>,
    whole: Heap,
    bytes: usize,
}

impl<'a> Waiting<'a> {
    pub(super) fn new(layout: &'a Layout) -> Self {
        let heaps = |sheets: &[Sheet]| sheets.iter().map(Sheet::heap).collect();
        Waiting {
            layout,
            common: heaps(&layout.common),
            wide: layout.wide.iter().map(|(game, sheets)| (*game, heaps(sheets))).collect(),
            whole: layout.whole.heap(),
            bytes: 0,
        }
    }

    /// Are there so many rows that they should be written?
    pub(super) fn is_full(&self) -> bool {
        self.bytes > MOST
    }

    /// Adds the rows of a match.
    pub(super) fn add(&mut self, batches: &Batches) -> Result<(), Misfit> {
        let Batches { game, tables } = batches;
        self.bytes += tables.iter().map(Batch::bytes).sum::<usize>();
        let recorded = &self.layout.recorded;
        let has_command = add_whole(recorded, tables, &mut self.whole.batch)?;
        let (commands, _) = recorded.command;
        for (sheet, heap) in self.layout.common.iter().zip(&mut self.common) {
            let rows = sheet.is_of_commits().then_some((commands, &*has_command));
            heap.batch.append_from(tables, &sheet.from, rows);
            heap.are_of(game);
        }
        let sheets = self.layout.wide.get(game).into_iter().flatten();
        for (sheet, heap) in sheets.zip(self.wide.get_mut(game).into_iter().flatten()) {
            heap.batch.append_from(tables, &sheet.from, None);
        }
        Ok(())
    }

    /// Writes all of them.
    pub(super) fn write(&mut self, db: &Connection) -> rusqlite::Result<()> {
        let Waiting { layout, common, wide, whole, bytes } = self;
        let sheets = layout.common.iter().chain(layout.wide.values().flatten());
        let heaps = common.iter_mut().chain(wide.values_mut().flatten());
        sheets.zip(heaps).try_for_each(|(sheet, heap)| sheet.write(db, heap))?;
        layout.whole.write(db, whole)?;
        *bytes = 0;
        Ok(())
    }
}

/// Adds what was recorded of each commit. Returns which of them have a command.
fn add_whole(
    recorded: &Recorded,
    tables: &[Batch],
    batch: &mut Batch,
) -> Result<Vec<bool>, Misfit> {
    let Recorded { match_no, commit_no, first_version, event_count, event, of_command, command } =
        *recorded;
    let cell = |(table, column): (usize, usize), row: usize| tables[table].cell(column, row);
    let (commits, commands) = (tables[commit_no.0].rows(), tables[command.0].rows());
    let (mut next_command, mut next_event) = (0, 0);
    let mut has_command = Vec::with_capacity(commits);
    let mut events = String::new();
    for row in 0..commits {
        let number = cell(commit_no, row);
        let has = next_command < commands && cell(of_command, next_command) == number;
        let given = if has { cell(command, next_command) } else { Cell::Null };
        next_command += usize::from(has);
        has_command.push(has);
        events.clear();
        let Cell::Int(count) = cell(event_count, row) else {
            return Err("a commit without a number of events".to_owned());
        };
        for _ in 0..count {
            let Cell::Json(json) = cell(event, next_event) else {
                return Err("an event without its JSON".to_owned());
            };
            events.push(if events.is_empty() { '[' } else { ',' });
            events.push_str(json);
            next_event += 1;
        }
        events.push_str(if events.is_empty() { "[]" } else { "]" });
        let (key, first) = (cell(match_no, row), cell(first_version, row));
        batch.push([key, number, first, given, Cell::Json(&events)])?;
    }
    Ok(has_command)
}
