//! Rows of a table from the file, some matches at a time: nothing is decided again for them.

use std::collections::BTreeMap;
use std::mem;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::answer::Shape;
use super::file::Sql;
use super::layout::key;
use super::process::asker;
use super::query::Answer;
use super::question::{Parameter, Question};
use super::terms::Limits;
use crate::batch::{Batch, Cell};
use crate::column::{Column, GAME, Kind, Table};
use crate::key::millis;
use crate::wanted::Wanted;

/// So many rows are taken at once, at most.
const ROWS: usize = 20_000;

/// So many bytes they may have.
const BYTES: usize = 8 << 20;

/// So many feed positions are asked for at first.
const STRIDE: u64 = 10_000;

/// A question that took less is followed by a longer one, and one that took four times as much by a shorter one: nobody can break it off.
const QUICK: Duration = Duration::from_millis(100);

/// A table in the file, and which of its rows are still to be taken.
pub(crate) struct Stored {
    sql: Arc<Sql>,
    limits: Limits,
    table: Table,
    games: Vec<&'static str>,
    question: Question,
    span: Range<u64>,
    /// So many feed positions are asked for at once.
    stride: u64,
    /// For so long the process of a question has worked.
    worked: Duration,
}

impl Stored {
    /// The rows of these games' matches that ended in `span`. Private matches are not in the file.
    pub(crate) fn new(
        (sql, limits): (Arc<Sql>, Limits),
        table: &Table,
        games: &[&'static str],
        wanted: &Wanted,
        span: Range<u64>,
    ) -> Self {
        Stored {
            sql,
            limits: Limits { rows: ROWS, bytes: BYTES, files: false, gives_way: false, ..limits },
            question: question(table, wanted),
            table: table.clone(),
            games: games.to_vec(),
            span,
            stride: STRIDE,
            worked: Duration::ZERO,
        }
    }

    /// What was not taken yet.
    pub(crate) fn rest(&self) -> Range<u64> {
        self.span.clone()
    }

    /// For how long questions have been answered elsewhere since this was last asked.
    pub(crate) fn worked(&mut self) -> Duration {
        mem::take(&mut self.worked)
    }

    /// All rows of some more matches in order, those of one game after the other together. None at the end of what the file has, and where it
    /// does not answer, or leaves something out: then the rest is to be decided again.
    pub(crate) fn next(&mut self) -> Option<Vec<Batch>> {
        if self.span.is_empty() {
            return None;
        }
        let until = self.span.end.min(self.span.start.saturating_add(self.stride));
        let begun = Instant::now();
        let answer = self.ask(until);
        let took = begun.elapsed();
        self.worked += took;
        let answer = answer?;
        let mut rows: Vec<Vec<Value>> = serde_json::from_slice(&answer.body).ok()?;
        let mut reached = until.min(answer.position);
        if answer.truncated {
            // Of the last match there may be more rows than were taken.
            let last = self.match_of(rows.last()?)?;
            rows.truncate(rows.partition_point(|row| self.match_of(row) < Some(last)));
            reached = last.checked_sub(1)?;
        }
        if answer.damaged > 0 || reached <= self.span.start {
            return None;
        }
        let batches = self.batches(&rows)?;
        if took > 4 * QUICK {
            self.stride = (self.stride / 2).max(1);
        } else if !answer.truncated && took < QUICK {
            self.stride = self.stride.saturating_mul(2);
        }
        self.span.start = reached;
        Some(batches)
    }

    /// The feed position of the match that a row is of.
    fn match_of(&self, row: &[Value]) -> Option<u64> {
        let at = self.table.columns.iter().position(|column| column.name == "match_no")?;
        row.get(at + 1)?.as_u64()
    }

    fn ask(&self, until: u64) -> Option<Answer> {
        let mut question = self.question.clone();
        for (name, position) in [("after", self.span.start), ("until", until)] {
            let position = Parameter::Int(i64::try_from(position).ok()?);
            question.parameters.insert(name.to_owned(), position);
        }
        question.span = Some(self.span.start..until);
        // Whoever waits for the whole table waits for this.
        let (_asker, asked) = asker();
        self.sql.query(&question, Shape::Json, &self.limits, asked).ok()
    }

    fn batches(&self, rows: &[Vec<Value>]) -> Option<Vec<Batch>> {
        let mut batches: Vec<Batch> = Vec::new();
        for row in rows {
            let (game, values) = row.split_first()?;
            let game = self.games.iter().find(|id| game.as_str() == Some(id))?;
            if batches.last().is_none_or(|batch| batch.game != *game) {
                batches.push(Batch::new(&self.table, game));
            }
            let cells = values.iter().zip(&self.table.columns);
            let cells = cells.map(|(value, column)| cell(value, column.kind));
            let cells: Option<Vec<Cell<'_>>> = cells.collect();
            batches.last_mut()?.push(cells?).ok()?;
        }
        Some(batches)
    }
}

/// What is asked, but for the span.
fn question(table: &Table, wanted: &Wanted) -> Question {
    let Wanted { game, from, to, private: _ } = wanted;
    let names: Vec<&str> = table.columns.iter().map(|column: &Column| &*column.name).collect();
    let mut sql = format!(
        "SELECT {GAME}, {} FROM {} WHERE match_no > :after AND match_no <= :until",
        names.join(", "),
        table.name
    );
    let mut parameters = BTreeMap::new();
    let mut day = |name: &str, day: &Option<String>, compared: &str| {
        let Some(day) = day else { return };
        sql.push_str(&format!(
            " AND match_no IN (SELECT match_no FROM matches WHERE match_no > :after AND match_no <= :until AND substr(finished_at, 1, 10) {compared} :{name})"
        ));
        parameters.insert(name.to_owned(), Parameter::Text(day.clone()));
    };
    day("from", from, ">=");
    day("to", to, "<=");
    if let Some(game) = game {
        sql.push_str(&format!(" AND {GAME} = :game"));
        parameters.insert("game".to_owned(), Parameter::Text(game.clone()));
    }
    sql.push_str(&format!(" ORDER BY {}", key(&table.name).join(", ")));
    Question { sql, parameters, span: None }
}

/// A value of the file as a cell; none if it is of another kind.
fn cell(value: &Value, kind: Kind) -> Option<Cell<'_>> {
    Some(match (kind, value) {
        (_, Value::Null) => Cell::Null,
        (Kind::Int, value) => Cell::Int(value.as_i64()?),
        (Kind::Real, value) => Cell::Real(value.as_f64()?),
        (Kind::Bool, value) => Cell::Bool(value.as_i64()? != 0),
        (Kind::Time, value) => Cell::Time(millis(value.as_str()?).ok()?),
        (Kind::Text, value) => Cell::Text(value.as_str()?),
        (Kind::Json | Kind::Ints | Kind::Texts, value) => Cell::Json(value.as_str()?),
    })
}
