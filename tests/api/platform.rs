//! Everything that happens to a match is an event of it: how it was opened, who sat down, that it was closed.

use serde_json::{Value, json};

use crate::positions::{opening, start};
use crate::{client, restarted, server};
use acceptance::proof::{bytes_of, check_public, hex, sha256};
use acceptance::{Dice, Table, unversioned};

/// The name that a seat shows must be the one that the chain commits to.
#[track_caller]
fn is_committed_to(seat: &Value, event: &Value) {
    assert_eq!(seat["name_commitment"], event["name_commitment"]);
    let name = seat["name"].as_str().expect("a name");
    let salted = sha256(&[&bytes_of(&seat["name_salt"]), name.as_bytes()]);
    assert_eq!(seat["name_commitment"], hex(&salted));
}

#[test]
fn the_first_commit_says_how_the_table_was_opened() {
    let (client, _server) = client();
    let options = json!({"light": true});
    let seats = json!([{"name": "Odin"}, {"bot": "greedy"}]);
    let table = Table::open(
        &client,
        &json!({"game": "rosenkoenig", "options": options, "seats": seats, "take_back": true}),
    );
    let info = table.info();
    let first = client.all_commits(&table.id).remove(0);
    let events = first["events"].as_array().expect("events");
    assert_eq!((&events[0]["type"], events.len()), (&json!("MatchStarted"), 2));
    let opened = &events[1];
    for (field, value) in [
        ("type", json!("TableOpened")),
        ("game", json!("rosenkoenig")),
        ("edition", info["edition"].clone()),
        ("engine", json!(format!("muninn {}", env!("CARGO_PKG_VERSION")))),
        ("options", options),
        ("visibility", json!("public")),
        ("take_back", json!(true)),
        ("branched_from", Value::Null),
        ("nonce", Value::Null),
        ("seed_commitment", info["seed_commitment"].clone()),
    ] {
        assert_eq!(opened[field], value, "{field}");
    }
    is_committed_to(&info["seats"][0], &opened["seats"][0]);
    assert_eq!(
        opened["seats"][1],
        json!({"name_commitment": null, "bot": "greedy", "bot_version": 2, "open": false})
    );
    assert_eq!((&first["seat"], &first["command"]), (&Value::Null, &Value::Null));
    // It changes no position.
    let view = |at: u64| unversioned(client.view(&table.id, &format!("at={at}")).ok());
    assert_eq!(view(1), view(2));
    let feed = client.feed("type=TableOpened").ok();
    assert_eq!(feed["items"][0]["event"], *opened);
    let frames = client.replay(&table.id, "to=2").lines();
    let shown = |frame: &Value| unversioned(frame["view"].clone());
    assert_eq!((&frames[1]["event"], shown(&frames[1])), (opened, shown(&frames[0])));
    let asked_for_none = Table::rosenkoenig(&client);
    let first = client.all_commits(&asked_for_none.id).remove(0);
    assert_eq!(first["events"][1]["options"], Value::Null);
}

#[test]
fn who_sits_down_is_told_by_the_stream_and_kept() {
    let (server, folder) = server();
    let client = server.client();
    let seats = json!([{"open": true}, {"name": "Hugin", "open": true}]);
    let table = Table::open(&client, &json!({"game": "rosenkoenig", "seats": seats}));
    let mut stream = client.stream(&table.id, "", None);
    stream.next().expect("the setup");
    let mut taken = Vec::new();
    for (seat, body, name) in [(1, json!({}), "Hugin"), (0, json!({"name": "Loki"}), "Loki")] {
        taken.push(client.take_seat(&table.id, seat, &body).created()["seat_token"].clone());
        let told = stream.next().expect("a commit").data;
        let events = told["events"].as_array().expect("events");
        assert_eq!((&events[0]["type"], events.len()), (&json!("SeatTaken"), 1));
        assert_eq!((&told["seat"], &told["command"]), (&json!(seat), &Value::Null));
        let info = table.info();
        let shown = &info["seats"][seat];
        assert_eq!((&shown["name"], &shown["taken"]), (&json!(name), &json!(true)));
        is_committed_to(shown, &events[0]);
        let token = bytes_of(&sha256_hex(&taken[taken.len() - 1]));
        assert_eq!(events[0]["token_commitment"], hex(&sha256(&[&token])));
        assert_eq!(info["version"], told["last_version"]);
    }
    let view = |at: &str| unversioned(client.view(&table.id, at).ok());
    assert_eq!(view("at=4"), view("at=1"));
    assert_eq!(client.feed("type=SeatTaken").ok()["items"].as_array().map(Vec::len), Some(2));
    check_public(&client.all_commits(&table.id));
    // All of it is there after a restart, and the tokens are good.
    let (before, listed) = (table.info(), client.matches("").ok());
    let server = restarted(server, &folder);
    let client = server.client();
    assert_eq!((client.info(&table.id).ok(), client.matches("").ok()), (before, listed));
    let mut table = table.through(&client);
    for (token, seat) in taken.iter().zip([1, 0]) {
        table.seat_tokens[seat] = token.as_str().map(str::to_owned);
        assert_eq!(table.seat(seat).view(&table.id, "").ok()["viewer"], seat);
    }
    table.finish(&mut Dice::new(71));
    assert_eq!(table.info()["status"], "finished");
}

/// SHA-256 of a token as it was given out: 64 hexadecimal digits.
fn sha256_hex(token: &Value) -> Value {
    json!(hex(&sha256(&[&bytes_of(token)])))
}

#[test]
fn that_a_match_was_closed_is_its_last_commit() {
    let (server, folder) = server();
    let client = server.client();
    let table = Table::open(&client, &opening(&start()));
    table.play(&mut Dice::new(72), 3);
    let version = table.version();
    table.owner().close(&table.id).ok();
    let closed = json!({"type": "MatchClosed", "by": "owner", "reason": "closed"});
    let log = client.all_commits(&table.id);
    let last = &log[log.len() - 1];
    assert_eq!(last["events"], json!([closed]));
    assert_eq!((&last["seat"], &last["command"]), (&Value::Null, &Value::Null));
    assert_eq!(last["last_version"], version + 1);
    let view = |at: u64| unversioned(client.view(&table.id, &format!("at={at}")).ok());
    assert_eq!(view(version), view(version + 1));
    assert_eq!(client.feed("type=MatchClosed").ok()["items"][0]["event"], closed);
    check_public(&log);
    // A match that nobody has begun is closed in the same way.
    let seats = json!([{}, {"open": true}]);
    let open = Table::open(&client, &json!({"game": "rosenkoenig", "seats": seats}));
    open.owner().close(&open.id).ok();
    let server = restarted(server, &folder);
    let client = server.client();
    for id in [&table.id, &open.id] {
        assert_eq!(client.info(id).ok()["status"], "abandoned");
        client.take_seat(id, 1, &json!({})).problem(409, "match_finished");
    }
    let listed = client.matches("status=abandoned").ok();
    assert_eq!(listed["items"].as_array().map(Vec::len), Some(2));
}
