//! Exports that go on, and exports that were cut off.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use acceptance::files::names;
use acceptance::rewritten::{Part, rewrite};
use serde_json::Value;
use store::{Config, Store, StreamId};

use crate::folder::{export, simulate, try_export};
use crate::read::tables;

fn manifest(out: &Path) -> Value {
    let manifest = fs::read(out.join("_export.json")).expect("a manifest");
    serde_json::from_slice(&manifest).expect("JSON")
}

fn position(out: &Path) -> u64 {
    manifest(out)["position"].as_u64().expect("a position")
}

/// Gives some commits a form that nobody knows.
fn make_unknown(data: &Path, is_one: impl Fn(StreamId, u64) -> bool) {
    rewrite(data, data, |stream, part, bytes| {
        if let Part::Commit(number) = part
            && is_one(stream, number)
        {
            bytes[0] = 9;
        }
    });
}

/// Which store it is tells the last commit that can be read; in another one, other matches have these positions.
#[test]
fn an_export_whose_last_commit_cannot_be_read_goes_on_with_its_own_store_alone() {
    let (_folder, [data, other, out]) = acceptance::places(["data", "other", "out"]);
    simulate(&data, "rosenkoenig", 2, 2, 1);
    simulate(&other, "rosenkoenig", 2, 9, 2);
    let store = Store::open(&data, Config::default()).expect("the store opens");
    let end = store.position();
    let last = store.feed(end - 1, 1).expect("readable").remove(0);
    drop(store);
    make_unknown(&data, |stream, number| (stream, number) == (last.stream, last.number));
    let damaged = ["--format", "ndjson", "--skip-damaged"];
    export(&data, &out, &damaged);
    let told = manifest(&out);
    assert_eq!((&told["position"], &told["mark_position"]), (&end.into(), &(end - 1).into()));
    try_export(&other, &out, &damaged).refused(&["an export with another store"]);
    simulate(&data, "copenhagen", 2, 1, 1);
    export(&data, &out, &damaged);
    assert_eq!(tables(&out)["matches"].len(), 2);
    assert!(manifest(&out)["mark"].is_string() && manifest(&out)["mark_position"].is_null());
}

#[test]
fn an_export_of_which_no_commit_can_be_read_is_not_gone_on_with() {
    let (_folder, [data, out]) = acceptance::places(["data", "out"]);
    simulate(&data, "rosenkoenig", 2, 1, 1);
    make_unknown(&data, |_, _| true);
    export(&data, &out, &["--skip-damaged"]);
    let refused = ["no commit that can be read", "another folder"];
    try_export(&data, &out, &["--skip-damaged"]).refused(&refused);
}

#[test]
fn the_next_export_adds_what_ended_since() {
    let (folder, [data, out]) = acceptance::places(["data", "out"]);
    simulate(&data, "rosenkoenig", 2, 3, 1);
    let said = export(&data, &out, &["--format", "ndjson"]);
    assert!(said.starts_with("3 matches"), "{said}");
    let (first, before) = (position(&out), tables(&out));
    let said = export(&data, &out, &["--format", "ndjson"]);
    assert!(said.starts_with("0 matches"), "{said}");
    simulate(&data, "rosenkoenig", 2, 2, 2);
    simulate(&data, "copenhagen", 2, 1, 1);
    let said = export(&data, &out, &["--format", "ndjson"]);
    assert!(said.starts_with("3 matches"), "{said}");
    let once = folder.path().join("once");
    export(&data, &once, &["--format", "ndjson"]);
    assert_eq!(tables(&out), tables(&once));
    let since = folder.path().join("since");
    export(&data, &since, &["--format", "ndjson", "--since", &first.to_string()]);
    let (since, whole) = (tables(&since), tables(&once));
    for (name, rows) in &whole {
        let old = before.get(name).map_or(0, Vec::len);
        let new = since.get(name).map_or(&[][..], Vec::as_slice);
        assert_eq!(&rows[old..], new, "{name}");
    }
}

#[test]
fn filters_choose_matches() {
    let (folder, [data]) = acceptance::places(["data"]);
    simulate(&data, "rosenkoenig", 2, 2, 1);
    simulate(&data, "copenhagen", 2, 1, 1);
    let count = |name: &str, more: &[&str]| {
        let out = folder.path().join(name);
        let said = export(&data, &out, more);
        let found = tables(&out).get("matches").map_or(0, Vec::len);
        assert!(said.starts_with(&format!("{found} matches")), "{said}");
        found
    };
    assert_eq!(count("game", &["--game", "copenhagen"]), 1);
    assert_eq!(count("past", &["--to", "2020-12-31"]), 0);
    assert_eq!(count("now", &["--from", "2020-12-31"]), 3);
    assert_eq!(count("future", &["--from", "2999-01-01"]), 0);
}

#[test]
fn a_file_that_cannot_appear_takes_the_others_back() {
    let (folder, [data, out]) = acceptance::places(["data", "out"]);
    simulate(&data, "rosenkoenig", 2, 2, 1);
    export(&data, &out, &[]);
    let before = names(&out);
    simulate(&data, "copenhagen", 2, 2, 1);
    // Here the last of the new files should go: a file stands where a folder is due.
    let obstacle = out.join("copenhagen_turn_ended");
    fs::write(&obstacle, "in the way").expect("a file");
    try_export(&data, &out, &[]).refused(&["cannot create", "copenhagen_turn_ended"]);
    fs::remove_file(&obstacle).expect("a file");
    assert_eq!(names(&out), before);
    export(&data, &out, &[]);
    let once = folder.path().join("once");
    export(&data, &once, &[]);
    assert_eq!(tables(&out), tables(&once));
}

#[test]
fn what_a_killed_export_left_is_removed() {
    let (folder, [data, out]) = acceptance::places(["data", "out"]);
    simulate(&data, "rosenkoenig", 2, 2, 1);
    export(&data, &out, &[]);
    let whole = tables(&out);
    // As if it had been killed before the manifest was written, and before a file was whole.
    let part = names(&out).into_iter().find(|name| name.starts_with("events/")).expect("a file");
    fs::copy(out.join(&part), out.join(part.replace("part-", "part-9"))).expect("a copy");
    fs::create_dir_all(out.join("_unfinished/events")).expect("a folder");
    fs::write(out.join("_unfinished/events/part-1.parquet"), "half").expect("a file");
    // What somebody else keeps in the folder, or has linked into it, was not left by this export.
    let (inner, linked) = (out.join("csv"), folder.path().join("linked"));
    export(&data, &inner, &["--format", "csv"]);
    export(&data, &linked, &[]);
    symlink(&linked, out.join("older")).expect("a link");
    symlink(linked.join("events"), out.join("notes")).expect("a link");
    let mine = out.join("mine/game=x/month=y/part-1.parquet");
    fs::create_dir_all(mine.parent().expect("a folder")).expect("a folder");
    fs::write(&mine, "mine").expect("a file");
    let kept = [names(&inner), names(&linked)];
    export(&data, &out, &[]);
    assert_eq!([names(&inner), names(&linked)], kept);
    assert_eq!(fs::read(&mine).expect("it is there"), b"mine");
    fs::remove_dir_all(out.join("mine")).expect("it is there");
    fs::remove_dir_all(&inner).expect("it is there");
    fs::remove_file(out.join("older")).expect("it is there");
    fs::remove_file(out.join("notes")).expect("it is there");
    assert_eq!(tables(&out), whole);
    assert!(!out.join("_unfinished").exists());
}

#[test]
fn an_export_tells_of_all_its_tables_and_columns() {
    let (folder, [data]) = acceptance::places(["data"]);
    simulate(&data, "rosenkoenig", 2, 1, 1);
    let told = |name: &str, more: &[&str]| {
        let out = folder.path().join(name);
        export(&data, &out, more);
        let told = fs::read(out.join("_dictionary.json")).expect("a dictionary");
        let told: Value = serde_json::from_slice(&told).expect("JSON");
        assert_eq!(told["version"], tables::VERSION);
        let text = |value: &Value| value.as_str().expect("text").to_owned();
        let list = |value: &Value| value.as_array().expect("a list").clone();
        let table = |item: &Value| {
            let columns = list(&item["columns"]);
            let columns: Vec<_> =
                columns.iter().map(|c| (text(&c["name"]), text(&c["type"]))).collect();
            (text(&item["name"]), list(&item["games"]).iter().map(text).collect(), columns)
        };
        list(&told["items"]).iter().map(table).collect::<Vec<(_, Vec<String>, _)>>()
    };
    let known = |catalogue: &tables::Catalogue, only: Option<&str>| {
        let all = catalogue.all().map(|(table, games)| {
            let columns = [tables::Column::GAME].into_iter().chain(table.columns.iter().cloned());
            let columns = columns.map(|c| (c.name.to_string(), c.kind.name().to_owned())).collect();
            let games = games.into_iter().filter(|game| only.is_none_or(|only| only == *game));
            (table.name.to_string(), games.map(str::to_owned).collect::<Vec<_>>(), columns)
        });
        all.filter(|(_, games, _)| !games.is_empty()).collect::<Vec<(_, _, Vec<_>)>>()
    };
    let catalogue = tables::Catalogue::new(catalog::games());
    assert_eq!(told("hashes", &["--hashes"]), known(&catalogue, None));
    let catalogue = catalogue.without_hashes();
    assert_eq!(told("all", &[]), known(&catalogue, None));
    // What the next export finds in the folder becomes true again.
    fs::write(folder.path().join("all/_dictionary.json"), "{").expect("a file");
    assert_eq!(told("all", &[]), known(&catalogue, None));
    assert_eq!(told("delphi", &["--game", "delphi"]), known(&catalogue, Some("delphi")));
}
