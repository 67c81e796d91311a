//! Files that were cut or changed behind the server's back: a clear word at the start, or clear answers; never other content, never a
//! silent loss.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use acceptance::files::{self, Files};
use acceptance::process::{Process, verify};
use acceptance::{Client, Dice, Table, run_on, simulate};

/// What a healthy server said of each match: path by path.
type Truth = Vec<(String, Value)>;

/// The paths under which everything of a match is read.
fn paths(id: &str) -> Vec<String> {
    let path = format!("/v1/matches/{id}");
    let logs = ["commits?limit=1000", "events?limit=1000", "view", "view?at=3"];
    let logs = logs.map(|log| format!("{path}/{log}"));
    logs.into_iter().chain([path]).collect()
}

/// The events of each position of the feed; an empty list stands for a position that it names as damaged. `false`: it was refused before its end.
fn feed(client: &Client) -> (BTreeMap<u64, Vec<Value>>, bool) {
    let mut positions: BTreeMap<u64, Vec<Value>> = BTreeMap::new();
    let mut query = "limit=1000".to_owned();
    loop {
        let answer = client.feed(&query);
        if answer.status != 200 {
            answer.problem(503, "unavailable");
            return (positions, false);
        }
        let page = answer.json();
        for line in page["items"].as_array().expect("a list") {
            let position = line["position"].as_u64().expect("each line has its place");
            assert!(positions.last_key_value().is_none_or(|(last, _)| *last <= position), "order");
            let events = positions.entry(position).or_default();
            if line.get("event").is_some() {
                events.push(line.clone());
            }
        }
        let Some(next) = page["next"].as_str() else { return (positions, true) };
        query = format!("limit=1000&after={next}");
    }
}

/// What is answered from files that are derived from the store, as soon as it says that it is complete.
const DERIVED: [&str; 4] = [
    "/v1/stats/rosenkoenig",
    "SELECT game, event_count FROM matches ORDER BY match_no",
    "SELECT game, event_type, count(*) FROM _events GROUP BY game, event_type ORDER BY game, event_type",
    "SELECT match_no, seat, final_points FROM seats ORDER BY match_no, seat",
];

/// The answers to [`DERIVED`].
fn derived(client: &Client, what: &str) -> Vec<Value> {
    let start = Instant::now();
    let asked = DERIVED.map(|question| {
        loop {
            let is_sql = question.starts_with("SELECT");
            let answer = match is_sql {
                true => client.query(question),
                false => client.get(question),
            };
            if answer.status == 503 {
                answer.problem(503, "unavailable");
            } else {
                let all = answer.ok();
                let found = if is_sql { &all } else { &all["finished"] };
                if found["complete"] != json!(false) {
                    return if is_sql { all["rows"].clone() } else { found["points"].clone() };
                }
            }
            assert!(
                start.elapsed() < Duration::from_secs(60),
                "{what}: never complete: {question}"
            );
            thread::sleep(Duration::from_millis(20));
        }
    });
    asked.to_vec()
}

/// A store, and what was answered of it.
struct Made {
    files: Files,
    truth: Truth,
    feed: BTreeMap<u64, Vec<Value>>,
    derived: Vec<Value>,
}

fn serve(folder: &Path) -> Result<Process, (Option<i32>, String)> {
    let mut serve = Process::command(folder);
    Process::try_spawn(serve.args(["--log", "off", "--query", "on"]).stderr(Stdio::piped()))
}

/// Matches of three games, some finished, in a store that was opened several times and killed once.
fn made() -> Made {
    let folder = tempfile::tempdir().expect("a folder");
    for (game, matches) in [("rosenkoenig", 12), ("copenhagen", 4), ("voluspa", 8)] {
        simulate(folder.path(), &format!("--game {game} --matches {matches} --seed 3"));
    }
    for arguments in [&["stats"][..], &["query", "SELECT 1"]] {
        run_on(folder.path(), arguments).ok();
    }
    let server = serve(folder.path()).expect("it starts");
    let mut tables = Vec::new();
    for game in ["rosenkoenig", "voluspa", "copenhagen", "delphi"] {
        let body = json!({"game": game, "seats": [{}, {}]});
        let table = Table::open(&server.client(), &body);
        table.play(&mut Dice::new(4), 12);
        tables.push(table);
    }
    derived(&server.client(), "undamaged");
    server.kill();
    let files = files::read(folder.path());
    let server = serve(folder.path()).expect("it starts");
    let client = server.client();
    let listed = client.matches("limit=1000").ok();
    let items = listed["items"].as_array().expect("a list");
    assert_eq!(items.len(), 28);
    let ids = items.iter().map(|item| item["match"].as_str().expect("an id"));
    let paths = ids.flat_map(paths).chain(["/v1/matches?limit=1000".to_owned()]);
    let truth = paths.map(|path| (path.clone(), client.get(&path).ok())).collect();
    let (feed, _) = feed(&client);
    assert!(feed.values().all(|events| !events.is_empty()));
    let derived = derived(&client, "undamaged");
    server.stop();
    Made { files, truth, feed, derived }
}

/// The ways in which a file is damaged.
const WAYS: [&str; 4] = ["cut", "zeroed", "overwritten", "flipped"];

/// Is everything in this file made of others?
fn is_derived(name: &Path) -> bool {
    !["FORMAT", "HEAD", "log"].iter().any(|kept| name.starts_with(kept))
}

/// The file to damage, and how: first each file in each way, then mostly the log.
fn drawn(round: usize, files: &Files, dice: &mut Dice) -> (PathBuf, &'static str) {
    let names: Vec<&PathBuf> =
        files.iter().filter(|(_, bytes)| !bytes.is_empty()).map(|(name, _)| name).collect();
    let every = names.iter().flat_map(|name| WAYS.map(|how| ((*name).clone(), how)));
    every.into_iter().nth(round).unwrap_or_else(|| {
        let is_log = dice.below(8) > 0;
        let fits = |name: &&&PathBuf| name.ends_with("db") == is_log;
        let names: Vec<&PathBuf> = names.iter().filter(fits).copied().collect();
        (names[dice.below(names.len())].clone(), WAYS[dice.below(WAYS.len())])
    })
}

/// Damages a file; says where.
fn damage(bytes: &mut Vec<u8>, how: &str, dice: &mut Dice) -> String {
    let (length, at) = (bytes.len(), dice.below(bytes.len()));
    match how {
        "cut" => bytes.truncate(at),
        "zeroed" => bytes[at..].iter_mut().take(4096).for_each(|byte| *byte = 0),
        "overwritten" => bytes[at..].iter_mut().take(64).for_each(|byte| *byte = 0x55),
        _ => bytes[at] ^= 1 << dice.below(8),
    }
    format!("{how} at {at} of {length}")
}

/// What became of a damaged store.
#[derive(Debug, PartialEq)]
enum Outcome {
    /// The server does not start, and says why.
    Refused,
    /// It starts, and some answers are problems.
    Reported(usize),
    /// Everything is there.
    Whole,
}

/// The list without the matches that are damaged, which are counted and named.
fn without(list: &Value, damaged: &Value) -> Value {
    let (mut list, named) = (list.clone(), damaged["items"].as_array().expect("a list"));
    let items = list["items"].as_array_mut().expect("a list");
    items.retain(|item| !named.iter().any(|named| named["match"] == item["match"]));
    list["damaged"] = damaged["damaged"].clone();
    list
}

/// Asks for everything, the list last. What is answered is true, or a problem of the server's; what is damaged is in no list, and named.
fn compare(client: &Client, made: &Made, what: &str) -> Outcome {
    let (mut problems, mut unreadable) = (0, 0);
    let (found, is_whole) = feed(client);
    let last = found.last_key_value().map_or(0, |(position, _)| *position);
    for (position, expected) in made.feed.iter().filter(|(at, _)| is_whole || **at < last) {
        let events = found.get(position);
        let events = events.unwrap_or_else(|| panic!("{what}: {position} is not in the feed"));
        assert!(events.is_empty() || events == expected, "{what}: {position} in the feed");
        problems += usize::from(events.is_empty());
    }
    let known = found.keys().all(|position| made.feed.contains_key(position));
    assert!(known, "{what}: a position that was never written");
    unreadable += usize::from(!is_whole);
    problems += usize::from(!is_whole);
    for (path, expected) in &made.truth {
        let answer = client.get(path);
        if path.starts_with("/v1/matches?") {
            let damaged = client.get("/v1/damaged?limit=1000").ok();
            assert_eq!(answer.ok(), without(expected, &damaged), "{what}: {path}");
            problems += damaged["items"].as_array().map_or(0, Vec::len);
        } else if answer.status == 200 {
            assert_eq!(answer.json(), *expected, "{what}: {path}");
        } else {
            let detail = answer.json()["detail"].as_str().unwrap_or_default().to_owned();
            let is_of_store = answer.json()["code"] == "unavailable";
            answer.problem(503, if is_of_store { "unavailable" } else { "damaged" });
            // A record that differs is that of one match; what cannot be read at all is the store's trouble.
            unreadable += usize::from(is_of_store || detail.contains("cannot be read"));
            problems += 1;
        }
    }
    // Into a store with holes nothing is written. The server may know of one that no answer needed; then the verification knows it too.
    let ready = client.get("/readyz");
    if unreadable > 0 || ready.status != 200 {
        let problem = ready.problem(503, "unavailable").to_string();
        assert!(problem.contains("cannot be read"), "{what}: {problem}");
        problems += 1;
    }
    if problems == 0 { Outcome::Whole } else { Outcome::Reported(problems) }
}

fn outcome(folder: &Path, made: &Made, name: &Path, what: &str) -> Outcome {
    let server = match serve(folder) {
        Ok(server) => server,
        Err((code, message)) => {
            assert_eq!(code, Some(1), "{what}: {message}");
            let line = message.lines().last().unwrap_or("");
            assert!(line.starts_with("error: "), "{what}: {message}");
            assert!(!message.contains("panicked"), "{what}: {message}");
            assert!(
                !is_derived(name),
                "{what}: what can be made anew prevents no start: {message}"
            );
            return Outcome::Refused;
        }
    };
    let outcome = compare(&server.client(), made, what);
    if is_derived(name) {
        assert_eq!(outcome, Outcome::Whole, "{what}");
        assert!(derived(&server.client(), what) == made.derived, "{what}: other figures");
    }
    server.stop();
    let (code, text) = verify(folder);
    if outcome == Outcome::Whole {
        // What no answer needed may be damaged all the same: the verification says so, of a commit or of a place in the file.
        let says_so = text.contains("finding") || text.contains("error: cannot read");
        assert!(code == Some(0) || (code == Some(1) && says_so), "{what}: {code:?} {text}");
    } else {
        assert_eq!(code, Some(1), "{what}: {text}");
    }
    outcome
}

#[test]
fn damage_behind_the_server_is_never_a_silent_loss() {
    let made = made();
    let files = made.files.values().filter(|bytes| !bytes.is_empty()).count();
    let (rounds, seed) = crate::rounds(files * WAYS.len() + 4);
    let mut outcomes = Vec::new();
    for round in 0..rounds {
        let mut dice = Dice::new(seed + round as u64);
        let mut files = made.files.clone();
        let (name, how) = drawn(round, &files, &mut dice);
        let bytes = files.get_mut(&name).expect("the name is from there");
        let place = damage(bytes, how, &mut dice);
        let what = format!("round {round}, seed {seed}: {} {place}", name.display());
        let folder = tempfile::tempdir().expect("a folder");
        files::write(folder.path(), &files);
        outcomes.push(outcome(folder.path(), &made, &name, &what));
    }
    let refused = outcomes.iter().filter(|outcome| **outcome == Outcome::Refused).count();
    assert!(refused > 0, "no damage was noticed: {outcomes:?}");
}

/// The engine takes its file piece by piece, and uses each again when nothing of it is needed: one of zeros looks like one that is free.
const SEGMENT: usize = 512 * 1024;

/// Since the only start so many commits were made that the next one looks at the later half of them, where some matches have none.
fn made_at_once() -> Made {
    let folder = tempfile::tempdir().expect("a folder");
    let server = serve(folder.path()).expect("it starts");
    let (client, operator) = (server.client(), server.operator());
    let tables: Vec<_> = (0..8).map(|_| Table::rosenkoenig(&client)).collect();
    let sandbox =
        json!({"game": "rosenkoenig", "seats": [{}, {}], "sandbox": {"fast_forward": {}}});
    let (mut dice, mut ids) = (Dice::new(5), Vec::new());
    while operator.figure("muninn_feed_position") < 5_000 {
        let opened = client.open(&sandbox).created();
        ids.push(opened["match"].as_str().expect("an id").to_owned());
        if ids.len() < 30 {
            tables.iter().for_each(|table| drop(table.play(&mut dice, 1)));
        }
    }
    let asked = ids.iter().step_by(5).chain(tables.iter().map(|table| &table.id));
    let paths = asked.flat_map(|id| paths(id)).chain(["/v1/matches?limit=1000".to_owned()]);
    let truth = paths.map(|path| (path.clone(), client.get(&path).ok())).collect();
    let (feed, _) = feed(&client);
    server.stop();
    Made { files: files::read(folder.path()), truth, feed, derived: Vec::new() }
}

#[test]
fn a_lost_segment_of_the_log_is_never_a_silent_loss() {
    let made = made_at_once();
    let name = Path::new("log").join("db");
    let log = &made.files[&name];
    let is_used = |at: &usize| log[*at..].iter().take(SEGMENT).any(|byte| *byte != 0);
    let used: Vec<usize> = (0..log.len()).step_by(SEGMENT).filter(is_used).collect();
    // The first one has what the engine begins with, the last one the end, which is looked at by all means.
    let middle = used.get(1..used.len() - 1).expect("there are some");
    // Some are used again later, and nothing of them is needed: after four, as long as none was.
    let step = middle.len().div_ceil(4);
    let spread = (0..step).flat_map(|first| middle.iter().skip(first).step_by(step));
    let mut outcomes = Vec::new();
    for at in spread {
        let is_lost = outcomes.iter().any(|outcome| *outcome != Outcome::Whole);
        if is_lost && outcomes.len() >= 4 {
            break;
        }
        let mut files = made.files.clone();
        let log = files.get_mut(&name).expect("it is there");
        log[*at..].iter_mut().take(SEGMENT).for_each(|byte| *byte = 0);
        let what = format!("the segment at {at} of {}", log.len());
        let folder = tempfile::tempdir().expect("a folder");
        files::write(folder.path(), &files);
        let outcome = outcome(folder.path(), &made, &name, &what);
        eprintln!("{what}: {outcome:?}");
        outcomes.push(outcome);
    }
    let is_lost = outcomes.iter().any(|outcome| *outcome != Outcome::Whole);
    assert!(is_lost, "nothing was lost: {outcomes:?}");
}

/// Where pages of headers lie: their keys stand together, and each ends with the id of its match.
fn pages_of_headers(log: &[u8], matches: &[Value]) -> Vec<usize> {
    const END: usize = 8;
    let id = |item: &Value| item["match"].as_str().expect("an id").replace('-', "");
    let ids = matches.iter().map(|item| u128::from_str_radix(&id(item), 16).expect("hexadecimal"));
    let ends: HashSet<[u8; END]> = ids.map(|id| (id as u64).to_be_bytes()).collect();
    let windows = log.windows(END).enumerate();
    let found: Vec<_> = windows.filter(|(_, window)| ends.contains(*window)).collect();
    let neighbours = found.windows(2).filter(|pair| {
        let [(at, end), (next, other)] = pair else { return false };
        end != other && next - at < 2 * END
    });
    neighbours.map(|pair| pair[0].0).collect()
}

#[test]
fn a_page_of_headers_that_cannot_be_read_hides_its_own_matches_alone() {
    // How pages lie differs from store to store: in some all that is changed was written again later.
    let listed = (0..5).find_map(|_| listed_beside_a_damaged_page());
    assert!(listed.expect("a bit of a header was noticed") > 0, "the others are listed");
}

/// Changes a bit of one page of headers after the other in copies of a store. When one is noticed, all matches are listed or named; returns how
/// many are listed.
fn listed_beside_a_damaged_page() -> Option<usize> {
    const MATCHES: usize = 60;
    let folder = tempfile::tempdir().expect("a folder");
    simulate(folder.path(), &format!("--game rosenkoenig --matches {MATCHES}"));
    // Each start lets the engine note what lies before it: that is not read through at the next one.
    let mut matches = Value::Null;
    for _ in 0..3 {
        let server = Process::serve(folder.path(), &[]);
        matches = server.client().matches("limit=1000").ok()["items"].clone();
        server.stop();
    }
    let files = files::read(folder.path());
    let log = Path::new("log").join("db");
    let headers = pages_of_headers(&files[&log], matches.as_array().expect("a list"));
    // Those at the end are the newest: what lies before may have been written again.
    headers.iter().rev().step_by(3).find_map(|at| {
        let mut files = files.clone();
        files.get_mut(&log).expect("it is there")[*at] ^= 1;
        let folder = tempfile::tempdir().expect("a folder");
        files::write(folder.path(), &files);
        let mut serve = Process::command(folder.path());
        let serve = serve.args(["--log", "off"]).stderr(Stdio::piped());
        let server = Process::try_spawn(serve).ok()?;
        let client = server.client();
        let damaged = client.get("/v1/damaged?limit=1000").ok();
        let named = damaged["items"].as_array().expect("a list").clone();
        let listed = client.matches("limit=1000").ok()["items"].clone();
        let listed = listed.as_array().expect("a list").len();
        assert_eq!(listed + named.len(), MATCHES, "all are listed or named: {damaged}");
        for item in &named {
            let id = item["match"].as_str().expect("the match is known");
            client.info(id).problem(503, "damaged");
        }
        server.stop();
        (!named.is_empty()).then_some(listed)
    })
}
