//! A match that the rules of this program would decide otherwise than it was played: what is stored is the truth.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use store::StreamId;

use crate::folder::{asked, export, simulate};
use crate::read::{Row, number, tables};
use acceptance::process::verify;
use acceptance::proof::{bytes_of, hex};
use acceptance::rewritten::{Part, TEXT_AT, forged, rewrite};
use acceptance::server::Server;
use acceptance::{muninn, run, run_on};

/// The id of the only match.
fn only(data: &Path) -> (String, Value) {
    let server = Server::start(data, catalog::games());
    let listed = server.client().matches("").ok();
    let id = listed["items"][0]["match"].as_str().expect("an id").to_owned();
    let info = server.client().info(&id).ok();
    server.stop();
    (id, info)
}

/// Changes an event of this type in a commit of which everybody sees all, with a seal and a hash that fit. What follows keeps its hashes: only
/// `verify` looks at the chain.
fn forge(data: &Path, (id, seed): (&str, &Value), number: u64, kind: &str, change: fn(&mut Value)) {
    let id: uuid::Uuid = id.parse().expect("an id");
    let (id, seed) = (StreamId(*id.as_bytes()), bytes_of(seed));
    rewrite(data, data, |stream, part, bytes| {
        if (stream, part) != (id, Part::Commit(number)) {
            return;
        }
        let mut body: Value = serde_json::from_slice(&bytes[TEXT_AT..]).expect("a commit");
        let events = body["events"].as_array_mut().expect("events");
        change(events.iter_mut().find(|event| event["type"] == kind).expect("such an event"));
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
    let of = (id.as_str(), &info["seed"]);
    forge(&data, of, last, "MatchFinished", |end| end["standing"][0]["points"] = json!(2704));

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
    let drawn = |rows: &[Row]| rows.iter().filter(|row| row["commit_no"] != json!(last)).count();
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

/// Exports a store, and forges a match of it, by the order of their ends: the first card that was drawn without a shuffle left another number
/// in the pile, which nobody looks at. Returns what was exported, and the commit.
fn forge_a_draw(data: &Path, out: &Path, at: usize) -> (BTreeMap<String, Vec<Row>>, i64) {
    export(data, out, &["--format", "ndjson"]);
    let before = tables(out);
    let of = &before["matches"][at];
    let commits = |table: &str| -> Vec<i64> {
        let own = before[table].iter().filter(|row| row["match_id"] == of["match_id"]);
        own.map(|row| number(row, "commit_no")).collect()
    };
    let shuffled = commits("draws");
    let mut drawn = commits("rosenkoenig_card_drawn").into_iter();
    let commit = drawn.find(|commit| !shuffled.contains(commit)).expect("a card is drawn");
    let of = (of["match_id"].as_str().expect("an id"), &of["seed"]);
    let at = u64::try_from(commit).expect("a number");
    forge(data, of, at, "CardDrawn", |drawn| drawn["draw_pile_left"] = json!(24));
    (before, commit)
}

#[test]
fn only_the_commit_that_would_go_otherwise_lacks_something() {
    let (folder, [data, out]) = acceptance::places(["data", "out"]);
    simulate(&data, "rosenkoenig", 2, 1, 5);
    let (before, changed) = forge_a_draw(&data, &out, 0);
    let out = folder.path().join("again");
    export(&data, &out, &["--format", "ndjson"]);
    let after = tables(&out);
    assert_eq!(after["matches"][0]["otherwise_count"], json!(1));
    for row in &after["commands"] {
        assert_eq!(row["legal_before"].is_null(), row["commit_no"] == json!(changed), "{row:?}");
    }
    assert_eq!(after["draws"], before["draws"]);
    assert!(after["draws"].iter().any(|row| number(row, "commit_no") > changed), "{changed}");
}

/// What the report and the question of chance say of a store.
#[track_caller]
fn chance(data: &Path, out: &Path) -> (String, Vec<Value>) {
    let report = ["report", "--game", "rosenkoenig", "--players", "bots", "--data"];
    run(muninn().args(report).arg(data).arg("--out").arg(out)).ok();
    let page = fs::read_to_string(out).expect("the page");
    let (_, section) = page.split_once("What chance drew").expect("the section");
    let (table, _) = section.split_once("</table>").expect("its table");
    (table.to_owned(), asked(data, "05_chance.sql"))
}

#[test]
fn chance_is_tested_without_matches_that_would_go_otherwise() {
    let (folder, [page]) = acceptance::places(["report.html"]);
    let simulated = |data: &Path, bot: &str| {
        let asked = "--game rosenkoenig --seats 2 --matches 1 --deal-seed 3 --bot";
        acceptance::simulate(data, &format!("{asked} {bot}"));
    };
    let bots = ["random", "greedy"];
    let alone = bots.map(|bot| {
        let data = folder.path().join(bot);
        simulated(&data, bot);
        chance(&data, &page)
    });
    assert_ne!(alone[0], alone[1], "these bots draw alike");
    // Of two matches that are dealt alike the report takes the newer one, and the question the older one. If that one would go otherwise, both
    // take the other.
    for at in [0, 1] {
        let place = |what: &str| folder.path().join(format!("{what}-{at}"));
        let (data, out) = (place("data"), place("out"));
        bots.iter().for_each(|bot| simulated(&data, bot));
        forge_a_draw(&data, &out, at);
        assert_eq!(chance(&data, &page), alone[1 - at], "{at}");
    }
}

#[test]
fn a_match_of_an_edition_that_is_not_known_says_who_knows_it_and_hides_no_other() {
    let (_folder, [data]) = acceptance::places(["data"]);
    simulate(&data, "rosenkoenig", 2, 1, 6);
    let (id, info) = only(&data);
    forge(&data, (id.as_str(), &info["seed"]), 1, "TableOpened", |opened| {
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
