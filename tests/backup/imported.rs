//! A match of another server, from what that server publishes: taken over whole, or refused with the place of what is wrong.

use std::fs;
use std::path::Path;
use std::thread;

use acceptance::process::{self, Process};
use acceptance::{Client, Dice, Request, Table, muninn, run_on, until};
use serde_json::{Map, Value, json};
use testkit::pointers_to;

use crate::answers::{Answers, answers};
use crate::{Said, backup, restore, run};

/// What anybody who may read a match puts together, as docs/operating.md does.
pub(crate) fn document(table: &Table) -> Value {
    let commits = Table::pages(100, |query| table.owner().commits(&table.id, query).ok());
    let origin = format!("https://other.example.org/v1/matches/{}", table.id);
    json!({"match": table.info(), "commits": commits, "origin": origin})
}

pub(crate) fn import(data: &Path, file: &Path) -> Said {
    run(muninn().arg("import").arg("--data").arg(data).arg("--match").arg(file))
}

pub(crate) fn written(folder: &Path, document: &Value) -> std::path::PathBuf {
    let file = folder.join("match.json");
    fs::write(&file, document.to_string()).expect("written");
    file
}

fn rosenkoenig(more: Value) -> Value {
    let mut body = json!({"game": "rosenkoenig", "seats": [{"name": "Hugin"}, {"name": "Munin"}]});
    body.as_object_mut().expect("an object").extend(more.as_object().expect("one").clone());
    body
}

/// Finished matches of all kinds.
fn finished(client: &Client, operator: &Client) -> Vec<Table> {
    let mut dice = Dice::new(17);
    let ticket = client.post("/v1/seeds", &json!({})).created()["ticket"].clone();
    let nonce = "0123456789abcdef".repeat(4);
    let seats = json!([{"name": "Idun"}, {"open": true}]);
    let fair = rosenkoenig(json!({"ticket": ticket, "nonce": nonce, "seats": seats}));
    let mut taken = Table::open(client, &fair);
    taken.join(1, &json!({"name": "Åse", "nonce": nonce}));
    let private = Table::open(client, &rosenkoenig(json!({"visibility": "private"})));
    let back = Table::open(client, &rosenkoenig(json!({"take_back": true})));
    back.play(&mut dice, 6);
    let seat = back.active().expect("it goes on");
    back.play(&mut dice, 1);
    back.seat(seat).take_back(&back.id);
    let forgotten = Table::open(client, &rosenkoenig(json!({})));
    let mut tables = vec![taken, private, back, forgotten];
    tables.iter().for_each(|table| drop(table.finish(&mut dice)));
    let name = json!({"name": "Hugin", "match": tables[3].id});
    operator.post("/names/forget", &name).ok();
    // At the end of a commit: within one nobody can go on.
    let half = tables[0].info()["commit"].as_u64().expect("a number") / 2;
    let page = client.commits(&tables[0].id, &format!("after={half}&limit=1")).ok();
    let middle = json!({"at": page["items"][0]["last_version"]});
    let branch = Table::read(client, &client.branch(&tables[0].id, &middle).created());
    branch.finish(&mut dice);
    tables.push(branch);
    for game in ["voluspa", "copenhagen", "delphi"] {
        let bots = json!([{"bot": "greedy"}, {"bot": "greedy"}]);
        tables.push(Table::open(client, &json!({"game": game, "seats": bots})));
    }
    for table in &tables {
        until("the bots' end", || table.info()["status"] == "finished");
    }
    tables
}

/// The answers about matches, without what may differ: where they come from, and the tag of that answer.
fn of_matches(client: &Client, tables: &[Table]) -> Answers {
    let mut said = answers(client, tables, |template| template.contains("{id}"));
    for (question, (_, headers, body)) in &mut said {
        let is_info = tables.iter().any(|table| question.ends_with(&table.id));
        if let Ok(mut info) = serde_json::from_slice::<Value>(body)
            && is_info
        {
            info["origin"] = Value::Null;
            (*headers, *body) = (String::new(), info.to_string().into_bytes());
        }
    }
    said
}

#[test]
fn an_imported_match_is_told_as_its_own_server_tells_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let server = Process::serve(&path("one"), &["--bot-pause", "0"]);
    let client = server.client();
    let tables = finished(&client, &server.operator());
    let documents: Vec<Value> = tables.iter().map(document).collect();
    let first = of_matches(&client, &tables);
    let listed = client.matches("limit=100").ok();
    server.stop();

    for (document, table) in documents.iter().zip(&tables) {
        let file = written(folder.path(), document);
        let told = import(&path("two"), &file).ok();
        let commits = document["commits"].as_array().expect("commits").len();
        assert!(told.contains(&table.id) && told.contains(&format!("{commits} commits")), "{told}");
        // Once more: nothing is changed.
        let again = import(&path("two"), &file).ok();
        assert!(again.contains("already; nothing was changed"), "{again}");
    }
    let (code, said) = process::verify(&path("two"));
    assert_eq!(code, Some(0), "{said}");
    backup(&path("two"), &path("archive"), None).ok();
    restore(&[&path("archive")], &path("three"), &[]).ok();

    for (name, count) in [("two", tables.len()), ("three", tables.len())] {
        let server = Process::serve(&path(name), &[]);
        let client = server.client();
        let second = of_matches(&client, &tables);
        for (question, answer) in &first {
            assert!(second.get(question) == Some(answer), "{question} is answered otherwise");
        }
        assert_eq!((first.len(), count), (second.len(), tables.len()));
        let mut items = client.matches("limit=100").ok()["items"].clone();
        for item in items.as_array_mut().expect("a list") {
            let from = item["origin"]["from"].as_str().expect("an origin");
            assert!(from.ends_with(item["match"].as_str().expect("an id")), "{from}");
            assert!(item["origin"]["imported_at"].as_str().expect("a time").ends_with('Z'));
            item["origin"] = Value::Null;
        }
        assert_eq!(items, listed["items"]);
        // It counts like any other, and a table says where it comes from.
        let csv = client.get("/v1/tables/matches.csv").text();
        assert_eq!(csv.matches("https://other.example.org/v1/matches/").count(), 7, "{csv}");
        server.stop();
    }
}

/// What a server publishes does not have the tags of idempotency keys that its store has.
#[test]
fn a_match_that_was_played_with_keys_is_known_to_its_own_store() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let server = Process::serve(&path("one"), &[]);
    let table = Table::rosenkoenig(&server.client());
    let seat = table.seat(table.active().expect("it begins"));
    let command = seat.legal_commands(&table.id, "").ok()["items"][0].clone();
    let body = json!({"expected_version": table.info()["version"], "command": command});
    let commands = format!("/v1/matches/{}/commands", table.id);
    let request = Request::new("POST", &commands).json(&body);
    seat.send(request.header("Idempotency-Key", "0198c0de-5c00-7000-8000-000000000007")).created();
    table.finish(&mut Dice::new(8));
    let file = written(folder.path(), &document(&table));
    server.stop();
    for (store, is_known) in [("one", true), ("two", false), ("two", true)] {
        let told = import(&path(store), &file).ok();
        assert_eq!(told.contains("already; nothing was changed"), is_known, "{store}: {told}");
    }
}

#[test]
fn who_finished_a_match_can_rebuild_what_commit_1_commits_to() {
    let server = Process::alone(&[]);
    let table = Table::rosenkoenig(&server.client());
    let [header, hashes] = ["header", "token_hashes"].map(|name| table.info()[name].clone());
    assert_eq!((header, hashes), (Value::Null, Value::Null));
    table.finish(&mut Dice::new(5));
    let info = server.client().info(&table.id).ok();
    let commits = server.client().commits(&table.id, "limit=1").ok();
    let events = commits["items"][0]["events"].as_array().expect("events");
    let commitment = events.last().expect("TableOpened")["header_commitment"].clone();
    let sha256 = |text: &[u8]| acceptance::proof::hex(&acceptance::proof::sha256(&[text]));
    let canonical = acceptance::proof::canonical(&info["header"]);
    assert_eq!(sha256(canonical.as_bytes()), commitment);
    assert_eq!(info["header"]["seed"], info["seed"]);
    for (seat, token) in table.seat_tokens.iter().enumerate() {
        let token = acceptance::proof::bytes_of(&json!(token));
        assert_eq!(info["token_hashes"][seat], sha256(&token));
        // A hash is no token.
        let hash = info["token_hashes"][seat].as_str().expect("a hash");
        let stranger = server.client().with_token(hash).info(&table.id);
        assert_eq!(stranger.status, 401);
    }
    server.stop();
}

/// Is there nothing inside of it?
fn is_leaf(value: &Value) -> bool {
    value.as_array().is_none_or(Vec::is_empty) && value.as_object().is_none_or(Map::is_empty)
}

/// Another value of the same type.
fn other(value: &Value) -> Value {
    match value {
        Value::Bool(value) => json!(!value),
        Value::Number(value) => json!(value.as_i64().expect("an integer") + 1),
        Value::String(value) if value.starts_with('0') => json!(format!("1{}", &value[1..])),
        Value::String(value) => json!(format!("0{}", value.get(1..).unwrap_or_default())),
        Value::Null => json!(0),
        Value::Array(_) => json!([0]),
        Value::Object(_) => json!({"x": 0}),
    }
}

#[test]
fn what_differs_anywhere_is_refused_with_its_place_and_nothing_is_stored() {
    let (folder, [data]) = acceptance::places(["data"]);
    let server = Process::serve(&folder.path().join("one"), &[]);
    let table = Table::open(&server.client(), &rosenkoenig(json!({})));
    table.finish(&mut Dice::new(3));
    let running = Table::open(&server.client(), &rosenkoenig(json!({})));
    running.play(&mut Dice::new(4), 5);
    let (good, live) = (document(&table), document(&running));
    server.stop();
    let refused = |document: &Value, words: &[&str]| {
        import(&data, &written(folder.path(), document)).refused(words);
        assert!(!data.exists(), "nothing is stored");
    };
    let changed = |change: &dyn Fn(&mut Value), words: &[&str]| {
        let mut document = good.clone();
        change(&mut document);
        refused(&document, words);
    };

    // Any value, of the match and of its commits. Who asked, and the id, are in no commit.
    let places = pointers_to(&good, is_leaf);
    let told = ["/match/viewer", "/match/origin", "/match/match", "/origin"];
    let proven = |place: &&String| !told.contains(&place.as_str());
    let of_commits = |place: &&String| place.starts_with("/commits");
    let (some, all): (Vec<&String>, Vec<&String>) =
        places.iter().filter(proven).partition(of_commits);
    assert!(all.len() > 30 && some.len() > 100);
    for place in all.into_iter().chain(some.iter().step_by(some.len() / 40).copied()) {
        let word = match place.split('/').collect::<Vec<_>>()[..] {
            ["", "commits", number, ..] => {
                format!("commit {}: ", number.parse::<u64>().expect("a number") + 1)
            }
            _ => "match".to_owned(),
        };
        let flip = |document: &mut Value| {
            let value = document.pointer_mut(place).expect("it is there");
            *value = other(value);
        };
        let mut document = good.clone();
        flip(&mut document);
        refused(&document, &["match.json: "]);
        if !place.starts_with("/match/header/seed") {
            changed(&flip, &[&word]);
        }
    }
    let commits = |change: &dyn Fn(&mut Vec<Value>), words: &[&str]| {
        changed(&|document| change(document["commits"].as_array_mut().expect("a list")), words);
    };
    commits(&|all| drop(all.pop()), &["commits: the match is not finished"]);
    commits(&Vec::clear, &["it has no commit"]);
    commits(&|all| drop(all.remove(0)), &["commit 1: "]);
    commits(&|all| drop(all.remove(7)), &["commit 8: prev_hash differs"]);
    commits(&|all| all.swap(4, 5), &["commit 5: prev_hash differs"]);
    commits(&|all| all.push(all[2].clone()), &["the match is finished before it"]);
    commits(&|all| all[3]["hash"] = json!("ff"), &["commit 4: hash is no hash"]);
    changed(&|document| document["match"]["header"] = Value::Null, &["match.header: its server"]);
    changed(&|document| document["seed"] = json!("00"), &["unknown field `seed`"]);
    for id in ["00000000-0000-0000-0000-000000000000", "6fa459ea-ee8a-4ca4-894e-db77e160355e"] {
        changed(
            &|document| document["match"]["match"] = json!(id),
            &["match.match: it is not the id of a match"],
        );
    }
    // Lists begin with the latest ids: one of the year 10889 would be the first for good.
    let later = json!("ffffffff-fff0-7000-8000-000000000000");
    changed(&|document| document["match"]["match"] = later.clone(), &["its time is in the future"]);
    for origin in ["\n", "https://other\u{202e}.example", "=HYPERLINK(\"http://evil.example\")"] {
        changed(&|document| document["origin"] = json!(origin), &["an origin has 1 to"]);
    }
    for name in ["=Hugin", "greedy", "Hu\u{202e}gin", " Hugin"] {
        let words = ["match.seats.0.name: it is not a name that a person"];
        changed(&|document| document["match"]["seats"][0]["name"] = json!(name), &words);
    }
    refused(&live, &["match.status: only a match that is finished"]);
    refused(&json!({"match": good["match"]}), &["missing field `commits`"]);
    refused(&json!([]), &["match.json: "]);
    fs::write(folder.path().join("cut"), &good.to_string()[..5000]).expect("written");
    import(&data, &folder.path().join("cut")).refused(&["cut: EOF while parsing", "line 1"]);
    import(&data, &folder.path().join("nowhere")).refused(&["nowhere", "No such file"]);
}

/// Changes commit 1 and seals and chains everything anew, as whoever knows the seed can.
fn forged(good: &Value, change: impl Fn(&mut Value)) -> Value {
    use acceptance::proof::{bytes_of, hashed_text, hex, link};
    let mut document = good.clone();
    let seed = bytes_of(&document["match"]["seed"]);
    change(&mut document);
    let mut before = [0; 32];
    for (entry, number) in document["commits"].as_array_mut().expect("a list").iter_mut().zip(1..) {
        // Of a finished match of Rosenkönig the public sides are not in the document; only commits that hide nothing keep their hash.
        let public = hashed_text(entry);
        link(&seed, number, &mut before, entry, &public);
    }
    document["match"]["head_hash"] = json!(hex(&before));
    document
}

#[test]
fn a_match_of_an_unknown_game_or_edition_is_refused_and_so_is_one_that_goes_otherwise() {
    let (folder, [data]) = acceptance::places(["data"]);
    let server = Process::serve(&folder.path().join("one"), &[]);
    let table = Table::open(&server.client(), &json!({"game": "voluspa", "seats": [{}, {}]}));
    table.finish(&mut Dice::new(3));
    let good = document(&table);
    server.stop();
    let refused = |words: &[&str], change: &dyn Fn(&mut Value)| {
        let file = written(folder.path(), &forged(&good, change));
        import(&data, &file).refused(words);
        assert!(!data.exists());
    };
    let opened = |document: &Value| {
        let events = document["commits"][0]["events"].as_array().expect("events");
        format!("/commits/0/events/{}", events.len() - 1)
    };
    refused(&["commit 1: there is no game chess"], &|document| {
        let opened = opened(document);
        *document.pointer_mut(&format!("{opened}/game")).expect("it is there") = json!("chess");
    });
    refused(&["commit 1: ", "edition 7"], &|document| {
        let opened = opened(document);
        *document.pointer_mut(&format!("{opened}/edition")).expect("it is there") = json!(7);
    });
    for engine in ["=HYPERLINK(\"http://evil.example\")", "muninn\t1", "muninn \u{202e}1"] {
        refused(&["commit 1: engine: "], &|document| {
            let place = format!("{}/engine", opened(document));
            *document.pointer_mut(&place).expect("it is there") = json!(engine);
        });
    }
    for later in ["2999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"] {
        refused(&["commit 1: recorded_at: it is in the future"], &|document| {
            document["commits"][0]["recorded_at"] = json!(later);
        });
    }
    // The outcome of chance is another one.
    refused(&["commit 1: "], &|document| {
        let event = &mut document["commits"][0]["events"][0];
        let seat = pointers_to(event, is_leaf).into_iter().find(|place| place.contains("seat"));
        let value = event.pointer_mut(&seat.expect("a seat begins")).expect("it is there");
        *value = json!(1 - value.as_i64().expect("one of two"));
    });
}

/// A match up to the commit at `at`, which `seat` takes back then, sealed and chained as whoever knows the seed can.
fn taken_back(good: &Value, at: usize, seat: &Value) -> Value {
    use acceptance::proof::{bytes_of, hashed_text, link};
    let mut document = good.clone();
    let seed = bytes_of(&document["match"]["seed"]);
    let commits = document["commits"].as_array_mut().expect("a list");
    commits.truncate(at + 1);
    let mut entry = commits[at].clone();
    let number = |name: &str| commits[at][name].as_u64().expect("a number");
    let (commit, version) = (number("commit") + 1, number("last_version") + 1);
    let to_version = number("first_version") - 1;
    let event = json!({"type": "CommandTakenBack", "seat": seat, "to_version": to_version});
    let changed = json!({
        "commit": commit, "first_version": version, "last_version": version,
        "seat": seat, "command": null, "events": [event],
    });
    let fields = entry.as_object_mut().expect("an object");
    fields.extend(changed.as_object().expect("an object").clone());
    let (mut before, public) = (bytes_of(&commits[at]["hash"]), hashed_text(&entry));
    link(&seed, commit, &mut before, &mut entry, &public);
    commits.push(entry);
    document
}

/// Whoever takes a draw back draws anew, until it pleases.
#[test]
fn a_take_back_that_the_rules_forbid_is_refused() {
    let (folder, [data]) = acceptance::places(["data"]);
    let server = Process::serve(&folder.path().join("one"), &[]);
    let body = json!({"game": "voluspa", "seats": [{}, {}], "take_back": true});
    let table = Table::open(&server.client(), &body);
    table.finish(&mut Dice::new(3));
    let good = document(&table);
    server.stop();
    let commits = good["commits"].as_array().expect("a list");
    let has_drawn = |commit: &Value| {
        let mut events = commit["events"].as_array().expect("events").iter();
        !commit["command"].is_null() && events.any(|event| event["type"] == "TileDrawn")
    };
    let at = commits.iter().position(has_drawn).expect("a command draws");
    let seat = &commits[at]["seat"];
    let other = json!(1 - seat.as_u64().expect("a seat"));
    for (seat, rule) in [(seat, "M-83: "), (&other, "M-82: ")] {
        let file = written(folder.path(), &taken_back(&good, at, seat));
        let place = format!("commit {}: the rules of this program decide otherwise", at + 2);
        import(&data, &file).refused(&[&place, rule]);
        assert!(!data.exists());
    }
}

#[test]
fn what_is_in_the_way_of_an_import_stays_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let server = Process::serve(&path("one"), &[]);
    let table = Table::open(&server.client(), &rosenkoenig(json!({})));
    table.finish(&mut Dice::new(3));
    let second = Table::open(&server.client(), &rosenkoenig(json!({})));
    second.finish(&mut Dice::new(4));
    let (good, mut other) = (document(&table), document(&second));
    let file = written(folder.path(), &good);
    import(&path("one"), &file).refused(&["in use"]);
    // Without an origin it is the name of the file, and not of the folders of whoever imports: everybody reads it.
    let mut nameless = good.clone();
    nameless.as_object_mut().expect("an object").remove("origin");
    import(&path("nameless"), &written(folder.path(), &nameless)).ok();
    let imported = Process::serve(&path("nameless"), &[]);
    let listed = imported.client().matches("").ok();
    assert_eq!(listed["items"][0]["origin"]["from"], "match.json");
    imported.stop();
    let file = written(folder.path(), &good);
    let own = |client: &Client| client.info(&table.id).ok()["origin"].clone();
    assert_eq!(own(&server.client()), Value::Null);
    server.stop();
    // A match that was played here stays one that was played here.
    assert!(import(&path("one"), &file).ok().contains("already; nothing was changed"));
    let server = Process::serve(&path("one"), &[]);
    assert_eq!(own(&server.client()), Value::Null);
    let ready = server.operator().send(Request::new("GET", "/readyz")).json();
    server.stop();
    // Another match under an id that is taken.
    other["match"]["match"] = json!(table.id);
    import(&path("one"), &written(folder.path(), &other))
        .refused(&["has another match under this id"]);
    // The tokens of another match: whoever says so cannot have both.
    other["match"]["match"] = json!("01900000-0000-7000-8000-000000000000");
    import(&path("one"), &written(folder.path(), &other))
        .refused(&["the store does not take the match"]);
    let server = Process::serve(&path("one"), &[]);
    let again = server.operator().send(Request::new("GET", "/readyz")).json();
    assert_eq!(again["position"], ready["position"], "nothing was stored");
    server.stop();
    let file = written(folder.path(), &good);
    let asked = ["import", "--origin", "elsewhere", "--match", file.to_str().expect("text")];
    run_on(&path("new"), &asked).ok();
    let server = Process::serve(&path("new"), &[]);
    assert_eq!(own(&server.client())["from"], "elsewhere");
    server.stop();
}

/// It is wrong usage, and said before the file is read.
#[test]
fn an_origin_of_the_command_line_that_cannot_be_shown_is_wrong_usage() {
    let (_folder, [data]) = acceptance::places(["data"]);
    for origin in ["", "=HYPERLINK(1)", "two\nlines", &"x".repeat(1_001)] {
        let said = run_on(&data, &["import", "--origin", origin, "--match", "nowhere.json"]);
        said.failed(2, &["--origin: an origin has 1 to 1000 characters"]);
    }
    assert!(!data.exists(), "nothing was made");
}

#[test]
fn an_import_that_is_killed_is_whole_or_not_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let server = Process::serve(&path("one"), &["--bot-pause", "0"]);
    let bots = json!([{"bot": "greedy"}, {"bot": "random"}]);
    let table = Table::open(&server.client(), &json!({"game": "delphi", "seats": bots}));
    until("the bots' end", || table.info()["status"] == "finished");
    let file = written(folder.path(), &document(&table));
    server.stop();
    let begun = std::time::Instant::now();
    import(&path("whole"), &file).ok();
    let takes = begun.elapsed();
    let mut there = 0;
    for round in 0..12 {
        let data = path(&format!("killed-{round}"));
        let mut command = muninn();
        command.arg("import").arg("--data").arg(&data).arg("--match").arg(&file);
        let mut child = command.stdout(std::process::Stdio::null()).spawn().expect("it runs");
        // It is the end that writes.
        thread::sleep(takes * (4 + 3 * round / 2) / 24);
        // It may have ended before.
        drop(child.kill());
        child.wait().expect("it ends");
        if data.join("HEAD").exists() {
            let (code, said) = process::verify(&data);
            assert_eq!(code, Some(0), "{said}");
            let whole = said.starts_with("1 matches");
            assert!(whole || said.starts_with("0 matches, 0 commits"), "{said}");
            there += u32::from(whole);
        }
        let again = import(&data, &file).ok();
        assert!(again.contains("imported") || again.contains("already"), "{again}");
    }
    assert!(there < 12, "some were killed before their end");
}
