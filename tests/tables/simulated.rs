//! `muninn simulate`: deals and choices apart, each deal from every seat, from any start.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use acceptance::server::Server;
use acceptance::{endless, muninn, run, run_on};
use serde_json::{Value, json};

/// The lines of `--format ndjson`: those of the matches, and the summary.
#[track_caller]
fn simulated(game: &str, more: &[&str]) -> (Vec<Value>, Value) {
    let asked = ["simulate", "--game", game, "--format", "ndjson"];
    let mut lines = run(muninn().args(asked).args(more)).lines();
    let summary = lines.pop().expect("a summary");
    assert_eq!(summary["type"], "summary");
    let numbers = lines.iter().map(|line| line["number"].as_u64().expect("a number"));
    assert!(numbers.eq(0..lines.len() as u64), "in order");
    (lines, summary)
}

/// The same without what depends on the store.
fn played(game: &str, more: &[&str]) -> Vec<Value> {
    let (mut lines, _) = simulated(game, more);
    for line in &mut lines {
        line.as_object_mut().expect("an object").remove("match");
    }
    lines
}

/// What the summary says that each match begins with.
#[track_caller]
fn begins(game: &str, more: &[&str], told: &Value) {
    let (_, summary) = simulated(game, &[more, &["--bot", "greedy"]].concat());
    let named = ["edition", "options", "from", "loaded"].map(|name| summary[name].clone());
    assert_eq!(json!(named), *told);
    assert_eq!(summary["players"][0]["bot_version"], json!(2));
}

/// What stands under a name in each line.
fn each(lines: &[Value], name: &str) -> Vec<Value> {
    lines.iter().map(|line| line[name].clone()).collect()
}

#[track_caller]
fn refused(more: &[&str], because: &str) {
    run(muninn().arg("simulate").args(more)).failed(2, &[because]);
}

fn text(path: &Path) -> &str {
    path.to_str().expect("text")
}

#[test]
fn the_same_deal_with_the_same_choices_is_the_same_match_everywhere() {
    let folder = tempfile::tempdir().expect("a folder");
    // Who plays Delphi at random takes thousands of rounds.
    for (game, seats, bots) in [
        ("voluspa", "3", "greedy,random"),
        ("rosenkoenig", "2", "greedy,random"),
        ("copenhagen", "4", "greedy,random"),
        ("delphi", "3", "greedy"),
    ] {
        let asked = ["--matches", "4", "--seed", "5", "--seats", seats, "--bot", bots];
        let first = played(game, &[&asked[..], &["--threads", "1"]].concat());
        assert_eq!(played(game, &[&asked[..], &["--threads", "3"]].concat()), first, "{game}");
        let data = folder.path().join(game);
        assert_eq!(played(game, &[&asked[..], &["--keep", text(&data)]].concat()), first, "{game}");
    }
}

#[test]
fn deals_and_choices_have_seeds_of_their_own() {
    let with = |deals: &str, bots: &str| {
        played("voluspa", &["--matches", "6", "--deal-seed", deals, "--bot-seed", bots])
    };
    let (own, other_bots, other_deals) = (with("1", "1"), with("1", "2"), with("2", "1"));
    assert_eq!(own, played("voluspa", &["--matches", "6", "--seed", "1"]));
    assert_eq!(each(&own, "seed"), each(&other_bots, "seed"));
    assert_ne!(each(&own, "seats"), each(&other_bots, "seats"));
    let seeds: BTreeSet<String> = [&own, &other_deals]
        .iter()
        .flat_map(|lines| each(lines, "seed"))
        .map(|s| s.to_string())
        .collect();
    assert_eq!(seeds.len(), 12, "each deal is another one");
}

#[test]
fn the_first_match_of_a_deal_is_the_same_when_it_is_mirrored() {
    let asked = ["--matches", "4", "--seed", "5", "--seats", "3", "--bot", "greedy,random"];
    let alone = played("voluspa", &asked);
    let mirrored = played("voluspa", &[&asked[..], &["--mirror"]].concat());
    for name in ["seed", "seats", "commands"] {
        let first: Vec<Value> = each(&mirrored, name).into_iter().step_by(3).collect();
        assert_eq!(first, each(&alone, name), "{name}");
    }
    assert_ne!(each(&mirrored, "seats")[0], each(&mirrored, "seats")[1]);
}

#[test]
fn mirrored_each_player_sits_everywhere_in_each_deal() {
    let (_folder, [data]) = acceptance::places(["data"]);
    let asked = ["--matches", "5", "--seats", "3", "--bot", "greedy,random,random", "--mirror"];
    let (lines, summary) = simulated("voluspa", &[&asked[..], &["--keep", text(&data)]].concat());
    assert_eq!((lines.len(), &summary["deals"], &summary["matches"]), (15, &json!(5), &json!(15)));
    let mut sums = [0_i64; 3];
    for deal in lines.chunks(3) {
        assert_eq!(each(deal, "deal")[0], each(deal, "deal")[2]);
        assert!(each(deal, "seed").iter().all(|seed| *seed == deal[0]["seed"]));
        for (player, sum) in sums.iter_mut().enumerate() {
            let at = |line: &Value| {
                let seats = line["seats"].as_array().expect("a list").clone();
                seats
                    .into_iter()
                    .enumerate()
                    .find(|(_, seat)| seat["player"] == json!(player))
                    .expect("plays")
            };
            let places: BTreeSet<usize> = deal.iter().map(|line| at(line).0).collect();
            assert_eq!(places.len(), 3, "from every seat");
            let bot = if player == 0 { "greedy" } else { "random" };
            assert!(deal.iter().all(|line| at(line).1["bot"] == bot));
            *sum +=
                deal.iter().map(|line| at(line).1["points"].as_i64().expect("points")).sum::<i64>();
        }
    }
    for (player, sum) in sums.iter().enumerate() {
        let told = summary["players"][player]["points"].as_f64().expect("a mean");
        assert!((told - *sum as f64 / 15.0).abs() < 1e-9, "{summary}");
    }
    let shares = summary["players"].as_array().expect("a list").iter();
    let shares: f64 = shares.map(|player| player["win_share"].as_f64().expect("a share")).sum();
    assert!((shares - 1.0).abs() < 1e-9, "{summary}");

    // All matches of a deal begin alike.
    let server = Server::start(&data, catalog::games());
    let client = server.client();
    let first = |line: &Value| {
        let id = line["match"].as_str().expect("an id");
        client.commits(id, "limit=1").ok()["items"][0]["events"].clone()
    };
    for deal in lines.chunks(3) {
        let begun: Vec<Value> = deal.iter().map(first).collect();
        let setups: Vec<Vec<&Value>> = begun
            .iter()
            .map(|events| {
                events
                    .as_array()
                    .expect("a list")
                    .iter()
                    .filter(|event| event["type"] != "TableOpened")
                    .collect()
            })
            .collect();
        assert!(!setups[0].is_empty() && setups.iter().all(|setup| *setup == setups[0]));
    }
}

#[test]
fn a_match_begins_with_options_a_position_or_a_version_of_another() {
    let (folder, [data]) = acceptance::places(["data"]);
    let keep = ["--keep", text(&data)];
    let options =
        ["--matches", "2", "--options", r#"{"light": true, "start": "red"}"#, "--edition", "1"];
    assert_eq!(
        played("rosenkoenig", &options),
        played("rosenkoenig", &[&options[..], &keep].concat())
    );
    assert_ne!(played("rosenkoenig", &options[..2]), played("rosenkoenig", &options));
    let options_of = |light, start| json!({"colors": ["red", "white"], "light": light, "show_draw_pile": false, "start": start});
    let all = options_of(true, "red");
    begins("rosenkoenig", &options, &json!([1, all, null, false]));
    begins("rosenkoenig", &[&options[..], &keep].concat(), &json!([1, all, null, false]));
    let usual = options_of(false, "random");
    begins("rosenkoenig", &options[..2], &json!([1, usual, null, false]));

    // Each deal draws a map of its own, if it is not asked for.
    let map_of = |seed| json!({"map": "random", "map_seed": seed, "ships": "lot", "fewer_tasks": 0, "colors": null, "start_seat": null});
    for (asked, seed) in [("", json!(null)), (r#", "map_seed": 7"#, json!(7))] {
        let random = format!(r#"{{"map": "random"{asked}}}"#);
        let options = ["--matches", "2", "--options", &random];
        begins("delphi", &options, &json!([1, map_of(seed), null, false]));
    }

    let (kept, _) =
        simulated("rosenkoenig", &[&["--matches", "1", "--seed", "9"][..], &keep].concat());
    let from = format!("{}@40", kept[0]["match"].as_str().expect("an id"));
    let branched = ["--matches", "3", "--from", &from];
    let inside = played("rosenkoenig", &[&branched[..], &["--data", text(&data)]].concat());
    let (branches, _) = simulated("rosenkoenig", &[&branched[..], &keep].concat());
    assert_eq!(each(&inside, "seats"), each(&branches, "seats"));
    // What the environment says of other commands excludes nothing here.
    let mut simulate = muninn();
    simulate.args(["simulate", "--game", "rosenkoenig", "--data", text(&data)]).args(branched);
    let others = [("MUNINN_EDITION", "1"), ("MUNINN_OPTIONS", "{}"), ("MUNINN_KEEP", "elsewhere")];
    run(simulate.envs(others)).ok();
    let branched = [&branched[..], &keep].concat();
    begins("rosenkoenig", &branched, &json!([1, usual, from, false]));

    let server = Server::start(&data, catalog::games());
    let client = server.client();
    let branch =
        client.get(&format!("/v1/matches/{}", branches[2]["match"].as_str().expect("an id"))).ok();
    assert_eq!(branch["branched_from"], json!({"match": kept[0]["match"], "at": 40}));
    let view = format!("/v1/matches/{}/position?at=40", kept[0]["match"].as_str().expect("an id"));
    let position = client.get(&view).ok();
    server.stop();
    let file = folder.path().join("position.json");
    fs::write(&file, position.to_string()).expect("written");
    let loaded = played("rosenkoenig", &["--matches", "3", "--position", text(&file)]);
    assert_eq!(each(&loaded, "seats"), each(&inside, "seats"));
    begins(
        "rosenkoenig",
        &["--matches", "1", "--position", text(&file)],
        &json!([1, usual, null, true]),
    );
}

#[test]
fn a_match_that_nobody_can_end_is_left() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("position.json");
    fs::write(&file, endless().to_string()).expect("written");
    let asked = ["simulate", "--game", "delphi", "--matches", "1", "--position", text(&file)];
    run(muninn().args(asked)).refused(&["match 0 is not over after 1000"]);
}

#[test]
fn what_cannot_be_played_is_told_before_anything_is_written() {
    let (_folder, [keep, file]) = acceptance::places(["data", "position.json"]);
    fs::write(&file, r#"{"board": []}"#).expect("written");
    let file = text(&file);
    let game = ["--game", "rosenkoenig", "--keep", text(&keep)];
    let with = |more: &[&'static str]| [&game[..], more].concat();
    refused(&with(&["--options", r#"{"light": 1}"#]), "R-03");
    refused(&with(&["--options", "light"]), "--options: not JSON");
    refused(&with(&["--edition", "99"]), "edition");
    refused(&with(&["--seats", "5"]), "--seats 5");
    refused(&[&game[..], &["--position", file]].concat(), "R-");
    refused(&with(&["--position", "missing.json"]), "missing.json");
    assert!(!keep.exists(), "nothing was written");
    refused(&with(&["--from", "latest"]), "expected the id of a match");
    let unknown = "00000000-0000-7000-8000-000000000000@3";
    refused(&[&game[..], &["--from", unknown]].concat(), "no match");
    assert!(!keep.exists(), "no store was made");
    simulated("rosenkoenig", &["--matches", "1", "--keep", text(&keep)]);
    refused(&[&game[..], &["--from", unknown]].concat(), "no match");
    refused(
        &["--game", "rosenkoenig", "--position", file, "--data", text(&keep)],
        "cannot be used with",
    );
    refused(&["--game", "rosenkoenig", "--from", unknown], "--data, --keep or --store");
    refused(&with(&["--from", unknown, "--options", "{}"]), "cannot be used with");
    refused(&["--game", "chess"], "no such game");
}

/// That nobody can look is no mistake of whoever asks.
#[test]
fn what_cannot_be_looked_at_is_no_wrong_usage() {
    let (folder, [circle]) = acceptance::places(["circle"]);
    symlink(&circle, &circle).expect("a link");
    let unknown = "00000000-0000-7000-8000-000000000000@3";
    for more in [&["--position"][..], &["--from", unknown, "--keep"]] {
        let mut simulate = muninn();
        simulate.args(["simulate", "--game", "rosenkoenig"]).args(more).arg(&circle);
        run(&mut simulate).refused(&[more[more.len() - 1], "circle", "symbolic links"]);
    }
    refused(&["--game", "rosenkoenig", "--position", text(folder.path())], "directory");
}

/// Standard output may take nothing, but matches that are kept are kept. Lines are the result itself.
#[cfg(target_os = "linux")]
#[test]
fn what_is_kept_is_done_though_nobody_hears_of_it() {
    let (_folder, places) = acceptance::places(["text", "ndjson"]);
    for (data, (format, code)) in places.iter().zip([("text", 0), ("ndjson", 1)]) {
        let full = fs::File::options().write(true).open("/dev/full").expect("Linux has it");
        let mut simulate = muninn();
        simulate.args(["simulate", "--game", "rosenkoenig", "--matches", "1", "--keep"]).arg(data);
        let said = run(simulate.args(["--format", format]).stdout(full));
        assert_eq!(said.code, Some(code), "{}", said.error);
        assert!(said.error.contains("No space left"), "{}", said.error);
    }
    assert!(run_on(&places[0], &["verify"]).ok().starts_with("1 matches, "));
}
