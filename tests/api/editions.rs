//! A rule that changes changes no match that was opened before: the toy game Nim, whose rules have two editions.

use std::path::Path;

use archive::{Archive, Audited, Verified};
use kernel::{AnyGame, Erased};
use serde_json::{Value, json};
use testkit::Nim;

use acceptance::proof::bytes_of;
use acceptance::rewritten::{Part, TEXT_AT, forged, rewrite};
use acceptance::server::{Games, Server};
use acceptance::{Client, Dice, Table, until};

const NIM: &dyn AnyGame = &Erased::<Nim>::NEW;

fn games() -> Games {
    let mut games = catalog::games().to_vec();
    games.push(NIM);
    games.leak()
}

fn position(edition: Option<u32>) -> Value {
    let mut position = json!({"heaps": [7, 2], "lucky": [3, 4], "active_seat": 0, "winner": null});
    if let Some(edition) = edition {
        position["edition"] = json!(edition);
    }
    position
}

/// Opens a match of two from a position.
fn loaded(client: &Client, edition: Option<u32>) -> Table {
    Table::open(client, &json!({"game": "nim", "seats": [{}, {}], "position": position(edition)}))
}

fn take(heap: u8, count: u8) -> Value {
    json!({"type": "Take", "heap": heap, "count": count})
}

#[test]
fn the_catalogue_lists_the_editions() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), games());
    let client = server.client();
    let nim = client.game("nim").ok();
    assert_eq!(nim["edition"], 2);
    let [first, second] = nim["editions"].as_array().expect("a list").as_slice() else {
        panic!("two editions: {}", nim["editions"]);
    };
    assert_eq!(*first, json!({"edition": 1, "date": "2026-11-01", "changes": []}));
    let changed: Vec<_> = second["changes"].as_array().expect("a list").iter().collect();
    assert_eq!((&second["edition"], &second["date"]), (&json!(2), &json!("2026-11-22")));
    assert_eq!((&changed[0]["rule"], &changed[1]["rule"]), (&json!("N-10"), &json!("N-14")));
    assert!(changed.iter().all(|change| change["text"].as_str().is_some_and(|t| t.len() > 10)));
    for game in catalog::games() {
        let said = client.game(game.info().id).ok();
        assert_eq!(said["edition"], game.info().newest().number(), "{}", game.info().id);
        assert_eq!(said["editions"][0]["changes"], json!([]), "{}", game.info().id);
        let listed = said["rules"].as_array().expect("a list").iter();
        assert!(listed.clone().any(|rule| rule["rule"] == "M-90"), "{}", game.info().id);
    }
}

#[test]
fn an_edition_that_the_game_does_not_have_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), games());
    let client = server.client();
    for edition in [0, 3, u32::MAX] {
        let seats = json!([{}, {}]);
        let open = json!({"game": "nim", "seats": seats, "edition": edition});
        client.open(&open).refused("invalid_options", "M-90");
        let open =
            json!({"game": "nim", "seats": seats, "edition": edition, "position": position(None)});
        client.open(&open).refused("invalid_options", "M-90");
        let fresh = json!({"seats": 2, "edition": edition});
        client.start_position("nim", &fresh).refused("invalid_options", "M-90");
        let what_if = json!({"position": position(None), "edition": edition});
        client.analyse("nim", &what_if).refused("invalid_options", "M-90");
        let own = json!({"position": position(Some(edition))});
        client.analyse("nim", &own).refused("invalid_position", "N-30");
        let open = json!({"game": "nim", "seats": seats, "position": position(Some(edition))});
        client.open(&open).refused("invalid_position", "N-30");
    }
    let mut all = catalog::games().iter();
    let game = all.find(|game| game.info().id == "rosenkoenig").expect("a game");
    let newest = game.info().newest().number();
    let next = newest + 1;
    let real = json!({"game": "rosenkoenig", "seats": [{}, {}], "edition": next});
    let problem = client.open(&real).refused("invalid_options", "M-90");
    let told = format!("Rosenkönig has no edition {next}: its newest is {newest}");
    assert_eq!(problem["detail"], told);
    let other = json!({"position": position(Some(1)), "edition": 2});
    let problem = client.analyse("nim", &other).refused("invalid_options", "M-90");
    assert_eq!(problem["detail"], "the position is of edition 1, and edition 2 was asked for");
    for malformed in [json!(-1), json!("1"), json!(1.5)] {
        let open = json!({"game": "nim", "seats": [{}, {}], "edition": malformed});
        client.open(&open).problem(400, "malformed");
    }
}

#[test]
fn an_analysis_follows_the_edition_that_it_asks_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), games());
    let client = server.client();
    let legal = |edition: Value, own: Option<u32>| {
        let request = json!({"position": position(own), "edition": edition});
        let answer = client.analyse("nim", &request).ok();
        let legal = answer["legal_commands"].as_array().expect("a list").len();
        (answer["position"]["edition"].clone(), legal)
    };
    assert_eq!(legal(Value::Null, None), (json!(2), 7));
    assert_eq!(legal(json!(2), None), (json!(2), 7));
    assert_eq!(legal(json!(1), None), (json!(1), 9));
    assert_eq!(legal(Value::Null, Some(1)), (json!(1), 9));
    assert_eq!(legal(json!(1), Some(1)), (json!(1), 9));
    let fresh = client.start_position("nim", &json!({"seats": 2, "edition": 1})).ok();
    assert_eq!(fresh["position"]["edition"], 1);
}

/// Neither verified nor read in bulk anything differs.
#[track_caller]
fn intact(folder: &Path, matches: u64) {
    let scratch = tempfile::tempdir().expect("a folder");
    let verified = Verified::run(folder, scratch.path(), games(), &mut |_| {});
    let verified = verified.expect("the store opens");
    assert_eq!((verified.matches, verified.findings), (matches, Vec::new()));
    let archive = Archive::open(folder, games(), 1 << 20).expect("the store opens");
    for finish in archive.finishes(0..u64::MAX) {
        archive.read(&finish.expect("it can be read")).expect("it is decided as it is stored");
    }
}

#[test]
fn an_old_match_goes_on_by_its_old_rules() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), games());
    let client = server.client();
    let (old, new) = (loaded(&client, Some(1)), loaded(&client, None));
    // One that was set up: its edition stands in `TableOpened` alone.
    let heaps = json!({"heaps": 5});
    let fresh = json!({"game": "nim", "seats": [{}, {}], "options": heaps, "edition": 1});
    let fresh = Table::open(&client, &fresh);
    assert_eq!((old.legal().len(), new.legal().len()), (9, 7));
    server.stop();
    // "The release": everything is read from disk.
    let server = Server::start(folder.path(), games());
    let client = server.client();
    let (old, new) = (old.through(&client), new.through(&client));
    let fresh = fresh.through(&client);
    let shown = client.view(&fresh.id, "").ok();
    let stones: u64 =
        shown["heaps"].as_array().expect("a list").iter().filter_map(Value::as_u64).sum();
    assert_eq!((&shown["edition"], fresh.legal().len() as u64), (&json!(1), stones));
    assert_eq!(fresh.info()["edition"], 1);
    let commit = client.commits(&fresh.id, "").ok()["items"][0].clone();
    let opened = commit["events"].as_array().and_then(|events| events.last()).cloned();
    assert_eq!(opened.map(|event| event["edition"].clone()), Some(json!(1)));
    fresh.finish(&mut Dice::new(2));
    assert_eq!((old.legal().len(), new.legal().len()), (9, 7));
    assert_eq!(client.view(&old.id, "").ok()["edition"], 1);
    assert_eq!(client.view(&new.id, "").ok()["edition"], 2);
    new.seat(0).command(&new.id, &take(0, 7)).refused("illegal_command", "N-10");
    old.act(&take(0, 7));
    assert_eq!(old.active(), Some(1), "N-14 is not for it");
    new.act(&take(1, 2));
    assert_eq!(new.active(), Some(0), "N-14 is");
    old.act(&take(1, 2));
    new.finish(&mut Dice::new(1));
    let branch = json!({"at": 1, "seats": [{}, {}]});
    let branch = Table::read(&client, &old.seat(0).branch(&old.id, &branch).created());
    assert_eq!(branch.legal().len(), 9, "a branch has the edition of its position");
    branch.act(&take(0, 7));
    branch.finish(&mut Dice::new(1));
    for table in [&old, &branch, &fresh] {
        assert_eq!(client.position(&table.id, "").ok()["edition"], 1);
        client.get(&format!("/v1/matches/{}/ledger", table.id)).ok();
    }
    server.stop();
    intact(folder.path(), 4);
}

/// What an audit of Nim under an edition says: how many matches, and of each that differs what a reader is told.
fn audit(folder: &Path, edition: u32, threads: usize) -> (u64, Vec<Value>) {
    let scratch = tempfile::tempdir().expect("a folder");
    let edition = NIM.info().edition(edition).expect("Nim has it");
    let audited = Audited::run((folder, scratch.path()), games(), (NIM, edition), threads, &|_| {});
    let audited = audited.expect("the store opens");
    assert_eq!((audited.otherwise, audited.damaged), (Vec::new(), Vec::new()));
    let told = |difference| {
        let mut told = serde_json::to_value(difference).expect("plain data");
        told.as_object_mut().expect("an object").remove("match");
        told
    };
    (audited.matches, audited.differing.iter().map(told).collect())
}

#[test]
fn an_audit_says_what_a_change_would_have_done() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), games());
    let client = server.client();
    for commands in [
        // Refused by N-10; decided otherwise by N-14, in the third commit and in the fifth.
        [take(0, 7), take(1, 2)].as_slice(),
        &[take(0, 5), take(0, 2), take(1, 2)],
        &[take(0, 5), take(1, 1), take(0, 1), take(1, 1), take(0, 1)],
    ] {
        let table = loaded(&client, Some(1));
        commands.iter().for_each(|command| drop(table.act(command)));
    }
    let one_heap =
        json!({"edition": 1, "heaps": [5], "lucky": [3, 4], "active_seat": 0, "winner": null});
    let same = json!({"game": "nim", "seats": [{}, {}], "position": one_heap});
    Table::open(&client, &same).act(&take(0, 5));
    // One that was set up, with one heap too.
    let one_heap = json!({"heaps": 1});
    let set_up = json!({"game": "nim", "seats": [{}, {}], "options": one_heap, "edition": 1});
    let table = Table::open(&client, &set_up);
    while table.active().is_some() {
        table.act(&take(0, 1));
    }
    // Of another game, and one that goes on: neither is decided again.
    Table::rosenkoenig(&client).finish(&mut Dice::new(3));
    loaded(&client, Some(1));
    server.stop();
    let refused = json!({
        "edition": 1, "commit": 2, "rules": ["N-10"], "event": null, "what": "at most 5 stones may be taken"
    });
    let differs = |commit| {
        json!({
            "edition": 1, "commit": commit, "rules": ["N-10", "N-14"], "event": "TurnStarted", "what": "TurnStarted differs"
        })
    };
    for threads in [1, 3] {
        let (matches, differing) = audit(folder.path(), 2, threads);
        assert_eq!(matches, 5);
        assert_eq!(differing, [refused.clone(), differs(3), differs(5)]);
        assert_eq!(audit(folder.path(), 1, threads), (5, Vec::new()));
    }
}

/// The script of a bot breaks a rule that another edition does not have.
#[test]
fn an_audit_says_that_a_reply_would_not_have_been_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), games());
    let client = server.client();
    let one_heap = json!({"heaps": [12], "lucky": [3, 4], "active_seat": 0, "winner": null});
    let replies = json!([{"seat": 1, "commands": [take(0, 6)]}]);
    let open = json!({
        "game": "nim", "seats": [{}, {"bot": "random"}], "position": one_heap, "sandbox": {"replies": replies}
    });
    let table = Table::open(&client, &open);
    while table.active().is_some() {
        table.act(&take(0, 1));
        until("the bot", || table.active() != Some(1));
    }
    server.stop();
    let differs = json!({
        "edition": 2, "commit": 3, "rules": ["N-10", "N-14"], "event": "ReplyRefused", "what": "ReplyRefused differs"
    });
    assert_eq!(audit(folder.path(), 1, 1), (1, vec![differs]));
    assert_eq!(audit(folder.path(), 2, 1), (1, Vec::new()));
    intact(folder.path(), 1);
}

/// What this program decides otherwise under the match's own edition is no doing of another one, and no damage.
#[test]
fn an_audit_blames_no_other_edition_for_what_its_own_decides_otherwise() {
    let (folder, [data]) = acceptance::places(["data"]);
    let server = Server::start(&data, games());
    let client = server.client();
    let one_heap =
        json!({"edition": 1, "heaps": [5], "lucky": [3, 4], "active_seat": 0, "winner": null});
    let open = json!({"game": "nim", "seats": [{}, {}], "position": one_heap});
    let table = Table::open(&client, &open);
    table.act(&take(0, 5));
    let seed = bytes_of(&table.info()["seed"]);
    server.stop();
    // The last stone has made the other one win.
    rewrite(&data, &data, |_, part, bytes| {
        if part != Part::Commit(2) {
            return;
        }
        let mut body: Value = serde_json::from_slice(&bytes[TEXT_AT..]).expect("a commit");
        let events = body["events"].as_array_mut().expect("events");
        events.last_mut().expect("an event")["winner"] = json!(1);
        let prev_hash: [u8; 32] = bytes[34..66].try_into().expect("a hash");
        *bytes = forged(&bytes[..2], &seed, 2, &prev_hash, &body);
    });
    for edition in [1, 2] {
        let edition = NIM.info().edition(edition).expect("Nim has it");
        let place = (data.as_path(), folder.path());
        let audited = Audited::run(place, games(), (NIM, edition), 1, &|_| {});
        let audited = audited.expect("the store opens");
        let otherwise: Vec<_> = audited.otherwise.iter().map(|found| found.commit).collect();
        assert_eq!((audited.matches, otherwise), (1, vec![Some(2)]), "edition {edition}");
        assert!(audited.differing.is_empty() && audited.damaged.is_empty(), "{audited:?}");
    }
}
