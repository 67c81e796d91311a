//! The command line: what it says, and how it ends.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use acceptance::process::{Process, verify};
use acceptance::{Client, Said, files, muninn, run, run_on, simulate, until};
use serde_json::json;

/// Asserts wrong usage, with these words in the message.
#[track_caller]
pub(crate) fn wrong(command: &mut Command, words: &[&str]) {
    run(command).failed(2, words);
}

#[test]
fn wrong_usage_ends_with_2_and_says_what_is_wrong() {
    let (folder, [data]) = acceptance::places(["data"]);
    wrong(&mut muninn(), &["Usage"]);
    wrong(muninn().arg("play"), &["play"]);
    wrong(muninn().args(["serve", "--port", "80"]), &["--port"]);
    wrong(muninn().args(["simulate"]), &["--game"]);
    wrong(muninn().args(["simulate", "--game", "chess"]), &["chess", "rosenkoenig"]);
    wrong(muninn().args(["simulate", "--game", "rosenkoenig", "--seats", "5"]), &["--seats", "2"]);
    wrong(
        muninn().args(["simulate", "--game", "rosenkoenig", "--threads", "513"]),
        &["--threads", "513"],
    );
    let three =
        ["simulate", "--game", "rosenkoenig", "--seats", "2", "--bot", "greedy,random,greedy"];
    wrong(muninn().args(three), &["--bot greedy,random,greedy", "2 seats"]);
    let grouped = ["stats", "--data", "nowhere", "--group-by", "option.light"];
    wrong(muninn().args(grouped), &["--group-by option.light", "needs --game"]);
    wrong(muninn().args(["verify", "--data", "nowhere"]), &["nowhere"]);
    let audit = |game: &str, edition: &str, more: &[&str]| {
        let mut audit = muninn();
        audit.args(["audit", "--game", game, "--edition", edition, "--data"]).arg(folder.path());
        audit.args(more);
        audit
    };
    wrong(muninn().args(["audit", "--data", "nowhere"]), &["--game", "--edition"]);
    wrong(&mut audit("chess", "1", &[]), &["chess", "rosenkoenig"]);
    wrong(&mut audit("rosenkoenig", "2", &[]), &["--edition", "no edition 2: its newest is 1"]);
    wrong(&mut audit("rosenkoenig", "0", &[]), &["--edition", "no edition 0"]);
    wrong(&mut audit("rosenkoenig", "x", &[]), &["--edition"]);
    wrong(&mut audit("rosenkoenig", "1", &["--scratch", "nowhere"]), &["nowhere"]);
    wrong(&mut audit("rosenkoenig", "1", &["--format", "xml"]), &["--format", "ndjson"]);
    for (name, value, flag) in [
        ("MUNINN_LISTEN", "nonsense", "--listen"),
        ("MUNINN_LISTEN", "127.0.0.1:99999", "--listen"),
        ("MUNINN_LOG", "info,=,x=loud", "--log"),
        ("MUNINN_LOG", "", "--log"),
        ("MUNINN_LOG_FORMAT", "xml", "--log-format"),
        ("MUNINN_WORKERS", "-1", "--workers"),
        ("MUNINN_WORKERS", "513", "--workers"),
        ("MUNINN_CACHE_MIB", "0", "--cache-mib"),
        ("MUNINN_CACHE_MIB", "17592186044416", "--cache-mib"),
        ("MUNINN_MATCHES_MIB", "many", "--matches-mib"),
        ("MUNINN_CACHE_MIB", "1.5", "--cache-mib"),
        ("MUNINN_HEARTBEAT", "0", "--heartbeat"),
        ("MUNINN_HEARTBEAT", "x", "--heartbeat"),
        ("MUNINN_HEARTBEAT", "41", "--heartbeat"),
    ] {
        let mut serve = muninn();
        serve.arg("serve").env(name, value).env("MUNINN_DATA", &data);
        wrong(&mut serve, &[flag, value]);
    }
    assert!(!data.exists(), "nothing was made");
}

#[test]
fn an_output_that_nobody_reads_to_its_end_is_no_error() {
    let (_folder, [data]) = acceptance::places(["data"]);
    simulate(&data, "--game rosenkoenig --matches 3");
    let sql = "SELECT * FROM events";
    for arguments in [
        &["query", "--format", "csv", sql][..],
        &["stats", "--players", "all"],
        &["simulate", "--game", "rosenkoenig", "--matches", "200", "--format", "ndjson"],
    ] {
        let mut command = muninn();
        command.args(arguments).env("MUNINN_DATA", &data);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        // Nobody reads.
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {said}");
        assert!(!said.contains("error") && !said.contains("pipe"), "{arguments:?}: {said}");
    }
}

#[test]
fn a_simulation_keeps_all_matches_though_nobody_reads_of_them() {
    let (_folder, [data]) = acceptance::places(["data"]);
    let mut simulate = muninn();
    simulate.args(["simulate", "--game", "rosenkoenig", "--matches", "300", "--keep"]).arg(&data);
    simulate.args(["--format", "ndjson"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = simulate.spawn().expect("it starts");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let first = lines.next().expect("a line").expect("text");
    assert!(first.contains("\"number\":0"), "{first}");
    drop(lines);
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), &*said), (Some(0), ""));
    let count = "SELECT count(*) AS matches FROM matches";
    let told = run_on(&data, &["query", "--format", "ndjson", count]).lines();
    assert_eq!(told, [json!({"matches": 300})], "finished ones");
}

#[test]
fn a_server_serves_though_nobody_reads_where() {
    let folder = tempfile::tempdir().expect("a folder");
    let free = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = free.local_addr().expect("an address").to_string();
    drop(free);
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let mut serve = muninn();
    serve.args(["serve", "--log", "warn", "--listen", &address, "--data"]).arg(folder.path());
    let child = serve.stdout(writer).stderr(Stdio::piped()).spawn().expect("it starts");
    let is_ready = (0..200).any(|_| {
        thread::sleep(Duration::from_millis(50));
        run(muninn().args(["health", "--listen", &address])).code == Some(0)
    });
    let kill = format!("kill -TERM {}", child.id());
    let signalled = Command::new("sh").args(["-c", &kill]).status().expect("sh is there");
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(is_ready && signalled.success(), "{said}");
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("standard output cannot be written"), "{said}");
}

#[test]
fn what_cannot_start_ends_with_1_and_says_why() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Process::serve(folder.path(), &[]);
    let serve = |folder: &std::path::Path, listen: &str| {
        run(muninn().args(["serve", "--listen", listen, "--data"]).arg(folder))
    };
    let path = folder.path().to_string_lossy().into_owned();
    serve(folder.path(), "127.0.0.1:0").refused(&[&path, "in use"]);
    run(muninn().args(["verify", "--data"]).arg(folder.path())).refused(&["in use"]);
    let other = tempfile::tempdir().expect("a folder");
    let busy = server.address.to_string();
    serve(other.path(), &busy).refused(&[&busy]);
    let program = muninn();
    let mut few = Command::new("sh");
    few.args(["-c", "ulimit -n 32; exec \"$@\"", "sh"]).arg(program.get_program());
    few.args(["serve", "--listen", "127.0.0.1:0", "--workers", "2", "--data"]).arg(other.path());
    run(&mut few).refused(&["open 32 files", "needs 80"]);
    let foreign = tempfile::tempdir().expect("a folder");
    std::fs::write(foreign.path().join("letter.txt"), "dear").expect("it can be written");
    serve(foreign.path(), "127.0.0.1:0").refused(&["letter.txt"]);
    assert_eq!(server.client().get("/readyz").status, 200, "the first one is well");
    server.stop();
}

#[test]
fn help_and_version_are_answers() {
    for (args, word) in [
        (vec!["--help"], "serve"),
        (vec!["serve", "--help"], "MUNINN_LISTEN"),
        (vec!["simulate", "--help"], "MUNINN_GAME"),
        (vec!["verify", "--help"], "--data"),
        (vec!["audit", "--help"], "--edition"),
        (vec!["picture", "--help"], "replay"),
        (vec!["--version"], "muninn"),
    ] {
        let Said { code, out, error } = run(muninn().args(&args));
        assert_eq!((code, error.as_str()), (Some(0), ""), "{args:?}");
        assert!(out.contains(word), "{args:?}: {out}");
    }
}

#[test]
fn a_simulation_that_is_not_kept_needs_no_folder() {
    let mut simulate = muninn();
    simulate.args(["simulate", "--game", "rosenkoenig", "--matches", "2"]);
    run(simulate.env("TMPDIR", "/nowhere/at/all")).ok();
}

#[test]
fn a_simulation_that_is_kept_can_be_verified_and_served() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut simulate = muninn();
    simulate.args(["simulate", "--game", "rosenkoenig", "--matches", "20", "--seed", "7"]);
    let alone = run(&mut simulate).ok();
    let kept = run(simulate.arg("--keep").arg(folder.path())).ok();
    let counts = |text: &str| text.split(" in ").next().unwrap_or("").to_owned();
    assert!(kept.starts_with("20 matches, "), "{kept}");
    assert_eq!(counts(&kept), counts(&alone), "the same seed plays the same matches");
    let verified = run(muninn().args(["verify", "--data"]).arg(folder.path())).ok();
    assert!(
        verified.starts_with("20 matches, ") && verified.contains("nothing differs"),
        "{verified}"
    );
    let before = files::read(folder.path());
    let mut audit = muninn();
    audit.args(["audit", "--game", "rosenkoenig", "--edition", "1", "--data"]).arg(folder.path());
    let none = "0 of 20 finished matches of Rosenkönig would have gone otherwise under edition 1\n";
    assert_eq!(run(&mut audit).ok(), none);
    let told = run(audit.args(["--format", "ndjson"])).lines();
    let sums = json!({"game": "rosenkoenig", "edition": 1, "matches": 20, "differing": 0, "by_rules": [], "otherwise": [], "damaged": []});
    assert_eq!(told, [sums]);
    assert_eq!(files::read(folder.path()), before, "an audit writes nothing");
    let server = Process::serve(folder.path(), &[]);
    let listed = server.client().matches("status=finished&limit=1000").ok();
    assert_eq!(listed["items"].as_array().map(Vec::len), Some(20));
    server.stop();
}

/// The engine takes damage for a mistake of its own; whoever runs a server is told what is damaged.
#[test]
fn damage_is_told_without_the_words_of_the_engine() {
    let folder = tempfile::tempdir().expect("a folder");
    simulate(folder.path(), "--game rosenkoenig --matches 3");
    let log = folder.path().join("log/db");
    let whole = std::fs::read(&log).expect("a file");
    // Zeros are behind its end.
    let used = whole.iter().rposition(|byte| *byte != 0).expect("it is not empty");
    let is_found = |part: usize| {
        let mut damaged = whole.clone();
        damaged[used / 32 * part] ^= 1 << (part % 8);
        std::fs::write(&log, damaged).expect("it can be written");
        // That it has none of them is asserted there. What was written again elsewhere is not read.
        verify(folder.path()).0 == Some(1)
    };
    assert!((1..32).filter(|part| is_found(*part)).count() > 2);
}

#[test]
fn the_pages_can_be_switched_off() {
    let folder = tempfile::tempdir().expect("a folder");
    wrong(muninn().args(["serve", "--pages", "maybe"]), &["--pages"]);
    let server = Process::serve(folder.path(), &["--pages", "off"]);
    let client = server.client();
    for path in ["/", "/watch", "/watch/x", "/play/x", "/pages/page.js"] {
        client.get(path).problem(404, "not_found");
    }
    assert_eq!(client.get("/healthz").status, 200);
}

/// One match of each game is running, whatever ends or stops, and none of it is counted.
#[test]
fn a_demo_keeps_a_match_of_each_game_going() {
    let folder = tempfile::tempdir().expect("a folder");
    let running = |client: &Client| {
        let shown = "status=running&player=Hugin%20(demo)";
        let page = client.matches(shown).ok();
        let items = page["items"].as_array().expect("a list").clone();
        let ids = items.iter().map(|item| {
            assert_eq!(item["sandbox"], true);
            let seats = item["seats"].as_array().expect("seats");
            assert!(seats.iter().all(|seat| seat["bot"] == "greedy"));
            let id = item["match"].as_str().expect("an id").to_owned();
            (item["game"].as_str().expect("a game").to_owned(), id)
        });
        ids.collect::<BTreeMap<_, _>>()
    };
    let wait = |server: &Process| {
        let client = server.client();
        until("a match of each game", || running(&client).len() == 4);
        running(&client)
    };
    let slow = ["--bot-pause", "60000"];
    let server = Process::serve(folder.path(), &[&["--demo"][..], &slow].concat());
    let first = wait(&server);
    drop(server);
    let mut by_variable = Process::command(folder.path());
    let server = Process::spawn(by_variable.args(slow).env("MUNINN_DEMO", "on"));
    assert_eq!(wait(&server), first, "they are found again");
    drop(server);
    // Fast ones end, and others come.
    let server = Process::serve(folder.path(), &["--demo", "--bot-pause", "0"]);
    until("the next match", || {
        let now = running(&server.client());
        now.get("rosenkoenig").is_some_and(|id| *id != first["rosenkoenig"])
    });
    let counted = || server.client().get("/v1/stats/rosenkoenig").ok()["finished"].clone();
    let end = counted()["feed_end"].as_u64();
    until("the counts", || counted()["position"].as_u64() >= end);
    assert_eq!(counted()["matches"], 0);
}

#[test]
fn a_kept_match_can_be_drawn() {
    let folder = tempfile::tempdir().expect("a folder");
    simulate(folder.path(), "--game rosenkoenig --matches 1");
    let server = Process::serve(folder.path(), &[]);
    let listed = server.client().matches("").ok();
    let id = listed["items"][0]["match"].as_str().expect("an id").to_owned();
    let served = |file: &str| server.client().get(&format!("/v1/matches/{id}/{file}")).text();
    let (svg, text) = (served("board.svg?at=20&viewer=1"), served("board.txt?at=20&viewer=1"));
    let commits = server.client().get(&format!("/v1/matches/{id}/commits")).ok();
    let commits = commits["items"].as_array().expect("a list").iter();
    let ends: Vec<u64> = commits.filter_map(|commit| commit["last_version"].as_u64()).collect();
    let path = folder.path().to_string_lossy().into_owned();
    let draw =
        |more: &[&str]| run(muninn().args(["picture", "--data", &path, "--match", &id]).args(more));
    let drawn = |more: &[&str]| {
        let Said { code, out, error } = draw(more);
        assert_eq!((code, error.as_str()), (Some(0), ""), "{more:?}");
        out
    };
    draw(&[]).refused(&["in use"]);
    server.stop();
    let at = ["--at", "20", "--viewer", "1", "--format"];
    assert_eq!(drawn(&[&at[..], &["svg"]].concat()), svg);
    assert_eq!(drawn(&[&at[..], &["text"]].concat()), text);
    let file = folder.path().join("replay.svg").to_string_lossy().into_owned();
    let frames = ["--format", "replay", "--frames", "30", "--output", &file];
    assert_eq!(drawn(&frames), "");
    let film = std::fs::read_to_string(&file).expect("it was written");
    assert!(film.contains("A replay of 30 moments"), "{film}");
    assert!(!film.contains("<script"));
    // It ends at the version that is said, within a commit too: the first, and one of a later commit.
    let later = (1..ends.len()).find(|later| ends[*later] > ends[later - 1] + 1);
    let later = later.expect("a commit of several events");
    for (at, moments) in [(1, 1), (ends[later - 1] + 1, later + 1), (ends[later], later + 1)] {
        let film = draw(&["--format", "replay", "--at", &at.to_string()]).ok();
        assert!(film.contains(&format!("A replay of {moments} moments")), "{at}: {film}");
    }
    for (more, word) in [(["--at", "9999"], "9999"), (["--viewer", "5"], "seat 5")] {
        draw(&more).refused(&[word]);
    }
    for (more, word) in [
        (["--viewer", "all"], "--viewer"),
        (["--pace", "0"], "--pace"),
        (["--frames", "1"], "--frames"),
        (["--format", "gif"], "--format"),
    ] {
        draw(&more).failed(2, &[word]);
    }
    wrong(muninn().args(["picture", "--data", &path, "--match", "x"]), &["--match"]);
    wrong(muninn().args(["picture", "--data", "nowhere", "--match", &id]), &["nowhere"]);
}

/// README's table of flags is what an operator plans by.
#[test]
fn every_default_in_readme_is_that_of_the_program() {
    let readme = concat!(env!("CARGO_MANIFEST_DIR"), "/../README.md");
    let readme = std::fs::read_to_string(readme).expect("readable");
    let help = run(muninn().args(["serve", "--help"])).ok();
    let mut seen = 0;
    for row in readme.lines().filter(|line| line.starts_with("| `--")) {
        let cells: Vec<&str> = row.split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        let [_, flag, _, default, ..] = cells[..] else { panic!("{row}") };
        let Some((_, told)) = help.split_once(&format!(" {flag} <")) else { continue };
        let told = told.split("\n      --").next().unwrap_or_default();
        let found = told.split_once("[default: ").and_then(|(_, rest)| rest.split_once(']'));
        let found = found.map_or("none", |(found, _)| found);
        assert_eq!(if default.is_empty() { "none" } else { default }, found, "{flag}");
        seen += 1;
    }
    assert!(seen > 20, "{seen}");
}
