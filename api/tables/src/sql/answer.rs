//! The rows of a query, as JSON, as a table for people, or in one of the formats of tables.

use std::borrow::Cow;
use std::io;

use serde::{Deserialize, Serialize};

use crate::batch::{Batch, Cell};
use crate::column::{Column, Kind, Table};
use crate::write::{Format, Writer};

/// How an answer is written.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub enum Shape {
    /// A JSON array of rows, each an array of values.
    Json,
    /// Lines for people.
    Lines,
    /// A file.
    File(Format),
}

/// A value of an answer.
#[derive(Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub(super) enum Value {
    Null,
    Int(i64),
    Real(f64),
    Text(String),
}

/// What a query selected.
#[derive(Debug)]
pub(super) struct Selected {
    /// The names of the columns.
    pub(super) columns: Vec<String>,
    pub(super) rows: Vec<Vec<Value>>,
    /// Were there more rows than the limits allow?
    pub(super) truncated: bool,
}

impl Value {
    fn kind(&self) -> Option<Kind> {
        match self {
            Value::Null => None,
            Value::Int(_) => Some(Kind::Int),
            Value::Real(_) => Some(Kind::Real),
            Value::Text(_) => Some(Kind::Text),
        }
    }

    /// Would it be the same, to the last digit, as a floating point number? That has 53 bits.
    fn fits_real(&self) -> bool {
        match self {
            Value::Int(value) => value.unsigned_abs() <= 1 << 53,
            Value::Null | Value::Real(_) | Value::Text(_) => true,
        }
    }

    fn text(&self) -> Cow<'_, str> {
        match self {
            Value::Null => Cow::default(),
            Value::Int(value) => value.to_string().into(),
            Value::Real(value) => value.to_string().into(),
            Value::Text(text) => text.into(),
        }
    }
}

impl Selected {
    /// Writes the rows in a shape.
    ///
    /// # Errors
    /// If the format does not take them.
    pub(super) fn write(&self, shape: Shape) -> io::Result<Vec<u8>> {
        match shape {
            Shape::Json => Ok(serde_json::to_vec(&self.rows)?),
            Shape::Lines => Ok(self.lines().into_bytes()),
            Shape::File(format) => self.file(format),
        }
    }

    /// A column has the kind that fits all of its values as they are, otherwise text.
    fn file(&self, format: Format) -> io::Result<Vec<u8>> {
        let table = self.table();
        let mut batch = Batch::new(&table, "");
        for row in &self.rows {
            let texts: Vec<Cow<'_, str>> = row.iter().map(Value::text).collect();
            let cells = row.iter().zip(&texts).zip(&table.columns);
            let cells = cells.map(|((value, text), column)| cell(value, text, column.kind));
            batch.push(cells).map_err(io::Error::other)?;
        }
        let mut writer = Writer::new(format, &table, false, Vec::new())?;
        writer.write(&batch)?;
        writer.finish()
    }

    fn table(&self) -> Table {
        let mut given: Vec<String> = Vec::new();
        let column = |(at, name): (usize, &String)| {
            let kinds = self.rows.iter().filter_map(|row| row[at].kind());
            let kind = kinds.reduce(|one, other| match (one, other) {
                (Kind::Int, Kind::Real) | (Kind::Real, Kind::Int) => Kind::Real,
                (one, other) if one == other => one,
                (_, _) => Kind::Text,
            });
            let mut values = self.rows.iter().map(|row| &row[at]);
            let is_rounded = kind == Some(Kind::Real) && values.any(|value| !value.fits_real());
            let kind = if is_rounded { Some(Kind::Text) } else { kind };
            // Names of columns in a file differ; in an answer they need not.
            let mut own = name.clone();
            while given.contains(&own) || (own != *name && self.columns.contains(&own)) {
                own = format!("{own}_{at}");
            }
            given.push(own.clone());
            Column {
                name: own.into(),
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

    /// The rows as lines for people: columns below each other, numbers to the right.
    fn lines(&self) -> String {
        const WIDEST: usize = 60;
        let shown = |value: &Value| {
            let text = match value {
                Value::Real(value) => short(*value).into(),
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
        // Also where a file has them as text, so that none of them is rounded.
        let is_number = |at: usize| {
            let mut kinds = self.rows.iter().filter_map(|row| row[at].kind()).peekable();
            kinds.peek().is_some() && kinds.all(|kind| kind != Kind::Text)
        };
        let right: Vec<bool> = (0..self.columns.len()).map(is_number).collect();
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

/// A number for people, with four decimals at most; one that these would show as 0 is told with its power of ten.
fn short(value: f64) -> String {
    let text = format!("{value:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if matches!(text, "0" | "-0") && value != 0.0 {
        return format!("{value:.3e}");
    }
    text.to_owned()
}

fn cell<'a>(value: &Value, text: &'a str, kind: Kind) -> Cell<'a> {
    match (value, kind) {
        (Value::Null, _) => Cell::Null,
        (Value::Int(value), Kind::Int) => Cell::Int(*value),
        #[expect(
            clippy::cast_precision_loss,
            reason = "a column of both kinds is text if that loses anything"
        )]
        (Value::Int(value), Kind::Real) => Cell::Real(*value as f64),
        (Value::Real(value), Kind::Real) => Cell::Real(*value),
        (Value::Int(_) | Value::Real(_) | Value::Text(_), _) => Cell::Text(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_number_is_not_shown_as_0() {
        for (value, told) in [
            (0.0, "0"),
            (0.5, "0.5"),
            (-12.0, "-12"),
            (120.0, "120"),
            (0.0001, "0.0001"),
            (1.0 / 3.0, "0.3333"),
            (0.000_01, "1.000e-5"),
            (-0.000_01, "-1.000e-5"),
            (4.328_422e-8, "4.328e-8"),
        ] {
            let rows = vec![vec![Value::Real(value)]];
            let answer = Selected { columns: vec!["p".to_owned()], rows, truncated: false };
            let lines = answer.lines();
            assert_eq!(lines.lines().last().map(str::trim), Some(told), "{lines}");
        }
    }

    #[test]
    fn a_large_integer_beside_a_fraction_is_not_rounded() {
        let large = 1_i64 << 53;
        for (integer, kind) in [
            (0, Kind::Real),
            (-3, Kind::Real),
            (large, Kind::Real),
            (-large, Kind::Real),
            (large + 1, Kind::Text),
            (-large - 1, Kind::Text),
            (i64::MAX, Kind::Text),
            (i64::MIN, Kind::Text),
        ] {
            let rows = vec![vec![Value::Int(integer)], vec![Value::Null], vec![Value::Real(0.5)]];
            let answer = Selected { columns: vec!["n".to_owned()], rows, truncated: false };
            assert_eq!(answer.table().columns[0].kind, kind, "{integer}");
            let file = answer.file(Format::Csv).expect("a file");
            let file = String::from_utf8(file).expect("text");
            let lines: Vec<&str> = file.lines().collect();
            assert_eq!((lines[0], lines[3]), ("n", "0.5"), "{file}");
            assert_eq!(lines[1].parse::<i64>(), Ok(integer), "{file}");
        }
    }
}
