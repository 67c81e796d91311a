//! What is wrong with a request is said in words of our own, with its place, the nearest name and what is allowed.

use acceptance::{Client, Table};
use serde_json::{Map, Value, json};

use crate::positions::p2;
use crate::{client, server};

/// What readers of JSON say to programmers.
#[rustfmt::skip]
const FOREIGN: &[&str] = &[
    "invalid type", "invalid value", "invalid length", "unknown variant", "unknown field",
    "missing field", "duplicate field", "did not match any", "internally tagged", "expected one of",
    "struct", "enum", "EOF", " column 0", "u64", "usize", "i64", "u8",
];

#[track_caller]
fn own(problem: &Value) {
    let errors = problem["errors"].as_array().cloned().unwrap_or_default();
    for said in errors.iter().chain([problem]) {
        let detail = said["detail"].as_str().unwrap_or_default();
        for foreign in FOREIGN {
            assert!(!detail.contains(foreign), "{foreign}: {problem}");
        }
    }
    if problem["code"] == "malformed" {
        assert!(problem["errors"][0]["pointer"].is_string(), "{problem}");
    }
}

/// The fields of a body, by its schema.
fn fields(document: &Value, schema: &Value) -> Map<String, Value> {
    let name = schema["$ref"].as_str().and_then(|path| path.strip_prefix('#'));
    if let Some(schema) = name.and_then(|path| document.pointer(path)) {
        return fields(document, schema);
    }
    let any = ["oneOf", "anyOf"].iter().filter_map(|key| schema[key].as_array()).flatten();
    let mut all: Map<_, _> = any.flat_map(|schema| fields(document, schema)).collect();
    all.extend(schema["properties"].as_object().cloned().unwrap_or_default());
    all
}

#[test]
fn every_body_that_does_not_fit_is_refused_in_words_of_our_own() {
    let (client, _server) = client();
    let table = Table::rosenkoenig(&client);
    let seat = table.seat(table.active().expect("it runs"));
    let document = client.get("/openapi.json").ok();
    let (mut bodies, mut names) = (0, 0);
    for (path, operations) in document["paths"].as_object().expect("paths") {
        let content = &operations["post"]["requestBody"]["content"]["application/json"];
        if content.is_null() {
            continue;
        }
        bodies += 1;
        let path = path.replace("{game}", "rosenkoenig").replace("{id}", &table.id);
        let path = path.replace("{seat}", "1");
        let send = |body: &Value| {
            let answer = seat.post(&path, body);
            if answer.status >= 400 {
                own(&answer.json())
            }
            answer
        };
        for body in [json!([]), json!(7), json!("x"), json!({"nonsense": 1}), json!({})] {
            send(&body);
        }
        for name in fields(&document, &content["schema"]).keys() {
            for value in
                [json!(true), json!("x"), json!(-1), json!([7]), json!({"x": 1}), json!(0.5)]
            {
                send(&json!({name: value}));
                send(&json!({name: [value]}));
                send(&json!({name: {"type": value, "seed": value, "version": value}}));
            }
            let near = format!("{name}s");
            let problem = send(&json!({near.clone(): 1})).problem(400, "malformed");
            let detail = problem["detail"].as_str().expect("a sentence");
            let says = detail.contains(&format!("did you mean `{name}`? Allowed are "));
            assert!(says || fields(&document, &content["schema"]).contains_key(&near), "{problem}");
            assert_eq!(problem["errors"][0]["pointer"], format!("/{near}"), "{problem}");
            names += 1;
        }
    }
    assert!(bodies > 10 && names > 30, "{bodies} bodies, {names} names");
    for query in ["at=x", "at=", "att=1", "at=1&at=2", "at=-1", "at=99999999999999999999999"] {
        own(&client.view(&table.id, query).problem(400, "malformed"));
    }
    let problem = client.view(&table.id, "att=1").problem(400, "malformed");
    assert_eq!(
        problem["detail"],
        "there is no `att` as a parameter, did you mean `at`? Allowed are `at`, `viewer`, `since`, `include`"
    );
    for path in ["commands?dry_run=yes", "legal-commands?att=1"] {
        own(&client.get(&format!("/v1/matches/{}/{path}", table.id)).json());
    }
}

#[test]
fn a_parameter_that_is_wrong_is_refused_by_its_name() {
    let (client, _server) = client();
    let table = Table::rosenkoenig(&client);
    let document = client.get("/openapi.json").ok();
    let (mut reads, mut typed) = (0, 0);
    for (path, operations) in document["paths"].as_object().expect("paths") {
        let read = &operations["get"];
        if read.is_null() || !path.starts_with("/v1/") {
            continue;
        }
        reads += 1;
        let path = path.replace("{game}", "rosenkoenig").replace("{id}", &table.id);
        let path = path.replace("{table}", "matches").replace("{name}", "Loki");
        assert!(!path.contains('{'), "{path}");
        let refused = |name: &str, value: &str| {
            let problem = client.get(&format!("{path}?{name}={value}")).problem(400, "malformed");
            own(&problem);
            let detail = problem["detail"].as_str().expect("a sentence");
            let named = detail.contains(&format!("`{name}`"));
            assert!(named || detail.starts_with(&format!("{name}=")), "{path}: {problem}");
        };
        refused("unheard", "5");
        for parameter in read["parameters"].as_array().into_iter().flatten() {
            // What several operations have is written once.
            let shared = parameter["$ref"].as_str().map(|at| at.trim_start_matches('#'));
            let parameter = shared.and_then(|at| document.pointer(at)).unwrap_or(parameter);
            let types = parameter["schema"]["type"].to_string();
            let is_typed = types.contains("integer") || types.contains("boolean");
            if parameter["in"] == "query" && is_typed {
                refused(parameter["name"].as_str().expect("a name"), "perhaps");
                typed += 1;
            }
        }
    }
    assert!(reads > 30 && typed > 40, "{reads} reads, {typed} parameters");
    let problem = client.get(&format!("/v1/matches/{}?at=1", table.id)).problem(400, "malformed");
    assert_eq!(problem["detail"], "there is no `at` as a parameter: this request has none");
}

#[test]
fn a_command_a_position_and_options_say_where_they_are_wrong() {
    let (client, _server) = client();
    let analyse = |position: Value, command: Value| {
        client.analyse("rosenkoenig", &json!({"position": position, "commands": [command]}))
    };
    for (command, pointer, detail) in [
        (
            json!({"type": "PlayCrd", "card": "n1", "hero": false}),
            "/type",
            "there is no `PlayCrd` here, did you mean `PlayCard`? Allowed are `PlayCard`, `DrawCard`",
        ),
        (
            json!({"type": "PlayCard", "card": "nn1", "hero": false}),
            "/card",
            "there is no `nn1` here, did you mean `n1`?",
        ),
        (json!({"type": "PlayCard", "card": "n1"}), "", "the field `hero` is missing"),
        (
            json!({"type": "PlayCard", "card": "n1", "hero": false, "heros": 1}),
            "/heros",
            "there is no `heros` as a field, did you mean `hero`?",
        ),
        (
            json!({"type": "PlayCard", "card": "n1", "hero": "no"}),
            "/hero",
            "what should be true or false is \"no\"",
        ),
        (
            json!({"type": "PlayCard", "card": {}, "hero": false}),
            "/card",
            "what should be a text is an object",
        ),
        (
            json!({"type": "PlayCard", "card": 7, "hero": false}),
            "/card",
            "what should be a text is 7",
        ),
        (json!(5), "", "what should be an object is 5"),
    ] {
        let problem = analyse(p2(), command).refused("illegal_command", "R-24");
        own(&problem);
        assert_eq!(problem["errors"][0]["pointer"], format!("/commands/0{pointer}"), "{problem}");
        assert!(
            problem["detail"].as_str().is_some_and(|said| said.starts_with(detail)),
            "{problem}"
        );
    }
    let mut position = p2();
    position["crwn"] = json!(1);
    let problem = analyse(position, json!({})).refused("invalid_position", "R-90");
    assert_eq!(problem["errors"][0]["pointer"], "/position/crwn", "{problem}");
    for (options, pointer, detail) in [
        (json!({"set": 1}), "/set", "what should be one of the known words is 1"),
        (json!({"set": null}), "/set", "what should be one of the known words is null"),
        (
            json!({"set": "custom", "custom_types": [["freya"]]}),
            "/custom_types/0",
            "what should be one of the known words is a list",
        ),
    ] {
        let asked = json!({"options": options, "seats": 2});
        let problem = client.start_position("voluspa", &asked).refused("invalid_options", "V-102");
        let place = json!([{"pointer": format!("/options{pointer}"), "detail": detail}]);
        assert_eq!(problem["errors"], place, "{problem}");
    }
    let edition = json!({"game": "rosenkoenig", "seats": [{}, {}], "edition": 4_294_967_296_u64});
    let problem = client.post("/v1/matches", &edition).problem(400, "malformed");
    let detail = "what should be a whole number from 0 to 4294967295 is 4294967296";
    assert_eq!(problem["detail"], detail, "{problem}");
    let options = json!({"game": "rosenkoenig", "seats": [{}, {}], "options": {"strat": "red"}});
    let problem = client.open(&options).refused("invalid_options", "R-03");
    assert_eq!(problem["errors"][0]["pointer"], "/options/strat", "{problem}");
    own(&problem);
}

#[test]
fn what_is_wrong_in_a_position_is_not_looked_for_elsewhere() {
    let (client, _server) = client();
    let delphi = &client.fixtures("delphi")[0]["position"];
    for (game, rule, position, place, value) in [
        ("rosenkoenig", "R-90", &p2(), "/x", json!(1)),
        ("rosenkoenig", "R-90", &p2(), "/phase", json!("white")),
        ("delphi", "D-131", delphi, "/q", json!(1)),
        ("delphi", "D-131", delphi, "/temples/3/color", json!("white")),
        ("delphi", "D-131", delphi, "/players/1/cards/0", json!("white")),
    ] {
        let mut wrong = position.clone();
        let (parent, name) = place.rsplit_once('/').expect("a pointer");
        let parent = wrong.pointer_mut(parent).expect("it is there");
        match parent.as_array_mut() {
            Some(items) => *items = vec![value],
            None => parent[name] = value,
        }
        let answer = client.analyse(game, &json!({"position": wrong}));
        let problem = answer.refused("invalid_position", rule);
        own(&problem);
        let told = &problem["errors"][0]["pointer"];
        assert_eq!(told, &format!("/position{place}"), "{problem}");
    }
}

/// Everything that a command has, changed one by one.
fn changed(command: &Value) -> Vec<Value> {
    let fields = command.as_object().cloned().unwrap_or_default();
    let mut all = Vec::new();
    for name in fields.keys() {
        for value in [
            json!(null),
            json!(true),
            json!("x"),
            json!(-1),
            json!([7]),
            json!({"x": 1}),
            json!(300),
            json!(0.5),
        ] {
            let mut other = fields.clone();
            other.insert(name.clone(), value);
            all.push(json!(other));
        }
        let mut other = fields.clone();
        other.remove(name);
        all.push(json!(other));
    }
    all
}

#[test]
fn the_forms_of_every_game_are_told_in_words_of_our_own() {
    let (server, _folder) = server();
    let client: Client = server.client();
    for game in catalog::games() {
        let id = game.info().id;
        let fixtures = client.fixtures(id);
        for fixture in &fixtures {
            let position = &fixture["position"];
            let start = client.analyse(id, &json!({"position": position})).ok();
            for command in start["legal_commands"].as_array().into_iter().flatten().take(2) {
                for command in changed(command) {
                    let answer =
                        client.analyse(id, &json!({"position": position, "commands": [command]}));
                    if answer.status != 200 {
                        own(&answer.json())
                    }
                }
            }
        }
        for position in changed(&fixtures[0]["position"]) {
            let answer = client.analyse(id, &json!({"position": position}));
            if answer.status != 200 {
                own(&answer.json())
            }
        }
    }
}
