//! Streams that were recorded once are read for ever: all that is told of their matches is what was told then.

mod archives;
mod forms;
mod kinds;
mod portable;
mod recipe;
mod seldom;
mod stores;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read;
use std::path::Path;
use std::sync::Once;
use std::thread;

use acceptance::files::unpacked;
use acceptance::proof::{hex, sha256};
use acceptance::server::Server;
use acceptance::{Client, Table, run_on};
use serde_json::{Map, Value, json};
use store::{Config, Store};

use crate::recipe::Recipe;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/streams");

/// The first version. Some answers read otherwise when it was recorded, and `archive-1`.
const FIRST: &str = "v1";

/// The recorded versions, each a folder, with the recipe that fills it.
const VERSIONS: &[(&str, Recipe)] = &[(FIRST, recipe::played), ("v2", seldom::played)];

/// The same; those that are not there are recorded first, if that is asked for.
fn versions() -> &'static [(&'static str, Recipe)] {
    static RECORDED: Once = Once::new();
    if std::env::var_os("RECORD_STREAMS").is_some() {
        RECORDED.call_once(|| {
            for (version, by) in VERSIONS {
                recipe::record(version, *by);
                recipe::digest(version);
            }
        });
    }
    VERSIONS
}

/// The names in a folder, in order.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let name = |entry: std::io::Result<fs::DirEntry>| entry.expect("an entry").file_name();
    let mut names: Vec<_> = entries.map(|e| name(e).into_string().expect("a name")).collect();
    names.sort();
    names
}

/// SHA-256 of each kind of answer about a match, for all who may ask: of a finished one all viewers, of another one spectators. Each answer as it
/// was when the version was recorded.
fn told(version: &str, client: &Client, id: &str) -> Map<String, Value> {
    let info = client.info(id).ok();
    let seats = info["seats"].as_array().expect("seats");
    let mut viewers = vec!["viewer=spectator".to_owned()];
    if info["status"] == "finished" {
        viewers.push(String::new());
        viewers.extend((0..seats.len()).map(|seat| format!("viewer={seat}")));
    }
    let mut told: BTreeMap<&str, String> = BTreeMap::new();
    let mut tell = |kind: &'static str, text: &str| {
        let all = told.entry(kind).or_default();
        all.push_str(text);
        all.push('\n');
    };
    for viewer in &viewers {
        let replay = client.replay(id, viewer);
        assert_eq!(replay.status, 200, "{}", replay.text());
        let text = replay.text();
        assert_eq!(text.lines().count() as u64, info["version"], "a frame for each version");
        tell("views", &if version == FIRST { without_versions(&text) } else { text });
        for kind in ["commits", "events", "ledger"] {
            let path = format!("/v1/matches/{id}/{kind}");
            let items =
                Table::pages(1000, |page| client.get(&format!("{path}?{page}&{viewer}")).ok());
            for mut item in items {
                let then =
                    WORDED.iter().find(|(of, rule, _)| version == *of && item["rule"] == *rule);
                if let Some((_, _, then)) = then {
                    item["rule_text"] = json!(then);
                }
                tell(kind, &item.to_string());
                if kind == "commits" {
                    tell("hashes", &item["hash"].to_string());
                }
            }
        }
    }
    let name = |seat: &Value| ["name", "name_salt", "name_commitment"].map(|of| seat[of].clone());
    seats.iter().for_each(|seat| tell("names", &json!(name(seat)).to_string()));
    told.into_iter().map(|(kind, text)| (kind.to_owned(), digest(&text))).collect()
}

/// Frames with views as they were when the first streams were recorded: without `version`, which came later.
fn without_versions(frames: &str) -> String {
    let frame = |(frame, version): (&str, u64)| {
        let later = format!("\"view\":{{\"version\":{version},");
        assert!(frame.contains(&later), "a view says its version: {frame}");
        frame.replacen(&later, "\"view\":{", 1) + "\n"
    };
    frames.lines().zip(1..).map(frame).collect()
}

fn digest(text: &str) -> Value {
    json!(hex(&sha256(&[text.as_bytes()])))
}

/// How the sentences of rules read that have been worded better since a version was recorded.
const WORDED: [(&str, &str, &str); 4] = [
    (FIRST, "D-710", "A fulfilled task brings its reward, and with blessing one row for one god."),
    (
        FIRST,
        "V-505",
        "Each Niohoggr in a scored line, and one that the placed tile covers, adds 2.",
    ),
    (
        FIRST,
        "V-506",
        "A tile whose lines both have one tile scores 1 point, and 2 for each Niohoggr that it is or covers.",
    ),
    (
        FIRST,
        "V-509",
        "A Sea Serpent scores its whole row or column of the grid, gaps included, if its value is the highest there.",
    ),
];

/// Columns that were added since the first streams were recorded, by the end of their tables' names, with what they say of them: the digests are without.
const ADDED: [(&str, &str); 3] = [
    ("matches", r#","sandbox":false"#),
    ("draws", r#","forced":false"#),
    ("_table_opened", r#","sandbox":null"#),
];

/// Who played at a seat stands there since then; and a bot to which no name was given has the name of its kind.
fn seat_as_recorded(line: &str) -> String {
    let player = r#","played_by":"player","bot":null,"bot_version":null"#;
    let as_was = |bot: &str| {
        let added = format!(r#","played_by":"bot","bot":"{bot}","bot_version":1"#);
        let line = line.contains(&added).then(|| line.replacen(&added, "", 1));
        line.map(|line| line.replacen(&format!(r#""name":"{bot}""#), r#""name":null"#, 1))
    };
    let bot = ["greedy", "random"].into_iter().find_map(as_was);
    bot.unwrap_or_else(|| {
        assert!(line.contains(player), "a seat has no player: {line}");
        line.replacen(player, "", 1)
    })
}

/// Columns that had another name then. In the tables of events, those that begin with `event_` had none before it, but for `event_game`.
const RENAMED: [(&str, &[(&str, &str)]); 6] = [
    (
        "matches",
        &[
            ("seat_count", "seats"),
            ("event_count", "version"),
            ("commit_count", "commits"),
            ("command_count", "commands"),
            ("otherwise_count", "otherwise"),
            ("head_hash", "hash"),
        ],
    ),
    ("seats", &[("final_points", "points"), ("command_count", "commands")]),
    (
        "commits",
        &[("feed_position", "position"), ("acting_seat", "seat"), ("event_count", "events")],
    ),
    ("events", &[("acting_seat", "seat"), ("event_type", "type")]),
    ("commands", &[("acting_seat", "seat"), ("command_type", "type"), ("legal_before", "legal")]),
    ("draws", &[("acting_seat", "seat"), ("draw_kind", "kind"), ("drawn_index", "drawn")]),
];

/// A row as it was when the first streams were recorded.
fn as_recorded(table: &str, line: &str) -> String {
    let is_wide = |id: &str| table.strip_prefix(id).is_some_and(|rest| rest.starts_with('_'));
    let is_wide = catalog::games().iter().any(|game| is_wide(game.info().id));
    let renamed = RENAMED.iter().filter(|(name, _)| table == *name).flat_map(|(_, names)| *names);
    let mut line = renamed.fold(line.to_owned(), |line, (now, then)| rename(&line, now, then));
    if is_wide {
        line = without(&line, "recorded_at");
        // Only this one was called so already.
        line = line.replacen(",\"event_game\":", ",\"event_event_game\":", 1);
        line = line.replace(",\"event_", ",\"");
        line = line.replacen(",\"seated\":", ",\"seats\":", 1);
    }
    if is_wide || ["commits", "events", "commands", "awards", "draws"].contains(&table) {
        line = without(&without(&line, "turn"), "round");
    }
    match table {
        "draws" => line = outcome_as_recorded(&line),
        "seats" => return seat_as_recorded(&line),
        _ => {}
    }
    let added = ADDED.iter().filter(|(end, _)| table.ends_with(end));
    added.fold(line, |line, (_, column)| {
        assert!(line.contains(column), "{table} has no {column}: {line}");
        line.replacen(column, "", 1)
    })
}

fn rename(line: &str, now: &str, then: &str) -> String {
    let [now, then] = [now, then].map(|name| format!("\"{name}\":"));
    assert!(line.contains(&now), "no {now} in {line}");
    line.replacen(&now, &then, 1)
}

/// Without the first column of this name, a number or a time.
fn without(line: &str, name: &str) -> String {
    let (before, rest) = line.split_once(&format!("\"{name}\":")).expect("the column is there");
    match rest.split_once(',') {
        Some((_, after)) => format!("{before}{after}"),
        // It was the last one.
        None => before.trim_end_matches(',').to_owned() + rest.trim_start_matches(|c| c != '}'),
    }
}

/// What was drawn was JSON.
fn outcome_as_recorded(line: &str) -> String {
    let row: Value = serde_json::from_str(line).expect("an object");
    let text = row["outcome"].as_str().expect("a text");
    let now = format!("\"outcome\":{}", row["outcome"]);
    match serde_json::from_str::<Value>(text) {
        Ok(_) => line.replacen(&now, &format!("\"outcome\":{text}"), 1),
        Err(_) => line.to_owned(),
    }
}

/// SHA-256 of the rows of all tables, by match; only finished matches have rows.
fn rows(version: &str, client: &Client) -> BTreeMap<String, Value> {
    let archive = client.get("/v1/tables.tar?format=ndjson&hashes=true");
    assert_eq!(archive.status, 200, "{}", archive.text());
    let mut archive = tar::Archive::new(archive.body.as_slice());
    let (mut ids, mut texts) = (BTreeMap::new(), BTreeMap::<String, Vec<String>>::new());
    for entry in archive.entries().expect("an archive") {
        let mut entry = entry.expect("it is whole");
        let path = entry.path().expect("a path").to_string_lossy().into_owned();
        let Some((table, _)) = path.split_once('/') else { continue };
        let mut text = String::new();
        entry.read_to_string(&mut text).expect("text");
        for line in text.lines() {
            // They came later.
            if table == "states" {
                continue;
            }
            let row: Value = serde_json::from_str(line).expect("an object");
            let number = row["match_no"].to_string();
            if table == "matches" {
                let id = row["match_id"].as_str().expect("an id").to_owned();
                ids.insert(number.clone(), id);
            }
            let line = if version == FIRST { as_recorded(table, line) } else { line.to_owned() };
            texts.entry(number).or_default().push(format!("{table} {line}\n"));
        }
    }
    let by_id = |(number, mut rows): (String, Vec<String>)| {
        // Stable: the rows of a table stay in their order.
        rows.sort_by(|a, b| a.split(' ').next().cmp(&b.split(' ').next()));
        (ids[&number].clone(), digest(&rows.concat()))
    };
    texts.into_iter().map(by_id).collect()
}

/// The digests of the matches of a version, by their files, as today's program tells them.
fn digests(version: &str) -> Value {
    let folder = Path::new(ROOT).join(version);
    let scratch = tempfile::tempdir().expect("a folder");
    let data = scratch.path().join("data");
    let store = Store::open(&data, Config::default()).expect("a new store");
    let files = names(&folder).into_iter().filter(|name| name.ends_with(".zst"));
    let loaded = |name: String| (portable::load(&store, &folder.join(&name)), name);
    let files: Vec<(String, String)> = files.map(loaded).collect();
    drop(store);
    run_on(&data, &["verify"]).ok();
    let server = Server::start(&data, catalog::games());
    let client = server.client();
    let rows = rows(version, &client);
    let of_match = |(id, name): &(String, String)| {
        let mut told = told(version, &client, id);
        told.extend(rows.get(id).map(|digest| ("tables".to_owned(), digest.clone())));
        (name.clone(), Value::Object(told))
    };
    let share = |of: usize| files.iter().skip(of).step_by(2).map(of_match).collect::<Vec<_>>();
    let [one, other] = thread::scope(|scope| {
        let other = scope.spawn(|| share(1));
        [share(0), other.join().expect("no panic")]
    });
    Value::Object(one.into_iter().chain(other).collect())
}

#[test]
fn every_edition_of_every_game_is_recorded() {
    let mut recorded = BTreeSet::new();
    for folder in versions().iter().map(|(version, _)| Path::new(ROOT).join(version)) {
        for name in names(&folder).into_iter().filter(|name| name.ends_with(".zst")) {
            let file = unpacked(&folder.join(&name));
            let lines = file.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
            let mut commits = lines.filter(|line| line["text"].is_string());
            let first = commits.next().expect("a commit");
            let first: Value =
                serde_json::from_str(first["text"].as_str().expect("text")).expect("JSON");
            let opened = first["events"].as_array().and_then(|events| events.last());
            let opened = opened.expect("commit 1 ends with `TableOpened`");
            let game = opened["game"].as_str().expect("a game").to_owned();
            recorded.insert((game, opened["edition"].as_u64().expect("an edition")));
        }
    }
    for info in catalog::games().iter().map(|game| game.info()) {
        for (edition, _) in info.editions() {
            let of = (info.id.to_owned(), u64::from(edition.number()));
            assert!(recorded.contains(&of), "{of:?} has no recorded match: see CONTRIBUTING.md");
        }
    }
}

#[test]
fn recorded_streams_tell_what_they_told() {
    for (version, _) in versions() {
        let folder = Path::new(ROOT).join(version);
        let text = fs::read_to_string(folder.join("digests.json")).expect("digests");
        let recorded: BTreeMap<String, BTreeMap<String, String>> =
            serde_json::from_str(&text).expect("digests by file");
        let today: BTreeMap<String, BTreeMap<String, String>> =
            serde_json::from_value(digests(version)).expect("digests by file");
        let mut wrong = Vec::new();
        for name in recorded.keys().chain(today.keys()) {
            let [then, now] =
                [&recorded, &today].map(|of| of.get(name).cloned().unwrap_or_default());
            let kinds = then.keys().chain(now.keys());
            let other = kinds.filter(|kind| then.get(*kind) != now.get(*kind));
            wrong.extend(other.map(|kind| format!("{version}/{name}: {kind}")));
        }
        wrong.sort();
        wrong.dedup();
        assert!(
            wrong.is_empty(),
            "told otherwise than when it was recorded:\n{}",
            wrong.join("\n")
        );
    }
}
