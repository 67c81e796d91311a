//! What the tables say.

use std::collections::BTreeMap;

use chrono::DateTime;
use serde_json::{Value, json};

use crate::folder::{export, simulate, three_games};
use crate::read::{Row, number, tables};
use acceptance::files::names;
use acceptance::server::Server;
use acceptance::{Dice, Table};

fn parsed(row: &Row, column: &str) -> Value {
    let text = row[column].as_str().expect("JSON is text");
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn the_tables_say_what_the_api_says() {
    let (_folder, [data, out]) = acceptance::places(["data", "out"]);
    three_games(&data);
    export(&data, &out, &["--hashes"]);
    let tables = tables(&out);
    assert_eq!(tables["matches"].len(), 9);
    let server = Server::start(&data, catalog::games());
    let client = server.client();
    for row in &tables["matches"] {
        let id = row["match_id"].as_str().expect("an id");
        let of_match = |table: &str| -> Vec<&Row> {
            let rows = tables[table].iter();
            rows.filter(|other| other["match_no"] == row["match_no"]).collect()
        };
        let info = client.get(&format!("/v1/matches/{id}")).ok();
        assert_eq!(row["game"], info["game"]);
        assert_eq!(row["event_count"], info["version"]);
        assert_eq!(row["commit_count"], info["commit"]);
        assert_eq!(row["seed"], info["seed"]);
        assert_eq!(row["head_hash"], info["head_hash"]);
        assert_eq!(parsed(row, "standing"), info["standing"]);
        let created = info["created_at"].as_str().expect("a time");
        let created = DateTime::parse_from_rfc3339(created).expect("a time");
        assert_eq!(number(row, "created_at"), created.timestamp_millis());

        let commits = Table::pages(500, |query| {
            client.get(&format!("/v1/matches/{id}/commits?{query}")).ok()
        });
        let rows = of_match("commits");
        assert_eq!(rows.len(), commits.len());
        for (row, commit) in rows.iter().zip(&commits) {
            assert_eq!(row["commit_no"], commit["commit"]);
            assert_eq!(row["acting_seat"], commit["seat"]);
            assert_eq!(row["hash"], commit["hash"]);
            assert_eq!(row["first_version"], commit["first_version"]);
        }
        let commands = commits.iter().filter(|commit| !commit["command"].is_null());
        let rows = of_match("commands");
        assert_eq!(rows.len(), commands.clone().count());
        for (row, commit) in rows.iter().zip(commands) {
            assert_eq!(parsed(row, "command"), commit["command"]);
            assert_eq!(row["command_type"], commit["command"]["type"]);
            let at = commit["first_version"].as_i64().expect("a version") - 1;
            if number(row, "commit_no") % 7 == 0 {
                let legal = client.get(&format!("/v1/matches/{id}/legal-commands?at={at}")).ok();
                let legal = legal["items"].as_array().expect("a list").len();
                assert_eq!(number(row, "legal_before"), legal as i64);
            }
        }
        let events =
            Table::pages(500, |query| client.get(&format!("/v1/matches/{id}/events?{query}")).ok());
        let rows = of_match("events");
        assert_eq!(rows.len(), events.len());
        for (row, event) in rows.iter().zip(&events) {
            assert_eq!(row["version"], event["version"]);
            assert_eq!(row["commit_no"], event["commit"]);
            assert_eq!(row["event_type"], event["event"]["type"]);
            assert_eq!(parsed(row, "event"), event["event"]);
        }
    }
}

/// Puts the columns of a wide row together to the event again.
fn rebuilt(row: &Row, event: &Value) -> Value {
    let mut rebuilt = event.clone();
    let fields = rebuilt.as_object_mut().expect("an object");
    for (name, field) in fields.iter_mut().filter(|(name, _)| *name != "type") {
        let column = row.get(&format!("event_{name}")).or_else(|| row.get(name));
        let column = column.or_else(|| row.get("seated").filter(|_| name == "seats"));
        match (column, &mut *field) {
            (Some(Value::String(text)), Value::Array(_) | Value::Object(_)) => {
                *field = serde_json::from_str(text).expect("JSON");
            }
            (Some(value), _) => *field = value.clone(),
            (None, Value::Object(parts)) => {
                for (part, value) in parts {
                    *value = row[&format!("{name}_{part}")].clone();
                }
            }
            (None, Value::Null) => {}
            (None, other) => panic!("{name} = {other} has no column"),
        }
    }
    rebuilt
}

#[test]
fn the_columns_of_an_event_are_the_event() {
    let (_folder, [data, out]) = acceptance::places(["data", "out"]);
    three_games(&data);
    export(&data, &out, &[]);
    let tables = tables(&out);
    let mut wide: BTreeMap<(i64, i64), &Row> = BTreeMap::new();
    for (name, rows) in &tables {
        if catalog::games().iter().any(|game| name.starts_with(game.info().id)) {
            wide.extend(
                rows.iter().map(|row| ((number(row, "match_no"), number(row, "version")), row)),
            );
        }
    }
    assert_eq!(wide.len(), tables["events"].len(), "each event is in one table");
    for row in &tables["events"] {
        let event = parsed(row, "event");
        let wide = wide[&(number(row, "match_no"), number(row, "version"))];
        assert_eq!(rebuilt(wide, &event), event);
        assert_eq!(wide["commit_no"], row["commit_no"]);
    }
    let placed = &tables["voluspa_tile_placed"][0];
    assert!(placed["at_x"].is_i64() && placed["tile"].is_string(), "{placed:?}");
}

#[test]
fn every_point_and_every_draw_is_there() {
    let (_folder, [data, out]) = acceptance::places(["data", "out"]);
    three_games(&data);
    export(&data, &out, &[]);
    let tables = tables(&out);
    for seat in &tables["seats"] {
        let own = |row: &&Row| row["match_no"] == seat["match_no"] && row["seat"] == seat["seat"];
        let awarded: i64 =
            tables["awards"].iter().filter(own).map(|row| number(row, "points")).sum();
        assert_eq!(awarded, number(seat, "final_points"), "{seat:?}");
        let place = parsed(seat, "place");
        assert_eq!(place["rank"], seat["rank"]);
        assert_eq!(seat["won"], json!(seat["rank"] == 1));
    }
    // What Völuspá drew, as its events tell it.
    let drawn: Vec<(&Value, &Value, Value)> = tables["voluspa_tile_drawn"]
        .iter()
        .map(|row| (&row["match_no"], &row["commit_no"], row["tile"].clone()))
        .collect();
    let tiles = ["hand_tile", "draw_tile"];
    let draws: Vec<(&Value, &Value, Value)> = tables["draws"]
        .iter()
        .filter(|row| tiles.iter().any(|kind| row["draw_kind"] == *kind))
        .map(|row| (&row["match_no"], &row["commit_no"], row["outcome"].clone()))
        .collect();
    assert!(draws.len() > 100);
    assert_eq!(draws, drawn);
    for draw in &tables["draws"] {
        assert!(number(draw, "drawn_index") < number(draw, "candidates"));
    }
}

#[test]
fn all_formats_say_the_same() {
    let (folder, [data]) = acceptance::places(["data"]);
    three_games(&data);
    let read = |format: &str| {
        let out = folder.path().join(format);
        export(&data, &out, &["--format", format]);
        let own = ["_dictionary.json", "_export.json"];
        assert!(names(&out).iter().all(|f| f.ends_with(format) || own.contains(&f.as_str())));
        tables(&out)
    };
    let (parquet, ndjson, csv) = (read("parquet"), read("ndjson"), read("csv"));
    assert!(parquet.len() > 40, "{:?}", parquet.keys());
    for (name, rows) in &parquet {
        // A table without rows has no lines.
        let lines = ndjson.get(name).map_or(&[][..], Vec::as_slice);
        let records = csv.get(name).map_or(&[][..], Vec::as_slice);
        assert_eq!((rows.len(), rows.len()), (lines.len(), records.len()), "{name}");
        for ((row, line), record) in rows.iter().zip(lines).zip(records) {
            assert!(row.keys().eq(line.keys()) && row.keys().eq(record.keys()), "{name}");
            for (column, value) in row {
                let text = match &line[column] {
                    Value::Null => String::new(),
                    Value::String(text) => text.clone(),
                    told @ (Value::Bool(_) | Value::Number(_)) => told.to_string(),
                    told @ (Value::Array(_) | Value::Object(_)) => told.to_string(),
                };
                let same = match (value, &line[column]) {
                    (Value::Number(millis), Value::String(time)) => {
                        let time = DateTime::parse_from_rfc3339(time).expect("a time");
                        Some(time.timestamp_millis()) == millis.as_i64()
                    }
                    (Value::String(json), Value::Array(_) | Value::Object(_)) => {
                        serde_json::from_str::<Value>(json).expect("JSON") == line[column]
                    }
                    (Value::String(json), told) if *told != *value => {
                        serde_json::from_str::<Value>(json).expect("JSON") == *told
                    }
                    (value, told) => value == told,
                };
                assert!(same, "{name}.{column}: {value} and {}", line[column]);
                let record = record[column].as_str().expect("text");
                let nested = value.is_string() && record == value.as_str().unwrap_or_default();
                assert!(nested || record == text, "{name}.{column}: {record} and {text}");
            }
        }
    }
}

#[test]
fn what_goes_on_or_is_private_stays_out() {
    let (folder, [data]) = acceptance::places(["data"]);
    simulate(&data, "rosenkoenig", 2, 1, 1);
    let server = Server::start(&data, catalog::games());
    let client = server.client();
    let dice = &mut Dice::new(7);
    let seats = json!([{"name": "Ada"}, {}]);
    let running = Table::open(&client, &json!({"game": "rosenkoenig", "seats": seats}));
    running.play(dice, 4);
    let closed = Table::open(&client, &json!({"game": "rosenkoenig", "seats": seats}));
    closed.play(dice, 5);
    closed
        .owner()
        .send(acceptance::Request::new("POST", &format!("/v1/matches/{}/close", closed.id)))
        .ok();
    let private = Table::open(
        &client,
        &json!({"game": "rosenkoenig", "seats": seats, "visibility": "private"}),
    );
    private.finish(dice);
    let taken_back =
        Table::open(&client, &json!({"game": "rosenkoenig", "seats": seats, "take_back": true}));
    let play = taken_back.legal().into_iter().find(|command| command["type"] == "PlayCard");
    let seat = taken_back.active().expect("it runs");
    taken_back.act(&play.expect("a card can be played"));
    let path = format!("/v1/matches/{}/take-back", taken_back.id);
    taken_back.seat(seat).send(acceptance::Request::new("POST", &path)).created();
    taken_back.finish(dice);
    server.stop();
    let out = folder.path().join("out");
    export(&data, &out, &[]);
    let open = tables(&out);
    assert_eq!(open["matches"].len(), 2);
    let text = format!("{open:?}");
    for hidden in [&running.id, &closed.id, &private.id] {
        assert!(!text.contains(hidden.as_str()));
    }
    let mine: Vec<&Row> =
        open["commands"].iter().filter(|row| row["match_id"] == json!(taken_back.id)).collect();
    let undone: Vec<i64> = mine
        .iter()
        .filter(|row| row["taken_back"] == true)
        .map(|row| number(row, "commit_no"))
        .collect();
    assert_eq!(undone, [2]);
    assert!(!mine.iter().any(|row| row["commit_no"] == 3), "a take-back is no command");
    let all = folder.path().join("all");
    export(&data, &all, &["--private"]);
    let all = tables(&all);
    assert_eq!(all["matches"].len(), 3);
    let secret = all["matches"].iter().find(|row| row["match_id"] == json!(private.id));
    assert_eq!(secret.expect("it is there")["visibility"], "private");
    for token in private.seat_tokens.iter().flatten().chain([&private.owner_token]) {
        assert!(!format!("{all:?}").contains(token.as_str()));
    }
}
