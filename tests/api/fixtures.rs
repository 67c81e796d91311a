//! Fixtures: a position for each situation that a match may be in, to open and to draw.

use std::collections::BTreeSet;

use acceptance::Table;
use serde_json::{Value, json};

use crate::client;

#[test]
fn every_fixture_can_be_opened_and_drawn_and_a_sandbox_comes_to_one_of_each_game() {
    let (client, _server) = client();
    for game in catalog::games() {
        let id = game.info().id;
        let items = client.fixtures(id);
        let names: BTreeSet<_> = items.iter().filter_map(|item| item["name"].as_str()).collect();
        assert_eq!(names, game.info().moments.iter().copied().collect());
        for item in &items {
            let position = &item["position"];
            let drawn =
                client.post(&format!("/v1/games/{id}/board.svg"), &json!({"position": position}));
            assert_eq!(drawn.status, 200, "{}", item["name"]);
            let info = Table::at(&client, id, position).info();
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
    let (client, _server) = client();
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
        let again = client.get_with(&format!("{path}?shape=board"), "If-None-Match", tag);
        assert_eq!(again.status, 304);
        client.get(&format!("{path}?fixture=nowhere")).problem(404, "not_found");
        client.get(&format!("{path}?shape=round")).problem(400, "malformed");
    }
    client.get("/v1/games/chess/board.svg").problem(404, "not_found");
}
