//! SQL of strangers: it ends on time, with whoever asked, and within its memory, and reads nothing but the tables.

use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use std::{fs, net::TcpStream};

use acceptance::process::{Process, memory_kib};
use acceptance::{simulate, until};
use serde_json::json;

const ENDLESS: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)";

/// A server with finished matches in its tables.
fn world(folder: &Path, seconds: &str) -> Process {
    simulate(folder, "--game rosenkoenig --matches 5");
    let server = Process::serve(folder, &["--query", "on", "--query-seconds", seconds]);
    until("the tables are filled", || {
        let answer = server.client().query("SELECT 1");
        answer.status == 200 && answer.ok()["complete"] == true
    });
    server
}

/// Sends a query on a connection of its own, and reads no answer.
fn send(server: &Process, sql: &str) -> TcpStream {
    let body = json!({"sql": sql}).to_string();
    let mut stream = TcpStream::connect(server.address).expect("it listens");
    let head = "POST /v1/query HTTP/1.1\r\nHost: muninn\r\nContent-Type: application/json";
    write!(stream, "{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len()).expect("it is sent");
    stream
}

/// Queries that no single look at the clock between two steps stops.
fn long_steps() -> Vec<String> {
    let zeros = "hex(zeroblob(500000))";
    let needle = "hex(zeroblob(250000)) || '1'";
    let times = |step: &str| vec![step; 20].join(" + ");
    let tables: Vec<String> = (0..60).map(|at| format!("events t{at}")).collect();
    let joined: Vec<String> = (1..60).map(|at| format!("t{at}.version = t0.version")).collect();
    vec![
        format!("SELECT {}", times(&format!("instr({zeros}, {needle})"))),
        format!("SELECT {}", times(&format!("length(replace({zeros}, {needle}, 'x'))"))),
        format!("SELECT {zeros} LIKE '{}1'", "%0".repeat(45)),
        format!("SELECT {zeros} GLOB '{}1'", "*0?".repeat(30)),
        format!("{ENDLESS} SELECT max(length(printf('%.*c', 1000000, 'x') || i)) FROM n"),
        format!("{ENDLESS} SELECT sum(length(randomblob(1000000))) FROM n"),
        format!("{ENDLESS} SELECT sum(length(quote(zeroblob(400000)))) FROM n"),
        format!("{ENDLESS} SELECT max(i) FROM n"),
        format!("{ENDLESS} SELECT i FROM n ORDER BY random()"),
        format!("{ENDLESS} SELECT group_concat(i) OVER (ORDER BY i) FROM n"),
        "SELECT a.event FROM events a, events b, events c ORDER BY random()".to_owned(),
        "SELECT count(DISTINCT a.event || b.event) FROM events a, events b, events c".to_owned(),
        format!(
            "SELECT count(*) FROM json_each('[' || rtrim(replace({zeros}, '0', '0,'), ',') || ']') a, json_each('[1,2,3]') b, events c, events d"
        ),
        "SELECT count(*) FROM json_tree(replace(hex(zeroblob(400)), '0', '[') || replace(hex(zeroblob(400)), '0', ']')), events a, events b, events c".to_owned(),
        format!("SELECT count(*) FROM {} WHERE {}", tables.join(", "), joined.join(" AND ")),
    ]
}

#[test]
fn a_query_ends_on_time_however_long_its_steps_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = world(folder.path(), "1");
    for sql in long_steps() {
        let start = Instant::now();
        let answer = server.client().query(&sql);
        let took = start.elapsed();
        assert!(took < Duration::from_secs(8), "{took:?}: {sql:.200}");
        assert!(matches!(answer.status, 200 | 422), "{}: {sql:.200}", answer.text());
        if answer.status == 422 {
            answer.problem(422, "query_too_much");
        }
        assert_eq!(server.queries(), [0; 0], "{sql:.200}");
    }
    assert_eq!(server.client().query("SELECT count(*) FROM matches").ok()["rows"], json!([[5]]));
}

#[test]
fn a_query_ends_with_whoever_asked_and_holds_its_turn_until_then() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = world(folder.path(), "30");
    let long = long_steps();
    for sql in [&long[0], &long[5], &long[7]] {
        let asking = send(&server, sql);
        until("the query runs", || !server.queries().is_empty());
        let running = server.queries();
        let start = Instant::now();
        let next = thread::scope(|scope| {
            let client = server.client();
            let next = scope.spawn(move || client.query("SELECT 1"));
            for _ in 0..10 {
                assert_eq!(server.queries(), running, "one query at a time");
                thread::sleep(Duration::from_millis(20));
            }
            drop(asking);
            next.join().expect("an answer")
        });
        assert_eq!(next.ok()["rows"], json!([[1]]));
        assert!(start.elapsed() < Duration::from_secs(8), "{:?}: {sql:.200}", start.elapsed());
        assert_eq!(server.queries(), [0; 0], "{sql:.200}");
    }
}

#[test]
fn a_query_has_only_the_cores_that_nobody_else_wants() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = world(folder.path(), "30");
    let niceness = |id: u32| {
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).expect("it runs");
        let (_, fields) = stat.rsplit_once(") ").expect("a name in brackets");
        fields.split(' ').nth(16).and_then(|nice| nice.parse::<i32>().ok()).expect("a number")
    };
    let asking = send(&server, &long_steps()[0]);
    until("the query steps back", || server.queries().iter().any(|id| niceness(*id) >= 10));
    drop(asking);
}

#[test]
fn a_query_ends_with_its_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = world(folder.path(), "30");
    let asking = send(&server, &long_steps()[0]);
    until("the query runs", || !server.queries().is_empty());
    let running = server.queries()[0];
    server.kill();
    let alive = || fs::read_to_string(format!("/proc/{running}/stat"));
    until("it ends", || alive().is_ok_and(|stat| stat.contains(") Z ")) || alive().is_err());
    drop(asking);
}

/// The most memory beyond what the server had that it and its queries took while something was done, in MiB.
fn taken(server: &Process, something: impl FnOnce()) -> u64 {
    let anonymous = |id| memory_kib(id, "RssAnon:").unwrap_or_default();
    let before = anonymous(server.id());
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        let watch = scope.spawn(|| {
            let mut most = 0;
            while !over.load(Ordering::Relaxed) {
                let queries: u64 = server.queries().into_iter().map(anonymous).sum();
                most = most.max(anonymous(server.id()) + queries);
                thread::sleep(Duration::from_millis(1));
            }
            most
        });
        something();
        over.store(true, Ordering::Relaxed);
        watch.join().expect("it counts").saturating_sub(before) / 1024
    })
}

#[test]
fn a_query_has_so_much_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = world(folder.path(), "2");
    let client = server.client();
    let columns = |value: &str, times| vec![value; times].join(", ");
    let rows = format!("{ENDLESS} SELECT");
    for sql in [
        format!("{rows} {} FROM n", columns("NULL", 500)),
        format!("{rows} {} FROM n", columns("i", 500)),
        format!("{rows} {} FROM n", columns("0.1 + i", 400)),
        format!("{rows} printf('%.*c', 900000, char(1)) FROM n"),
        format!("{rows} replace(hex(zeroblob(400000)), '00', char(1)) FROM n"),
        format!("{rows} randomblob(500000) FROM n"),
        format!("{rows} CASE i % 2 WHEN 0 THEN i ELSE 'x' END FROM n"),
        format!("{rows} {} FROM n", columns("zeroblob(900000)", 300)),
        format!("SELECT {} FROM (SELECT 1 AS \"{}\")", columns("*", 450), "\u{1}".repeat(9000)),
        format!(
            "{ENDLESS}, m AS MATERIALIZED (SELECT hex(randomblob(1000)) FROM n) SELECT * FROM m ORDER BY 1"
        ),
        "SELECT group_concat(a.event) FROM events a, events b, events c".to_owned(),
        "SELECT json_group_array(a.event) FROM events a, events b, events c".to_owned(),
        format!("SELECT {}", columns("zeroblob(1000000)", 500)),
        long_steps().remove(14),
    ] {
        for path in ["/v1/query", "/v1/query.csv", "/v1/query.parquet"] {
            let taken = taken(&server, || {
                let answer = client.post(path, &json!({"sql": sql}));
                assert!(matches!(answer.status, 200 | 422), "{}: {sql:.200}", answer.text());
            });
            assert!(taken <= 64, "{taken} MiB: {path} {sql:.200}");
        }
    }
}

#[test]
fn nothing_but_the_tables_can_be_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = world(folder.path(), "5");
    let client = server.client();
    let modules = {
        let db = rusqlite::Connection::open_in_memory().expect("a database");
        let select = "SELECT name FROM pragma_module_list UNION SELECT 'pragma_' || name FROM pragma_pragma_list";
        let mut select = db.prepare(select).expect("a statement");
        let names = select.query_map([], |row| row.get::<_, String>(0)).expect("names");
        names.collect::<Result<Vec<_>, _>>().expect("names")
    };
    assert!(modules.contains(&"dbstat".to_owned()));
    for module in modules {
        let answer = client.query(&format!("SELECT count(*) FROM {module}"));
        match module.as_str() {
            "json_each" | "json_tree" => drop(answer.ok()),
            // Modules that only CREATE VIRTUAL TABLE could use.
            name if name.starts_with("fts") || name.starts_with("rtree") => {
                drop(answer.problem(422, "query_wrong"));
            }
            name => {
                // Not every pragma is a table.
                let refused = answer.json()["code"] == "query_forbidden";
                let status = if refused { 403 } else { 422 };
                assert_eq!(answer.status, status, "{name}: {}", answer.text());
                assert!(refused || name.starts_with("pragma_"), "{name}: {}", answer.text());
            }
        }
    }
    for sql in [
        "SELECT * FROM sqlite_master",
        "SELECT count(*) FROM main.sqlite_schema",
        "SELECT (SELECT max(sql) FROM SQLite_Master)",
        "SELECT * FROM sqlite_temp_master",
        "SELECT * FROM sqlite_temp_schema",
        "SELECT * FROM dbstat",
        "SELECT sum(pgsize) FROM dbstat('main')",
        "SELECT * FROM meta",
        "SELECT * FROM pragma_table_info('matches')",
        "SELECT * FROM pragma_function_list",
        "EXPLAIN SELECT 1",
        "EXPLAIN QUERY PLAN SELECT * FROM matches",
        "/* EXPLAIN */ explain SELECT 1",
        "PRAGMA table_info(matches)",
        "PRAGMA hard_heap_limit = 0",
        "PRAGMA query_only = OFF",
        "ATTACH '/etc/passwd' AS a",
        "DETACH main",
        "SELECT load_extension('/lib/x.so')",
        "SELECT sqlite_compileoption_get(1)",
        "SELECT rtreecheck('main', '_events')",
        "SELECT fts3_tokenizer('simple')",
        "VACUUM INTO '/tmp/copy'",
        "VACUUM",
        "DELETE FROM _matches",
        "UPDATE _matches SET seat_count = 1",
        "INSERT INTO damaged VALUES (1, NULL, NULL, '')",
        "WITH x AS (SELECT 1) DELETE FROM _matches",
        "CREATE TABLE t (a)",
        "CREATE TEMP VIEW t AS SELECT 1",
        "CREATE VIRTUAL TABLE t USING fts5(a)",
        "DROP VIEW matches",
        "BEGIN",
        "COMMIT",
        "SAVEPOINT a",
        "ANALYZE",
        "REINDEX",
    ] {
        let problem = client.query(sql).problem(403, "query_forbidden");
        assert_eq!(problem["errors"][0]["pointer"], "/sql", "{sql}");
    }
    let wrong = ["SELECT 1; SELECT 2", "SELECT 1; DELETE FROM _matches", ";;", "-- nothing"];
    let of_no_type = ["SELECT 1 LIMIT 'abc'", "SELECT 1 LIMIT 1.5", "SELECT 1 LIMIT 1 OFFSET 'x'"];
    for sql in wrong.into_iter().chain(of_no_type) {
        client.query(sql).problem(422, "query_wrong");
    }
    assert_eq!(client.query("SELECT count(*) FROM matches").ok()["rows"], json!([[5]]));
}
