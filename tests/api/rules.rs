//! What the rules of a game forbid comes back with the rule's number.

use serde_json::{Value, json};

use crate::client;
use crate::positions::{draw, opening, p2, play, start, with};
use acceptance::Table;

#[test]
fn illegal_commands_name_the_rule() {
    let (client, _server) = client();
    let table = Table::open(&client, &opening(&start()));
    let refuse = |table: &Table, seat: usize, command: &Value, rule: &str| {
        let version = table.version();
        let problem = table.seat(seat).command(&table.id, command);
        let problem = problem.refused("illegal_command", rule);
        assert_eq!(problem["current_version"], version);
        assert_eq!(table.version(), version, "a refused command changes nothing");
    };
    for form in [
        json!(null),
        json!(7),
        json!("DrawCard"),
        json!([]),
        json!(["DrawCard"]),
        json!({}),
        json!({"type": "Pass"}),
        json!({"type": "drawcard"}),
        json!({"type": "DrawCard", "card": "n1"}),
        json!({"type": "PlayCard", "card": "n1"}),
        json!({"type": "PlayCard", "card": "n9", "hero": false}),
        json!({"type": "PlayCard", "card": "n1", "hero": "no"}),
        json!({"type": "PlayCard", "card": "n1", "hero": false, "seat": 0}),
    ] {
        refuse(&table, 0, &form, "R-24");
    }
    for raw in [
        r#"{"command": {"type": "PlayCard", "card": "n1", "card": "n1", "hero": false}}"#
            .to_owned(),
        r#"{"command": {"type": "PlayCard", "card": "\ud800", "hero": false}}"#.to_owned(),
        format!(r#"{{"command": {}{}}}"#, "[".repeat(10_000), "]".repeat(10_000)),
        format!(r#"{{"command": {{"type": {}1{}}}}}"#, "[".repeat(10_000), "]".repeat(10_000)),
    ] {
        let path = format!("/v1/matches/{}/commands", table.id);
        let request = acceptance::Request::new("POST", &path).bytes("application/json", raw);
        table.seat(0).send(request).refused("illegal_command", "R-24");
    }
    refuse(&table, 0, &draw(), "R-45");
    refuse(&table, 0, &play("n2", false), "R-30");
    refuse(&table, 0, &play("n1", true), "R-35");

    let table = Table::open(&client, &opening(&p2()));
    refuse(&table, 1, &play("w1", false), "R-32");
    refuse(&table, 1, &play("e3", false), "R-36");
    let poor = with(p2(), "/heroes/1", json!(0));
    let table = Table::open(&client, &opening(&poor));
    refuse(&table, 1, &play("e3", true), "R-37");
    let rich = with(with(p2(), "/heroes/0", json!(1)), "/active_seat", json!(0));
    let table = Table::open(&client, &opening(&rich));
    refuse(&table, 0, &play("se3", true), "R-34");
    refuse(&table, 0, &play("nw1", false), "R-32");
}

#[test]
fn the_worked_example_of_the_specification_happens_over_http() {
    let (client, _server) = client();
    let table = Table::open(&client, &opening(&start()));
    let plays = ["n1", "ne2", "s2", "sw2", "w2"].map(|card| play(card, false));
    assert_eq!(table.legal(), plays);
    let accepted = table.seat(0).command(&table.id, &plays[0]).created();
    assert_eq!((&accepted["version"], &accepted["commit"]), (&json!(6), &json!(2)));
    let view = &accepted["view"];
    assert_eq!(view["crown"], json!({"x": 4, "y": 3}));
    assert_eq!(view["board"][3], "....r....");
    assert_eq!((&view["stones_left"], &view["active_seat"]), (&json!(51), &json!(1)));
    assert_eq!(
        (&view["scores"][0]["points"], &view["scores"][1]["points"]),
        (&json!(1), &json!(0))
    );
    let events = client.events(&table.id, "after=2").items();
    let kinds: Vec<&str> =
        events.iter().filter_map(|entry| entry["event"]["type"].as_str()).collect();
    assert_eq!(kinds, ["CardPlayed", "StonePlaced", "CrownMoved", "TurnStarted"]);
}

/// The start position with something wrong, and the rule that it breaks.
fn invalid() -> Vec<(Value, &'static str)> {
    let without = |name: &str| {
        let mut position = start();
        position.as_object_mut().expect("an object").remove(name);
        position
    };
    let six = with(start(), "/hands/1", json!(["n2", "n3", "e3", "se2", "s1", "s3"]));
    let six = with(
        six,
        "/draw_pile",
        json!([
            "nw2", "se3", "w3", "se1", "e1", "e2", "ne1", "nw1", "nw3", "sw3", "ne3", "w1", "sw1"
        ]),
    );
    let mut extra = start();
    extra["seed"] = json!(1);
    vec![
        (json!({}), "R-90"),
        (json!([]), "R-90"),
        (json!("start"), "R-90"),
        (extra, "R-90"),
        (without("crown"), "R-90"),
        (without("end_reason"), "R-90"),
        (with(start(), "/game", json!("nim")), "R-90"),
        (with(start(), "/options", json!({})), "R-90"),
        (with(start(), "/crown/x", json!(9)), "R-91"),
        (with(start(), "/board/0", json!("........")), "R-91"),
        (with(start(), "/board/0", json!("........b")), "R-91"),
        (with(start(), "/draw_pile/0", json!("n1")), "R-92"),
        (with(start(), "/hands/0", json!(["ne2", "n1", "s2", "sw2", "w2"])), "R-93"),
        (six, "R-93"),
        (with(start(), "/heroes/0", json!(5)), "R-94"),
        (with(start(), "/stones_left", json!(51)), "R-95"),
        (with(start(), "/active_seat", json!(null)), "R-96"),
        (with(start(), "/end_reason", json!("blocked")), "R-96"),
        (with(start(), "/phase", json!("finished")), "R-96"),
    ]
}

#[test]
fn invalid_positions_name_the_rule() {
    let (client, _server) = client();
    for (position, rule) in invalid() {
        client.open(&opening(&position)).refused("invalid_position", rule);
        let request = json!({"position": position});
        client.analyse("rosenkoenig", &request).refused("invalid_position", rule);
    }
    let deep = "[".repeat(10_000) + &"]".repeat(10_000);
    for body in
        [format!(r#"{{"position": {deep}}}"#), format!(r#"{{"position": {{"game": {deep}}}}}"#)]
    {
        let path = "/v1/games/rosenkoenig/analysis";
        let request = acceptance::Request::new("POST", path).bytes("application/json", body);
        client.send(request).refused("invalid_position", "R-90");
    }
    assert_eq!(client.matches("").ok()["items"], json!([]));
}

#[test]
fn invalid_options_name_the_rule() {
    let (client, _server) = client();
    let open = |seats: Value, options: Value| {
        let body = json!({"game": "rosenkoenig", "seats": seats, "options": options});
        client.open(&body)
    };
    for seats in [json!([]), json!([{}]), json!([{}, {}, {}])] {
        let count = seats.as_array().map_or(0, Vec::len);
        open(seats, json!({})).refused("invalid_options", "R-01");
        let request = json!({"seats": count});
        client.start_position("rosenkoenig", &request).refused("invalid_options", "R-01");
    }
    for (options, rule) in [
        (json!({"colors": ["red", "red"]}), "R-02"),
        (json!({"colors": "red"}), "R-02"),
        (json!({"colours": ["red", "white"]}), "R-03"),
        (json!({"start": "white"}), "R-03"),
        (json!({"light": 1}), "R-03"),
        (json!({"show_draw_pile": null}), "R-03"),
        (json!([]), "R-03"),
        (json!(5), "R-03"),
        (json!("red"), "R-03"),
    ] {
        open(json!([{}, {}]), options.clone()).refused("invalid_options", rule);
        let request = json!({"seats": 2, "options": options});
        client.start_position("rosenkoenig", &request).refused("invalid_options", rule);
    }
    // With a position, the options are its own or left out.
    let given = |options: Value| {
        let mut body = opening(&start());
        body["options"] = options;
        client.open(&body)
    };
    for options in [
        json!({"light": true}),
        json!({"light": null}),
        json!({"colour": 1}),
        json!({"colour": null}),
        json!([]),
        json!(5),
        json!("red"),
    ] {
        given(options).refused("invalid_options", "R-03");
    }
    given(start()["options"].clone()).created();
    given(json!({"light": false})).created();
    given(json!({})).created();
    let mut alone = opening(&start());
    alone["seats"] = json!([{}]);
    client.open(&alone).refused("invalid_options", "R-01");
}
