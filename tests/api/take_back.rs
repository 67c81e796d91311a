//! Taking back: M-80 to M-84, in this order, for every game that was opened with it.

use kernel::Erased;
use serde_json::{Value, json};
use testkit::Nim;

use crate::positions::{draw, opening, p2, play, start, with};
use crate::{client, restarted, server};
use acceptance::server::{Games, Server};
use acceptance::{Dice, Request, Table, unversioned};

/// Plays and takes back; everything must be as before, but for the log.
fn goes_back(table: &Table, seat: usize, command: &Value) {
    let (client, id) = (table.spectator(), &table.id);
    let view = || unversioned(client.view(id, "").ok());
    let before = (view(), table.legal(), table.version());
    let mut stream = client.stream(id, "", Some(table.version()));
    let played = table.seat(seat).command(id, command).created();
    table.seat(1 - seat).take_back(id).refused("illegal_command", "M-82");
    let accepted = table.seat(seat).take_back(id).created();
    let version = played["version"].as_u64().expect("a version") + 1;
    assert_eq!(accepted["version"], version);
    assert_eq!((view(), table.legal()), (before.0, before.1));
    assert_eq!(stream.next().expect("the command").data["command"], *command);
    let message = stream.next().expect("the take-back");
    assert_eq!(message.id, version);
    let event = json!({"type": "CommandTakenBack", "seat": seat, "to_version": before.2});
    assert_eq!(message.data["events"], json!([event]));
    assert_eq!((&message.data["command"], &message.data["seat"]), (&Value::Null, &json!(seat)));
    table.seat(seat).take_back(id).refused("illegal_command", "M-82");
}

#[test]
fn the_option_light_takes_back_by_its_rules() {
    let (server, folder) = server();
    let client = server.client();
    let light = with(start(), "/options/light", json!(true));
    let table = Table::open(&client, &opening(&light));
    let id = &table.id;
    assert_eq!(table.info()["take_back"], true);
    table.seat(0).take_back(id).refused("illegal_command", "M-82");
    goes_back(&table, 0, &play("n1", false));
    goes_back(&table, 0, &play("sw2", false));
    table.act(&play("n1", false));
    table.act(&play("n2", false));
    table.seat(0).take_back(id).refused("illegal_command", "M-82");
    table.act(&draw());
    let problem = table.seat(0).take_back(id).refused("illegal_command", "M-83");
    assert_eq!(problem["current_version"], table.version());
    table.seat(1).take_back(id).refused("illegal_command", "M-82");
    goes_back(&table, 1, &table.legal()[0].clone());

    let shown = (table.info(), client.view(id, "").ok(), table.legal());
    let server = restarted(server, &folder);
    let table = table.through(&server.client());
    let client = server.client();
    assert_eq!((table.info(), client.view(id, "").ok(), table.legal()), shown, "the fold is right");
    // What can be taken back survives a restart.
    let command = table.legal()[0].clone();
    let seat = table.active().expect("it runs");
    let before = unversioned(client.view(id, "").ok());
    table.act(&command);
    let server = restarted(server, &folder);
    let table = table.through(&server.client());
    table.seat(seat).take_back(id).created();
    assert_eq!(unversioned(server.client().view(id, "").ok()), before);
    table.finish(&mut Dice::new(101));
    for seat in 0..2 {
        let problem = table.seat(seat).take_back(id).problem(409, "match_finished");
        assert_eq!(problem["rule"], "M-81");
    }
    frames_agree(&table);
}

/// Replay goes through take-backs like through everything.
fn frames_agree(table: &Table) {
    let (client, id) = (table.spectator(), &table.id);
    let frames = client.replay(id, "viewer=0").lines();
    for frame in &frames {
        let query = format!("at={}&viewer=0", frame["version"]);
        assert_eq!(client.view(id, &query).ok(), frame["view"], "{query}");
    }
    let back: Vec<&Value> =
        frames.iter().filter(|f| f["event"]["type"] == "CommandTakenBack").collect();
    assert_eq!(back.len(), 4);
    for frame in back {
        let to = frame["event"]["to_version"].as_u64().expect("a version") as usize;
        let [before, after] =
            [&frames[to - 1], frame].map(|frame| unversioned(frame["view"].clone()));
        assert_eq!(after, before);
    }
    let at = frames.len() / 2;
    let from = client.replay(id, &format!("viewer=0&from={}", at + 1)).lines();
    assert_eq!(from, frames[at..]);
}

#[test]
fn without_the_option_nothing_is_taken_back() {
    let (client, _server) = client();
    let table = Table::open(&client, &opening(&start()));
    assert_eq!(table.info()["take_back"], false);
    table.act(&play("n1", false));
    // M-80 comes before everything else.
    for seat in 0..2 {
        table.seat(seat).take_back(&table.id).refused("illegal_command", "M-80");
    }
    table.owner().take_back(&table.id).problem(403, "not_yours");
    table.finish(&mut Dice::new(102));
    table.seat(0).take_back(&table.id).refused("illegal_command", "M-80");
}

#[test]
fn any_match_may_be_opened_with_taking_back() {
    let (client, _server) = client();
    let mut body = opening(&p2());
    body["take_back"] = json!(true);
    let table = Table::open(&client, &body);
    let id = &table.id;
    // A forced pass of the other seat does not close the window (M-84).
    goes_back(&table, 1, &play("ne2", false));
    goes_back(&table, 1, &play("e3", true));
    let path = format!("/v1/matches/{id}/take-back");
    table.act(&play("ne2", false));
    let stale = Request::new("POST", &path).json(&json!({"expected_version": 1}));
    table.seat(1).send(stale).problem(409, "version_conflict");
    let now = json!({"expected_version": table.version()});
    let taken_back = table.seat(1).send(Request::new("POST", &path).json(&now));
    let version = taken_back.created()["version"].to_string();
    assert_eq!(taken_back.header("etag"), Some(format!("\"{version}\"").as_str()));
    table.act(&play("ne2", false));
    // The version may be in the header, too.
    let stale = Request::new("POST", &path).header("If-Match", &format!("\"{version}\""));
    table.seat(1).send(stale).problem(409, "version_conflict");
    let view = table.seat(1).view(id, "");
    let now = view.header("etag").expect("a view has a tag");
    table.seat(1).send(Request::new("POST", &path).header("If-Match", now)).created();
    table.act(&play("ne2", false));
    table.owner().close(id).ok();
    let problem = table.seat(1).take_back(id).problem(409, "match_finished");
    assert_eq!(problem["rule"], "M-81");
}

#[test]
fn another_game_takes_back_too() {
    static GAMES: Games = &[&Erased::<Nim>::NEW];
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), GAMES);
    let client = server.client();
    let position =
        json!({"edition": 1, "heaps": [3, 1], "lucky": [4, 7], "active_seat": 0, "winner": null});
    let body = json!({"game": "nim", "seats": [{}, {}], "position": position, "take_back": true});
    let table = Table::open(&client, &body);
    goes_back(&table, 0, &json!({"type": "Take", "heap": 0, "count": 2}));
    goes_back(&table, 0, &json!({"type": "Take", "heap": 1, "count": 1}));
    table.act(&json!({"type": "Take", "heap": 0, "count": 3}));
    goes_back_never(&table);
}

/// The last stone ends the match: M-81 before M-82.
fn goes_back_never(table: &Table) {
    table.act(&json!({"type": "Take", "heap": 1, "count": 1}));
    let problem = table.seat(1).take_back(&table.id).problem(409, "match_finished");
    assert_eq!(problem["rule"], "M-81");
    assert_eq!(table.info()["standing"][0], json!({"rank": 1, "seat": 1}));
}

#[test]
fn every_game_lists_the_rules_of_taking_back() {
    let (client, _server) = client();
    for info in catalog::games().iter().map(|game| game.info()) {
        let id = info.id;
        let seats = vec![json!({}); usize::from(*info.seats.start())];
        let table = Table::open(&client, &json!({"game": id, "seats": seats}));
        let problem = table.seat(0).take_back(&table.id).refused("illegal_command", "M-80");
        let listed = client.game(id).ok()["rules"].clone();
        let listed = listed.as_array().expect("a list");
        for number in ["M-80", "M-81", "M-82", "M-83", "M-84"] {
            let found = listed.iter().find(|rule| rule["rule"] == number);
            let text = &found.unwrap_or_else(|| panic!("{id} does not list {number}"))["text"];
            assert!(number != "M-80" || problem["rule_text"] == *text);
        }
    }
}
