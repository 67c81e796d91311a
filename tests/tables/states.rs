//! The table of states says what the API says of each version.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::folder::{export, simulate};
use crate::read::{Row, number, tables};
use acceptance::server::Server;
use acceptance::{Dice, Table, until_some};

#[test]
fn a_state_is_what_everybody_could_see_then() {
    let (_folder, [data, out]) = acceptance::places(["data", "out"]);
    simulate(&data, "copenhagen", 3, 1, 1);
    simulate(&data, "delphi", 2, 1, 1);
    simulate(&data, "rosenkoenig", 2, 2, 1);
    simulate(&data, "voluspa", 4, 1, 1);
    export(&data, &out, &["--hashes"]);
    let tables = tables(&out);
    let server = Server::start(&data, catalog::games());
    let client = server.client();
    for row in &tables["matches"] {
        let id = row["match_id"].as_str().expect("an id");
        let of_match = |table: &str| -> Vec<&Row> {
            let rows = tables[table].iter();
            rows.filter(|other| other["match_no"] == row["match_no"]).collect()
        };
        let (states, commits) = (of_match("states"), of_match("commits"));
        let wide = tables.iter().filter(|(name, rows)| {
            name.starts_with(row["game"].as_str().expect("a game"))
                && rows.first().is_some_and(|row| row.contains_key("recorded_at"))
        });
        // A match of Delphi has hundreds of commits, so none is looked for from the first one on.
        assert!(commits.is_sorted_by_key(|commit| number(commit, "first_version")));
        let mut told = 0;
        for event in wide.flat_map(|(name, _)| of_match(name)) {
            let version = number(event, "version");
            let next = commits.partition_point(|c| number(c, "first_version") <= version);
            for same in ["turn", "round", "recorded_at"] {
                assert_eq!(event[same], commits[next - 1][same], "{event:?}");
            }
            told += 1;
        }
        assert!(told > commits.len() / 2, "{told}");
        assert_eq!(states.len(), commits.len());
        let awards = of_match("awards");
        // What happened in a commit says when it was as the commit does.
        let inside = awards.iter().copied().chain(of_match("draws"));
        for part in inside {
            let commit = commits[number(part, "commit_no") as usize - 1];
            for same in ["commit_no", "turn", "round"] {
                assert_eq!(part[same], commit[same], "{part:?}");
            }
        }
        assert!(awards.is_sorted_by_key(|award| number(award, "version")));
        let mut awards = awards.into_iter().peekable();
        let mut scores = vec![0; states[0]["scores"].as_array().expect("a list").len()];
        let mut hashes = Vec::new();
        for (state, commit) in states.iter().zip(&commits) {
            for same in ["commit_no", "turn", "round", "recorded_at", "taken_back"] {
                assert_eq!(state[same], commit[same], "{same}");
            }
            let version = number(state, "version");
            assert_eq!(
                version,
                number(commit, "first_version") + number(commit, "event_count") - 1
            );
            while let Some(award) = awards.next_if(|award| number(award, "version") <= version) {
                scores[number(award, "seat") as usize] += number(award, "points");
            }
            assert_eq!(state["scores"], json!(scores), "{state:?}");
            hashes.push(state["position_hash"].as_str().expect("a hash").to_owned());
            if number(state, "commit_no") % 11 != 1 && state["seat_to_act"] != Value::Null {
                continue;
            }
            let view = client.get(&format!("/v1/matches/{id}/view?at={version}")).ok();
            assert_eq!(state["seat_to_act"], view["active_seat"]);
            let legal = client.get(&format!("/v1/matches/{id}/legal-commands?at={version}")).ok();
            assert_eq!(
                number(state, "legal_after"),
                legal["items"].as_array().expect("a list").len() as i64
            );
            let (left, hands) = hidden(row["game"].as_str().expect("a game"), &view);
            assert!(left.is_u64() && hands[0].is_u64(), "{view}");
            assert_eq!((&state["left_to_draw"], &state["hand_sizes"]), (&left, &hands), "{row:?}");
        }
        // No two positions of a match are the same: something always happens.
        hashes.sort_unstable();
        let count = hashes.len();
        hashes.dedup();
        assert_eq!(hashes.len(), count);
    }
    as_the_games_count(&tables);
}

/// What is left to draw, and the size of each hand, as the view of a game tells them.
fn hidden(game: &str, view: &Value) -> (Value, Value) {
    let sizes = |list: &str, size: &dyn Fn(&Value) -> Value| -> Value {
        view[list].as_array().expect("a list").iter().map(size).collect()
    };
    let length = |list: &Value| json!(list.as_array().map(Vec::len));
    match game {
        "copenhagen" => (view["deck_size"].clone(), sizes("players", &|p| p["hand_size"].clone())),
        "voluspa" => (view["pile_count"].clone(), sizes("players", &|p| p["hand_count"].clone())),
        "rosenkoenig" => (view["draw_pile"]["count"].clone(), sizes("hands", &length)),
        "delphi" => (length(&view["oracle_deck"]), sizes("players", &|p| length(&p["cards"]))),
        game => panic!("what is left to draw in {game}?"),
    }
}

/// Two games count turns or rounds themselves.
fn as_the_games_count(tables: &BTreeMap<String, Vec<Row>>) {
    let turns = tables["copenhagen_turn_ended"].iter();
    assert!(turns.clone().count() > 5);
    for ended in turns {
        assert_eq!(number(ended, "turn") + 1, number(ended, "next_turn"), "{ended:?}");
    }
    as_delphi_counts(tables);
}

fn as_delphi_counts(tables: &BTreeMap<String, Vec<Row>>) {
    let rounds = tables["delphi_round_ended"].iter();
    assert!(rounds.clone().count() > 5);
    for ended in rounds {
        assert_eq!(ended["round"], ended["event_round"], "{ended:?}");
    }
}

/// In The Oracle of Delphi another seat than the one that begins may choose a ship before (D-17).
#[test]
fn who_begins_is_not_who_chooses_a_ship_before() {
    let (_folder, [data, out]) = acceptance::places(["data", "out"]);
    let asked = "--game delphi --seats 3 --matches 3 --seed 5 --options";
    acceptance::simulate(&data, &format!(r#"{asked} {{"ships":"choice"}}"#));
    export(&data, &out, &[]);
    let tables = tables(&out);
    as_delphi_counts(&tables);
    let server = Server::start(&data, catalog::games());
    for row in &tables["matches"] {
        let id = row["match_id"].as_str().expect("an id");
        let setup = server.client().commits(id, "limit=1").ok();
        let at = format!("at={}", setup["items"][0]["last_version"]);
        let position = server.client().position(id, &at).ok();
        assert_ne!(position["active_seat"], position["start_seat"]);
        assert_eq!(row["start_seat"], position["start_seat"]);
    }
}

/// Loads a fixture of The Oracle of Delphi as if it were of this round, and plays one match from there; returns its start seat.
fn loaded_in_round(data: &Path, name: &str, round: i64) -> Value {
    let games = catalog::games().iter();
    let delphi = games.map(|game| game.info()).find(|info| info.id == "delphi");
    let fixtures = delphi.expect("the game").fixtures;
    let fixtures: Vec<Value> = serde_json::from_str(fixtures).expect("JSON");
    let mut fixtures = fixtures.into_iter();
    let fixture = fixtures.find(|fixture| fixture["name"] == name).expect("a fixture");
    let mut position = fixture["position"].clone();
    position["round"] = json!(round);
    let file = data.with_extension(format!("{name}-{round}.json"));
    fs::write(&file, position.to_string()).expect("written");
    let asked = "--game delphi --bot greedy --matches 1 --seed 5 --position";
    acceptance::simulate(data, &format!("{asked} {}", file.display()));
    position["start_seat"].clone()
}

/// A match may begin with a position before the first turn: where ships are chosen, or answer what they ask.
#[test]
fn who_begins_is_not_who_decides_first_in_a_loaded_position() {
    let (_folder, [data, out]) = acceptance::places(["data", "out"]);
    let loaded = [("ships", 3), ("return_task", 1), ("return_task", 3)];
    let begin = |(name, round)| (loaded_in_round(&data, name, round), round - 1);
    let mut begun = loaded.map(begin).to_vec();
    let asked = "--game delphi --bot greedy --matches 1 --seed 5";
    let chosen = r#"--seats 3 --options {"ships":"choice"} --format ndjson"#;
    let told = acceptance::simulate(&data, &format!("{asked} {chosen}"));
    let first: Value = serde_json::from_str(told.lines().next().expect("a line")).expect("JSON");
    let from = format!("{}@2", first["match"].as_str().expect("an id"));
    acceptance::simulate(&data, &format!("{asked} --from {from}"));
    export(&data, &out, &[]);
    let tables = tables(&out);
    let matches = &tables["matches"];
    let start = matches[3]["start_seat"].clone();
    begun.extend([(start.clone(), 0), (start.clone(), 0)]);
    assert_eq!(matches.len(), begun.len());
    for (row, (start, rounds)) in matches.iter().zip(&begun) {
        assert_eq!(row["start_seat"], *start, "{row:?}");
        let of_match = |table: &str| -> Vec<&Row> {
            tables[table].iter().filter(|other| other["match_no"] == row["match_no"]).collect()
        };
        for seat in of_match("seats") {
            assert_eq!(seat["started"], json!(seat["seat"] == *start), "{seat:?}");
        }
        let ended = of_match("delphi_round_ended");
        assert!(ended.len() > 5);
        for ended in ended {
            assert_eq!(number(ended, "round") + rounds, number(ended, "event_round"), "{ended:?}");
        }
    }
    let branch = &matches[4];
    let first = tables["states"].iter().find(|state| state["match_no"] == branch["match_no"]);
    assert_ne!(first.expect("a state")["seat_to_act"], branch["start_seat"]);
    let server = Server::start(&data, catalog::games());
    let counted = until_some("the statistics", || {
        let query = "/v1/stats/delphi?players=bots&loaded=true";
        let counted = server.client().get(query).ok()["finished"].clone();
        (counted["matches"] == json!(4)).then_some(counted)
    });
    for (seats, start, matches) in [(2, &begun[0].0, 1), (3, &start, 1), (4, &begun[1].0, 2)] {
        let mut of_seats = counted["tables"].as_array().expect("a list").iter();
        let of_seats = of_seats.find(|table| table["seats"] == json!(seats)).expect("its matches");
        for seat in of_seats["by_seat"].as_array().expect("a list") {
            let started = if seat["seat"] == *start { matches } else { 0 };
            assert_eq!(seat["started"], json!(started), "{of_seats}");
        }
    }
}

/// Who takes back may be another seat than the one whose turn is the first.
#[test]
fn a_take_back_before_the_first_turn_moves_no_round() {
    let (_folder, [data, out]) = acceptance::places(["data", "out"]);
    let server = Server::start(&data, catalog::games());
    let options = json!({"ships": "choice", "start_seat": 0, "fewer_tasks": 4});
    let open = json!({"game": "delphi", "seats": [{"name": "Ada"}, {"name": "Ben"}], "options": options, "take_back": true});
    let table = Table::open(&server.client(), &open);
    let seat = table.active().expect("it runs");
    assert_eq!(seat, 1, "the last seat chooses first");
    for _ in 0..2 {
        table.act(&table.legal()[0]);
        table.seat(seat).take_back(&table.id).created();
    }
    table.finish(&mut Dice::new(3));
    server.stop();
    export(&data, &out, &[]);
    let tables = tables(&out);
    as_delphi_counts(&tables);
    assert_eq!(tables["matches"][0]["take_back"], true);
}

/// The turn that a command has begun is not there when it is taken back, and neither is the round.
#[test]
fn a_take_back_is_of_the_turn_that_it_returns_to() {
    let (_folder, [data, out]) = acceptance::places(["data", "out"]);
    let server = Server::start(&data, catalog::games());
    let table = Table::dealt(&server.client(), &json!({"take_back": true}));
    for _ in 0..2 {
        let played = table.legal().into_iter().find(|command| command["type"] == "PlayCard");
        let seat = table.active().expect("it runs");
        table.act(&played.expect("a card can be played"));
        assert_ne!(table.active(), Some(seat), "the other seat is not passed over");
    }
    let last = 1 - table.active().expect("it runs");
    table.seat(last).take_back(&table.id).created();
    table.finish(&mut Dice::new(3));
    server.stop();
    export(&data, &out, &[]);
    let tables = tables(&out);
    let begun = tables["rosenkoenig_turn_started"].iter();
    let begun: Vec<&Row> = begun.filter(|row| number(row, "commit_no") <= 3).collect();
    assert_eq!(begun.len(), 2, "each of both began a turn: {begun:?}");
    for table in ["commits", "states", "events"] {
        let of_commit = |commit: i64| -> Vec<(i64, i64)> {
            let rows = tables[table].iter().filter(|row| number(row, "commit_no") == commit);
            rows.map(|row| (number(row, "turn"), number(row, "round"))).collect()
        };
        // The setup, a command, the one that is taken back, the take-back, and the next command.
        for (commit, known) in (1..).zip([(1, 1), (1, 1), (2, 1), (2, 1), (2, 1)]) {
            let told = of_commit(commit);
            assert!(!told.is_empty() && told.iter().all(|of| *of == known), "{table} {told:?}");
        }
    }
    let events = &tables["events"];
    let back = events.iter().find(|row| row["event_type"] == "CommandTakenBack");
    assert_eq!(number(back.expect("the take-back"), "commit_no"), 4);
}

#[test]
fn what_is_taken_back_is_the_position_of_before() {
    let (_folder, [data, out]) = acceptance::places(["data", "out"]);
    let server = Server::start(&data, catalog::games());
    let client = server.client();
    let open = json!({"game": "copenhagen", "seats": [{"name": "Ada"}, {}], "take_back": true});
    let table = Table::open(&client, &open);
    let seat = table.active().expect("it runs");
    let taken = table.legal().into_iter().find(|command| command["type"] == "TakeCard");
    table.act(&taken.expect("a card can be taken"));
    let path = format!("/v1/matches/{}/take-back", table.id);
    table.seat(seat).send(acceptance::Request::new("POST", &path)).created();
    table.finish(&mut Dice::new(3));
    server.stop();
    export(&data, &out, &["--hashes"]);
    let states = tables(&out)["states"].clone();
    let own = [
        "scores",
        "seat_to_act",
        "legal_after",
        "left_to_draw",
        "hand_sizes",
        "position_hash",
        "turn",
    ];
    for column in own {
        assert_eq!(states[0][column], states[2][column], "{column}");
    }
    assert_ne!(states[0]["position_hash"], states[1]["position_hash"]);
    let undone: Vec<bool> = states.iter().take(4).map(|row| row["taken_back"] == true).collect();
    assert_eq!(undone, [false, true, false, false]);
}
