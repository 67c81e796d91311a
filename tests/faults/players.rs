//! Clients that play until the server is gone, and remember what it promised.

use std::io;
use std::sync::mpsc::Sender;

use serde_json::{Value, json};

use acceptance::process::Process;
use acceptance::{Answer, Client, Connection, Dice, Request, Table};

/// A client, and everything that was acknowledged to it.
pub(crate) struct Player {
    name: usize,
    dice: Dice,
    requests: usize,
    table: Option<Table>,
    /// By match: the table and the acknowledged commits.
    acknowledged: Vec<(Table, Vec<Promise>)>,
    /// How many of these matches were checked, and are not played any more.
    settled: usize,
    /// Every write that was answered.
    answered: Vec<Answered>,
    /// A write whose answer never came.
    unanswered: Option<Request>,
}

/// A write, the answer, and the commit that it made.
pub(crate) struct Answered {
    /// What the server was asked to call the request.
    pub(crate) id: String,
    request: Request,
    answer: Value,
    pub(crate) table: String,
    pub(crate) commit: u64,
}

impl Answered {
    /// Asked again, the same answer is given; also to what was not stored before, and is stored now.
    #[track_caller]
    pub(crate) fn again(&self, client: &Client, was_stored: bool, what: &str) {
        let again = client.send(self.request.clone()).created();
        if was_stored {
            assert_eq!(again, self.answer, "{what}: {} is answered otherwise", self.id);
        } else {
            assert_eq!(client.send(self.request.clone()).created(), again, "{what}: {}", self.id);
        }
    }
}

/// The number of a commit, and its last version where the answer told it.
type Promise = (u64, Option<u64>);

/// What is played: games that hide nothing, much, and the most.
const GAMES: [(&str, usize); 3] = [("rosenkoenig", 2), ("voluspa", 3), ("copenhagen", 2)];

impl Player {
    pub(crate) fn new(name: usize) -> Self {
        Player {
            name,
            dice: Dice::new(1000 + name as u64),
            requests: 0,
            table: None,
            acknowledged: Vec::new(),
            settled: 0,
            answered: Vec::new(),
            unanswered: None,
        }
    }

    /// Plays one match after the other until the server does not answer any more; tells of each promise.
    pub(crate) fn play(&mut self, server: &Process, promised: &Sender<()>) {
        let error = self.play_on(server, promised);
        let error = error.expect_err("it goes on until the server is gone");
        assert_ne!(error.kind(), io::ErrorKind::TimedOut, "{error}");
    }

    fn play_on(&mut self, server: &Process, promised: &Sender<()>) -> io::Result<()> {
        let mut connection = Connection::open(server.address)?;
        // What was answered before is answered so again, and nothing happens twice.
        if let Some(Answered { request, answer, .. }) = self.answered.last() {
            assert_eq!(told(request.on(&mut connection)?)?.created(), *answer);
        }
        // Whether it was stored or not: the same key with the same body is safe.
        if let Some(request) = self.unanswered.clone() {
            self.write(server, &mut connection, request)?;
        }
        loop {
            let request = match &self.table {
                None => {
                    let (game, seats) = GAMES[self.name % GAMES.len()];
                    let body = json!({"game": game, "seats": vec![json!({}); seats]});
                    Request::new("POST", "/v1/matches").json(&body)
                }
                Some(table) => {
                    let table = table.clone();
                    let Some(request) = self.command(&table, &mut connection)? else {
                        self.table = None;
                        continue;
                    };
                    request
                }
            };
            self.requests += 1;
            let key = format!("player {} at request {:04}", self.name, self.requests);
            let request =
                request.header("Idempotency-Key", &key).header("X-Request-Id", &self.id());
            self.write(server, &mut connection, request)?;
            // The test may have heard enough.
            promised.send(()).unwrap_or_default();
        }
    }

    /// What the latest request is called.
    fn id(&self) -> String {
        format!("player-{}-{}", self.name, self.requests)
    }

    /// The next command of the match, or nothing when it is finished.
    fn command(
        &mut self,
        table: &Table,
        connection: &mut Connection,
    ) -> io::Result<Option<Request>> {
        let path = format!("/v1/matches/{}", table.id);
        let info = told(Request::new("GET", &path).on(connection)?)?.ok();
        let Some(seat) = info["active_seat"].as_u64() else {
            return Ok(None);
        };
        let seat = table.seat(usize::try_from(seat).expect("a seat"));
        let legal = Request::new("GET", &format!("{path}/legal-commands"));
        let legal = told(seat.signed(legal).on(connection)?)?.items();
        let command = &legal[self.dice.below(legal.len())];
        let body = json!({"command": command, "expected_version": info["version"]});
        let request = Request::new("POST", &format!("{path}/commands")).json(&body);
        Ok(Some(seat.signed(request)))
    }

    fn write(
        &mut self,
        server: &Process,
        connection: &mut Connection,
        request: Request,
    ) -> io::Result<()> {
        self.unanswered = Some(request.clone());
        let created = told(request.on(connection)?)?.created();
        self.unanswered = None;
        if created.get("seat_tokens").is_some() {
            let table = Table::read(&server.client(), &created);
            self.acknowledged.push((table.clone(), vec![(1, None)]));
            self.table = Some(table);
        } else {
            let number = |name: &str| created[name].as_u64().expect("a number");
            let (_, commits) = self.acknowledged.last_mut().expect("an open match");
            commits.push((number("commit"), Some(number("version"))));
        }
        let (table, commits) = self.acknowledged.last().expect("it was just played");
        let (table, commit) = (table.id.clone(), commits.last().expect("as above").0);
        self.answered.push(Answered { id: self.id(), request, answer: created, table, commit });
        Ok(())
    }

    /// All writes that were answered, the first one first.
    pub(crate) fn answered(&self) -> &[Answered] {
        &self.answered
    }

    /// The match that is being played, if any.
    pub(crate) fn table(&self) -> Option<&Table> {
        self.table.as_ref()
    }

    /// Asserts that everything that was promised since the last time is there, whole and in its chain, and at most one commit more.
    pub(crate) fn check(&mut self, server: &Process) {
        self.check_from(server, self.settled);
        self.settled = self.acknowledged.len().saturating_sub(1);
    }

    /// The same of everything that was ever promised.
    pub(crate) fn check_all(&self, server: &Process) {
        self.check_from(server, 0);
    }

    fn check_from(&self, server: &Process, first: usize) {
        let client = server.client();
        let pending = usize::from(self.unanswered.is_some());
        for (table, promised) in &self.acknowledged[first..] {
            let commits = client.public_commits(&table.id);
            let head = acceptance::proof::check_public(&commits);
            let info = client.info(&table.id).ok();
            assert_eq!(info["head_hash"], acceptance::proof::hex(&head));
            assert!(commits.len() - promised.len() <= pending, "only what was sent");
            for ((number, version), commit) in promised.iter().zip(&commits) {
                assert_eq!(commit["commit"], *number);
                if let Some(version) = version {
                    assert_eq!(commit["last_version"], *version);
                }
            }
            let events: Vec<Value> =
                Table::pages(1000, |query| client.events(&table.id, query).ok());
            assert_eq!(info["version"], events.len());
            let last = commits.last().expect("a match has commits");
            assert_eq!(info["version"], last["last_version"]);
        }
    }
}

/// The answer of a server that goes on; an error when it says that it cannot.
fn told(answer: Answer) -> io::Result<Answer> {
    match answer.status {
        503 => Err(io::Error::other("the server stops, or its disk failed")),
        _ => Ok(answer),
    }
}
