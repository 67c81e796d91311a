//! Rows of one table in memory, column by column.

use crate::column::{Kind, Table};

/// A value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell<'a> {
    /// There is none.
    Null,
    /// An integer.
    Int(i64),
    /// A floating point number.
    Real(f64),
    /// True or false.
    Bool(bool),
    /// Milliseconds since 1970 in UTC.
    Time(i64),
    /// Text.
    Text(&'a str),
    /// JSON.
    Json(&'a str),
}

/// The values of a column. Where one is missing stands a default, so that every row has its index.
#[derive(Clone, Debug)]
pub(crate) enum Values {
    Int(Vec<i64>),
    Real(Vec<f64>),
    Bool(Vec<bool>),
    /// One text after the other, and where each ends.
    Text {
        text: String,
        ends: Vec<usize>,
    },
}

/// A column with values.
#[derive(Clone, Debug)]
pub(crate) struct Filled {
    pub(crate) kind: Kind,
    pub(crate) values: Values,
    /// Is there a value? Empty while none is missing.
    missing: Vec<bool>,
    rows: usize,
}

/// Rows of one table and one game.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The game of all rows.
    pub game: &'static str,
    pub(crate) columns: Vec<Filled>,
    rows: usize,
}

impl Filled {
    fn new(kind: Kind) -> Self {
        let values = match kind {
            Kind::Int | Kind::Time => Values::Int(Vec::new()),
            Kind::Real => Values::Real(Vec::new()),
            Kind::Bool => Values::Bool(Vec::new()),
            Kind::Text | Kind::Json => Values::Text {
                text: String::new(),
                ends: Vec::new(),
            },
        };
        Filled {
            kind,
            values,
            missing: Vec::new(),
            rows: 0,
        }
    }

    fn push(&mut self, cell: Cell<'_>) {
        let null = cell == Cell::Null;
        if null && self.missing.is_empty() {
            self.missing = vec![false; self.rows];
        }
        if null || !self.missing.is_empty() {
            self.missing.push(null);
        }
        self.rows += 1;
        match (&mut self.values, cell) {
            (Values::Int(values), Cell::Int(value) | Cell::Time(value)) => values.push(value),
            (Values::Real(values), Cell::Real(value)) => values.push(value),
            (Values::Bool(values), Cell::Bool(value)) => values.push(value),
            (Values::Text { text, ends }, Cell::Text(value) | Cell::Json(value)) => {
                text.push_str(value);
                ends.push(text.len());
            }
            (Values::Int(values), _) => values.push(0),
            (Values::Real(values), _) => values.push(0.0),
            (Values::Bool(values), _) => values.push(false),
            (Values::Text { text, ends }, _) => ends.push(text.len()),
        }
    }

    /// Is there a value in this row?
    pub(crate) fn present(&self, row: usize) -> bool {
        !self.missing.get(row).copied().unwrap_or(false)
    }

    pub(crate) fn cell(&self, row: usize) -> Cell<'_> {
        if !self.present(row) {
            return Cell::Null;
        }
        match &self.values {
            Values::Int(values) if self.kind == Kind::Time => Cell::Time(values[row]),
            Values::Int(values) => Cell::Int(values[row]),
            Values::Real(values) => Cell::Real(values[row]),
            Values::Bool(values) => Cell::Bool(values[row]),
            Values::Text { text, ends } => {
                let start = row.checked_sub(1).map_or(0, |before| ends[before]);
                let text = &text[start..ends[row]];
                if self.kind == Kind::Json {
                    Cell::Json(text)
                } else {
                    Cell::Text(text)
                }
            }
        }
    }

    fn truncate(&mut self, rows: usize) {
        self.rows = rows;
        self.missing.truncate(rows);
        match &mut self.values {
            Values::Int(values) => values.truncate(rows),
            Values::Real(values) => values.truncate(rows),
            Values::Bool(values) => values.truncate(rows),
            Values::Text { text, ends } => {
                ends.truncate(rows);
                text.truncate(ends.last().copied().unwrap_or(0));
            }
        }
    }

    fn bytes(&self) -> usize {
        let values = match &self.values {
            Values::Int(values) => values.len() * 8,
            Values::Real(values) => values.len() * 8,
            Values::Bool(values) => values.len(),
            Values::Text { text, ends } => text.len() + ends.len() * 8,
        };
        values + self.missing.len()
    }
}

impl Batch {
    /// No rows of a table.
    #[must_use]
    pub fn new(table: &Table, game: &'static str) -> Self {
        Batch {
            game,
            columns: table
                .columns
                .iter()
                .map(|column| Filled::new(column.kind))
                .collect(),
            rows: 0,
        }
    }

    /// How many rows there are.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How much memory the values take, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.columns.iter().map(Filled::bytes).sum()
    }

    /// A value: the column counts from 0 behind `game`.
    #[must_use]
    pub fn cell(&self, column: usize, row: usize) -> Cell<'_> {
        self.columns[column].cell(row)
    }

    /// Appends a row.
    ///
    /// # Panics
    /// If it has not one value for each column.
    pub fn push(&mut self, row: &[Cell<'_>]) {
        assert_eq!(row.len(), self.columns.len(), "a row has all columns");
        for (column, cell) in self.columns.iter_mut().zip(row) {
            column.push(*cell);
        }
        self.rows += 1;
    }

    /// Forgets all rows but the first ones.
    pub fn truncate(&mut self, rows: usize) {
        self.columns
            .iter_mut()
            .for_each(|column| column.truncate(rows));
        self.rows = rows;
    }
}

impl From<Option<i64>> for Cell<'_> {
    fn from(value: Option<i64>) -> Self {
        value.map_or(Cell::Null, Cell::Int)
    }
}

impl<'a> From<Option<&'a str>> for Cell<'a> {
    fn from(value: Option<&'a str>) -> Self {
        value.map_or(Cell::Null, Cell::Text)
    }
}
