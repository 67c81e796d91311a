//! The database is gone for a while: requests are refused, nothing is taken for damaged, and all goes on without a restart.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use acceptance::process::Process;
use acceptance::{Answer, Client, Dice, Request, Table, until};
use archive::{Archive, Projection};
use kernel::Lexicon;
use report::Report;
use serde_json::{Value, json};
use store::Home;
use tables::{Catalogue, Download, DownloadError, Format, Pieces, Selection, Wanted};

use crate::postgres;

#[track_caller]
pub(crate) fn unavailable(answer: &Answer) {
    assert_eq!(answer.status, 503, "{}", answer.text());
    assert_eq!(answer.header("content-type"), Some("application/problem+json"));
    assert_eq!(answer.json()["code"], "unavailable", "{}", answer.text());
    assert!(!answer.text().contains("muninn@"), "{}", answer.text());
}

/// A database that does not answer says nothing about what it has.
#[track_caller]
pub(crate) fn nothing_damaged(client: &Client) {
    assert_eq!(client.get("/v1/damaged").ok()["items"], json!([]));
}

/// Asks until it is answered as before.
pub(crate) fn again(client: &Client, path: &str) -> Answer {
    (0..400)
        .find_map(|_| {
            thread::sleep(Duration::from_millis(50));
            Some(client.get(path)).filter(|answer| answer.status == 200)
        })
        .unwrap_or_else(|| panic!("{path} is answered again"))
}

/// A database that nobody reaches.
struct Away<'a> {
    name: &'a str,
    other: String,
}

impl Away<'_> {
    /// `but`: whose sessions go on, in SQL.
    fn of<'a>(address: &'a str, but: &str) -> Away<'a> {
        let (rest, name) = address.rsplit_once('/').expect("a name");
        let away = Away { name, other: format!("{rest}/postgres") };
        away.connections("false");
        let end = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = ";
        postgres::sql(&away.other, &format!("{end}'{name}'{but}"));
        away
    }

    fn end(self) {
        self.connections("true");
    }

    fn connections(&self, allowed: &str) {
        let Away { name, other } = self;
        postgres::sql(other, &format!("ALTER DATABASE {name} ALLOW_CONNECTIONS {allowed}"));
    }
}

/// A server that keeps no match in memory, unless `more` says so, and is in nobody's way.
pub(crate) fn serve(address: &str, folder: &Path, more: &[&str]) -> Process {
    let mut serve = Process::command(folder);
    serve.args(["--store", address, "--rate-limit-address", "0", "--rate-limit-token", "0"]);
    Process::spawn(serve.env("MUNINN_MATCHES_MIB", "0").args(more))
}

/// Two matches that have begun, and what they were opened with.
pub(crate) fn two_begun(client: &Client, dice: &mut Dice) -> (Value, [Table; 2]) {
    let seats = json!([{"name": "Hugin"}, {"name": "Munin"}]);
    let open = json!({"game": "rosenkoenig", "seats": seats});
    let tables = [0, 1].map(|_| Table::open(client, &open));
    tables.iter().for_each(|table| drop(table.play(dice, 3)));
    (open, tables)
}

#[test]
fn a_database_that_is_away_is_waited_for() {
    let Some(address) = postgres::database() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let server = serve(&address, folder.path(), &[]);
    let client = server.client();
    let mut dice = Dice::new(1);
    let (open, tables) = two_begun(&client, &mut dice);
    let path = format!("/v1/matches/{}/commits", tables[0].id);
    let before = client.get(&path);
    tables[1].finish(&mut dice);
    let finished = client.get("/v1/tables/matches.csv").text();
    let metrics = server.operator().get("/metrics").text();
    assert!(!metrics.contains("muninn_store_disk_free_bytes"), "the disk is the database's");
    assert!(server.operator().figure("muninn_derived_disk_free_bytes") > 0, "that of --data");

    let is_away = Away::of(&address, "");
    unavailable(&client.get(&path));
    // It takes no key: nothing may be stored under one.
    unavailable(&client.get_with(&path, "Idempotency-Key", "mine"));
    let back = Request::new("POST", &format!("/v1/matches/{}/take-back", tables[0].id));
    unavailable(&tables[0].seat(0).send(back.header("Idempotency-Key", "mine")));
    unavailable(&client.post("/v1/matches", &open));
    unavailable(&client.get("/readyz"));
    unavailable(&client.get("/v1/events"));
    unavailable(&client.get("/v1/tables/matches.csv"));
    nothing_damaged(&client);

    is_away.end();
    assert_eq!(again(&client, &path).body, before.body);
    again(&client, "/readyz");
    nothing_damaged(&client);
    assert_eq!(client.get("/v1/tables/matches.csv").text(), finished);
    tables[0].play(&mut dice, 2);
    Table::open(&client, &open);
    server.stop();
}

/// It is asked for the next one each second, and who is not answered has no news of a name.
#[test]
fn nothing_is_logged_of_names_that_nobody_forgot() {
    let Some(address) = postgres::database() else { return };
    let (folder, [log]) = acceptance::places(["log"]);
    let mut serve = Process::command(&folder.path().join("derived"));
    serve.args(["--store", &address, "--log", "warn"]).env("MUNINN_MATCHES_MIB", "0");
    let server = Process::spawn(serve.stderr(File::create(&log).expect("a file for the log")));
    let client = server.client();
    let (_, tables) = two_begun(&client, &mut Dice::new(4));
    let is_away = Away::of(&address, "");
    thread::sleep(Duration::from_secs(3));
    unavailable(&client.get(&format!("/v1/matches/{}/commits", tables[0].id)));
    is_away.end();
    again(&client, "/readyz");
    server.stop();
    let log = fs::read_to_string(&log).expect("a log");
    assert!(log.contains("cannot read the database"), "what is away is told: {log}");
    assert!(!log.contains("forgotten"), "{log}");
}

/// What the database does not give out is not left out of tables, as what is damaged is.
#[test]
fn tables_end_where_the_database_does_not_answer() {
    let Some(address) = postgres::database() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let server = serve(&address, folder.path(), &[]);
    let (_, [first, second]) = two_begun(&server.client(), &mut Dice::new(2));
    [first, second].iter().for_each(|table| drop(table.finish(&mut Dice::new(3))));
    server.stop();
    let home = Home::Database(address.clone().into());
    let archive = Archive::open(home, catalog::games(), 8 << 20).expect("the store opens");
    let rows = || {
        let (table, wanted) = ("matches".to_owned(), Wanted::default());
        let selection = Selection { table, wanted, span: 0..archive.position() };
        let catalogue = Arc::new(Catalogue::new(catalog::games()));
        let download = Download::new(archive.clone(), catalogue, Format::Ndjson, selection);
        let mut download = download.expect("its head is written").expect("there is such a table");
        let mut rows = Vec::new();
        while let Some(piece) = download.next_piece()? {
            rows.extend(piece);
        }
        Ok::<_, DownloadError>(String::from_utf8(rows).expect("text").lines().count())
    };
    assert_eq!(rows().expect("all is there"), 2);
    let is_away = Away::of(&address, "");
    let error = rows().expect_err("nothing is left out");
    assert!(matches!(error, DownloadError::Away(_)), "{error}");
    is_away.end();
    assert_eq!(rows().expect("all is there again"), 2);
}

/// A store with two finished matches, which no server uses.
fn two_finished(address: &str) -> Archive {
    let folder = tempfile::tempdir().expect("a folder");
    let server = serve(address, folder.path(), &[]);
    let (_, tables) = two_begun(&server.client(), &mut Dice::new(5));
    tables.iter().for_each(|table| drop(table.finish(&mut Dice::new(6))));
    server.stop();
    let home = Home::Database(address.to_owned().into());
    Archive::open(home, catalog::games(), 8 << 20).expect("the store opens")
}

/// Whoever counts is told that it is not all.
#[test]
fn counting_ends_where_the_database_does_not_answer_and_says_so() {
    let Some(address) = postgres::database() else { return };
    let archive = two_finished(&address);
    let (mut counted, until) = (Projection::default(), archive.position());
    let is_away = Away::of(&address, "");
    let told = counted.go_on(&archive, until, &mut |_| true);
    assert!(told.len() == 1 && told[0].is_away(), "{told:?}");
    assert_eq!((counted.position(), counted.damaged()), (0, 0));
    is_away.end();
    assert_eq!(counted.go_on(&archive, until, &mut |_| true), []);
    assert_eq!(counted.position(), until);
}

/// Whether they are of this store cannot be said then.
#[test]
fn statistics_stay_as_they_are_while_the_database_does_not_answer() {
    let Some(address) = postgres::database() else { return };
    let archive = two_finished(&address);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("statistics.json");
    let mut counted = Projection::default();
    assert_eq!(counted.go_on(&archive, archive.position(), &mut |_| true), []);
    counted.write(&file).expect("it is written");
    let is_away = Away::of(&address, "");
    Projection::read(&file, &archive).expect_err("nobody says whose they are");
    is_away.end();
    let read = Projection::read(&file, &archive).expect("the database says it");
    assert_eq!(read, (counted, None));
}

/// Ends whoever has locked a table. Other tests have databases of the same cluster.
const END_LOCK: &str = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE query LIKE 'BEGIN; LOCK%' AND datname = current_database()";

/// Waits until somebody has a table for himself.
pub(crate) fn until_locked(address: &str, table: &str) {
    let locked = format!(
        "SELECT count(*) FROM pg_locks JOIN pg_class ON oid = relation WHERE relname = '{table}' AND mode = 'AccessExclusiveLock'
        AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    );
    until("it is locked", || postgres::sql(address, &locked) == "1");
}

/// What is done while somebody has a table for himself.
#[track_caller]
pub(crate) fn while_locked<T>(address: &str, table: &str, act: impl FnOnce() -> T) -> T {
    let lock = format!(
        "BEGIN; LOCK TABLE muninn.{table} IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(60); COMMIT"
    );
    thread::scope(|scope| {
        let locked = scope.spawn(|| postgres::sql(address, &lock));
        until_locked(address, table);
        let done = act();
        postgres::sql(address, END_LOCK);
        assert!(locked.join().is_err(), "it was locked until it was ended");
        done
    })
}

/// The look at every match waits for it, and leaves none out.
#[test]
fn every_match_is_looked_at_after_the_database_was_away() {
    let Some(address) = postgres::database() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let server = serve(&address, folder.path(), &[]);
    let (_, [spoilt, _]) = two_begun(&server.client(), &mut Dice::new(8));
    // The list is complete when it starts again.
    server.stop();
    let id = &spoilt.id;
    let last = format!("(SELECT max(number) FROM muninn.commits WHERE stream = '{id}')");
    let damage = "UPDATE muninn.commits SET bytes = set_byte(bytes, 4, 9)";
    postgres::sql(&address, &format!("{damage} WHERE stream = '{id}' AND number = {last}"));

    while_locked(&address, "headers", || {
        let server = serve(&address, folder.path(), &[]);
        let client = server.client();
        let waiting = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
        until("the look waits for the headers", || postgres::sql(&address, waiting) != "0");
        // Whoever has locked them is away, too.
        let is_away = Away::of(&address, "");
        until("it is away", || client.get("/readyz").status == 503);
        is_away.end();
        until("the damaged match is found", || {
            client.get("/v1/damaged").ok()["items"][0]["match"] == json!(id)
        });
        server.stop();
    });
}

/// A page of a part would look like one of all.
#[test]
fn a_report_ends_where_the_database_does_not_answer() {
    let Some(address) = postgres::database() else { return };
    let archive = two_finished(&address);
    let game = catalog::games().iter().find(|game| game.info().id == "rosenkoenig");
    let game = *game.expect("there is such a game");
    let words = Lexicon::new(game.info(), &[], &[], &[]).expect("they are TOML");
    let read = || {
        let words = words.of(&["en"]).clone();
        let mut report = Report::new(game, &[], words).expect("nothing is asked");
        let finishes = archive.finishes(0..archive.position());
        let damaged = report.read(&archive, finishes, 2, &|_| {});
        damaged.map(|damaged| (damaged.len(), report.matches()))
    };
    assert_eq!(read().expect("all is there"), (0, 2));
    let is_away = Away::of(&address, "");
    let error = read().expect_err("nothing is left out");
    assert!(error.is_away(), "{error}");
    is_away.end();
    assert_eq!(read().expect("all is there again"), (0, 2));
}

/// Nearly all matches are read anew for each move.
#[test]
fn bots_play_on_after_their_matches_could_not_be_read() {
    let Some(address) = postgres::database() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let server = serve(&address, folder.path(), &["--bot-pause", "500"]);
    let client = server.client();
    let body = json!({"game": "delphi", "seats": [{"bot": "random"}, {"bot": "random"}]});
    let open = || client.open(&body).created()["match"].as_str().expect("an id").to_owned();
    let ids: Vec<String> = (0..4).map(|_| open()).collect();
    thread::sleep(Duration::from_secs(2));

    // The server keeps its leases, otherwise no bot would try.
    let leases = "AND pid NOT IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory')";
    let is_away = Away::of(&address, leases);
    thread::sleep(Duration::from_secs(2));
    is_away.end();
    for id in &ids {
        let path = format!("/v1/matches/{id}");
        let version = || again(&client, &path).json()["version"].as_u64().expect("a number");
        let before = version();
        let plays_on = (0..400).any(|_| version() > before);
        assert!(plays_on, "nobody plays on in {id}");
    }
    server.stop();
}
