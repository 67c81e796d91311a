//! The file of SQL is edited by a program that keeps it open, so that what it writes stays in the log.

use acceptance::Client;
use serde_json::{Value, json};

use crate::flips::{complete, made, rows};
use acceptance::server::Server;

const AWARDS: &str = "SELECT count(*), sum(points), max(match_no) FROM awards";
const EDIT: &str =
    "UPDATE _awards SET points = points + 1 WHERE match_no = (SELECT max(match_no) FROM _awards)";

/// What is answered at once, if it is said to be complete, and what is answered then.
fn asked(client: &Client, told: &Value, what: &str) {
    for _ in 0..3 {
        if let Some(found) = rows(client, AWARDS, what) {
            assert_eq!(found, *told, "{what}");
        }
    }
    assert_eq!(complete(client, AWARDS, what), *told, "{what}");
}

#[test]
fn what_another_program_leaves_in_the_log_is_never_answered() {
    let (_folder, [data]) = acceptance::places(["data"]);
    made(&data);
    let server = Server::asked(&data, catalog::games());
    let client = server.client();
    let told = complete(&client, AWARDS, "before");
    assert_ne!(told[0][0], json!(0));
    for round in 0..8 {
        let db = rusqlite::Connection::open(data.join("tables.sqlite")).expect("a file of SQLite");
        // It has read, so it has the log open, and what it writes stays there until it is closed.
        let count: i64 =
            db.query_row("SELECT count(*) FROM _awards", [], |row| row.get(0)).expect("a number");
        assert!(count > 0);
        db.execute_batch(EDIT).expect("it is written");
        asked(&client, &told, &format!("round {round}, it is open"));
        drop(db);
        asked(&client, &told, &format!("round {round}, it is closed"));
    }
    server.stop();
}
