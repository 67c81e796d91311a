//! A server beside a newer program: it stops writing and says so, shows nothing wrong, and goes on with what it understands.

use std::fs::{self, File};

use acceptance::process::Process;
use acceptance::{Answer, Client, Dice, Table, until};
use serde_json::json;
use store::{Commit, Store, StreamId, Write};
use tempfile::TempDir;
use uuid::Uuid;

use crate::{postgres, serve};

/// A server that logs into a file, and a program that writes to the same database as a newer server does.
struct Beside {
    server: Process,
    database: String,
    newer: Store,
    folder: TempDir,
}

impl Beside {
    fn start() -> Option<Beside> {
        let database = postgres::database()?;
        let folder = tempfile::tempdir().expect("a folder");
        let log = File::create(folder.path().join("log")).expect("a file");
        let data = folder.path().join("data");
        let server = Process::spawn(serve(&database, &data).stderr(log));
        let newer = Store::connect(&database).expect("it opens");
        let beside = Beside { server, database, newer, folder };
        until("it has its leases", || beside.leases() > 16);
        Some(beside)
    }

    /// How many locks are held for leases: one for each share, and one for each server.
    fn leases(&self) -> usize {
        let held = self.sql(
            "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = 7828
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
        );
        held.parse().expect("a number")
    }

    /// The lines of the log with these words.
    fn lines(&self, words: &str) -> Vec<String> {
        let log = fs::read_to_string(self.folder.path().join("log")).expect("a log");
        log.lines().filter(|line| line.contains(words)).map(str::to_owned).collect()
    }

    fn sql(&self, sql: &str) -> String {
        postgres::sql(&self.database, sql)
    }

    /// The next commit of a stream, as a newer program writes it.
    fn append(&self, stream: StreamId, bytes: Vec<u8>) {
        let number = self.newer.last(stream).expect("readable").map_or(0, |last| last.number) + 1;
        let commit = Some(Commit { stream, number, bytes, header: None });
        self.newer.submit(Write { commit, notes: Vec::new() }).wait().expect("stored");
    }
}

fn open(client: &Client) -> Table {
    let table = Table::rosenkoenig(client);
    table.play(&mut Dice::new(1), 3);
    table
}

fn stream_of(id: &str) -> StreamId {
    StreamId(id.parse::<Uuid>().expect("an id").into_bytes())
}

/// It is refused, since there is a newer program.
#[track_caller]
fn outdated(answer: &Answer) {
    answer.problem(503, "unavailable");
    assert!(
        answer.text().contains("a newer program writes to the same store"),
        "{}",
        answer.text()
    );
}

/// The server takes nothing any more, and shows `table` as it was.
fn only_reads(beside: &Beside, table: &Table, before: &Answer) {
    let client = beside.server.client();
    until("it says so", || client.get("/readyz").status != 200);
    outdated(&client.get("/readyz"));
    let seat = table.seat(table.active().expect("a seat"));
    outdated(&seat.command(&table.id, &table.legal()[0]));
    outdated(&client.open(&json!({"game": "rosenkoenig", "seats": [{}, {}]})));
    outdated(&table.owner().close(&table.id));
    assert_eq!(client.view(&table.id, "").ok(), before.ok(), "what it understands is shown");
    client.get("/healthz").ok();
    let lines = || beside.lines("a newer program writes to this store");
    until("the log has it", || !lines().is_empty());
    assert_eq!(lines().len(), 1, "{:?}", lines());
    assert!(lines()[0].contains("ERROR"), "{:?}", lines());
    until("its duties are left to others", || beside.leases() == 0);
}

#[test]
fn a_newer_schema_or_format_ends_the_writing_and_not_the_reading() {
    for what in ["schema", "format"] {
        println!("{what}");
        let Some(beside) = Beside::start() else { return };
        let client = beside.server.client();
        let table = open(&client);
        let before = client.view(&table.id, "");
        beside.sql(&format!("UPDATE muninn.store SET {what} = {what} + 1"));
        if what == "schema" {
            // Whoever appends is told at once, whether or not the server has noticed.
            outdated(&table.owner().close(&table.id));
        }
        only_reads(&beside, &table, &before);
        // The migration was undone.
        beside.sql(&format!("UPDATE muninn.store SET {what} = {what} - 1"));
        until("it writes again", || client.get("/readyz").status == 200);
        table.play(&mut Dice::new(2), 2);
        beside.server.stop();
    }
}

/// What a newer server may write that this one does not know.
#[derive(Clone, Copy, Debug)]
enum Unknown {
    Format,
    Form,
    Event,
    /// A field more in an event of the platform.
    Field,
    Edition,
}

/// As a newer server does it; returns the match that is concerned.
fn write(beside: &Beside, table: &Table, unknown: Unknown) -> String {
    let stream = stream_of(&table.id);
    let last = beside.newer.last(stream).expect("readable").expect("a commit");
    match unknown {
        Unknown::Format => {
            let mut bytes = last.bytes.to_vec();
            bytes[0] += 1;
            beside.append(stream, bytes);
        }
        Unknown::Form => {
            // The checksum covers the name of the record too.
            let number = last.number + 1;
            let covered = [&[3][..], b"as a newer program packs it"].concat();
            let name = [b"c".as_slice(), &stream.0, &number.to_be_bytes(), &covered].concat();
            let record = [&crc32(&name).to_be_bytes()[..], &covered].concat();
            let hex = acceptance::proof::hex(&record);
            let values = format!("'{}', {number}, position, '\\x{hex}'", table.id);
            beside.sql(&format!(
                "UPDATE muninn.store SET position = position + 1;
                 INSERT INTO muninn.commits SELECT {values} FROM muninn.store"
            ));
        }
        Unknown::Event | Unknown::Field => {
            let text = String::from_utf8(last.bytes[98..].to_vec()).expect("text");
            let (at, version) = (last.number, table.version());
            let mut body: serde_json::Value = serde_json::from_str(&text).expect("a commit");
            body["commit"] = json!(at + 1);
            body["events"] = json!([{"type": "CardsBlessed"}]);
            if matches!(unknown, Unknown::Field) {
                (body["command"], body["seat"]) = (json!(null), json!(null));
                let closed =
                    json!({"by": "owner", "reason": "closed", "said": "", "type": "MatchClosed"});
                body["events"] = json!([closed]);
            }
            body["first_version"] = json!(version + 1);
            body["last_version"] = json!(version + 1);
            let bytes = [&last.bytes[..98], body.to_string().as_bytes()].concat();
            beside.append(stream, bytes);
        }
        Unknown::Edition => {
            let first = beside.newer.commits(stream, 0, 1).expect("readable").remove(0);
            let text = String::from_utf8_lossy(&first.bytes[98..])
                .replace("\"edition\":1,", "\"edition\":99,");
            assert!(text.contains(":99,"), "{text}");
            let id = Uuid::now_v7();
            let bytes = [&first.bytes[..98], text.as_bytes()].concat();
            let header = beside.newer.header(stream).expect("readable");
            let commit = Commit { stream: StreamId(id.into_bytes()), number: 1, bytes, header };
            beside
                .newer
                .submit(Write { commit: Some(commit), notes: Vec::new() })
                .wait()
                .expect("stored");
            return id.to_string();
        }
    }
    table.id.clone()
}

fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), step))
}

#[test]
fn what_only_a_newer_program_knows_ends_the_writing_and_hides_only_its_match() {
    let all = [Unknown::Format, Unknown::Form, Unknown::Event, Unknown::Field, Unknown::Edition];
    for unknown in all {
        println!("{unknown:?}");
        let Some(beside) = Beside::start() else { return };
        let client = beside.server.client();
        let (table, other) = (open(&client), open(&client));
        let before = client.view(&table.id, "");
        let id = write(&beside, &other, unknown);
        only_reads(&beside, &table, &before);
        let hidden = client.view(&id, "");
        hidden.problem(503, "damaged");
        assert!(
            hidden.text().contains("a form that this program does not know"),
            "{}",
            hidden.text()
        );
        let set_aside = client.get("/v1/damaged").ok();
        assert_eq!(set_aside["items"][0]["match"], json!(id));
        assert_eq!(set_aside["items"][0]["what"], "unknown_form");
        assert_eq!(set_aside["damaged"], 1);
        beside.server.stop();
    }
}
