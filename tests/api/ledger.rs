//! The ledger: every point is there, once, with its reason.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::positions::{opening, p2, play, start, with};
use crate::{client, restarted, server};
use acceptance::server::Server;
use acceptance::{Client, Dice, Table, simulate};

/// All entries, in pages of `limit`.
fn paged(client: &Client, id: &str, limit: usize, query: &str) -> Vec<Value> {
    let path = format!("/v1/matches/{id}/ledger");
    Table::pages(limit, |page| client.get(&format!("{path}?{page}&{query}")).ok())
}

fn entries(table: &Table, query: &str) -> Vec<Value> {
    paged(table.spectator(), &table.id, 7, query)
}

/// The sum of the entries up to a version, by seat.
fn sums(entries: &[Value], seats: usize, version: u64) -> Vec<i64> {
    let mut sums = vec![0; seats];
    for entry in entries.iter().filter(|entry| entry["version"].as_u64() <= Some(version)) {
        let seat = usize::try_from(entry["seat"].as_u64().expect("a seat")).expect("few seats");
        sums[seat] += entry["points"].as_i64().expect("points");
        assert_eq!(entry["total"], sums[seat], "{entry}");
    }
    sums
}

#[test]
fn the_entries_are_the_score_at_every_commit() {
    let (client, _server) = client();
    for (game, seats) in [("voluspa", 3), ("copenhagen", 4), ("rosenkoenig", 2)] {
        let table = Table::open(&client, &json!({"game": game, "seats": vec![json!({}); seats]}));
        table.finish(&mut Dice::new(7));
        let entries = entries(&table, "");
        // Chance differs each time: in a random match of Copenhagen there may be no point at all.
        assert!(!entries.is_empty() || game == "copenhagen", "{game}");
        let rules = client.game(game).ok()["rules"].clone();
        for (number, entry) in (1..).zip(&entries) {
            assert_eq!(entry["entry"], number);
            let rule = rules.as_array().into_iter().flatten();
            let rule = rule.clone().find(|rule| rule["rule"] == entry["rule"]);
            assert_eq!(rule.expect("a listed rule")["text"], entry["rule_text"]);
            assert!(entry["pieces"].is_object() && entry["arithmetic"].is_string());
        }
        let commits = Table::pages(1000, |page| client.commits(&table.id, page).ok());
        for version in commits.iter().step_by(23).chain(commits.last()) {
            let version = version["last_version"].as_u64().expect("a version");
            let position = client.position(&table.id, &format!("at={version}")).ok();
            let body = json!({"position": position, "commands": []});
            let points = client.analyse(game, &body).ok()["points"].clone();
            assert_eq!(json!(sums(&entries, seats, version)), points, "{game} {version}");
            let path = format!("/v1/matches/{}/ledger?at={version}&limit=1", table.id);
            let page = client.get(&path).ok();
            assert_eq!((&page["points"], &page["version"]), (&points, &json!(version)));
        }
    }
}

#[test]
fn a_take_back_cancels_what_its_command_gave() {
    let (client, _server) = client();
    let light = with(start(), "/options/light", json!(true));
    let table = Table::open(&client, &opening(&light));
    table.act(&play("n1", false));
    table.seat(0).take_back(&table.id).created();
    table.act(&play("sw2", false));
    let entries = entries(&table, "");
    let told: Vec<Value> = entries
        .iter()
        .map(|entry| json!([entry["points"], entry["total"], entry["takes_back"], entry["rule"]]))
        .collect();
    assert_eq!(
        told,
        [json!([1, 1, null, "R-61"]), json!([-1, 0, 1, "R-61"]), json!([1, 1, null, "R-61"]),]
    );
    assert_eq!(entries[0]["arithmetic"], "1² = 1");
}

#[test]
fn the_ledger_of_a_long_match_is_the_score_at_every_version() {
    let folder = tempfile::tempdir().expect("a folder");
    simulate(folder.path(), "--game delphi --seats 4 --matches 1 --bot greedy");
    let server = Server::start(folder.path(), catalog::games());
    let client = server.client();
    let info = client.matches("").ok()["items"][0].clone();
    let id = info["match"].as_str().expect("an id");
    let last = info["version"].as_u64().expect("a version");
    assert!(last > 500, "a short match: {last}");
    // From the end, so that later answers come from what is kept.
    let all = paged(&client, id, 1000, "");
    assert!(all.len() > 20, "few entries: {}", all.len());
    assert_eq!(all, paged(&client, id, 3, ""));
    let commits = Table::pages(1000, |page| client.commits(id, page).ok());
    let whole: BTreeSet<u64> =
        commits.iter().filter_map(|commit| commit["last_version"].as_u64()).collect();
    for version in (1..=last).rev() {
        let path = format!("/v1/matches/{id}/ledger?limit=1&at={version}");
        let page = client.get(&path).ok();
        assert_eq!(page["points"], json!(sums(&all, 4, version)), "{version}");
        if whole.contains(&version) {
            let position = client.position(id, &format!("at={version}")).ok();
            let body = json!({"position": position, "commands": []});
            let scored = client.analyse("delphi", &body).ok();
            assert_eq!(page["points"], scored["points"], "{version}");
        }
    }
    for seat in 0..4 {
        let own: Vec<&Value> = all.iter().filter(|entry| entry["seat"] == seat).collect();
        let asked = paged(&client, id, 2, &format!("seat={seat}"));
        assert_eq!(own, asked.iter().collect::<Vec<_>>());
    }
}

#[test]
fn asked_again_and_again_it_is_the_same_as_asked_once() {
    let (server, folder) = server();
    let client = server.client();
    let body = json!({"game": "rosenkoenig", "seats": [{}, {}], "take_back": true});
    let table = Table::open(&client, &body);
    let mut dice = Dice::new(11);
    for step in 0..40 {
        let Some(seat) = table.active() else { break };
        table.play(&mut dice, 1);
        if step % 3 == 0 {
            entries(&table, "");
            // Refused where it drew.
            table.seat(seat).take_back(&table.id);
        }
        let page = client.get(&format!("/v1/matches/{}/ledger", table.id)).ok();
        assert_eq!(page["version"], table.version());
        let all = entries(&table, "");
        assert_eq!(page["points"], json!(sums(&all, 2, table.version())));
    }
    let asked = entries(&table, "");
    assert!(asked.iter().any(|entry| entry["takes_back"].is_u64()));
    let server = restarted(server, &folder);
    let client = server.client();
    assert_eq!(entries(&table.through(&client), ""), asked);
}

/// More matches than the server keeps accounts of.
#[test]
fn a_ledger_that_was_not_asked_for_lately_goes_on_too() {
    let (client, _server) = client();
    let tables: Vec<Table> = (0..70).map(|_| Table::open(&client, &opening(&p2()))).collect();
    for table in &tables {
        assert_eq!(entries(table, "").len(), 2);
    }
    for table in [&tables[0], &tables[69]] {
        table.act(&play("e3", true));
        assert_eq!(entries(table, "").len(), 4);
    }
}

#[test]
fn a_loaded_position_brings_its_points_along() {
    let (client, _server) = client();
    let table = Table::open(&client, &opening(&p2()));
    let before = entries(&table, "");
    assert_eq!(before.len(), 2);
    assert!(before.iter().all(|entry| entry["version"] == 1
        && entry["reason"] == "position_loaded"
        && entry["rule"].is_null()));
    table.act(&play("e3", true));
    let after = entries(&table, "");
    let turned = &after[2..];
    assert_eq!(turned.len(), 2, "one gains, the other loses");
    assert_eq!(
        (&turned[0]["reason"], &turned[1]["reason"]),
        (&json!("stone_turned"), &json!("stone_lost"))
    );
    assert_eq!(entries(&table, "seat=0").len(), 2);
    assert_eq!(entries(&table, "at=1"), before);
}

#[test]
fn the_ledger_is_seen_by_who_may_see_the_match() {
    let (client, _server) = client();
    let table = Table::open(
        &client,
        &json!({"game": "voluspa", "seats": [{}, {}], "visibility": "private"}),
    );
    table.play(&mut Dice::new(5), 6);
    let path = format!("/v1/matches/{}/ledger", table.id);
    client.get(&path).problem(401, "token_required");
    let own = table.seat(0).get(&path);
    let version = format!("\"{}.", table.version());
    assert!(own.header("etag").is_some_and(|tag| tag.starts_with(&version)));
    let own = own.ok();
    assert_eq!(own, table.seat(1).get(&path).ok());
    assert_eq!(own, table.owner().get(&format!("{path}?viewer=spectator")).ok());
    table.seat(0).get(&format!("{path}?viewer=1")).problem(403, "hidden");
    client.get(&path).problem(401, "token_required");
    for (query, status, code) in [
        ("seat=2", 400, "malformed"),
        ("seat=x", 400, "malformed"),
        ("limit=0", 400, "malformed"),
        ("at=0", 422, "version_unknown"),
        ("at=99999", 422, "version_unknown"),
        ("sum=1", 400, "malformed"),
    ] {
        table.seat(0).get(&format!("{path}?{query}")).problem(status, code);
    }
}
