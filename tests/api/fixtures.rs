//! Fixtures: a position for each situation that a match may be in, to open and to draw.

use std::collections::BTreeSet;

use acceptance::{Request, Table};
use serde_json::{Value, json};

use crate::server;

#[test]
fn every_fixture_can_be_opened_and_drawn_and_a_sandbox_comes_to_one_of_each_game() {
    let (server, _folder) = server();
    let client = server.client();
    for game in catalog::games() {
        let id = game.info().id;
        let page = client.get(&format!("/v1/games/{id}/fixtures")).ok();
        let items = page["items"].as_array().expect("a list");
        let names: BTreeSet<_> = items.iter().filter_map(|item| item["name"].as_str()).collect();
        assert_eq!(names, game.info().moments.iter().copied().collect());
        for item in items {
            let position = &item["position"];
            let drawn =
                client.post(&format!("/v1/games/{id}/board.svg"), &json!({"position": position}));
            assert_eq!(drawn.status, 200, "{}", item["name"]);
            let start = json!({"position": position, "commands": []});
            let seats = client.analyse(id, &start).ok()["points"].as_array().map_or(0, Vec::len);
            let body = json!({"game": id, "seats": vec![json!({}); seats], "position": position});
            let info = Table::open(&client, &body).info();
            let finished = item["name"].as_str().is_some_and(|name| name.starts_with("finished"));
            assert_eq!(info["active_seat"] == Value::Null, finished, "{}", item["name"]);
        }
        let seats = vec![json!({}); usize::from(*game.info().seats.start())];
        let forward = |moment: &str| {
            let sandbox = json!({"seed": "ab".repeat(32), "fast_forward": {"moment": moment}});
            client.open(&json!({"game": id, "seats": seats, "sandbox": sandbox}))
        };
        let moments = game.info().moments;
        // Ships are chosen only where an option says so.
        let start = if moments[0] == "ships" { "main" } else { moments[0] };
        let first = forward(start).created();
        let info = client.info(first["match"].as_str().expect("an id")).ok();
        assert_eq!(info["sandbox"]["seed"], "ab".repeat(32));
        let problem = forward("nowhere").problem(400, "malformed");
        assert_eq!(problem["errors"][0]["pointer"], "/sandbox/fast_forward/moment");
    }
    client.get("/v1/games/chess/fixtures").problem(404, "not_found");
}

#[test]
fn every_fixture_has_a_picture_of_its_own_that_may_be_kept() {
    let (server, _folder) = server();
    let client = server.client();
    for game in catalog::games() {
        let info = game.info();
        let path = format!("/v1/games/{}/board.svg", info.id);
        let mut seen = BTreeSet::new();
        for name in info.moments {
            let drawn = client.get(&format!("{path}?fixture={name}&theme=light&shape=tall"));
            assert_eq!(drawn.status, 200, "{name}");
            assert_eq!(drawn.header("cache-control"), Some("public, max-age=3600"));
            assert!(drawn.header("content-security-policy").is_some_and(|p| p.contains("sandbox")));
            seen.insert(drawn.text());
        }
        assert_eq!(seen.len(), info.moments.len());
        let board = client.get(&format!("{path}?shape=board"));
        assert!(client.get(&path).text().contains("data-seat="));
        assert!(!board.text().contains("data-seat="), "the board alone");
        assert!(board.text().contains("data-spot="));
        let tag = board.header("etag").expect("a tag");
        let again =
            Request::new("GET", &format!("{path}?shape=board")).header("If-None-Match", tag);
        assert_eq!(client.send(again).status, 304);
        client.get(&format!("{path}?fixture=nowhere")).problem(404, "not_found");
        client.get(&format!("{path}?shape=round")).problem(400, "malformed");
    }
    client.get("/v1/games/chess/board.svg").problem(404, "not_found");
}
