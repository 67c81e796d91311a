//! A whole match over HTTP, and everything that can be read of it during and after.

use std::thread;

use serde_json::{Value, json};

use crate::client;
use acceptance::stream::Message;
use acceptance::{Client, Dice, Request, Table, proof};

fn message_of(commit: &Value) -> Message {
    Message { id: commit["last_version"].as_u64().expect("a version"), data: commit.clone() }
}

#[test]
fn a_spectator_gets_every_commit_once_in_order_and_redacted() {
    let (client, _server) = client();
    let table = Table::rosenkoenig(&client);
    let quiet = client.stream(&table.id, "", None).heartbeat();
    assert_eq!(quiet, "heartbeat");
    let stream = client.stream(&table.id, "", None);
    let seat_stream = table.seat(1).stream(&table.id, "", None);
    let (watcher, seat_watcher) =
        (thread::spawn(move || stream.rest()), thread::spawn(move || seat_stream.rest()));
    let accepted = table.finish(&mut Dice::new(1));
    let messages = watcher.join().expect("the spectator reads to the end");
    assert_eq!(messages.len(), accepted.len() + 1);
    for (message, number) in messages.iter().zip(1u64..) {
        assert_eq!(message.data["commit"], number);
        assert_eq!(message.data["last_version"], message.id);
    }
    for (message, accepted) in messages[1..].iter().zip(&accepted) {
        assert_eq!(accepted["version"], message.id);
        assert_eq!(accepted["commit"], message.data["commit"]);
    }
    // Setup and one reshuffle at least carry a hidden order; nobody's stream shows one.
    let hidden = messages.iter().flat_map(|message| {
        let events = message.data["events"].as_array().expect("events");
        events.iter().filter(|event| event.get("draw_pile").is_some())
    });
    let mut piles = 0;
    for event in hidden {
        assert_eq!(event["draw_pile"]["cards"], Value::Null, "{event}");
        piles += 1;
    }
    assert!(piles >= 1);
    let as_spectator = Table::pages(7, |query| {
        let query = format!("{query}&viewer=spectator");
        client.commits(&table.id, &query).ok()
    });
    let expected: Vec<Message> = as_spectator.iter().map(message_of).collect();
    assert_eq!(messages, expected);
    let as_seat = seat_watcher.join().expect("the seat reads to the end");
    assert_eq!(as_seat, expected, "in Rosenkönig all see the same");
    resume(&client, &table, &messages);
}

/// A stream that broke off goes on exactly where it was.
fn resume(client: &Client, table: &Table, messages: &[Message]) {
    let middle = messages.len() / 2;
    let last = messages[middle - 1].id;
    let by_header = client.stream(&table.id, "after=3", Some(last)).rest();
    assert_eq!(by_header, messages[middle..], "the header wins");
    let query = format!("after={last}");
    assert_eq!(client.stream(&table.id, &query, None).rest(), messages[middle..]);
    // In the middle of a commit: the whole commit comes again.
    let query = format!("after={}", last - 1);
    assert_eq!(client.stream(&table.id, &query, None).rest(), messages[middle - 1..]);
    let end = messages.last().expect("a match has commits").id;
    assert_eq!(client.stream(&table.id, "", Some(end)).answer.status, 204);
    let ahead = Request::new("GET", &format!("/v1/matches/{}/stream?after={}", table.id, end + 1));
    client.send(ahead).problem(422, "version_unknown");
}

#[test]
fn a_running_stream_can_be_resumed_live() {
    let (client, _server) = client();
    let table = Table::rosenkoenig(&client);
    let mut first = client.stream(&table.id, "", None);
    table.play(&mut Dice::new(2), 3);
    let seen: Vec<Message> = (0..3).map(|_| first.next().expect("commits")).collect();
    drop(first);
    table.play(&mut Dice::new(3), 2);
    let mut second = client.stream(&table.id, "", Some(seen[2].id));
    table.play(&mut Dice::new(4), 1);
    let rest: Vec<Message> = (0..4).map(|_| second.next().expect("commits")).collect();
    let all: Vec<Value> = seen.iter().chain(&rest).map(|m| m.data.clone()).collect();
    assert_eq!(all, client.commits(&table.id, "").items());
    assert_eq!(table.owner().close(&table.id).ok()["status"], "abandoned");
    // Nobody is to act any more, wherever it is said.
    let told = [table.info(), table.seat(0).legal_commands(&table.id, "").ok()];
    let listed = client.matches("status=abandoned").ok()["items"][0].clone();
    assert!(told.iter().chain([&listed]).all(|told| told["active_seat"].is_null()), "{told:?}");
    let last = second.next().expect("the stream tells it");
    let closed = json!({"type": "MatchClosed", "by": "owner", "reason": "closed"});
    assert_eq!(last.data["events"], json!([closed]));
    assert_eq!(second.next(), None, "an abandoned match ends its streams");
    let head = table.version();
    assert_eq!(client.stream(&table.id, "", Some(head)).answer.status, 204);
}

#[test]
fn a_finished_match_reads_the_same_from_every_side() {
    let (client, _server) = client();
    let table = Table::rosenkoenig(&client);
    let accepted = table.finish(&mut Dice::new(5));
    let id = &table.id;
    let info = client.info(id).ok();
    let version = info["version"].as_u64().expect("a version");
    assert_eq!(info["commit"], accepted.len() as u64 + 1);
    let commits = Table::pages(10, |query| client.commits(id, query).ok());
    let events = Table::pages(17, |query| client.events(id, query).ok());
    let frames = client.replay(id, "").lines();
    assert_eq!((events.len() as u64, frames.len() as u64), (version, version));
    assert_eq!(commits.last().map(|commit| &commit["hash"]), Some(&info["head_hash"]));

    let mut flat = Vec::new();
    for commit in &commits {
        let first = commit["first_version"].as_u64().expect("a version");
        for (event, version) in commit["events"].as_array().expect("events").iter().zip(first..) {
            flat.push(json!({
                "version": version, "commit": commit["commit"], "seat": commit["seat"],
                "recorded_at": commit["recorded_at"], "event": event,
            }));
        }
    }
    assert_eq!(events, flat, "the events are those of the commits");
    for (frame, entry) in frames.iter().zip(&events) {
        for name in ["version", "commit", "event"] {
            assert_eq!(frame[name], entry[name]);
        }
    }
    for viewer in ["0", "1", "spectator"] {
        let replay = client.replay(id, &format!("viewer={viewer}")).lines();
        let stride = if viewer == "spectator" { 1 } else { 7 };
        for frame in replay.iter().step_by(stride) {
            let query = format!("at={}&viewer={viewer}", frame["version"]);
            assert_eq!(client.view(id, &query).ok(), frame["view"], "{query}");
            assert_eq!(frame["view"]["viewer"].to_string().trim_matches('"'), viewer);
        }
    }
    assert_eq!(client.replay(id, "from=5&to=9").lines(), frames[4..9]);
    assert_eq!(frames.last().map(|frame| frame["view"].clone()), Some(client.view(id, "").ok()));
    each_commit(&client, &table, &commits);
}

/// At the end of each commit: position, legal commands and the next command agree; analysis goes the same way.
fn each_commit(client: &Client, table: &Table, commits: &[Value]) {
    let id = &table.id;
    for pair in commits.windows(2) {
        let at = format!("at={}", pair[0]["last_version"]);
        let position = client.position(id, &at).ok();
        assert_eq!(position["active_seat"], pair[1]["seat"]);
        let legal = client.legal_commands(id, &at).items();
        assert!(legal.contains(&pair[1]["command"]));
        let request = json!({"position": position, "commands": []});
        let analysed = client.analyse("rosenkoenig", &request).ok();
        assert_eq!(analysed["legal_commands"].as_array(), Some(&legal));
        assert_eq!(analysed["position"], position);
        if pair[1]["first_version"] != pair[1]["last_version"] {
            let middle = client.legal_commands(id, &format!("at={}", pair[1]["first_version"]));
            middle.problem(422, "version_unknown");
        }
    }
    let end = client.legal_commands(id, "").ok();
    assert_eq!(end["items"], json!([]));
    let standing = client.info(id).ok()["standing"].clone();
    let last = commits.last().expect("a match has commits");
    let finished = last["events"].as_array().and_then(|events| events.last());
    assert_eq!(finished.map(|event| &event["standing"]), Some(&standing));
    proof::check_public(&client.public_commits(id));
}

#[test]
fn legal_commands_at_the_latest_version_are_those_of_now() {
    let (client, _server) = client();
    let body =
        json!({"game": "rosenkoenig", "options": {"start": "red"}, "seats": [{}, {"open": true}]});
    let table = Table::open(&client, &body);
    let both = || {
        let at = format!("at={}", table.version());
        ["", &at].map(|query| table.seat(0).legal_commands(&table.id, query).ok()["items"].clone())
    };
    assert_eq!(both(), [json!([]), json!([])], "it has not begun");
    client.take_seat(&table.id, 1, &json!({})).created();
    let [now, at] = both();
    assert!(now == at && now != json!([]), "{at}");
    let before = table.version();
    table.owner().close(&table.id).ok();
    assert_eq!(both(), [json!([]), json!([])], "it was closed");
    let then = table.seat(0).legal_commands(&table.id, &format!("at={before}")).ok();
    assert_eq!(then["items"], now, "what one could do before");
}
