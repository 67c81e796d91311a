//! Whatever options a match was opened with, it is decided again alike: it verifies, is exported, and is in every table.

use std::collections::{BTreeMap, BTreeSet};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use crate::folder::export;
use crate::read::tables;
use acceptance::server::Server;
use acceptance::{Client, Dice, run_on};

/// Options that the schema of a game describes.
struct Asked {
    schema: Value,
    dice: Dice,
}

impl Asked {
    fn of(client: &Client, game: &str) -> Self {
        let schema = client.game(game).ok()["schemas"]["options"].clone();
        Asked { schema, dice: Dice::new(14) }
    }

    fn resolved<'a>(&'a self, part: &'a Value) -> &'a Value {
        let Some(path) = part["$ref"].as_str() else {
            return part;
        };
        let path = path.strip_prefix('#').expect("schemas refer to themselves");
        self.resolved(self.schema.pointer(path).expect("what is referred to is there"))
    }

    /// The options there are, by name.
    fn properties(&self) -> BTreeMap<String, Value> {
        let properties = self.resolved(&self.schema)["properties"].as_object();
        let properties = properties.into_iter().flatten();
        properties.map(|(name, schema)| (name.clone(), schema.clone())).collect()
    }

    /// Values of an option: all of a few, some of many.
    fn values(&mut self, schema: &Value) -> Vec<Value> {
        let schema = self.resolved(schema).clone();
        if let Some(values) = schema["enum"].as_array() {
            return values.clone();
        }
        if let Some(parts) = schema["anyOf"].as_array() {
            return parts.iter().flat_map(|part| self.values(part)).collect();
        }
        let kinds = schema["type"].as_array().cloned();
        let kinds = kinds.unwrap_or_else(|| vec![schema["type"].clone()]);
        kinds.iter().flat_map(|kind| self.of_kind(kind, &schema)).collect()
    }

    fn of_kind(&mut self, kind: &Value, schema: &Value) -> Vec<Value> {
        match kind.as_str().expect("a type is a word") {
            "null" => vec![Value::Null],
            "boolean" => vec![json!(false), json!(true)],
            "integer" => {
                let end = |name: &str| {
                    schema[name]
                        .as_u64()
                        .expect("the schema of an integer has `minimum` and `maximum`")
                };
                let (low, high) = (end("minimum"), end("maximum"));
                let any = low + self.dice.below((high - low + 1) as usize) as u64;
                let values: BTreeSet<u64> = [low, any, high].into();
                values.into_iter().map(Value::from).collect()
            }
            "array" => (0..8).map(|number| self.list(schema, 1 + number % 4)).collect(),
            other => panic!("no value of the type {other} is tried: add an arm with some here"),
        }
    }

    /// Different items, in any order.
    fn list(&mut self, schema: &Value, length: usize) -> Value {
        let mut items = self.values(&schema["items"]);
        let mut list = Vec::new();
        while list.len() < length && !items.is_empty() {
            list.push(items.swap_remove(self.dice.below(items.len())));
        }
        json!(list)
    }

    /// Any choice of the other options, each given or left out, beside those that are set.
    fn beside(&mut self, set: Option<(&str, &Value)>) -> Value {
        let mut options = Map::new();
        for (name, schema) in self.properties() {
            if self.dice.below(2) == 0 {
                let values = self.values(&schema);
                options.insert(name, values[self.dice.below(values.len())].clone());
            }
        }
        options.extend(set.map(|(name, value)| (name.to_owned(), value.clone())));
        Value::Object(options)
    }
}

/// Opens a match if the game is played with these options.
fn open(client: &Client, game: &str, seats: &Value, options: &Value) -> Option<String> {
    let answer = client.open(&json!({"game": game, "seats": seats, "options": options}));
    if answer.status == 422 {
        answer.problem(422, "invalid_options");
        return None;
    }
    answer.created()["match"].as_str().map(str::to_owned)
}

/// Opens matches with each value of each option, alone where that is allowed, else beside others; and so many with any choice of all.
/// Every option is given and left out.
fn open_all(client: &Client, game: &str, seats: &Value, more: usize) -> Vec<String> {
    let mut asked = Asked::of(client, game);
    let mut opened: Vec<String> = open(client, game, seats, &json!({})).into_iter().collect();
    assert_eq!(opened.len(), 1, "{game}: what is left out takes its default");
    for (name, schema) in asked.properties() {
        let mut found = 0;
        for value in asked.values(&schema) {
            let alone = json!({name.as_str(): value});
            let others = (0..60).map(|_| asked.beside(Some((&name, &value))));
            let others: Vec<Value> = others.collect();
            let mut all = [alone].into_iter().chain(others);
            let id = all.find_map(|options| open(client, game, seats, &options));
            found += usize::from(id.is_some());
            opened.extend(id);
        }
        assert!(found > 1, "{game}, {seats}: no match with the option {name}");
    }
    for _ in 0..more {
        let options = asked.beside(None);
        opened.extend(open(client, game, seats, &options));
    }
    opened
}

fn wait_for_the_end(client: &Client, id: &str) {
    let start = Instant::now();
    while client.info(id).ok()["status"] != "finished" {
        assert!(start.elapsed() < Duration::from_secs(600), "the bots play match {id} to its end");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_match_with_any_options_is_decided_again_alike() {
    let (folder, [data]) = acceptance::places(["data"]);
    let server = Server::start(&data, catalog::games());
    let client = server.client();
    let mut played = BTreeMap::new();
    for game in catalog::games() {
        let info = game.info();
        for count in info.seats.clone() {
            let people = json!(vec![json!({}); usize::from(count)]);
            open_all(&client, info.id, &people, 12);
        }
        // Random players take long to end a match of Delphi, greedy ones to choose in the others.
        let bot = if info.id == "delphi" { "greedy" } else { "random" };
        let bots = json!(vec![json!({"bot": bot}); usize::from(*info.seats.start())]);
        for id in open_all(&client, info.id, &bots, 1) {
            played.insert(id.clone(), client.info(&id).ok()["options"].clone());
        }
    }
    for id in played.keys() {
        wait_for_the_end(&client, id);
    }
    for name in ["matches", "draws", "delphi_match_started"] {
        let answer = client.get(&format!("/v1/tables/{name}.ndjson"));
        assert_eq!(answer.status, 200, "{name}");
    }
    server.stop();
    run_on(&data, &["verify"]).ok();
    let out = folder.path().join("out");
    export(&data, &out, &["--format", "ndjson"]);
    let rows = tables(&out)["matches"].clone();
    assert_eq!(rows.len(), played.len());
    for row in rows {
        let id = row["match_id"].as_str().expect("an id");
        // Defaults are filled in, and what was drawn is entered: the same everywhere.
        assert_eq!(row["options"], played[id], "{id}");
    }
}
