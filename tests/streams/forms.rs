//! Events in forms that are written no longer: the toy game Nim, of which two events have changed their form.
//!
//! `nim/` holds, for each of these, matches that were recorded while it was the newest: a finished one, and one that goes on.

use std::fs;
use std::path::Path;

use acceptance::proof::{bytes_of, check_public, check_seals};
use acceptance::rewritten::{Part, TEXT_AT, forged, rewrite};
use acceptance::server::{Games, Server};
use acceptance::{Client, Dice, Table, places};
use archive::{Archive, Audited, Verified};
use kernel::{AnyGame, Erased};
use serde_json::{Value, json};
use store::{Config, Store};
use testkit::Nim;

use crate::{ROOT, portable};

const NIM: &dyn AnyGame = &Erased::<Nim>::NEW;

/// The first event as a spectator sees it, by the stones of each heap.
type Expected = fn(&[u64]) -> Value;

/// The recorded forms.
const FORMS: [(&str, Expected); 2] = [
    (
        "form-1",
        |stones| json!({"type": "MatchStarted", "heaps": stones, "lucky": [null, null, null]}),
    ),
    (
        "form-2",
        |stones| json!({"type": "MatchStarted", "form": 2, "stones": stones, "lucky": [null, null, null]}),
    ),
];

/// The stones of the first event of a match, by its view.
fn stones(client: &Client, id: &str) -> Vec<u64> {
    let view = client.view(id, "at=1").ok();
    view["heaps"].as_array().expect("heaps").iter().filter_map(Value::as_u64).collect()
}

/// The first event as all who ask get it, and the chain, are what they were when it was stored.
fn told_as_stored(client: &Client, id: &str, expected: &Value) {
    let spectator = "viewer=spectator";
    let commits = client.commits(id, spectator).items();
    check_public(&commits);
    assert_eq!(commits[0]["events"][0], *expected);
    assert_eq!(client.events(id, spectator).ok()["items"][0]["event"], *expected);
    let line = client.replay(id, spectator).text();
    let first: Value = serde_json::from_str(line.lines().next().expect("a frame")).expect("JSON");
    assert_eq!(first["event"], *expected, "{first}");
}

/// The rules of this program decide every match of a store as it is stored.
#[track_caller]
fn decided_as_stored(data: &Path, scratch: &Path, games: Games, matches: u64) {
    let verified = Verified::run(data, scratch, games, &mut |_| {}).expect("the store opens");
    let Verified { findings, otherwise, .. } = &verified;
    assert_eq!((verified.matches, findings.len()), (matches, 0), "{findings:?}");
    assert!(otherwise.is_empty(), "{otherwise:?}");
}

/// What an audit under an edition says of each match that differs: the commit, and what.
#[track_caller]
fn audit(data: &Path, scratch: &Path, games: Games, edition: u32) -> Vec<(u64, String)> {
    let edition = NIM.info().edition(edition).expect("Nim has it");
    let audited = Audited::run((data, scratch), games, (NIM, edition), 1, &|_| {});
    let audited = audited.expect("the store opens");
    assert_eq!((audited.otherwise, audited.damaged), (Vec::new(), Vec::new()));
    let told = audited.differing.into_iter();
    told.map(|difference| (difference.commit, difference.what)).collect()
}

#[test]
fn an_event_in_an_old_form_is_lifted_and_served_as_it_was_stored() {
    let (scratch, [published]) = places(["match.json"]);
    let folder = tempfile::tempdir().expect("a folder");
    let recorded = Path::new(ROOT).join("nim");
    let tokens = fs::read_to_string(recorded.join("tokens.json")).expect("readable");
    let tokens: Value = serde_json::from_str(&tokens).expect("JSON");
    let store = Store::open(folder.path(), Config::default()).expect("a new store");
    let loaded = FORMS.map(|(form, expected)| {
        let [finished, on] = ["finished", "goes-on"].map(|kind| {
            portable::load(&store, &recorded.join(format!("{form}-{kind}.ndjson.zst")))
        });
        let tokens = &tokens[form];
        let opened = json!({"match": on, "seat_tokens": tokens, "owner_token": tokens[0]});
        (finished, opened, expected)
    });
    drop(store);
    let games: &'static [_] = vec![NIM].leak();
    let server = Server::start(folder.path(), games);
    let client = server.client();
    let mut heaps = Vec::new();
    for (finished, opened, expected) in &loaded {
        let table = Table::read(&client, opened);
        for id in [finished, &table.id] {
            told_as_stored(&client, id, &expected(&stones(&client, id)));
        }
        // A seat's own number, in the old form too.
        let own = table.seat(1).events(&table.id, "viewer=1").ok()["items"][0]["event"].clone();
        let view = table.seat(1).view(&table.id, "viewer=1").ok();
        assert!(own["lucky"][1].is_u64() && own["lucky"][0].is_null(), "{own}");
        assert_eq!(own["lucky"], view["lucky"]);
        assert_eq!(own.get("first"), None, "{own}");
        table.finish(&mut Dice::new(1));
        for id in [finished, &table.id] {
            let seed = bytes_of(&client.info(id).ok()["seed"]);
            check_seals(&seed, &client.commits(id, "").items());
            let ledger = client.get(&format!("/v1/matches/{id}/ledger")).ok();
            assert_eq!(ledger["items"].as_array().map(Vec::len), Some(1), "{ledger}");
            heaps.push(json!(stones(&client, id)).to_string());
            // Another server takes it over as it is.
            let commits = client.all_commits(id);
            let document = json!({"match": client.info(id).ok(), "commits": commits});
            fs::write(&published, document.to_string()).expect("written");
            archive::portable::published(&published, games).expect("it is as it was played");
        }
    }
    // What is written today has today's form.
    let seats = json!([{}, {}]);
    let fresh = Table::open(&client, &json!({"game": "nim", "seats": seats}));
    let first = client.events(&fresh.id, "").ok()["items"][0]["event"].clone();
    assert_eq!((&first["form"], &first["first"]), (&json!(3), &json!(0)));
    fresh.finish(&mut Dice::new(2));
    heaps.push(first["stones"].to_string());
    // One table for all forms, with the columns of today.
    let rows = client.get("/v1/tables/nim_match_started.ndjson").text();
    let rows: Vec<Value> =
        rows.lines().map(|row| serde_json::from_str(row).expect("JSON")).collect();
    let mut told: Vec<_> = rows.iter().map(|row| row["stones"].to_string()).collect();
    assert!(rows.iter().all(|row| row["form"] == 3 && row["event_first"] == 0), "{rows:?}");
    told.sort();
    heaps.sort();
    assert_eq!(told, heaps);
    server.stop();

    decided_as_stored(folder.path(), scratch.path(), games, 5);
    for edition in [1, 2] {
        audit(folder.path(), scratch.path(), games, edition);
    }
    let archive = Archive::open(folder.path(), games, 1 << 20).expect("the store opens");
    for finish in archive.finishes(0..u64::MAX) {
        let read = archive.read(&finish.expect("readable")).expect("it follows");
        assert!(read.commits.iter().all(|commit| commit.otherwise.is_none()));
    }
}

/// The event before the one that differs is only stored in another form.
#[test]
fn an_audit_blames_the_event_that_differs_and_none_in_an_old_form() {
    let (folder, [data]) = places(["data"]);
    let games: &'static [_] = vec![NIM].leak();
    let server = Server::start(&data, games);
    let client = server.client();
    let position =
        json!({"edition": 1, "heaps": [5, 2], "lucky": [3, 4], "active_seat": 0, "winner": null});
    let open = json!({"game": "nim", "seats": [{}, {}], "position": position});
    let table = Table::open(&client, &open);
    for (heap, count) in [(0, 5), (1, 2)] {
        table.act(&json!({"type": "Take", "heap": heap, "count": count}));
    }
    let seed = bytes_of(&table.info()["seed"]);
    server.stop();
    let mut before = [0; 32];
    rewrite(&data, &data, |_, part, bytes| {
        let Part::Commit(number) = part else { return };
        if number > 1 {
            let mut body: Value = serde_json::from_slice(&bytes[TEXT_AT..]).expect("a commit");
            let taken = body["events"][0].as_object_mut().expect("an event");
            assert_eq!(taken.remove("form"), Some(json!(3)));
            let stones = taken.remove("stones").expect("how many");
            taken.insert("count".to_owned(), stones);
            *bytes = forged(&bytes[..2], &seed, number, &before, &body);
        }
        before = bytes[66..TEXT_AT].try_into().expect("a hash");
    });
    decided_as_stored(&data, folder.path(), games, 1);
    assert!(audit(&data, folder.path(), games, 1).is_empty());
    // Since edition 2 who empties a heap acts again.
    let differs = (2, "TurnStarted differs".to_owned());
    assert_eq!(audit(&data, folder.path(), games, 2), [differs]);
}
