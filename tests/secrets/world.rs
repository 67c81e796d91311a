//! A server with one match in it, somebody who asks, and all that was answered.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};

use kernel::{AnyGame, Seat, Viewer};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};
use store::{Config, Store, StreamId};

use crate::hidden;
use crate::questions::{METRICS, Question, Scene};
use crate::traces::{Secrets, Traces};
use acceptance::process::Process;
use acceptance::proof::{bytes_of, hex, sha256};
use acceptance::server::{Games, Server};
use acceptance::stream::Stream;
use acceptance::{Answer, Client, Request, Table, until};

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Asker {
    Seat(usize),
    Owner,
    Stranger,
}

impl Asker {
    pub(crate) fn viewer(self) -> Viewer {
        match self {
            Asker::Seat(seat) => Viewer::Seat(Seat(u8::try_from(seat).expect("few seats"))),
            Asker::Owner | Asker::Stranger => Viewer::Spectator,
        }
    }
}

/// How servers are run.
pub(crate) enum House {
    /// The program, with everything logged.
    Program,
    /// In this process, with games of one's own.
    Here(Games),
}

enum Host {
    Program(Process),
    Here(Server),
}

pub(crate) struct World {
    host: Host,
    folder: tempfile::TempDir,
    table: Table,
    asker: Asker,
    take_back: bool,
    stream: Stream,
    traces: Traces,
}

/// What is left of a world: the truth.
pub(crate) struct Truth {
    /// The complete position after each commit.
    pub(crate) positions: Vec<Value>,
    /// What should not have been said.
    pub(crate) found: Vec<String>,
}

fn log_of(folder: &Path) -> PathBuf {
    folder.join("log")
}

impl World {
    /// Starts a server, and opens a match from a position, in which commands can be taken back or not. Worlds of different numbers log in
    /// different formats.
    pub(crate) fn open(
        house: &House,
        number: usize,
        game: &str,
        position: &Value,
        asker: Asker,
        take_back: bool,
    ) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let data = folder.path().join("data");
        let host = match house {
            House::Program => {
                let format = ["human", "json"][number % 2];
                Host::Program(Process::serve_logging(&data, &log_of(folder.path()), format))
            }
            House::Here(games) => Host::Here(Server::asked(&data, games)),
        };
        let client = match &host {
            Host::Program(process) => process.client(),
            Host::Here(server) => server.client(),
        };
        let seats = seats_of(position);
        // Strangers see nothing of a private match.
        let private = asker != Asker::Stranger && seats.is_multiple_of(2);
        let body = json!({
            "game": game, "position": position, "seats": vec![json!({"name": "Frigg"}); seats],
            "visibility": if private { "private" } else { "public" }, "take_back": take_back,
        });
        let table = Table::open(&client, &body);
        // With something in the feed: until then the answer depends on the machine.
        until("SQL", || client.query("SELECT 1").status == 200);
        let stream = asking(&table, asker).stream(&table.id, "", None);
        World { host, folder, table, asker, take_back, stream, traces: Traces::default() }
    }

    pub(crate) fn client(&self) -> Client {
        asking(&self.table, self.asker)
    }

    fn operator(&self) -> Client {
        match &self.host {
            Host::Program(process) => process.operator(),
            Host::Here(server) => server.operator(),
        }
    }

    pub(crate) fn scene(&self, game: &str, commands: Vec<Value>, halves: Vec<Value>) -> Scene {
        Scene {
            id: self.table.id.clone(),
            game: game.to_owned(),
            seats: self.table.seat_tokens.len(),
            version: self.version(),
            owner: self.asker == Asker::Owner,
            take_back: self.take_back,
            commands,
            halves,
        }
    }

    pub(crate) fn version(&self) -> u64 {
        self.table.version()
    }

    pub(crate) fn active(&self) -> Option<usize> {
        self.table.active()
    }

    pub(crate) fn legal(&self) -> Vec<Value> {
        self.table.legal()
    }

    /// The spots of the picture that the active seat may choose.
    pub(crate) fn spots(&self) -> BTreeSet<String> {
        let seat = self.table.seat(self.active().expect("it runs"));
        let spots = seat.legal_commands(&self.table.id, "include=spots").ok()["spots"].take();
        let spots: Vec<Vec<String>> = serde_json::from_value(spots).expect("lists of texts");
        spots.into_iter().flatten().collect()
    }

    /// Asks; what depends on nothing but time, ids and hashes is left out.
    pub(crate) fn ask(&mut self, question: &Question) -> String {
        let request = question.request.clone().header("X-Request-Id", "asked");
        let mut said = String::new();
        if question.stream {
            let address = self.table.spectator().address;
            let mut stream = Stream::open(address, &self.client().signed(request.clone()));
            if stream.answer.status == 200 {
                let version = self.version();
                said += &head(&stream.answer);
                loop {
                    let message = stream.next().expect("the match goes on");
                    said += &format!("{} {}\n", message.id, message.data);
                    if message.id >= version {
                        break;
                    }
                }
            }
        }
        if said.is_empty() {
            let operator = question.name == METRICS;
            let client = if operator { self.operator() } else { self.client() };
            let answer = client.send(request);
            said = head(&answer) + &String::from_utf8_lossy(&answer.body);
            self.traces.note(&question.name, &answer.body);
        }
        self.traces.note(&question.name, said.as_bytes());
        if question.name == METRICS {
            // What is counted, not how often; and whether SQL was answered at once depends on the machine.
            let too_early = |line: &str| {
                line.contains("/v1/query") && line.contains("status=\"503\"")
                    || line.starts_with("muninn_http_problems_total{code=\"unavailable\"}")
            };
            let series = said
                .lines()
                .filter(|line| !too_early(line))
                .map(|line| line.rsplit_once(' ').unwrap_or((line, "")).0);
            said = series.collect::<Vec<_>>().join("\n");
        }
        if ["Stats", "Player", "runQuery"].iter().any(|name| question.name.contains(name)) {
            // They are counted behind the answers: how far they got depends on the machine.
            let numbers = ["\"position\":", "\"feed_end\":", "\"took_ms\":", "feed-position: "];
            for number in numbers.into_iter().chain(["feed-end: ", "content-length: "]) {
                said = without_number(&said, number);
            }
            for answer in ["\"complete\":", "complete: "] {
                said = said.replace(&format!("{answer}true"), &format!("{answer}false"));
            }
        }
        plain(&said, &self.table.id)
    }

    /// The active seat acts; what it is told, and what the one who asks hears of it.
    pub(crate) fn act(&mut self, command: &Value) -> (Option<String>, String) {
        let seat = self.active().expect("it runs");
        let path = format!("/v1/matches/{}/commands?include=events,spots,labels", self.table.id);
        let answer = self.table.seat(seat).post(&path, &json!({"command": command}));
        assert_eq!(answer.status, 201, "{}", answer.text());
        let told = (self.asker == Asker::Seat(seat)).then(|| {
            self.traces.note("the answer to a command", &answer.body);
            plain(&answer.text(), &self.table.id)
        });
        (told, self.hear())
    }

    /// The seat that has just acted takes that back; what it is told, if it is the one who asks, and what that one hears, if it was done.
    pub(crate) fn take_back(&mut self, seat: usize) -> (Option<String>, Option<String>) {
        let path = format!("/v1/matches/{}/take-back", self.table.id);
        let request = Request::new("POST", &path).header("X-Request-Id", "asked");
        let answer = self.table.seat(seat).send(request);
        let told = (self.asker == Asker::Seat(seat)).then(|| {
            self.traces.note("the answer to a take-back", &answer.body);
            format!("{} {}", answer.status, plain(&answer.text(), &self.table.id))
        });
        (told, (answer.status == 201).then(|| self.hear()))
    }

    /// The next message of the stream.
    pub(crate) fn hear(&mut self) -> String {
        let message = self.stream.next().expect("the match goes on");
        let text = format!("{} {}", message.id, message.data);
        self.traces.note("the stream", text.as_bytes());
        plain(&text, &self.table.id)
    }

    /// Stops the server and opens its store.
    pub(crate) fn end(self, game: &'static dyn AnyGame) -> Truth {
        let World { host, folder, table, asker: _, take_back: _, stream, mut traces } = self;
        drop(stream);
        let is_program = matches!(host, Host::Program(_));
        match host {
            Host::Program(process) => process.stop(),
            Host::Here(server) => server.stop(),
        }
        let (seed, positions) = history(&folder.path().join("data"), &table.id, game);
        let mut secrets = Secrets::default();
        secrets.add_seed(&seed, positions.len() as u64);
        let tokens = table.seat_tokens.iter().flatten().enumerate();
        for (seat, token) in tokens {
            secrets.add_token(&format!("seat {seat}"), &bytes_of(&json!(token)));
        }
        secrets.add_token("the owner", &bytes_of(&json!(table.owner_token)));
        let mut found = Vec::new();
        if is_program {
            let log = std::fs::read_to_string(log_of(folder.path())).expect("a log");
            assert!(log.lines().count() > 20 && log.contains("request"), "{log}");
            traces.note("the log", log.as_bytes());
            let words = positions.iter().flat_map(|at| hidden::words(game.info().id, at));
            let words: BTreeSet<String> = words.collect();
            let lines = log.lines().filter(|line| hidden::names(line, &words));
            found.extend(lines.map(|line| format!("what is hidden is named in the log: {line}")));
        }
        found.extend(traces.find(&secrets));
        Truth { positions, found }
    }
}

fn asking(table: &Table, asker: Asker) -> Client {
    match asker {
        Asker::Seat(seat) => table.seat(seat),
        Asker::Owner => table.owner(),
        Asker::Stranger => table.spectator().clone(),
    }
}

/// How many seats a position has: by convention of each game a number, or a list by seat.
pub(crate) fn seats_of(position: &Value) -> usize {
    let lists = ["players", "hands", "lucky"].map(|name| &position[name]);
    let list = lists.into_iter().find_map(Value::as_array);
    list.expect("a position has a list by seat").len()
}

/// Status and headers. The server's library lists names in another order each time it is started.
fn head(answer: &Answer) -> String {
    let mut headers = Vec::new();
    let tag = answer.header("etag").and_then(|tag| tag.trim_matches('"').split_once('.'));
    if let Some((_, tag)) = tag.filter(|(_, tag)| tag.len() == 16 && !answer.body.is_empty()) {
        // Its digits may differ where ids and hashes do, since it tells no more than the answer itself.
        assert_eq!(tag, &hex(&sha256(&[&answer.body]))[..16], "the tag is the hash of the answer");
    }
    for (name, value) in &answer.headers {
        let mut parts: Vec<&str> = value.split(", ").collect();
        parts.sort_unstable();
        if name != "date" {
            headers.push(format!("{name}: {}\n", parts.join(", ")));
        }
    }
    headers.sort();
    format!("{}\n{}\n", answer.status, headers.concat())
}

/// The text without the number behind a key.
fn without_number(text: &str, key: &str) -> String {
    let mut parts = text.split(key);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        text + key + part.trim_start_matches(|c: char| c.is_ascii_digit())
    })
}

/// The text without ids, times and hashes: they differ from match to match.
fn plain(text: &str, id: &str) -> String {
    let text = text.replace(id, "<match>");
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find(|c: char| c.is_ascii_hexdigit()) {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | ':' | '.')))
            .unwrap_or(rest.len());
        let word = &rest[..end];
        // A tag of 16 digits is that of an answer with an id in it; the version may stand before it.
        let (version, digits) = word.rsplit_once('.').unwrap_or(("", word));
        let hash =
            matches!(digits.len(), 16 | 64) && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let time = word.len() == 24 && word.ends_with('Z') && &word[10..11] == "T";
        match (hash, time) {
            (true, _) => plain.extend([version, "<hash>"]),
            (false, true) => plain.push_str("<time>"),
            (false, false) => plain.push_str(word),
        }
        rest = &rest[end..];
    }
    plain + rest
}

/// The seed of a match, and its complete position after each commit, from a closed store.
fn history(folder: &Path, id: &str, game: &'static dyn AnyGame) -> ([u8; 32], Vec<Value>) {
    // The server may still be letting go of it.
    let lock = File::open(folder.join("FORMAT")).expect("it is there");
    lock.lock().expect("a file can be locked");
    drop(lock);
    let store = Store::open(folder, Config::default()).expect("it opens");
    let id: uuid::Uuid = id.parse().expect("an id");
    let stream = StreamId(*id.as_bytes());
    let header = store.header(stream).expect("readable").expect("a header");
    let header: Value = serde_json::from_slice(&header).expect("a header is JSON");
    let commits = store.commits(stream, 0, 1000).expect("readable");
    // Format, flags, three hashes, then the text.
    let bodies = commits.iter().map(|commit| &commit.bytes[98..]);
    let mut positions: Vec<Value> = Vec::new();
    let mut state = None;
    for body in bodies {
        let body: Value = serde_json::from_slice(body).expect("a commit is JSON");
        for event in body["events"].as_array().expect("events") {
            match &mut state {
                None => {
                    state = Some(
                        game.load(&raw(&event["position"]), game.info().newest())
                            .expect("it was loaded before"),
                    )
                }
                // It changes no position; all seats are taken at the opening.
                Some(_) if event["type"] == "TableOpened" => {}
                // What stood before the latest commit stands again.
                Some(state) if event["type"] == "CommandTakenBack" => {
                    let before = raw(&positions[positions.len() - 2]);
                    let restored = game.restore(&before, Some(game.info().newest()));
                    *state = restored.expect("it was reached before");
                }
                Some(state) => state.apply(&raw(event)).expect("it was applied before"),
            }
        }
        let position = state.as_ref().expect("a commit has events").position();
        positions.push(serde_json::from_str(position.get()).expect("a position is JSON"));
    }
    (bytes_of(&header["seed"]), positions)
}

pub(crate) fn raw(value: &Value) -> Box<RawValue> {
    to_raw_value(value).expect("a value has JSON")
}
