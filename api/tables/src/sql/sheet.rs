//! A table in the file: which columns it has, where their values come from, and the statements that write its rows.

use rusqlite::types::ToSqlOutput;
use rusqlite::{Connection, ToSql};

use crate::batch::{Batch, Cell};
use crate::column::{Column, GAME, Kind, Table};

/// So many rows are written by one statement, while there are so many: to begin one takes longer than a row does.
const AT_ONCE: [usize; 3] = [64, 8, 1];

/// The table that has a row for each commit.
pub(super) const COMMITS: &str = "_commits";

/// A table in the file.
#[derive(Clone, Debug)]
pub(super) struct Sheet {
    pub(super) name: String,
    /// Its columns, but for that of the game.
    columns: Vec<Column>,
    key: Vec<&'static str>,
    /// Has it a column that names the game? The events of one game need none.
    game: bool,
    /// Where the value of each column comes from: the table of a match's rows, and the column in it.
    pub(super) from: Vec<(usize, usize)>,
    statements: [String; AT_ONCE.len()],
}

/// Rows of it that wait to be written.
#[derive(Debug)]
pub(super) struct Heap {
    pub(super) batch: Batch,
    /// Which game rows are of, and where those of the next one begin.
    games: Vec<(&'static str, usize)>,
}

impl Sheet {
    /// A table with these columns.
    pub(super) fn new(
        name: String,
        columns: Vec<(Column, (usize, usize))>,
        key: Vec<&'static str>,
        game: bool,
    ) -> Self {
        let (columns, from): (Vec<Column>, Vec<_>) = columns.into_iter().unzip();
        let statement = |rows: usize| {
            let row = vec!["?"; columns.len() + usize::from(game)].join(", ");
            let rows = vec![format!("({row})"); rows].join(", ");
            // After an error the whole transaction is given up: none of its statements need be undone alone.
            format!("INSERT OR FAIL INTO \"{name}\" VALUES {rows}")
        };
        let statements = AT_ONCE.map(statement);
        Sheet { name, columns, key, game, from, statements }
    }

    pub(super) fn create(&self) -> String {
        let Sheet { name, columns, key, game, from: _, statements: _ } = self;
        let game = game.then(|| format!("{GAME} TEXT NOT NULL"));
        let columns: Vec<String> = game.into_iter().chain(columns.iter().map(definition)).collect();
        let (columns, key) = (columns.join(", "), key.join(", "));
        format!("CREATE TABLE \"{name}\" ({columns}, PRIMARY KEY ({key})) WITHOUT ROWID;\n")
    }

    /// Has it a row for each commit?
    pub(super) fn is_of_commits(&self) -> bool {
        self.name == COMMITS
    }

    /// None of its rows.
    pub(super) fn heap(&self) -> Heap {
        let (name, about) = (self.name.clone().into(), "".into());
        let table = Table { name, about, columns: self.columns.clone() };
        Heap { batch: Batch::new(&table, ""), games: Vec::new() }
    }

    /// Writes all rows of the heap, and empties it.
    pub(super) fn write(&self, db: &Connection, heap: &mut Heap) -> rusqlite::Result<()> {
        let rows = heap.batch.rows();
        let mut games = heap.games.iter().peekable();
        let mut row = 0;
        for (at_once, statement) in AT_ONCE.into_iter().zip(&self.statements) {
            if rows - row < at_once {
                continue;
            }
            let mut statement = db.prepare_cached(statement)?;
            while rows - row >= at_once {
                let mut at = 1;
                for row in row..row + at_once {
                    while games.peek().is_some_and(|(_, end)| *end <= row) {
                        games.next();
                    }
                    if let Some((game, _)) = games.peek().filter(|_| self.game) {
                        statement.raw_bind_parameter(at, game)?;
                        at += 1;
                    }
                    for column in 0..self.columns.len() {
                        statement.raw_bind_parameter(at, heap.batch.cell(column, row))?;
                        at += 1;
                    }
                }
                statement.raw_execute()?;
                row += at_once;
            }
        }
        heap.batch.truncate(0);
        heap.games.clear();
        Ok(())
    }
}

impl Heap {
    /// Says that the rows which were just added are of this game.
    pub(super) fn are_of(&mut self, game: &'static str) {
        let end = self.batch.rows();
        match self.games.last_mut() {
            Some((last, until)) if *last == game => *until = end,
            Some(_) | None => self.games.push((game, end)),
        }
    }
}

impl ToSql for Cell<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match *self {
            Cell::Null => rusqlite::types::Null.into(),
            Cell::Int(value) | Cell::Time(value) => value.into(),
            Cell::Real(value) => value.into(),
            Cell::Bool(value) => value.into(),
            Cell::Text(value) | Cell::Json(value) => value.into(),
        })
    }
}

/// A column in a statement that makes a table.
pub(super) fn definition(column: &Column) -> String {
    let kind = match column.kind {
        Kind::Int | Kind::Bool | Kind::Time => "INTEGER",
        Kind::Real => "REAL",
        Kind::Text | Kind::Json | Kind::Ints | Kind::Texts => "TEXT",
    };
    let null = if column.nullable { "" } else { " NOT NULL" };
    format!("\"{}\" {kind}{null}", column.name)
}
