//! Small print: what is easily forgotten.

use std::fs;

use acceptance::process::Process;
use acceptance::{Connection, Request, Table};
use serde_json::json;

#[test]
fn limits_are_on_unless_they_are_taken_off() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Process::command(folder.path());
    for limit in ["RATE_LIMIT_ADDRESS", "RATE_LIMIT_TOKEN"] {
        command.env_remove(format!("MUNINN_{limit}"));
    }
    let server = Process::spawn(&mut command);
    let client = server.client();
    let (limit, policy) = ("\"address\";r=999;t=1", "\"address\";q=1000;w=5");
    let answer = client.get("/v1/games");
    assert_eq!(answer.header("ratelimit"), Some(limit));
    assert_eq!(answer.header("ratelimit-policy"), Some(policy));
    // The quick start does not notice.
    let table = Table::rosenkoenig(&client);
    table.play(&mut acceptance::Dice::new(1), 5);
}

#[test]
fn a_proxy_that_nobody_trusts_is_told_once() {
    let (folder, [log]) = acceptance::places(["log"]);
    let server = Process::serve_logging(&folder.path().join("data"), &log, "json");
    let client = server.client();
    for _ in 0..3 {
        let request = Request::new("GET", "/v1/games");
        client.send(request.header("X-Forwarded-For", "192.0.2.1"));
        client.send(Request::new("GET", "/v1/games").header("Forwarded", "for=192.0.2.1"));
    }
    server.stop();
    let log = fs::read_to_string(log).expect("a log");
    assert_eq!(log.matches("--trusted-proxies").count(), 1);
}

/// Another protocol may be asked for, and not be spoken: the request is one like any other.
#[test]
fn a_request_that_asks_for_another_protocol_has_a_body_with_an_end() {
    let server = Process::alone(&[]);
    let body = r#"{"seats":2}"#;
    let head = "POST /v1/games/rosenkoenig/positions HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n\
        Upgrade: websocket\r\nContent-Length: 11\r\n";
    for more in ["", "Connection: upgrade\r\n", "Connection: upgrade, close\r\n"] {
        let mut connection = Connection::open(server.client().address).expect("a connection");
        connection.write(format!("{head}{more}\r\n{body}").as_bytes()).expect("it is sent");
        let head = connection.read_head().expect("an answer");
        assert_eq!(head.status, 200, "{more}: {:?}", head.headers);
    }
}

#[test]
fn the_scheme_of_a_token_is_of_any_case() {
    let server = Process::alone(&[]);
    let client = server.client();
    let table = Table::rosenkoenig(&client);
    let token = table.seat_tokens[0].clone().expect("the seat is ours");
    for scheme in ["Bearer", "bearer", "BEARER", "bEARER "] {
        let path = format!("/v1/matches/{}", table.id);
        let request =
            Request::new("GET", &path).header("Authorization", &format!("{scheme} {token}"));
        assert_eq!(client.send(request).ok()["viewer"], 0, "{scheme}");
    }
    for wrong in [format!("Basic {token}"), token.clone(), format!("Bearer{token}")] {
        let path = format!("/v1/matches/{}", table.id);
        let request = Request::new("GET", &path).header("Authorization", &wrong);
        client.send(request).problem(401, "token_invalid");
    }
}

#[test]
fn every_page_says_what_it_may_load() {
    let server = Process::alone(&[]);
    let client = server.client();
    for path in
        ["/docs/", "/docs/swagger-ui-bundle.js", "/watch", "/v1/games", "/problems/malformed"]
    {
        let answer = client.get(path);
        let policy = answer.header("content-security-policy").unwrap_or_default().to_owned();
        assert!(policy.starts_with("default-src 'none'"), "{path}: {policy}");
        assert!(!policy.contains("script-src 'unsafe"), "{path}: {policy}");
    }
}

#[test]
fn a_name_is_what_it_looks_like() {
    let server = Process::alone(&[]);
    let client = server.client();
    let open = |name: &str| {
        let body = json!({"game": "rosenkoenig", "seats": [{"name": name}, {"open": true}]});
        client.send(Request::new("POST", "/v1/matches").json(&body))
    };
    for (given, kept) in [
        ("Anna", "Anna"),
        ("  Anna \u{a0} Maria ", "Anna Maria"),
        ("\u{ff21}nna", "Anna"),
        ("\u{1f426}\u{1f426}", "\u{1f426}\u{1f426}"),
        // Younger than the tables of the profile; with a colour of skin; with the mark that it is drawn as an emoji.
        ("\u{1f985}\u{1fab6} \u{1f44d}\u{1f3fd}", "\u{1f985}\u{1fab6} \u{1f44d}\u{1f3fd}"),
        ("\u{2764}\u{fe0f}", "\u{2764}"),
        ("Ole-J\u{f8}rn & S\u{f8}n", "Ole-J\u{f8}rn & S\u{f8}n"),
    ] {
        let id = open(given).created()["match"].as_str().expect("an id").to_owned();
        assert_eq!(client.get(&format!("/v1/matches/{id}")).ok()["seats"][0]["name"], kept);
    }
    // Bidirectional and invisible characters, control characters, beginnings of formulas, nothing at all.
    for wrong in [
        "An\u{202e}na",
        "\u{2800}",
        "An\u{2800}na",
        "\u{1d159}",
        "An\u{200b}na",
        "\u{2066}x",
        "An\u{fe0f}na",
        // Drawn as one, or as two.
        "\u{1f469}\u{200d}\u{1f680}",
        "\u{fe0f}",
        "a\nb",
        "=1+1",
        "+1",
        "-1",
        "@x",
        " =1",
        "",
        "  ",
    ] {
        open(wrong).problem(400, "malformed");
    }
    let long = "\u{1f426}".repeat(65);
    open(&long).problem(400, "malformed");
    let id = open("Anna").created()["match"].as_str().expect("an id").to_owned();
    let join = |name: &str| {
        let path = format!("/v1/matches/{id}/seats/1");
        client.send(Request::new("POST", &path).json(&json!({"name": name})))
    };
    join("B\u{200b}o").problem(400, "malformed");
    join(" Bo ").created();
    assert_eq!(client.get(&format!("/v1/matches/{id}")).ok()["seats"][1]["name"], "Bo");
}

#[test]
fn a_packed_body_is_refused() {
    let server = Process::alone(&[]);
    let client = server.client();
    let open = |coding: &str| {
        let body = json!({"game": "rosenkoenig", "seats": [{}, {}]});
        let request = Request::new("POST", "/v1/matches").json(&body);
        client.send(request.header("Content-Encoding", coding))
    };
    for coding in ["gzip", "br", "zstd", "deflate", "gzip, gzip", "x"] {
        open(coding).problem(415, "unsupported_media_type");
    }
    open("identity").created();
}

#[test]
fn figures_are_for_the_operator_alone() {
    let server = Process::alone(&[]);
    assert!(server.operator().get("/metrics").text().contains("muninn_"));
    for path in ["/metrics", "/metrics/", "/v1/metrics", "//metrics", "/%6detrics", "/settings"] {
        assert_eq!(server.client().get(path).status, 404, "{path}");
    }
}

#[test]
fn a_head_of_a_stream_is_answered_and_ends() {
    let server = Process::alone(&["--streams-per-address", "1"]);
    let table = Table::rosenkoenig(&server.client());
    let path = format!("/v1/matches/{}/stream", table.id);
    let mut connection = Connection::open(server.address).expect("it listens");
    // None of them is a stream that is held open.
    for _ in 0..3 {
        let head = Request::new("HEAD", &path).on(&mut connection).expect("an answer");
        assert_eq!((head.status, head.header("content-type")), (200, Some("text/event-stream")));
    }
    let unknown = "/v1/matches/00000000-0000-7000-8000-000000000000/stream";
    assert_eq!(Request::new("HEAD", unknown).on(&mut connection).expect("an answer").status, 404);
    let games = Request::new("GET", "/v1/games").on(&mut connection);
    assert_eq!(games.expect("the connection goes on").status, 200);
}

/// They are taken apart before anybody pays for it.
#[test]
fn long_lists_of_wishes_cost_nothing_and_none_forbids_an_answer() {
    let server = Process::alone(&[]);
    let client = server.client();
    let long = vec!["gzip"; 20_000].join(",");
    let ask = |name: &str, wishes: &str| {
        client.send(Request::new("GET", "/openapi.json").header(name, wishes))
    };
    let plain = client.get("/openapi.json").body.len();
    for name in ["Accept-Encoding", "Accept-Language", "Accept"] {
        let answer = ask(name, &long);
        assert_eq!(answer.status, 200, "{name}");
        assert_eq!(answer.header("content-encoding"), None, "{name}");
    }
    let worked = server.cpu();
    for _ in 0..100 {
        let request = Request::new("GET", "/healthz").header("Accept-Encoding", &long);
        client.send(request).ok();
    }
    let worked = server.cpu() - worked;
    assert!(worked < 0.6, "{worked} seconds of a core for 100 requests");
    for none in [
        "identity;q=0, br",
        "*;q=0",
        "br, identity; q=0.0",
        "identity;Q=0",
        "*;Q=0",
        "IDENTITY;q=0",
    ] {
        let answer = ask("Accept-Encoding", none);
        assert_eq!((answer.status, answer.body.len()), (200, plain), "{none}");
    }
}
