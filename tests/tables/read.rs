//! Tables read back with other programs' readers: Parquet's own, a CSV reader, and serde.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use acceptance::files::names;
use parquet::file::reader::SerializedFileReader;
use parquet::record::Field;
use serde_json::{Map, Value, json};

/// A row: values by column, `game` and `month` of the path among them.
pub(crate) type Row = Map<String, Value>;

/// The tables of an export with all their rows, in order of match, then as they stand in the file.
pub(crate) fn tables(folder: &Path) -> BTreeMap<String, Vec<Row>> {
    let mut tables: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    for name in names(folder) {
        let Some((table, _)) = name.split_once('/') else {
            continue;
        };
        let mut rows = rows(&folder.join(&name));
        for part in name.split('/') {
            if let Some((key, value)) = part.split_once('=') {
                rows.iter_mut().for_each(|row| {
                    assert_eq!(row.insert(key.to_owned(), json!(value)), None, "{key}");
                });
            }
        }
        tables.entry(table.to_owned()).or_default().extend(rows);
    }
    for rows in tables.values_mut() {
        rows.sort_by_key(|row| {
            let text = row["match_no"].to_string();
            text.trim_matches('"').parse::<u64>().expect("a number")
        });
    }
    tables
}

/// The rows of a file.
pub(crate) fn read(path: &Path) -> Vec<Row> {
    rows(&path.to_owned())
}

fn rows(path: &PathBuf) -> Vec<Row> {
    let extension = path.extension().and_then(|e| e.to_str());
    match extension.expect("an extension") {
        "parquet" => parquet(path),
        "ndjson" => ndjson(path),
        "csv" => csv(path),
        other => panic!("a file of kind {other}"),
    }
}

fn parquet(path: &PathBuf) -> Vec<Row> {
    let file = SerializedFileReader::new(File::open(path).expect("a file"));
    let rows = file.expect("a Parquet file").into_iter();
    rows.map(|row| {
        let row = row.expect("a row").into_columns();
        row.into_iter().map(|(name, field)| (name, value(field))).collect()
    })
    .collect()
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the tables have fields of these kinds alone")]
fn value(field: Field) -> Value {
    match field {
        Field::Null => Value::Null,
        Field::Bool(value) => json!(value),
        Field::Double(value) => json!(value),
        Field::Long(value) | Field::TimestampMillis(value) => json!(value),
        Field::Str(value) => json!(value),
        Field::ListInternal(list) => list.elements().iter().cloned().map(value).collect(),
        other => panic!("a field {other:?}"),
    }
}

fn ndjson(path: &PathBuf) -> Vec<Row> {
    let text = fs::read_to_string(path).expect("text");
    let lines = text.lines();
    lines.map(|line| serde_json::from_str(line).expect("an object")).collect()
}

fn csv(path: &PathBuf) -> Vec<Row> {
    let mut reader = csv::Reader::from_path(path).expect("a CSV file");
    let names: Vec<String> = reader.headers().expect("names").iter().map(str::to_owned).collect();
    let records = reader.records().map(|record| record.expect("a record"));
    records
        .map(|record| {
            let fields = record.iter().map(|field| json!(field));
            names.iter().cloned().zip(fields).collect()
        })
        .collect()
}

/// The number in a column.
pub(crate) fn number(row: &Row, column: &str) -> i64 {
    row[column].as_i64().unwrap_or_else(|| panic!("{column}: {row:?}"))
}
