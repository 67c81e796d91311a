//! What there is to ask: the tables of the dictionary, as they are in SQL.

use super::file::Sql;
use super::layout::damaged;
use crate::catalogue::Catalogue;
use crate::column::{Column, Table};

impl Sql {
    /// Every table, complete with the column `game`, and the games that have rows in it.
    #[must_use]
    pub fn schema(&self) -> Vec<(Table, Vec<&'static str>)> {
        schema(&self.catalogue)
    }
}

fn schema(catalogue: &Catalogue) -> Vec<(Table, Vec<&'static str>)> {
    let tables = catalogue.all().map(|(table, games)| {
        let columns = [Column::GAME].iter().chain(&table.columns).cloned().collect();
        (Table { columns, ..table.clone() }, games)
    });
    tables.chain([(damaged(), catalogue.games().collect())]).collect()
}

/// Every table as lines for people.
#[must_use]
pub fn schema_lines(catalogue: &Catalogue) -> String {
    let mut lines = String::new();
    for (table, _) in schema(catalogue) {
        lines.push_str(&format!("{}: {}\n", table.name, table.about));
        let width = |text: fn(&Column) -> usize| table.columns.iter().map(text).max().unwrap_or(0);
        let (name, kind) =
            (width(|c| c.name.len()), width(|c| c.kind.name().len() + usize::from(c.nullable)));
        for column in &table.columns {
            let mark = if column.nullable { "?" } else { "" };
            let typed = format!("{}{mark}", column.kind.name());
            lines.push_str(&format!("  {:name$}  {typed:kind$}  {}\n", column.name, column.about));
        }
        lines.push('\n');
    }
    lines
}
