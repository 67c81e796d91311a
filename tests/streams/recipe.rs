//! The recipe of whole matches, and how streams are recorded: by hand, once for each version of them (CONTRIBUTING.md).

use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use acceptance::server::Server;
use acceptance::{Client, Dice, Table};
use catalog::{ROWS, Row};
use serde_json::{Value, json};
use store::{Config, Store};

use crate::archives::sum;
use crate::portable::save;
use crate::{ROOT, digests};

/// Options that the catalogue's rows do not list.
const MORE: &[(&str, &str)] = &[
    ("voluspa", r#"{"set": "custom", "custom_types": ["raven", "freya"], "no_late_hel": false}"#),
    ("rosenkoenig", r#"{"start": "red", "light": true}"#),
    ("delphi", r#"{"map": "random"}"#),
    ("delphi", r#"{"ships": "choice", "fewer_tasks": 2}"#),
    ("delphi", r#"{"map": "random", "map_seed": 7, "fewer_tasks": 4, "start_seat": 1}"#),
];

/// Who plays.
const NAMES: [&str; 8] = ["Hugin", "Åse", "Ymir", "Loki", "Idun", "Njörd", "Frigg", "Ran"];

/// A match under the name of its file.
pub(crate) type Recorded = (String, Table);

/// Fills a folder, in which nothing is yet, with a store of matches.
pub(crate) type Recipe = fn(&Path) -> Vec<Recorded>;

/// Played at random, it would need tens of thousands of commands.
fn is_long(game: &str) -> bool {
    game == "delphi"
}

/// Plays to the end, with people and bots.
fn finish(table: &Table, dice: &mut Dice) {
    loop {
        let info = table.info();
        match info["active_seat"].as_u64().and_then(|seat| usize::try_from(seat).ok()) {
            Some(seat) if info["seats"][seat]["bot"].is_null() => drop(table.play(dice, 1)),
            Some(_) => thread::sleep(Duration::from_millis(5)),
            None => return assert_eq!(info["status"], "finished"),
        }
    }
}

/// A match with an open seat that is taken, a ticket, and nonces.
fn with_chance_of_both(client: &Client, body: &mut Value) -> Table {
    let seats = body["seats"].as_array_mut().expect("seats");
    let last = seats.len() - 1;
    seats[last] = json!({"open": true});
    body["ticket"] = client.post("/v1/seeds", &json!({})).created()["ticket"].clone();
    body["nonce"] = json!("0123456789abcdef".repeat(4));
    let mut table = Table::open(client, body);
    table.join(last, &json!({"name": "Muninn", "nonce": "fedcba9876543210".repeat(4)}));
    table
}

/// Four finished matches over the options of a game.
fn finished(client: &Client, row: &Row) -> Vec<Recorded> {
    let info = row.game.info();
    let more = MORE.iter().filter(|(game, _)| *game == info.id).map(|(_, options)| *options);
    let options = row.options.iter().copied().chain(more);
    let play = |(number, options): (usize, &str)| {
        let seats = info.seats.clone().cycle().nth(number - 1).expect("seats");
        let mut body = opening(info.id, &NAMES[..usize::from(seats)]);
        body["options"] = serde_json::from_str(options).expect("JSON");
        for seat in 1..body["seats"].as_array().map_or(0, Vec::len) {
            if number == 1 || is_long(info.id) {
                body["seats"][seat] = json!({"bot": "greedy"});
            }
        }
        let mut dice = Dice::new(100 + number as u64);
        let table = match number {
            2 => with_chance_of_both(client, &mut body),
            _ => Table::open(client, &body),
        };
        finish(&table, &mut dice);
        (format!("{}-finished-{number}", info.id), table)
    };
    (1..=4).zip(options.cycle()).map(play).collect()
}

fn opening(game: &str, names: &[&str]) -> Value {
    let seats: Vec<Value> = names.iter().map(|name| json!({"name": name})).collect();
    json!({"game": game, "seats": seats})
}

/// A match of which commands are taken back, if that is possible. In Völuspá that is rare, so several are played until there is one.
fn taken_back(client: &Client, mut body: Value, options: &str) -> Option<Table> {
    body["take_back"] = json!(true);
    body["options"] = serde_json::from_str(options).expect("JSON");
    let most = if is_long(body["game"].as_str().unwrap_or_default()) { 200 } else { 2000 };
    let play = |seed| {
        let (table, mut dice) = (Table::open(client, &body), Dice::new(seed));
        let mut taken_back = 0;
        for _ in 0..most {
            let Some(seat) = table.active() else { break };
            table.play(&mut dice, 1);
            let back = dice.below(3) > 0 && table.seat(seat).take_back(&table.id).status == 201;
            taken_back += u64::from(back);
        }
        (taken_back > 0).then_some(table)
    };
    (0..50).find_map(play)
}

/// All matches of a game.
fn matches(client: &Client, row: &Row) -> Vec<Recorded> {
    let (game, least) = (row.game.info().id, usize::from(*row.game.info().seats.start()));
    let people = opening(game, &NAMES[..least]);
    let mut matches = finished(client, row);
    let first = &matches[0].1;
    let commits = client.all_commits(&first.id);
    let at = &commits[commits.len() / 2]["last_version"];
    let mut load = people.clone();
    if is_long(game) {
        load["seats"][1] = json!({"bot": "greedy"});
    }
    let branch = json!({"at": at, "seats": load["seats"]});
    load["position"] = client.position(&first.id, &format!("at={at}")).ok();
    let on = Table::open(client, &people);
    // In a short match, not to its end.
    let few = commits.len() / 4;
    on.play(&mut Dice::new(5), few.min(30));
    let abandoned = Table::open(client, &people);
    abandoned.play(&mut Dice::new(6), few.min(20));
    abandoned.owner().close(&abandoned.id).ok();
    let loaded = Table::open(client, &load);
    finish(&loaded, &mut Dice::new(7));
    let branched = Table::read(client, &client.branch(&first.id, &branch).created());
    finish(&branched, &mut Dice::new(8));
    let options = row.options[row.options.len() - 1];
    let name = |kind: &str| format!("{game}-{kind}");
    let kinds = ["goes-on", "abandoned", "loaded", "branched"].map(name);
    matches.extend(kinds.into_iter().zip([on, abandoned, loaded, branched]));
    matches.extend(taken_back(client, people, options).map(|table| (name("taken-back"), table)));
    matches
}

/// Whole matches of every game, with all options.
pub(crate) fn played(data: &Path) -> Vec<Recorded> {
    let server = Server::start(data, catalog::games());
    let matches: Vec<Recorded> = thread::scope(|scope| {
        let client = || server.client();
        let games = ROWS.iter().map(|row| (client(), row));
        let games: Vec<_> =
            games.map(|(client, row)| scope.spawn(move || matches(&client, row))).collect();
        games.into_iter().flat_map(|game| game.join().expect("no panic")).collect()
    });
    server.stop();
    matches
}

/// Records the streams of a version, if there are none yet.
pub(crate) fn record(version: &str, by: Recipe) {
    let into = Path::new(ROOT).join(version);
    if into.exists() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let matches = by(folder.path());
    fs::create_dir(&into).expect("a new folder");
    let store = Store::open(folder.path(), Config::default()).expect("the store opens");
    for (name, table) in matches {
        save(&store, &table.id, &into.join(format!("{name}.ndjson.zst")));
    }
}

/// Writes the digests of a version and the sums of its files, if there are no digests yet.
pub(crate) fn digest(version: &str) {
    let folder = Path::new(ROOT).join(version);
    let file = folder.join("digests.json");
    if file.exists() {
        return;
    }
    let text = serde_json::to_string_pretty(&digests(version)).expect("JSON");
    fs::write(file, text + "\n").expect("a file");
    sum(&folder);
}
