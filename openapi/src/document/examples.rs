//! Examples of requests and answers, recorded from a running server.

use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

use super::games::Game;
use super::operations::{id_of, operations};

/// All examples.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Examples {
    /// The game that is played in them.
    game: String,
    /// By operation.
    operations: BTreeMap<String, Example>,
    /// A request that succeeds, by every other game and operation.
    beginnings: BTreeMap<String, BTreeMap<String, Value>>,
}

/// The name of the example that an operation begins with: the first of all by the alphabet.
pub(crate) const BEGINNING: &str = "a_beginning";

/// Operations whose requests are the same for all games.
const OF_ANY_GAME: &[&str] = &["runQuery", "runQueryCsv", "runQueryParquet", "takeSeat"];

/// The examples of one operation, by name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Example {
    /// Bodies of requests.
    requests: Map<String, Value>,
    /// Bodies of answers, by status.
    responses: BTreeMap<String, Map<String, Value>>,
}

/// Is this the game that is played in the examples?
pub(super) fn are_of(examples: &str, game: &str) -> bool {
    let examples: Examples =
        serde_json::from_str(examples).expect("the package `openapi` writes examples of this form");
    examples.game == game
}

/// Adds the examples, if their game is among those of the server; else what the operations of its game begin with.
pub(super) fn add(document: &mut Value, games: &[Game], examples: &str) {
    let examples: Examples =
        serde_json::from_str(examples).expect("the package `openapi` writes examples of this form");
    if games.iter().all(|game| game.id != examples.game) {
        if let [game] = games {
            begin(document, game, &examples);
        }
        return;
    }
    // Any problem looks like this one, also where none was recorded.
    let refused = examples.operations.get("submitCommand");
    let refused = refused.and_then(|example| example.responses.get("422")?.values().next());
    if let Some(problem) = refused {
        document["components"]["schemas"]["Problem"]["examples"] = json!([problem]);
    }
    let shared = document["components"]["responses"].clone();
    for operation in operations(document) {
        fill_path(operation, &examples.game);
        let Some(Example { requests, responses }) = examples.operations.get(&id_of(operation))
        else {
            continue;
        };
        if let Some(body) = operation.get_mut("requestBody") {
            set(body, requests);
        }
        for (status, bodies) in responses {
            let Some(body) = operation["responses"].get_mut(status) else { continue };
            // A shared answer has no place for the examples of one operation.
            if let Some(name) = body["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
                *body = shared[name].clone();
            }
            set(body, bodies);
        }
    }
}

/// Whoever tries an operation out has something in the fields of its path that succeeds.
fn fill_path(operation: &mut Value, game: &str) {
    let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
    for parameter in parameters.into_iter().flatten() {
        match parameter["name"].as_str() {
            Some("game") if parameter["in"] == "path" => parameter["example"] = json!(game),
            Some("table") if parameter["in"] == "path" => parameter["example"] = json!("seats"),
            Some(_) | None => {}
        }
    }
}

/// Gives every operation of the document of one game a request that succeeds.
fn begin(document: &mut Value, game: &Game, examples: &Examples) {
    let Some(own) = examples.beginnings.get(game.id) else { return };
    for operation in operations(document) {
        fill_path(operation, game.id);
        let id = id_of(operation);
        let Some(body) = operation.get_mut("requestBody") else { continue };
        let requests = match id.as_str() {
            id if OF_ANY_GAME.contains(&id) => {
                examples.operations.get(id).map(|example| example.requests.clone())
            }
            // What is drawn is the position that is analysed.
            "drawSvg" | "drawText" => own.get("analyse").map(|analysed| {
                let drawn = json!({"position": analysed["position"], "names": ["Ada", "Grace"]});
                Map::from_iter([("a_start_position".to_owned(), drawn)])
            }),
            id => {
                own.get(id).map(|request| Map::from_iter([(BEGINNING.to_owned(), request.clone())]))
            }
        };
        if let Some(requests) = requests {
            set(body, &requests);
        }
    }
}

/// Sets the examples of a body, which are of its one media type.
fn set(body: &mut Value, examples: &Map<String, Value>) {
    let content = body.get_mut("content").and_then(Value::as_object_mut);
    let content = content.into_iter().flatten();
    for (_, media) in content {
        let examples = examples.iter().map(|(name, value)| {
            let summary = name.replace('_', " ");
            (name.clone(), json!({"summary": summary, "value": value}))
        });
        media["examples"] = Value::Object(examples.collect());
    }
}
