//! Clients that ask for much and read nothing.

use serde_json::json;

use acceptance::process::Process;
use acceptance::{Connection, Request, Table};

/// Plays a card and takes it back, so often.
fn back_and_forth(table: &Table, times: usize) {
    let seat = table.active().expect("it runs");
    let command = table.legal()[0].clone();
    for _ in 0..times {
        table.seat(seat).command(&table.id, &command).created();
        table.seat(seat).take_back(&table.id).created();
    }
}

#[test]
fn a_client_that_never_reads_costs_no_memory_and_stops_nobody() {
    const CLIENTS: usize = 9;
    const ANSWERS: usize = 8;
    // Thousands of commits: memory spares the disk, where there is a file system in it.
    let shared = std::path::Path::new("/dev/shm");
    let folder = if shared.is_dir() { tempfile::tempdir_in(shared) } else { tempfile::tempdir() };
    let folder = folder.expect("a folder");
    let server = Process::serve(
        folder.path(),
        &["--cache-mib", "4", "--send-timeout", "600", "--heartbeat", "40"],
    );
    let client = server.client();
    let body = json!({"game": "rosenkoenig", "seats": [{}, {}], "take_back": true});
    let table = Table::open(&client, &body);
    let reader = client.stream(&table.id, "", None);
    let idle: Vec<_> = (0..CLIENTS).map(|_| client.stream(&table.id, "", None)).collect();
    back_and_forth(&table, 1100);

    // All these answers together are far longer than what a socket takes.
    let paths = [
        format!("/v1/matches/{}/replay", table.id),
        format!("/v1/matches/{}/stream", table.id),
        "/v1/events.ndjson".to_owned(),
    ];
    let ask = |number: usize| {
        let mut connection = Connection::open(server.address).expect("the server listens");
        let request = Request::new("GET", &paths[number % paths.len()]);
        for _ in 0..ANSWERS {
            let sent = request.leave(&mut connection);
            sent.expect("the server reads");
        }
        connection
    };
    // The first ones wake the threads that read; from then on each client costs next to nothing.
    let mut stuck: Vec<Connection> = (0..CLIENTS).map(ask).collect();
    back_and_forth(&table, 100);
    let before = server.resident_kib();
    stuck.extend((0..4 * CLIENTS).map(ask));
    // The others play on: an answer that never came would end the test.
    back_and_forth(&table, 100);
    let after = server.resident_kib();
    let grown = after.saturating_sub(before);
    assert!(grown < 32 << 10, "from {before} to {after} KiB");
    assert!(after < 256 << 10, "{after} KiB");

    // Who reads late gets everything, once and in order.
    let mut length = 0;
    for _ in 0..ANSWERS {
        let answer = stuck[0].read(false).expect("the whole answer");
        length += answer.body.len();
        let replay = answer.lines();
        assert!(replay.len() >= 5000, "{}", replay.len());
        for (frame, version) in replay.iter().zip(1u64..) {
            assert_eq!(frame["version"], version);
        }
    }
    assert!(length > 16 << 20, "only {length} bytes waited");
    drop(idle);
    table.owner().close(&table.id).ok();
    let messages = reader.rest();
    // The setup, the moves, and the closing.
    assert_eq!(messages.len(), 1 + 2 * 1300 + 1);
    for (message, commit) in messages.iter().zip(1u64..) {
        assert_eq!(message.data["commit"], commit);
    }
    drop(stuck);
    server.stop();
}
