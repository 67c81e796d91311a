//! SQL over the tables: the same rows as an export, and nothing but reading.

use std::path::Path;

use serde_json::{Value, json};

use crate::folder::{export, simulate, three_games};
use crate::read::{Row, tables};
use acceptance::server::Server;
use acceptance::{muninn, run, run_on};

/// The rows of an answer.
#[track_caller]
fn query(data: &Path, sql: &str) -> Vec<Row> {
    let lines = run_on(data, &["query", sql, "--format", "ndjson"]).lines();
    lines.into_iter().map(|line| serde_json::from_value(line).expect("an object")).collect()
}

/// Is a value of the answer the one of the export? Booleans are 0 and 1, JSON is text.
fn same(found: &Value, told: &Value) -> bool {
    let json = |text: &str| serde_json::from_str::<Value>(text).ok();
    match told {
        Value::Bool(told) => *found == json!(i64::from(*told)),
        Value::Null => found.is_null() || found == "null",
        Value::Number(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {
            found == told || found.as_str().and_then(json).as_ref() == Some(told)
        }
    }
}

#[test]
fn the_tables_of_sql_are_those_of_an_export() {
    let (_folder, [data, out]) = acceptance::places(["data", "out"]);
    three_games(&data);
    export(&data, &out, &["--format", "ndjson"]);
    let schema = run(muninn().args(["query", "--schema"])).ok();
    let exported = tables(&out);
    let described = schema.split("\n\n").count();
    assert!(described > exported.len(), "a table without rows is a table");
    for (name, rows) in &exported {
        let table = schema.split("\n\n").find(|table| table.starts_with(&format!("{name}: ")));
        let columns = table.expect("it is described").lines().skip(1).count();
        let found = query(&data, &format!("SELECT * FROM {name}"));
        assert_eq!(found.len(), rows.len(), "{name}");
        // The order in which rows lie in the file is the key's; an export's is the same within a match.
        for (found, row) in found.iter().zip(rows) {
            for (column, value) in found {
                let told = &row[column];
                assert!(same(value, told), "{name}.{column}: {value} and {told}");
            }
            assert_eq!(found.len() + 1, row.len(), "{name} has all columns but the month");
            assert_eq!(found.len(), columns, "{name} is described");
        }
    }
}

#[test]
fn the_tables_keep_up_with_the_store() {
    let (_folder, [data]) = acceptance::places(["data"]);
    let count = || query(&data, "SELECT count(*) AS n, sum(event_count) AS v FROM matches");
    simulate(&data, "rosenkoenig", 2, 2, 1);
    assert_eq!(count()[0]["n"], 2);
    simulate(&data, "copenhagen", 3, 2, 1);
    let grown = count();
    assert_eq!(grown[0]["n"], 4);
    let events = query(&data, "SELECT count(*) AS v FROM events");
    assert_eq!(events[0]["v"], grown[0]["v"]);
    for name in ["tables.sqlite", "tables.sqlite-wal", "tables.sqlite-shm"] {
        drop(std::fs::remove_file(data.join(name)));
    }
    assert_eq!(count(), grown, "made anew");
    std::fs::write(data.join("tables.sqlite"), "no database").expect("a file");
    assert_eq!(count(), grown, "what is no database is replaced");
    // While a server has the store, the tables are as they were.
    let server = Server::start(&data, catalog::games());
    let note = run_on(&data, &["query", "SELECT count(*) FROM matches"]);
    assert_eq!(note.code, Some(0), "{}", note.error);
    assert!(note.error.contains("as of feed position"), "{}", note.error);
    server.stop();
}

#[test]
fn nothing_but_reading_is_allowed() {
    let (folder, [data]) = acceptance::places(["data"]);
    simulate(&data, "rosenkoenig", 2, 1, 1);
    query(&data, "SELECT 1 AS one");
    let secret = folder.path().join("secret");
    std::fs::write(&secret, "secret").expect("a file");
    let attach = format!("ATTACH '{}' AS a", secret.display());
    for (sql, words) in [
        ("DELETE FROM _matches", "only SELECT"),
        ("DROP VIEW matches", "only SELECT"),
        ("INSERT INTO meta VALUES ('position', 9)", "only SELECT"),
        ("CREATE TABLE t (a)", "only SELECT"),
        ("CREATE TEMP TABLE t (a)", "only SELECT"),
        (&attach, "only SELECT"),
        ("PRAGMA query_only = OFF", "only SELECT"),
        ("SELECT * FROM pragma_database_list", "not one of the tables"),
        ("SELECT * FROM sqlite_master", "query --schema"),
        ("VACUUM INTO 'copy'", "only SELECT"),
        ("BEGIN", "only SELECT"),
        ("SELECT load_extension('x')", "load_extension is not allowed"),
        ("SELECT 1; DELETE FROM _matches", "one SELECT"),
        ("SELEKT 1", "SELEKT"),
        ("SELECT nothing FROM matches", "nothing"),
        ("SELECT * FROM nowhere", "nowhere"),
        ("", "SELECT"),
        ("/* nothing */", "SELECT"),
        (&";".repeat(19_000), "SELECT"),
        ("SELECT ?", "variable"),
    ] {
        run_on(&data, &["query", sql]).failed(2, &[words]);
    }
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)";
    let wide = "events a, events b, events c, events d, events e";
    for (sql, words) in [
        (format!("{endless} SELECT max(i) FROM n"), "longer than 1 s"),
        (format!("SELECT count(*) FROM {wide} WHERE a.event < e.event"), "longer than 1 s"),
        (format!("SELECT a.version FROM {wide} ORDER BY random()"), "longer than 1 s"),
        ("SELECT zeroblob(2000000)".to_owned(), "1 MiB"),
        (format!("SELECT {}1", "1+".repeat(5_000)), "depth"),
        (format!("SELECT '{}'", "x".repeat(30_000)), "longer than"),
    ] {
        let start = std::time::Instant::now();
        let said = run_on(&data, &["query", &sql, "--timeout", "1"]);
        assert!(matches!(said.code, Some(1 | 2)), "{}", said.error);
        assert!(said.error.contains(words), "{}", said.error);
        assert!(start.elapsed().as_secs() < 20, "{words}");
    }
    let limited = ["query", "SELECT * FROM events", "--limit", "3", "--format", "csv"];
    let said = run_on(&data, &limited);
    assert_eq!(said.out.lines().count(), 4);
    assert!(said.error.contains("only the first 3 rows"));
    assert_eq!(query(&data, "SELECT count(*) AS n FROM matches")[0]["n"], 1);
}

/// It is answered, whether standard error takes the notes or not.
#[cfg(target_os = "linux")]
#[test]
fn an_answer_without_its_notes_is_an_answer() {
    let (_folder, [data]) = acceptance::places(["data"]);
    simulate(&data, "rosenkoenig", 2, 1, 1);
    let full = std::fs::File::options().write(true).open("/dev/full").expect("Linux has it");
    let mut query = muninn();
    query.args(["query", "SELECT * FROM events", "--limit", "3", "--format", "csv", "--data"]);
    let said = run(query.arg(&data).stderr(full));
    assert_eq!((said.code, said.out.lines().count()), (Some(0), 4));
}
