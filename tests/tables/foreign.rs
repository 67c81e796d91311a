//! Files beside a store that were made from another one: they are made anew, also where they are not ahead of the store.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::folder::simulate;
use acceptance::proof::{hex, sha256};
use acceptance::server::Server;
use acceptance::{run_on, until};

const FILES: [&str; 2] = ["statistics.json", "tables.sqlite"];

/// What `muninn stats` says of the finished matches of Rosenkönig: how many, and their points.
fn counted(data: &Path) -> (Value, Value) {
    let lines = run_on(data, &["stats", "--players", "all"]).lines();
    let line = lines.iter().find(|line| line["game"] == "rosenkoenig");
    let line = line.expect("every game has a line");
    (line["matches"].clone(), line["points"]["sum"].clone())
}

/// What `muninn query` says of the same.
fn queried(data: &Path) -> (Value, Value) {
    let sql =
        "SELECT (SELECT count(*) FROM matches) AS matches, sum(final_points) AS points FROM seats";
    let rows = run_on(data, &["query", sql, "--format", "ndjson"]).lines();
    let [row] = &rows[..] else { panic!("{rows:?}") };
    (row["matches"].clone(), row["points"].clone())
}

#[test]
fn files_of_a_shorter_store_are_made_anew() {
    let folder = tempfile::tempdir().expect("a folder");
    let [short, long] = ["short", "long"].map(|name| folder.path().join(name));
    simulate(&short, "rosenkoenig", 2, 2, 1);
    simulate(&long, "rosenkoenig", 2, 5, 2);
    let (few, many) = (counted(&short), counted(&long));
    assert_eq!((&few.0, &many.0), (&json!(2), &json!(5)));
    assert_eq!((queried(&short), queried(&long)), (few, many.clone()));

    let copy = || {
        for file in FILES {
            fs::copy(short.join(file), long.join(file)).expect("a copy");
        }
    };
    copy();
    assert_eq!(queried(&long), many);
    assert_eq!(counted(&long), many);
    copy();
    let server = Server::start(&long, catalog::games());
    let client = server.client();
    until("the statistics", || {
        let finished = client.get("/v1/stats/rosenkoenig?players=all").ok()["finished"].clone();
        (&finished["matches"], &finished["points"]["sum"]) == (&many.0, &many.1)
    });
    server.stop();
}

#[test]
fn files_of_the_store_itself_are_gone_on_with() {
    let (_folder, [data]) = acceptance::places(["data"]);
    simulate(&data, "rosenkoenig", 2, 2, 1);
    let before = (counted(&data), queried(&data));
    assert_eq!(before.0, before.1);
    // A mark that only a file which is gone on with still has.
    let file = data.join("statistics.json");
    let mut kept: Value = serde_json::from_slice(&fs::read(&file).expect("a file")).expect("JSON");
    kept["statistics"]["games"]["rosenkoenig"]["records"]["matches"][0]["events"] = json!(77);
    kept["checksum"] = json!(hex(&sha256(&[kept["statistics"].to_string().as_bytes()])));
    fs::write(&file, kept.to_string()).expect("it is written");
    simulate(&data, "rosenkoenig", 2, 3, 2);
    assert_eq!(counted(&data).0, 5);
    let now: Value = serde_json::from_slice(&fs::read(&file).expect("a file")).expect("JSON");
    let records = &now["statistics"]["games"]["rosenkoenig"]["records"];
    assert_eq!(records["matches"][0]["events"], 77);
    assert_eq!(queried(&data), counted(&data));
}
