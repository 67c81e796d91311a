//! Pieces keep their ids: in views of any version, in commits, in streams and in pictures, for every viewer, and after a restart.

use std::collections::{BTreeMap, BTreeSet};

use acceptance::{Client, Dice, Table};
use serde_json::{Value, json};

use crate::{client, restarted, server};

fn tables(client: &Client) -> Vec<Table> {
    let open = |game: &&'static dyn kernel::AnyGame| {
        let seats = vec![json!({}); usize::from(*game.info().seats.start())];
        Table::open(client, &json!({"game": game.info().id, "seats": seats, "take_back": true}))
    };
    catalog::games().iter().map(open).collect()
}

/// The pieces of a view, and that it is the same view otherwise.
#[track_caller]
fn pieces(viewer: &Client, id: &str, at: &str) -> Value {
    let mut view = viewer.view(id, &format!("include=pieces{at}")).ok();
    let pieces = view.as_object_mut().and_then(|view| view.remove("pieces"));
    assert_eq!(view, viewer.view(id, at.trim_start_matches('&')).ok());
    pieces.expect("the pieces")
}

/// All commits with the moves of the pieces.
fn commits(viewer: &Client, id: &str) -> Vec<Value> {
    viewer.commits(id, "include=moves&limit=1000").items()
}

/// Moves pieces, by id, as a client does it.
#[track_caller]
fn take(lie: &mut BTreeMap<String, Value>, moves: &Value) {
    for moved in moves.as_array().expect("moves") {
        let id = moved["id"].as_str().expect("an id").to_owned();
        let before = lie.remove(&id);
        assert_eq!(before.map_or(Value::Null, |piece| piece["place"].clone()), moved["from"]);
        if let Some(to) = moved["to"].as_str() {
            lie.insert(id.clone(), json!({"id": id, "kind": moved["kind"], "place": to}));
        }
    }
}

#[track_caller]
fn is_at(lie: &BTreeMap<String, Value>, pieces: &Value) {
    let pieces = pieces.as_array().expect("pieces").iter();
    let by_id: BTreeMap<String, Value> = pieces
        .map(|piece| (piece["id"].as_str().expect("an id").to_owned(), piece.clone()))
        .collect();
    assert_eq!(*lie, by_id);
}

#[test]
fn pieces_are_the_same_live_in_the_past_for_everybody_and_after_a_restart() {
    let (server, folder) = server();
    let client = server.client();
    let mut seen = Vec::new();
    for table in tables(&client) {
        let (id, mut dice, mut live) = (table.id.clone(), Dice::new(31), BTreeMap::new());
        // What is followed from the start, and what is asked for late, are told alike.
        for _ in 0..12 {
            live.insert(table.version(), pieces(&client, &id, ""));
            table.play(&mut dice, 1);
        }
        table.play(&mut dice, 12);
        for (version, told) in &live {
            let at = format!("&at={version}");
            for viewer in [client.clone(), table.seat(0), table.seat(1), table.owner()] {
                assert_eq!(pieces(&viewer, &id, &at), *told);
            }
        }
        let log = commits(&client, &id);
        let mut lie = BTreeMap::new();
        for commit in &log {
            take(&mut lie, &commit["moves"]);
            is_at(&lie, &pieces(&client, &id, &format!("&at={}", commit["last_version"])));
        }
        assert_eq!(client.commits(&id, "limit=1").ok()["items"][0].get("moves"), None);
        let every: Vec<Value> =
            (1..=table.version()).map(|at| pieces(&client, &id, &format!("&at={at}"))).collect();
        seen.push((table, log, every));
    }
    let server = restarted(server, &folder);
    let client = server.client();
    for (table, log, every) in seen {
        for (index, told) in every.iter().enumerate().rev() {
            let version = index + 1;
            assert_eq!(pieces(&client, &table.id, &format!("&at={version}")), *told);
        }
        assert_eq!(commits(&client, &table.id), log);
    }
}

#[test]
fn a_stream_tells_the_moves_of_the_commits() {
    let (client, _server) = client();
    for table in tables(&client) {
        table.play(&mut Dice::new(32), 6);
        let mut stream = client.stream(&table.id, "moves=true&patch=true", None);
        table.play(&mut Dice::new(33), 3);
        for commit in commits(&client, &table.id) {
            let message = stream.next().expect("a message");
            assert_eq!(message.data["commit"], commit["commit"]);
            assert_eq!(message.data["moves"], commit["moves"]);
            assert!(message.data["patch"].is_array());
        }
        let mut plain = table.seat(0).stream(&table.id, "", None);
        assert_eq!(plain.next().expect("a message").data.get("moves"), None);
    }
}

#[test]
fn a_ship_that_moves_stays_the_same_ship() {
    let (client, _server) = client();
    let table = Table::open(&client, &json!({"game": "delphi", "seats": [{}, {}]}));
    let (id, mut dice, mut sailed) = (&table.id, Dice::new(34), 0);
    while sailed < 5 {
        let (seat, legal) = (table.active().expect("it runs"), table.legal());
        let Some(sail) = legal.iter().find(|command| command["type"] == "MoveShip") else {
            table.play(&mut dice, 1);
            continue;
        };
        let own = |piece: &&Value| piece["kind"] == format!("ship-{seat}");
        let before = pieces(&client, id, "");
        let before = before.as_array().expect("pieces").iter().find(own).expect("a ship").clone();
        let path = format!("/v1/matches/{id}/commands?include=moves");
        let done = table.seat(seat).post(&path, &json!({"command": sail})).created();
        let to = format!("hex:{},{}", sail["to"]["q"], sail["to"]["r"]);
        let expected =
            json!({"id": before["id"], "kind": before["kind"], "from": before["place"], "to": to});
        let moves = done["moves"].as_array().expect("moves");
        assert_eq!(moves.iter().find(own), Some(&expected));
        assert_eq!(commits(&client, id).last().expect("a commit")["moves"], done["moves"]);
        sailed += 1;
    }
}

#[test]
fn what_is_taken_back_is_where_it_was() {
    let (client, _server) = client();
    let mut taken_back = 0;
    for table in tables(&client) {
        let mut dice = Dice::new(35);
        for _ in 0..20 {
            let Some(seat) = table.active() else { break };
            let before = pieces(&client, &table.id, "");
            table.play(&mut dice, 1);
            if table.seat(seat).take_back(&table.id).status == 201 {
                taken_back += 1;
                assert_eq!(pieces(&client, &table.id, ""), before);
                table.play(&mut dice, 1);
            }
        }
        let mut lie = BTreeMap::new();
        commits(&client, &table.id).iter().for_each(|commit| take(&mut lie, &commit["moves"]));
        is_at(&lie, &pieces(&client, &table.id, ""));
    }
    assert!(taken_back > 5, "{taken_back} commands were taken back");
}

#[test]
fn pictures_name_pieces_where_that_is_asked_for() {
    let (client, _server) = client();
    for table in tables(&client) {
        table.play(&mut Dice::new(36), 10);
        let (id, before) = (&table.id, format!("&at={}", table.version() - 1));
        for (viewer, at) in [(client.clone(), ""), (table.seat(1), before.as_str())] {
            let told = pieces(&viewer, id, at);
            let told = told.as_array().expect("pieces").iter();
            let ids: BTreeSet<&str> = told.filter_map(|piece| piece["id"].as_str()).collect();
            let picture =
                |query: &str| viewer.get(&format!("/v1/matches/{id}/board.svg?{query}{at}")).text();
            let named = picture("theme=light&pieces=true");
            let drawn: Vec<&str> = named
                .split(" data-piece=\"")
                .skip(1)
                .filter_map(|rest| Some(rest.split_once('"')?.0))
                .collect();
            assert!(drawn.len() > 3, "{drawn:?}");
            assert!(drawn.iter().all(|id| ids.contains(id)), "{drawn:?}");
            assert!(!picture("theme=light").contains("data-piece"));
            assert!(!picture("theme=light&pieces=false").contains("data-piece"));
        }
    }
}

#[test]
fn hands_that_are_hidden_have_no_pieces() {
    let (client, _server) = client();
    for game in ["voluspa", "copenhagen"] {
        let table = Table::open(&client, &json!({"game": game, "seats": [{}, {}]}));
        let mut dice = Dice::new(37);
        while table.active().is_some() {
            table.play(&mut dice, 5);
            for piece in pieces(&table.seat(0), &table.id, "").as_array().expect("pieces") {
                let place = piece["place"].as_str().expect("a place");
                let kind = piece["kind"].as_str().expect("a kind");
                let open = ["cell:", "below:", "board:", "tile:", "slot:", "pile:discard"];
                let is_open = open.iter().any(|open| place.starts_with(open));
                assert!(is_open || place.starts_with("hand-of:") && kind == "tile-hel", "{piece}");
            }
        }
    }
}

#[test]
fn what_is_not_there_to_include_is_malformed() {
    let (client, _server) = client();
    let table = Table::rosenkoenig(&client);
    for wrong in ["include=", "include=moves", "include=pieces,pieces,x", "include=pieces&since=1"]
    {
        client.view(&table.id, wrong).problem(400, "malformed");
    }
    for wrong in ["include=pieces", "include=", "moves=true"] {
        client.commits(&table.id, wrong).problem(400, "malformed");
    }
    client.view(&table.id, "include=pieces&at=999").problem(422, "version_unknown");
}
