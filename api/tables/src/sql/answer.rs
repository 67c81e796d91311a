//! An answer as a table for people, or in one of the formats of tables.

use std::io::{self, Write};

use super::query::{Answer, Value};
use crate::batch::{Batch, Cell};
use crate::column::{Column, Kind, Table};
use crate::write::{Format, Writer};

impl Value {
    fn kind(&self) -> Option<Kind> {
        match self {
            Value::Null => None,
            Value::Int(_) => Some(Kind::Int),
            Value::Real(_) => Some(Kind::Real),
            Value::Text(_) => Some(Kind::Text),
        }
    }

    fn text(&self) -> String {
        match self {
            Value::Null => String::new(),
            Value::Int(value) => value.to_string(),
            Value::Real(value) => value.to_string(),
            Value::Text(text) => text.clone(),
        }
    }
}

impl Answer {
    /// Writes the result as a file of this format. A column has the kind that fits all of its values, otherwise text.
    ///
    /// # Errors
    /// If `out` takes no more.
    pub fn write<W: Write + Send>(&self, format: Format, out: W) -> io::Result<W> {
        let table = self.table();
        let mut batch = Batch::new(&table, "");
        let texts: Vec<Vec<String>> =
            self.rows.iter().map(|row| row.iter().map(Value::text).collect()).collect();
        for (row, texts) in self.rows.iter().zip(&texts) {
            let cells = row.iter().zip(texts).zip(&table.columns);
            let cells = cells.map(|((value, text), column)| cell(value, text, column.kind));
            batch.push(cells).map_err(io::Error::other)?;
        }
        let mut writer = Writer::new(format, &table, false, out)?;
        writer.write(&batch)?;
        writer.finish()
    }

    fn table(&self) -> Table {
        let column = |(at, name): (usize, &String)| {
            let kinds = self.rows.iter().filter_map(|row| row[at].kind());
            let kind = kinds.reduce(|one, other| match (one, other) {
                (Kind::Int, Kind::Real) | (Kind::Real, Kind::Int) => Kind::Real,
                (one, other) if one == other => one,
                (_, _) => Kind::Text,
            });
            // Names of columns in a file differ; in an answer they need not.
            let again = self.columns[..at].contains(name);
            let name = if again { format!("{name}_{at}") } else { name.clone() };
            Column {
                name: name.into(),
                kind: kind.unwrap_or(Kind::Text),
                nullable: true,
                about: "".into(),
            }
        };
        Table {
            name: "answer".into(),
            about: "".into(),
            columns: self.columns.iter().enumerate().map(column).collect(),
        }
    }

    /// The answer as lines for people: columns below each other, numbers to the right.
    #[must_use]
    pub fn lines(&self) -> String {
        const WIDEST: usize = 60;
        let shown = |value: &Value| {
            let text = match value {
                Value::Real(value) => {
                    format!("{:.4}", value).trim_end_matches('0').trim_end_matches('.').to_owned()
                }
                Value::Null | Value::Int(_) | Value::Text(_) => value.text(),
            };
            // A control character in a name must not reach a terminal.
            let text = text.replace(char::is_control, " ");
            if text.chars().count() > WIDEST {
                text.chars().take(WIDEST - 1).chain(['…']).collect()
            } else {
                text
            }
        };
        let rows: Vec<Vec<String>> =
            self.rows.iter().map(|row| row.iter().map(shown).collect()).collect();
        let width = |at: usize| {
            let texts = rows.iter().map(|row| row[at].as_str());
            let texts = texts.chain([self.columns[at].as_str()]);
            texts.map(|text| text.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        let right: Vec<bool> = self.table().columns.iter().map(|c| c.kind != Kind::Text).collect();
        let line = |texts: &[String]| {
            let cells = texts.iter().zip(&widths).zip(&right);
            let cells: Vec<String> = cells
                .map(|((text, width), right)| match right {
                    true => format!("{text:>width$}"),
                    false => format!("{text:<width$}"),
                })
                .collect();
            format!("{}\n", cells.join("  ").trim_end())
        };
        let rule: Vec<String> = widths.iter().map(|width| "─".repeat(*width)).collect();
        let head = line(&self.columns) + &line(&rule);
        rows.iter().fold(head, |text, row| text + &line(row))
    }
}

fn cell<'a>(value: &Value, text: &'a str, kind: Kind) -> Cell<'a> {
    match (value, kind) {
        (Value::Null, _) => Cell::Null,
        (Value::Int(value), Kind::Int) => Cell::Int(*value),
        #[expect(
            clippy::cast_precision_loss,
            reason = "a column of both kinds has fractions anyway"
        )]
        (Value::Int(value), Kind::Real) => Cell::Real(*value as f64),
        (Value::Real(value), Kind::Real) => Cell::Real(*value),
        (Value::Int(_) | Value::Real(_) | Value::Text(_), _) => Cell::Text(text),
    }
}
