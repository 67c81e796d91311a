//! The power is cut at any moment: all writes of a server are recorded, and of these every state is made in which a disk may be found afterwards.
//! Each is served by the real program.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::Round;
use crate::crowd::Crowd;
use crate::disk::Disk;
use crate::follower::feed;
use crate::recorded::{self, Kind, Note};
use acceptance::preload::library;
use acceptance::process::{Process, verify};
use acceptance::proof::{check_public, hex};
use acceptance::{Client, Dice};

/// What a server has written, and what became of it in the end.
struct Recorded {
    notes: Vec<Note>,
    crowd: Crowd,
    /// The feed, line by line, and the hashes of all commits, by match.
    feed: Vec<Value>,
    chains: HashMap<String, Vec<String>>,
}

/// A server is made, killed, started again, stopped, and once more.
fn recorded(folder: &Path, library: &Path, dice: &mut Dice) -> Recorded {
    let (data, log) = (folder.join("data"), folder.join("notes"));
    let mut crowd = Crowd::new(6, 3);
    for end in ["KILL", "TERM", "KILL"] {
        let server = recorded::serve(&data, library, &log);
        crowd.check(&server);
        crowd.play(&server, 400, dice, || server.signal(end));
        server.kill();
    }
    let server = Process::serve(&data, &[]);
    crowd.check_all(&server);
    let feed = feed(&server.client());
    let chains = chains(&server.client(), &feed);
    server.stop();
    Recorded { notes: recorded::read(&log), crowd, feed, chains }
}

/// The hashes of the commits of all matches in the feed, each of which follows on the one before.
fn chains(client: &Client, feed: &[Value]) -> HashMap<String, Vec<String>> {
    let ids: HashSet<&str> = feed.iter().filter_map(|line| line["match"].as_str()).collect();
    let chain = |id: &str| {
        let commits = client.public_commits(id);
        let head = hex(&check_public(&commits));
        assert_eq!(client.info(id).ok()["head_hash"], head, "{id}");
        let hashes =
            commits.iter().map(|commit| commit["hash"].as_str().expect("a hash").to_owned());
        (id.to_owned(), hashes.collect())
    };
    ids.into_iter().map(chain).collect()
}

/// What was sent before the power was cut: the names of the writes that were answered, and the hashes of commits that a stream showed.
fn sent(notes: &[Note]) -> (HashSet<String>, HashSet<String>) {
    let (mut writes, mut shown) = (HashSet::new(), HashSet::new());
    for note in notes.iter().filter(|note| note.kind == Kind::Answered) {
        let text = String::from_utf8_lossy(&note.bytes);
        let lines = text.lines();
        writes.extend(
            lines.clone().filter_map(|line| Some(line.strip_prefix("x-request-id: ")?.to_owned())),
        );
        for data in lines.filter_map(|line| line.strip_prefix("data: ")) {
            // A message may go in more than one piece.
            if let Ok(data) = serde_json::from_str::<Value>(data) {
                shown.extend(data["hash"].as_str().map(str::to_owned));
            }
        }
    }
    (writes, shown)
}

/// Asserts everything that the server promises after the power was cut behind these notes.
fn check(recorded: &Recorded, notes: &[Note], client: &Client, what: &str) {
    client.get("/readyz").ok();
    let feed = feed(client);
    assert!(recorded.feed.starts_with(&feed), "{what}: the feed is another one");
    let (writes, shown) = sent(notes);
    let chains = chains(client, &feed);
    for (id, hashes) in &chains {
        assert!(recorded.chains[id].starts_with(hashes), "{what}: {id} is another match");
    }
    let stored: HashSet<String> = chains.values().flatten().cloned().collect();
    let gone: Vec<&String> = shown.difference(&stored).collect();
    assert!(gone.is_empty(), "{what}: streams showed {gone:?}");
    for player in &recorded.crowd.players {
        let answered = player.answered();
        let acknowledged = answered.iter().take_while(|answered| writes.contains(&answered.id));
        let acknowledged = acknowledged.count();
        for answered in &answered[..acknowledged] {
            let found = chains.get(&answered.table).map_or(0, Vec::len) as u64;
            assert!(found >= answered.commit, "{what}: {} is lost", answered.id);
        }
        if let Some(last) = acknowledged.checked_sub(1) {
            answered[last].again(client, true, what);
        }
        // The one after it was under way, or not sent yet. It may be there; asked again it is there, once.
        if let Some(next) = answered.get(acknowledged) {
            next.again(client, false, what);
        }
    }
    let listed = client.matches("limit=1000").ok();
    assert_eq!(listed["damaged"], 0, "{what}");
}

#[test]
fn what_was_acknowledged_survives_a_power_cut_at_any_moment() {
    let (rounds, seed) = crate::rounds(12);
    let folder = tempfile::tempdir().expect("a folder");
    let Some(library) = library(folder.path(), "faults/recorder.c") else { return };
    let recorded = recorded(folder.path(), &library, &mut Dice::new(seed));
    let answers = |notes: &[Note]| notes.iter().filter(|note| note.kind == Kind::Answered).count();
    assert!(answers(&recorded.notes) > 20, "hardly anything was answered");
    for round in 0..rounds {
        let seed = seed + round as u64;
        let mut dice = Dice::new(seed);
        let at = 1 + dice.below(recorded.notes.len());
        // Half of the time right before the next answer.
        let answer = recorded.notes[at..].iter().position(|note| note.kind == Kind::Answered);
        let at = if dice.below(2) == 0 { at } else { at + answer.unwrap_or(0) };
        let notes = &recorded.notes[..at];
        let state = folder.path().join("state");
        fs::create_dir(&state).expect("a folder");
        let mut what = format!("seed {seed}, cut after note {at} of {}", recorded.notes.len());
        let named = Round(what.clone());
        what += &format!(": {}", Disk::default().cut(notes, &mut dice, &state));
        if round % 4 == 3 && state.join("log/db").exists() {
            what += &again(&state, &library, &mut dice);
        }
        let server = Process::serve(&state, &[]);
        check(&recorded, notes, &server.client(), &what);
        server.stop();
        let (code, text) = verify(&state);
        assert_eq!(code, Some(0), "{what}: {text}");
        fs::remove_dir_all(&state).expect("it is there");
        drop(named);
    }
}

/// The power is cut while the program starts after a power cut; says when.
fn again(state: &Path, library: &Path, dice: &mut Dice) -> String {
    let before = Disk::of(state);
    let log = state.with_extension("notes");
    recorded::serve(state, library, &log).kill();
    let notes = recorded::read(&log);
    let at = dice.below(notes.len() + 1);
    fs::remove_dir_all(state).expect("it is there");
    fs::remove_file(&log).expect("it is there");
    fs::create_dir(state).expect("a folder");
    let said = before.cut(&notes[..at], dice, state);
    format!("; then at the start after note {at} of {}: {said}", notes.len())
}
