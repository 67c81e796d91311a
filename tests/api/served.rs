//! What the server serves about itself.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use crate::stats::counted;
use crate::{client, server};
use acceptance::{Dice, Request, Table, muninn, run};
use testkit::references;

/// The sources of all values in printed data; `of` is that of what contains them.
fn sources(data: &Value, of: &str, path: &str, found: &mut BTreeMap<String, String>) {
    if let Some(fields) = data.as_object() {
        let own = &data["sources"];
        for name in own.as_object().into_iter().flat_map(|own| own.keys()) {
            assert!(!data[name].is_null(), "{path} has the source of a {name}");
        }
        for (name, field) in fields.iter().filter(|(name, _)| *name != "sources") {
            sources(field, own[name].as_str().unwrap_or(of), &format!("{path}.{name}"), found);
        }
    } else if let Some(items) = data.as_array() {
        for item in items {
            let id = ["type", "id", "name"].iter().find_map(|key| item[key].as_str());
            sources(item, of, &format!("{path}.{}", id.unwrap_or_default()), found);
        }
    } else if !data.is_null() {
        found.insert(path.to_owned(), of.to_owned());
    }
}

#[test]
fn printed_values_carry_their_source() {
    let (server, _folder) = server();
    let mut found = BTreeMap::new();
    for game in server.client().get("/v1/games").ok()["items"].as_array().expect("games") {
        let id = game["id"].as_str().expect("an id");
        let data = server.client().game(id).ok()["data"].take();
        if id != "nim" {
            sources(&data, data["source"].as_str().expect("a source"), id, &mut found);
        }
    }
    assert!(found.values().all(|of| ["seed", "pub", "choice"].contains(&of.as_str())), "{found:?}");
    for (path, of) in [
        ("voluspa.hand_limit", "seed"),
        ("voluspa.tiles.odin.value", "pub"),
        ("voluspa.tiles.odin.count", "seed"),
        ("voluspa.tiles.hermod.value", "choice"),
        ("voluspa.tiles.jotunn.value", "choice"),
        ("voluspa.tiles.sea_serpent.value", "choice"),
        ("voluspa.tiles.lightning_bolt.value", "choice"),
        ("delphi.oracle_cards.per_color", "pub"),
        ("delphi.injury_cards.per_color", "pub"),
        ("delphi.injury_cards.recover_same", "seed"),
        ("delphi.god.ares.color", "pub"),
        ("delphi.god.poseidon.color", "seed"),
        ("copenhagen.cards.by_players.2.per_color", "pub"),
        ("copenhagen.cards.by_players.2.end_card_at_start", "seed"),
        ("rosenkoenig.board.width", "pub"),
        ("rosenkoenig.board.crown_start.x", "seed"),
    ] {
        assert_eq!(found[path], of, "{path}");
    }
}

#[test]
fn objects_of_a_list_of_printed_data_have_the_same_fields() {
    let (server, _folder) = server();
    let data = server.client().game("voluspa").ok()["data"].take();
    let tiles = data["tiles"].as_array().expect("tiles");
    let hel = tiles.iter().find(|tile| tile["type"] == "hel").expect("Hel");
    assert_eq!(hel.get("value"), Some(&Value::Null), "Hel has no value");
    for tile in tiles {
        let keys: Vec<&String> = tile.as_object().expect("an object").keys().collect();
        assert_eq!(keys, ["bounds", "count", "module", "sources", "type", "value"]);
    }
}

#[test]
fn the_documentation_needs_no_network() {
    let (client, _server) = client();
    let page = client.get("/docs/");
    assert_eq!(page.status, 200);
    let text = page.text();
    assert!(text.contains("swagger-ui"));
    assert!(!text.contains("http://") && !text.contains("https://"), "all is local");
    let mut assets = 0;
    for part in text.split(['"', '\'']) {
        if part.ends_with(".js") || part.ends_with(".css") || part.ends_with(".png") {
            let asset = client.get(&format!("/docs/{}", part.trim_start_matches("./")));
            assert_eq!(asset.status, 200, "{part}");
            assert!(!asset.body.is_empty());
            assets += 1;
        }
    }
    assert!(assets >= 3, "{assets}");
    let initial = client.get("/docs/swagger-initializer.js").text();
    assert!(initial.contains("/openapi.json"));
    // A browser takes files packed; whoever does not say so gets them plain.
    let style = |accepted: &str| {
        let request = Request::new("GET", "/docs/swagger-ui.css");
        client.send(request.header("Accept-Encoding", accepted))
    };
    let (plain, packed) = (client.get("/docs/swagger-ui.css"), style("gzip, deflate, br, zstd"));
    assert_eq!(
        (plain.header("content-encoding"), plain.text().contains(".swagger-ui")),
        (None, true)
    );
    assert_eq!(style("identity").body, plain.body);
    assert_eq!(packed.header("content-encoding"), Some("gzip"));
    assert!(packed.body.starts_with(&[0x1f, 0x8b]) && packed.body.len() < plain.body.len() / 4);
    client.get("/docs/nothing.js").problem(404, "not_found");
    let redirect = client.get("/docs");
    assert!(matches!(redirect.status, 301..=308));
    assert_eq!(redirect.header("location"), Some("/docs/"));
}

/// Swagger UI shows the types of one game at a time, for it needs seconds for those of all.
#[test]
fn the_document_of_one_game_has_the_types_of_no_other() {
    let (client, _server) = client();
    let initial = client.get("/docs/swagger-initializer.js").text();
    let whole = client.get("/openapi.json").ok();
    let paths: Vec<&String> = whole["paths"].as_object().expect("paths").keys().collect();
    for game in catalog::games() {
        let id = game.info().id;
        let path = format!("/openapi.json?game={id}");
        assert!(initial.contains(&path), "{initial}");
        let part = client.get(&path);
        let (size, part) = (part.body.len(), part.ok());
        assert!(size < 320_000, "{id}: {size}");
        assert_eq!(part["paths"].as_object().expect("paths").keys().collect::<Vec<_>>(), paths);
        let schemas = part["components"]["schemas"].as_object().expect("schemas");
        for other in catalog::games().iter().map(|other| other.info().id) {
            let view = format!("{}View", kernel::pascal(other));
            assert_eq!(schemas.contains_key(&view), other == id, "{view} for {id}");
        }
        for named in references(&part) {
            assert!(part.pointer(&named[1..]).is_some(), "{named} for {id}");
        }
    }
    client.get("/openapi.json?game=chess").problem(404, "not_found");
}

#[test]
fn the_document_is_the_same_everywhere() {
    let (server, _folder) = server();
    let served = server.client().get("/openapi.json");
    let document = served.ok();
    assert_eq!(document["openapi"], "3.1.0");
    assert_eq!(served.text(), run(muninn().arg("openapi")).ok());
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../openapi/openapi.json");
    if file.exists() {
        let kept = std::fs::read(file).expect("it can be read");
        let kept: Value = serde_json::from_slice(&kept).expect("it is JSON");
        assert_eq!(kept, document, "the kept document is out of date");
    }
}

#[test]
fn the_document_of_the_streams_is_the_same_everywhere() {
    let (server, _folder) = server();
    let served = server.client().get("/asyncapi.json");
    assert_eq!(served.ok()["asyncapi"], "3.0.0");
    assert_eq!(served.text(), run(muninn().arg("asyncapi")).ok());
}

#[test]
fn every_route_of_the_document_is_there() {
    let (client, _server) = client();
    let named = json!({"game": "rosenkoenig", "seats": [{"name": "Ada"}, {}]});
    let table = Table::open(&client, &named);
    table.finish(&mut Dice::new(95));
    counted(&client, "rosenkoenig", 1);
    let document = client.get("/openapi.json").ok();
    let mut operations = 0;
    for (path, methods) in document["paths"].as_object().expect("paths") {
        let real = path
            .replace("{id}", &table.id)
            .replace("{game}", "rosenkoenig")
            .replace("{seat}", "0")
            .replace("{name}", "Ada")
            .replace("{table}", "events");
        for (method, operation) in methods.as_object().expect("operations") {
            let method = method.to_uppercase();
            let answer = client.send(Request::new(&method, &real));
            let status = answer.status.to_string();
            assert!(!matches!(answer.status, 404 | 405 | 500..), "{method} {real}: {status}");
            assert!(
                operation["responses"][&status].is_object(),
                "{method} {path} does not document {status}"
            );
            operations += 1;
        }
    }
    assert!(operations >= 24, "{operations}");
}

#[test]
fn health_readiness_and_metrics() {
    let (server, _folder) = server();
    let client = server.client();
    let table = Table::rosenkoenig(&client);
    assert_eq!(client.get("/healthz").ok()["status"], "ok");
    assert_eq!(client.get("/readyz").ok()["status"], "ok");
    let mut stream = client.stream(&table.id, "", None);
    stream.next().expect("the setup");
    client.send(Request::new("BREW", "/v1/games"));
    client.get("/v1/nothing");
    let answer = server.operator().get("/metrics");
    assert!(answer.header("content-type").is_some_and(|kind| kind.starts_with("text/plain")));
    let text = answer.text();
    for line in [
        "muninn_matches 1",
        "muninn_matches_in_memory 1",
        "muninn_feed_position 1",
        "muninn_streams_open 1",
    ] {
        assert!(text.lines().any(|known| known == line), "{line}\n{text}");
    }
    assert!(
        text.contains(
            r#"muninn_http_requests_total{method="POST",route="/v1/matches",status="201"} 1"#
        ),
        "{text}"
    );
    assert!(!text.contains("BREW"), "a client does not make up labels");
    assert!(!text.contains(&table.id) && !text.contains("nothing"));
}
