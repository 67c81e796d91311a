//! Idempotency keys: whoever could guess one would be answered with the tokens of a match.

use acceptance::process::Process;
use acceptance::{Answer, Client, Request, Table};
use serde_json::{Value, json};

fn open(client: &Client, key: &str, body: &Value) -> Answer {
    client.send(Request::new("POST", "/v1/matches").json(body).header("Idempotency-Key", key))
}

#[test]
fn a_key_of_an_opening_cannot_be_guessed() {
    let server = Process::alone(&[]);
    let client = server.client();
    let body = json!({"game": "rosenkoenig", "seats": [{}, {}]});
    for short in ["1", "a", "new-match-1", &"k".repeat(19), &"k".repeat(256)] {
        let problem = open(&client, short, &body).problem(400, "malformed");
        assert_eq!(problem["errors"][0]["pointer"], "Idempotency-Key", "{problem}");
        let detail = problem["detail"].as_str().expect("a sentence");
        assert!(detail.contains("20 to 255") && detail.contains("UUID"), "{detail}");
    }
    assert_eq!(client.matches("").ok()["items"], json!([]), "nothing was opened");
    for good in ["0198c0de-5c00-7000-8000-000000000001", &"k".repeat(20), &"k".repeat(255)] {
        let opened = open(&client, good, &body).created();
        assert_eq!(open(&client, good, &body).created(), opened);
    }
}

#[test]
fn a_key_of_an_opening_is_bound_to_game_and_body() {
    let server = Process::alone(&[]);
    let client = server.client();
    let key = "0198c0de-5c00-7000-8000-000000000002";
    let body = json!({"game": "rosenkoenig", "seats": [{}, {}]});
    let opened = open(&client, key, &body).created();
    for other in [
        json!({"game": "copenhagen", "seats": [{}, {}]}),
        json!({"game": "rosenkoenig", "seats": [{}, {"name": "Mallory"}]}),
        json!({"game": "rosenkoenig", "seats": [{}, {}], "visibility": "public"}),
    ] {
        let refused = open(&client, key, &other);
        refused.problem(409, "idempotency_conflict");
        let token = opened["owner_token"].as_str().expect("a token");
        assert!(!refused.text().contains(token));
    }
    assert_eq!(open(&client, key, &body).created(), opened);
}

#[test]
fn a_key_of_a_command_is_good_only_with_the_token_of_its_seat() {
    let server = Process::alone(&[]);
    let client = server.client();
    let tables = [Table::rosenkoenig(&client), Table::rosenkoenig(&client)];
    let keyed = |table: &Table| {
        let body = json!({"command": table.legal()[0], "expected_version": 2});
        let path = format!("/v1/matches/{}/commands", table.id);
        Request::new("POST", &path).json(&body).header("Idempotency-Key", "1")
    };
    let requests = tables.each_ref().map(keyed);
    for (table, request) in tables.iter().zip(&requests) {
        client.send(request.clone()).problem(401, "token_required");
        let seat = table.active().expect("it runs");
        let answer = table.seat(seat).send(request.clone()).created();
        assert_eq!(table.seat(seat).send(request.clone()).created(), answer);
        client.send(request.clone()).problem(401, "token_required");
    }
}
