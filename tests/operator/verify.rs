//! Verifying the store of a running server.

use acceptance::preload::library;
use acceptance::process::Process;
use acceptance::rewritten::{Part, rewrite};
use acceptance::{Answer, Connection, Dice, Request, Table, simulate};
use serde_json::{Value, json};

fn verify(server: &Process) -> Answer {
    server.operator().send(Request::new("POST", "/verify"))
}

#[test]
fn a_live_store_is_verified_while_it_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    simulate(folder.path(), "--game rosenkoenig --matches 30");
    let server = Process::serve(folder.path(), &[]);
    let client = server.client();
    let tables: Vec<Table> = (0..5).map(|_| Table::rosenkoenig(&client)).collect();
    let lines = std::thread::scope(|scope| {
        let verified = scope.spawn(|| verify(&server).lines());
        for (seed, table) in (0..).zip(&tables) {
            table.finish(&mut Dice::new(seed));
        }
        verified.join().expect("it is verified")
    });
    let end = lines.last().expect("a last line");
    assert_eq!(
        (&end["type"], &end["damaged"], &end["otherwise"]),
        (&json!("end"), &json!(0), &json!(0))
    );
    assert!(end["matches"].as_u64() >= Some(30), "{end}");
    assert!(end["commits"].as_u64() >= Some(30 * 18), "{end}");
    assert!(
        lines.iter().all(|line| ["progress", "end"].contains(&line["type"].as_str().unwrap_or("")))
    );
    server.stop();
}

#[test]
fn what_is_damaged_is_told_and_the_rest_goes_on() {
    let (_folder, [data]) = acceptance::places(["data"]);
    let server = Process::serve(&data, &[]);
    let tables: Vec<Table> = (0..3).map(|_| Table::rosenkoenig(&server.client())).collect();
    server.stop();
    // The seal of one commit is that of another.
    let spoilt = tables[1].id.clone();
    rewrite(&data, &data, |stream, part, bytes| {
        if uuid::Uuid::from_bytes(stream.0).to_string() == spoilt && part == Part::Commit(1) {
            bytes[10] ^= 1;
        }
    });
    let server = Process::serve(&data, &[]);
    let lines = verify(&server).lines();
    let damaged: Vec<&Value> = lines.iter().filter(|line| line["type"] == "damaged").collect();
    assert!(damaged.iter().any(|line| line["match"] == *tables[1].id), "{lines:?}");
    let told = |line: &&Value| line["match"] == *tables[1].id && line["commit"] == 1;
    assert_eq!(damaged.iter().copied().filter(told).count(), 1, "{lines:?}");
    let end = lines.last().expect("a last line");
    assert_eq!((&end["type"], &end["damaged"]), (&json!("end"), &json!(damaged.len())));
    // Everybody knows it now, and nobody had asked for it.
    let client = server.client();
    let listed = client.get("/v1/damaged").ok();
    assert_eq!((&listed["damaged"], &listed["items"][0]["match"]), (&json!(1), &json!(spoilt)));
    assert_eq!(listed["items"][0]["commit"], 1);
    assert_eq!(client.get("/readyz").ok()["damaged"], 1);
    client.info(&spoilt).problem(503, "damaged");
    assert_eq!(client.info(&tables[0].id).status, 200);
    server.stop();
}

#[test]
fn a_second_verification_at_the_same_time_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    simulate(folder.path(), "--game rosenkoenig --matches 120");
    let server = Process::serve(folder.path(), &[]);
    let request = Request::new("POST", "/verify");
    let mut first = Connection::open(server.operator().address).expect("a connection");
    request.leave(&mut first).expect("it is sent");
    let head = first.read_head().expect("an answer");
    assert_eq!(head.status, 200);
    let problem = verify(&server).problem(503, "unavailable");
    assert_eq!(problem["detail"], "the store is being verified already");
    let all = |answer: Answer| {
        let end = answer.lines().pop().expect("a last line");
        assert_eq!(end["type"], "end");
        end["matches"].clone()
    };
    // The first one is not disturbed, and then it is the next one's turn.
    assert_eq!(all(first.read_body(head, false).expect("the rest of it")), 120);
    assert_eq!(all(verify(&server)), 120);
    server.stop();
}

/// Its header is in the log already, and will be on disk with its first commit.
#[test]
fn a_match_that_is_just_being_opened_is_not_damaged() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(library) = library(folder.path(), "faults/faults.c") else { return };
    let armed = folder.path().join("armed");
    let mut serve = Process::command(&folder.path().join("data"));
    serve.env("LD_PRELOAD", &library).env("FAULT_FILE", "/log/db").env("FAULT_CALL", "slow");
    serve.env("FAULT_ARMED", &armed).env("FAULT_SKIP", "0").env("FAULT_TIMES", "1000000");
    let server = Process::spawn(&mut serve);
    std::fs::write(&armed, "").expect("a file");
    let client = server.client();
    let mut meanwhile = 0;
    std::thread::scope(|scope| {
        let opened = scope.spawn(|| Table::rosenkoenig(&client));
        while !opened.is_finished() {
            let lines = verify(&server).lines();
            assert_eq!(lines.last().expect("a last line")["damaged"], 0, "{lines:?}");
            meanwhile += 1;
        }
    });
    assert!(meanwhile > 1, "{meanwhile}");
    std::fs::remove_file(&armed).expect("the file");
    server.stop();
}
