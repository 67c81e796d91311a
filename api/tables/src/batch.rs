//! Rows of one table in memory, column by column.

use std::ops::Range;

use crate::column::{Kind, Table};

/// Why a value cannot be put into a row: text for whoever looks after the store.
pub(crate) type Misfit = String;

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
    /// JSON, also of a list.
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

    /// The texts of some rows in one piece, with the place of each row's text in it.
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
    nullable: bool,
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
    fn new(kind: Kind, nullable: bool) -> Self {
        let values = match kind {
            Kind::Int | Kind::Time => Values::Int(Vec::new()),
            Kind::Real => Values::Real(Vec::new()),
            Kind::Bool => Values::Bool(Vec::new()),
            Kind::Text | Kind::Json | Kind::Ints | Kind::Texts => Values::Text(Texts::default()),
        };
        Filled { kind, nullable, values, missing: Vec::new(), rows: 0 }
    }

    /// Appends a value; nothing is appended if it is of another kind, or missing where none may be.
    fn push(&mut self, cell: Cell<'_>) -> Result<(), Misfit> {
        if !self.takes(cell) {
            let kind = self.kind.name();
            return Err(format!("{cell:?} stands where a value of the kind {kind} is due"));
        }
        self.put(cell);
        Ok(())
    }

    fn takes(&self, cell: Cell<'_>) -> bool {
        match cell {
            Cell::Null => self.nullable,
            Cell::Int(_) => self.kind == Kind::Int,
            Cell::Real(_) => self.kind == Kind::Real,
            Cell::Bool(_) => self.kind == Kind::Bool,
            Cell::Time(_) => self.kind == Kind::Time,
            Cell::Text(_) => self.kind == Kind::Text,
            Cell::Json(_) => matches!(self.kind, Kind::Json | Kind::Ints | Kind::Texts),
        }
    }

    /// Appends a value that the column takes; where it is missing, a default keeps the place.
    fn put(&mut self, cell: Cell<'_>) {
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
            // A missing value; `takes` lets no other one through.
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

    /// Appends a value of `other` for each row that has one, in order; where there is none, it is missing.
    fn spread(&mut self, other: &Filled, has: &[bool]) {
        let mut next = 0;
        for has in has {
            self.put(if *has { other.cell(next) } else { Cell::Null });
            next += usize::from(*has);
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
            Values::Text(texts) if self.kind == Kind::Text => Cell::Text(texts.get(row)),
            Values::Text(texts) => Cell::Json(texts.get(row)),
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
            columns: table
                .columns
                .iter()
                .map(|column| Filled::new(column.kind, column.nullable))
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

    /// How much memory it holds for values, in bytes: also what earlier rows needed.
    pub(crate) fn held(&self) -> usize {
        self.columns.iter().map(Filled::held).sum()
    }

    /// A value: the column counts from 0 behind `game`.
    #[must_use]
    pub fn cell(&self, column: usize, row: usize) -> Cell<'_> {
        self.columns[column].cell(row)
    }

    /// Appends a row: the values of its columns, in order.
    ///
    /// # Errors
    /// If a column does not take its value, or there is not one for each; then the batch must be [truncated](Batch::truncate).
    pub(crate) fn push<'a>(
        &mut self,
        row: impl IntoIterator<Item = Cell<'a>>,
    ) -> Result<(), Misfit> {
        row.into_iter().enumerate().try_for_each(|(at, cell)| self.set(at, cell))?;
        self.end_row()
    }

    /// Puts a value into the row that [`end_row`](Batch::end_row) will end; the last one counts.
    ///
    /// # Errors
    /// If there is no such column, or it does not take the value.
    pub(crate) fn set(&mut self, column: usize, cell: Cell<'_>) -> Result<(), Misfit> {
        let rows = self.rows;
        let column = self.columns.get_mut(column);
        let column = column.ok_or_else(|| format!("there is no column {cell:?} could be in"))?;
        if column.rows > rows {
            column.truncate(rows);
        }
        column.push(cell)
    }

    /// Ends a row: what was not set is missing.
    ///
    /// # Errors
    /// If a value is missing that every row has.
    pub(crate) fn end_row(&mut self) -> Result<(), Misfit> {
        self.rows += 1;
        let mut short = self.columns.iter_mut().filter(|column| column.rows < self.rows);
        short.try_for_each(|column| column.push(Cell::Null))
    }

    /// Appends the rows of another batch of the same table.
    pub(crate) fn append(&mut self, other: &Batch) {
        let columns = self.columns.iter_mut().zip(&other.columns);
        columns.for_each(|(column, other)| column.append(other));
        self.rows += other.rows;
    }

    /// Appends rows whose columns are of several tables: `from` has the table and the column for each of ours. The tables have the same
    /// rows, but for one that has them only for some, if `some` says of which table and which rows.
    pub(crate) fn append_from(
        &mut self,
        tables: &[Batch],
        from: &[(usize, usize)],
        some: Option<(usize, &[bool])>,
    ) {
        let Some((first, _)) = from.first() else { return };
        for (column, (table, other)) in self.columns.iter_mut().zip(from) {
            let other = &tables[*table].columns[*other];
            match some {
                Some((sparse, has)) if sparse == *table => column.spread(other, has),
                Some(_) | None => column.append(other),
            }
        }
        self.rows += tables[*first].rows();
    }

    /// Forgets all rows but the first ones.
    pub fn truncate(&mut self, rows: usize) {
        self.columns.iter_mut().for_each(|column| column.truncate(rows));
        self.rows = rows;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column::Column;

    #[test]
    fn a_value_of_another_kind_is_an_error_and_never_a_zero() {
        let kinds = [Kind::Int, Kind::Real, Kind::Text, Kind::Bool, Kind::Time, Kind::Json];
        let cells = [
            Cell::Int(1),
            Cell::Real(1.0),
            Cell::Text("1"),
            Cell::Bool(true),
            Cell::Time(1),
            Cell::Json("1"),
        ];
        for (at, kind) in kinds.into_iter().enumerate() {
            for nullable in [false, true] {
                let column = Column { nullable, ..Column::new("c", kind, "") };
                let (name, about) = ("t".into(), "".into());
                let mut batch = Batch::new(&Table { name, about, columns: vec![column] }, "");
                for (other, cell) in cells.into_iter().enumerate() {
                    assert_eq!(batch.push([cell]).is_ok(), at == other, "{cell:?} in {kind:?}");
                }
                assert_eq!((batch.rows(), batch.cell(0, 0)), (1, cells[at]));
                assert_eq!(batch.push([Cell::Null]).is_ok(), nullable);
                batch.truncate(1);
                assert_eq!(batch.push([]).is_ok(), nullable, "a row that lacks a value");
                batch.truncate(1);
                assert!(batch.push([cells[at], cells[at]]).is_err(), "a value too many");
            }
        }
    }
}
