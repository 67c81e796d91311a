//! Bad input of every kind is refused cleanly, whatever it is.

use serde_json::{Value, json};

use crate::{client, positions};
use acceptance::{Request, Table};

/// A nested list in a list in a list.
fn deep(open: &str, close: &str) -> String {
    open.repeat(10_000) + &close.repeat(10_000)
}

#[test]
fn bodies_that_are_no_requests_are_malformed() {
    let (client, _server) = client();
    let table = Table::open(&client, &positions::opening(&positions::start()));
    let huge = "9".repeat(5_000);
    let opening = |rest: &str| format!(r#"{{"game": "rosenkoenig", "seats": [{{}}, {{}}]{rest}}}"#);
    let bodies = [
        String::new(),
        "{".to_owned(),
        "null".to_owned(),
        "[]".to_owned(),
        "7".to_owned(),
        "{} {}".to_owned(),
        "\u{feff}{}".to_owned(),
        r#"{"unknown": 1}"#.to_owned(),
        deep("[", "]"),
        deep(r#"{"command":"#, "}"),
        huge.clone(),
    ];
    let paths = [
        "/v1/matches".to_owned(),
        "/v1/games/rosenkoenig/positions".to_owned(),
        "/v1/games/rosenkoenig/analysis".to_owned(),
        format!("/v1/matches/{}/commands", table.id),
        format!("/v1/matches/{}/branches", table.id),
    ];
    for path in &paths {
        for body in &bodies {
            let request = Request::new("POST", path).bytes("application/json", body.as_str());
            table.seat(0).send(request).problem(400, "malformed");
        }
        let request =
            Request::new("POST", path).bytes("application/json", b"{\"game\": \"\xff\xfe\"}");
        table.seat(0).send(request).problem(400, "malformed");
    }
    for rest in [
        r#", "game": "rosenkoenig""#,
        r#", "visibility": "secret""#,
        r#", "visibility": 1"#,
        r#", "take_back": "yes""#,
        r#", "take_back": 1"#,
        r#", "seats": []"#,
        r#", "colour": 1"#,
    ] {
        let request = Request::new("POST", "/v1/matches").bytes("application/json", opening(rest));
        client.send(request).problem(400, "malformed");
    }
    let command = format!("/v1/matches/{}/commands", table.id);
    for body in [
        r#"{"expected_version": 1}"#.to_owned(),
        r#"{"command": {"type": "DrawCard"}, "expected_version": -1}"#.to_owned(),
        r#"{"command": {"type": "DrawCard"}, "expected_version": 1.0}"#.to_owned(),
        r#"{"command": {"type": "DrawCard"}, "expected_version": "1"}"#.to_owned(),
        r#"{"command": {"type": "DrawCard"}, "expected_version": 1e400}"#.to_owned(),
        format!(r#"{{"command": {{"type": "DrawCard"}}, "expected_version": {huge}}}"#),
        r#"{"command": {"type": "DrawCard"}, "command": {"type": "DrawCard"}}"#.to_owned(),
        r#"{"command": {"type": "DrawCard"}, "seat": 1}"#.to_owned(),
    ] {
        let request = Request::new("POST", &command).bytes("application/json", body);
        table.seat(0).send(request).problem(400, "malformed");
    }
    assert_eq!(table.version(), 2, "nothing of it changed the match");
    assert_eq!(client.matches("").ok()["items"].as_array().map(Vec::len), Some(1));
}

#[test]
fn names_and_bots_that_cannot_be_are_malformed_and_say_where() {
    let (client, _server) = client();
    let open = |seat: Value| client.open(&json!({"game": "rosenkoenig", "seats": [{}, seat]}));
    for name in [String::new(), "x".repeat(65), "a\nb".to_owned(), "a\u{0}".to_owned()] {
        let problem = open(json!({"name": name})).problem(400, "malformed");
        assert_eq!(problem["errors"][0]["pointer"], "/seats/1/name");
    }
    for seat in [json!({"bot": "gambler"}), json!({"bot": "greedy", "open": true})] {
        let problem = open(seat).problem(400, "malformed");
        assert_eq!(problem["errors"][0]["pointer"], "/seats/1/bot");
    }
    open(json!({"name": 7})).problem(400, "malformed");
    let lone = r#"{"game": "rosenkoenig", "seats": [{}, {"name": "\ud800"}]}"#;
    let request = Request::new("POST", "/v1/matches").bytes("application/json", lone);
    client.send(request).problem(400, "malformed");
    for name in
        ["greedy", "Random 2", "greedy-2", "random#1", "Greedy (2)", "greedy.1", "greedy 1 2"]
    {
        let problem = open(json!({"name": name})).problem(400, "malformed");
        assert_eq!(problem["errors"][0]["pointer"], "/seats/1/name", "{name}");
    }
    for name in ["greedily", "random x", "2 greedy"] {
        open(json!({"name": name})).created();
    }
    // Of more seats than a game has, their number is what is wrong, and the names are not read.
    let many = json!({"game": "rosenkoenig", "seats": vec![json!({"name": "a\nb"}); 9]});
    client.open(&many).problem(400, "malformed");
    for known in [2, 8] {
        let mut seats = vec![json!({}); known];
        seats.push(json!({"name": "a\nb"}));
        let many = json!({"game": "rosenkoenig", "seats": seats});
        client.open(&many).problem(422, "invalid_options");
    }
    let longest = "ß".repeat(64);
    let table = Table::read(&client, &open(json!({"name": longest})).created());
    assert_eq!(table.info()["seats"][1]["name"], longest);
}

#[test]
fn bad_parameters_are_malformed() {
    let (client, _server) = client();
    let table = Table::rosenkoenig(&client);
    let id = &table.id;
    for query in [
        "at=-1",
        "at=x",
        "at=1.5",
        "at=99999999999999999999999",
        "at=",
        "at=1&at=1",
        "viewer=2",
        "viewer=owner",
        "viewer=-1",
        "viewer=300",
        "unknown=1",
        "at=%ff",
    ] {
        client.view(id, query).problem(400, "malformed");
    }
    for query in ["limit=0", "limit=1001", "limit=-1", "limit=x", "after=-1", "after=x", "at=1"] {
        client.commits(id, query).problem(400, "malformed");
        client.events(id, query).problem(400, "malformed");
        client.feed(query).problem(400, "malformed");
        client.feed_lines(query).problem(400, "malformed");
        client.matches(query).problem(400, "malformed");
    }
    for query in ["status=done", "status=", "after=1"] {
        client.matches(query).problem(400, "malformed");
    }
    for query in ["from=-1", "to=x", "at=1", "viewer=7"] {
        client.replay(id, query).problem(400, "malformed");
    }
    for query in ["after=-1", "after=x", "viewer=7", "limit=1"] {
        let path = format!("/v1/matches/{id}/stream?{query}");
        client.get(&path).problem(400, "malformed");
    }
    let path = format!("/v1/matches/{id}/commands?dry_run=perhaps");
    let body = json!({"command": positions::draw()});
    table.seat(0).post(&path, &body).problem(400, "malformed");
    client.position(id, "at=x").problem(400, "malformed");
    client.legal_commands(id, "at=-1").problem(400, "malformed");
    // The largest numbers are numbers.
    let most = u64::MAX;
    client.view(id, &format!("at={most}")).problem(422, "version_unknown");
    let end = client.feed("limit=1000").ok()["position"].clone();
    let none = json!({"items": [], "next": null, "position": end});
    assert_eq!(client.feed(&format!("after={most}")).ok(), none);
    // The document says what the largest one is.
    let most = (1_u64 << 53) - 1;
    for log in ["commits", "events", "ledger", "stream"] {
        let path = |after| format!("/v1/matches/{id}/{log}?after={after}");
        client.get(&path(most + 1)).problem(400, "malformed");
        match log {
            "stream" => drop(client.get(&path(most)).problem(422, "version_unknown")),
            _ => assert_eq!(client.get(&path(most)).ok()["items"], none["items"], "{log}"),
        }
    }
}

#[test]
fn bad_headers_are_malformed() {
    let (client, _server) = client();
    let table = Table::rosenkoenig(&client);
    let seat = table.seat(table.active().expect("it runs"));
    let body = json!({"command": table.legal()[0], "expected_version": 2});
    let post = || Request::new("POST", &format!("/v1/matches/{}/commands", table.id)).json(&body);
    for (name, value) in [
        ("Idempotency-Key", ""),
        ("Idempotency-Key", "é"),
        ("Idempotency-Key", &"k".repeat(256)),
        ("If-Match", "\"x\""),
        ("If-Match", "\"1\""),
        ("If-Match", "\"2"),
        ("If-Match", "2\""),
        ("If-Match", "é"),
    ] {
        seat.send(post().header(name, value)).problem(400, "malformed");
    }
    for (name, one, other) in
        [("If-Match", "\"2\"", "\"3\""), ("Idempotency-Key", "one-key", "another")]
    {
        let twice = post().header(name, one).header(name, other);
        let problem = seat.send(twice).problem(400, "malformed");
        assert_eq!(problem["detail"], format!("the header {name} is there twice"));
    }
    let stream = Request::new("GET", &format!("/v1/matches/{}/stream", table.id));
    for id in ["", "x", "-1"] {
        client.send(stream.clone().header("Last-Event-ID", id)).problem(400, "malformed");
    }
    // Who asks comes first.
    for (path, body) in [("commands", json!({"command": {}})), ("take-back", json!({}))] {
        let request = Request::new("POST", &format!("/v1/matches/{}/{path}", table.id));
        let request = request.json(&body).header("If-Match", "");
        client.send(request).problem(401, "token_required");
    }
    assert_eq!(table.version(), 2);
    seat.send(post().header("If-Match", "\"2\"")).created();
}
