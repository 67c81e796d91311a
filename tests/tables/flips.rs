//! Files that are derived from the store, damaged or edited: the right rows, or a word that they are not complete. Never anything else.

use std::fs::{self, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, thread};

use serde_json::{Value, json};

use crate::folder::{export, simulate, try_export};
use acceptance::files;
use acceptance::preload::library;
use acceptance::process::Process;
use acceptance::server::Server;
use acceptance::{Client, Dice, Said, run_on, until_some};

/// What is asked, each a value of its own, and what an undamaged file answers.
type Truth = Vec<(String, Value)>;

/// So many values are asked for with one question: each question is a process.
const TOGETHER: usize = 12;

pub(crate) fn number(name: &str, otherwise: usize) -> usize {
    env::var(name).map_or(otherwise, |text| text.parse().expect("a number"))
}

/// A small store with both derived files.
pub(crate) fn made(data: &Path) {
    simulate(data, "rosenkoenig", 2, 2, 1);
    simulate(data, "voluspa", 3, 2, 1);
    simulate(data, "copenhagen", 2, 1, 1);
    for arguments in [&["query", "SELECT 1"][..], &["stats"]] {
        run_on(data, arguments).ok();
    }
}

/// Flips bits of a file in place; says which.
pub(crate) fn flip(path: &Path, dice: &mut Dice, bits: usize) -> String {
    let mut file = OpenOptions::new().read(true).write(true).open(path).expect("a file");
    let length = usize::try_from(file.metadata().expect("a file").len()).expect("a small file");
    let mut said = format!("{}", path.file_name().expect("a name").display());
    for _ in 0..bits {
        let (at, bit) = (dice.below(length), dice.below(8));
        let mut byte = [0];
        file.seek(SeekFrom::Start(at as u64)).expect("it is inside");
        file.read_exact(&mut byte).expect("a byte");
        file.seek(SeekFrom::Start(at as u64)).expect("it is inside");
        file.write_all(&[byte[0] ^ 1 << bit]).expect("it is written");
        said.push_str(&format!(", bit {bit} of {at}"));
    }
    said
}

/// The rows of an answer that says it is complete; `None` where it says that it is not.
#[track_caller]
pub(crate) fn rows(client: &Client, sql: &str, what: &str) -> Option<Value> {
    let answer = client.query(sql);
    if answer.status == 503 {
        answer.problem(503, "unavailable");
        return None;
    }
    assert_eq!(answer.status, 200, "{what}: {sql}: {}", answer.text());
    let answer = answer.json();
    let complete = answer["position"] == answer["feed_end"];
    assert_eq!(answer["complete"], json!(complete), "{what}: {sql}: {answer}");
    complete.then(|| answer["rows"].clone())
}

/// The rows of the first answer that is complete.
#[track_caller]
pub(crate) fn complete(client: &Client, sql: &str, what: &str) -> Value {
    until_some(&format!("all rows: {what}: {sql}"), || rows(client, sql, what))
}

/// Rows as one value.
fn value(columns: &[String], from: &str) -> String {
    // A function takes a hundred at most.
    let parts = columns.chunks(50).map(|part| format!("json_array({})", part.join(", ")));
    let row = parts.collect::<Vec<_>>().join(", ");
    format!("(SELECT json_group_array(json_array({row})) FROM {from})")
}

fn select<'a>(values: impl IntoIterator<Item = &'a str>) -> String {
    format!("SELECT {}", values.into_iter().collect::<Vec<_>>().join(", "))
}

/// Every table, what finds rows by an index, and what the engine itself keeps.
fn truth(data: &Path) -> Truth {
    let server = Server::asked(data, catalog::games());
    let client = server.client();
    let schema = client.get("/v1/query/schema").ok();
    let kinds = "(SELECT game, event_type, count(*) AS n FROM _events GROUP BY game, event_type)";
    let last = "matches WHERE match_id = (SELECT max(match_id) FROM matches)";
    let named = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let mut values = vec![
        value(&named(&["game", "event_type", "n"]), kinds),
        value(&named(&["match_id", "match_no", "game"]), last),
        "(SELECT count(*) FROM damaged)".to_owned(),
    ];
    let text = |of: &Value| of["name"].as_str().expect("a name").to_owned();
    let tables = schema["items"].as_array().into_iter().flatten();
    for table in tables.filter(|table| table["name"] != "damaged") {
        let name = text(table);
        let columns: Vec<String> =
            table["columns"].as_array().expect("columns").iter().map(text).collect();
        let count = format!("SELECT count(*) FROM {name}");
        let count = complete(&client, &count, "the undamaged file");
        let pages = 0..=count[0][0].as_u64().expect("a number") / 500;
        let page = |at| format!("(SELECT * FROM {name} LIMIT 500 OFFSET {})", 500 * at);
        values.extend(pages.map(|at| value(&columns, &page(at))));
    }
    let ask = |values: &[String]| {
        let sql = select(values.iter().map(String::as_str));
        let rows = complete(&client, &sql, "the undamaged file");
        let told = rows[0].as_array().expect("a row").clone();
        values.iter().cloned().zip(told).collect::<Truth>()
    };
    values.chunks(TOGETHER).flat_map(ask).collect()
}

/// The answer to one question has what is true, where there is one.
#[track_caller]
fn is_told(rows: Option<Value>, asked: &[&(String, Value)], what: &str) {
    let Some(rows) = rows else { return };
    for ((sql, told), found) in asked.iter().zip(rows[0].as_array().expect("a row")) {
        assert!(found == told, "{what}: other rows: {sql}");
    }
}

fn question(asked: &[&(String, Value)]) -> String {
    select(asked.iter().map(|(sql, _)| sql.as_str()))
}

#[track_caller]
fn is_true(client: &Client, truth: &Truth, what: &str) {
    for asked in truth.iter().collect::<Vec<_>>().chunks(TOGETHER) {
        is_told(Some(complete(client, &question(asked), what)), asked, what);
    }
}

/// What the command line answers, as lines; what is no success says why.
#[track_caller]
fn asked(data: &Path, sql: &str, what: &str) -> String {
    asked_and_noted(data, sql, what).0
}

/// The same with its notes.
#[track_caller]
fn asked_and_noted(data: &Path, sql: &str, what: &str) -> (String, String) {
    let Said { code, out, error } = run_on(data, &["query", sql, "--format", "ndjson"]);
    assert_eq!(code, Some(0), "{what}: {sql}: {error}");
    assert!(error.contains("complete up to feed position"), "{what}: {error}");
    (out, error)
}

#[test]
fn damage_at_rest_never_reaches_an_answer() {
    let (rounds, seed) = (number("FLIP_ROUNDS", 12), number("FLIP_SEED", 1));
    let (folder, [data]) = acceptance::places(["data"]);
    made(&data);
    let truth = truth(&data);
    let whole = "SELECT * FROM events JOIN matches USING (match_no)";
    let told = asked(&data, whole, "the undamaged file");
    let kept = files::read(&data);
    let mut dice = Dice::new(seed as u64);
    for round in 0..rounds {
        let damaged = folder.path().join(format!("round{round}"));
        files::write(&damaged, &kept);
        let file = ["tables.sqlite", "tables.sums"][usize::from(dice.below(6) == 0)];
        let bits = 1 + dice.below(8);
        let what = flip(&damaged.join(file), &mut dice, bits);
        let what = format!("round {round}, seed {seed}: {what}");
        if round % 3 == 0 {
            assert!(asked(&damaged, whole, &what) == told, "{what}: other rows");
        }
        let server = Server::asked(&damaged, catalog::games());
        is_true(&server.client(), &truth, &what);
        server.stop();
    }
}

#[test]
fn damage_under_a_running_server_never_reaches_an_answer() {
    let (rounds, seed) = (number("FLIP_ROUNDS", 12), number("FLIP_SEED", 2));
    let (_folder, [data]) = acceptance::places(["data"]);
    made(&data);
    let truth = truth(&data);
    let server = Server::asked(&data, catalog::games());
    let client = server.client();
    let mut dice = Dice::new(seed as u64);
    is_true(&client, &truth, "before");
    for round in 0..rounds {
        let bits = 1 + dice.below(8);
        let what = flip(&data.join("tables.sqlite"), &mut dice, bits);
        let what = format!("round {round}, seed {seed}: {what}");
        // At once, in any order, alone and together.
        for nth in 0..truth.len() / 6 {
            let together = if nth % 2 == 0 { 1 } else { TOGETHER };
            let asked: Vec<_> = (0..together).map(|_| &truth[dice.below(truth.len())]).collect();
            is_told(rows(&client, &question(&asked), &what), &asked, &what);
        }
        is_true(&client, &truth, &what);
    }
    let rebuilt = server.operator().rebuilt("tables");
    assert!(rebuilt > 0 && rebuilt <= rounds as u64, "{rebuilt} of {rounds}");
    server.stop();
}

/// What somebody with another program for SQLite could do.
const EDITS: [&str; 7] = [
    "UPDATE meta SET value = value - 100 WHERE key = 'position'",
    "UPDATE meta SET value = value || '0' WHERE key = 'mark'",
    "UPDATE meta SET value = 'other' WHERE key = 'layout'",
    "DELETE FROM _seats WHERE seat = 1",
    "UPDATE _awards SET points = points + 1 WHERE match_no > (SELECT min(match_no) FROM _matches)",
    "DROP VIEW events; CREATE VIEW events AS SELECT 7 AS match_no",
    "VACUUM",
];

#[test]
fn what_was_edited_is_made_anew() {
    let (_folder, [data]) = acceptance::places(["data"]);
    made(&data);
    let truth = truth(&data);
    let question = "SELECT sum(final_points), (SELECT sum(points) FROM awards) FROM seats";
    let told = asked(&data, question, "the undamaged file");
    let edit = |sql: &str| {
        let db = rusqlite::Connection::open(data.join("tables.sqlite")).expect("a file of SQLite");
        db.execute_batch(sql).expect("it is done");
    };
    for sql in EDITS {
        edit(sql);
        let server = Server::asked(&data, catalog::games());
        is_true(&server.client(), &truth, sql);
        edit(sql);
        is_true(&server.client(), &truth, sql);
        server.stop();
        edit(sql);
        let (rows, notes) = asked_and_noted(&data, question, sql);
        assert_eq!(rows, told, "{sql}");
        assert!(notes.contains("tables.sqlite is being filled anew: "), "{sql}: {notes}");
        // It is whole now, which needs no note.
        let (_, notes) = asked_and_noted(&data, question, sql);
        assert!(!notes.contains("anew"), "{sql}: {notes}");
    }
    for name in ["tables.sqlite", "tables.sums"] {
        fs::remove_file(data.join(name)).expect("it is there");
        assert_eq!(asked(&data, question, "removed"), told, "{name}");
    }
    // A server that answers no SQL has the store: nobody can make the file anew.
    let server = Server::start(&data, catalog::games());
    edit(EDITS[4]);
    run_on(&data, &["query", question]).refused(&["damaged"]);
    server.stop();
    assert_eq!(asked(&data, question, "at last"), told);
}

/// An answer is not of the file that was there when the query began, but of a damaged one, where that is made anew before the query ends. The new one
/// takes as long as a large file.
#[test]
fn a_query_of_an_edited_file_that_is_made_anew_meanwhile_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(library) = library(folder.path(), "faults/faults.c") else { return };
    let (data, armed) = (folder.path().join("data"), folder.path().join("armed"));
    made(&data);
    let mut serve = Process::command(&data);
    serve.args(["--query", "on", "--log", "off"]);
    serve.env("LD_PRELOAD", &library).env("FAULT_CALL", "late");
    serve.env("FAULT_FILE", "/tables.sqlite").env("FAULT_ARMED", &armed);
    serve.env("FAULT_SKIP", "0").env("FAULT_TIMES", "1000");
    let server = Process::spawn(&mut serve);
    let client = server.client();
    let sum = "SELECT sum(points) FROM awards";
    let told = complete(&client, sum, "the undamaged file");
    let long = |steps: u64| {
        format!(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {steps}) SELECT ({sum}), count(*) FROM n"
        )
    };
    let start = Instant::now();
    complete(&client, &long(1_000_000), "a million steps");
    let steps = 4_000_000_000 / u64::try_from(start.elapsed().as_millis()).expect("short");
    fs::write(&armed, "").expect("a file");
    for round in 0..3 {
        let db = rusqlite::Connection::open(data.join("tables.sqlite")).expect("a file of SQLite");
        db.execute_batch("UPDATE _awards SET points = points + 1").expect("it is done");
        drop(db);
        let what = format!("round {round}");
        if let Some(found) = rows(&client, &long(steps), &what) {
            assert_eq!(found[0][0], told[0][0], "{what}");
        }
        assert_eq!(complete(&client, sum, &what), told, "{what}");
    }
    server.stop();
}

/// While the tables are filled: what is there, and that it is not all; or that nothing is there yet.
#[test]
fn what_is_not_complete_says_so() {
    let (_folder, [data]) = acceptance::places(["data"]);
    simulate(&data, "rosenkoenig", 2, 700, 1);
    let server = Server::asked(&data, catalog::games());
    let client = server.client();
    let (start, mut partly) = (Instant::now(), 0);
    loop {
        let sql = "SELECT count(*) FROM matches";
        let answer = client.query(sql);
        let csv = client.post("/v1/query.csv", &json!({"sql": sql}));
        if csv.status == 200 {
            let header = |name| csv.header(name).expect("a header").to_owned();
            let complete = header("feed-position") == header("feed-end");
            assert_eq!(header("complete"), complete.to_string());
        }
        if answer.status == 503 {
            let problem = answer.problem(503, "unavailable");
            assert!(problem["detail"].as_str().expect("words").contains("filled"), "{problem}");
        } else {
            let answer = answer.ok();
            let matches = answer["rows"][0][0].as_u64().expect("a number");
            let behind = answer["position"].as_u64() < answer["feed_end"].as_u64();
            assert_eq!(answer["complete"], json!(!behind), "{answer}");
            assert!(matches > 0, "an empty table without a word: {answer}");
            assert_eq!(matches == 700, !behind, "{answer}");
            partly += usize::from(behind);
            if !behind {
                break;
            }
        }
        let stats = client.get("/v1/stats/rosenkoenig?players=all").ok()["finished"].clone();
        if stats["complete"] != json!(false) {
            assert_eq!(stats["matches"], 700, "{stats}");
        }
        let name = client.get("/v1/players/random");
        if name.status != 503 {
            let page = name.ok();
            let matches = page["items"][0]["first"]["n"].as_u64().expect("a number");
            assert_eq!(page["complete"], json!(matches == 700), "{page}");
        }
        assert!(start.elapsed() < Duration::from_secs(120), "never complete");
        // The thread that fills needs the processor too.
        thread::sleep(Duration::from_millis(10));
    }
    assert!(partly > 0, "the fill was never seen half way");
    let page = client.get("/v1/stats/rosenkoenig/players").ok();
    assert_eq!(page["position"], page["feed_end"], "{page}");
    assert_eq!(page["complete"], true);
    client.get("/v1/players/nobody").problem(404, "not_found");
}

/// An export goes on where its manifest says: with another position it would leave matches out, or export them twice.
#[test]
fn an_edited_manifest_is_refused() {
    let (_folder, [data, out]) = acceptance::places(["data", "out"]);
    simulate(&data, "rosenkoenig", 2, 2, 1);
    export(&data, &out, &[]);
    let file = out.join("_export.json");
    let kept = fs::read_to_string(&file).expect("a manifest");
    let manifest: Value = serde_json::from_str(&kept).expect("JSON");
    let position = manifest["position"].as_u64().expect("a number");
    for (name, value) in [("position", json!(position - 1)), ("files", json!([]))] {
        let mut edited = manifest.clone();
        edited[name] = value;
        fs::write(&file, edited.to_string()).expect("it is written");
        try_export(&data, &out, &[]).refused(&["_export.json"]);
    }
    let mut dice = Dice::new(5);
    for _ in 0..20 {
        fs::write(&file, &kept).expect("it is written");
        let what = flip(&file, &mut dice, 1);
        let said = try_export(&data, &out, &[]);
        // Other white space or another name of a field that nobody reads is no other manifest.
        let same = serde_json::from_slice::<Value>(&fs::read(&file).expect("a file"));
        let same = same.is_ok_and(|found| found == manifest);
        assert_eq!(said.code == Some(0), same, "{what}: {}", said.error);
    }
    // What earlier programs have written has no checksum.
    let mut old = manifest.clone();
    old.as_object_mut().expect("an object").remove("checksum");
    fs::write(&file, old.to_string()).expect("it is written");
    export(&data, &out, &[]);
    assert_eq!(
        serde_json::from_slice::<Value>(&fs::read(&file).expect("a file")).expect("JSON"),
        manifest
    );
}

/// The files beside the store that are derived from it.
#[test]
fn nothing_else_is_kept_beside_the_store() {
    let (_folder, [data]) = acceptance::places(["data"]);
    made(&data);
    let server = Server::asked(&data, catalog::games());
    complete(&server.client(), "SELECT 1", "the undamaged file");
    server.stop();
    let mut found: Vec<PathBuf> = fs::read_dir(&data)
        .expect("a folder")
        .map(|entry| PathBuf::from(entry.expect("an entry").file_name()))
        // What SQLite keeps while a file is open. Who only reads may leave it there, without content.
        .filter(|name| {
            let open = ["list", "tables"]
                .map(|file| ["shm", "wal"].map(|of| format!("{file}.sqlite-{of}")));
            !open.as_flattened().iter().any(|open| Path::new(open) == name)
        })
        // Of a file that takes long to compare: on a busy machine of any.
        .filter(|name| !["list.seen", "tables.seen"].map(Path::new).contains(&name.as_path()))
        .collect();
    found.sort();
    let derived = ["list.sqlite", "list.sums", "statistics.json", "tables.sqlite", "tables.sums"];
    let mut known = [&["FORMAT", "HEAD", "log"][..], &derived].concat();
    known.sort_unstable();
    assert_eq!(found, known.into_iter().map(PathBuf::from).collect::<Vec<_>>());
}
