//! A name that is forgotten.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use acceptance::process::{Process, verify};
use acceptance::{Answer, Client, Dice, Request, Table, run_on, simulate, until};
use parquet::file::reader::SerializedFileReader;
use rusqlite::Connection;
use serde_json::{Value, json};

fn forget(server: &Process, body: &Value) -> Answer {
    server.operator().send(Request::new("POST", "/names/forget").json(body))
}

fn players(client: &Client) -> Vec<String> {
    let players = client.get("/v1/stats/rosenkoenig/players");
    if players.status != 200 {
        return vec!["not yet".to_owned()];
    }
    let items = players.ok()["items"].clone();
    let items = items.as_array().expect("a list").iter();
    items.filter_map(|player| player["name"].as_str().map(str::to_owned)).collect()
}

fn report(client: &Client) -> String {
    let page = client.get("/v1/stats/rosenkoenig/report?group_by=player");
    assert_eq!(page.status, 200);
    page.text()
}

#[test]
fn a_forgotten_name_is_nowhere_and_the_chain_holds() {
    let (_folder, [data]) = acceptance::places(["data"]);
    let server = Process::serve(&data, &["--query", "on"]);
    let client = server.client();
    let open = |first: &str, second: &str| {
        let seats = json!([{"name": first}, {"name": second}]);
        Table::open(&client, &json!({"game": "rosenkoenig", "seats": seats}))
    };
    let (finished, running, other) = (open("Ada", "Ben"), open("Ben", "Ada"), open("Ben", "Cora"));
    // Somebody else's name was kept for the seat that Cora takes.
    let kept = json!([{"name": "Ben"}, {"name": "Ada", "open": true}]);
    let kept = Table::open(&client, &json!({"game": "rosenkoenig", "seats": kept}));
    client.take_seat(&kept.id, 1, &json!({"name": "Cora"})).created();
    finished.finish(&mut Dice::new(3));
    other.finish(&mut Dice::new(4));
    until("all are counted", || players(&client).contains(&"Cora".to_owned()));
    let query = json!({"sql": "SELECT DISTINCT name FROM seats ORDER BY name"});
    let rows = || client.post("/v1/query", &query);
    until("all are filled", || rows().status == 200 && rows().text().contains("Cora"));
    let before = client.commits(&finished.id, "").ok();
    assert!(report(&client).contains("Ada"));

    let first = json!({"name": "Ada", "match": running.id});
    assert_eq!(forget(&server, &first).ok(), json!({"matches": 1, "names": 1}));
    assert_eq!(client.names(&running.id), [json!("Ben"), Value::Null]);
    assert_eq!(client.names(&finished.id), [json!("Ada"), json!("Ben")]);
    assert_eq!(forget(&server, &json!({"name": "Ada"})).ok(), json!({"matches": 2, "names": 2}));
    assert_eq!(forget(&server, &json!({"name": "Ada"})).ok(), json!({"matches": 0, "names": 0}));
    forget(&server, &json!({"names": "Ada"})).problem(400, "malformed");
    let nowhere = |client: &Client| {
        assert_eq!(client.names(&finished.id), [Value::Null, json!("Ben")]);
        let seat = &client.info(&finished.id).ok()["seats"][0];
        assert!(seat["name_commitment"].is_string() && seat["name_salt"].is_null(), "{seat}");
        let listed = client.matches("").ok();
        assert!(!listed.to_string().contains("Ada"), "{listed}");
        assert_eq!(client.matches("player=Ada").ok()["items"], json!([]));
        assert_eq!(client.commits(&finished.id, "").ok(), before, "the chain is as it was");
        until("they are counted anew", || {
            let players = players(client);
            players.contains(&"Cora".to_owned()) && !players.contains(&"Ada".to_owned())
        });
        // Whoever asks for the name is told what is told of a name that nobody has, and no group has it.
        let finished = |query: &str| {
            let mut finished =
                client.get(&format!("/v1/stats/rosenkoenig?{query}")).ok()["finished"].take();
            // It goes on counting between two questions.
            for name in ["asked", "position", "feed_end", "complete"] {
                finished[name] = Value::Null;
            }
            finished
        };
        let (forgotten, nobody) = (finished("player=Ada"), finished("player=Nobody"));
        assert_eq!((&forgotten["matches"], &forgotten), (&json!(0), &nobody));
        for query in
            ["group_by=player", "group_by=player,day&players=all", "player=Ben&group_by=player"]
        {
            let told = finished(query);
            assert!(
                told["matches"].as_u64() > Some(0) && !told.to_string().contains("Ada"),
                "{told}"
            );
        }
        let report = report(client);
        assert!(report.contains("Cora") && !report.contains("Ada"));
        until("they are filled anew", || {
            let rows = client.post("/v1/query", &query);
            rows.status == 200 && rows.text().contains("Cora") && !rows.text().contains("Ada")
        });
    };
    nowhere(&client);
    // Nothing was damaged: nobody is alarmed.
    assert_eq!(server.operator().rebuilt("tables"), 0);
    running.play(&mut Dice::new(5), 3);
    server.stop();
    let statistics = fs::read_to_string(data.join("statistics.json")).expect("a file");
    assert!(!statistics.contains("Ada"), "{statistics}");
    assert_eq!(verify(&data).0, Some(0));
    let server = Process::serve(&data, &["--query", "on"]);
    nowhere(&server.client());
    server.kill();
    let server = Process::serve(&data, &["--query", "on"]);
    nowhere(&server.client());
    server.stop();
}

/// Matches in which nobody is interested do not take the place of those that are played.
#[test]
fn a_name_is_forgotten_without_folding_the_matches_that_are_not_in_memory() {
    let (_folder, [data]) = acceptance::places(["data"]);
    let server = Process::serve(&data, &[]);
    let client = server.client();
    for seed in 1..=3 {
        let seats = json!([{"name": "Gunnlod"}, {"name": "Skirnir"}]);
        let table = Table::open(&client, &json!({"game": "rosenkoenig", "seats": seats}));
        table.finish(&mut Dice::new(seed));
    }
    server.stop();
    let server = Process::serve(&data, &[]);
    let folded = || server.operator().figure("muninn_match_cache_misses_total");
    let before = folded();
    assert_eq!(forget(&server, &json!({"name": "Gunnlod"})).ok()["matches"], 3);
    assert_eq!(folded(), before);
    let client = server.client();
    assert_eq!(client.matches("player=Gunnlod").ok()["items"], json!([]));
    let listed = client.matches("player=Skirnir").ok()["items"].clone();
    assert_eq!(listed.as_array().map(Vec::len), Some(3));
    assert!(!listed.to_string().contains("Gunnlod"), "{listed}");
    let id = listed[0]["match"].as_str().expect("an id");
    assert_eq!(client.names(id), [Value::Null, json!("Skirnir")]);
}

/// Nothing waits for what is made anew: until then it is not asked, or has no name at all.
#[test]
fn a_forgotten_name_is_in_no_answer_from_that_moment_on() {
    let server = Process::alone(&["--query", "on"]);
    let client = server.client();
    for (seed, names) in (3..).zip([["Gunnlod", "Skirnir"], ["Heimdall", "Gunnlod"]]) {
        let seats = names.map(|name| json!({"name": name}));
        let open = json!({"game": "rosenkoenig", "seats": seats});
        Table::open(&client, &open).finish(&mut Dice::new(seed));
    }
    let whole = |format: &str| {
        let answer = client.get(&format!("/v1/tables/seats.{format}"));
        assert_eq!((answer.status, answer.header("complete")), (200, Some("true")), "{format}");
        answer.text()
    };
    let rows = || client.query("SELECT name FROM seats");
    for name in ["Gunnlod", "Skirnir"] {
        until("all are counted", || players(&client).contains(&"Heimdall".to_owned()));
        until("all are filled", || rows().status == 200 && rows().text().contains("Heimdall"));
        assert!(players(&client).contains(&name.to_owned()));
        assert!(rows().text().contains(name) && whole("csv").contains(name));
        forget(&server, &json!({"name": name})).ok();
        for format in ["csv", "ndjson"] {
            let seats = whole(format);
            assert!(seats.contains("Heimdall") && !seats.contains(name), "{seats}");
        }
        let rows = rows();
        match rows.status {
            200 => assert!(!rows.text().contains(name), "{}", rows.text()),
            _ => drop(rows.problem(503, "unavailable")),
        }
        for path in ["?group_by=player", "/players", "/players?players=all"] {
            let told = client.get(&format!("/v1/stats/rosenkoenig{path}")).ok();
            assert!(!told.to_string().contains(name), "{told}");
        }
        let player = || client.get(&format!("/v1/players/{name}")).status;
        assert!([404, 503].contains(&player()));
        until("nobody has the name", || player() == 404);
        // That is known only when all are counted.
        assert!(players(&client).contains(&"Heimdall".to_owned()));
    }
    server.stop();
}

/// Asks for everything that is derived until it is complete: a name is in none of it, not even at first.
fn never_told(client: &Client, name: &str) {
    let player = || client.get(&format!("/v1/players/{name}")).status;
    until("all is made anew", || {
        let rows = client.query("SELECT name FROM seats");
        let counted = client.get("/v1/stats/rosenkoenig?group_by=player").ok();
        let others = ["/v1/stats/rosenkoenig/players", "/v1/tables/seats.csv", "/v1/matches"];
        let others = others.map(|path| client.get(path).text()).concat();
        for told in [rows.text(), counted.to_string(), others, report(client)] {
            assert!(!told.contains(name), "{told}");
        }
        assert!([404, 503].contains(&player()));
        rows.status == 200
            && rows.json()["complete"] == true
            && counted["finished"]["complete"] == true
    });
    assert_eq!(player(), 404);
}

/// The server has no time to make anew what was derived, and finds it again at its next start.
#[test]
fn a_forgotten_name_does_not_come_back_when_the_server_is_killed_at_once() {
    const NAMES: [&str; 3] = ["Gunnlod", "Skirnir", "Heimdall"];
    let (_folder, [data]) = acceptance::places(["data"]);
    let serve = || Process::serve(&data, &["--query", "on"]);
    let server = serve();
    for (seed, name) in (3..).zip(NAMES) {
        let seats = json!([{"name": name}, {"name": "Ben"}]);
        let open = json!({"game": "rosenkoenig", "seats": seats});
        Table::open(&server.client(), &open).finish(&mut Dice::new(seed));
    }
    let derived = |server: &Process, name: &str| {
        let client = server.client();
        let rows = || client.query("SELECT name FROM seats");
        until("all are counted", || players(&client).contains(&name.to_owned()));
        until("all are filled", || rows().status == 200 && rows().text().contains(name));
    };
    NAMES.iter().for_each(|name| derived(&server, name));
    // It keeps what it has counted.
    server.stop();
    let mut found_again = 0;
    for name in NAMES {
        let server = serve();
        derived(&server, name);
        forget(&server, &json!({"name": name})).ok();
        server.kill();
        let left = fs::read_to_string(data.join("statistics.json")).expect("a file");
        found_again += usize::from(left.contains(name));
        let server = serve();
        never_told(&server.client(), name);
        server.stop();
        let left = fs::read_to_string(data.join("statistics.json")).expect("a file");
        assert!(!left.contains(name), "{left}");
    }
    assert!(found_again > 0, "each time it was made anew before the kill: that proves nothing");
}

/// The operator is told so, and the server has no more time for it.
#[test]
fn a_forgotten_name_does_not_come_back_where_the_list_could_not_be_written() {
    let (_folder, [data]) = acceptance::places(["data"]);
    let serve = || Process::serve(&data, &["--query", "on"]);
    let server = serve();
    let seats = json!([{"name": "Gunnlod"}, {"name": "Ben"}]);
    let open = json!({"game": "rosenkoenig", "seats": seats});
    Table::open(&server.client(), &open).finish(&mut Dice::new(3));
    server.stop();
    let server = serve();
    let list = Connection::open(data.join("list.sqlite")).expect("it opens");
    list.execute_batch("BEGIN IMMEDIATE").expect("nobody writes");
    let told = forget(&server, &json!({"name": "Gunnlod"})).problem(503, "unavailable");
    assert!(
        told["detail"].as_str().is_some_and(|detail| detail.contains("is forgotten")),
        "{told}"
    );
    server.kill();
    drop(list);
    let server = serve();
    let client = server.client();
    assert_eq!(client.matches("player=Gunnlod").ok()["items"], json!([]));
    assert_eq!(client.matches("player=Ben").ok()["items"].as_array().map(Vec::len), Some(1));
    assert_eq!(server.operator().rebuilt("list"), 0, "it is brought up to date");
    never_told(&client, "Gunnlod");
    // Asked again, it is as it should be.
    let forgotten = forget(&server, &json!({"name": "Gunnlod"})).ok();
    assert_eq!(forgotten, json!({"matches": 0, "names": 0}));
    server.stop();
}

/// Statistics and tables wait for their turn while a name in them is forgotten: the answers that come after that.
fn asked_meanwhile(server: &Process, name: &str) -> Vec<Answer> {
    const ASKING: usize = 60;
    let client = server.client();
    let seats = json!([{"name": name}, {"name": "Ben"}]);
    let open = json!({"game": "rosenkoenig", "seats": seats});
    Table::open(&client, &open).finish(&mut Dice::new(3));
    until("it is counted", || players(&client).contains(&name.to_owned()));
    until("it is filled", || {
        let rows = client.query("SELECT name FROM seats");
        rows.status == 200 && rows.text().contains(name)
    });
    let busy = Table::open(&client, &json!({"game": "copenhagen", "seats": [{}, {}, {}, {}]}));
    busy.play(&mut Dice::new(2), 20);
    let seat = busy.seat(busy.active().expect("it runs"));
    let half = json!({"type": "PlaceTile"});
    let player = format!("/v1/players/{name}");
    let paths = [
        "/v1/stats/rosenkoenig?group_by=player",
        "/v1/stats/rosenkoenig/players",
        &player,
        "/v1/stats/rosenkoenig/report?group_by=player",
        "/v1/tables/seats.csv",
    ];
    let (over, answers) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let early = thread::scope(|scope| {
        for _ in 0..ASKING {
            scope.spawn(|| {
                seat.dry_run(&busy.id, &half);
                over.fetch_add(1, Ordering::AcqRel);
            });
        }
        until("one of them is over", || over.load(Ordering::Acquire) > 0);
        let before = over.load(Ordering::Acquire);
        for path in paths {
            let (client, answers) = (&client, &answers);
            scope.spawn(move || {
                let answer = client.get(path);
                answers.lock().expect("no test panics here").push(answer);
            });
        }
        // By then they wait behind the others.
        let enough = ASKING.min(before + 3);
        until("some more are over", || over.load(Ordering::Acquire) >= enough);
        let forgotten = forget(server, &json!({"name": name})).ok();
        assert_eq!(forgotten, json!({"matches": 1, "names": 1}));
        // What was sent before has arrived by then.
        thread::sleep(Duration::from_millis(300));
        answers.lock().expect("no test panics here").len()
    });
    answers.into_inner().expect("no test panics here").split_off(early)
}

#[test]
fn a_forgotten_name_is_in_no_answer_that_waited_meanwhile() {
    let server = Process::alone(&["--query", "on"]);
    // Where forgetting takes long, all of them may be answered before: then that proves nothing.
    let waited = ["Gunnlod", "Skirnir", "Heimdall"].into_iter().any(|name| {
        let answers = asked_meanwhile(&server, name);
        for answer in &answers {
            let told = answer.text();
            assert!(matches!(answer.status, 200 | 404 | 503), "{told}");
            assert!(!told.contains(name), "{told}");
        }
        !answers.is_empty()
    });
    assert!(waited, "nobody waited while a name was forgotten");
    server.stop();
}

/// Whether a Parquet file has this name.
fn has_name(file: &Path, name: &str) -> bool {
    let rows = SerializedFileReader::new(File::open(file).expect("a file"));
    let mut rows = rows.expect("a Parquet file").into_iter();
    rows.any(|row| row.expect("a row").to_string().contains(name))
}

/// Nothing of a small Parquet file is sent before all of its rows were read: by then the names were read long ago.
#[test]
fn a_forgotten_name_is_in_no_table_that_was_being_made() {
    const NAMES: [(&str, u64); 6] = [
        ("Gunnlod", 30),
        ("Skirnir", 60),
        ("Heimdall", 120),
        ("Sigyn", 240),
        ("Idunn", 480),
        ("Njord", 960),
    ];
    let (folder, [data]) = acceptance::places(["data"]);
    let server = Process::serve(&data, &[]);
    for (name, seed) in NAMES {
        let seats = json!([{"name": name}, {"name": "Ben"}]);
        let open = json!({"game": "rosenkoenig", "seats": seats});
        Table::open(&server.client(), &open).finish(&mut Dice::new(seed));
    }
    server.stop();
    simulate(&data, "--game rosenkoenig --matches 2000 --seed 1");
    let server = Process::serve(&data, &[]);
    let (client, file) = (server.client(), folder.path().join("seats.parquet"));
    // A table that was begun after the name was forgotten, or sent before, proves nothing.
    let was_made = NAMES.into_iter().any(|(name, ahead)| {
        let (is_early, answer) = thread::scope(|scope| {
            let asked = scope.spawn(|| client.get("/v1/tables/seats.parquet"));
            thread::sleep(Duration::from_millis(ahead));
            let forgotten = forget(&server, &json!({"name": name})).ok();
            assert_eq!(forgotten, json!({"matches": 1, "names": 1}));
            // What was sent before has arrived by then.
            thread::sleep(Duration::from_millis(200));
            (asked.is_finished(), asked.join().expect("it is answered"))
        });
        if answer.status == 503 {
            return true;
        }
        assert_eq!(answer.status, 200);
        fs::write(&file, &answer.body).expect("a file");
        assert!(is_early || !has_name(&file, name), "{name}");
        false
    });
    assert!(was_made, "each table was made before a name was forgotten");
    server.stop();
}

/// What an earlier query has left is removed where no server keeps it up.
#[test]
fn a_forgotten_name_is_not_in_the_tables_of_an_earlier_query() {
    let (_folder, [data]) = acceptance::places(["data"]);
    let server = Process::serve(&data, &[]);
    let seats = json!([{"name": "Ada"}, {"name": "Ben"}]);
    let open = json!({"game": "rosenkoenig", "seats": seats});
    Table::open(&server.client(), &open).finish(&mut Dice::new(3));
    server.stop();
    let told = run_on(&data, &["query", "SELECT name FROM seats"]).out;
    assert!(told.contains("Ada"), "{told}");
    let server = Process::serve(&data, &[]);
    forget(&server, &json!({"name": "Ada"})).ok();
    until("they are gone", || !data.join("tables.sqlite").exists());
    server.stop();
}

/// A server that is killed has no time for it, and does it at its next start.
#[test]
fn a_forgotten_name_is_not_in_those_tables_if_the_server_ends_at_once() {
    let (_folder, [data]) = acceptance::places(["data"]);
    let server = Process::serve(&data, &[]);
    for (seed, name) in (3..).zip(["Ada", "Cora"]) {
        let seats = json!([{"name": name}, {"name": "Ben"}]);
        let open = json!({"game": "rosenkoenig", "seats": seats});
        Table::open(&server.client(), &open).finish(&mut Dice::new(seed));
    }
    server.stop();
    let left = || data.join("tables.sqlite").exists();
    for (name, is_killed) in [("Ada", true), ("Cora", false)] {
        let told = run_on(&data, &["query", "SELECT name FROM seats"]).out;
        assert!(told.contains(name), "{told}");
        let server = Process::serve(&data, &[]);
        forget(&server, &json!({"name": name})).ok();
        if is_killed {
            server.kill();
            let server = Process::serve(&data, &[]);
            until("they are gone", || !left());
            server.stop();
        } else {
            server.stop();
            assert!(!left());
        }
    }
}

#[test]
fn a_name_is_forgotten_however_it_is_written() {
    let server = Process::alone(&[]);
    for (number, name) in (1..).zip(["A\u{30a}se", "\u{ff21}sta", "Odin  Borson"]) {
        let body = json!({"game": "rosenkoenig", "seats": [{"name": name}, {"name": "Ben"}]});
        let table = Table::open(&server.client(), &body);
        assert_ne!(server.client().names(&table.id)[0], name, "it is kept in another form");
        let forgotten = forget(&server, &json!({"name": name})).ok();
        assert_eq!(forgotten, json!({"matches": 1, "names": 1}), "{number}");
        assert_eq!(server.client().names(&table.id)[0], Value::Null);
    }
    server.stop();
}
