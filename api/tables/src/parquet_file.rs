//! A table as a Parquet file: columns as they are in memory, compressed with Zstandard.

mod lists;

use std::any::Any;
use std::io::Write;
use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::{
    Compression, Encoding, LogicalType, Repetition, TimeUnit, Type as Physical, ZstdLevel,
};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::Result;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::{ColumnPath, Type, TypePtr};

use crate::batch::{Batch, Filled, Values};
use crate::catalogue::VERSION;
use crate::column::{Column, Kind, Table};
use lists::STEP;

/// Where a file is written to, whatever its type: `parquet` would be compiled once for each.
trait Out: Write + Send {
    fn back(self: Box<Self>) -> Box<dyn Any>;
}

impl<W: Write + Send + 'static> Out for W {
    fn back(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

/// A file that is being written.
pub(crate) struct ParquetFile {
    file: SerializedFileWriter<Box<dyn Out>>,
    with_game: bool,
    nullable: Vec<bool>,
}

impl ParquetFile {
    pub(crate) fn new(
        table: &Table,
        with_game: bool,
        out: impl Write + Send + 'static,
    ) -> Result<Self> {
        let out: Box<dyn Out> = Box::new(out);
        let game = Column::GAME;
        let columns = with_game.then_some(&game).into_iter();
        let columns = columns.chain(&table.columns);
        let fields = columns.clone().map(field).collect::<Result<_>>()?;
        let schema = Type::group_type_builder(&table.name).with_fields(fields).build()?;
        let about = |key: &str, value: String| KeyValue::new(key.to_owned(), Some(value));
        let mut properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(1)?))
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_offset_index_disabled(true)
            .set_created_by(concat!("muninn ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_key_value_metadata(Some(vec![
                about("muninn.tables", VERSION.to_string()),
                about("muninn.table", table.name.to_string()),
            ]));
        for column in &table.columns {
            let path = ColumnPath::from(column.name.as_ref());
            properties = match (column.kind, &*column.name) {
                // Whole events and commands do not repeat: a dictionary of them is work for nothing.
                (Kind::Json, "event" | "command") => properties
                    .set_column_dictionary_enabled(path.clone(), false)
                    .set_column_statistics_enabled(path, EnabledStatistics::None),
                (Kind::Text, "hash" | "head_hash" | "position_hash" | "seed") => {
                    properties.set_column_dictionary_enabled(path, false)
                }
                // They stay or grow from row to row.
                (Kind::Int | Kind::Time, "match_no" | "feed_position" | "recorded_at") => {
                    properties
                        .set_column_dictionary_enabled(path.clone(), false)
                        .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED)
                }
                (_, _) => properties,
            };
        }
        let file = SerializedFileWriter::new(out, Arc::new(schema), properties.build().into())?;
        let nullable = table.columns.iter().map(|column| column.nullable);
        Ok(ParquetFile { file, with_game, nullable: nullable.collect() })
    }

    /// Writes a row group.
    pub(crate) fn write(&mut self, batch: &Batch) -> Result<()> {
        if batch.rows() == 0 {
            return Ok(());
        }
        let mut group = self.file.next_row_group()?;
        if self.with_game {
            let mut writer = group.next_column()?.expect("the schema has the column");
            constant(&mut writer, batch.game, batch.rows())?;
            writer.close()?;
        }
        for (column, nullable) in batch.columns.iter().zip(&self.nullable) {
            let mut writer = group.next_column()?.expect("the schema has the column");
            values(&mut writer, column, batch.rows(), *nullable)?;
            writer.close()?;
        }
        group.close()?;
        Ok(())
    }

    /// Writes the end of the file, and gives back what it was begun with.
    pub(crate) fn finish<W: 'static>(self) -> Result<W> {
        let out = self.file.into_inner()?.back().downcast::<W>();
        Ok(*out.expect("it was begun with this"))
    }
}

fn field(column: &Column) -> Result<TypePtr> {
    let repetition = if column.nullable { Repetition::OPTIONAL } else { Repetition::REQUIRED };
    if let Kind::Ints | Kind::Texts = column.kind {
        return lists::field(column, repetition);
    }
    let (physical, logical) = match column.kind {
        Kind::Int => (Physical::INT64, None),
        Kind::Real => (Physical::DOUBLE, None),
        Kind::Bool => (Physical::BOOLEAN, None),
        Kind::Time => (Physical::INT64, Some(LogicalType::timestamp(true, TimeUnit::MILLIS))),
        Kind::Text | Kind::Json | Kind::Ints | Kind::Texts => {
            (Physical::BYTE_ARRAY, Some(LogicalType::String))
        }
    };
    let field = Type::primitive_type_builder(&column.name, physical)
        .with_logical_type(logical)
        .with_repetition(repetition)
        .build()?;
    Ok(Arc::new(field))
}

fn constant(writer: &mut SerializedColumnWriter<'_>, value: &str, rows: usize) -> Result<()> {
    let value = ByteArray::from(value);
    let typed = writer.typed::<ByteArrayType>();
    for start in (0..rows).step_by(STEP) {
        let step = vec![value.clone(); STEP.min(rows - start)];
        typed.write_batch(&step, None, None)?;
    }
    Ok(())
}

fn values(
    writer: &mut SerializedColumnWriter<'_>,
    column: &Filled,
    rows: usize,
    nullable: bool,
) -> Result<()> {
    if let Kind::Ints | Kind::Texts = column.kind {
        return lists::write(writer, column, rows, nullable);
    }
    for start in (0..rows).step_by(STEP) {
        let step = start..rows.min(start + STEP);
        let levels: Option<Vec<i16>> =
            nullable.then(|| step.clone().map(|row| i16::from(column.present(row))).collect());
        let levels = levels.as_deref();
        let present = step.clone().filter(|row| !nullable || column.present(*row));
        match &column.values {
            Values::Int(values) => {
                let values: Vec<i64> = present.map(|row| values[row]).collect();
                writer.typed::<Int64Type>().write_batch(&values, levels, None)?;
            }
            Values::Real(values) => {
                let values: Vec<f64> = present.map(|row| values[row]).collect();
                writer.typed::<DoubleType>().write_batch(&values, levels, None)?;
            }
            Values::Bool(values) => {
                let values: Vec<bool> = present.map(|row| values[row]).collect();
                writer.typed::<BoolType>().write_batch(&values, levels, None)?;
            }
            Values::Text(texts) => {
                let (text, place) = texts.piece(step.clone());
                let shared = Bytes::copy_from_slice(text.as_bytes());
                let text = |row: usize| ByteArray::from(shared.slice(place(row - start)));
                let values: Vec<ByteArray> = present.map(text).collect();
                writer.typed::<ByteArrayType>().write_batch(&values, levels, None)?;
            }
        }
    }
    Ok(())
}
