//! Everything that can be asked, read from the OpenAPI document: an operation that is new is asked too, or the test says what is missing.

use serde_json::{Value, json};

use acceptance::{Client, Request};

/// What a question may be about.
pub(crate) struct Scene {
    pub(crate) id: String,
    pub(crate) game: String,
    pub(crate) seats: usize,
    pub(crate) version: u64,
    /// Does who asks own the match? The owner's word would end it.
    pub(crate) owner: bool,
    /// Would a request to take back be carried out?
    pub(crate) take_back: bool,
    /// Commands to try: they are never carried out.
    pub(crate) commands: Vec<Value>,
    /// Halves of commands, to ask what completes them.
    pub(crate) halves: Vec<Value>,
}

/// An operation of the document.
struct Operation {
    id: String,
    method: String,
    path: String,
    /// Of the query, by name, each with its schema.
    parameters: Vec<(String, Value)>,
    stream: bool,
}

/// A question.
pub(crate) struct Question {
    pub(crate) name: String,
    pub(crate) request: Request,
    /// Is the answer a live stream?
    pub(crate) stream: bool,
    /// Is it about the server and its games, and about no match?
    pub(crate) general: bool,
}

/// All operations of a server.
pub(crate) struct Questions(Vec<Operation>);

/// What is asked at the operator's door: metrics may be shown to anybody, so they tell nothing either.
pub(crate) const METRICS: &str = "GET /metrics of the operator";

/// Operations that change something, or take everything from the request. What is sent to them is in [`post`].
const BODY: &str = "say in tests/secrets/questions.rs, `post`, what to send to";
/// Parameters whose values nobody can guess.
const VALUES: &str = "say in tests/secrets/questions.rs, `values`, what to ask with";

impl Questions {
    pub(crate) fn of(client: &Client) -> Self {
        let document = client.get("/openapi.json").ok();
        let mut operations = Vec::new();
        for (path, item) in document["paths"].as_object().expect("there are paths") {
            for (method, operation) in item.as_object().expect("a path has operations") {
                let Some(id) = operation["operationId"].as_str() else {
                    continue;
                };
                let parameters = operation["parameters"].as_array();
                let parameters = parameters.into_iter().flatten().map(|parameter| {
                    // What several operations have is written once.
                    let shared = parameter["$ref"].as_str().map(|at| at.trim_start_matches('#'));
                    shared.and_then(|at| document.pointer(at)).unwrap_or(parameter)
                });
                let query = parameters.filter(|parameter| parameter["in"] == "query");
                let name = |parameter: &Value| parameter["name"].as_str().map(str::to_owned);
                operations.push(Operation {
                    id: id.to_owned(),
                    method: method.to_uppercase(),
                    path: path.clone(),
                    parameters: query
                        .map(|p| (name(p).expect("a name"), p["schema"].clone()))
                        .collect(),
                    stream: !operation["responses"]["200"]["content"]["text/event-stream"]
                        .is_null(),
                });
            }
        }
        assert!(operations.len() > 20, "the document has operations");
        Questions(operations)
    }

    /// Every question about a scene.
    pub(crate) fn about(&self, scene: &Scene) -> Vec<Question> {
        let mut questions = Vec::new();
        for operation in &self.0 {
            match operation.method.as_str() {
                "GET" => questions.extend(get(operation, scene)),
                "POST" => questions.extend(post(operation, scene)),
                method => panic!("{BODY} {method} {}", operation.path),
            }
        }
        questions.push(Question {
            name: METRICS.to_owned(),
            request: Request::new("GET", "/metrics"),
            stream: false,
            general: false,
        });
        questions
    }
}

fn path(operation: &Operation, scene: &Scene) -> String {
    let filled = operation
        .path
        .replace("{id}", &scene.id)
        .replace("{game}", &scene.game)
        .replace("{seat}", "0")
        .replace("{name}", "Frigg")
        .replace("{table}", "events");
    assert!(!filled.contains('{'), "{VALUES} the path {}", operation.path);
    filled
}

fn general(path: &str) -> bool {
    path.starts_with("/v1/games") || path.ends_with("api.json") || path == "/v1/tables"
}

/// Values to ask with: those that everybody knows by name, else what the schema allows.
fn values(operation: &Operation, name: &str, schema: &Value, scene: &Scene) -> Vec<String> {
    let number = |n: u64| n.to_string();
    // Of a commit with several events it is in the middle.
    let within = scene.version.saturating_sub(1).max(1);
    let list = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
    match name {
        "viewer" => {
            (0..scene.seats).map(|seat| seat.to_string()).chain(["spectator".to_owned()]).collect()
        }
        "to" | "from" if schema["format"] == "date" => list(&["2000-01-01"]),
        "from" | "until" if ["getGameStats", "getGameReport"].contains(&operation.id.as_str()) => {
            list(&["2000-01-01", "2100-01-01"])
        }
        "until" => vec![number(1), number(scene.version)],
        "at" | "to" | "from" => vec![number(1), number(within), number(scene.version)],
        "after" if operation.id == "listMatches" => vec![scene.id.clone()],
        // A live stream that has nothing to send does not end.
        "after" if operation.stream => vec![number(0), number(scene.version.saturating_sub(1))],
        "after" => vec![number(1), number(scene.version.saturating_sub(1))],
        "since" => vec![number(1), number(within)],
        "fields" => list(&["version,events"]),
        "limit" => vec![number(1), number(1000)],
        "game" => vec![scene.game.clone()],
        "type" => list(&["PositionLoaded", "TileDrawn"]),
        "player" => list(&["Frigg"]),
        "players" => list(&["people", "bots", "mixed", "all"]),
        "bot" => list(&["greedy", "random@1"]),
        "hashes" => list(&["true"]),
        "loaded" | "branched" => list(&["true", "false", "all"]),
        "group_by" => list(&["players", "seats,edition", "bot,player", "loaded,branched,day"]),
        // Each is a parameter of its own, by the game.
        "options" => list(&["{}"]),
        "include" if operation.id == "getView" => list(&["pieces"]),
        "include" if operation.id == "listCommits" => list(&["moves"]),
        "include" => list(&["spots", "spots,labels,points"]),
        "fixture" => list(&["finished"]),
        "lang" => list(&["de"]),
        _ => {
            let one_of = schema["enum"].as_array().into_iter().flatten();
            let one_of: Vec<String> = one_of.filter_map(Value::as_str).map(str::to_owned).collect();
            match schema["type"].as_str() {
                _ if !one_of.is_empty() => one_of,
                Some("boolean") => list(&["true", "false"]),
                Some("integer") => vec![schema["minimum"].as_u64().unwrap_or(1).to_string()],
                _ if schema["$ref"] == "#/components/schemas/Status" => {
                    list(&["open", "running", "finished", "abandoned"])
                }
                _ => panic!("{VALUES} the parameter `{name}` of {}", operation.id),
            }
        }
    }
}

/// Without parameters; with each value of each alone; and as each viewer with the first value of each.
fn get(operation: &Operation, scene: &Scene) -> Vec<Question> {
    let path = path(operation, scene);
    let mut queries = vec![String::new()];
    for (name, schema) in &operation.parameters {
        let values = values(operation, name, schema, scene);
        queries.extend(values.iter().map(|value| format!("?{name}={value}")));
        let viewers = operation.parameters.iter().any(|(name, _)| name == "viewer");
        if viewers && name != "viewer" {
            let viewers = (0..scene.seats).map(|seat| seat.to_string());
            let viewers = viewers.chain(["spectator".to_owned()]);
            queries.extend(viewers.map(|viewer| format!("?{name}={}&viewer={viewer}", values[0])));
        }
    }
    let ask = |query: String| {
        let target = format!("{path}{query}");
        Question {
            name: format!("{} {query}", operation.id),
            request: Request::new("GET", &target),
            stream: operation.stream,
            general: general(&operation.path),
        }
    };
    let mut questions: Vec<Question> = queries.into_iter().map(ask).collect();
    if !operation.stream {
        questions.push(Question {
            name: format!("HEAD of {}", operation.id),
            request: Request::new("HEAD", &path),
            stream: false,
            general: general(&operation.path),
        });
    }
    questions
}

/// Requests that change nothing: refused, or dry.
fn post(operation: &Operation, scene: &Scene) -> Vec<Question> {
    let path = path(operation, scene);
    let send = |query: &str, body: Value| Question {
        name: format!("{} {query} {body}", operation.id),
        request: Request::new("POST", &format!("{path}{query}")).json(&body),
        stream: false,
        general: general(&operation.path),
    };
    match operation.id.as_str() {
        "openMatch" => vec![send("", json!({}))],
        // It knows of no match, and answers otherwise each time.
        "drawSeed" => Vec::new(),
        "runQuery" | "runQueryCsv" | "runQueryParquet" => {
            let tables = ["events", "matches", "commands", "damaged"];
            let all =
                tables.map(|table| send("", json!({"sql": format!("SELECT * FROM {table}")})));
            all.into()
        }
        // These take everything from the request, and keep nothing.
        _ if general(&operation.path) => vec![send("", json!({}))],
        "takeSeat" => vec![send("", json!({})), send("", json!({"name": "Frigg"}))],
        "createBranch" => vec![send("", json!({"at": 1})), send("", json!({"at": 999_999}))],
        "closeMatch" if scene.owner => Vec::new(),
        "closeMatch" => vec![send("", json!({}))],
        "takeBack" if scene.take_back => {
            vec![send("", json!({"expected_version": scene.version + 1}))]
        }
        "takeBack" => vec![send("", json!({}))],
        "submitCommand" => {
            let mut all = vec![
                send("", json!({"command": {"type": "Nonsense"}})),
                send("", json!({"command": 7, "expected_version": scene.version})),
            ];
            for command in &scene.commands {
                all.push(send("?dry_run=true", json!({"command": command})));
                let late = json!({"command": command, "expected_version": scene.version + 1});
                all.push(send("", late));
            }
            for half in &scene.halves {
                all.push(send("?dry_run=true", json!({"command": half})));
            }
            all
        }
        other => panic!("{BODY} {other}"),
    }
}
