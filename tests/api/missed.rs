//! A refused command teaches: the rule's text, and what was missed.

use serde_json::{Value, json};

use crate::client;
use acceptance::{Dice, Request, Table};

#[test]
fn a_conflict_carries_what_the_caller_has_missed() {
    let (client, _server) = client();
    let body = json!({"game": "voluspa", "seats": [{}, {}, {}], "take_back": true});
    let table = Table::open(&client, &body);
    table.play(&mut Dice::new(61), 12);
    let (id, current) = (&table.id, table.version());
    let seat = table.active().expect("it runs");
    let caller = table.seat(seat);
    let commits = caller.commits(id, "").items();
    let spectator = client.commits(id, "").ok();
    let command = &table.legal()[0];
    let path = format!("/v1/matches/{id}/commands");
    for expected in 0..current {
        let due: Vec<&Value> = commits
            .iter()
            .filter(|commit| commit["last_version"].as_u64() > Some(expected))
            .collect();
        let body = json!({"command": command, "expected_version": expected});
        for path in [path.clone(), format!("{path}?dry_run=true")] {
            let problem = caller.post(&path, &body).problem(409, "version_conflict");
            assert_eq!(problem["current_version"], current);
            let page = json!({"game": "voluspa", "items": due, "next": null});
            assert_eq!(problem["missed"], page);
        }
        let request = Request::new("POST", &path).json(&json!({"command": command}));
        let answer = caller.send(request.header("If-Match", &format!("\"{expected}\"")));
        let problem = answer.problem(409, "version_conflict");
        assert_eq!(problem["missed"]["items"], json!(due));
        let body = json!({"expected_version": expected});
        let answer = caller.post(&format!("/v1/matches/{id}/take-back"), &body);
        let problem = answer.problem(409, "version_conflict");
        assert_eq!(problem["missed"]["items"], json!(due));
    }
    assert_ne!(
        json!(commits),
        spectator["items"],
        "a seat sees more than a spectator, and so something was redacted"
    );
    // Nobody can have missed what has not happened.
    let body = json!({"command": command, "expected_version": current + 1});
    let problem = caller.post(&path, &body).problem(409, "version_conflict");
    assert_eq!(problem.get("missed"), None);
    // Without a seat nothing is told.
    let refused = client.post(&path, &body).problem(401, "token_required");
    assert_eq!(refused.get("missed"), None);
}

#[test]
fn what_was_missed_is_bounded() {
    let (client, _server) = client();
    let table = Table::open(&client, &json!({"game": "delphi", "seats": [{}, {}]}));
    table.play(&mut Dice::new(62), 110);
    assert_eq!(table.info()["commit"], 111);
    let caller = table.seat(table.active().unwrap_or(0));
    let body = json!({"command": {}, "expected_version": 0});
    let problem = caller
        .post(&format!("/v1/matches/{}/commands", table.id), &body)
        .problem(409, "version_conflict");
    let missed = &problem["missed"];
    assert_eq!(missed["items"].as_array().map(Vec::len), Some(100));
    assert_eq!(missed["next"], "100");
    let rest = caller.commits(&table.id, "after=100").ok();
    assert_eq!(rest["items"].as_array().map(Vec::len), Some(11));
}

#[test]
fn a_refusal_quotes_its_rule() {
    let (client, _server) = client();
    for game in client.get("/v1/games").items() {
        let id = game["id"].as_str().expect("an id");
        let seats = game["seats_min"].as_u64().expect("a number");
        let rules = client.game(id).ok()["rules"].clone();
        let quoted = |problem: &Value| {
            let rule = rules.as_array().expect("rules").iter();
            let mut rule = rule.filter(|rule| rule["rule"] == problem["rule"]);
            assert_eq!(
                rule.next().map(|rule| &rule["text"]),
                Some(&problem["rule_text"]),
                "{problem}"
            );
        };
        let seats_of = vec![json!({}); usize::try_from(seats).expect("few")];
        let table = Table::open(&client, &json!({"game": id, "seats": seats_of}));
        let seat = table.active().expect("it runs");
        let illegal = table.seat(seat).command(&table.id, &json!({"type": "No"}));
        quoted(&illegal.problem(422, "illegal_command"));
        let other = table.seat((seat + 1) % seats_of.len());
        let turn = other.command(&table.id, &table.legal()[0]);
        let turn = turn.problem(409, "not_active_seat");
        if turn.get("rule").is_some() {
            quoted(&turn);
        }
        quoted(&client.open(&json!({"game": id, "seats": [{}]})).problem(422, "invalid_options"));
        quoted(
            &client
                .start_position(id, &json!({"seats": seats, "options": {"no": 1}}))
                .problem(422, "invalid_options"),
        );
        quoted(&client.analyse(id, &json!({"position": {}})).problem(422, "invalid_position"));
    }
}
