//! Columns of lists: LIST in three levels, as every reader knows it.

use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::writer::SerializedColumnWriter;
use parquet::schema::types::{Type, TypePtr};
use serde::de::DeserializeOwned;

use crate::batch::{Cell, Filled};
use crate::column::{Column, Kind};

/// How many values go to the encoder at once.
pub(super) const STEP: usize = 4096;

/// The column: a group with the list, which has an element.
pub(super) fn field(column: &Column, repetition: Repetition) -> Result<TypePtr> {
    let (physical, logical) = match column.kind {
        Kind::Ints => (Physical::INT64, None),
        Kind::Texts
        | Kind::Int
        | Kind::Real
        | Kind::Text
        | Kind::Bool
        | Kind::Time
        | Kind::Json => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
    };
    let element = Type::primitive_type_builder("element", physical)
        .with_logical_type(logical)
        .with_repetition(Repetition::REQUIRED)
        .build()?;
    let list = Type::group_type_builder("list")
        .with_repetition(Repetition::REPEATED)
        .with_fields(vec![Arc::new(element)])
        .build()?;
    let field = Type::group_type_builder(&column.name)
        .with_logical_type(Some(LogicalType::List))
        .with_repetition(repetition)
        .with_fields(vec![Arc::new(list)])
        .build()?;
    Ok(Arc::new(field))
}

/// Values with the levels that say which list they are in.
struct Lists<T> {
    values: Vec<T>,
    defined: Vec<i16>,
    repeated: Vec<i16>,
    /// The level of a list that is there and empty.
    empty: i16,
}

impl<T: DeserializeOwned> Lists<T> {
    fn new(nullable: bool) -> Self {
        let (values, defined, repeated) = Default::default();
        Lists { values, defined, repeated, empty: i16::from(nullable) }
    }

    fn push(&mut self, cell: Cell<'_>) -> Result<()> {
        let Cell::Json(json) = cell else {
            self.place(0, 0);
            return Ok(());
        };
        let list: Vec<T> = serde_json::from_str(json)
            .map_err(|error| ParquetError::General(format!("{json} is no such list: {error}")))?;
        if list.is_empty() {
            self.place(self.empty, 0);
        }
        for (at, value) in list.into_iter().enumerate() {
            self.place(self.empty + 1, i16::from(at > 0));
            self.values.push(value);
        }
        Ok(())
    }

    fn place(&mut self, defined: i16, repeated: i16) {
        self.defined.push(defined);
        self.repeated.push(repeated);
    }
}

/// Writes a column of lists.
pub(super) fn write(
    writer: &mut SerializedColumnWriter<'_>,
    column: &Filled,
    rows: usize,
    nullable: bool,
) -> Result<()> {
    for start in (0..rows).step_by(STEP) {
        let mut cells = (start..rows.min(start + STEP)).map(|row| column.cell(row));
        if column.kind == Kind::Ints {
            let mut lists = Lists::<i64>::new(nullable);
            cells.try_for_each(|cell| lists.push(cell))?;
            let Lists { values, defined, repeated, empty: _ } = lists;
            let typed = writer.typed::<Int64Type>();
            typed.write_batch(&values, Some(&defined), Some(&repeated))?;
        } else {
            let mut lists = Lists::<String>::new(nullable);
            cells.try_for_each(|cell| lists.push(cell))?;
            let Lists { values, defined, repeated, empty: _ } = lists;
            let values: Vec<ByteArray> =
                values.iter().map(|text| ByteArray::from(text.as_str())).collect();
            let typed = writer.typed::<ByteArrayType>();
            typed.write_batch(&values, Some(&defined), Some(&repeated))?;
        }
    }
    Ok(())
}
