//! A table as a stream of bytes: Parquet, CSV, or JSON lines.

use std::io::{self, Write};

use chrono::{DateTime, SecondsFormat};
use parquet::errors::ParquetError;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::batch::{Batch, Cell};
use crate::column::{Column, GAME, Table};
use crate::parquet_file::ParquetFile;

/// How a table is written.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub enum Format {
    /// Apache Parquet, compressed with Zstandard.
    Parquet,
    /// One JSON object per line.
    Ndjson,
    /// Comma-separated, RFC 4180, with a line of names; a missing value is empty.
    Csv,
}

impl Format {
    /// All formats, the first is the default.
    pub const ALL: [Format; 3] = [Format::Parquet, Format::Ndjson, Format::Csv];

    /// Its name, and the extension of its files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Format::Parquet => "parquet",
            Format::Ndjson => "ndjson",
            Format::Csv => "csv",
        }
    }

    /// Its media type.
    #[must_use]
    pub fn media_type(self) -> &'static str {
        match self {
            Format::Parquet => "application/vnd.apache.parquet",
            Format::Ndjson => "application/x-ndjson",
            Format::Csv => "text/csv; charset=utf-8; header=present",
        }
    }
}

/// Writes one table.
pub struct Writer<W: Write + Send + 'static> {
    names: Vec<String>,
    with_game: bool,
    form: Form<W>,
}

enum Form<W: Write + Send + 'static> {
    Parquet(Box<ParquetFile>),
    Ndjson(W),
    Csv(Box<csv::Writer<W>>),
}

impl<W: Write + Send + 'static> Writer<W> {
    /// Begins a table, with the column `game` first if the path of the file does not say the game.
    ///
    /// # Errors
    /// If `out` takes no more.
    pub fn new(format: Format, table: &Table, with_game: bool, out: W) -> io::Result<Self> {
        let names: Vec<String> = table.columns.iter().map(name).collect();
        let form = match format {
            Format::Parquet => Form::Parquet(Box::new(
                ParquetFile::new(table, with_game, out).map_err(io::Error::other)?,
            )),
            Format::Ndjson => Form::Ndjson(out),
            Format::Csv => {
                let mut csv = csv::Writer::from_writer(out);
                let game = with_game.then_some(GAME).into_iter();
                csv.write_record(game.chain(names.iter().map(String::as_str)))?;
                Form::Csv(Box::new(csv))
            }
        };
        Ok(Writer { names, with_game, form })
    }

    /// Writes rows; Parquet makes a row group of them.
    ///
    /// # Errors
    /// If the output takes no more.
    pub fn write(&mut self, batch: &Batch) -> io::Result<()> {
        let game = self.with_game.then_some(batch.game);
        match &mut self.form {
            Form::Parquet(file) => file.write(batch).map_err(unwrap_io),
            Form::Ndjson(out) => {
                let mut lines = Vec::new();
                for row in 0..batch.rows() {
                    line(&mut lines, game, &self.names, batch, row)?;
                }
                out.write_all(&lines)
            }
            Form::Csv(csv) => {
                for row in 0..batch.rows() {
                    if let Some(game) = game {
                        csv.write_field(game)?;
                    }
                    for column in 0..self.names.len() {
                        csv.write_field(text(batch.cell(column, row)))?;
                    }
                    csv.write_record(None::<&[u8]>)?;
                }
                Ok(())
            }
        }
    }

    /// Writes the end, and gives the output back.
    ///
    /// # Errors
    /// If the output takes no more.
    pub fn finish(self) -> io::Result<W> {
        match self.form {
            Form::Parquet(file) => file.finish().map_err(unwrap_io),
            Form::Ndjson(mut out) => {
                out.flush()?;
                Ok(out)
            }
            Form::Csv(csv) => csv.into_inner().map_err(csv::IntoInnerError::into_error),
        }
    }
}

fn name(column: &Column) -> String {
    column.name.to_string()
}

/// The error of the disk, which is more telling than that of the format around it.
fn unwrap_io(error: ParquetError) -> io::Error {
    if let ParquetError::External(source) = error {
        return match source.downcast::<io::Error>() {
            Ok(source) => *source,
            Err(source) => io::Error::other(source),
        };
    }
    io::Error::other(error)
}

/// RFC 3339 in UTC with milliseconds.
pub(crate) fn time(millis: i64) -> String {
    DateTime::from_timestamp_millis(millis)
        .unwrap_or_default()
        .to_rfc3339_opts(SecondsFormat::Millis, true)
}

fn text(cell: Cell<'_>) -> std::borrow::Cow<'_, [u8]> {
    match cell {
        Cell::Null => Default::default(),
        Cell::Int(value) => value.to_string().into_bytes().into(),
        Cell::Real(value) => value.to_string().into_bytes().into(),
        Cell::Bool(value) => (if value { b"true".as_slice() } else { b"false" }).into(),
        Cell::Time(value) => time(value).into_bytes().into(),
        Cell::Text(value) | Cell::Json(value) => value.as_bytes().into(),
    }
}

fn line(
    out: &mut Vec<u8>,
    game: Option<&str>,
    names: &[String],
    batch: &Batch,
    row: usize,
) -> io::Result<()> {
    let mut before = b'{';
    let mut field = |out: &mut Vec<u8>, name: &str| -> io::Result<()> {
        out.push(before);
        before = b',';
        serde_json::to_writer(&mut *out, name)?;
        out.push(b':');
        Ok(())
    };
    if let Some(game) = game {
        field(out, GAME)?;
        serde_json::to_writer(&mut *out, game)?;
    }
    for (column, name) in names.iter().enumerate() {
        field(out, name)?;
        match batch.cell(column, row) {
            Cell::Null => out.extend(b"null"),
            Cell::Int(value) => serde_json::to_writer(&mut *out, &value)?,
            Cell::Real(value) => serde_json::to_writer(&mut *out, &value)?,
            Cell::Bool(value) => serde_json::to_writer(&mut *out, &value)?,
            Cell::Time(value) => serde_json::to_writer(&mut *out, &time(value))?,
            Cell::Text(value) => serde_json::to_writer(&mut *out, value)?,
            Cell::Json(value) => {
                let raw: &RawValue = serde_json::from_str(value)?;
                out.extend(raw.get().as_bytes());
            }
        }
    }
    out.extend(b"}\n");
    Ok(())
}
