//! A match that the rules of this program would decide otherwise than it was played: what is stored is the truth.

use std::path::Path;

use serde_json::{Value, json};

use crate::folder::{export, simulate};
use crate::read::tables;
use acceptance::process::verify;
use acceptance::proof::{bytes_of, hex};
use acceptance::rewritten::{Part, TEXT_AT, forged, rewrite};
use acceptance::run_on;
use acceptance::server::Server;

/// The id of the only match.
fn only(data: &Path) -> (String, Value) {
    let server = Server::start(data, catalog::games());
    let listed = server.client().matches("").ok();
    let id = listed["items"][0]["match"].as_str().expect("an id").to_owned();
    let info = server.client().info(&id).ok();
    server.stop();
    (id, info)
}

/// Changes the last event of a commit, with a seal and a hash that fit.
fn forge(data: &Path, info: &Value, number: u64, change: fn(&mut Value)) {
    let seed = bytes_of(&info["seed"]);
    rewrite(data, data, |_, part, bytes| {
        if part != Part::Commit(number) {
            return;
        }
        let mut body: Value = serde_json::from_slice(&bytes[TEXT_AT..]).expect("a commit");
        let events = body["events"].as_array_mut().expect("events");
        change(events.last_mut().expect("an event"));
        let prev_hash: [u8; 32] = bytes[34..66].try_into().expect("a hash");
        *bytes = forged(&bytes[..2], &seed, number, &prev_hash, &body);
    });
}

#[test]
fn a_match_that_would_go_otherwise_is_served_and_exported_in_full() {
    let (folder, [data, out]) = acceptance::places(["data", "out"]);
    simulate(&data, "rosenkoenig", 2, 1, 5);
    let (id, info) = only(&data);
    let last = info["commit"].as_u64().expect("a number");
    export(&data, &out, &["--format", "ndjson", "--hashes"]);
    let before = tables(&out);
    assert_eq!(
        (&before["matches"][0]["otherwise_count"], before["commands"].len()),
        (&json!(0), before["commands"].len())
    );
    // The last command has led to other points.
    forge(&data, &info, last, |end| end["standing"][0]["points"] = json!(2704));

    // Named and counted, and no damage.
    let (code, said) = verify(&data);
    assert_eq!(code, Some(3), "{said}");
    let line = said.lines().find(|line| line.starts_with(&format!("match {id}, commit {last}: ")));
    assert!(line.is_some_and(|line| line.contains("would go otherwise")), "{said}");
    assert!(said.contains("nothing differs, 1 matches would go otherwise"), "{said}");

    // Also to who asks what another edition would have done: nothing differs by it.
    let told = run_on(&data, &["audit", "--game", "rosenkoenig", "--edition", "1"]).ok();
    let line = format!("match {id}, commit {last}: the game does not decide it so under its own");
    assert!(told.starts_with(&line) && told.contains("\n1 otherwise under their own"), "{told}");
    assert!(told.contains("\n0 of 1 finished matches of Rosenkönig"), "{told}");

    // Exported in full: only what deciding again alone can tell is left out, and why is said.
    let out = folder.path().join("again");
    export(&data, &out, &["--format", "ndjson", "--hashes"]);
    let after = tables(&out);
    for table in ["matches", "seats", "commits", "events", "commands", "awards"] {
        assert_eq!(after[table].len(), before[table].len(), "{table}");
    }
    assert_eq!(after["matches"][0]["otherwise_count"], json!(1));
    for (row, was) in after["commits"].iter().zip(&before["commits"]) {
        let is_last = row["commit_no"] == json!(last);
        assert_eq!(row["otherwise"].is_string(), is_last, "{row:?}");
        assert_eq!(row["hash"] == was["hash"], !is_last);
    }
    for row in &after["commands"] {
        assert_eq!(row["legal_before"].is_null(), row["commit_no"] == json!(last), "{row:?}");
    }
    let drawn = |rows: &[crate::read::Row]| {
        rows.iter().filter(|row| row["commit_no"] != json!(last)).count()
    };
    assert_eq!(after["draws"].len(), drawn(&before["draws"]));

    // Served as it was stored, by every way to look at it.
    let server = Server::start(&data, catalog::games());
    let client = server.client();
    assert_eq!(client.get("/v1/damaged").ok()["items"], json!([]));
    let commits = client.commits(&id, &format!("after={}", last - 1)).ok();
    let events = commits["items"][0]["events"].as_array().expect("events").clone();
    assert_eq!(events.last().expect("an end")["standing"][0]["points"], 2704);
    assert_eq!(client.info(&id).ok()["standing"][0]["points"], 2704);
    assert_eq!(hex(&bytes_of(&commits["items"][0]["hash"])), client.info(&id).ok()["head_hash"]);
    let csv = client.get("/v1/tables/events.csv").text();
    assert_eq!(csv.lines().count() as u64, 1 + info["version"].as_u64().expect("a number"));
    server.stop();
    run_on(&data, &["stats"]).ok();
}

#[test]
fn a_match_of_an_edition_that_is_not_known_says_who_knows_it_and_hides_no_other() {
    let (_folder, [data]) = acceptance::places(["data"]);
    simulate(&data, "rosenkoenig", 2, 1, 6);
    let (id, info) = only(&data);
    forge(&data, &info, 1, |opened| {
        opened["edition"] = json!(9);
        opened["engine"] = json!("muninn 7.0.0");
    });
    simulate(&data, "copenhagen", 2, 1, 6);
    let (code, said) = verify(&data);
    let line = said.lines().find(|line| line.starts_with(&format!("match {id}, commit 1: ")));
    let line = line.unwrap_or_else(|| panic!("{said}"));
    assert!(code == Some(1) && line.contains("no edition 9"), "{line}");
    assert!(line.contains("muninn 7.0.0 knows it"), "{line}");
    let server = Server::start(&data, catalog::games());
    let client = server.client();
    client.info(&id).problem(503, "damaged");
    let listed = client.matches("").ok();
    assert_eq!(
        (listed["items"].as_array().map(Vec::len), &listed["damaged"]),
        (Some(1), &json!(1))
    );
    assert_eq!(client.get("/v1/damaged").ok()["items"][0]["what"], "unknown_form");
    assert_eq!(client.get("/v1/tables/matches.csv").text().lines().count(), 2);
    server.stop();
}
