//! Work at length is done in slices: each is paid, and between two of them others have their turn.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use acceptance::process::Process;
use acceptance::stream::Stream;
use acceptance::{Client, Connection, Dice, Request, Table, simulate, until};
use serde_json::{Value, json};

/// The budget of an address: so many units a second, a fifth of a core; and how much of a core it has at once.
const RATE: &str = "40";
const CORE: f64 = 0.2;
const AT_ONCE: f64 = 1.0;

/// Plays whole matches of bots into a store.
pub(crate) fn simulated(data: &Path, game: &str, matches: usize) {
    simulate(data, &format!("--game {game} --seats 2 --matches {matches}"));
}

/// Asserts that what is done meanwhile keeps to the rate.
#[track_caller]
pub(crate) fn keeps_to_the_rate(server: &Process, what: &str, act: impl FnOnce()) {
    let (begun, worked) = (Instant::now(), server.cpu());
    act();
    let (took, worked) = (begun.elapsed().as_secs_f64(), server.cpu() - worked);
    // A slice that has begun is ended, and there is more to be done than is paid for.
    assert!(worked < AT_ONCE + CORE * took + 1.0, "{what}: {worked} in {took} seconds");
}

/// Waits until the matches of bots are counted, which is work as well, and until its budget is full again.
fn counted(server: &Process) {
    let client = server.client();
    until("they are counted", || {
        let answer = client.get("/v1/stats/rosenkoenig?players=bots");
        answer.status == 200 && answer.json()["finished"]["complete"] == true
    });
    thread::sleep(Duration::from_secs(6));
}

const REPORT: &str = "/v1/stats/rosenkoenig/report?players=bots";

#[test]
fn a_report_is_paid_and_kept_and_others_have_their_turn() {
    let folder = tempfile::tempdir().expect("a folder");
    simulate(folder.path(), "--game rosenkoenig --matches 3 --bot greedy");
    simulated(folder.path(), "rosenkoenig", 1_000);
    let server = Process::serve(folder.path(), &[]);
    let client = server.client();
    let is_over = AtomicBool::new(false);
    let page = thread::scope(|scope| {
        let report = scope.spawn(|| {
            let page = client.get(REPORT).text();
            is_over.store(true, Ordering::Release);
            page
        });
        thread::sleep(Duration::from_millis(200));
        let other = server.client();
        // The first may have to wait for the rest of a slice.
        other.get("/v1/stats/rosenkoenig").ok();
        other.get("/v1/stats/rosenkoenig").ok();
        assert!(!is_over.load(Ordering::Acquire), "they waited for the report");
        report.join().expect("no panic")
    });
    assert!(page.contains("1000 finished matches"), "{page}");
    let note = "The newest matches of the game were read, 1000 in number.";
    assert!(page.contains(note), "{page}");
    // Those that do not fit take nobody's place.
    let older = client.get(&format!("{REPORT}&bot=greedy")).text();
    assert!(older.contains("3 finished matches") && !older.contains(note), "{older}");
    counted(&server);
    let worked = server.cpu();
    for _ in 0..20 {
        assert!(client.get(REPORT).text() == page);
    }
    assert!(server.cpu() - worked < 1.0, "it is not made again while nothing happens");
    server.stop();
    let server = Process::serve(folder.path(), &["--rate-limit-address", RATE]);
    let client = server.client();
    counted(&server);
    keeps_to_the_rate(&server, "a report", || assert!(client.get(REPORT).text() == page));
}

#[test]
fn streams_that_catch_up_keep_to_the_rate() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Process::serve(folder.path(), &[]);
    let seats = json!([{}, {}, {}, {}]);
    let table = Table::open(&server.client(), &json!({"game": "copenhagen", "seats": seats}));
    table.finish(&mut Dice::new(5));
    server.stop();
    let server = Process::serve(folder.path(), &["--rate-limit-address", RATE]);
    let path = format!("/v1/matches/{}/stream?after=0&patch=true&moves=true", table.id);
    keeps_to_the_rate(&server, "streams", || {
        let begun = Instant::now();
        let mut threads = Vec::new();
        // Who opened them in time is not refused.
        for nth in 0..20 {
            let mut stream = Stream::open(server.address, &Request::new("GET", &path));
            if stream.answer.status == 429 {
                assert!(nth >= 4, "some are opened before the budget is spent");
                break;
            }
            threads.push(thread::spawn(move || {
                let mut messages = 0;
                while begun.elapsed() < Duration::from_secs(10)
                    && let Ok(Some(_)) = stream.try_next()
                {
                    messages += 1;
                }
                messages
            }));
        }
        let messages: Vec<usize> =
            threads.into_iter().map(|thread| thread.join().expect("no panic")).collect();
        assert!(messages.iter().sum::<usize>() > 0, "something is sent: {messages:?}");
    });
}

/// Who came first has the first turn, whatever is sent meanwhile to keep a stream with this query open: a comment about every second.
#[track_caller]
fn keeps_its_place(table: &Table, query: &str) {
    const ASKING: usize = 100;
    let seat = table.seat(table.active().expect("it runs"));
    let half = json!({"type": "PlaceTile"});
    let answered = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..ASKING {
            // Whoever is answered asks again, and waits behind all others.
            scope.spawn(|| {
                for _ in 0..2 {
                    let answer = seat.dry_run(&table.id, &half);
                    assert!(matches!(answer.status, 200 | 422), "{}", answer.text());
                    answered.fetch_add(1, Ordering::AcqRel);
                }
            });
        }
        until("one of them is over", || answered.load(Ordering::Acquire) > 0);
        let mut stream = table.spectator().stream(&table.id, query, None);
        let (begun, before) = (Instant::now(), answered.load(Ordering::Acquire));
        assert!(stream.next().is_some(), "the match goes on");
        let (waited, heartbeats) = (begun.elapsed().as_secs_f64(), stream.heartbeats());
        let meanwhile = answered.load(Ordering::Acquire) - before;
        assert!(meanwhile < ASKING * 5 / 4, "the stream waited for {meanwhile} others");
        // On a busy machine one may come late.
        assert!(heartbeats as f64 > waited / 2.0 - 1.0, "{heartbeats} in {waited} seconds");
    });
}

#[test]
fn a_stream_that_is_behind_keeps_its_place_over_heartbeats() {
    let server = Process::alone(&["--heartbeat", "1"]);
    keeps_its_place(&in_play(&server), "");
}

/// As after a restart: it has one turn for the commits and the moves, and heartbeats meanwhile, also where one commit alone is missing.
#[test]
fn a_stream_with_moves_that_nobody_knows_keeps_its_place_over_heartbeats() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Process::serve(folder.path(), &[]);
    let tables = [(); 2].map(|()| in_play(&server));
    server.stop();
    let server = Process::serve(folder.path(), &["--heartbeat", "1"]);
    let [whole, newest] = tables.map(|table| table.through(&server.client()));
    keeps_its_place(&whole, "moves=true");
    let commits = newest.spectator().all_commits(&newest.id);
    let before = &commits[commits.len() - 2]["last_version"];
    keeps_its_place(&newest, &format!("moves=true&after={before}"));
}

/// A match in which half a command is completed in many ways.
fn in_play(server: &Process) -> Table {
    let seats = json!([{}, {}, {}, {}]);
    let table = Table::open(&server.client(), &json!({"game": "copenhagen", "seats": seats}));
    table.play(&mut Dice::new(2), 20);
    table
}

/// Asks for half a command, from an address as a proxy names it.
fn half(seat: &Client, table: &Table, from: &str) {
    let path = format!("/v1/matches/{}/commands?dry_run=true", table.id);
    let half = Request::new("POST", &path).json(&json!({"command": {"type": "PlaceTile"}}));
    let answer = seat.send(half.header("X-Forwarded-For", from));
    assert!(matches!(answer.status, 200 | 422), "{}", answer.text());
}

fn one_address(_: usize) -> String {
    "192.0.2.1".to_owned()
}

fn each_of_its_own(number: usize) -> String {
    format!("198.51.100.{number}")
}

/// While many halves of commands are asked for, which wait for their turn: whoever plays is answered before half of them are over. Each comes
/// from an address of its own, or all from one; where no proxy is trusted, from that of the player.
#[track_caller]
fn answered_before_halves(table: &Table, from: fn(usize) -> String, play: impl FnOnce(&Client)) {
    const HALVES: usize = 64;
    let seat = table.seat(table.active().expect("it runs"));
    let answered = AtomicUsize::new(0);
    thread::scope(|scope| {
        for number in 0..HALVES {
            let (seat, answered) = (&seat, &answered);
            scope.spawn(move || {
                half(seat, table, &from(number));
                answered.fetch_add(1, Ordering::AcqRel);
            });
        }
        until("one of them is over", || answered.load(Ordering::Acquire) > 0);
        let before = answered.load(Ordering::Acquire);
        play(&seat);
        let meanwhile = answered.load(Ordering::Acquire) - before;
        assert!(meanwhile < (HALVES - before) / 2, "who plays waited for {meanwhile} halves");
    });
}

#[test]
fn many_expensive_requests_leave_others_their_turn() {
    let server = Process::alone(&["--connections-per-address", "0", "--trusted-proxies", "1"]);
    let table = in_play(&server);
    // Of one address two have a turn, or wait for one of all: the others are behind whoever comes from elsewhere.
    answered_before_halves(&table, one_address, |seat| half(seat, &table, "192.0.2.2"));
    // Of many addresses they have half of the cores, and not all threads.
    let whole = table.legal()[0].clone();
    answered_before_halves(&table, each_of_its_own, |seat| {
        seat.dry_run(&table.id, &whole).ok();
    });
}

#[test]
fn half_a_command_waits_for_its_turn_and_a_whole_one_does_not() {
    let server = Process::alone(&["--connections-per-address", "0"]);
    let client = server.client();
    let table = in_play(&server);
    let whole = table.legal()[0].clone();
    let fresh = Table::open(&client, &json!({"game": "copenhagen", "seats": [{}, {}]}));
    let player = fresh.seat(fresh.active().expect("it runs"));
    let first = json!({"command": fresh.legal()[0]});
    let now = table.version();
    answered_before_halves(&table, one_address, |seat| {
        seat.dry_run(&table.id, &whole).ok();
        let listed = format!("/v1/matches/{}/legal-commands?include=spots,labels", table.id);
        seat.get(&listed).ok();
        // The table as it is now, by its number.
        for what in ["board.svg", "view", "view/changing", "legal-commands"] {
            let answer = seat.get(&format!("/v1/matches/{}/{what}?at={now}", table.id));
            assert_eq!(answer.status, 200, "{what}");
        }
        // Nobody has asked for the pieces of a match that has just begun.
        player.get(&format!("/v1/matches/{}/view?include=pieces", fresh.id)).ok();
        player.post(&format!("/v1/matches/{}/commands?include=moves", fresh.id), &first).created();
    });
}

/// One of them follows the pieces, and the others wait for that alone.
#[test]
fn moves_of_the_newest_commit_do_not_wait_for_long_work_however_many_watch() {
    let server = Process::alone(&["--trusted-proxies", "1"]);
    let client = server.client();
    let [table, other] = [(); 2].map(|()| in_play(&server));
    client.view(&table.id, "include=pieces").ok();
    let player = table.seat(table.active().expect("it runs"));
    let next = json!({"command": table.legal()[0]});
    let newest = format!("moves=true&after={}", table.version());
    let mut streams: Vec<_> = (0..10).map(|_| client.stream(&table.id, &newest, None)).collect();
    answered_before_halves(&other, each_of_its_own, |_| {
        player.post(&format!("/v1/matches/{}/commands?include=moves", table.id), &next).created();
        for stream in &mut streams {
            let message = stream.next().expect("the match goes on");
            assert!(message.data["moves"].is_array(), "{}", message.data);
        }
    });
}

/// A position of Copenhagen with thousands of legal commands: empty boards, a full hand and two abilities at once.
fn of_many_ways(client: &Client) -> Value {
    let mut position = client.fixture("copenhagen", "action");
    let mut deck = Vec::new();
    for pile in ["/deck", "/discard", "/players/0/hand", "/players/1/hand"] {
        let cards = position.pointer_mut(pile).and_then(Value::as_array_mut);
        deck.append(cards.expect("cards"));
    }
    let hand = ["red", "red", "yellow", "yellow", "green", "green", "blue"].map(|color| {
        let place = deck.iter().position(|card| card == color).expect("it is there");
        deck.swap_remove(place)
    });
    let colors = ["red", "yellow", "green", "blue", "purple"];
    deck.sort_by_key(|card| colors.iter().position(|color| card == color));
    position["deck"] = deck.into();
    for seat in 0..2 {
        for tile in position["players"][seat]["tiles"].take().as_array().expect("tiles") {
            let left = &mut position["supply"][tile["tile"].as_str().expect("a kind")];
            *left = (left.as_u64().expect("a number") + 1).into();
        }
        position["players"][seat]["tiles"] = json!([]);
    }
    let active = position["active_seat"].as_u64().and_then(|seat| usize::try_from(seat).ok());
    let player = &mut position["players"][active.expect("it runs")];
    player["hand"] = json!(hand);
    for ability in ["change_of_colors", "construction_discount"] {
        player["abilities"][ability] = "active".into();
    }
    position
}

/// What waits for nobody's work is done for one address by a few threads, so that others find one.
#[test]
fn a_burst_of_short_work_leaves_threads_to_others() {
    const ASKING: usize = 64;
    let server = Process::alone(&["--trusted-proxies", "1"]);
    let client = server.client();
    let position = of_many_ways(&client);
    let open = json!({"game": "copenhagen", "seats": [{}, {}], "position": position});
    let table = Table::open(&client, &open);
    assert!(table.legal().len() > 2_000, "each answer takes some time");
    let seat = table.seat(table.active().expect("it runs"));
    let listed = format!("/v1/matches/{}/legal-commands?include=spots,labels", table.id);
    let answered = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..ASKING {
            scope.spawn(|| {
                let ask = Request::new("GET", &listed).header("X-Forwarded-For", "192.0.2.1");
                seat.send(ask).ok();
                answered.fetch_add(1, Ordering::AcqRel);
            });
        }
        until("one of them is over", || answered.load(Ordering::Acquire) > 0);
        let before = answered.load(Ordering::Acquire);
        let other = Request::new("GET", "/v1/matches").header("X-Forwarded-For", "192.0.2.2");
        client.send(other).ok();
        let meanwhile = answered.load(Ordering::Acquire) - before;
        assert!(meanwhile < (ASKING - before) / 2, "who came last waited for {meanwhile} others");
    });
}

/// As after a restart: it is read first, and whoever plays in it does not wait for the long work of others.
#[test]
fn a_match_that_is_in_no_memory_does_not_wait_for_long_work() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Process::serve(folder.path(), &[]);
    let open = json!({"game": "copenhagen", "seats": [{}, {}, {}, {}]});
    let [played, fresh] = [(); 2].map(|()| Table::open(&server.client(), &open));
    played.play(&mut Dice::new(2), 20);
    let active = fresh.active().expect("it runs");
    let first = fresh.legal()[0].clone();
    server.stop();
    let server = Process::serve(folder.path(), &["--connections-per-address", "0"]);
    let [played, fresh] = [played, fresh].map(|table| table.through(&server.client()));
    answered_before_halves(&played, one_address, |_| {
        fresh.seat(active).command(&fresh.id, &first).created();
    });
}

#[test]
fn the_first_piece_of_a_download_keeps_to_the_rate() {
    let folder = tempfile::tempdir().expect("a folder");
    simulated(folder.path(), "rosenkoenig", 400);
    let server = Process::serve(folder.path(), &["--rate-limit-address", RATE]);
    counted(&server);
    let mut download = Connection::open(server.address).expect("it listens");
    // A group of Parquet files is sent when it is whole.
    let request = b"GET /v1/tables.tar HTTP/1.1\r\nHost: localhost\r\n\r\n";
    keeps_to_the_rate(&server, "the first piece", || {
        download.write(request).expect("it is sent");
        assert_eq!(download.read_head().expect("an answer").status, 200);
    });
}

/// What is sent is paid, so no machine sends more in the time that it took: whoever reads on waits between two pieces.
#[test]
fn a_long_answer_that_has_begun_keeps_to_the_rate() {
    const RATE: f64 = 2.0;
    const UNIT: f64 = 256.0 * 1024.0;
    const PIECE: f64 = 1024.0 * 1024.0;
    let folder = tempfile::tempdir().expect("a folder");
    simulated(folder.path(), "rosenkoenig", 100);
    let server = Process::serve(folder.path(), &["--rate-limit-address", &RATE.to_string()]);
    let mut connection = Connection::open(server.address).expect("it listens");
    let begun = Instant::now();
    Request::new("GET", "/v1/events.ndjson").leave(&mut connection).expect("it is sent");
    assert_eq!(connection.read_head().expect("an answer").status, 200);
    let mut received = 0;
    while begun.elapsed() < Duration::from_secs(3) {
        let chunk = connection.read_chunk().expect("it is not cut off");
        if chunk.is_empty() {
            break;
        }
        received += chunk.len();
    }
    // Five seconds' worth at once, and what came back meanwhile; a piece that has begun is sent, and one unit was paid in advance.
    let paid = RATE * (5.0 + begun.elapsed().as_secs_f64()) + 1.0;
    assert!(received > 0 && (received as f64) < paid * UNIT + PIECE, "{received} bytes");
}

#[test]
fn a_download_of_what_the_tables_for_sql_have_keeps_to_the_rate() {
    let folder = tempfile::tempdir().expect("a folder");
    simulated(folder.path(), "rosenkoenig", 400);
    let more = ["--rate-limit-address", RATE, "--query", "on", "--wait-for-projections"];
    let server = Process::serve(folder.path(), &more);
    counted(&server);
    let client = server.client();
    let mut answered = 0;
    keeps_to_the_rate(&server, "rows that a query looks for in vain", || {
        for _ in 0..150 {
            let answer = client.get("/v1/tables/events.csv?from=2099-01-01");
            assert!([200, 429].contains(&answer.status), "{}", answer.text());
            answered += usize::from(answer.status == 200);
        }
    });
    assert!(answered > 0, "nobody was answered");
}
