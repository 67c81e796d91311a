//! Statistics of many matches: an answer takes as much memory as it tells, not as there are matches.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use acceptance::process::Process;
use acceptance::proof::{hex, sha256};
use serde_json::{Value, json};

use crate::bytes::measured;
use crate::turns::simulated;

const MATCHES: usize = 60_000;

/// Multiplies the one match that the statistics know of, each with players of its own.
fn multiply(file: &Path) {
    let kept: Value = serde_json::from_slice(&fs::read(file).expect("a file")).expect("JSON");
    let mut statistics = kept["statistics"].clone();
    let records = &mut statistics["games"]["copenhagen"]["records"];
    let record = records["matches"][0].clone();
    let players = (0..MATCHES * 2).map(|player| json!({"player": format!("player {player}")}));
    records["identities"] = players.collect();
    let matches = (0..MATCHES).map(|number| {
        let mut record = record.clone();
        let day = number % 365;
        record["finished_at"] =
            json!(format!("2026-{:02}-{:02}T10:00:00.000Z", day / 31 + 1, day % 28 + 1));
        record["commands"] = json!(60 + number % 90);
        for seat in 0..2 {
            record["seats"][seat] = json!([number % 77, seat + 1, number * 2 + seat]);
        }
        record
    });
    records["matches"] = matches.collect();
    let text = statistics.to_string();
    let checksum = hex(&sha256(&[text.as_bytes()]));
    fs::write(file, format!("{{\"checksum\":\"{checksum}\",\"statistics\":{text}}}"))
        .expect("it can be written");
}

#[test]
fn groups_that_are_not_told_take_no_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    simulated(folder.path(), "copenhagen", 1);
    let server = Process::serve(folder.path(), &[]);
    let path = "/v1/stats/copenhagen?players=all";
    while server.client().get(path).ok()["finished"]["matches"] != 1 {}
    server.stop();
    multiply(&folder.path().join("statistics.json"));
    let server = Process::serve(folder.path(), &[]);
    let client = server.client();
    let begun = Instant::now();
    while client.get(path).ok()["finished"]["matches"] != MATCHES {
        assert!(begun.elapsed() < Duration::from_secs(120), "the file is read");
        thread::sleep(Duration::from_millis(200));
    }
    for (group_by, groups) in
        [("player,bot,day", MATCHES * 2), ("bot,day", 332), ("player", MATCHES * 2)]
    {
        let path = format!("{path}&group_by={group_by}&limit=10");
        let answer = measured(&server, group_by, || client.get(&path)).ok();
        let told = answer["finished"]["groups"].as_array().expect("groups");
        assert_eq!(told.len(), 10, "{group_by}");
        let left_out = answer["finished"]["groups_left_out"].as_u64();
        assert_eq!(left_out, Some(groups as u64 - 10), "{group_by}");
    }
    // Of groups with as many matches the first ones are told.
    let answer = client.get(&format!("{path}&group_by=player&limit=3")).ok();
    let told = &answer["finished"]["groups"];
    let names = [0, 1, 2].map(|at| told[at]["by"][0]["value"].clone());
    assert_eq!(names, ["player 0", "player 1", "player 10"]);
    measured(&server, "all of them", || client.get(path)).ok();
}

/// Each name is looked up among the options of the game, which takes a while.
#[test]
fn names_to_group_by_are_counted_before_they_are_looked_up() {
    let server = Process::alone(&[]);
    let client = server.client();
    let names = vec!["option.map"; 5_000].join(",");
    for path in ["/v1/stats/delphi", "/v1/stats/delphi/report"] {
        let worked = server.cpu();
        let answer = client.get(&format!("{path}?group_by={names}"));
        assert_eq!(answer.problem(400, "malformed")["errors"][0]["pointer"], "group_by");
        let worked = server.cpu() - worked;
        assert!(worked < 1.0, "{path}: {worked} seconds of a core");
    }
}
