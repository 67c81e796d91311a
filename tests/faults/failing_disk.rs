//! A disk that fails in the middle: what is answered is true. What was refused is not there, what was promised is, and of what nobody
//! can know the server says so. Then the same key tells, after a restart, exactly.

use std::fs::{self, File};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::follower::Follower;
use crate::full_disk::cut_off;
use acceptance::preload::library;
use acceptance::process::{Process, verify};
use acceptance::rewritten::{Part, TEXT_AT, rewrite};
use acceptance::{Answer, Client, Dice, Request, Table};

const WRITERS: usize = 24;
/// Longer than any round takes: a writer to whom nothing fails would play for ever.
const PATIENCE: Duration = Duration::from_secs(60);

/// What happened to a command, as its client knows it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fate {
    /// 201.
    Stored,
    /// `unavailable`: nothing was stored.
    Refused,
    /// `outcome_unknown`.
    Unknown,
}

fn fate(answer: &Answer) -> Fate {
    match (answer.status, answer.json()["code"].as_str()) {
        (201, _) => Fate::Stored,
        (503, Some("unavailable")) => Fate::Refused,
        (503, Some("outcome_unknown")) => Fate::Unknown,
        (status, code) => panic!("{status} {code:?}: {}", answer.text()),
    }
}

/// Somebody who plays both seats of one match after the other until a write fails.
struct Writer {
    name: String,
    dice: Dice,
    /// By match: the table, and how many commits were promised.
    promised: Vec<(Table, usize)>,
    /// The write that failed, and how.
    failed: Option<(Request, Fate)>,
}

impl Writer {
    fn new(name: String, seed: u64) -> Self {
        Writer { name, dice: Dice::new(seed), promised: Vec::new(), failed: None }
    }

    fn play(&mut self, client: &Client) {
        let start = Instant::now();
        for number in 0.. {
            assert!(start.elapsed() < PATIENCE, "nothing ever fails");
            let request = match self.promised.last() {
                Some((table, _)) => match self.command(client, &table.clone()) {
                    Ok(Some(request)) => request,
                    Ok(None) => opening(),
                    Err(()) => return,
                },
                None => opening(),
            };
            let request =
                request.header("Idempotency-Key", &format!("{:_>16} {number:04}", self.name));
            let answer = client.send(request.clone());
            if fate(&answer) != Fate::Stored {
                self.again(client, &request, &answer);
                return;
            }
            self.remember(client, &answer.created());
        }
    }

    /// What is asked again of the same process is answered truly too: never that nothing was stored, where that is not known.
    fn again(&mut self, client: &Client, request: &Request, first: &Answer) {
        // A store that failed may not be able to read what it has under a key, now or later: then it says that it does not know. Whatever else
        // it says, once it has said that nothing was stored, nothing must be there after the restart.
        let mut fates = vec![fate(first)];
        fates.extend((0..3).map(|_| fate(&client.send(request.clone()))));
        assert!(!fates.contains(&Fate::Stored), "{}: {fates:?} of a store that failed", self.name);
        let is_certain = fates.contains(&Fate::Refused);
        let fate = if is_certain { Fate::Refused } else { Fate::Unknown };
        self.failed = Some((request.clone(), fate));
    }

    /// The next command, nothing when the match is over, an error when it cannot be read any more: then that is said in words.
    fn command(&mut self, client: &Client, table: &Table) -> Result<Option<Request>, ()> {
        let read = |client: &Client, path: &str| {
            let answer = client.get(path);
            if answer.status == 200 {
                return Ok(answer.json());
            }
            answer.problem(503, "unavailable");
            Err(())
        };
        let path = format!("/v1/matches/{}", table.id);
        let info = read(client, &path)?;
        let Some(seat) = info["active_seat"].as_u64() else {
            return Ok(None);
        };
        let seat = table.seat(usize::try_from(seat).expect("a seat"));
        let legal = read(&seat, &format!("{path}/legal-commands"))?;
        let legal = legal["items"].as_array().expect("a list");
        let command = &legal[self.dice.below(legal.len())];
        let body = json!({"command": command, "expected_version": info["version"]});
        let request = Request::new("POST", &format!("{path}/commands")).json(&body);
        Ok(Some(seat.signed(request)))
    }

    fn remember(&mut self, client: &Client, created: &Value) {
        if created.get("seat_tokens").is_some() {
            self.promised.push((Table::read(client, created), 1));
        } else {
            let (_, commits) = self.promised.last_mut().expect("an open match");
            *commits += 1;
        }
    }

    /// Asserts that a server shows what was promised, and more only where the outcome is unknown.
    fn check(&self, client: &Client, what: &str) {
        let open = usize::from(matches!(self.failed, Some((_, Fate::Unknown))));
        let latest = self.promised.len();
        for ((table, promised), number) in self.promised.iter().zip(1..) {
            let found = commits(client, &table.id);
            let more = if number == latest { open } else { 0 };
            assert!(
                (*promised..=promised + more).contains(&found),
                "{what}, {}: {found} commits where {promised} were promised, {:?}",
                self.name,
                self.failed
            );
        }
    }

    /// Asks again with the same key: now it is stored, once, whether it was before or not.
    fn settle(&mut self, client: &Client) {
        let Some((request, _)) = self.failed.take() else { return };
        let created = client.send(request.clone()).created();
        assert_eq!(client.send(request).created(), created, "{}", self.name);
        self.remember(client, &created);
    }
}

fn opening() -> Request {
    let body = json!({"game": "rosenkoenig", "seats": [{}, {}]});
    Request::new("POST", "/v1/matches").json(&body)
}

fn commits(client: &Client, id: &str) -> usize {
    Table::pages(1000, |query| client.commits(id, query).ok()).len()
}

/// The disk under one round.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fault {
    /// The end of the file's path.
    pub(crate) file: &'static str,
    pub(crate) call: &'static str,
    pub(crate) skip: usize,
    pub(crate) times: usize,
}

/// What fails while commands are written.
const FAILING: [(&str, &str); 5] = [
    ("/log/db", "fdatasync"),
    ("/log/db", "pwrite"),
    ("/log/db", "half"),
    ("/log/db", "full"),
    ("/HEAD", "write"),
];

impl Fault {
    fn drawn((file, call): (&'static str, &'static str), dice: &mut Dice) -> Self {
        // For good, or so short that only one call meets it.
        let times = [1, 1_000_000][dice.below(2)];
        Fault { file, call, skip: dice.below(60), times }
    }

    /// Serves the store in `folder/data`; the disk fails once there is a file `folder/armed`.
    pub(crate) fn serve(self, folder: &Path, library: &Path) -> Process {
        Process::spawn(&mut self.command(folder, library))
    }

    pub(crate) fn command(self, folder: &Path, library: &Path) -> Command {
        let mut serve = Process::command(&folder.join("data"));
        serve.args(["--log", "off", "--cache-mib", "1"]);
        serve.env("LD_PRELOAD", library).env("FAULT_ARMED", folder.join("armed"));
        serve.env("FAULT_FILE", self.file).env("FAULT_CALL", self.call);
        serve.env("FAULT_SKIP", self.skip.to_string());
        serve.env("FAULT_TIMES", self.times.to_string());
        serve
    }
}

/// One round; returns how many writes were refused, and of how many the outcome was unknown.
fn round(folder: &Path, library: &Path, fault: Fault, writers: &mut [Writer]) -> (usize, usize) {
    let what = format!("{fault:?}");
    let server = fault.serve(folder, library);
    let (client, mut follower) = (server.client(), Follower::default());
    let shown = follower.count();
    follower.follow_during(&client, || {
        thread::scope(|scope| {
            for writer in &mut *writers {
                let client = server.client();
                scope.spawn(move || writer.play(&client));
            }
            thread::sleep(Duration::from_millis(300));
            // Where the machine is busy, who follows may not have come so far.
            let start = Instant::now();
            while shown.load(Ordering::Acquire) == 0 && start.elapsed() < PATIENCE / 2 {
                thread::sleep(Duration::from_millis(5));
            }
            File::create(folder.join("armed")).expect("it can be made");
        });
    });
    assert!(follower.shown() > 0, "{what}: nobody followed the feed");
    client.get("/readyz").problem(503, "unavailable");
    // What is shown meanwhile is what was promised, no more.
    for writer in &*writers {
        for (table, promised) in &writer.promised {
            let answer = client.commits(&table.id, "limit=1000");
            if answer.status == 200 {
                let shown = answer.json()["items"].as_array().map(Vec::len);
                assert_eq!(shown, Some(*promised), "{what}, {}", writer.name);
            } else {
                answer.problem(503, "unavailable");
            }
        }
    }
    server.stop();
    fs::remove_file(folder.join("armed")).expect("it was made");
    let server = Process::serve(&folder.join("data"), &[]);
    writers.iter().for_each(|writer| writer.check(&server.client(), &what));
    follower.check(&server);
    let count = |fate| {
        let failed = writers.iter().filter_map(|writer| writer.failed.as_ref());
        failed.filter(|(_, found)| *found == fate).count()
    };
    let counts = (count(Fate::Refused), count(Fate::Unknown));
    writers.iter_mut().for_each(|writer| writer.settle(&server.client()));
    writers.iter().for_each(|writer| writer.check(&server.client(), &what));
    server.stop();
    let (code, text) = verify(&folder.join("data"));
    assert_eq!(code, Some(0), "{what}: {text}");
    counts
}

#[test]
fn what_is_answered_while_the_disk_fails_is_true() {
    let (rounds, seed) = crate::rounds(2);
    let tools = tempfile::tempdir().expect("a folder");
    let Some(library) = library(tools.path(), "faults/faults.c") else { return };
    let mut dice = Dice::new(seed);
    let (mut refused, mut unknown) = (0, 0);
    for number in 0..rounds {
        for (file, call) in FAILING {
            let named = crate::Round(format!("round {number}, seed {seed}, {call} of {file}"));
            let folder = tempfile::tempdir().expect("a folder");
            let writer = |n| {
                let name = format!("{call} of {file} {number}.{n}");
                Writer::new(name, seed * 10_000 + (number * 100 + n) as u64)
            };
            let mut writers: Vec<Writer> = (0..WRITERS).map(writer).collect();
            let fault = Fault::drawn((file, call), &mut dice);
            let (more, open) = round(folder.path(), &library, fault, &mut writers);
            drop(named);
            refused += more;
            unknown += open;
        }
    }
    println!("{refused} refused, {unknown} unknown");
    assert!(unknown > 0, "no write was under way when the disk failed");
}

/// The answer to a command is lost, its match is found to be damaged, and then the disk fails: nobody knows any more, and that is said.
#[test]
fn what_may_be_stored_is_never_said_not_to_be() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(library) = library(folder.path(), "faults/faults.c") else { return };
    let data = folder.path().join("data");
    let server = Process::serve(&data, &[]);
    let table = Table::rosenkoenig(&server.client());
    let seat = table.active().expect("it runs");
    let path = format!("/v1/matches/{}/commands", table.id);
    let body = json!({"command": table.legal()[0]});
    let keyed = Request::new("POST", &path).json(&body).header("Idempotency-Key", "mine");
    table.seat(seat).send(keyed.clone()).created();
    server.stop();
    rewrite(&data, &data, |_, part, bytes| {
        if part == Part::Commit(2) {
            bytes[TEXT_AT + 1..].rotate_left(1);
        }
    });
    let fault = Fault { file: "/log/db", call: "fdatasync", skip: 0, times: 1_000_000 };
    let server = fault.serve(folder.path(), &library);
    let client = server.client();
    let seat = table.through(&client).seat(seat);
    client.info(&table.id).problem(503, "damaged");
    seat.send(keyed.clone()).problem(503, "damaged");
    File::create(folder.path().join("armed")).expect("it can be made");
    cut_off(&client.send(opening()));
    client.get("/readyz").problem(503, "unavailable");
    client.info(&table.id).problem(503, "unavailable");
    seat.send(keyed).problem(503, "outcome_unknown");
    seat.post(&path, &body).problem(503, "outcome_unknown");
    let tried = format!("{path}?dry_run=true");
    seat.post(&tried, &body).problem(503, "unavailable");
    let tried = Request::new("POST", &tried).json(&body).header("Idempotency-Key", "mine");
    seat.send(tried).problem(503, "unavailable");
    server.stop();
}

/// The system may write less than it was asked to, and say so: the rest is written then.
#[test]
fn a_write_that_falls_short_is_gone_on_with() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(library) = library(folder.path(), "faults/faults.c") else { return };
    File::create(folder.path().join("armed")).expect("it can be made");
    let fault = Fault { file: "/log/db", call: "short", skip: 0, times: 1_000_000 };
    let server = fault.serve(folder.path(), &library);
    let table = Table::rosenkoenig(&server.client());
    let played = table.play(&mut Dice::new(6), 20).len();
    server.stop();
    let server = Process::serve(&folder.path().join("data"), &[]);
    assert_eq!(commits(&server.client(), &table.id), played + 1);
    server.stop();
    let (code, text) = verify(&folder.path().join("data"));
    assert_eq!(code, Some(0), "{text}");
}
