//! A client: one method for each endpoint.

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::http::{Answer, Connection};
use crate::request::Request;
use crate::stream::Stream;

/// Connections that wait for their next request.
pub type Pool = Arc<Mutex<Vec<Connection>>>;

/// Somebody who talks to a server, with a token or without.
#[derive(Clone)]
pub struct Client {
    pub address: SocketAddr,
    pub pool: Pool,
    token: Option<String>,
}

/// A path with a query, which may be empty.
fn with(path: String, query: &str) -> String {
    if query.is_empty() { path } else { format!("{path}?{query}") }
}

impl Client {
    pub fn new(address: SocketAddr, pool: Pool) -> Self {
        Client { address, pool, token: None }
    }

    /// The same with a token.
    pub fn with_token(&self, token: &str) -> Self {
        Client { token: Some(token.to_owned()), ..self.clone() }
    }

    /// Adds who asks.
    pub fn signed(&self, request: Request) -> Request {
        match &self.token {
            Some(token) => request.header("Authorization", &format!("Bearer {token}")),
            None => request,
        }
    }

    /// Sends a request. A connection that was kept alive may have been closed by the server meanwhile: then, and only then, a new one
    /// is tried.
    pub fn try_send(&self, request: Request) -> io::Result<Answer> {
        let request = self.signed(request);
        let kept = self.pool.lock().expect("no test panics here").pop();
        if let Some(mut connection) = kept
            && let Ok(answer) = request.on(&mut connection)
        {
            self.put_back(connection, &answer);
            return Ok(answer);
        }
        let mut connection = Connection::open(self.address)?;
        let answer = request.on(&mut connection)?;
        self.put_back(connection, &answer);
        Ok(answer)
    }

    fn put_back(&self, connection: Connection, answer: &Answer) {
        if answer.header("connection") != Some("close") {
            let mut pool = self.pool.lock().expect("no test panics here");
            pool.push(connection);
        }
    }

    #[track_caller]
    pub fn send(&self, request: Request) -> Answer {
        self.try_send(request).expect("the server answers")
    }

    #[track_caller]
    pub fn get(&self, path: &str) -> Answer {
        self.send(Request::new("GET", path))
    }

    /// The same with a header.
    #[track_caller]
    pub fn get_with(&self, path: &str, header: &str, value: &str) -> Answer {
        self.send(Request::new("GET", path).header(header, value))
    }

    #[track_caller]
    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(Request::new("POST", path).json(body))
    }

    pub fn query(&self, sql: &str) -> Answer {
        self.post("/v1/query", &json!({"sql": sql}))
    }

    /// A figure of the operator's metrics.
    #[track_caller]
    pub fn figure(&self, name: &str) -> u64 {
        let metrics = self.get("/metrics").text();
        let line = metrics.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        let value = line.and_then(|value| value.parse().ok());
        value.unwrap_or_else(|| panic!("{name} is not in {metrics}"))
    }

    /// How often the operator's server has made these derived files anew.
    #[track_caller]
    pub fn rebuilt(&self, projection: &str) -> u64 {
        self.figure(&format!("muninn_projections_rebuilt_total{{projection=\"{projection}\"}}"))
    }

    pub fn games(&self) -> Value {
        self.get("/v1/games").ok()
    }

    pub fn game(&self, game: &str) -> Answer {
        self.get(&format!("/v1/games/{game}"))
    }

    /// The fixtures of a game: each has a name and a position.
    #[track_caller]
    pub fn fixtures(&self, game: &str) -> Vec<Value> {
        self.get(&format!("/v1/games/{game}/fixtures")).items()
    }

    /// The position of the fixture with this name.
    #[track_caller]
    pub fn fixture(&self, game: &str, name: &str) -> Value {
        let mut fixtures = self.fixtures(game).into_iter();
        let fixture = fixtures.find(|fixture| fixture["name"] == name);
        fixture.expect("there is a fixture of this name")["position"].take()
    }

    pub fn start_position(&self, game: &str, body: &Value) -> Answer {
        self.post(&format!("/v1/games/{game}/positions"), body)
    }

    pub fn analyse(&self, game: &str, body: &Value) -> Answer {
        self.post(&format!("/v1/games/{game}/analysis"), body)
    }

    pub fn open(&self, body: &Value) -> Answer {
        self.post("/v1/matches", body)
    }

    pub fn matches(&self, query: &str) -> Answer {
        self.get(&with("/v1/matches".to_owned(), query))
    }

    pub fn info(&self, id: &str) -> Answer {
        self.get(&format!("/v1/matches/{id}"))
    }

    /// The names at the seats.
    #[track_caller]
    pub fn names(&self, id: &str) -> Vec<Value> {
        let info = self.info(id).ok();
        info["seats"].as_array().expect("seats").iter().map(|seat| seat["name"].clone()).collect()
    }

    #[track_caller]
    pub fn status(&self, id: &str) -> Value {
        self.info(id).ok()["status"].take()
    }

    pub fn take_seat(&self, id: &str, seat: usize, body: &Value) -> Answer {
        self.post(&format!("/v1/matches/{id}/seats/{seat}"), body)
    }

    pub fn close(&self, id: &str) -> Answer {
        self.send(Request::new("POST", &format!("/v1/matches/{id}/close")))
    }

    pub fn view(&self, id: &str, query: &str) -> Answer {
        self.get(&with(format!("/v1/matches/{id}/view"), query))
    }

    pub fn legal_commands(&self, id: &str, query: &str) -> Answer {
        self.get(&with(format!("/v1/matches/{id}/legal-commands"), query))
    }

    pub fn command(&self, id: &str, command: &Value) -> Answer {
        let body = json!({"command": command});
        self.post(&format!("/v1/matches/{id}/commands"), &body)
    }

    pub fn dry_run(&self, id: &str, command: &Value) -> Answer {
        let body = json!({"command": command});
        self.post(&format!("/v1/matches/{id}/commands?dry_run=true"), &body)
    }

    pub fn take_back(&self, id: &str) -> Answer {
        self.send(Request::new("POST", &format!("/v1/matches/{id}/take-back")))
    }

    pub fn commits(&self, id: &str, query: &str) -> Answer {
        self.get(&with(format!("/v1/matches/{id}/commits"), query))
    }

    pub fn events(&self, id: &str, query: &str) -> Answer {
        self.get(&with(format!("/v1/matches/{id}/events"), query))
    }

    pub fn stream(&self, id: &str, query: &str, last_event_id: Option<u64>) -> Stream {
        let path = with(format!("/v1/matches/{id}/stream"), query);
        let mut request = Request::new("GET", &path);
        if let Some(last) = last_event_id {
            request = request.header("Last-Event-ID", &last.to_string());
        }
        Stream::open(self.address, &self.signed(request))
    }

    pub fn replay(&self, id: &str, query: &str) -> Answer {
        self.get(&with(format!("/v1/matches/{id}/replay"), query))
    }

    pub fn position(&self, id: &str, query: &str) -> Answer {
        self.get(&with(format!("/v1/matches/{id}/position"), query))
    }

    pub fn branch(&self, id: &str, body: &Value) -> Answer {
        self.post(&format!("/v1/matches/{id}/branches"), body)
    }

    pub fn feed(&self, query: &str) -> Answer {
        self.get(&with("/v1/events".to_owned(), query))
    }

    pub fn feed_lines(&self, query: &str) -> Answer {
        self.get(&with("/v1/events.ndjson".to_owned(), query))
    }
}
