//! A type of row: each of its columns once, with name, kind, documentation, and where its value comes from.
//!
//! The kind of a column follows from the function that gives its value, so a value of another kind does not compile.

use crate::batch::{Batch, Cell, Misfit};
use crate::column::{Column, Kind, Table};
use crate::key::Key;

/// Where the value of a column comes from.
pub(crate) enum Get<R> {
    Int(fn(&R) -> i64),
    IntOrNone(fn(&R) -> Option<i64>),
    Bool(fn(&R) -> bool),
    /// Milliseconds since 1970 in UTC.
    Time(fn(&R) -> i64),
    Text(fn(&R) -> &str),
    TextOrNone(fn(&R) -> Option<&str>),
    Json(fn(&R) -> &str),
    /// JSON of a list of integers.
    Ints(fn(&R) -> &str),
}

/// A column of rows `R`.
pub(crate) struct Defined<R> {
    name: &'static str,
    get: Get<R>,
    about: &'static str,
}

/// A type of row.
pub(crate) trait Row: Sized {
    /// The name of its table.
    const NAME: &'static str;
    /// What a row is, one sentence.
    const ABOUT: &'static str;
    /// The place of its table among those that every game has.
    const AT: usize;

    /// The match of the row.
    fn key(&self) -> &Key;

    /// Its columns behind those of the match.
    fn columns() -> Vec<Defined<Self>>;

    /// All its columns, those of hashes only if they are wanted.
    fn all_columns(hashes: bool) -> Vec<Defined<Self>> {
        let columns = of_match().into_iter().chain(Self::columns());
        columns.filter(|column| hashes || !HASHES.contains(&column.name)).collect()
    }

    /// Its table.
    fn table(hashes: bool) -> Table {
        let columns = Self::all_columns(hashes);
        Table {
            name: Self::NAME.into(),
            about: Self::ABOUT.into(),
            columns: columns.iter().map(Defined::column).collect(),
        }
    }
}

/// The name of the column with the match's id.
pub(crate) const MATCH_ID: &str = "match_id";

/// The columns of hashes.
const HASHES: [&str; 3] = ["hash", "head_hash", "position_hash"];

fn of_match<R: Row>() -> [Defined<R>; 2] {
    [
        defined(
            "match_no",
            Get::Int(|row: &R| row.key().number),
            "The number of the match: the feed position of its last commit. It joins all tables, and is greater for matches that ended later in this store",
        ),
        defined(MATCH_ID, Get::Text(|row: &R| &row.key().id), "The id of the match in the API"),
    ]
}

/// A column with this name, value and documentation.
pub(crate) const fn defined<R>(name: &'static str, get: Get<R>, about: &'static str) -> Defined<R> {
    Defined { name, get, about }
}

impl<R> Defined<R> {
    /// The column without the rows.
    pub(crate) fn column(&self) -> Column {
        let Defined { name, get, about } = self;
        match get {
            Get::Int(_) => Column::new(name, Kind::Int, about),
            Get::IntOrNone(_) => Column::nullable(name, Kind::Int, about),
            Get::Bool(_) => Column::new(name, Kind::Bool, about),
            Get::Time(_) => Column::new(name, Kind::Time, about),
            Get::Text(_) => Column::new(name, Kind::Text, about),
            Get::TextOrNone(_) => Column::nullable(name, Kind::Text, about),
            Get::Ints(_) => Column::new(name, Kind::Ints, about),
            Get::Json(_) => Column::new(name, Kind::Json, about),
        }
    }

    /// Its name.
    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    /// Its value in a row.
    pub(crate) fn cell<'a>(&self, row: &'a R) -> Cell<'a> {
        match &self.get {
            Get::Int(get) => Cell::Int(get(row)),
            Get::IntOrNone(get) => get(row).map_or(Cell::Null, Cell::Int),
            Get::Bool(get) => Cell::Bool(get(row)),
            Get::Time(get) => Cell::Time(get(row)),
            Get::Text(get) => Cell::Text(get(row)),
            Get::TextOrNone(get) => get(row).map_or(Cell::Null, Cell::Text),
            Get::Json(get) | Get::Ints(get) => Cell::Json(get(row)),
        }
    }
}

impl Batch {
    /// Appends a row by its columns.
    ///
    /// # Errors
    /// As [`push`](Batch::push).
    pub(crate) fn push_row<R>(&mut self, columns: &[Defined<R>], row: &R) -> Result<(), Misfit> {
        self.push(columns.iter().map(|column| column.cell(row)))
    }
}
