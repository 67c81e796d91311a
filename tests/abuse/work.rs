//! Every request is paid by what it took.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use acceptance::process::Process;
use acceptance::{Answer, Client, Dice, Request, Table, copies, until, until_some};
use serde_json::{Value, json};

/// The budget of an address in these tests: so many units a second, five seconds' worth at once.
const RATE: u32 = 20;

/// A finished match, and a server that keeps to the rate.
fn world(folder: &Path) -> (Process, String) {
    let server = Process::serve(folder, &[]);
    let table =
        Table::open(&server.client(), &json!({"game": "copenhagen", "seats": [{}, {}, {}, {}]}));
    table.finish(&mut Dice::new(5));
    server.stop();
    let rate = RATE.to_string();
    (Process::serve(folder, &["--rate-limit-address", &rate]), table.id)
}

fn units_left(answer: &Answer) -> u32 {
    let left = answer.header("ratelimit").and_then(|left| left.split("r=").nth(1));
    let left = left.and_then(|left| left.split(';').next()).and_then(|left| left.parse().ok());
    left.unwrap_or_else(|| panic!("{}: {:?}", answer.status, answer.headers))
}

/// However its header is written, a token has one budget.
#[test]
fn another_spelling_of_a_token_is_no_other_budget() {
    // Nothing comes back while the test runs.
    let server = Process::alone(&["--rate-limit-token", "1"]);
    let client = server.client();
    let token = "0123456789abcdef".repeat(4);
    let spellings = ["Bearer ", "bearer ", "Bearer  ", "BEARER \t"];
    let is_refused = |spelling: &str| {
        client.get_with("/v1/games", "Authorization", &format!("{spelling}{token}")).status == 429
    };
    let mut spellings = spellings.iter().cycle().take(20);
    assert!(spellings.any(|spelling| is_refused(spelling)));
}

/// Sends a request until it is refused; returns how often it was answered.
fn until_refused(client: &Client, request: &Request) -> (u32, Answer) {
    for answered in 0..10 * RATE {
        let answer = client.send(request.clone());
        if answer.status == 429 {
            return (answered, answer);
        }
        assert_eq!(answer.status, 200, "{}", answer.text());
    }
    panic!("{} requests were answered", 10 * RATE);
}

#[test]
fn work_is_paid_however_its_path_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let (server, id) = world(folder.path());
    let client = server.client();
    for path in [format!("/v1/matches/{id}/replay"), format!("/v1/matche%73/{id}/repl%61y")] {
        let replay = Request::new("GET", &path);
        let (answered, refusal) = until_refused(&client, &replay);
        // Of cheap requests the budget would have had five times as many.
        assert!(answered < RATE * 4, "{path}: {answered} replays");
        refusal.problem(429, "rate_limited");
        let seconds: u64 =
            refusal.header("retry-after").and_then(|s| s.parse().ok()).expect("a time");
        thread::sleep(Duration::from_secs(seconds));
        assert_eq!(client.get("/v1/games").status, 200, "who has waited is let in");
        thread::sleep(Duration::from_secs(6));
    }
}

#[test]
fn a_head_without_a_body_is_not_computed() {
    let folder = tempfile::tempdir().expect("a folder");
    let (server, id) = world(folder.path());
    let client = server.client();
    let heads = || {
        for path in ["replay", "view?at=9", "board.svg?at=9", "commits", "position?at=9"] {
            let answer = client.send(Request::new("HEAD", &format!("/v1/matches/{id}/{path}")));
            assert_eq!((answer.status, answer.body.len()), (200, 0), "{path}");
        }
    };
    // The first ones read the match, which is paid. Then the budget fills up again.
    client.get("/v1/games").ok();
    heads();
    thread::sleep(Duration::from_secs(6));
    let before = units_left(&client.get("/v1/games"));
    heads();
    let after = units_left(&client.get("/v1/games"));
    assert!(before - after <= 8, "{before} units, then {after}");
    let unknown = "/v1/matches/00000000-0000-7000-8000-000000000000/replay";
    assert_eq!(client.send(Request::new("HEAD", unknown)).status, 404);
    assert_eq!(client.send(Request::new("HEAD", "/v1/games")).status, 200);
}

#[test]
fn who_plays_does_not_wait_for_a_query() {
    let server = Process::alone(&["--query", "on", "--query-seconds", "8"]);
    let client = server.client();
    let table = Table::rosenkoenig(&client);
    let endless =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
    let query = Request::new("POST", "/v1/query").json(&json!({"sql": endless}));
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            client.send(query).problem(422, "query_too_much");
            is_over.store(true, Ordering::Release);
        });
        // The query is under way by then; were it not, the test would only be easier.
        thread::sleep(Duration::from_secs(1));
        let listed = "legal-commands?include=spots,labels";
        for path in ["view", "board.svg", "board.txt", "legal-commands", listed] {
            let seat = table.seat(table.active().expect("it runs"));
            assert_eq!(seat.get(&format!("/v1/matches/{}/{path}", table.id)).status, 200, "{path}");
        }
        assert_eq!(client.get("/v1/matches").status, 200);
        table.play(&mut Dice::new(2), 3);
        assert!(!is_over.load(Ordering::Acquire), "they waited for the query");
    });
}

#[test]
fn who_asks_many_queries_leaves_others_their_turn() {
    let server =
        Process::alone(&["--query", "on", "--query-seconds", "60", "--trusted-proxies", "1"]);
    let client = server.client();
    let ask = |from: &str, sql: &str| {
        let query = Request::new("POST", "/v1/query").json(&json!({"sql": sql}));
        client.send(query.header("X-Forwarded-For", from)).status
    };
    let other = || ask("192.0.2.2", "SELECT 1");
    until("the tables answer", || other() == 200);
    let long = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000) SELECT count(*) FROM n";
    let (answered, is_over) = (AtomicU32::new(0), AtomicBool::new(false));
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                // Were something else wrong, they would not go on for ever.
                for _ in (0..30).take_while(|_| !is_over.load(Ordering::Acquire)) {
                    assert_eq!(ask("192.0.2.1", long), 200);
                    answered.fetch_add(1, Ordering::AcqRel);
                }
            });
        }
        until("all of them ask", || answered.load(Ordering::Acquire) >= 8);
        let waited: Vec<u32> = (0..3)
            .map(|_| {
                let before = answered.load(Ordering::Acquire);
                assert_eq!(other(), 200);
                answered.load(Ordering::Acquire) - before
            })
            .collect();
        is_over.store(true, Ordering::Release);
        // The one that is answered, and what is counted before and after.
        assert!(waited.iter().all(|waited| *waited < 5), "{waited:?} others were answered before");
    });
}

#[test]
fn each_commit_of_a_sandbox_is_paid() {
    let server = Process::alone(&["--rate-limit-address", "40"]);
    let client = server.client();
    let sandbox = json!({"game": "rosenkoenig", "seats": [{}, {}], "sandbox": {"seed": "5".repeat(64), "fast_forward": {}}});
    let before = units_left(&client.get("/v1/games"));
    let begun = Instant::now();
    let opened = client.open(&sandbox).created();
    let left = units_left(&client.get("/v1/games"));
    let regained = begun.elapsed().as_secs_f64() * 40.0;
    let id = opened["match"].as_str().expect("an id");
    let commits = client.info(id).ok()["commit"].as_f64().expect("a number");
    let paid = f64::from(before - left) + regained;
    assert!(commits > 40.0 && paid > commits, "{paid} units for {commits} commits");
}

#[test]
fn a_large_opening_is_paid_by_its_bytes() {
    const RATE: f64 = 10.0;
    let server = Process::alone(&["--rate-limit-address", &RATE.to_string()]);
    let client = server.client();
    let far = json!({"x": 2_000_000_000, "y": -2_000_000_000});
    let command =
        json!({"type": "PlaceTile", "tile": "odin", "at": far, "mode": "lay", "bump": null});
    let replies = json!([{"seat": 1, "commands": vec![command; 500]}]);
    let sandbox = json!({"game": "voluspa", "seats": [{}, {"bot": "random"}], "sandbox": {"replies": replies}});
    let bytes = sandbox.to_string().len() as f64;
    let (before, begun) = (units_left(&client.get("/v1/games")), Instant::now());
    client.open(&sandbox).created();
    let left = units_left(&client.get("/v1/games"));
    let paid = f64::from(before - left) + begun.elapsed().as_secs_f64() * RATE;
    assert!(bytes > 40e3 && paid > bytes / 2048.0, "{paid} units for {bytes} bytes");
}

#[test]
fn who_is_to_act_is_found_once_however_often_the_list_is_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Process::serve(folder.path(), &[]);
    let client = server.client();
    for _ in 0..24 {
        let forward = json!({"fast_forward": {"version": 700}});
        let body = json!({"game": "delphi", "seats": [{}, {}], "sandbox": forward});
        client.open(&body).created();
    }
    let expected = seats_to_act(&client, 100);
    assert!(expected.len() == 24 && expected.iter().all(|(_, seat)| seat.is_u64()));
    server.stop();
    let list = std::fs::read_dir(folder.path()).expect("a folder");
    let list = list.map(|entry| entry.expect("a file").path());
    let list = list.filter(|path| path.to_string_lossy().contains("list.sqlite"));
    list.for_each(|path| std::fs::remove_file(path).expect("it is ours"));
    let server = Process::serve(folder.path(), &["--matches-mib", "0"]);
    let client = server.client();
    let first = until_some("the list", || {
        let page = client.matches("limit=1000");
        (page.status != 503).then(|| page.ok())
    });
    // After 10,000 events of 700 and more for each match the page ends, and who asks goes on from there.
    let told = first["items"].as_array().map_or(0, Vec::len);
    assert!((1..=15).contains(&told) && first["next"].is_string(), "{told} of 24: {first}");
    // The list has all of them, and says of those of each page who is to act.
    for _ in 0..3 {
        assert_eq!(seats_to_act(&client, 1000), expected);
    }
    let folded = server.operator().figure("muninn_match_cache_misses_total");
    assert_eq!(folded, 24, "each match is folded once");
    let kept = server.operator().figure("muninn_matches_in_memory");
    assert!(kept < 2, "and none is kept in memory for that");
}

/// The list, page by page: who is to act in each match.
fn seats_to_act(client: &Client, limit: usize) -> Vec<(Value, Value)> {
    let items = Table::pages(limit, |query| client.matches(query).ok());
    items.iter().map(|item| (item["match"].clone(), item["active_seat"].clone())).collect()
}

/// A filter that lets nothing through is no reason to read the whole store for one page.
#[test]
fn a_page_of_the_feed_looks_at_so_much_whatever_it_finds() {
    let (_folder, [many, large]) = acceptance::places(["many", "large"]);
    // Three commits each, of less than a kilobyte.
    copies::make(&many, 1, 4_000);
    let places = pages_of_nothing(&many);
    assert!((10_000..10_500).contains(&places[0]), "{places:?}");
    assert_eq!(places.last(), Some(&12_000));
    // One commit each, of which 1,400 have more than 16 MiB.
    let server = Process::serve(&large, &[]);
    Table::open(&server.client(), &json!({"game": "delphi", "seats": [{}, {}, {}, {}]}));
    server.stop();
    copies::copy(&large, 1, 2_000);
    let places = pages_of_nothing(&large);
    assert!((1..1_400).contains(&places[0]), "{places:?}");
    assert_eq!(places.last(), Some(&2_000));
}

/// The feed of a type that no event has, page by page: up to where each has looked.
fn pages_of_nothing(data: &Path) -> Vec<u64> {
    let server = Process::serve(data, &["--wait-for-projections"]);
    let (client, mut places) = (server.client(), Vec::new());
    let mut after = "0".to_owned();
    loop {
        let page = client.feed(&format!("type=Nothing&after={after}")).ok();
        assert_eq!(page["items"], json!([]), "after {after}");
        places.push(page["position"].as_u64().expect("a position"));
        let Some(next) = page["next"].as_str() else { return places };
        after = next.to_owned();
    }
}
