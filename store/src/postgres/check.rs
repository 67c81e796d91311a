//! Everything is read and compared: the same findings as in a folder.

use std::collections::BTreeMap;

use crate::error::{Damage, ReadError};
use crate::postgres::database::{big, column, natural};
use crate::postgres::record::{self, Name};
use crate::postgres::session::Value;
use crate::postgres::{PLACES, Postgres, place};
use crate::store::Checked;
use crate::stream::{Place, StreamId};

/// So many records are read at once.
const PAGE: usize = 1_000;

const COMMITS: &str = "SELECT stream, number, position, bytes FROM muninn.commits
    WHERE (stream, number) > ($1, $2) AND position <= $3 ORDER BY stream, number LIMIT $4";
/// So many places of commits, which the index of the feed has.
const PLACES_PAGE: u64 = 20_000;

/// A check on its way.
struct Check<'a> {
    engine: &'a Postgres,
    found: Vec<Damage>,
    /// All streams that any record mentions, with the number of the last commit that the feed has of it.
    streams: BTreeMap<StreamId, u64>,
    /// The first record that only a newer program can read.
    newer: Option<String>,
}

/// Checks everything that was stored before. What cannot be read is listed.
pub(crate) fn all(engine: &Postgres, progress: &mut dyn FnMut(u64)) -> Checked {
    let mut check = Check { engine, found: Vec::new(), streams: BTreeMap::new(), newer: None };
    let feed = check.feed();
    check.list("feed", feed);
    let commits = check.commits(progress);
    check.list("commits", commits);
    let headers = check.headers();
    check.list("headers", headers);
    let notes = check.notes();
    check.list("notes", notes);
    let Check { engine: _, found, streams, newer } = check;
    Checked { streams: streams.into_keys().rev().collect(), damage: found, newer }
}

impl Check<'_> {
    /// Lists that a kind of records could not be read to its end.
    fn list(&mut self, kind: &'static str, read: Result<(), ReadError>) {
        if let Err(error) = read {
            let (from, until) = ("the beginning".to_owned(), "the end".to_owned());
            self.found.push(Damage::Range { kind, from, until, what: error.to_string() });
        }
    }

    fn feed(&mut self) -> Result<(), ReadError> {
        let durable = self.engine.asked_position()?;
        let mut last = 0;
        while last < durable {
            let values: Vec<Value> = vec![Box::new(big(last)), Box::new(big(PLACES_PAGE))];
            let rows = self.engine.rows(PLACES, values)?;
            for row in &rows {
                let Place { stream, number, position } = place(row)?;
                let end = self.streams.entry(stream).or_default();
                *end = number.max(*end);
                if position != last + 1 {
                    let what = format!("the next record begins at {position}");
                    self.found.push(Damage::Feed { position: last + 1, what });
                }
                last = position;
            }
            if rows.is_empty() {
                let what = format!("it and all up to {durable} are missing");
                self.found.push(Damage::Feed { position: last + 1, what });
                return Ok(());
            }
        }
        Ok(())
    }

    fn commits(&mut self, progress: &mut dyn FnMut(u64)) -> Result<(), ReadError> {
        let durable = big(self.engine.asked_position()?);
        let mut after = (StreamId([0; 16]), 0);
        let mut ends = self.streams.clone();
        let (mut count, mut expected) = (0, (StreamId([0; 16]), 1));
        loop {
            let values: Vec<Value> = vec![
                Box::new(after.0),
                Box::new(after.1),
                Box::new(durable),
                Box::new(big(PAGE as u64)),
            ];
            let rows = self.engine.rows(COMMITS, values)?;
            for row in &rows {
                let (stream, number): (StreamId, u64) = (column(row, 0)?, natural(row, 1)?);
                let bytes: Vec<u8> = column(row, 3)?;
                if expected.0 != stream {
                    expected = (stream, 1);
                }
                if expected.1 != number {
                    let what = format!("missing; the next is {number}");
                    self.found.push(Damage::Commit { stream, number: expected.1, what });
                }
                let name = Name::Commit(stream, number);
                if let Err(error) = record::decode(name, &bytes) {
                    self.look(name, &error);
                    self.found.push(Damage::Commit { stream, number, what: error.in_short() });
                }
                self.streams.entry(stream).or_default();
                if ends.get(&stream).is_some_and(|end| *end <= number) {
                    ends.remove(&stream);
                }
                (expected, after) = ((stream, number + 1), (stream, big(number)));
            }
            count += rows.len() as u64;
            progress(count);
            if rows.is_empty() {
                break;
            }
        }
        // What the feed's index still has, and the table has not.
        for (stream, number) in ends {
            let what = "missing; the feed has it".to_owned();
            self.found.push(Damage::Commit { stream, number, what });
        }
        Ok(())
    }

    fn headers(&mut self) -> Result<(), ReadError> {
        let mut before = None;
        loop {
            let rows = self.engine.header_rows(before, PAGE)?;
            for row in &rows {
                let (stream, bytes): (StreamId, Vec<u8>) = (column(row, 0)?, column(row, 1)?);
                before = Some(stream);
                self.streams.entry(stream).or_default();
                self.record(Name::Header(stream), &bytes);
            }
            if rows.is_empty() {
                return Ok(());
            }
        }
    }

    fn notes(&mut self) -> Result<(), ReadError> {
        let engine = self.engine;
        engine.each_note(&mut |key, _, bytes| self.record(Name::Note(&key), &bytes))
    }

    fn record(&mut self, name: Name<'_>, bytes: &[u8]) {
        if let Err(error) = record::decode(name, bytes) {
            self.look(name, &error);
            self.found.push(Damage::Record { record: name.to_string(), what: error.to_string() });
        }
    }

    /// Looks whether a record is of a newer program.
    fn look(&mut self, name: Name<'_>, error: &ReadError) {
        if let ReadError::Newer(what) = error {
            self.newer.get_or_insert_with(|| format!("{name}: {what}"));
        }
    }
}
