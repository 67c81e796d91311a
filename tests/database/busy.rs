//! The database is there, and does not do what it is asked: a table is locked, or there are no sessions left.

use std::thread;
use std::time::Duration;

use acceptance::process::Process;
use acceptance::{Answer, Client, Dice, Request, Table, muninn, until};
use serde_json::json;

use crate::away::{
    again, nothing_damaged, serve, two_begun, unavailable, until_locked, while_locked,
};
use crate::postgres;
use crate::refused::refused;

/// Waits until a request is refused for want of the database.
#[track_caller]
fn until_unavailable(mut ask: impl FnMut() -> Answer) {
    let found = (0..200).find_map(|_| {
        thread::sleep(Duration::from_millis(50));
        Some(ask()).filter(|answer| answer.status != 200)
    });
    unavailable(&found.expect("it is refused"));
}

/// A match with some commits, and where they are.
fn begun(client: &Client, dice: &mut Dice) -> (Table, String) {
    let seats = json!([{"name": "Hugin"}, {"name": "Munin"}]);
    let table = Table::open(client, &json!({"game": "rosenkoenig", "seats": seats}));
    table.play(dice, 3);
    let path = format!("/v1/matches/{}/commits", table.id);
    (table, path)
}

#[test]
fn a_statement_that_takes_too_long_is_given_up_and_nothing_is_lost() {
    let Some(address) = postgres::database() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let server = serve(&address, folder.path(), &[]);
    let client = server.client();
    let mut dice = Dice::new(1);
    let (table, path) = begun(&client, &mut dice);
    let before = client.get(&path);
    let seat = table.seat(table.active().expect("a seat"));
    let command = &table.legal()[0];
    let body = json!({"command": command, "expected_version": table.version()});
    let post = || {
        let path = format!("/v1/matches/{}/commands", table.id);
        let request = Request::new("POST", &path).json(&body);
        seat.send(seat.signed(request.header("idempotency-key", "one-and-the-same-key")))
    };

    thread::scope(|scope| {
        let lock = "BEGIN; LOCK TABLE muninn.commits IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(20); COMMIT";
        let locked = scope.spawn(|| postgres::sql(&address, lock));
        until_locked(&address, "commits");
        let (written, read) = thread::scope(|scope| {
            let written = scope.spawn(post);
            let read = client.get(&path);
            (written.join().expect("an answer"), read)
        });
        assert!(!locked.is_finished(), "they were given up, they did not wait for the lock");
        unavailable(&written);
        unavailable(&read);
        client.get("/healthz").ok();
    });

    assert_eq!(again(&client, &path).body, before.body, "what was refused is not there");
    let first = post();
    assert_eq!(first.status, 201, "{}", first.text());
    assert_eq!(post().body, first.body);
    table.play(&mut dice, 2);
    server.stop();
}

/// A disk that is full: here a trigger says so.
#[test]
fn a_database_that_refuses_every_write_makes_a_server_unready() {
    let Some(address) = postgres::database() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let server = serve(&address, folder.path(), &[]);
    let client = server.client();
    let (table, _) = begun(&client, &mut Dice::new(1));
    client.get("/readyz").ok();
    let full = "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'No space left on device' USING ERRCODE = '53100'; END $$;
        CREATE TRIGGER full_disk BEFORE INSERT ON muninn.commits FOR EACH ROW EXECUTE FUNCTION full_disk()";
    postgres::sql(&address, full);
    let open = json!({"game": "rosenkoenig", "seats": [{}, {}]});
    unavailable(&client.post("/v1/matches", &open));
    let ready = client.get("/readyz");
    assert!(
        ready.problem(503, "unavailable")["detail"]
            .as_str()
            .expect("it says why")
            .contains("refuses")
    );
    client.view(&table.id, "").ok();
    postgres::sql(&address, "DROP TRIGGER full_disk ON muninn.commits");
    // What is written again clears it at once.
    Table::open(&client, &open);
    client.get("/readyz").ok();
    server.stop();
}

#[test]
fn a_feed_that_is_locked_is_refused_and_not_taken_for_damaged() {
    let Some(address) = postgres::database() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let server = serve(&address, folder.path(), &[]);
    let client = server.client();
    begun(&client, &mut Dice::new(1));
    let before = client.get("/v1/events").ok();

    while_locked(&address, "commits", || {
        unavailable(&client.get("/v1/events"));
        nothing_damaged(&client);
    });

    assert_eq!(again(&client, "/v1/events").json(), before);
    nothing_damaged(&client);
    server.stop();
}

#[test]
fn bots_of_many_matches_wait_for_the_database_together() {
    let Some(address) = postgres::database() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let server = serve(&address, folder.path(), &["--matches-mib", "64", "--bot-pause", "100"]);
    let client = server.client();
    let body = json!({"game": "delphi", "seats": [{"bot": "random"}, {"bot": "random"}]});
    (0..8).for_each(|_| drop(client.open(&body).created()));
    let door = server.operator();
    let waiting = || door.figure("muninn_store_waiting_writes");
    // One more is on its way.
    while_locked(&address, "commits", || until("some moves wait", || waiting() > 1));
    nothing_damaged(&client);
    server.stop();
}

/// Whether every match is whole is looked at after the start as well: each of them may take the database long.
#[test]
fn a_server_starts_before_a_slow_database_has_shown_every_match() {
    let Some(address) = postgres::database() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let server = serve(&address, folder.path(), &[]);
    let tables = [(); 8].map(|()| begun(&server.client(), &mut Dice::new(1)).0);
    // Its list is complete when it starts again.
    server.stop();

    // The start does not wait for the matches.
    let server = while_locked(&address, "headers", || {
        let server = serve(&address, folder.path(), &[]);
        server.client().get("/healthz").ok();
        server
    });
    let client = server.client();
    again(&client, &format!("/v1/matches/{}", tables[0].id));
    nothing_damaged(&client);
    server.stop();
}

/// Sessions that wait for a lock are ended, so that what they read is not read.
const END_WAITING: &str = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";

/// Its notes are gone, but the match cannot be read again without it.
#[test]
fn a_forgotten_name_leaves_the_list_when_the_database_answers_again() {
    let Some(address) = postgres::database() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let server = serve(&address, folder.path(), &[]);
    let (client, door) = (server.client(), server.operator());
    two_begun(&client, &mut Dice::new(7));
    let listed = || {
        let found = again(&client, "/v1/matches?player=Hugin").json();
        found["items"].as_array().expect("a list").len()
    };
    assert_eq!(listed(), 2);
    let answer = while_locked(&address, "headers", || {
        thread::scope(|scope| {
            let asks = scope.spawn(|| door.post("/names/forget", &json!({"name": "Hugin"})));
            until("it is answered", || {
                postgres::sql(&address, END_WAITING);
                asks.is_finished()
            });
            asks.join().expect("an answer")
        })
    });
    unavailable(&answer);
    until("the list is without the name", || listed() == 0);
    nothing_damaged(&client);
    server.stop();
}

#[test]
fn a_server_without_sessions_waits_for_them() {
    let Some((cluster, address)) = postgres::alone() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let name = address.rsplit('/').next().expect("a name");
    let sql = |sql: &str| cluster.psql(&address, sql);
    sql("CREATE ROLE plain LOGIN");
    sql("GRANT USAGE ON SCHEMA muninn TO plain");
    sql("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA muninn TO plain");
    sql("GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA muninn TO plain");
    let sessions = |most: i32| sql(&format!("ALTER ROLE plain CONNECTION LIMIT {most}"));
    let end =
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = 'plain'";
    let plain = address.replace("muninn@", "plain@");

    sessions(0);
    let mut start = muninn();
    start.args(["serve", "--listen", "127.0.0.1:0", "--store", &plain, "--data"]);
    start.arg(folder.path());
    refused(start, &[name, "too many connections for role \"plain\""]);

    sessions(-1);
    let server: Process = serve(&plain, folder.path(), &[]);
    let client = server.client();
    let mut dice = Dice::new(1);
    let (table, path) = begun(&client, &mut dice);
    let before = client.get(&path);
    sessions(0);
    sql(end);
    until_unavailable(|| client.get(&path));
    sessions(-1);
    assert_eq!(again(&client, &path).body, before.body);
    table.play(&mut dice, 2);
    server.stop();
}
