//! How the tables lie in the file: narrow rows, and views that look like the tables of an export.
//!
//! A commit is one row, whatever is said of it in `commits`, `commands` and `states`; what was recorded, whole, lies in a table of its own.

use std::collections::BTreeMap;

use rusqlite::Connection;

use super::sheet::{COMMITS, Sheet, definition};
use crate::catalogue::{Catalogue, VERSION};
use crate::column::{Column, GAME, Kind, Table};
use crate::in_commit::RECORDED_AT;
use crate::row::MATCH_ID;

/// Counts up when the layout changes, or what is told.
const LAYOUT: u32 = 8;

/// Columns that most queries do not read are looked up where a query asks for them.
const WHOLE: [&str; 2] = ["event", "command"];

/// Tables with a row for each commit, or for each that has a command. They are one table in the file.
pub(super) const OF_COMMITS: [&str; 3] = ["commits", "commands", "states"];

/// What to create, and where rows go.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) version: String,
    create: String,
    /// The tables that have rows of all games, each with the place of its table among those of a match. The first is that of the commits.
    pub(super) common: Vec<Sheet>,
    /// For each game, those of its events in order.
    pub(super) wide: BTreeMap<&'static str, Vec<Sheet>>,
    /// What was recorded, whole.
    pub(super) whole: Sheet,
    pub(super) recorded: Recorded,
}

/// Where what was recorded stands in the rows of a match: each time a table, and a column.
#[derive(Clone, Debug)]
pub(super) struct Recorded {
    pub(super) match_no: (usize, usize),
    pub(super) commit_no: (usize, usize),
    pub(super) first_version: (usize, usize),
    pub(super) event_count: (usize, usize),
    pub(super) event: (usize, usize),
    /// The number of the commit of a command.
    pub(super) of_command: (usize, usize),
    pub(super) command: (usize, usize),
}

/// The matches that are in no other table. Its first column is the key.
pub(super) fn damaged() -> Table {
    Table {
        name: "damaged".into(),
        about: "A match that is damaged and left out, or a feed position that cannot be read and whose match is not known; only in SQL".into(),
        columns: vec![
            Column::new("feed_position", Kind::Int, "The feed position of the end of the match, or of the damage"),
            Column::nullable(MATCH_ID, Kind::Text, "The id of the match in the API; null if only the feed position is known"),
            Column::nullable("commit_no", Kind::Int, "The first damaged commit (commit 1 is the setup); null for the whole match"),
            Column::new("what", Kind::Text, "What is wrong, as in `GET /v1/damaged`"),
        ],
    }
}

impl Layout {
    pub(super) fn new(catalogue: &Catalogue) -> Self {
        let version = format!("{LAYOUT}.{VERSION}.{}", catalogue.fingerprint(None));
        let basic = catalogue.basic();
        let others = basic.iter().enumerate().filter(|(_, table)| !is_of_commits(table));
        let others = others.map(|(at, table)| sheet(table, at, true));
        let common: Vec<Sheet> = [commits(basic)].into_iter().chain(others).collect();
        let wide = catalogue.games().map(|game| {
            let tables = (basic.len()..).zip(catalogue.wide(game));
            (game, tables.map(|(at, table)| sheet(table, at, false)).collect())
        });
        let wide: BTreeMap<&'static str, Vec<Sheet>> = wide.collect();
        let whole = whole();

        let mut create =
            String::from("CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;\n");
        let Table { name, about: _, columns } = damaged();
        let columns: Vec<String> = columns[1..].iter().map(definition).collect();
        let columns = columns.join(", ");
        create.push_str(&format!(
            "CREATE TABLE {name} (feed_position INTEGER PRIMARY KEY, {columns});\n"
        ));
        let sheets = common.iter().chain(wide.values().flatten()).chain([&whole]);
        sheets.for_each(|sheet| create.push_str(&sheet.create()));
        create.push_str("CREATE UNIQUE INDEX _matches_id ON _matches (match_id);\n");
        create.push_str("CREATE INDEX _events_type ON _events (game, event_type);\n");
        basic.iter().for_each(|table| create.push_str(&view(table, None)));
        for game in catalogue.games() {
            catalogue.wide(game).for_each(|table| create.push_str(&view(table, Some(game))));
        }
        let recorded = Recorded::new(basic);
        Layout { version, create, common, wide, whole, recorded }
    }

    /// Makes the tables.
    pub(super) fn create(&self, db: &Connection) -> rusqlite::Result<()> {
        db.execute_batch(&self.create)
    }
}

impl Recorded {
    fn new(basic: &[Table]) -> Self {
        let place = |table: &str, column: &str| {
            let mut tables = (0..).zip(basic);
            let (at, table) = tables.find(|(_, t)| t.name == table)?;
            Some((at, table.columns.iter().position(|c| c.name == column)?))
        };
        let place = |table, column| place(table, column).expect("every catalogue has the column");
        Recorded {
            match_no: place("commits", "match_no"),
            commit_no: place("commits", "commit_no"),
            first_version: place("commits", "first_version"),
            event_count: place("commits", "event_count"),
            event: place("events", "event"),
            of_command: place("commands", "commit_no"),
            command: place("commands", "command"),
        }
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

fn is_of_commits(table: &Table) -> bool {
    OF_COMMITS.contains(&&*table.name)
}

/// Does the column lie in the row itself? A time does so only where nobody can tell it from the commit.
fn is_narrow(table: &Table, column: &Column) -> bool {
    let matches = table.name == "matches";
    !WHOLE.contains(&&*column.name)
        && (matches || column.name != MATCH_ID)
        && (is_of_commits(table) || column.name != RECORDED_AT)
}

/// The sheet of a table that stands at this place among those of a match.
fn sheet(table: &Table, at: usize, game: bool) -> Sheet {
    let columns = (0..).zip(&table.columns).filter(|(_, column)| is_narrow(table, column));
    let columns = columns.map(|(number, column)| (column.clone(), (at, number))).collect();
    Sheet::new(format!("_{}", table.name), columns, key(&table.name), game)
}

/// The sheet of the commits: what one of its tables says that those before it do not. Not every commit has a command.
fn commits(basic: &[Table]) -> Sheet {
    let mut columns: Vec<(Column, (usize, usize))> = Vec::new();
    for name in OF_COMMITS {
        let found = (0..).zip(basic).find(|(_, table)| table.name == name);
        let (at, table) = found.expect("every catalogue has the table");
        for (number, column) in (0..).zip(&table.columns) {
            let known = columns.iter().any(|(own, _)| own.name == column.name);
            if !known && is_narrow(table, column) {
                let nullable = column.nullable || name == "commands";
                columns.push((Column { nullable, ..column.clone() }, (at, number)));
            }
        }
    }
    Sheet::new(COMMITS.to_owned(), columns, key("commits"), true)
}

/// What was recorded, whole: the command, and a list of the events.
fn whole() -> Sheet {
    let columns = [
        Column::new("match_no", Kind::Int, ""),
        Column::new("commit_no", Kind::Int, ""),
        Column::new("first_version", Kind::Int, ""),
        Column::nullable("command", Kind::Json, ""),
        Column::new("events", Kind::Json, ""),
    ];
    // They are put together from several tables.
    let columns = columns.map(|column| (column, (0, 0))).into();
    Sheet::new("_whole".to_owned(), columns, key("commits"), false)
}

/// The table as the dictionary has it. That of one game names it in each row.
fn view(table: &Table, game: Option<&str>) -> String {
    const OF_COMMIT: &str = "match_no = t.match_no AND commit_no = t.commit_no";
    let name = &table.name;
    let game = game.map_or_else(|| format!("t.{GAME}"), |game| format!("'{game}' AS {GAME}"));
    let columns = table.columns.iter().map(|column| {
        let column_name = &*column.name;
        let value = match column_name {
            "command" => format!("(SELECT command FROM _whole WHERE {OF_COMMIT})"),
            "event" => format!(
                "(SELECT events -> (t.version - first_version) FROM _whole WHERE {OF_COMMIT})"
            ),
            MATCH_ID if name != "matches" => {
                "(SELECT match_id FROM _matches WHERE match_no = t.match_no)".to_owned()
            }
            name if !is_narrow(table, column) => {
                format!("(SELECT {name} FROM {COMMITS} WHERE {OF_COMMIT})")
            }
            name => format!("t.\"{name}\""),
        };
        let value = match column.kind {
            Kind::Time => format!("strftime('%Y-%m-%dT%H:%M:%fZ', {value} / 1000.0, 'unixepoch')"),
            Kind::Int
            | Kind::Real
            | Kind::Text
            | Kind::Bool
            | Kind::Ints
            | Kind::Texts
            | Kind::Json => value,
        };
        format!("{value} AS \"{column_name}\"")
    });
    let columns: Vec<String> = [game].into_iter().chain(columns).collect();
    let columns = columns.join(", ");
    let sheet = if is_of_commits(table) { COMMITS.to_owned() } else { format!("_{name}") };
    let rows = if name == "commands" { " WHERE t.command_type IS NOT NULL" } else { "" };
    format!("CREATE VIEW \"{name}\" AS SELECT {columns} FROM \"{sheet}\" t{rows};\n")
}
