//! What is wrong with a request is told, and finding it costs little, whatever was sent.

use acceptance::process::Process;
use acceptance::{Request, Table};
use serde_json::{Value, json};

use crate::bytes::{LARGEST, measured};

/// As many of these in a list as so many bytes take.
fn list_of(item: &str, bytes: usize) -> Value {
    let list = format!("[{}]", vec![item; bytes / (item.len() + 1)].join(","));
    serde_json::from_str(&list).expect("it is JSON")
}

#[test]
fn half_a_command_with_a_large_value_is_not_completed() {
    let server = Process::alone(&["--rate-limit-address", "0"]);
    let client = server.client();
    let halves = [
        ("copenhagen", "PlaceTile", "payment"),
        ("copenhagen", "PlaceTile", "x"),
        ("voluspa", "PlaceTile", "at"),
        ("delphi", "InvokeGod", "at"),
        ("delphi", "Recover", "cards"),
    ];
    for (game, kind, field) in halves {
        let table = Table::open(&client, &json!({"game": game, "seats": [{}, {}]}));
        let seat = table.seat(table.active().expect("it runs"));
        for item in ["0", "\"red\"", "{\"\":0}", "[[]]"] {
            for bytes in [500, 2_000, 20_000, LARGEST] {
                let what = format!("{bytes} bytes of {item} as {field} of {kind} in {game}");
                let half = json!({"type": kind, field: list_of(item, bytes)});
                let answer = measured(&server, &what, || seat.dry_run(&table.id, &half));
                answer.problem(422, "illegal_command");
            }
        }
        for spot in [format!("cell:{}", vec!["1"; LARGEST / 2].join(",")), "x".repeat(LARGEST)] {
            let what = format!("a long spot of {kind} in {game}");
            let half = json!({"type": kind, "spot": spot});
            let answer = measured(&server, &what, || seat.dry_run(&table.id, &half));
            answer.problem(422, "illegal_command");
        }
    }
}

/// An object with a mistake, and beside it under a long key a list of what could be it: such a list has a long way to each of its items.
fn far_away(mistake: &str, item: &str) -> String {
    let items = vec![item; 30_000 / (item.len() + 1)].join(",");
    format!("{{{mistake},\"{}\":[{items}]}}", "~".repeat(30_000))
}

#[test]
fn the_place_of_a_mistake_is_found_cheaply_however_long_the_way_to_it_is() {
    let server = Process::alone(&["--rate-limit-address", "0"]);
    let client = server.client();
    let position = client.start_position("copenhagen", &json!({"seats": 2})).ok();
    let position = &position["position"];
    for (mistake, item) in [
        (r#""type":1"#, "1"),
        (r#""type":1"#, "2"),
        (r#""type":"Fly""#, "\"Fly\""),
        (r#""type":null"#, "null"),
        (r#""type":{}"#, "{\"1\":1}"),
        (r#""1":1"#, "{\"1\":1}"),
    ] {
        let object = far_away(mistake, item);
        let bodies = [
            (
                "/v1/games/copenhagen/analysis",
                format!(r#"{{"position":{position},"commands":[{object}]}}"#),
            ),
            ("/v1/games/copenhagen/analysis", format!(r#"{{"position":{object}}}"#)),
            (
                "/v1/matches",
                format!(r#"{{"game":"copenhagen","seats":[{{}},{{}}],"options":{object}}}"#),
            ),
            ("/v1/matches", object.replacen("type", "game", 1)),
        ];
        for (path, body) in bodies {
            let what = format!("{mistake} beside a list of {item} to {path}");
            let request = Request::new("POST", path).bytes("application/json", body);
            let answer = measured(&server, &what, || client.send(request));
            assert!(matches!(answer.status, 400 | 422), "{what}: {}", answer.text());
            assert!(answer.body.len() < 4_000, "{what}: {} bytes", answer.body.len());
        }
    }
}
