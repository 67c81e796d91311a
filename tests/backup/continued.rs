//! Archives that continue others, and stores that stop before the end.

use std::fs;
use std::path::Path;

use acceptance::process::{self, Process};
use acceptance::{Dice, Request, Table};
use serde_json::{Value, json};
use store::{Config, Store, Write};

use crate::imported::{document, import, written};
use crate::repaired::repair;
use crate::world::play;
use crate::{backup, restore, verify};

/// A browser asks with the tags of what it has. What was played after the backup is lost, and the match goes on in another way.
#[test]
fn what_a_browser_has_of_what_was_lost_is_not_taken_for_what_came_instead() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let server = Process::serve(&path("data"), &[]);
    let table = Table::dealt(&server.client(), &json!({}));
    let begun = table.version();
    server.stop();
    backup(&path("data"), &path("archive"), None).ok();
    restore(&[&path("archive")], &path("restored"), &[]).ok();
    let reads = |at: u64| {
        let read = |read: &str| (at, format!("/v1/matches/{}/{read}at={at}", table.id));
        [read("view?"), read("view/changing?"), read(&format!("view/patch?since={begun}&"))]
    };
    let server = Process::serve(&path("data"), &[]);
    let lost = table.through(&server.client());
    (0..2).for_each(|_| drop(lost.act(&lost.legal()[0])));
    let seen = |(at, path): (u64, String)| {
        let answer = lost.seat(0).get(&path);
        assert_eq!(answer.status, 200, "{}", answer.text());
        (at, path, answer)
    };
    let known: Vec<_> = (begun + 1..=lost.version()).flat_map(reads).map(seen).collect();
    server.stop();
    let server = Process::serve(&path("restored"), &[]);
    let instead = table.through(&server.client());
    (0..2).for_each(|_| drop(instead.act(instead.legal().last().expect("it goes on"))));
    let (seat, version, mut others) = (instead.seat(0), instead.version(), 0);
    for (_, path, had) in known.iter().filter(|(at, ..)| *at <= version) {
        let now = seat.get(path);
        assert_eq!(now.status, 200, "{}", now.text());
        let again = seat.get_with(path, "If-None-Match", had.header("etag").expect("a tag"));
        assert_eq!(again.status == 304, now.body == had.body, "{path}");
        others += usize::from(now.body != had.body);
    }
    assert!(others > 0, "it went on in another way");
    server.stop();
}

/// Which tickets were used after a backup, a store made of it cannot know; of those that were, the seeds are open.
#[test]
fn a_ticket_is_no_good_in_a_store_that_was_restored_or_repaired() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let server = Process::serve(&path("data"), &[]);
    let ticket = server.client().post("/v1/seeds", &json!({})).created()["ticket"].clone();
    server.stop();
    backup(&path("data"), &path("archive"), None).ok();
    restore(&[&path("archive")], &path("restored"), &[]).ok();
    repair(&path("data"), &path("repaired")).ok();
    let open = json!({"game": "rosenkoenig", "seats": [{}, {}], "ticket": ticket});
    for name in ["restored", "repaired"] {
        let server = Process::serve(&path(name), &[]);
        let problem = server.client().open(&open).problem(400, "malformed");
        assert_eq!(problem["errors"][0]["pointer"], "/ticket", "{name}");
        // It has tickets of its own.
        let own = server.client().post("/v1/seeds", &json!({})).created()["ticket"].clone();
        server
            .client()
            .open(&json!({"game": "rosenkoenig", "seats": [{}, {}], "ticket": own}))
            .created();
        server.stop();
    }
    let server = Process::serve(&path("data"), &[]);
    server.client().open(&open).created();
    server.stop();
}

fn same(one: &Path, other: &Path) {
    let [one, other] = [one, other].map(|file| fs::read(file).expect("a file"));
    assert!(one == other, "the two are the same");
}

/// When the commit at a position was recorded.
fn recorded_at(data: &Path, position: u64) -> String {
    let store = Store::open(data, Config::default()).expect("it opens");
    let stored = store.feed(position - 1, 1).expect("readable").pop().expect("a commit");
    let body: serde_json::Value = serde_json::from_slice(&stored.bytes[98..]).expect("JSON");
    body["recorded_at"].as_str().expect("a time").to_owned()
}

#[test]
fn archives_continue_one_another_and_together_are_the_store() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let [data, monday, tuesday, wednesday] = ["data", "mon", "tue", "wed"].map(path);
    play(&data, 2, 10);
    backup(&data, &monday, None).ok();
    play(&data, 2, 10);
    backup(&data, &tuesday, Some(&monday)).ok();
    // Nothing has happened meanwhile: an archive of nothing is one, too.
    let told = backup(&data, &wednesday, Some(&tuesday)).ok();
    assert!(told.contains(" 0 commits, 0 new matches"), "{told}");
    verify(&[&monday, &tuesday, &wednesday]).ok();
    restore(&[&monday, &tuesday, &wednesday], &path("again"), &[]).ok();
    for (data, out) in [(&data, "whole"), (&path("again"), "of-again")] {
        backup(data, &path(out), None).ok();
    }
    same(&path("whole"), &path("of-again"));
    // A restored store goes on, and is backed up as the first one would be.
    play(&path("again"), 1, 3);
    backup(&path("again"), &path("thu"), Some(&wednesday)).ok();
    verify(&[&monday, &tuesday, &wednesday, &path("thu")]).ok();

    let next = "it does not continue the archive before it";
    verify(&[&monday, &wednesday]).refused(&["wed: line 1", next]);
    verify(&[&tuesday]).refused(&["tue: line 1", "it continues the archive", "must come before"]);
    verify(&[&monday, &monday]).refused(&["mon: line 1", "it is a full archive"]);
    restore(&[&monday, &path("thu")], &path("new"), &[]).refused(&["thu: line 1", next]);
    assert!(!path("new").exists());
    // Another store, and an older copy of this one.
    play(&path("other"), 6, 20);
    backup(&path("other"), &path("no"), Some(&monday)).refused(&["another store"]);
    restore(&[&monday], &path("older"), &[]).ok();
    backup(&path("older"), &path("no"), Some(&tuesday)).refused(&["an older copy"]);
    assert!(!path("no").exists() && !path("no.partial").exists());
}

/// A note under this key, or none any more.
fn note(data: &Path, value: Option<&[u8]>) {
    let store = Store::open(data, Config::default()).expect("it opens");
    let key = b"open/a-key-of-an-opening".to_vec();
    let written = match value {
        Some(value) => {
            store.submit(Write { commit: None, notes: vec![(key, value.to_vec())] }).wait()
        }
        None => store.forget(&[key]).wait(),
    };
    written.expect("written");
}

#[test]
fn a_key_that_was_used_again_has_what_came_later() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let [data, monday, tuesday, again] = ["data", "mon", "tue", "again"].map(path);
    play(&data, 1, 5);
    note(&data, Some(b"first"));
    backup(&data, &monday, None).ok();
    note(&data, None);
    play(&data, 1, 5);
    note(&data, Some(b"second"));
    backup(&data, &tuesday, Some(&monday)).ok();
    verify(&[&monday, &tuesday]).ok();
    restore(&[&monday, &tuesday], &again, &[]).ok();
    for (data, out) in [(&data, "whole"), (&again, "of-again")] {
        backup(data, &path(out), None).ok();
    }
    same(&path("whole"), &path("of-again"));
}

/// Lets a server forget a name, in one match or in all.
fn forget(data: &Path, body: &Value) {
    let server = Process::serve(data, &[]);
    let forget = Request::new("POST", "/names/forget").json(body);
    assert!(server.operator().send(forget).ok()["names"].as_u64() > Some(0));
    server.stop();
}

/// All matches, as they are listed, the oldest first.
fn listed(data: &Path) -> Vec<Value> {
    let server = Process::serve(data, &[]);
    let page = server.client().matches("limit=100").ok();
    let mut items = page["items"].as_array().expect("matches").clone();
    items.sort_by_key(|item| item["match"].as_str().map(str::to_owned));
    server.stop();
    items
}

/// Their ids.
fn ids(data: &Path) -> Vec<Value> {
    listed(data).iter().map(|item| item["match"].clone()).collect()
}

/// The names of their seats.
fn seats(data: &Path) -> Vec<Vec<Value>> {
    let names = |item: &Value| {
        let seats = item["seats"].as_array().expect("seats").iter();
        seats.map(|seat| seat["name"].clone()).collect()
    };
    listed(data).iter().map(names).collect()
}

/// An archive that continues another has what was forgotten between the two.
#[test]
fn what_was_forgotten_between_two_archives_stays_forgotten() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let [data, monday, tuesday, wednesday] = ["data", "mon", "tue", "wed"].map(path);
    play(&data, 3, 5);
    backup(&data, &monday, None).ok();
    let first = ids(&data).remove(0);
    // In one match, and nothing else happens: both archives end at the same position.
    forget(&data, &json!({"name": "Hugin", "match": first}));
    backup(&data, &tuesday, Some(&monday)).ok();
    play(&data, 1, 5);
    forget(&data, &json!({"name": "Munin"}));
    play(&data, 1, 5);
    backup(&data, &wednesday, Some(&tuesday)).ok();
    verify(&[&monday, &tuesday, &wednesday]).ok();
    let (hugin, munin, none) = (json!("Hugin"), json!("Munin"), Value::Null);

    restore(&[&monday, &tuesday], &path("two"), &[]).ok();
    let both = [hugin.clone(), munin.clone()];
    assert_eq!(seats(&path("two")), [[none.clone(), munin.clone()], both.clone(), both.clone()]);
    let chain: [&Path; 3] = [&monday, &tuesday, &wednesday];
    restore(&chain, &path("all"), &[]).ok();
    let alone = [hugin.clone(), none.clone()];
    let expected = [[none.clone(), none], alone.clone(), alone.clone(), alone.clone(), both];
    assert_eq!(seats(&path("all")), expected);
    for (data, out) in [(&data, "whole"), (&path("all"), "of-all")] {
        backup(data, &path(out), None).ok();
    }
    same(&path("whole"), &path("of-all"));
    // It is forgotten also where the store stops before.
    restore(&chain, &path("early"), &["--until", "6"]).ok();
    assert_eq!(seats(&path("early")), expected[..1]);
    // A restored store goes on to forget.
    forget(&path("all"), &json!({"name": "Hugin"}));
    backup(&path("all"), &path("thu"), Some(&wednesday)).ok();
    restore(&[&monday, &tuesday, &wednesday, &path("thu")], &path("last"), &[]).ok();
    assert!(seats(&path("last")).iter().all(|names| !names.contains(&hugin)));
}

/// An archive continues one whose store is lost: what was forgotten after it was restored from the one before has the same numbers.
#[test]
fn what_was_forgotten_in_a_restored_store_stays_so_behind_the_archives_of_the_lost_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let [data, monday, tuesday] = ["data", "mon", "tue"].map(path);
    play(&data, 2, 5);
    backup(&data, &monday, None).ok();
    let ids = ids(&data);
    let of = |name: &str, at: usize| json!({"name": name, "match": ids[at]});
    forget(&data, &of("Hugin", 0));
    backup(&data, &tuesday, Some(&monday)).ok();
    let both = json!([[null, "Munin"], ["Hugin", null]]);
    let cases = [
        (vec![of("Munin", 1)], both.clone()),
        (vec![of("Munin", 1), of("Hugin", 0)], both),
        // The archive of the restored store has the other name of this match: it was not forgotten once more.
        (vec![of("Munin", 0)], json!([["Hugin", null], ["Hugin", "Munin"]])),
    ];
    for (case, (forgotten, expected)) in cases.into_iter().enumerate() {
        let [restored, wednesday, again, later, last] =
            ["restored", "wed", "again", "later", "last"]
                .map(|name| path(&format!("{name}-{case}")));
        restore(&[&monday], &restored, &[]).ok();
        forgotten.iter().for_each(|body| forget(&restored, body));
        backup(&restored, &wednesday, Some(&tuesday)).ok();
        restore(&[&monday, &tuesday, &wednesday], &again, &[]).ok();
        assert_eq!(json!(seats(&again)), expected, "{case}");
        // It remembers all of it, also under a number that was given twice.
        backup(&again, &later, Some(&monday)).ok();
        restore(&[&monday, &later], &last, &[]).ok();
        assert_eq!(json!(seats(&last)), expected, "{case}");
    }
}

/// Also in the archives of a store that stops before the position at which it was forgotten.
#[test]
fn what_was_forgotten_stays_so_behind_a_store_that_stops_before() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let [data, monday, tuesday, other] = ["data", "mon", "tue", "other"].map(path);
    play(&data, 1, 5);
    backup(&data, &monday, None).ok();
    play(&data, 1, 5);
    forget(&data, &json!({"name": "Hugin"}));
    backup(&data, &tuesday, Some(&monday)).ok();
    let expected = [[Value::Null, json!("Munin")]];
    restore(&[&monday, &tuesday], &path("early"), &["--until", "6"]).ok();
    assert_eq!(seats(&path("early")), expected);
    backup(&path("early"), &other, Some(&monday)).ok();
    restore(&[&monday, &other], &path("again"), &[]).ok();
    assert_eq!(seats(&path("again")), expected);
    // The store goes on to forget, though it does not have one of the matches in which something was forgotten.
    forget(&path("again"), &json!({"name": "Munin"}));
    assert_eq!(seats(&path("again")), [[Value::Null, Value::Null]]);
}

/// An import is written as one. Its match may have been played long before.
#[test]
fn a_restored_store_has_all_of_an_import_or_nothing_of_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let [data, archive, out] = ["data", "archive", "out"].map(path);
    let server = Process::serve(&path("first"), &[]);
    let table = Table::rosenkoenig(&server.client());
    table.finish(&mut Dice::new(5));
    let document = document(&table);
    server.stop();
    play(&data, 1, 3);
    import(&data, &written(folder.path(), &document)).ok();
    play(&data, 1, 3);
    backup(&data, &archive, None).ok();
    let last = 4 + document["commits"].as_array().expect("commits").len();
    let behind = format!("at {last}, with it");
    for within in [5, last - 1] {
        restore(&[&archive], &out, &["--until", &within.to_string()]).refused(&[
            &table.id,
            "within the import",
            "stop at 4, before it",
            &behind,
        ]);
        assert!(!out.exists());
    }
    for (until, name, matches) in [(4, "before", "1 matches"), (last, "with", "2 matches")] {
        restore(&[&archive], &path(name), &["--until", &until.to_string()]).ok();
        let (code, said) = process::verify(&path(name));
        assert!(code == Some(0) && said.starts_with(matches), "{said}");
    }
    // It came when it was imported, not when it was played.
    let time = recorded_at(&data, 4);
    let told = restore(&[&archive], &path("time"), &["--until", &time]).ok();
    assert!(told.contains("up to position 4 "), "{told}");
}

#[test]
fn a_restored_store_stops_at_a_position_or_a_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let [data, one, two] = ["data", "one", "two"].map(path);
    play(&data, 1, 10);
    backup(&data, &path("early"), None).ok();
    play(&data, 3, 10);
    backup(&data, &one, None).ok();
    restore(&[&one], &path("position"), &["--until", "11"]).ok();
    // Notes, too, are those of that time: idempotency keys and tokens of what is to come are not there.
    backup(&path("position"), &path("of-position"), None).ok();
    same(&path("early"), &path("of-position"));
    let time = recorded_at(&data, 11);
    let told = restore(&[&one], &path("time"), &["--until", &time]).ok();
    let later = recorded_at(&data, 12) == time;
    assert!(later || told.contains("up to position 11"), "{told}");
    for out in [&two, &path("new/and/deep")] {
        restore(&[&one], out, &["--until", "99999"])
            .refused(&["the archives end at feed position 44"]);
        assert!(!out.exists());
    }
    assert!(!path("new").exists(), "no folder around it is left");
    for wrong in ["yesterday", "9999-12-31T23:59:59-01:00", "0000-01-01T00:00:00+01:00"] {
        let said = restore(&[&one], &two, &["--until", wrong]);
        assert_eq!(said.code, Some(2), "{wrong}: {}", said.error);
        assert!(!two.exists());
    }
}
