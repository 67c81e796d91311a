//! The data dictionary: every table and column, as Markdown.

use std::fmt::Write;

use crate::catalogue::{Catalogue, VERSION};
use crate::column::Table;

/// The dictionary of all tables.
#[must_use]
pub fn dictionary(catalogue: &Catalogue) -> String {
    let mut text = format!(
        "# Data dictionary\n\n\
         The tables of finished matches, version {VERSION}. Written by `UPDATE_SNAPSHOTS=1 cargo test -p acceptance --test tables dictionary`; a test keeps it up to date. How to get and \
         read them is in [tables.md](tables.md).\n\n\
         Every table begins with the column `game`; in a partitioned folder it is part of the path. Columns whose kind ends in `?` \
         may have no value. Times are UTC with milliseconds. Lists (`integers`, `texts`) are LIST in Parquet, and like JSON text elsewhere, except in JSON lines.\n\n\
         ## Tables of every game\n"
    );
    for table in catalogue.basic() {
        describe(&mut text, table);
    }
    for game in catalogue.games() {
        let _ = write!(
            text,
            "\n## Events of `{game}`\n\nEach also has `match_no`, `match_id`, `version`, `commit_no`, `recorded_at`, `turn`, `round` and `taken_back`, as in `events`.\n"
        );
        for table in catalogue.wide(game) {
            let own = Table { columns: table.columns[FRONT..].to_vec(), ..table.clone() };
            describe(&mut text, &own);
        }
    }
    text
}

/// How many columns the events' tables share.
const FRONT: usize = 8;

fn describe(text: &mut String, table: &Table) {
    let _ = write!(text, "\n### `{}`\n\n{}\n", table.name, table.about);
    if table.columns.is_empty() {
        return;
    }
    text.push_str("\n| column | kind | |\n|---|---|---|\n");
    for column in &table.columns {
        let kind = column.kind.name();
        let mark = if column.nullable { "?" } else { "" };
        let about = column.about.replace('|', "\\|");
        let _ = writeln!(text, "| `{}` | {kind}{mark} | {about} |", column.name);
    }
}
