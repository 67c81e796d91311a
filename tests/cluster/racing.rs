//! The same thing at both servers at once: it happens once, and both say the same.

use acceptance::{Request, Table};
use serde_json::{Value, json};

use crate::{Two, at_both};

const ROUNDS: usize = 20;

#[test]
fn one_key_at_both_servers_is_one_commit_and_one_answer() {
    let Some(two) = Two::start() else { return };
    let clients = two.clients();
    let table = Table::rosenkoenig(&clients[0]);
    for round in 0..ROUNDS {
        let before = table.info()["commit"].as_u64().expect("a commit");
        let (seat, command) = (table.active().expect("it goes on"), table.legal()[0].clone());
        let answers = at_both(&clients, |client| {
            let path = format!("/v1/matches/{}/commands", table.id);
            let request =
                Request::new("POST", &path).header("Idempotency-Key", &format!("k{round}"));
            let mine = table.through(client).seat(seat);
            mine.send(request.json(&json!({"command": command}))).created()
        });
        assert_eq!(answers[0], answers[1]);
        assert_eq!(answers[0]["commit"], before + 1);
        assert_eq!(table.info()["commit"], before + 1);
    }
    let open = json!({"game": "rosenkoenig", "seats": [{}, {}]});
    for round in 0..ROUNDS {
        let opened = at_both(&clients, |client| {
            let key = format!("an opening that nobody guesses {round}");
            let request = Request::new("POST", "/v1/matches").header("Idempotency-Key", &key);
            client.send(request.json(&open)).created()
        });
        assert_eq!(opened[0], opened[1]);
    }
    let listed =
        clients.each_ref().map(|client| client.matches("limit=1000").ok()["items"].clone());
    assert_eq!(listed[0], listed[1]);
    assert_eq!(listed[0].as_array().expect("a list").len(), ROUNDS + 1);
}

/// Commands without an expected version, at both at once: those that are accepted stand one behind the other, and the others are told why.
#[test]
fn commands_at_both_servers_are_decided_one_after_the_other() {
    let Some(two) = Two::start() else { return };
    let clients = two.clients();
    let table = Table::rosenkoenig(&clients[0]);
    let mut accepted = 0;
    for round in 0..ROUNDS {
        let (version, seat) = (table.version(), table.active().expect("it goes on"));
        let command = table.legal()[0].clone();
        let expected = (round % 2 == 0).then_some(version);
        let answers = at_both(&clients, |client| {
            let path = format!("/v1/matches/{}/commands", table.id);
            let body = json!({"command": command, "expected_version": expected});
            table.through(client).seat(seat).post(&path, &body)
        });
        let (won, lost): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 201);
        accepted += won.len();
        assert!(!won.is_empty());
        for lost in lost {
            let code = if expected.is_some() { "version_conflict" } else { "not_active_seat" };
            let problem = lost.problem(409, code);
            assert_eq!(problem["current_version"], won[0].json()["version"]);
        }
    }
    assert_eq!(table.info()["commit"].as_u64(), Some(accepted as u64 + 1));
    let commits = Table::pages(100, |query| clients[1].commits(&table.id, query).ok());
    assert_eq!(commits.len(), accepted + 1);
}

#[test]
fn a_seat_is_taken_and_a_match_closed_by_one() {
    let Some(two) = Two::start() else { return };
    let clients = two.clients();
    for round in 0..ROUNDS {
        let body = json!({"game": "rosenkoenig", "seats": [{}, {"open": true}]});
        let table = Table::open(&clients[round % 2], &body);
        let answers = at_both(&clients, |client| {
            client.take_seat(&table.id, 1, &json!({"name": client.address.to_string()}))
        });
        let (won, lost): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 201);
        assert_eq!((won.len(), lost.len()), (1, 1));
        lost[0].problem(409, "seat_taken");
        let token = won[0].json()["seat_token"].as_str().expect("a token").to_owned();
        let mine = clients.each_ref().map(|client| client.with_token(&token).info(&table.id).ok());
        assert_eq!(mine[0], mine[1]);
        assert_eq!(mine[0]["viewer"], 1);

        // One closes it while the other acts.
        let seat = table.active().expect("it goes on");
        let token = if seat == 1 { token } else { table.seat_tokens[0].clone().expect("ours") };
        let legal = clients[0].with_token(&token).legal_commands(&table.id, "").ok();
        let command = &legal["items"][0];
        let answers = at_both(&clients, |client| {
            if client.address == clients[round % 2].address {
                return table.through(client).owner().close(&table.id);
            }
            client.with_token(&token).command(&table.id, command)
        });
        let [closed, acted] =
            if round % 2 == 0 { [0, 1] } else { [1, 0] }.map(|at: usize| &answers[at]);
        assert!(closed.status < 300, "{}", closed.text());
        let log =
            clients.each_ref().map(|client| client.events(&table.id, "").ok()["items"].clone());
        assert_eq!(log[0], log[1]);
        let types: Vec<&str> = log[0].as_array().expect("a list").iter().map(kind).collect();
        assert_eq!(types.last(), Some(&"MatchClosed"), "{types:?}");
        assert_eq!(types.iter().filter(|kind| **kind == "MatchClosed").count(), 1);
        let has_acted =
            types.len() > 4 || !["SeatTaken", "TableOpened"].contains(&types[types.len() - 2]);
        match acted.status {
            201 => assert!(has_acted, "{types:?}"),
            _ => drop(acted.problem(409, "match_finished")),
        }
    }
}

fn kind(entry: &Value) -> &str {
    entry["event"]["type"].as_str().expect("a type")
}
