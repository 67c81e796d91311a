//! A real server on a free port, and a client that writes down what is answered.

use std::net::Ipv4Addr;
use std::sync::mpsc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use actix_web::rt;
use serde_json::{Map, Value, json};
use server::Stop;
use tempfile::TempDir;
use ureq::http::Request;

use crate::config::{LimitArgs, OnOff, ServeArgs, SqlArgs};
use crate::games::{Games, Pictures};
use crate::log::LogFormat;
use crate::serve::Muninn;

/// What can go wrong while recording: the server does not start, or answers otherwise than the story expects.
pub(crate) type Wrong = Box<dyn std::error::Error + Send + Sync>;

/// The headers that are recorded.
const HEADERS: &[&str] = &["content-type", "content-language", "link", "location", "retry-after"];

/// Seconds that a recorded answer asks to wait, so that the kit is quick.
const WAIT: &str = "1";
/// And where it is tried whether a client waits: longer than it takes on a busy machine to ask once more.
const LONG_WAIT: &str = "3";

/// A request.
#[derive(Clone, Debug)]
pub(crate) struct Ask {
    method: &'static str,
    pub(crate) path: String,
    token: Option<String>,
    key: Option<String>,
    body: Option<Value>,
}

pub(crate) fn get(path: impl Into<String>) -> Ask {
    Ask { method: "GET", path: path.into(), token: None, key: None, body: None }
}

pub(crate) fn post(path: impl Into<String>, body: &Value) -> Ask {
    Ask { method: "POST", body: Some(body.clone()), ..get(path) }
}

impl Ask {
    /// With the token of a seat; null is a spectator.
    pub(crate) fn token(self, token: &Value) -> Self {
        Ask { token: token.as_str().map(str::to_owned), ..self }
    }

    pub(crate) fn key(self, key: &str) -> Self {
        Ask { key: Some(key.to_owned()), ..self }
    }
}

/// An answer.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    headers: Map<String, Value>,
    pub(crate) text: String,
}

impl Answer {
    /// The body.
    pub(crate) fn json(&self) -> Result<Value, Wrong> {
        Ok(serde_json::from_str(&self.text)?)
    }

    /// The same, where it is tried whether a client waits.
    pub(crate) fn with_long_wait(mut self) -> Self {
        self.headers.insert("retry-after".to_owned(), json!(LONG_WAIT));
        self
    }

    /// As the kit has it: the body is JSON where it is, otherwise text.
    pub(crate) fn recorded(&self) -> Value {
        let Answer { status, headers, text } = self;
        let mut recorded = json!({"status": status, "headers": headers});
        match serde_json::from_str::<Value>(text) {
            Ok(body) => recorded["json"] = body,
            Err(_) => recorded["text"] = json!(text),
        }
        recorded
    }
}

/// A running server with a store of its own.
pub(crate) struct House {
    base: String,
    agent: ureq::Agent,
    stop: Stop,
    thread: JoinHandle<Result<(), Wrong>>,
    _folder: TempDir,
}

impl House {
    /// Starts it with these limits.
    pub(crate) fn start(
        games: Games,
        pictures: Pictures,
        limits: LimitArgs,
    ) -> Result<Self, Wrong> {
        let folder = tempfile::tempdir()?;
        let args = ServeArgs {
            config: None,
            words: None,
            listen: (Ipv4Addr::LOCALHOST, 0).into(),
            operator_listen: Vec::new(),
            data: folder.path().to_owned(),
            store: None,
            log: String::new(),
            log_format: LogFormat::Human,
            #[cfg(feature = "otel")]
            otlp: None,
            workers: 1,
            matches_mib: 32,
            cache_mib: 8,
            heartbeat: Duration::from_secs(15),
            bot_pause: Duration::from_millis(500),
            demo: false,
            wait_for_projections: false,
            limits,
            pages: OnOff::Off,
            sql: SqlArgs {
                query: OnOff::Off,
                query_seconds: 1,
                query_rows: 1,
                query_mib: 16,
                query_program: None,
            },
        };
        let (sender, receiver) = mpsc::channel();
        let thread = thread::spawn(move || {
            rt::System::new().block_on(async {
                let muninn = Muninn::build(&args, games, pictures)?;
                sender.send((muninn.address, muninn.stop()))?;
                Ok(muninn.run().await?)
            })
        });
        let Ok((address, stop)) = receiver.recv() else {
            thread.join().map_err(|_| "the server panicked")??;
            return Err("the server did not start".into());
        };
        let config = ureq::Agent::config_builder().http_status_as_error(false);
        let base = format!("http://{address}");
        Ok(House { base, agent: config.build().into(), stop, thread, _folder: folder })
    }

    /// Stops it.
    pub(crate) fn finish(self) -> Result<(), Wrong> {
        let House { base: _, agent, stop, thread, _folder } = self;
        // The server waits for connections that are open.
        drop(agent);
        rt::System::new().block_on(stop.gracefully());
        thread.join().map_err(|_| "the server panicked")?
    }

    /// Asks, and expects a status.
    pub(crate) fn ask(&self, ask: &Ask, status: u16) -> Result<Answer, Wrong> {
        let answer = self.answer(ask)?;
        if answer.status == status {
            Ok(answer)
        } else {
            Err(format!("{ask:?} was answered {}, not {status}: {}", answer.status, answer.text)
                .into())
        }
    }

    /// Asks the same again until it is answered with this status.
    pub(crate) fn ask_until(&self, ask: &Ask, status: u16) -> Result<Answer, Wrong> {
        for _ in 0..1000 {
            let answer = self.answer(ask)?;
            if answer.status == status {
                return Ok(answer);
            }
        }
        Err(format!("{ask:?} is never answered {status}").into())
    }

    /// Asks, and takes what comes.
    pub(crate) fn answer(&self, ask: &Ask) -> Result<Answer, Wrong> {
        let mut request =
            Request::builder().method(ask.method).uri(format!("{}{}", self.base, ask.path));
        if let Some(token) = &ask.token {
            request = request.header("Authorization", format!("Bearer {token}"));
        }
        if let Some(key) = &ask.key {
            request = request.header("Idempotency-Key", key);
        }
        let mut response = match &ask.body {
            None => self.agent.run(request.body(())?)?,
            Some(body) => {
                let request = request.header("Content-Type", "application/json");
                self.agent.run(request.body(body.to_string())?)?
            }
        };
        let mut headers = Map::new();
        for name in HEADERS {
            let value = response.headers().get(*name).and_then(|value| value.to_str().ok());
            if let Some(value) = value {
                let value = if *name == "retry-after" { WAIT } else { value };
                headers.insert((*name).to_owned(), json!(value));
            }
        }
        let status = response.status().as_u16();
        let text = response.body_mut().with_config().limit(64 << 20).read_to_string()?;
        Ok(Answer { status, headers, text })
    }
}
