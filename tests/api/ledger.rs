//! The ledger: every point is there, once, with its reason.

use serde_json::{Value, json};

use crate::harness::{Dice, Table};
use crate::positions::{opening, p2, play, start, with};
use crate::server;

/// All entries, page after page, and the page's own sums.
fn entries(table: &Table, query: &str) -> Vec<Value> {
    let path = format!("/v1/matches/{}/ledger", table.id);
    Table::pages(7, |page| {
        table
            .spectator()
            .get(&format!("{path}?{page}&{query}"))
            .ok()
    })
}

/// The sum of the entries up to a version, by seat.
fn sums(entries: &[Value], seats: usize, version: u64) -> Vec<i64> {
    let mut sums = vec![0; seats];
    for entry in entries
        .iter()
        .filter(|entry| entry["version"].as_u64() <= Some(version))
    {
        let seat = usize::try_from(entry["seat"].as_u64().expect("a seat")).expect("few seats");
        sums[seat] += entry["points"].as_i64().expect("points");
        assert_eq!(entry["total"], sums[seat], "{entry}");
    }
    sums
}

#[test]
fn the_entries_are_the_score_at_every_commit() {
    let (server, _folder) = server();
    let client = server.client();
    for (game, seats) in [("voluspa", 3), ("copenhagen", 4), ("rosenkoenig", 2)] {
        let table = Table::open(
            &client,
            &json!({"game": game, "seats": vec![json!({}); seats]}),
        );
        table.finish(&mut Dice::new(7));
        let entries = entries(&table, "");
        assert!(!entries.is_empty(), "{game}");
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
            assert_eq!(
                json!(sums(&entries, seats, version)),
                points,
                "{game} {version}"
            );
            let path = format!("/v1/matches/{}/ledger?at={version}&limit=1", table.id);
            let page = client.get(&path).ok();
            assert_eq!(
                (&page["points"], &page["version"]),
                (&points, &json!(version))
            );
        }
    }
}

#[test]
fn a_take_back_cancels_what_its_command_gave() {
    let (server, _folder) = server();
    let client = server.client();
    let light = with(start(), "/options/light", json!(true));
    let table = Table::open(&client, &opening(&light));
    table.act(&play("n1", false));
    table.seat(0).take_back(&table.id).created();
    table.act(&play("sw2", false));
    let entries = entries(&table, "");
    let told: Vec<Value> = entries
        .iter()
        .map(|entry| {
            json!([
                entry["points"],
                entry["total"],
                entry["takes_back"],
                entry["rule"]
            ])
        })
        .collect();
    assert_eq!(
        told,
        [
            json!([1, 1, null, "R-61"]),
            json!([-1, 0, 1, "R-61"]),
            json!([1, 1, null, "R-61"]),
        ]
    );
    assert_eq!(entries[0]["arithmetic"], "1² = 1");
}

#[test]
fn a_loaded_position_brings_its_points_along() {
    let (server, _folder) = server();
    let client = server.client();
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
    let (server, _folder) = server();
    let client = server.client();
    let table = Table::open(
        &client,
        &json!({"game": "voluspa", "seats": [{}, {}], "visibility": "private"}),
    );
    table.play(&mut Dice::new(5), 6);
    let path = format!("/v1/matches/{}/ledger", table.id);
    client.get(&path).problem(401, "token_required");
    let own = table.seat(0).get(&path);
    assert_eq!(
        own.header("etag"),
        Some(&*format!("\"{}\"", table.version()))
    );
    let own = own.ok();
    assert_eq!(own, table.seat(1).get(&path).ok());
    assert_eq!(
        own,
        table.owner().get(&format!("{path}?viewer=spectator")).ok()
    );
    table
        .seat(0)
        .get(&format!("{path}?viewer=1"))
        .problem(403, "hidden");
    for (query, status, code) in [
        ("seat=2", 400, "malformed"),
        ("seat=x", 400, "malformed"),
        ("limit=0", 400, "malformed"),
        ("at=0", 422, "version_unknown"),
        ("at=99999", 422, "version_unknown"),
        ("sum=1", 400, "malformed"),
    ] {
        table
            .seat(0)
            .get(&format!("{path}?{query}"))
            .problem(status, code);
    }
}
