//! SQL over HTTP: the answers of the program, within limits that the server outlives.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::folder::{simulate, three_games};
use crate::read::read;
use acceptance::server::Server;
use acceptance::{Client, Dice, Request, Table, muninn, run, run_on, until};

/// Asks until the tables are filled up to the end of the feed.
#[track_caller]
pub(crate) fn wait(client: &Client) {
    let due = client.get("/v1/tables").ok()["position"].clone();
    until("the tables", || {
        let answer = client.query("SELECT 1");
        answer.status == 200 && answer.json()["position"] == due
    });
}

#[test]
fn the_answers_are_those_of_the_program() {
    let (folder, [data]) = acceptance::places(["data"]);
    three_games(&data);
    let sql = "SELECT game, event_type, count(*) AS n, avg(version) AS mean, NULL AS none FROM events GROUP BY game, event_type ORDER BY 1, 2";
    let lines = run_on(&data, &["query", sql, "--format", "ndjson"]).lines();
    assert!(lines.len() > 7);

    let server = Server::asked(&data, catalog::games());
    let client = server.client();
    wait(&client);
    let answer = client.query(sql).ok();
    let columns = ["game", "event_type", "n", "mean", "none"];
    assert_eq!(answer["columns"], json!(columns));
    assert_eq!(answer["truncated"], false);
    assert_eq!(answer["damaged"], 0);
    assert_eq!(answer["position"], answer["feed_end"]);
    assert_eq!(answer["complete"], true);
    let rows = answer["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), lines.len());
    for (row, line) in rows.iter().zip(&lines) {
        for (at, column) in columns.iter().enumerate() {
            assert_eq!(row[at], line[*column]);
        }
    }
    for format in ["csv", "parquet"] {
        let body = json!({"sql": sql, "limit": 7});
        let answer = client.post(&format!("/v1/query.{format}"), &body);
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
        assert_eq!(answer.header("truncated"), Some("true"));
        assert_eq!(answer.header("complete"), Some("true"));
        assert_eq!(answer.header("damaged"), Some("0"));
        assert_eq!(answer.header("feed-end"), answer.header("feed-position"));
        let path = folder.path().join(format!("answer.{format}"));
        fs::write(&path, &answer.body).expect("a file");
        let found = read(&path);
        assert_eq!(found.len(), 7);
        for (found, line) in found.iter().zip(&lines) {
            assert_eq!(found["event_type"], line["event_type"]);
            assert_eq!(found["n"].to_string().trim_matches('"'), line["n"].to_string());
        }
    }
}

#[test]
fn the_schema_is_that_of_the_dictionary() {
    let (_folder, [data]) = acceptance::places(["data"]);
    simulate(&data, "rosenkoenig", 2, 1, 1);
    let server = Server::asked(&data, catalog::games());
    let client = server.client();
    wait(&client);
    let tables = client.get("/v1/tables").ok()["items"].as_array().expect("tables").clone();
    let schema = client.get("/v1/query/schema").ok();
    let items = schema["items"].as_array().expect("tables");
    assert_eq!(items[..tables.len()], tables);
    assert_eq!(items.len(), tables.len() + 1, "and what is damaged");
    let program = run(muninn().args(["query", "--schema"])).ok();
    let mut lines = program.lines();
    for table in items {
        let (name, about) = (table["name"].as_str(), table["about"].as_str());
        let head = format!("{}: {}", name.expect("a name"), about.expect("a sentence"));
        assert_eq!(lines.next(), Some(&*head));
        let answer = client.query(&format!("SELECT * FROM {} LIMIT 1", table["name"])).ok();
        let columns = table["columns"].as_array().expect("columns");
        let names: Vec<&Value> = columns.iter().map(|column| &column["name"]).collect();
        assert_eq!(answer["columns"], json!(names), "{head}");
        for column in columns {
            let line = lines.next().expect("a column");
            for word in ["name", "type", "about"] {
                assert!(line.contains(column[word].as_str().expect("text")), "{line}: {column}");
            }
        }
        assert_eq!(lines.next(), Some(""));
    }
}

#[test]
fn the_tables_follow_the_matches() {
    let (_folder, [data]) = acceptance::places(["data"]);
    simulate(&data, "rosenkoenig", 2, 3, 1);
    let server = Server::asked(&data, catalog::games());
    let client = server.client();
    let private = json!({"game": "rosenkoenig", "seats": [{}, {}], "visibility": "private"});
    Table::open(&client, &private).finish(&mut Dice::new(2));
    Table::rosenkoenig(&client).play(&mut Dice::new(2), 4);
    let table = Table::rosenkoenig(&client);
    table.finish(&mut Dice::new(3));
    wait(&client);
    let answer = client.query("SELECT match_id FROM matches ORDER BY match_no").ok();
    let rows = answer["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 4, "public and finished");
    assert_eq!(rows[3], json!([table.id]));
    server.stop();
    let server = Server::asked(&data, catalog::games());
    wait(&server.client());
    let count = server.client().query("SELECT count(*) FROM matches").ok();
    assert_eq!(count["rows"], json!([[4]]));
}

/// Once a minute it is compared with its checksums, and written then.
#[test]
fn the_file_is_not_written_where_nothing_is_to_be_added() {
    let (_folder, [data]) = acceptance::places(["data"]);
    simulate(&data, "rosenkoenig", 2, 1, 1);
    let server = Server::asked(&data, catalog::games());
    let client = server.client();
    let going_on = Table::rosenkoenig(&client);
    let private = json!({"game": "rosenkoenig", "seats": [{}, {}], "visibility": "private"});
    let checksums = || fs::read(data.join("tables.sums")).expect("a file");
    let mut dice = Dice::new(4);
    until("an answer that has all, from a file as it was", || {
        wait(&client);
        let before = checksums();
        going_on.play(&mut dice, 1);
        Table::open(&client, &private).finish(&mut dice);
        wait(&client);
        before == checksums()
    });
    going_on.finish(&mut dice);
    wait(&client);
    let count = client.query("SELECT count(*) FROM matches").ok();
    assert_eq!((&count["rows"], &count["complete"]), (&json!([[2]]), &json!(true)));
    server.stop();
    let said = run_on(&data, &["query", "SELECT count(*) FROM matches"]);
    assert!(said.error.contains("note: complete up to feed position"), "{}", said.error);
}

#[test]
fn sql_is_off_unless_it_is_turned_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), catalog::games());
    let client = server.client();
    client.query("SELECT 1").problem(403, "query_off");
    client.get("/v1/query/schema").problem(403, "query_off");
    assert!(!folder.path().join("tables.sqlite").exists());
}

#[test]
fn what_does_more_than_read_or_needs_too_much_is_refused() {
    let (folder, [data]) = acceptance::places(["data"]);
    simulate(&data, "rosenkoenig", 2, 3, 1);
    let server = Server::asked(&data, catalog::games());
    let client = server.client();
    wait(&client);
    let attach = format!("ATTACH '{}' AS a", folder.path().join("secret").display());
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)";
    let many = "events a, events b, events c, events d";
    for (sql, status, code) in [
        ("DELETE FROM _matches", 403, "query_forbidden"),
        ("DELETE FROM matches", 403, "query_forbidden"),
        ("UPDATE matches SET seed = 1", 403, "query_forbidden"),
        ("CREATE TABLE t (a)", 403, "query_forbidden"),
        (&attach, 403, "query_forbidden"),
        ("PRAGMA hard_heap_limit = 0", 403, "query_forbidden"),
        ("SELECT load_extension('x')", 403, "query_forbidden"),
        ("SELECT readfile('/etc/passwd')", 422, "query_wrong"),
        ("SELECT writefile('x', 'y')", 422, "query_wrong"),
        ("SELECT 1; SELECT 2", 422, "query_wrong"),
        ("SELEKT", 422, "query_wrong"),
        ("SELECT ?", 422, "query_wrong"),
        (&format!("{endless} SELECT max(i) FROM n"), 422, "query_too_much"),
        (&format!("SELECT a.event FROM {many} ORDER BY random()"), 422, "query_too_much"),
        (&format!("SELECT group_concat(a.event) FROM {many}"), 422, "query_too_much"),
        (
            &format!("{endless} SELECT count(*) FROM (SELECT i FROM n ORDER BY -i)"),
            422,
            "query_too_much",
        ),
        ("SELECT zeroblob(2000000)", 422, "query_too_much"),
    ] {
        let start = Instant::now();
        let answer = client.query(sql);
        let problem = answer.problem(status, code);
        assert_eq!(problem["errors"][0]["pointer"], "/sql", "{sql}");
        assert!(start.elapsed() < Duration::from_secs(20), "{sql}");
        assert_eq!(client.query("SELECT count(*) FROM matches").ok()["rows"], json!([[3]]));
    }
    for (body, place) in [
        (json!({}), ""),
        (json!({"sql": 7}), "/sql"),
        (json!({"sql": "SELECT 1", "limit": 0}), "/limit"),
        (json!({"sql": "SELECT 1", "limit": 1001}), "/limit"),
        (json!({"sql": "SELECT 1", "rows": 1}), "/rows"),
    ] {
        let problem = client.post("/v1/query", &body).problem(400, "malformed");
        assert_eq!(problem["errors"][0]["pointer"], place, "{body}");
    }
    let twice = r#"{"sql": "SELECT :a", "parameters": {"a": 1, "b": 2, "a": 2}}"#;
    let twice = Request::new("POST", "/v1/query").bytes("application/json", twice);
    let problem = client.send(twice).problem(400, "malformed");
    assert_eq!(problem["detail"], "the field `a` is there twice");
    let long = format!("SELECT '{}'", "x".repeat(30_000));
    client.query(&long).problem(422, "query_too_much");
    let answer = client.query("SELECT * FROM events").ok();
    let rows = answer["rows"].as_array().expect("rows").len();
    assert!(rows <= 1000);
}
