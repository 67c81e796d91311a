//! JSON that serde would take, and nobody should: arrays for objects, objects for words. And where a mistake lies.

use serde_json::{Value, json};

use crate::client;
use acceptance::{Connection, Request};

#[test]
fn a_word_is_a_word_also_in_options() {
    let (client, _server) = client();
    let open = |game: &str, options: Value| {
        client.open(&json!({"game": game, "seats": [{}, {}], "options": options}))
    };
    for (game, options, rule) in [
        ("rosenkoenig", json!({"start": {"red": null}}), "R-03"),
        ("rosenkoenig", json!({"colors": [{"red": null}, "white"]}), "R-03"),
        ("voluspa", json!({"set": {"base": null}}), "V-102"),
        (
            "voluspa",
            json!({"set": "custom", "custom_types": [{"hel": null}, "hermod", "jotunn", "freya"]}),
            "V-102",
        ),
        ("delphi", json!({"ships": {"lot": null}}), "D-120"),
        ("delphi", json!({"map": {"first_journey": null}}), "D-120"),
        ("delphi", json!({"colors": [{"red": null}, "blue"]}), "D-120"),
    ] {
        let problem = open(game, options.clone()).refused("invalid_options", rule);
        assert!(problem["rule_text"].is_string(), "{options}");
        let body = json!({"seats": 2, "options": options});
        client.start_position(game, &body).refused("invalid_options", rule);
    }
    open("rosenkoenig", json!({"start": "red"})).created();
    open("delphi", json!({"ships": "lot", "start_seat": null})).created();
    assert_eq!(client.matches("").ok()["items"].as_array().map(Vec::len), Some(2));
}

#[test]
fn an_option_that_is_there_twice_is_refused_also_beside_a_position() {
    let (client, _server) = client();
    let body = json!({"seats": 2, "options": {"show_draw_pile": true}});
    let position = client.start_position("rosenkoenig", &body).ok()["position"].clone();
    for position in [format!(r#", "position": {position}"#), String::new()] {
        for (options, good) in [
            (r#"{"show_draw_pile": true}"#, true),
            (r#"{"show_draw_pile": false, "show_draw_pile": true}"#, false),
        ] {
            let body = format!(
                r#"{{"game": "rosenkoenig", "seats": [{{}}, {{}}], "options": {options}{position}}}"#
            );
            let request = Request::new("POST", "/v1/matches").bytes("application/json", body);
            let answer = client.send(request);
            if good {
                answer.created();
            } else {
                answer.refused("invalid_options", "R-03");
            }
        }
    }
}

#[test]
fn requests_are_read_as_they_are_written() {
    let (client, _server) = client();
    let position =
        client.start_position("rosenkoenig", &json!({"seats": 2})).ok()["position"].clone();
    let opening = |seats: Value, visibility: Value| {
        let body = json!({"game": "rosenkoenig", "seats": seats, "visibility": visibility});
        ("/v1/matches", body)
    };
    let analysis = "/v1/games/rosenkoenig/analysis";
    let include = |include: Value| (analysis, json!({"position": position, "include": include}));
    let good = [
        opening(json!([{"name": "Ada"}, {}]), json!("private")),
        include(json!(["positions", "legal_commands"])),
    ];
    for (path, body) in good {
        let answer = client.post(path, &body);
        assert!(matches!(answer.status, 200 | 201), "{}", answer.text());
    }
    let seed = "00".repeat(32);
    for ((path, body), pointer) in [
        (opening(json!([["Ada", null, null], {}]), json!(null)), "/seats/0"),
        (opening(json!([{}, {}]), json!({"private": null})), "/visibility"),
        (opening(json!([{}, {"name": 5}]), json!(null)), "/seats/1/name"),
        (opening(json!([{}, {"nam~e/": 5}]), json!(null)), "/seats/1/nam~0e~1"),
        (("/v1/matches", json!(["rosenkoenig", null, [], null, null, null])), ""),
        (("/v1/matches", json!({"seats": [{}, {}]})), ""),
        (include(json!([{"positions": null}])), "/include/0"),
        (include(json!(["points"])), "/include/0"),
        (include(json!(["positions", "positions", "positions"])), "/include"),
        ((analysis, json!({"position": position, "chance": [seed]})), "/chance"),
        ((analysis, json!({"position": position, "chance": {"seed": "00"}})), "/chance"),
    ] {
        let problem = client.post(path, &body).problem(400, "malformed");
        assert_eq!(problem["errors"][0]["pointer"], pointer, "{problem}");
        let detail = problem["detail"].as_str().expect("a sentence");
        for inside in ["struct", "enum", "Request", "variant"] {
            assert!(!detail.contains(inside), "{detail}");
        }
    }
}

#[test]
fn a_body_must_be_one_object() {
    let (client, _server) = client();
    for body in [
        r#"{"game": "rosenkoenig", "seats": [{}, {}]} {}"#,
        r#"{"game": "rosenkoenig", "game": "rosenkoenig", "seats": [{}, {}]}"#,
        r#"{"game": "rosenkoenig", "seats": [{}, {}], "take_back": NaN}"#,
        r#"{"game": "rosenkoenig", "seats": [{"name": "\ud800"}, {}]}"#,
        r#"{"game": "rosenkoenig", "seats": [{"name": "a\u0000b"}, {}]}"#,
        r#"{"game": "rosenkoenig", "seats": [{}, {}], "visibility": "Public"}"#,
    ] {
        let request = Request::new("POST", "/v1/matches").bytes("application/json", body);
        client.send(request).problem(400, "malformed");
    }
}

#[test]
fn a_position_with_a_version_is_read_as_strictly_as_one_without() {
    let (client, _server) = client();
    let position = client.start_position("rosenkoenig", &json!({"seats": 2})).ok();
    let position = &position["position"];
    let with = |more: &str| {
        let text = position.to_string();
        let body = format!("{{\"position\":{{{more}{}}}", &text[1..]);
        let path = "/v1/games/rosenkoenig/analysis";
        client.send(Request::new("POST", path).bytes("application/json", body))
    };
    assert_eq!(with("").ok()["position"], *position);
    assert_eq!(with("\"version\": 7, ").ok()["position"], *position);
    let crown = format!("\"crown\":{},", position["crown"]);
    for more in [
        crown.as_str(),
        &format!("\"version\":1,{crown}"),
        &format!("{crown}\"version\":1,"),
        &format!("\"version\":1,{}", crown.replace("crown", "cro\\u0077n")),
        "\"version\":1,\"version\":1,",
        "\"version\":null,",
        "\"version\":-1,",
        "\"version\":1.5,",
        "\"version\":\"1\",",
        "\"version\":{\"version\":1},",
        "\"version\":1,\"versions\":1,",
    ] {
        let answer = with(more);
        let problem = answer.problem(422, "invalid_position");
        assert!(problem["detail"].is_string(), "{more}: {problem}");
    }
}

#[test]
fn what_is_wrong_is_told_as_it_is() {
    let (client, _server) = client();
    let send = |body: &str| {
        client.send(Request::new("POST", "/v1/matches").bytes("application/json", body))
    };
    let field = r#"{"game": "copenhagen", "seats": [{}, {}], "options": {"foo": 1}}"#;
    let problem = send(field).refused("invalid_options", "C-202");
    assert_eq!(problem["detail"], "there is no `foo` as a field: this object has none");
    for (wrong, what) in
        [("1e400", "a number is too large"), (r#""\ud800""#, "a part of a character")]
    {
        let body = format!(r#"{{"game": {wrong}, "seats": [{{}}, {{}}]}}"#);
        let problem = send(&body).problem(400, "malformed");
        let detail = problem["detail"].as_str().expect("a sentence");
        assert!(detail.contains(what), "{detail}");
    }
    // A body that says that it is too large is refused before it comes.
    let mut connection = Connection::open(client.address).expect("it listens");
    let head = "POST /v1/matches HTTP/1.1\r\nHost: muninn\r\nContent-Type: application/json\r\n";
    let length = "Content-Length: 2000000\r\n\r\n";
    connection.write(format!("{head}{length}").as_bytes()).expect("it is sent");
    connection.read(false).expect("an answer").problem(413, "too_large");
    let chunked = format!("{head}Transfer-Encoding: chunked\r\n\r\nxyz\r\n");
    let mut connection = Connection::open(client.address).expect("it listens");
    connection.write(chunked.as_bytes()).expect("it is sent");
    let problem = connection.read(false).expect("an answer").problem(400, "malformed");
    assert_eq!(problem["detail"], "the body was cut off, or its chunks are malformed");
}
