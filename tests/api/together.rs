//! Many at once, and the same thing twice.

use std::sync::Barrier;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use serde_json::{Value, json};

use crate::{client, restarted, server};
use acceptance::{Answer, Client, Connection, Dice, Request, Table};

/// Sends the same request from many connections at the same moment.
fn at_once(client: &Client, count: usize, request: &Request) -> Vec<Answer> {
    let (barrier, request) = (Barrier::new(count), client.signed(request.clone()));
    thread::scope(|scope| {
        let send = |_| {
            scope.spawn(|| {
                let mut connection = Connection::open(client.address).expect("the server listens");
                barrier.wait();
                request.on(&mut connection).expect("the server answers")
            })
        };
        let threads: Vec<_> = (0..count).map(send).collect();
        threads.into_iter().map(|t| t.join().expect("no thread panics")).collect()
    })
}

#[test]
fn of_the_same_commands_at_once_one_is_accepted() {
    let (client, _server) = client();
    let table = Table::rosenkoenig(&client);
    let path = format!("/v1/matches/{}/commands", table.id);
    let mut commits = 1;
    for count in [2, 16, 2, 16, 16] {
        let seat = table.active().expect("it runs");
        let body = json!({"command": table.legal()[0], "expected_version": table.version()});
        let answers = at_once(&table.seat(seat), count, &Request::new("POST", &path).json(&body));
        let accepted = answers.iter().filter(|answer| answer.status == 201).count();
        assert_eq!(accepted, 1, "of {count}");
        for answer in answers.iter().filter(|answer| answer.status != 201) {
            let problem = answer.problem(409, "version_conflict");
            assert_eq!(problem["current_version"], table.version());
        }
        commits += 1;
        assert_eq!(table.info()["commit"], commits);
        // Without a version it is the order that decides: the others are too late for their turn.
        let seat = table.active().expect("it runs");
        let body = json!({"command": table.legal()[0]});
        let answers = at_once(&table.seat(seat), count, &Request::new("POST", &path).json(&body));
        let accepted = answers.iter().filter(|answer| answer.status == 201).count();
        if table.active() != Some(seat) {
            assert_eq!(accepted, 1, "of {count}");
        }
        for answer in answers.iter().filter(|answer| answer.status == 409) {
            answer.problem(409, "not_active_seat");
        }
        commits += accepted as u64;
    }
    assert_eq!(table.info()["commit"], commits);
}

#[test]
fn one_of_sixteen_gets_the_seat() {
    let (server, folder) = server();
    let client = server.client();
    let mut taken = Vec::new();
    for _ in 0..3 {
        let body = json!({"game": "rosenkoenig", "seats": [{"open": true}, {}]});
        let table = Table::open(&client, &body);
        let path = format!("/v1/matches/{}/seats/0", table.id);
        let answers = at_once(&client, 16, &Request::new("POST", &path).json(&json!({})));
        let (mine, others): (Vec<_>, Vec<_>) = answers.iter().partition(|a| a.status == 201);
        assert_eq!((mine.len(), others.len()), (1, 15));
        others.iter().for_each(|answer| drop(answer.problem(409, "seat_taken")));
        let token = mine[0].created()["seat_token"].as_str().expect("a token").to_owned();
        assert_eq!(client.with_token(&token).view(&table.id, "").ok()["viewer"], 0);
        taken.push((table.id, token));
    }
    let server = restarted(server, &folder);
    for (id, token) in taken {
        let seat = server.client().with_token(&token);
        assert_eq!(seat.view(&id, "").ok()["viewer"], 0);
    }
}

#[test]
fn a_command_with_a_key_is_carried_out_once() {
    let (server, folder) = server();
    let client = server.client();
    let table = Table::rosenkoenig(&client);
    let path = format!("/v1/matches/{}/commands", table.id);
    let seat = table.active().expect("it runs");
    let (first, second) = (table.legal()[0].clone(), table.legal()[1].clone());
    let keyed = |key: &str, body: &Value| {
        Request::new("POST", &path).json(body).header("Idempotency-Key", key)
    };
    let body = json!({"command": first, "expected_version": 2});
    let answers = at_once(&table.seat(seat), 16, &keyed("a", &body));
    let answer = answers[0].created();
    answers.iter().for_each(|other| assert_eq!(other.created(), answer));
    assert_eq!(table.info()["commit"], 2);
    let other = json!({"command": second, "expected_version": 1});
    let problem = table.seat(seat).send(keyed("a", &other)).problem(409, "idempotency_conflict");
    assert_eq!(problem["current_version"], table.version());
    table.play(&mut Dice::new(121), 5);
    assert_eq!(table.seat(seat).send(keyed("a", &body)).created(), answer);
    // The key is the seat's own.
    let active = table.active().expect("it runs");
    let stranger = table.seat(1 - seat).send(keyed("a", &body));
    assert!(matches!(stranger.status, 409), "{}", stranger.text());
    // A refusal is not kept: the key is free.
    let refused = json!({"command": {"type": "Pass"}});
    table.seat(active).send(keyed("b", &refused)).refused("illegal_command", "R-24");
    let good = json!({"command": table.legal()[0]});
    let kept = table.seat(active).send(keyed("b", &good)).created();

    let server = restarted(server, &folder);
    let table = table.through(&server.client());
    let version = table.version();
    assert_eq!(table.seat(seat).send(keyed("a", &body)).created(), answer);
    assert_eq!(table.seat(active).send(keyed("b", &good)).created(), kept);
    table.seat(seat).send(keyed("a", &other)).problem(409, "idempotency_conflict");
    assert_eq!(table.version(), version);
    table.finish(&mut Dice::new(122));
    assert_eq!(table.seat(seat).send(keyed("a", &body)).created(), answer);
}

#[test]
fn a_match_with_a_key_is_opened_once() {
    let (server, folder) = server();
    let client = server.client();
    let keyed = |body: &Value| {
        Request::new("POST", "/v1/matches")
            .json(body)
            .header("Idempotency-Key", "0198c0de-5c00-7000-8000-000000000001")
    };
    // A refusal is not kept: the key is free.
    let refused = json!({"game": "rosenkoenig", "seats": [{}]});
    client.send(keyed(&refused)).problem(422, "invalid_options");
    let body = json!({"game": "rosenkoenig", "seats": [{}, {"open": true}]});
    let answers = at_once(&client, 16, &keyed(&body));
    let opened = answers[0].created();
    for answer in &answers {
        assert_eq!(answer.created(), opened);
        let location = format!("/v1/matches/{}", opened["match"].as_str().unwrap_or(""));
        assert_eq!(answer.header("location"), Some(location.as_str()));
    }
    let other = json!({"game": "rosenkoenig", "seats": [{}, {}]});
    client.send(keyed(&other)).problem(409, "idempotency_conflict");
    let server = restarted(server, &folder);
    let client = server.client();
    assert_eq!(client.send(keyed(&body)).created(), opened);
    client.send(keyed(&other)).problem(409, "idempotency_conflict");
    assert_eq!(client.matches("").ok()["items"].as_array().map(Vec::len), Some(1));
    let table = Table::read(&client, &opened);
    assert_eq!(table.seat(0).view(&table.id, "").ok()["viewer"], 0, "the tokens are good");
    table.owner().close(&table.id).ok();
}

#[test]
fn many_matches_at_once_do_not_mix() {
    let (client, _server) = client();
    let commits = AtomicU64::new(0);
    thread::scope(|scope| {
        for number in 0..4 {
            let (client, commits) = (&client, &commits);
            scope.spawn(move || {
                let table = Table::rosenkoenig(client);
                let stream = client.stream(&table.id, "", None);
                let accepted = table.play(&mut Dice::new(130 + number), 40);
                // Now and then one is over by then.
                let is_closed = table.active().is_some();
                if is_closed {
                    table.owner().close(&table.id).ok();
                }
                let messages = stream.rest();
                // The setup comes first, and the closing last.
                assert_eq!(messages.len(), 1 + accepted.len() + usize::from(is_closed));
                commits.fetch_add(messages.len() as u64, Ordering::Relaxed);
                for (message, accepted) in messages[1..].iter().zip(&accepted) {
                    assert_eq!(message.id, accepted["version"]);
                }
            });
        }
    });
    let lines = client.feed_lines("").lines();
    let positions: Vec<u64> = lines.iter().filter_map(|line| line["position"].as_u64()).collect();
    assert!(positions.is_sorted(), "one order for all");
    assert_eq!(positions.last().copied(), Some(commits.into_inner()));
}
