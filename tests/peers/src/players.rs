//! Random players of Rosenkönig at the tables of a server: a thread for each table, a connection for each seat.

use std::net::SocketAddr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::clock::{percentiles, span};
use crate::connection::Connection;
use crate::dice::Dice;
use crate::rules::View;
use crate::watcher::Watcher;

/// How many finished matches are told, to be checked.
const TOLD: usize = 100;

/// How the players come to a move.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    /// They ask for the list of legal commands.
    List,
    /// They know the rules, and look at the view that came with the last command.
    Post,
    /// The same, and both hear of each move from the server, by a stream.
    Live,
    /// They do not look: the server answers everything alike.
    Bare,
}

impl How {
    pub(crate) fn named(name: &str) -> Self {
        match name {
            "list" => How::List,
            "post" => How::Post,
            "live" => How::Live,
            "bare" => How::Bare,
            _ => panic!("players do not play like this: {name}"),
        }
    }
}

/// What all tables count.
#[derive(Default)]
struct Counted {
    moves: AtomicU64,
    bytes: AtomicU64,
    is_measuring: AtomicBool,
    is_over: AtomicBool,
    times: Mutex<Vec<Duration>>,
    finals: Mutex<Vec<Value>>,
}

#[derive(Deserialize)]
struct Opened {
    r#match: String,
    seat_tokens: [String; 2],
}

#[derive(Deserialize)]
struct Answer {
    view: View,
}

#[derive(Deserialize)]
struct Listed<'a> {
    #[serde(borrow)]
    items: Vec<&'a RawValue>,
}

pub(crate) fn measure(
    how: How,
    address: SocketAddr,
    process: &str,
    tables: u64,
    times: [f64; 2],
) -> Value {
    let counted = Counted::default();
    let (mut figures, bytes) = thread::scope(|scope| {
        for number in 0..tables {
            let counted = &counted;
            scope.spawn(move || sit_down(how, address, number, counted));
        }
        let before = AtomicU64::new(0);
        let figures = span(
            process,
            times,
            || counted.moves.load(Ordering::SeqCst),
            || {
                before.store(counted.bytes.load(Ordering::SeqCst), Ordering::SeqCst);
                counted.is_measuring.store(true, Ordering::SeqCst);
            },
        );
        counted.is_measuring.store(false, Ordering::SeqCst);
        let bytes = counted.bytes.load(Ordering::SeqCst) - before.load(Ordering::SeqCst);
        counted.is_over.store(true, Ordering::SeqCst);
        (figures, bytes)
    });
    let Counted { times, finals, .. } = counted;
    let times = times.into_inner().expect("no player panics");
    let finals = finals.into_inner().expect("no player panics");
    assert!(times.len() as u64 >= tables, "there are tables that stand still");
    let [p50, p99] = percentiles(times);
    let answers = figures["done"].as_u64().expect("a number").max(1);
    figures.insert("answer_bytes".to_owned(), json!(bytes / answers));
    figures.insert("p50".to_owned(), json!(p50));
    figures.insert("p99".to_owned(), json!(p99));
    figures.insert("matches".to_owned(), json!(finals.len()));
    figures.insert("finals".to_owned(), json!(&finals[..finals.len().min(TOLD)]));
    Value::Object(figures)
}

/// Plays at a table until time is over.
fn sit_down(how: How, address: SocketAddr, number: u64, counted: &Counted) {
    let mut seats = [Connection::open(address), Connection::open(address)];
    let mut dice = Dice::new(number + 1);
    while !counted.is_over.load(Ordering::SeqCst) {
        match how {
            How::Bare => ask(&mut seats[dice.below(2)], counted),
            How::List | How::Post | How::Live => {
                if let Some(ended) = play(how, address, &mut seats, &mut dice, counted) {
                    counted.finals.lock().expect("no player panics").push(ended);
                }
            }
        }
    }
}

/// A command that nobody reads, with an answer that says nothing.
fn ask(seat: &mut Connection, counted: &Counted) {
    const PATH: &str = "/v1/matches/019abcde-0000-7000-8000-000000000000/commands";
    const BODY: &str = r#"{"command":{"type":"PlayCard","card":"ne2","hero":false}}"#;
    const TOKEN: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    let start = Instant::now();
    let length = seat.post(PATH, TOKEN, BODY).len();
    count(counted, start, length);
}

fn count(counted: &Counted, start: Instant, length: usize) {
    counted.moves.fetch_add(1, Ordering::SeqCst);
    counted.bytes.fetch_add(length as u64, Ordering::SeqCst);
    if counted.is_measuring.load(Ordering::SeqCst) {
        counted.times.lock().expect("no player panics").push(start.elapsed());
    }
}

/// Plays a match, and returns how it ended; nothing if time is over before.
fn play(
    how: How,
    address: SocketAddr,
    seats: &mut [Connection; 2],
    dice: &mut Dice,
    counted: &Counted,
) -> Option<Value> {
    let body = r#"{"game":"rosenkoenig","seats":[{},{}]}"#;
    let opened: Opened = json(seats[0].post("/v1/matches", "", body));
    let path = format!("/v1/matches/{}", opened.r#match);
    let [commands, list, stream] =
        ["commands", "legal-commands", "stream"].map(|last| format!("{path}/{last}"));
    let watching = opened.seat_tokens.iter().take(if how == How::Live { 2 } else { 0 });
    let watchers: Vec<Watcher> =
        watching.map(|token| Watcher::open(address, &stream, token)).collect();
    let mut view: View = json(seats[0].get(&format!("{path}/view"), &opened.seat_tokens[0]));
    let mut played = 0;
    while let Some(seat) = view.active_seat {
        if counted.is_over.load(Ordering::SeqCst) {
            watchers.into_iter().for_each(Watcher::leave);
            return None;
        }
        let (connection, token) = (&mut seats[seat], &opened.seat_tokens[seat]);
        let mut legal = view.legal();
        let start = Instant::now();
        if how == How::List {
            let answer = connection.get(&list, token);
            let listed: Listed<'_> = json(answer);
            let listed: Vec<&str> = listed.items.iter().map(|item| item.get()).collect();
            assert_eq!(listed, legal, "the server's list is what the rules say");
        }
        let command = legal.swap_remove(dice.below(legal.len()));
        let answer = connection.post(&commands, token, &format!("{{\"command\":{command}}}"));
        count(counted, start, answer.len());
        view = json::<Answer>(answer).view;
        played += 1;
    }
    for watcher in watchers {
        // The setup is one, too.
        assert_eq!(watcher.commits(), played + 1, "a stream has every commit once");
    }
    let points = view.scores.map(|score| score.points);
    let reason = if view.stones_left == 0 { "last_stone" } else { "blocked" };
    Some(json!({"board": view.board, "points": points, "reason": reason, "commands": played}))
}

fn json<'a, T: Deserialize<'a>>(text: &'a [u8]) -> T {
    serde_json::from_slice(text)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(text)))
}
