//! A store with very many matches: a few are played, the others are copies.

use std::collections::VecDeque;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use store::{Commit, Config, Store, Stored, StreamId, Ticket, Write};

use crate::process::Process;
use crate::said::simulate;
use crate::table::{Dice, Table};

/// How many writes wait for the disk at most.
const UNDER_WAY: usize = 10_000;

/// A match that is copied.
pub struct Original {
    pub header: Vec<u8>,
    pub commits: Vec<Vec<u8>>,
    /// Keys and values; the id is in the keys from byte 5.
    notes: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Original {
    /// Its commit at this place, from 0, for another stream.
    pub fn write(&self, stream: StreamId, at: usize) -> Write {
        let first = at == 0;
        Write {
            commit: Some(Commit {
                stream,
                number: at as u64 + 1,
                bytes: self.commits[at].clone(),
                header: first.then(|| self.header.clone()),
            }),
            notes: if first { renamed(&self.notes, stream) } else { Vec::new() },
        }
    }
}

/// All matches of a store, the newest first; nobody has it open.
pub fn all(data: &Path) -> Vec<Original> {
    read(&Store::open(data, Config::default()).expect("the store opens"), usize::MAX)
}

/// The commits of random play as the server writes them, other than those that open a match: what benches of the store alone write.
pub fn records() -> Vec<Vec<u8>> {
    let folder = tempfile::tempdir().expect("a folder");
    simulate(folder.path(), "--game rosenkoenig --matches 100");
    let matches = all(folder.path()).into_iter();
    matches.flat_map(|original| original.commits.into_iter().skip(1)).collect()
}

/// Milliseconds since 1970.
pub fn now() -> u128 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_millis()
}

/// A UUIDv7: the time in milliseconds, its version, its variant, and what tells it from others.
pub fn id(now: u128, number: u128) -> StreamId {
    let id = (now + number / 4) << 80 | 7 << 76 | 2 << 62 | number;
    StreamId(id.to_be_bytes())
}

/// Plays some matches and copies them until there are `matches`; the number of commits that were copied.
pub fn make(data: &Path, played: usize, matches: usize) -> usize {
    play(data, played);
    copy(data, played, matches)
}

/// The same with the first `played` matches of a store that is there.
pub fn copy(data: &Path, played: usize, matches: usize) -> usize {
    let store = Store::open(data, Config::default()).expect("the store opens");
    let originals = read(&store, played);
    let now = now();
    let mut waiting: VecDeque<Ticket> = VecDeque::new();
    let mut commits = 0;
    for number in 0..matches.saturating_sub(originals.len()) {
        let original = &originals[number * 7919 % originals.len()];
        let stream = id(now, number as u128);
        for at in 0..original.commits.len() {
            waiting.push_back(store.submit(original.write(stream, at)));
            commits += 1;
        }
        while waiting.len() > UNDER_WAY {
            let ticket = waiting.pop_front().expect("one waits");
            ticket.wait().expect("it is written");
        }
    }
    for ticket in waiting {
        ticket.wait().expect("it is written");
    }
    commits
}

/// Copies the only match of a store into another store, with so many blanks more in the text of each commit, which only its seal would tell. The
/// number of commits that were copied.
pub fn stretch(from: &Path, to: &Path, blanks: usize) -> usize {
    let [from, to] =
        [from, to].map(|folder| Store::open(folder, Config::default()).expect("the store opens"));
    let (stream, header) = from.headers(None, 1).expect("it can be read").remove(0);
    let commits = from.commits(stream, 0, usize::MAX).expect("they can be read");
    let mut header = Some(header);
    for page in commits.chunks(UNDER_WAY) {
        let submit = |stored: &Stored| {
            let mut bytes = stored.bytes.to_vec();
            let end = bytes.len() - 1;
            bytes.splice(end..end, vec![b' '; blanks]);
            let commit = Commit { stream, number: stored.number, bytes, header: header.take() };
            to.submit(Write { commit: Some(commit), notes: Vec::new() })
        };
        let tickets: Vec<Ticket> = page.iter().map(submit).collect();
        for ticket in tickets {
            ticket.wait().expect("it is written");
        }
    }
    commits.len()
}

fn renamed(notes: &[(Vec<u8>, Vec<u8>)], stream: StreamId) -> Vec<(Vec<u8>, Vec<u8>)> {
    let renamed = |(key, value): &(Vec<u8>, Vec<u8>)| {
        let mut key = key.clone();
        key[5..21].copy_from_slice(&stream.0);
        (key, value.clone())
    };
    notes.iter().map(renamed).collect()
}

/// Plays the matches that are copied: most are closed early, some go on, some wait for players, a few are finished.
fn play(data: &Path, played: usize) {
    let server = Process::serve(data, &["--rate-limit-address", "0"]);
    let client = server.client();
    let mut dice = Dice::new(1);
    for number in 0..played {
        let mut seats = vec![json!({"name": format!("Player {}", number % 120)}), json!({})];
        seats[1] = json!({"name": format!("Player {}", (number * 7 + 1) % 120)});
        let private = number % 20 == 3;
        if number % 10 == 7 {
            seats[1] = json!({"open": true});
        }
        let visibility = if private { "private" } else { "public" };
        let game = ["rosenkoenig", "copenhagen"][number % 2];
        let body: Value = json!({"game": game, "seats": seats, "visibility": visibility});
        let table = Table::open(&client, &body);
        if number % 10 == 7 {
            continue;
        }
        if number % 100 == 1 {
            table.finish(&mut dice);
            continue;
        }
        table.play(&mut dice, 2);
        if number % 5 > 0 {
            table.owner().close(&table.id).ok();
        }
    }
    server.stop();
}

fn read(store: &Store, played: usize) -> Vec<Original> {
    let mut originals = Vec::new();
    for (stream, header) in store.headers(None, played).expect("it can be read") {
        let commits = store.commits(stream, 0, usize::MAX).expect("they can be read");
        let commits = commits.into_iter().map(|stored| stored.bytes.to_vec()).collect();
        let prefix = [b"name/".as_slice(), &stream.0].concat();
        let notes = store.notes(Some(&prefix), 8).expect("they can be read");
        let notes = notes.into_iter().filter(|note| note.key.starts_with(&prefix));
        let notes = notes.map(|note| (note.key, note.value)).collect();
        originals.push(Original { header, commits, notes });
    }
    originals
}
