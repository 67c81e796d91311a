//! Tables that are sent from the file for SQL: the same rows as without it, whatever is asked for; and stores that are not like others.

use std::ops::Range;
use std::sync::Arc;

use archive::Archive;
use serde_json::{Value, json};
use tables::{Catalogue, Download, Format, Pieces, Selection, Sql, Wanted};

use crate::damaged::ids;
use crate::folder::{LIMITS, export, simulate, three_games};
use crate::harm::{HARMS, plant};
use crate::http::{names, rows};
use crate::http_sql::wait;
use crate::read::tables;
use acceptance::server::Server;
use acceptance::{Client, Dice, Table, muninn, run_on};

/// What a server says, in the order of the questions.
fn told(client: &Client, questions: &[String]) -> Vec<String> {
    let tell = |question: &String| {
        let answer = client.get(question);
        assert_eq!(answer.status, 200, "{question}");
        assert_eq!(answer.header("damaged"), Some("0"), "{question}");
        answer.text()
    };
    questions.iter().map(tell).collect()
}

#[test]
fn the_file_has_the_rows_that_deciding_gives() {
    let (_folder, [data]) = acceptance::places(["data"]);
    three_games(&data);
    let server = Server::start(&data, catalog::games());
    let client = server.client();
    let listed = client.get("/v1/tables").ok();
    let half = listed["position"].as_u64().expect("a position") / 2;
    // The common tables, and some of the games.
    let names = names(&client).into_iter().enumerate();
    let some = names.filter(|(at, _)| *at < 8 || at % 7 == 0).map(|(_, name)| name);
    let whole = some.map(|name| format!("/v1/tables/{name}.ndjson"));
    let spans = [
        "game=voluspa".to_owned(),
        format!("after={half}"),
        format!("until={half}"),
        format!("after={}&until={half}&game=rosenkoenig", half / 2),
        "from=2000-01-01&to=2100-01-01".to_owned(),
        "to=2000-01-01".to_owned(),
        "from=2100-01-01&game=voluspa".to_owned(),
        "hashes=true".to_owned(),
    ];
    let parts = spans.iter().flat_map(|span| {
        ["matches", "states", "events", "voluspa_match_started"]
            .map(|name| format!("/v1/tables/{name}.csv?{span}"))
    });
    let questions: Vec<String> = whole.chain(parts).collect();
    let decided = told(&client, &questions);
    assert!(decided.iter().filter(|text| text.lines().count() > 1).count() > 20);
    server.stop();

    let server = Server::asked(&data, catalog::games());
    let client = server.client();
    wait(&client);
    for (question, (stored, decided)) in
        questions.iter().zip(told(&client, &questions).iter().zip(&decided))
    {
        assert!(stored == decided, "{question}");
    }
    // What ended since the file was filled is decided, and follows what is in it.
    let before = client.get("/v1/tables/seats.csv").text();
    let seats = json!([{"name": "Hugin"}, {"name": "Munin"}]);
    let fresh = Table::open(&client, &json!({"game": "rosenkoenig", "seats": seats}));
    fresh.finish(&mut Dice::new(8));
    let after = client.get("/v1/tables/seats.csv").text();
    assert_eq!(after.strip_prefix(&before).map(|more| more.lines().count()), Some(2), "{after}");
    let answer = client.get("/v1/tables/seats.csv");
    assert_eq!(answer.header("complete"), Some("true"));
    assert_eq!(answer.header("feed-end"), answer.header("feed-position"));
    let part = client.get("/v1/tables/seats.csv?until=1");
    assert_eq!((part.header("complete"), part.header("feed-position")), (Some("false"), Some("1")));
}

/// More rows than are taken at once, and where they are cut lies in the midst of a match.
#[test]
fn the_file_gives_a_large_table_in_parts_that_join() {
    let (_folder, [data]) = acceptance::places(["data"]);
    simulate(&data, "rosenkoenig", 2, 100, 1);
    let questions = ["events.csv", "states.csv"].map(|name| format!("/v1/tables/{name}"));
    let server = Server::start(&data, catalog::games());
    let decided = told(&server.client(), &questions);
    assert!(decided[0].lines().count() > 30_000);
    server.stop();
    let server = Server::asked(&data, catalog::games());
    wait(&server.client());
    let stored = told(&server.client(), &questions);
    for (question, (stored, decided)) in questions.iter().zip(stored.iter().zip(&decided)) {
        assert!(stored == decided, "{question}");
    }
}

/// One step takes the rows of many matches from the file; matches that are decided again take a step each.
#[test]
fn a_damaged_match_takes_the_file_from_no_span_but_its_own() {
    const MATCHES: usize = 20;
    let (_folder, [data]) = acceptance::places(["data"]);
    simulate(&data, "rosenkoenig", 2, 1, 1);
    plant(&data, &ids(&data)[0], 1, &HARMS[3]);
    simulate(&data, "rosenkoenig", 2, MATCHES, 2);
    // It fills the file.
    let asked = ["query", "SELECT feed_position FROM damaged", "--format", "csv"];
    let told = run_on(&data, &asked).ok();
    let damaged: u64 = told.lines().last().and_then(|at| at.parse().ok()).expect("a position");
    let archive = Archive::open(&data, catalog::games(), 8 << 20).expect("the store opens");
    let catalogue = || Catalogue::new(catalog::games()).without_hashes();
    let program = muninn().get_program().into();
    let sql = Arc::new(Sql::beside(&data, catalogue(), Some(program)));
    let begin = |span: Range<u64>| {
        let selection = Selection { table: "matches".to_owned(), wanted: Wanted::default(), span };
        let table = Arc::new(catalogue());
        let begun = Download::new(archive.clone(), table, Format::Ndjson, selection);
        let begun = begun.expect("its head is written").expect("there is such a table");
        begun.stored_in(Arc::clone(&sql), LIMITS)
    };
    // How many steps they take, and how many rows they are.
    let taken = |span: Range<u64>| {
        let (mut stepped, mut pieces) = (begin(span.clone()), begin(span));
        let (mut steps, mut bytes) = (0, Vec::new());
        while stepped.step().expect("what is damaged is left out") {
            steps += 1;
        }
        while let Some(piece) = pieces.next_piece().expect("what is damaged is left out") {
            bytes.extend(piece);
        }
        (steps, String::from_utf8(bytes).expect("text").lines().count())
    };
    let (steps, rows) = taken(damaged..archive.position());
    assert!(steps < MATCHES && rows == MATCHES, "{rows} rows in {steps} steps");
    let (steps, rows) = taken(0..archive.position());
    assert!(steps > MATCHES && rows == MATCHES + 1, "{rows} rows in {steps} steps");
}

#[test]
fn one_match_and_names_of_emoji() {
    let (folder, [data, out]) = acceptance::places(["data", "out"]);
    let server = Server::asked(&data, catalog::games());
    let client = server.client();
    let name = "🎲🪶".repeat(20);
    // Marks that must not end a cell or a literal.
    let other = "\"',;\\Munin--";
    let seats = json!([{"name": &name}, {"name": other}]);
    let table = Table::open(&client, &json!({"game": "rosenkoenig", "seats": seats}));
    // Before any match has ended there are tables without rows.
    assert_eq!(client.get("/v1/tables/seats.csv").text().lines().count(), 1);
    table.finish(&mut Dice::new(1));
    wait(&client);
    let query = |sql: &str| client.query(sql).ok()["rows"].clone();
    let stored = query("SELECT name FROM seats ORDER BY seat");
    assert_eq!(stored, json!([[name], [other]]));
    let found = client.post(
        "/v1/query",
        &json!({"sql": "SELECT count(*) FROM seats WHERE name = :name", "parameters": {"name": &name}}),
    );
    assert_eq!(found.ok()["rows"], json!([[1]]));
    for format in ["csv", "ndjson", "parquet"] {
        let rows = rows(&client, folder.path(), &format!("seats.{format}"), "");
        let names: Vec<&Value> = rows.iter().map(|row| &row["name"]).collect();
        assert_eq!(names, [&json!(name), &json!(other)], "{format}");
    }
    // Of one value there is a mean and a median, but no deviation; of none there is nothing.
    let one =
        "SELECT count(*), avg(event_count) = median(event_count), stddev(event_count) FROM matches";
    assert_eq!(query(one), json!([[1, 1, null]]));
    let none = format!("{one} WHERE game = 'delphi'");
    assert_eq!(query(&none), json!([[0, null, null]]));
    server.stop();
    export(&data, &out, &[]);
    let tables = tables(&out);
    assert_eq!(tables["seats"][0]["name"], json!(name));
    assert_eq!(tables["matches"].len(), 1);
}
