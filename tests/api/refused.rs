//! The rest of the table of errors, code by code.

use std::io::ErrorKind;

use serde_json::{Value, json};

use crate::{client, positions};
use acceptance::{Connection, Dice, Request, Table};

#[test]
fn what_is_not_there_is_not_found() {
    let (client, _server) = client();
    let table = Table::rosenkoenig(&client);
    let nobody = "0190b6a1-0000-7000-8000-000000000000";
    for path in [
        "/v1",
        "/v1/",
        "/v2/games",
        "/v1/matches/",
        "//v1/games",
        "/v1/games/chess",
        "/v1/games/%ff",
        "/v1/games/rosenkoenig/rules",
        "/v1/matches/x",
        "/v1/matches/%00",
        "/v1/matches/..%2f..%2fetc%2fpasswd/view",
        &format!("/v1/matches/{nobody}"),
        &format!("/v1/matches/{nobody}/stream"),
        &format!("/v1/matches/{}x/view", table.id),
        &format!("/v1/matches/{}/nothing", table.id),
        "/docs/nothing.js",
        "/metrics",
        "/metrics/x",
    ] {
        client.get(path).problem(404, "not_found");
    }
    for seat in ["2", "256", "-1", "x"] {
        let path = format!("/v1/matches/{}/seats/{seat}", table.id);
        client.post(&path, &json!({})).problem(404, "not_found");
    }
    client.open(&json!({"game": "chess", "seats": [{}, {}]})).problem(404, "not_found");
    client.start_position("chess", &json!({"seats": 2})).problem(404, "not_found");
    let analysis = json!({"position": positions::start()});
    client.analyse("chess", &analysis).problem(404, "not_found");
}

#[test]
fn a_wrong_method_names_the_right_ones() {
    let (client, _server) = client();
    let table = Table::rosenkoenig(&client);
    let id = &table.id;
    for (method, path, allow) in [
        ("DELETE", "/v1/games".to_owned(), "GET, HEAD, OPTIONS"),
        ("POST", "/v1/games/rosenkoenig".to_owned(), "GET, HEAD, OPTIONS"),
        ("PUT", "/v1/matches".to_owned(), "GET, POST, HEAD, OPTIONS"),
        ("GET", format!("/v1/matches/{id}/commands"), "POST, OPTIONS"),
        ("HEAD", format!("/v1/matches/{id}/commands"), "POST, OPTIONS"),
        ("GET", format!("/v1/matches/{id}/seats/0"), "POST, OPTIONS"),
        ("PATCH", format!("/v1/matches/{id}/view"), "GET, HEAD, OPTIONS"),
        ("POST", format!("/v1/matches/{id}/stream"), "GET, HEAD, OPTIONS"),
        ("BREW", "/healthz".to_owned(), "GET, HEAD, OPTIONS"),
        ("POST", "/docs/".to_owned(), "GET, HEAD, OPTIONS"),
        ("DELETE", "/pages/page.js".to_owned(), "GET, HEAD, OPTIONS"),
    ] {
        let answer = client.send(Request::new(method, &path));
        if method == "HEAD" {
            assert_eq!((answer.status, answer.body.len()), (405, 0));
        } else {
            answer.problem(405, "method_not_allowed");
        }
        let mut allowed: Vec<&str> = answer.header("allow").unwrap_or("").split(", ").collect();
        let mut expected: Vec<&str> = allow.split(", ").collect();
        allowed.sort_unstable();
        expected.sort_unstable();
        assert_eq!(allowed, expected, "{method} {path}");
    }
}

#[test]
fn conflicts_say_which_version_is_current() {
    let (client, _server) = client();
    let table = Table::rosenkoenig(&client);
    let id = &table.id;
    let active = table.active().expect("it runs");
    let command = table.legal()[0].clone();
    let path = format!("/v1/matches/{id}/commands");
    for expected in [0, 1, 9_007_199_254_740_991u64] {
        let body = json!({"command": command, "expected_version": expected});
        let problem = table.seat(active).post(&path, &body).problem(409, "version_conflict");
        assert_eq!(problem["current_version"], 2);
    }
    let request = Request::new("POST", &path).json(&json!({"command": command}));
    let stale = table.seat(active).send(request.header("If-Match", "\"7\""));
    assert_eq!(stale.problem(409, "version_conflict")["current_version"], 2);
    let problem = table.seat(1 - active).command(id, &command).problem(409, "not_active_seat");
    assert_eq!(problem["current_version"], 2);
    let body = json!({"command": command, "expected_version": 2});
    table.seat(active).post(&path, &body).created();

    table.finish(&mut Dice::new(21));
    let version = table.version();
    for seat in 0..2 {
        let problem = table.seat(seat).command(id, &command).problem(409, "match_finished");
        assert_eq!(
            (&problem["current_version"], &problem["rule"]),
            (&json!(version), &json!("R-23"))
        );
    }
}

#[test]
fn an_open_match_starts_when_its_last_seat_is_taken() {
    let (client, _server) = client();
    let seats = json!([{"name": "Odin"}, {"open": true}]);
    let table = Table::open(&client, &json!({"game": "rosenkoenig", "seats": seats}));
    let id = &table.id;
    assert_eq!(table.seat_tokens[1], None);
    assert_eq!(table.info()["status"], "open");
    let problem = table.seat(0).command(id, &positions::draw()).problem(409, "match_not_started");
    assert_eq!(problem["current_version"], 2);
    let none = |table: &Table| {
        let legal = table.seat(0).legal_commands(&table.id, "include=spots,labels,points").ok();
        let lists = ["items", "spots", "labels", "points"].map(|list| legal[list].clone());
        assert_eq!(lists, [const { Value::Array(Vec::new()) }; 4], "none would be accepted");
    };
    none(&table);
    client.take_seat(id, 0, &json!({})).problem(409, "seat_taken");
    client.take_seat(id, 1, &json!({"name": ""})).problem(400, "malformed");
    let taken = client.take_seat(id, 1, &json!({"name": "Loki"})).created();
    let problem = client.take_seat(id, 1, &json!({})).problem(409, "seat_taken");
    assert_eq!(problem["current_version"], 3);
    let info = client.info(id).ok();
    assert_eq!(info["status"], "running");
    let seat = &info["seats"][1];
    assert_eq!((&seat["name"], &seat["taken"]), (&json!("Loki"), &json!(true)));
    let loki = client.with_token(taken["seat_token"].as_str().expect("a token"));
    assert_eq!(loki.view(id, "").ok()["viewer"], 1);
    let closed =
        Table::open(&client, &json!({"game": "rosenkoenig", "seats": [{}, {"open": true}]}));
    let mistaken = format!("/v1/matches/{}/close?dry_run=true", closed.id);
    closed.owner().post(&mistaken, &json!({})).problem(400, "malformed");
    assert_eq!(closed.info()["status"], "open", "nothing is only tried here");
    closed.owner().close(&closed.id).ok();
    none(&closed);
    client.take_seat(&closed.id, 1, &json!({})).problem(409, "match_finished");
}

#[test]
fn versions_that_are_not_are_unknown() {
    let (client, _server) = client();
    let table = Table::rosenkoenig(&client);
    let id = &table.id;
    client.view(id, "at=0").problem(422, "version_unknown");
    let problem = client.view(id, "at=3").problem(422, "version_unknown");
    assert_eq!(problem["current_version"], 2);
    client.replay(id, "from=3").problem(422, "version_unknown");
    client.replay(id, "to=9").problem(422, "version_unknown");
    let active = table.active().expect("it runs");
    table.seat(active).legal_commands(id, "at=5").problem(422, "version_unknown");
    table.finish(&mut Dice::new(22));
    let past = format!("at={}", table.version() + 1);
    client.position(id, &past).problem(422, "version_unknown");
    client.view(id, &past).problem(422, "version_unknown");
    let body = json!({"at": table.version() + 1});
    client.branch(id, &body).problem(422, "version_unknown");
}

#[test]
fn bodies_have_a_size_and_a_type() {
    const MOST: usize = 1 << 20;
    let (client, _server) = client();
    let post = || Request::new("POST", "/v1/matches");
    let body = json!({"game": "rosenkoenig", "seats": [{}, {}]}).to_string();
    let padded = |size: usize| body.clone() + &" ".repeat(size - body.len());
    client.send(post().bytes("application/json", padded(MOST))).created();
    client.send(post().bytes("application/json", padded(MOST + 1))).problem(413, "too_large");
    for media_type in ["text/plain", "application/xml", "application/x-www-form-urlencoded", ""] {
        let answer = client.send(post().bytes(media_type, body.as_str()));
        answer.problem(415, "unsupported_media_type");
    }
    client.send(post()).problem(415, "unsupported_media_type");
    client.send(post().bytes("application/json; charset=utf-8", body.as_str())).created();

    // In chunks, without a length: it is counted all the same, and not waited for.
    let mut connection = Connection::open(client.address).expect("the server listens");
    let head = "POST /v1/matches HTTP/1.1\r\nHost: muninn\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
    connection.write(head.as_bytes()).expect("the server reads");
    let chunk = format!("10000\r\n{}\r\n", " ".repeat(0x10000));
    for _ in 0..64 {
        match connection.write(chunk.as_bytes()) {
            Ok(()) => {}
            Err(error) => {
                let closed = [ErrorKind::BrokenPipe, ErrorKind::ConnectionReset];
                assert!(closed.contains(&error.kind()), "{error}");
                break;
            }
        }
    }
    connection.read(false).expect("an answer").problem(413, "too_large");
    assert_eq!(client.matches("").ok()["items"].as_array().map(Vec::len), Some(2));
}

#[test]
fn half_a_request_harms_nobody() {
    let (client, _server) = client();
    let table = Table::rosenkoenig(&client);
    let head = format!("POST /v1/matches/{}/commands HTTP/1.1\r\nHost: muninn\r\n", table.id);
    let halves = [
        String::new(),
        "PO".to_owned(),
        head.clone(),
        format!("{head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{{"),
        "\r\n\r\n\r\n".to_owned(),
        "\0\0\0\0".to_owned(),
        "GET / HTTP/9.9\r\n\r\n".to_owned(),
    ];
    let mut open = Vec::new();
    for half in &halves {
        let mut connection = Connection::open(client.address).expect("the server listens");
        connection.write(half.as_bytes()).expect("the server reads");
        open.push(connection);
        let mut connection = Connection::open(client.address).expect("the server listens");
        connection.write(half.as_bytes()).expect("the server reads");
    }
    assert_eq!(client.get("/healthz").ok(), json!({"status": "ok"}));
    table.play(&mut Dice::new(23), 3);
    assert_eq!(table.info()["commit"], 4);
}
