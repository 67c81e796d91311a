//! Some matches of a store are damaged: they are named everywhere, and hide none of the others.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;

use archive::Archive;
use serde_json::{Value, json};
use store::{Config, Store, StreamId};
use tables::{Bundle, Catalogue, Download, DownloadError, Format, Pieces, Selection, Wanted};

use crate::folder::{simulate, try_export};
use crate::harm::{HARMS, Harm, plant};
use crate::read::{read, tables};
use acceptance::rewritten::{Part, rewrite};
use acceptance::server::Server;
use acceptance::{Client, Said, Table, muninn, run, run_on, until};

/// Damaged matches by id: the commit that is damaged, and how.
type Planted = BTreeMap<String, (Option<u64>, &'static Harm)>;

/// Finished matches, damaged ones, and more finished ones. Returns the ids of both kinds; the damaged ones with what is wrong.
fn planted(data: &Path) -> (Vec<String>, Planted) {
    simulate(data, "rosenkoenig", 2, 3, 1);
    let honest = ids(data);
    let plant = |(number, harm): (u8, &'static Harm)| {
        let (id, commit) = plant(data, &honest[0], number, harm);
        (id, (commit, harm))
    };
    let damaged = (1..).zip(&HARMS).map(plant).collect();
    simulate(data, "copenhagen", 2, 2, 1);
    (ids(data), damaged)
}

/// The ids of the matches that a server lists.
pub(crate) fn ids(data: &Path) -> Vec<String> {
    let server = Server::start(data, catalog::games());
    let listed = server.client().matches("").ok();
    let items = listed["items"].as_array().expect("a list");
    // Only what the start has noticed is left out yet.
    let well = |id: &String| server.client().info(id).status == 200;
    let ids = items.iter().map(|item| item["match"].as_str().expect("an id").to_owned());
    let ids = ids.filter(well).filter(|id| server.client().events(id, "limit=1000").status == 200);
    let found = ids.collect();
    server.stop();
    found
}

#[test]
fn a_server_names_what_is_damaged_and_serves_the_rest() {
    let (folder, [data]) = acceptance::places(["data"]);
    let (_, damaged) = planted(&data);
    let server = Server::asked(&data, catalog::games());
    let client = server.client();
    let due = client.get("/v1/tables").ok()["position"].clone();
    until("the statistics", || {
        client.get("/v1/stats/rosenkoenig").ok()["finished"]["position"] == due
    });
    until("the tables", || {
        let answer = client.query("SELECT 1");
        answer.status == 200 && answer.json()["position"] == due
    });
    counted(&client, &server.operator(), damaged.len());
    named(&client, &damaged);
    hidden(&client, &damaged);
    left_out(&client, folder.path(), damaged.len());
    in_the_feed(&client, &damaged);
    server.stop();
}

/// The feed shows everything else, and names each commit that it cannot show in its place; by pages and by lines.
fn in_the_feed(client: &Client, damaged: &Planted) {
    let lines = client.feed_lines("").lines();
    let pages = Table::pages(7, |query| client.feed(query).ok());
    assert_eq!(pages, lines);
    let positions = lines.iter().map(|line| line["position"].as_u64().expect("each has one"));
    assert!(positions.collect::<Vec<_>>().is_sorted());
    let listed = client.matches("").ok();
    for item in listed["items"].as_array().expect("a list") {
        let shown = lines.iter().filter(|line| line["match"] == item["match"]);
        let shown: Vec<&Value> = shown.collect();
        assert!(shown.iter().all(|line| line["event"].is_object()), "{item}");
        assert_eq!(Some(shown.len() as u64), item["version"].as_u64());
    }
    // Also where others are asked for, as in the list of what is damaged.
    let asked = client.feed_lines("type=Nothing").lines();
    for line in &asked {
        let fields = line.as_object().expect("an object").keys().map(String::as_str);
        let fields: BTreeSet<&str> = fields.collect();
        assert_eq!(fields, BTreeSet::from(["commit", "match", "position", "what"]), "{line}");
        assert!(lines.contains(line), "{line}");
    }
    for (id, (commit, harm)) in damaged {
        let own = lines.iter().filter(|line| line["match"] == *id.as_str());
        let (shown, named): (Vec<&Value>, Vec<&Value>) =
            own.partition(|line| line["event"].is_object());
        let commits = |lines: &[&Value]| -> Vec<u64> {
            lines.iter().filter_map(|line| line["commit"].as_u64()).collect()
        };
        match (harm.what, commit) {
            // The feed neither folds nor checks a finished match; that is for whoever verifies it.
            ("differs" | "corrupt", _) => {
                assert!(named.is_empty() && !shown.is_empty(), "{}", harm.name)
            }
            (_, Some(commit)) => {
                // Beside it those that cannot be redacted, since the match cannot be folded.
                assert!(commits(&named).contains(commit), "{}: {named:?}", harm.name);
                assert!(!commits(&shown).contains(commit) && !shown.is_empty());
                let asked = asked.iter().filter(|line| line["match"] == *id.as_str());
                assert!(commits(&asked.collect::<Vec<_>>()).contains(commit), "{}", harm.name);
            }
            (_, None) => assert!(shown.is_empty() && named.len() > 10, "{}", harm.name),
        }
        assert!(named.iter().all(|line| line["what"] == harm.what), "{named:?}");
    }
}

/// Every answer counts them.
fn counted(client: &Client, operator: &Client, count: usize) {
    let listed = client.matches("").ok();
    assert_eq!(listed["items"].as_array().map(Vec::len), Some(5), "{listed}");
    let stats = client.get("/v1/stats/rosenkoenig?players=all").ok()["finished"].clone();
    assert_eq!(stats["matches"], 3);
    let answer = client.query("SELECT count(*) FROM matches").ok();
    assert_eq!(answer["rows"], json!([[5]]));
    for counted in [
        &listed,
        &stats,
        &answer,
        &client.get("/v1/tables").ok(),
        &client.get("/v1/stats/rosenkoenig/players").ok(),
        &client.get("/v1/players/random").ok(),
        &client.get("/v1/damaged").ok(),
        &client.get("/readyz").ok(),
    ] {
        assert_eq!(counted["damaged"], count, "{counted}");
    }
    assert_eq!(operator.figure("muninn_damaged_matches"), count as u64);
}

/// They are named, over HTTP and in SQL.
fn named(client: &Client, damaged: &Planted) {
    let named = client.get("/v1/damaged").ok()["items"].clone();
    let rows =
        client.query("SELECT match_id, commit_no, what, feed_position FROM damaged").ok()["rows"]
            .clone();
    assert_eq!(rows.as_array().map(Vec::len), Some(damaged.len()));
    for (id, (commit, harm)) in damaged {
        let item = named.as_array().expect("a list").iter().find(|item| item["match"] == **id);
        let item = item.unwrap_or_else(|| panic!("{}: {named}", harm.name));
        assert_eq!((&item["commit"], &item["what"]), (&json!(commit), &json!(harm.what)), "{item}");
        let row = json!([id, commit, harm.what, item["position"]]);
        assert!(rows.as_array().is_some_and(|rows| rows.contains(&row)), "{row}: {rows}");
    }
    let pages = acceptance::Table::pages(2, |page| client.get(&format!("/v1/damaged?{page}")).ok());
    assert_eq!(json!(pages), named);
}

/// Nothing of them is shown, and all of the others.
fn hidden(client: &Client, damaged: &Planted) {
    for (id, (commit, harm)) in damaged {
        for part in [
            "",
            "/view?at=1",
            "/commits",
            "/events",
            "/replay",
            "/position",
            "/ledger",
            "/legal-commands",
            "/board.svg",
            "/stream",
        ] {
            let answer = client.get(&format!("/v1/matches/{id}{part}"));
            assert!(answer.header("retry-after").is_some_and(|after| after == "3600"));
            let problem = answer.problem(503, "damaged").to_string();
            let place = commit.map_or(format!("match {id}"), |n| format!("match {id}, commit {n}"));
            assert!(problem.contains(&place), "{}: {problem}", harm.name);
        }
        for (part, body) in [
            ("/commands", json!({"command": {"type": "DrawCard"}})),
            ("/branches", json!({"at": 1})),
            ("/take-back", json!({})),
            ("/seats/0", json!({})),
            ("/close", json!({})),
        ] {
            client.post(&format!("/v1/matches/{id}{part}"), &body).problem(503, "damaged");
        }
    }
    for item in client.matches("").ok()["items"].as_array().expect("a list") {
        let id = item["match"].as_str().expect("an id");
        assert_eq!(client.replay(id, "").status, 200);
    }
}

/// Tables hold the others, and count them.
fn left_out(client: &Client, folder: &Path, count: usize) {
    for format in ["csv", "ndjson", "parquet"] {
        let answer = client.get(&format!("/v1/tables/matches.{format}"));
        assert_eq!((answer.status, answer.header("damaged")), (200, Some(&*count.to_string())));
        let path = folder.join(format!("matches.{format}"));
        fs::write(&path, &answer.body).expect("a file");
        assert_eq!(read(&path).len(), 5, "{format}");
    }
    let archive = client.get("/v1/tables.tar");
    assert_eq!((archive.status, archive.header("damaged")), (200, Some(&*count.to_string())));
    let none = client.get("/v1/tables/matches.csv?until=1");
    assert_eq!(none.header("damaged"), Some("0"), "a span counts what is in it");
}

#[test]
fn commands_name_what_is_damaged_and_go_on() {
    let (_folder, [data, out]) = acceptance::places(["data", "out"]);
    let (honest, damaged) = planted(&data);
    let said = run_on(&data, &["verify"]);
    assert_eq!(said.code, Some(1), "{}", said.out);
    let told = try_export(&data, &out, &["--format", "ndjson"]);
    assert_eq!(told.code, Some(1), "{}", told.error);
    let manifest = fs::read(out.join("_export.json")).expect("a manifest");
    let manifest: Value = serde_json::from_slice(&manifest).expect("JSON");
    let counted = run_on(&data, &["stats"]);
    assert_eq!(counted.code, Some(1));
    let named = [&said.out, &told.error, &counted.error];
    for (id, (commit, harm)) in &damaged {
        let place = commit.map_or(format!("match {id}: "), |n| format!("match {id}, commit {n}: "));
        for text in named {
            let line = text.lines().find(|line| line.contains(&place));
            let line = line.unwrap_or_else(|| panic!("{}: {text}", harm.name));
            let clear = !harm.name.starts_with("format") || line.contains("unknown");
            assert!(clear, "{}: {line}", harm.name);
        }
        let left_out = manifest["damaged"].as_array().expect("a list");
        let left_out = left_out.iter().find(|left_out| left_out["match"] == **id);
        assert_eq!(left_out.map(|left_out| &left_out["commit"]), Some(&json!(commit)));
    }
    for id in &honest {
        assert!(!named.iter().any(|text| text.contains(id.as_str())));
    }
    let found = tables(&out);
    assert_eq!(found["matches"].len(), 5);
    // Whoever knows of them says so.
    let again = try_export(&data, &out, &["--format", "ndjson", "--skip-damaged"]);
    assert_eq!(again.code, Some(0));
    assert_eq!(again.error, told.error, "they are tried again, and named again");
    assert_eq!(tables(&out), found);
    let note = run_on(&data, &["query", "SELECT count(*) FROM damaged"]);
    assert_eq!(note.code, Some(0));
    assert!(note.error.contains(&format!("{} damaged matches", damaged.len())), "{}", note.error);
}

/// It is the store that is wrong, and not the command.
#[test]
fn no_simulation_begins_with_a_damaged_match() {
    let (_folder, [data]) = acceptance::places(["data"]);
    simulate(&data, "rosenkoenig", 2, 1, 1);
    let (id, _) = plant(&data, &ids(&data)[0], 1, &HARMS[3]);
    let from = format!("{id}@1");
    for store in ["--data", "--keep"] {
        let mut simulate = muninn();
        simulate.args(["simulate", "--game", "rosenkoenig", "--from", &from, store]).arg(&data);
        run(&mut simulate).refused(&[&format!("--from {from}: match {id}, commit ")]);
    }
}

#[test]
fn what_is_damaged_is_in_the_exit_code_though_nobody_reads_the_output() {
    let (_folder, [data]) = acceptance::places(["data"]);
    let (_, damaged) = planted(&data);
    for arguments in [
        &["verify"][..],
        &["audit", "--game", "rosenkoenig", "--edition", "1"],
        &["audit", "--game", "rosenkoenig", "--edition", "1", "--format", "ndjson"],
        &["stats", "--players", "all"],
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut command = muninn();
        command.args(arguments).arg("--data").arg(&data).stdout(writer).stderr(Stdio::piped());
        let child = command.spawn().expect("it starts");
        let output = child.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {said}");
        assert!(!said.contains("pipe"), "{arguments:?}: {said}");
        // Those that tell of damage beside the output do so nonetheless.
        let told = said.matches("left out of the statistics").count();
        let due = if arguments[0] == "stats" { damaged.len() } else { 0 };
        assert_eq!(told, due, "{arguments:?}: {said}");
    }
}

/// The pieces of tables over an archive; how many damaged matches were counted after the first, and how it ended.
fn taken(mut pieces: impl Pieces) -> (u64, Result<Vec<u8>, DownloadError>) {
    let mut bytes = Vec::new();
    while bytes.is_empty() {
        let piece = pieces.next_piece().expect("what is found now is counted");
        bytes.extend(piece.expect("there is more"));
    }
    let counted = pieces.seal();
    loop {
        match pieces.next_piece() {
            Ok(Some(piece)) => bytes.extend(piece),
            Ok(None) => return (counted, Ok(bytes)),
            Err(error) => return (counted, Err(error)),
        }
    }
}

#[test]
fn what_is_found_while_an_answer_is_sent_ends_it_and_is_counted_in_the_next() {
    let (folder, [data]) = acceptance::places(["data"]);
    simulate(&data, "copenhagen", 2, 40, 1);
    let (forged, _) = plant(&data, &ids(&data)[0], 1, &HARMS[4]);
    let catalogue = Arc::new(Catalogue::new(catalog::games()));
    let archive = Archive::open(&data, catalog::games(), 8 << 20).expect("the store opens");
    let table = |archive: &Archive| {
        let (table, wanted) = ("events".to_owned(), Wanted::default());
        let selection = Selection { table, wanted, span: 0..archive.position() };
        let catalogue = Arc::clone(&catalogue);
        let download = Download::new(archive.clone(), catalogue, Format::Ndjson, selection);
        download.expect("its head is written").expect("there is such a table")
    };
    let (counted, ended) = taken(table(&archive));
    assert_eq!(counted, 0, "nobody has come so far");
    let error = ended.map(drop).expect_err("nothing is left out that was not counted");
    assert!(error.to_string().contains(&forged), "{error}");
    let (counted, ended) = taken(table(&archive));
    assert_eq!(counted, 1);
    let text = String::from_utf8(ended.expect("the rest is there")).expect("text");
    assert!(text.len() > 100_000 && !text.contains(&forged));
    // What is found before the first bytes is counted with them.
    let data = folder.path().join("small");
    simulate(&data, "copenhagen", 2, 2, 1);
    let (forged, _) = plant(&data, &ids(&data)[0], 1, &HARMS[4]);
    let archive = Archive::open(&data, catalog::games(), 8 << 20).expect("the store opens");
    let span = 0..archive.position();
    let wanted = Wanted::default();
    let scratch = folder.path().to_owned();
    let bundle = Bundle::new(archive, Arc::clone(&catalogue), Format::Csv, wanted, span, scratch);
    let (counted, ended) = taken(bundle);
    assert_eq!(counted, 1);
    assert!(!String::from_utf8_lossy(&ended.expect("all else")).contains(&forged));
}

#[test]
fn what_was_mended_comes_back_everywhere() {
    let (_folder, [data, out]) = acceptance::places(["data", "out"]);
    simulate(&data, "rosenkoenig", 2, 2, 1);
    let honest = ids(&data);
    let (damaged, _) = plant(&data, &honest[0], 1, &HARMS[6]);
    simulate(&data, "rosenkoenig", 2, 2, 2);
    let count = || {
        let sql = "SELECT (SELECT count(*) FROM matches), (SELECT count(*) FROM damaged)";
        let rows = run_on(&data, &["query", sql, "--format", "csv"]).out;
        let Said { code, out: told, error: _ } = run_on(&data, &["stats", "--players", "all"]);
        let stats: Vec<Value> =
            told.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
        let stats = stats.into_iter().find(|stats| stats["game"] == "rosenkoenig");
        let exported = try_export(&data, &out, &["--format", "ndjson"]).code;
        let rows = rows.lines().last().expect("a row").to_owned();
        (rows, code, stats.expect("a line"), exported, tables(&out)["matches"].len())
    };
    let (rows, code, stats, exported, matches) = count();
    assert_eq!((&*rows, code, exported, matches), ("4,1", Some(1), Some(1), 4));
    assert_eq!((&stats["matches"], &stats["damaged"]), (&json!(4), &json!(1)));
    // The header comes back from a copy.
    let stream = |id: &str| StreamId(*id.parse::<uuid::Uuid>().expect("an id").as_bytes());
    let store = Store::open(&data, Config::default()).expect("the store opens");
    let header = store.header(stream(&honest[0])).expect("readable").expect("a header");
    drop(store);
    rewrite(&data, &data, |of, part, bytes| {
        if (of, part) == (stream(&damaged), Part::Header) {
            bytes.clone_from(&header);
        }
    });
    let (rows, code, stats, exported, matches) = count();
    assert_eq!((&*rows, code, exported, matches), ("5,0", Some(0), Some(0), 5));
    assert_eq!((&stats["matches"], &stats["damaged"]), (&json!(5), &json!(0)));
    let rebuilt = run_on(&data, &["stats", "--rebuild", "--players", "all"]).lines();
    assert!(rebuilt.contains(&stats));
    assert_eq!(ids(&data).len(), 5);
}
