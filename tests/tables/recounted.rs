//! The file of statistics, damaged or edited: the right figures, and a word that they were counted anew.

use std::fs;
use std::path::Path;

use archive::{Archive, Projection};
use serde_json::{Value, json};

use crate::flips::{flip, made, number};
use acceptance::server::Server;
use acceptance::{Client, Dice, Table, run_on, until_some};

/// The statistics without how far they go.
fn finished(line: &Value) -> Value {
    let mut line = line.clone();
    for name in ["position", "feed_end"] {
        assert!(line[name].is_u64(), "{line}");
    }
    assert_eq!(line["complete"], json!(line["position"] == line["feed_end"]));
    for name in ["position", "feed_end", "complete"] {
        line[name] = Value::Null;
    }
    line
}

fn counted(data: &Path, more: &[&str]) -> (Vec<Value>, String) {
    let said = run_on(data, &[&["stats", "--players", "all"], more].concat());
    let notes = said.error.clone();
    (said.lines().iter().map(finished).collect(), notes)
}

/// The statistics of a server when it says that they are complete.
#[track_caller]
fn served(client: &Client, what: &str) -> Vec<Value> {
    let games = client.games();
    let games = games["items"].as_array().expect("a list").iter();
    let complete = |game: &Value| {
        let path = format!("/v1/stats/{}?players=all", game["id"].as_str().expect("an id"));
        until_some(what, || {
            let line = client.get(&path).ok()["finished"].clone();
            (line["complete"] != json!(false)).then(|| finished(&line))
        })
    };
    games.map(complete).collect()
}

/// The file is written again where they grow.
#[test]
fn commits_of_a_match_that_goes_on_do_not_make_them_grow() {
    let (_folder, [data]) = acceptance::places(["data"]);
    made(&data);
    let server = Server::start(&data, catalog::games());
    let table = Table::rosenkoenig(&server.client());
    let commits = 1 + table.finish(&mut Dice::new(1)).len() as u64;
    server.stop();
    let archive = Archive::open(&data, catalog::games(), 8 << 20).expect("the store opens");
    let end = archive.position();
    let (ended, went_on) = (end - commits, end - 1);
    let mut projection = Projection::default();
    let mut size = |until| {
        let damaged = projection.go_on(&archive, until, &mut |_| true);
        assert!(damaged.is_empty(), "{damaged:?}");
        (projection.position(), projection.size())
    };
    assert_eq!(size(ended), (ended, 5));
    assert_eq!(size(went_on), (went_on, 5));
    assert_eq!(size(end), (end, 6));
}

#[test]
fn damaged_statistics_are_counted_anew() {
    let (rounds, seed) = (number("FLIP_ROUNDS", 24), number("FLIP_SEED", 3));
    let (_folder, [data]) = acceptance::places(["data"]);
    made(&data);
    let file = data.join("statistics.json");
    let (told, _) = counted(&data, &["--rebuild"]);
    let kept = fs::read_to_string(&file).expect("a file");
    let mut dice = Dice::new(seed as u64);
    let edited = kept.replace("\"commands\":", "\"commands\":1");
    assert_ne!(kept, edited);
    let mut damaged: Vec<(String, Vec<u8>)> = vec![
        ("edited".to_owned(), edited.into_bytes()),
        ("cut".to_owned(), kept.as_bytes()[..kept.len() / 2].to_vec()),
        ("empty".to_owned(), Vec::new()),
    ];
    for _ in 0..rounds {
        fs::write(&file, &kept).expect("it is written");
        let bits = 1 + dice.below(4);
        let what = flip(&file, &mut dice, bits);
        damaged.push((what, fs::read(&file).expect("a file")));
    }
    for (round, (what, bytes)) in damaged.into_iter().enumerate() {
        let what = format!("round {round}, seed {seed}: {what}");
        fs::write(&file, &bytes).expect("it is written");
        if round % 2 == 0 {
            let (lines, notes) = counted(&data, &[]);
            assert_eq!(lines, told, "{what}");
            let note = "note: statistics.json was counted anew: ";
            assert!(notes.contains(note), "{what}: {notes}");
        } else {
            let server = Server::asked(&data, catalog::games());
            let client = server.client();
            assert_eq!(served(&client, &what), told, "{what}");
            assert_eq!(server.operator().rebuilt("statistics"), 1, "{what}");
            server.stop();
        }
    }
}
