//! A real server on a free port, and a client that writes down what is said.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, mpsc};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use actix_web::rt::System;
use archive::{Archive, Projection, Shown};
use engine::{Config, Engine};
use journal::Bytes32;
use journal::words::lexicon;
use kernel::WordsError;
use serde_json::{Map, Value, json};
use server::{App, Bound, Metrics, Rates, Stop};
use tables::{Catalogue, Limits, Sql};
use ureq::http::Request;

use crate::Failure;
use crate::document::{document, each_object};
use crate::stand_ins::StandIns;

/// Lists of an answer that are cut, and how many of their items an example shows.
const CUT: &[(&str, usize)] = &[
    ("items", 3),
    ("legal_commands", 3),
    ("start_legal_commands", 3),
    ("rules", 3),
    ("columns", 4),
    ("spots", 3),
    ("labels", 3),
];

/// Headers of HTTP and of safety, which any answer may have; those that begin with [`OF_CORS`] too. All others are in the document.
const OF_ANY: &[&str] = &[
    "cache-control",
    "connection",
    "content-disposition",
    "content-encoding",
    "content-length",
    "content-security-policy",
    "content-type",
    "date",
    "ratelimit",
    "ratelimit-policy",
    "referrer-policy",
    "transfer-encoding",
    "vary",
    "x-accel-buffering",
    "x-content-type-options",
    "x-request-id",
];
const OF_CORS: &str = "access-control-";

/// From this length on, in bytes, the bodies of refused requests are no examples.
const LONG: usize = 500;

/// A request of the story.
#[derive(Clone, Debug)]
pub(crate) struct Ask<'a> {
    method: &'static str,
    path: String,
    headers: Vec<(&'static str, String)>,
    body: Option<&'a Value>,
}

pub(crate) fn get<'a>(path: impl Into<String>) -> Ask<'a> {
    Ask { method: "GET", path: path.into(), headers: Vec::new(), body: None }
}

pub(crate) fn post(path: impl Into<String>, body: &Value) -> Ask<'_> {
    Ask { method: "POST", body: Some(body), ..get(path) }
}

impl Ask<'_> {
    /// With the token of a seat or of the owner.
    pub(crate) fn token(self, token: &Value) -> Self {
        let token = token.as_str().unwrap_or_default().to_owned();
        self.header("Authorization", format!("Bearer {token}"))
    }

    pub(crate) fn header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }
}

/// The examples of one operation.
#[derive(Default)]
struct Example {
    requests: Map<String, Value>,
    responses: BTreeMap<String, Map<String, Value>>,
}

/// A running server, and what was said so far.
pub(crate) struct Session {
    base: String,
    agent: ureq::Agent,
    stop: Stop,
    server: JoinHandle<Result<(), Failure>>,
    examples: BTreeMap<&'static str, Example>,
    /// By game and operation.
    beginnings: BTreeMap<&'static str, BTreeMap<&'static str, Value>>,
    pub(crate) stand_ins: StandIns,
    /// What the server says of itself.
    document: Value,
}

impl Session {
    /// Starts a server with the store in this folder; this program runs its queries. What is derived from the store is filled before, and stays as it is.
    pub(crate) fn start(folder: &Path, program: &Path) -> Result<Self, Failure> {
        let engine = Arc::new(Engine::start(folder, catalog::games(), &Config::default())?);
        let archive = Archive::new(engine.journal());
        let mut statistics = Projection::default();
        statistics.go_on(&archive, engine.position(), &mut |_| true);
        let shown = Arc::new(Shown::new(engine.position()));
        shown.set(statistics);
        let program = Some(program.to_owned());
        let sql = Arc::new(Sql::beside(folder, Catalogue::new(catalog::games()), program));
        sql.prepare(&archive)?.refresh(1, &mut |_, _| ControlFlow::Continue(()))?;
        // Else a server that is slow to start says that it is behind.
        let metrics = Arc::new(Metrics::default());
        metrics.filled(engine.position());
        let limits = Limits {
            time: Duration::from_secs(10),
            rows: 1000,
            bytes: 1 << 20,
            memory: 64 << 20,
            files: false,
            gives_way: false,
        };
        // The examples are what this recording is for.
        let document = document(catalog::games(), None);
        let told = serde_json::from_str(&document.json)?;
        let app = App {
            engine,
            shown,
            document,
            pictures: catalog::PICTURES,
            words: catalog::games()
                .iter()
                .map(|game| Ok((game.info().id, lexicon(*game, &[])?)))
                .collect::<Result<_, WordsError>>()?,
            page: None,
            sql: Some((sql, limits)),
            scratch: folder.to_owned(),
            rates: Rates::default(),
            connections: server::Connections::default(),
            heartbeat: Duration::from_secs(15),
            metrics,
        };
        let (sender, receiver) = mpsc::channel();
        let server = thread::spawn(move || {
            System::new().block_on(async {
                let Bound { address, server, stop } =
                    app.bind((Ipv4Addr::LOCALHOST, 0).into(), 1)?;
                sender.send((address, stop))?;
                Ok(server.await?)
            })
        });
        let (address, stop) = receiver.recv()?;
        let config = ureq::Agent::config_builder().http_status_as_error(false);
        Ok(Session {
            base: format!("http://{address}"),
            agent: config.build().into(),
            stop,
            server,
            examples: BTreeMap::new(),
            beginnings: BTreeMap::new(),
            stand_ins: StandIns::default(),
            document: told,
        })
    }

    /// Stops the server, and returns the examples as the document takes them.
    pub(crate) fn finish(self, game: &str) -> Result<String, Failure> {
        System::new().block_on(self.stop.gracefully());
        self.server.join().map_err(|_| "the server panicked")??;
        let operations: BTreeMap<_, _> = self
            .examples
            .into_iter()
            .map(|(operation, Example { requests, responses })| {
                (operation, json!({"requests": requests, "responses": responses}))
            })
            .collect();
        let examples =
            json!({"game": game, "operations": operations, "beginnings": self.beginnings});
        Ok(serde_json::to_string_pretty(&examples)? + "\n")
    }

    /// Asks, expects a status, and writes request and answer down as an example of the operation. Returns the whole answer, whose headers the
    /// document has.
    pub(crate) fn record(
        &mut self,
        operation: &'static str,
        name: &str,
        status: u16,
        ask: &Ask<'_>,
    ) -> Result<Value, Failure> {
        self.record_part(operation, name, status, ask, cut)
    }

    /// Asks, expects a status, and writes the request down as what the document of this game has for the operation. Returns the answer.
    pub(crate) fn begin(
        &mut self,
        game: &'static str,
        operation: &'static str,
        status: u16,
        ask: &Ask<'_>,
    ) -> Result<Value, Failure> {
        let answer = self.ask(ask, status)?;
        let body = self.stand_ins.put_json(ask.body.unwrap_or(&Value::Null))?;
        self.beginnings.entry(game).or_default().insert(operation, body);
        Ok(answer)
    }

    /// The same as `record`, but the example shows what `part` leaves of the answer.
    pub(crate) fn record_part(
        &mut self,
        operation: &'static str,
        name: &str,
        status: u16,
        ask: &Ask<'_>,
        part: fn(&mut Value),
    ) -> Result<Value, Failure> {
        let (answer, headers) = self.answer(ask, status)?;
        for name in headers {
            if !self.is_told(operation, status, &name) {
                return Err(format!("{operation} {status}: {name} is not in the document").into());
            }
        }
        let example = self.examples.entry(operation).or_default();
        // A long request that is refused shows little more than its problem does, and every client loads the document.
        let short = |body: &Value| status < 400 || body.to_string().len() < LONG;
        if let Some(body) = ask.body.filter(|body| !body.is_null() && short(body)) {
            let body = self.stand_ins.put_json(body)?;
            example.requests.insert(name.to_owned(), body);
        }
        if status != 204 {
            let mut answer = answer.clone();
            part(&mut answer);
            answer = self.stand_ins.put_json(&answer)?;
            if operation == "getStream" && status == 200 {
                // The data of a message are text; the stand-ins were for what is in it.
                answer["data"] = json!(answer["data"].to_string());
            }
            let of_status = example.responses.entry(status.to_string()).or_default();
            of_status.insert(name.to_owned(), answer);
        }
        Ok(answer)
    }

    /// Is this header of the answer in the document, or one that any answer may have?
    fn is_told(&self, operation: &str, status: u16, name: &str) -> bool {
        let paths = self.document["paths"].as_object().into_iter().flatten();
        let mut all = paths.flat_map(|(_, path)| path.as_object().into_iter().flatten());
        let found = all.find(|(_, known)| known["operationId"] == operation);
        let answer = found.map_or(&Value::Null, |(_, of)| &of["responses"][status.to_string()]);
        let shared = answer["$ref"].as_str().and_then(|at| at.strip_prefix('#'));
        let answer = shared.and_then(|at| self.document.pointer(at)).unwrap_or(answer);
        let mut headers = answer["headers"].as_object().into_iter().flatten();
        OF_ANY.contains(&name)
            || name.starts_with(OF_CORS)
            || headers.any(|(known, _)| known.eq_ignore_ascii_case(name))
    }

    /// Asks, and expects a status.
    pub(crate) fn ask(&self, ask: &Ask<'_>, status: u16) -> Result<Value, Failure> {
        Ok(self.answer(ask, status)?.0)
    }

    /// The same with the names of the headers.
    fn answer(&self, ask: &Ask<'_>, status: u16) -> Result<(Value, Vec<String>), Failure> {
        let mut request =
            Request::builder().method(ask.method).uri(format!("{}{}", self.base, ask.path));
        for (name, value) in &ask.headers {
            request = request.header(*name, value);
        }
        let typed = ask.headers.iter().any(|(name, _)| *name == "Content-Type");
        let mut response = match ask.body {
            None => self.agent.run(request.body(())?)?,
            Some(Value::Null) => self.agent.run(request.body(String::new())?)?,
            Some(body) if typed => self.agent.run(request.body(body.to_string())?)?,
            Some(body) => {
                let request = request.header("Content-Type", "application/json");
                self.agent.run(request.body(body.to_string())?)?
            }
        };
        let kind = response.headers().get("Content-Type").cloned();
        let headers = response.headers().keys().map(|name| name.as_str().to_owned()).collect();
        let bytes = response.body_mut().read_to_vec()?;
        // Of what is no text, the beginning tells what it is.
        let text = String::from_utf8_lossy(&bytes);
        if response.status().as_u16() != status {
            let got = response.status();
            return Err(format!("{ask:?} was answered {got}, not {status}: {text}").into());
        }
        let kind = kind.as_ref().and_then(|kind| kind.to_str().ok());
        Ok((read(kind.unwrap_or_default(), &text)?, headers))
    }

    /// This seed, and its commitment, are the same each time.
    pub(crate) fn keep_seed(&mut self, seed: Bytes32) {
        self.stand_ins.keep(seed);
        self.stand_ins.keep(Bytes32::hash(&[&seed.0]));
    }
}

/// An answer as JSON: of lines and of messages the first one, of other text the beginning.
fn read(kind: &str, text: &str) -> Result<Value, Failure> {
    match kind.split(';').next().unwrap_or_default() {
        "application/json" | "application/json-patch+json" | "application/problem+json" => {
            Ok(serde_json::from_str(text)?)
        }
        "application/x-ndjson" => {
            Ok(serde_json::from_str(text.lines().next().unwrap_or_default())?)
        }
        "text/event-stream" => {
            let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name));
            let data: Value = serde_json::from_str(field("data: ").unwrap_or_default())?;
            Ok(json!({"id": field("id: "), "data": data}))
        }
        "image/svg+xml" => {
            let head: Vec<&str> = text.lines().take(3).collect();
            Ok(json!(head.join("\n") + "\n<!-- and so on -->\n</svg>\n"))
        }
        // The name of the first file in a folder.
        "application/x-tar" => Ok(json!(text.split('\0').find(|name| name.contains("/part-")))),
        "application/vnd.apache.parquet" => Ok(json!(text.get(..4))),
        _ => {
            let lines: Vec<&str> = text.lines().take(2).collect();
            Ok(json!(lines.join("\n") + "\n"))
        }
    }
}

/// Cuts long lists.
pub(crate) fn cut(json: &mut Value) {
    each_object(json, &mut |object| {
        for (name, most) in CUT {
            if let Some(Value::Array(items)) = object.get_mut(*name) {
                items.truncate(*most);
            }
        }
    });
}
