//! What a server counts from the feed has what the other one was told.

use std::thread;
use std::time::{Duration, Instant};

use acceptance::process::Process;
use acceptance::{Client, Dice, Table};
use serde_json::{Value, json};

use crate::{postgres, serve};

const SQL: &str = "SELECT match_id, command_count, event_count FROM matches";

/// The rows of the first answer that says it is complete.
fn rows(client: &Client) -> Value {
    let start = Instant::now();
    loop {
        let answer = client.query(SQL);
        // A 503 where nothing is counted yet.
        if answer.status == 200 && answer.json()["complete"] == json!(true) {
            return answer.json()["rows"].clone();
        }
        assert!(matches!(answer.status, 200 | 503), "{}", answer.text());
        assert!(start.elapsed() < Duration::from_secs(30), "never complete: {}", answer.text());
        thread::sleep(Duration::from_millis(20));
    }
}

/// An answer that is called complete has what was acknowledged at the other server before, at once, and tables are the same at both.
#[test]
fn queries_and_tables_have_what_was_finished_at_the_other_server() {
    let Some(address) = postgres::database() else { return };
    let folders = [0, 1].map(|_| tempfile::tempdir().expect("a folder"));
    let servers = folders
        .each_ref()
        .map(|folder| Process::spawn(serve(&address, folder.path()).args(["--query", "on"])));
    let clients = servers.each_ref().map(Process::client);
    let mut dice = Dice::new(6);
    for count in 1..=4 {
        let (own, other) = (&clients[count % 2], &clients[1 - count % 2]);
        let table = Table::rosenkoenig(own);
        let accepted = table.finish(&mut dice);
        let rows = rows(other);
        let rows = rows.as_array().expect("rows");
        assert_eq!(rows.len(), count);
        let row = rows.iter().find(|row| row[0] == json!(table.id)).expect("the newest is there");
        assert_eq!(row[1], json!(accepted.len()));
        assert_eq!(row[2], json!(table.version()));
    }
    for file in ["matches.csv", "events.ndjson", "commands.csv"] {
        let path = format!("/v1/tables/{file}");
        let tables = clients.each_ref().map(|client| client.get(&path));
        assert_eq!(tables[0].status, 200, "{file}: {}", tables[0].text());
        assert!(tables[0].body.len() > 200, "{file}");
        assert_eq!(tables[0].body, tables[1].body, "{file}");
    }
}
