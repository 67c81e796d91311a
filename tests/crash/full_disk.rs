//! A disk that takes no more: 503, and nothing that was acknowledged is lost.

use std::process::Stdio;

use serde_json::json;

use crate::harness::{Dice, Table, muninn};
use crate::process::{Process, verify};

#[test]
fn a_store_that_fails_is_unavailable_and_loses_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = muninn();
    let mut limited = std::process::Command::new("sh");
    // The shell counts in blocks of 512 bytes. Ignored, the signal becomes an error of the write.
    let script = "trap '' XFSZ; ulimit -f 1100; exec \"$@\"";
    limited
        .args(["-c", script, "sh"])
        .arg(program.get_program());
    limited.args(["serve", "--listen", "127.0.0.1:0", "--data"]);
    limited.arg(folder.path()).stderr(Stdio::null());
    let server = Process::spawn(&mut limited);
    let client = server.client();
    assert_eq!(client.get("/readyz").ok()["status"], "ok");
    let mut dice = Dice::new(5);
    let mut tables: Vec<(Table, u64)> = Vec::new();
    let failed = 'full: loop {
        assert!(tables.len() < 200, "the limit is never met");
        let opened = client.open(&json!({"game": "rosenkoenig", "seats": [{}, {}]}));
        if opened.status != 201 {
            break 'full opened;
        }
        tables.push((Table::read(&client, &opened.created()), 1));
        let (table, version) = tables.last_mut().expect("it was just pushed");
        while let Some(seat) = table.active() {
            let legal = table.legal();
            let command = &legal[dice.below(legal.len())];
            let answer = table.seat(seat).command(&table.id, command);
            if answer.status != 201 {
                break 'full answer;
            }
            *version = answer.created()["version"].as_u64().expect("a version");
        }
    };
    failed.problem(503, "unavailable");
    client.get("/readyz").problem(503, "unavailable");
    assert_eq!(
        client.get("/healthz").ok()["status"],
        "ok",
        "the process lives"
    );
    let again = client.open(&json!({"game": "rosenkoenig", "seats": [{}, {}]}));
    again.problem(503, "unavailable");
    let (last, version) = tables.last().expect("something was stored");
    assert_eq!(
        client.info(&last.id).ok()["version"],
        *version,
        "reads go on"
    );
    server.stop();

    let server = Process::serve(folder.path(), &[]);
    let client = server.client();
    for (table, version) in &tables {
        let found = client.info(&table.id).ok()["version"].as_u64();
        assert!(found >= Some(*version), "{found:?} of {version}");
    }
    let (last, _) = tables.last().expect("something was stored");
    last.through(&client).play(&mut dice, 2);
    server.stop();
    let (code, text) = verify(folder.path());
    assert_eq!(code, Some(0), "{text}");
}
