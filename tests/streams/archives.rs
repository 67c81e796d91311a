//! Portable archives that were written once are restored for ever: into the same store, which tells what was told then and goes on.
//!
//! `archive-1/` holds a whole archive and one that continues it, in format 1, of matches of all games: finished, running, closed, with a seat that
//! was taken, private. They have names, tokens and idempotency keys, and in `told.json` is what their server told.

use std::fs;
use std::path::{Path, PathBuf};

use acceptance::files::{unpacked, unpacked_lines};
use acceptance::proof::{hex, sha256};
use acceptance::server::Server;
use acceptance::{Client, Dice, Request, Table, muninn, run, run_on, until};
use catalog::ROWS;
use serde_json::{Value, json};

use crate::{FIRST, ROOT, names, told};

pub(crate) const FOLDER: &str = "archive-1";
/// A whole one, and one that continues it.
pub(crate) const FILES: [&str; 2] = ["whole.muninn", "later.muninn"];

fn back_up(data: &Path, out: &Path, since: Option<&Path>) {
    let since = since.into_iter().flat_map(|since| [Path::new("--since"), since]);
    run(muninn().arg("backup").arg("--data").arg(data).arg("--out").arg(out).args(since)).ok();
}

fn restore(from: &[PathBuf], data: &Path) {
    run(muninn().arg("restore").arg("--from").args(from).arg("--data").arg(data)).ok();
    run_on(data, &["verify"]).ok();
}

/// The lines of an archive, without what is of the program that wrote it: its name and version, and the SHA-256 over them too. And without the
/// secret of its store's tickets, which archives once had: it goes to no other store.
fn lines(file: &Path) -> Vec<Value> {
    let mut lines = unpacked_lines(file);
    let last = lines.len() - 1;
    assert!(lines[0]["engine"].take().is_string());
    assert!(lines[last]["manifest"]["sha256"].take().is_string());
    let of_tickets = lines.iter().filter(|line| line["note"] == "seeds").count() as u64;
    let notes = lines[last]["manifest"]["notes"].as_u64().expect("a number");
    lines[last]["manifest"]["notes"] = json!(notes - of_tickets);
    lines.retain(|line| line["note"] != "seeds");
    lines
}

#[test]
fn an_archive_of_before_is_restored_and_tells_what_it_told() {
    let recorded = Path::new(ROOT).join(FOLDER);
    if std::env::var_os("RECORD_STREAMS").is_some() && !recorded.exists() {
        record(&recorded);
    }
    let files = FILES.map(|name| recorded.join(name));
    run(muninn().args(["backup", "--verify"]).args(&files)).ok();
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    // Headers, commits, notes with names, tokens and keys, and their positions: everything is there as it was.
    restore(&files[..1], &path("whole"));
    back_up(&path("whole"), &path("again"), None);
    assert!(!unpacked(&path("again")).contains("\"seeds\""), "tickets end with their store");
    assert!(lines(&path("again")) == lines(&files[0]), "it is restored otherwise");
    restore(&files, &path("both"));
    back_up(&path("both"), &path("later"), Some(&files[0]));
    assert!(lines(&path("later")) == lines(&files[1]), "what came later is restored otherwise");

    let text = fs::read_to_string(recorded.join("told.json")).expect("it is there");
    let then: Value = serde_json::from_str(&text).expect("JSON");
    let server = Server::start(&path("both"), catalog::games());
    let client = server.client();
    let tables = then.as_array().expect("a list");
    assert_eq!(tables.len(), 5 * ROWS.len());
    for recorded in tables {
        let table = Table::read(&client, &recorded["opened"]);
        if recorded["kind"] == "private" {
            client.info(&table.id).problem(401, "token_required");
        } else {
            let now = Value::Object(told(FIRST, &client, &table.id));
            assert_eq!(now, recorded["told"], "{} {}", recorded["kind"], table.id);
        }
        // Its players go on with the tokens that they have.
        let info = table.owner().info(&table.id).ok();
        if info["status"] == "running" {
            let seat = info["active_seat"].as_u64().expect("somebody is to act");
            let seat = table.seat(usize::try_from(seat).expect("a seat"));
            let legal = seat.legal_commands(&table.id, "").ok();
            seat.command(&table.id, &legal["items"][0]).created();
        }
    }
}

/// The matches of a game, each with what it is.
fn matches(client: &Client, game: &str) -> Vec<(&'static str, Table)> {
    let opening =
        |first: &str, second: Value| json!({"game": game, "seats": [{"name": first}, second]});
    let person = || json!({"name": "Åse"});
    let bots = json!({"game": game, "seats": [{"bot": "greedy"}, {"bot": "greedy"}]});
    let finished = Table::open(client, &bots);
    let running = Table::open(client, &opening("Hugin", person()));
    running.play(&mut Dice::new(11), 12);
    let closed = Table::open(client, &opening("Munin", person()));
    closed.play(&mut Dice::new(12), 6);
    let mut body = opening("Idun", json!({"open": true}));
    body["ticket"] = client.post("/v1/seeds", &json!({})).created()["ticket"].clone();
    body["nonce"] = json!("0123456789abcdef".repeat(4));
    let mut taken = Table::open(client, &body);
    taken.join(1, &json!({"name": "Loki"}));
    taken.play(&mut Dice::new(13), 6);
    let mut body = opening("Frigg", json!({"name": "Njörd"}));
    body["visibility"] = json!("private");
    let key = format!("a private match of {game}");
    let opened = Request::new("POST", "/v1/matches").header("Idempotency-Key", &key).json(&body);
    let private = Table::read(client, &client.send(opened).created());
    private.play(&mut Dice::new(14), 6);
    until("the bots' end", || finished.info()["status"] == "finished");
    let tables = [finished, running, closed, taken, private];
    ["finished", "running", "closed", "taken", "private"].into_iter().zip(tables).collect()
}

/// Writes the archives, and what is told of their matches.
fn record(into: &Path) {
    let (_folder, [data]) = acceptance::places(["data"]);
    fs::create_dir(into).expect("a new folder");
    let [whole, later] = FILES.map(|name| into.join(name));
    let server = Server::start(&data, catalog::games());
    let games = ROWS.iter().flat_map(|row| matches(&server.client(), row.game.info().id));
    let all: Vec<(&str, Table)> = games.collect();
    drop(server);
    back_up(&data, &whole, None);

    let server = Server::start(&data, catalog::games());
    let client = server.client();
    let all = all.into_iter().map(|(kind, table)| (kind, table.through(&client)));
    let all: Vec<(&str, Table)> = all.collect();
    let mut told_of = Vec::new();
    for (kind, table) in &all {
        match *kind {
            "running" => drop(table.play(&mut Dice::new(15), 5)),
            "closed" => drop(table.owner().close(&table.id).ok()),
            _ => {}
        }
        let told = (*kind != "private").then(|| told(FIRST, &client, &table.id));
        let Table { id, seat_tokens, owner_token, .. } = table;
        let opened = json!({"match": id, "seat_tokens": seat_tokens, "owner_token": owner_token});
        told_of.push(json!({"kind": kind, "opened": opened, "told": told}));
    }
    drop(server);
    back_up(&data, &later, Some(&whole));
    let text = serde_json::to_string_pretty(&told_of).expect("JSON");
    fs::write(into.join("told.json"), text + "\n").expect("a file");
    sum(into);
}

/// Lists the files of a folder, with the sum of each.
pub(crate) fn sum(folder: &Path) {
    let line = |name: &String| {
        let bytes = fs::read(folder.join(name)).expect("a file");
        format!("{}  {name}\n", hex(&sha256(&[&bytes])))
    };
    let mut files = names(folder);
    files.retain(|name| name != "SHA256SUMS");
    let sums: String = files.iter().map(line).collect();
    fs::write(folder.join("SHA256SUMS"), sums).expect("a file");
}
