//! How the tables lie in the file: narrow rows, and views that look like the tables of an export.

use std::collections::BTreeMap;

use rusqlite::types::ToSqlOutput;
use rusqlite::{Connection, ToSql, params_from_iter};

use crate::batch::{Batch, Cell};
use crate::catalogue::{Batches, Catalogue, VERSION};
use crate::column::{Column, GAME, Kind, Table};
use crate::row::MATCH_ID;

/// Counts up when the layout changes.
const LAYOUT: u32 = 3;

/// Columns that most queries do not read are in a table of their own.
const WHOLE: [&str; 2] = ["event", "command"];

/// What to create, and how to fill it.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) version: String,
    create: String,
    /// For each game, for each of its tables in order.
    inserts: BTreeMap<&'static str, Vec<Vec<Insert>>>,
}

/// A statement, and the columns of the batch that it takes.
#[derive(Clone, Debug)]
struct Insert {
    statement: String,
    columns: Vec<usize>,
    game: bool,
}

/// The matches that are in no other table. Its first column is the key.
pub(super) fn damaged() -> Table {
    Table {
        name: "damaged".into(),
        about: "A match that is damaged and left out; only in SQL".into(),
        columns: vec![
            Column::new("feed_position", Kind::Int, "Its place in the feed of the store"),
            Column::nullable(MATCH_ID, Kind::Text, "The id of the match in the API"),
            Column::nullable("commit_no", Kind::Int, "The commit, from 1: the setup"),
            Column::new("what", Kind::Text, "What is wrong, as in `GET /v1/damaged`"),
        ],
    }
}

impl Layout {
    pub(super) fn new(catalogue: &Catalogue) -> Self {
        let version = format!("{LAYOUT}.{VERSION}.{}", catalogue.fingerprint(None));
        let mut create =
            String::from("CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;\n");
        let Table { name, about: _, columns } = damaged();
        let columns: Vec<String> = columns[1..].iter().map(definition).collect();
        let columns = columns.join(", ");
        create.push_str(&format!(
            "CREATE TABLE {name} (feed_position INTEGER PRIMARY KEY, {columns});\n"
        ));
        for table in catalogue.basic() {
            create.push_str(&Form { table, game: None }.create());
        }
        let mut inserts = BTreeMap::new();
        for game in catalogue.games() {
            for table in catalogue.wide(game) {
                let game = Some(game);
                create.push_str(&Form { table, game }.create());
            }
            let basic = catalogue.basic().iter().map(|table| (table, None));
            let wide = catalogue.wide(game).map(|table| (table, Some(game)));
            let forms = basic.chain(wide).map(|(table, game)| Form { table, game }.inserts());
            inserts.insert(game, forms.collect());
        }
        create.push_str("CREATE INDEX _events_type ON _events (game, event_type);\n");
        Layout { version, create, inserts }
    }

    /// Makes the tables.
    pub(super) fn create(&self, db: &Connection) -> rusqlite::Result<()> {
        db.execute_batch(&self.create)
    }

    pub(super) fn insert(&self, db: &Connection, batches: &Batches) -> rusqlite::Result<()> {
        let inserts = self.inserts.get(batches.game).map_or(&[][..], Vec::as_slice);
        for (batch, inserts) in batches.tables.iter().zip(inserts) {
            if batch.rows() > 0 {
                inserts.iter().try_for_each(|insert| insert.run(db, batch))?;
            }
        }
        Ok(())
    }
}

impl Insert {
    fn run(&self, db: &Connection, batch: &Batch) -> rusqlite::Result<()> {
        let mut statement = db.prepare_cached(&self.statement)?;
        for row in 0..batch.rows() {
            let game = self.game.then_some(Cell::Text(batch.game)).into_iter();
            let cells = self.columns.iter().map(|column| batch.cell(*column, row));
            statement.execute(params_from_iter(game.chain(cells)))?;
        }
        Ok(())
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

/// A table in the file. The events of one game need no column that names it.
struct Form<'a> {
    table: &'a Table,
    game: Option<&'static str>,
}

impl Form<'_> {
    fn is_whole(column: &Column) -> bool {
        WHOLE.contains(&&*column.name)
    }

    /// The columns that lie in the row itself, with their number.
    fn narrow(&self) -> impl Iterator<Item = (usize, &Column)> {
        let matches = self.table.name == "matches";
        let columns = self.table.columns.iter().enumerate();
        columns.filter(move |(_, column)| {
            !Self::is_whole(column) && (matches || column.name != MATCH_ID)
        })
    }

    fn whole(&self) -> Option<(usize, &Column)> {
        let mut columns = self.table.columns.iter().enumerate();
        columns.find(|(_, column)| Self::is_whole(column))
    }

    /// What tells the rows of a match apart.
    fn key(&self) -> Vec<&'static str> {
        key(&self.table.name)
    }

    fn create(&self) -> String {
        let name = &self.table.name;
        let key = self.key();
        let game = self.game.is_none().then(|| format!("{GAME} TEXT NOT NULL"));
        let narrow = self.narrow().map(|(_, column)| definition(column));
        let columns: Vec<String> = game.into_iter().chain(narrow).collect();
        let mut create = format!(
            "CREATE TABLE \"_{name}\" ({}, PRIMARY KEY ({})) WITHOUT ROWID;\n",
            columns.join(", "),
            key.join(", ")
        );
        if let Some((_, whole)) = self.whole() {
            let keys = key.iter().map(|key| format!("{key} INTEGER NOT NULL"));
            create.push_str(&format!(
                "CREATE TABLE \"_{name}_whole\" ({}, {}, PRIMARY KEY ({})) WITHOUT ROWID;\n",
                keys.collect::<Vec<_>>().join(", "),
                definition(whole),
                key.join(", ")
            ));
        }
        if name == "matches" {
            create.push_str("CREATE UNIQUE INDEX _matches_id ON _matches (match_id);\n");
        }
        create.push_str(&self.view());
        create
    }

    fn view(&self) -> String {
        let name = &self.table.name;
        let game =
            self.game.map_or_else(|| format!("t.{GAME}"), |game| format!("'{game}' AS {GAME}"));
        let columns = self.table.columns.iter().map(|column| {
            let column_name = &column.name;
            if Self::is_whole(column) {
                let same = self.key().iter().map(|key| format!("w.{key} = t.{key}")).collect::<Vec<_>>();
                let same = same.join(" AND ");
                format!("(SELECT w.{column_name} FROM \"_{name}_whole\" w WHERE {same}) AS {column_name}")
            } else if *column_name == MATCH_ID && name != "matches" {
                "(SELECT m.match_id FROM _matches m WHERE m.match_no = t.match_no) AS match_id".to_owned()
            } else if column.kind == Kind::Time {
                format!("strftime('%Y-%m-%dT%H:%M:%fZ', t.{column_name} / 1000.0, 'unixepoch') AS {column_name}")
            } else {
                format!("t.\"{column_name}\"")
            }
        });
        let columns: Vec<String> = [game].into_iter().chain(columns).collect();
        format!("CREATE VIEW \"{name}\" AS SELECT {} FROM \"_{name}\" t;\n", columns.join(", "))
    }

    fn inserts(&self) -> Vec<Insert> {
        let name = &self.table.name;
        let with_game = self.game.is_none();
        let narrow: Vec<usize> = self.narrow().map(|(at, _)| at).collect();
        let mut inserts = vec![insert(format!("_{name}"), narrow, with_game)];
        if let Some((whole, _)) = self.whole() {
            let at = |key: &str| self.table.columns.iter().position(|column| column.name == key);
            let keys = self.key().into_iter().filter_map(at);
            let columns = keys.chain([whole]).collect();
            inserts.push(insert(format!("_{name}_whole"), columns, false));
        }
        inserts
    }
}

/// What tells the rows of a table apart: they lie in the file in this order.
pub(super) fn key(table: &str) -> Vec<&'static str> {
    let more: &[&str] = match table {
        "matches" => &[],
        "seats" => &["seat"],
        "commits" | "commands" | "states" => &["commit_no"],
        "draws" => &["commit_no", "draw_no"],
        "awards" => &["version", "award_no"],
        _ => &["version"],
    };
    ["match_no"].into_iter().chain(more.iter().copied()).collect()
}

fn insert(name: String, columns: Vec<usize>, game: bool) -> Insert {
    let marks = vec!["?"; columns.len() + usize::from(game)].join(", ");
    Insert { statement: format!("INSERT INTO \"{name}\" VALUES ({marks})"), columns, game }
}

fn definition(column: &Column) -> String {
    let kind = match column.kind {
        Kind::Int | Kind::Bool | Kind::Time => "INTEGER",
        Kind::Real => "REAL",
        Kind::Text | Kind::Json | Kind::Ints | Kind::Texts => "TEXT",
    };
    let null = if column.nullable { "" } else { " NOT NULL" };
    format!("\"{}\" {kind}{null}", column.name)
}
