//! How often one may ask, and how many streams one may hold.

use std::thread;
use std::time::{Duration, Instant};

use muninn::LimitArgs;
use serde_json::json;
use tempfile::TempDir;

use acceptance::server::Server;
use acceptance::{Answer, Client, Request, Table};

fn limited(limits: LimitArgs) -> (Server, TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start_limited(folder.path(), catalog::games(), limits);
    (server, folder)
}

/// Asks until it is refused, at most so often; returns how often it was answered, and the refusal.
#[track_caller]
fn until_refused(most: usize, mut ask: impl FnMut() -> Answer) -> (usize, Answer) {
    for answered in 0..most {
        let answer = ask();
        if answer.status == 429 {
            return (answered, answer);
        }
        assert!(answer.status < 500, "{}", answer.text());
    }
    panic!("nothing was refused in {most} requests");
}

/// Waits as long as the refusal says.
fn wait(refusal: &Answer) {
    let seconds = refusal.header("retry-after").expect("a time");
    thread::sleep(Duration::from_secs(seconds.parse().expect("seconds")));
}

#[test]
fn an_address_is_limited_whatever_token_it_shows() {
    let args = LimitArgs { rate_limit_address: 4, rate_limit_token: 1000, ..LimitArgs::default() };
    let (server, _folder) = limited(args);
    let client = server.client();
    let first = client.get("/v1/games");
    assert_eq!(first.header("ratelimit"), Some("\"address\";r=19;t=1"));
    assert_eq!(first.header("ratelimit-policy"), Some("\"address\";q=20;w=5"));
    let mut made_up = 0_u64;
    let start = Instant::now();
    let (answered, refusal) = until_refused(200, || {
        made_up += 1;
        client.with_token(&format!("{made_up:064x}")).get("/v1/games")
    });
    let refilled = usize::try_from(start.elapsed().as_secs()).expect("a short test") * 4 + 4;
    assert!((17..=19 + refilled).contains(&answered), "{answered}");
    let problem = refusal.problem(429, "rate_limited");
    let detail = problem["detail"].as_str().expect("a sentence");
    for said in ["4 units a second", "at least one, and more for processor time, bytes"] {
        assert!(detail.contains(said), "{detail}");
    }
    assert_eq!(refusal.header("retry-after"), Some("1"));
    assert_eq!(refusal.header("ratelimit"), Some("\"address\";r=0;t=5"));
    // Who watches over the server gets through, and sees it.
    for path in ["/healthz", "/readyz"] {
        assert_eq!(client.get(path).status, 200);
    }
    wait(&refusal);
    let metrics = server.operator().get("/metrics").text();
    let refused = metrics.lines().find(|line| line.contains("/v1/games\"") && line.contains("429"));
    assert!(refused.is_some(), "{metrics}");
}

#[test]
fn a_refusal_is_for_other_origins_too() {
    let args = LimitArgs { rate_limit_address: 1, ..LimitArgs::default() };
    let (server, _folder) = limited(args);
    let client = server.client();
    let (_, refusal) = until_refused(100, || {
        let request = Request::new("GET", "/v1/games");
        client.send(request.header("Origin", "https://example.org").header("X-Request-Id", "mine"))
    });
    assert_eq!(refusal.problem(429, "rate_limited")["request_id"], "mine");
    assert_eq!(refusal.header("access-control-allow-origin"), Some("*"));
    let exposed = refusal.header("access-control-expose-headers");
    let exposed = exposed.unwrap_or("").to_lowercase();
    for name in ["ratelimit", "ratelimit-policy", "retry-after"] {
        assert!(exposed.split(", ").any(|known| known == name), "{exposed}");
    }
}

#[test]
fn a_token_is_limited_apart_from_others() {
    let args = LimitArgs { rate_limit_address: 0, rate_limit_token: 2, ..LimitArgs::default() };
    let (server, _folder) = limited(args);
    let client = server.client();
    let table = Table::rosenkoenig(&client);
    let (one, other) = (table.seat(0), table.seat(1));
    let (_, refusal) = until_refused(100, || one.view(&table.id, ""));
    refusal.problem(429, "rate_limited");
    other.view(&table.id, "").ok();
    client.view(&table.id, "").ok();
    wait(&refusal);
    one.view(&table.id, "").ok();
}

#[test]
fn the_refusal_of_a_token_tells_of_all_budgets() {
    let args = LimitArgs { rate_limit_address: 1000, rate_limit_token: 2, ..LimitArgs::default() };
    let (server, _folder) = limited(args);
    let table = Table::rosenkoenig(&server.client());
    let seat = table.seat(0);
    let (_, refusal) = until_refused(100, || seat.view(&table.id, ""));
    let policies = "\"address\";q=5000;w=5, \"token\";q=10;w=5";
    assert_eq!(refusal.header("ratelimit-policy"), Some(policies));
    let left = refusal.header("ratelimit").expect("what is left");
    assert!(left.starts_with("\"address\";r="), "{left}");
    assert!(left.ends_with(", \"token\";r=0;t=5"), "{left}");
}

/// How many units are left, as an answer tells.
#[track_caller]
fn left(answer: &Answer) -> u32 {
    let left = answer.header("ratelimit").and_then(|left| left.split("r=").nth(1)).expect("units");
    left.split(';').next().and_then(|left| left.parse().ok()).expect("a number")
}

#[test]
fn a_match_that_is_kept_counts_more_than_a_look() {
    let args = LimitArgs { rate_limit_address: 10, ..LimitArgs::default() };
    let (server, _folder) = limited(args);
    let client = server.client();
    let start = Instant::now();
    Table::rosenkoenig(&client);
    let next = client.get("/v1/games");
    let refilled = u32::try_from(start.elapsed().as_millis() / 100).expect("a short test") + 1;
    let left = left(&next);
    assert!((30..=40 + refilled).contains(&left), "{left} of 50, and {refilled} since");
}

/// What fills up meanwhile only makes more of what is left.
#[test]
fn an_opening_that_is_repeated_keeps_nothing_more() {
    let args = LimitArgs { rate_limit_address: 8, ..LimitArgs::default() };
    let (server, _folder) = limited(args);
    let client = server.client();
    let open = || {
        let body = json!({"game": "rosenkoenig", "seats": [{}, {}]});
        let request = Request::new("POST", "/v1/matches").json(&body);
        client.send(request.header("Idempotency-Key", "0198c0de-5c00-7000-8000-000000000001"))
    };
    let opened = open().created();
    let before = left(&client.get("/v1/games"));
    assert_eq!(open().created(), opened);
    let after = left(&client.get("/v1/games"));
    assert!(after + 6 >= before, "{before} of 40, then {after}");
}

#[test]
fn a_proxy_says_whom_it_speaks_for() {
    let args = |trusted_proxies| LimitArgs {
        rate_limit_address: 1,
        trusted_proxies,
        ..LimitArgs::default()
    };
    let from =
        |client: &Client, address: &str| client.get_with("/v1/games", "X-Forwarded-For", address);
    let (server, _folder) = limited(args(1));
    let client = server.client();
    until_refused(100, || from(&client, "198.51.100.1, 192.0.2.1"));
    from(&client, "198.51.100.1, 192.0.2.2").ok();
    // Without the flag anybody could write the header.
    let (server, _folder) = limited(args(0));
    let client = server.client();
    let mut n = 0;
    until_refused(100, || {
        n += 1;
        from(&client, &format!("192.0.2.{n}"))
    });
}

#[test]
fn an_address_holds_so_many_streams() {
    let args = LimitArgs { streams_per_address: 2, ..LimitArgs::default() };
    let (server, _folder) = limited(args);
    let client = server.client();
    let table = Table::rosenkoenig(&client);
    let held = [client.stream(&table.id, "", None), client.stream(&table.id, "", None)];
    for stream in &held {
        assert_eq!(stream.answer.status, 200);
    }
    let path = format!("/v1/matches/{}/stream", table.id);
    let refusal = client.get(&path);
    refusal.problem(429, "rate_limited");
    assert_eq!(refusal.header("retry-after"), Some("5"));
    drop(held);
    // The server notices at the next heartbeat that somebody is gone.
    let start = Instant::now();
    while client.stream(&table.id, "", None).answer.status == 429 {
        assert!(start.elapsed() < Duration::from_secs(20));
        thread::sleep(Duration::from_millis(50));
    }
}
