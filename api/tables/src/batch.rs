//! Rows of one table in memory, column by column.

use std::ops::Range;

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
    Text(Texts),
}

/// Texts of rows. Rows with the same text one after the other share it: the id of a match stands there once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Texts {
    text: String,
    /// Where the text of each row begins and ends. Neither ever goes down.
    spans: Vec<(u32, u32)>,
}

impl Texts {
    fn push(&mut self, value: &str) {
        let last = self.spans.last().copied();
        if let Some((start, end)) = last
            && self.between(start, end) == value
        {
            self.spans.push((start, end));
            return;
        }
        let start = self.end();
        self.text.push_str(value);
        self.spans.push((start, self.end()));
    }

    fn end(&self) -> u32 {
        u32::try_from(self.text.len()).expect("rows go to a file long before they have 4 GiB")
    }

    fn between(&self, start: u32, end: u32) -> &str {
        &self.text[start as usize..end as usize]
    }

    fn get(&self, row: usize) -> &str {
        let (start, end) = self.spans[row];
        self.between(start, end)
    }

    /// The texts of some rows in one piece, and where in it that of each row lies.
    pub(crate) fn piece(&self, rows: Range<usize>) -> (&str, impl Fn(usize) -> Range<usize>) {
        let spans = &self.spans[rows];
        let first = spans.first().map_or(0, |(start, _)| *start);
        let last = spans.last().map_or(0, |(_, end)| *end);
        let place = move |row: usize| {
            let (start, end) = spans[row];
            (start - first) as usize..(end - first) as usize
        };
        (self.between(first, last), place)
    }

    fn append(&mut self, other: &Texts) {
        let offset = self.end();
        self.text.push_str(&other.text);
        self.end();
        let spans = other.spans.iter();
        self.spans.extend(spans.map(|(start, end)| (start + offset, end + offset)));
    }

    fn truncate(&mut self, rows: usize) {
        self.spans.truncate(rows);
        let end = self.spans.last().map_or(0, |(_, end)| *end as usize);
        self.text.truncate(end);
    }
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
            Kind::Text | Kind::Json => Values::Text(Texts::default()),
        };
        Filled { kind, values, missing: Vec::new(), rows: 0 }
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
            (Values::Text(texts), Cell::Text(value) | Cell::Json(value)) => texts.push(value),
            (Values::Int(values), _) => values.push(0),
            (Values::Real(values), _) => values.push(0.0),
            (Values::Bool(values), _) => values.push(false),
            (Values::Text(texts), _) => texts.push(""),
        }
    }

    fn append(&mut self, other: &Filled) {
        if !self.missing.is_empty() || !other.missing.is_empty() {
            self.missing.resize(self.rows, false);
            self.missing.extend(&other.missing);
            self.missing.resize(self.rows + other.rows, false);
        }
        self.rows += other.rows;
        match (&mut self.values, &other.values) {
            (Values::Int(values), Values::Int(others)) => values.extend(others),
            (Values::Real(values), Values::Real(others)) => values.extend(others),
            (Values::Bool(values), Values::Bool(others)) => values.extend(others),
            (Values::Text(texts), Values::Text(others)) => texts.append(others),
            (
                Values::Int(_) | Values::Real(_) | Values::Bool(_) | Values::Text(_),
                Values::Int(_) | Values::Real(_) | Values::Bool(_) | Values::Text(_),
            ) => unreachable!("columns of the same table are of the same kind"),
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
            Values::Text(texts) if self.kind == Kind::Json => Cell::Json(texts.get(row)),
            Values::Text(texts) => Cell::Text(texts.get(row)),
        }
    }

    fn truncate(&mut self, rows: usize) {
        self.rows = rows;
        self.missing.truncate(rows);
        match &mut self.values {
            Values::Int(values) => values.truncate(rows),
            Values::Real(values) => values.truncate(rows),
            Values::Bool(values) => values.truncate(rows),
            Values::Text(texts) => texts.truncate(rows),
        }
    }

    /// How much memory it holds, filled or not.
    fn held(&self) -> usize {
        let values = match &self.values {
            Values::Int(values) => values.capacity() * 8,
            Values::Real(values) => values.capacity() * 8,
            Values::Bool(values) => values.capacity(),
            Values::Text(texts) => texts.text.capacity() + texts.spans.capacity() * 8,
        };
        values + self.missing.capacity()
    }

    fn bytes(&self) -> usize {
        let values = match &self.values {
            Values::Int(values) => values.len() * 8,
            Values::Real(values) => values.len() * 8,
            Values::Bool(values) => values.len(),
            Values::Text(texts) => texts.text.len() + texts.spans.len() * 8,
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
            columns: table.columns.iter().map(|column| Filled::new(column.kind)).collect(),
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

    /// How much memory it holds for values, in bytes: also what earlier rows needed.
    pub(crate) fn held(&self) -> usize {
        self.columns.iter().map(Filled::held).sum()
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

    /// Puts a value into the row that [`end_row`](Batch::end_row) will end; the last one counts.
    pub(crate) fn set(&mut self, column: usize, cell: Cell<'_>) {
        let column = &mut self.columns[column];
        if column.rows > self.rows {
            column.truncate(self.rows);
        }
        column.push(cell);
    }

    /// Ends a row: what was not set is missing.
    pub(crate) fn end_row(&mut self) {
        self.rows += 1;
        let short = self.columns.iter_mut().filter(|c| c.rows < self.rows);
        short.for_each(|column| column.push(Cell::Null));
    }

    /// Appends the rows of another batch of the same table.
    pub(crate) fn append(&mut self, other: &Batch) {
        let columns = self.columns.iter_mut().zip(&other.columns);
        columns.for_each(|(column, other)| column.append(other));
        self.rows += other.rows;
    }

    /// Forgets all rows but the first ones.
    pub fn truncate(&mut self, rows: usize) {
        self.columns.iter_mut().for_each(|column| column.truncate(rows));
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
