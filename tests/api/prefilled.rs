//! What Swagger UI puts into its fields succeeds when somebody tries it: the first example of every request, for every game.

use std::collections::BTreeMap;

use acceptance::{Client, Request, Table};
use serde_json::{Map, Value, json};

use crate::client;

/// The operations of the document of a game that take a body: for each its method and path, and the first example of its body.
fn requests(document: &Value, game: &str) -> BTreeMap<String, (String, String, Value)> {
    let mut requests = BTreeMap::new();
    for (path, methods) in document["paths"].as_object().expect("paths") {
        for (method, operation) in methods.as_object().expect("operations") {
            let body = &operation["requestBody"]["content"]["application/json"];
            // A body that may be left out needs none.
            if operation["requestBody"]["required"] != true
                && body["examples"].as_object().is_none_or(Map::is_empty)
            {
                continue;
            }
            let name = operation["operationId"].as_str().expect("a name").to_owned();
            let of_path = operation["parameters"].as_array().into_iter().flatten();
            let named = of_path.filter(|one| one["name"] == "game" && one["in"] == "path");
            named.for_each(|one| assert_eq!(one["example"], game, "{name}"));
            let examples = body["examples"].as_object().into_iter().flatten();
            let first = examples.map(|(_, example)| example["value"].clone()).next();
            let first = first.unwrap_or_else(|| panic!("{game}: {name} has no example"));
            let path = path.replace("{game}", game);
            requests.insert(name, (method.to_uppercase(), path, first));
        }
    }
    requests
}

/// Sends the first example of an operation, about this match and its last seat.
#[track_caller]
fn tried(client: &Client, request: &(String, String, Value), id: &str, last: usize) -> Value {
    let (method, path, body) = request;
    let path = path.replace("{id}", id).replace("{seat}", &last.to_string());
    let answer = client.send(Request::new(method, &path).json(body));
    assert!(answer.status < 300, "{method} {path}: {}", answer.text());
    serde_json::from_str(&answer.text()).unwrap_or_default()
}

#[test]
fn the_first_example_of_every_request_succeeds() {
    let (client, _server) = client();
    for info in catalog::games().iter().map(|game| game.info()) {
        let (game, seats) = (info.id, usize::from(*info.seats.start()));
        let last = seats - 1;
        let document = client.get(&format!("/openapi.json?game={game}")).ok();
        let mut requests = requests(&document, game);
        let mut take =
            |name: &str| requests.remove(name).unwrap_or_else(|| panic!("there is no {name}"));
        for operation in ["createPosition", "analyse", "drawSvg", "drawText"] {
            tried(&client, &take(operation), "", last);
        }
        let (_, _, open) = take("openMatch");
        let table = Table::open(&client, &open);
        let active = table.seat(table.active().expect("it runs"));
        tried(&active, &take("submitCommand"), &table.id, last);
        let mut seats = vec![json!({}); seats];
        let over =
            json!({"game": game, "seats": seats, "sandbox": {"fast_forward": {"bot": "greedy"}}});
        seats[last] = json!({"open": true});
        let open = json!({"game": game, "seats": seats});
        let waiting = client.open(&open).created()["match"].as_str().expect("an id").to_owned();
        tried(&client, &take("takeSeat"), &waiting, last);
        // A branch needs a match that has ended.
        let over = Table::open(&client, &over);
        tried(&client, &take("createBranch"), &over.id, last);
        // Queries are off on this server: their examples are tried where they are recorded.
        for query in ["runQuery", "runQueryCsv", "runQueryParquet"] {
            take(query);
        }
        assert!(requests.is_empty(), "not tried: {:?}", requests.keys());
    }
}
