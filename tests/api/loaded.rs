//! Matches that begin from a position, and branches of finished ones.

use std::fs;

use serde_json::{Value, json};

use crate::positions::{opening, p2, start, with};
use crate::{client, restarted, server};
use acceptance::server::Server;
use acceptance::{Client, Dice, Table, unversioned};

#[test]
fn a_match_from_a_position_begins_with_it_and_hides_the_pile() {
    let (server, folder) = server();
    let client = server.client();
    for (show, cards) in [
        (false, Value::Null),
        (
            true,
            json!([
                "n2", "n3", "ne1", "e1", "e2", "se1", "se2", "s2", "s3", "sw1", "sw3", "w2", "nw3"
            ]),
        ),
    ] {
        let position = with(p2(), "/options/show_draw_pile", json!(show));
        let table = Table::open(&client, &opening(&position));
        let id = &table.id;
        let info = table.info();
        assert_eq!(
            (&info["version"], &info["commit"], &info["active_seat"]),
            (&json!(2), &json!(1), &json!(1))
        );
        assert_eq!(info["options"], position["options"]);
        for reader in [client.clone(), table.seat(0), table.seat(1), table.owner()] {
            let event = reader.commits(id, "").ok()["items"][0]["events"][0].clone();
            assert_eq!(event["type"], "PositionLoaded");
            assert_eq!(event["position"], unversioned(reader.view(id, "").ok()));
            assert_eq!(event["position"]["draw_pile"], json!({"count": 13, "cards": cards}));
        }
        let feed = client.feed_lines("type=PositionLoaded").lines();
        let own = feed.iter().find(|line| line["match"] == **id).expect("in the feed");
        assert_eq!(own["event"]["position"]["draw_pile"]["cards"], cards);
        let stream = client.stream(id, "", None).next().expect("the setup");
        assert_eq!(stream.data["events"][0]["position"]["draw_pile"]["cards"], cards);
        table.finish(&mut Dice::new(111));
        let commits = client.all_commits(id);
        let loaded = json!({"type": "PositionLoaded", "position": position});
        assert_eq!(commits[0]["events"][0], loaded);
        assert_eq!(client.position(id, "at=1").ok(), position, "the end opens everything");
        let then = client.commits(id, "viewer=1&limit=1").ok()["items"][0]["events"][0].clone();
        assert_eq!(then["position"]["draw_pile"]["cards"], cards, "what it was then");
    }
    let lists = client.matches("").ok();
    let server = restarted(server, &folder);
    assert_eq!(server.client().matches("").ok(), lists);
}

#[test]
fn whoever_takes_a_seat_sees_that_a_match_began_from_a_position() {
    let (server, folder) = server();
    let client = server.client();
    let seats = json!([{}, {"open": true}]);
    let dealt = Table::open(&client, &json!({"game": "rosenkoenig", "seats": seats}));
    let given = json!({"game": "rosenkoenig", "seats": seats, "position": p2()});
    let given = Table::open(&client, &given);
    let over = Table::rosenkoenig(&client);
    over.finish(&mut Dice::new(116));
    let branch = Table::read(&client, &client.branch(&over.id, &json!({"at": 2})).created());
    let begun = [(dealt, false), (given, true), (over, false), (branch, true)];
    let is_told = |client: &Client| {
        let lists = client.matches("").ok();
        let lists = lists["items"].as_array().expect("a list");
        for (table, loaded) in &begun {
            let listed = lists.iter().find(|listed| listed["match"] == *table.id);
            assert_eq!(listed.expect("it is listed")["loaded"], json!(loaded));
            assert_eq!(client.info(&table.id).ok()["loaded"], json!(loaded));
        }
    };
    is_told(&client);
    let server = restarted(server, &folder);
    is_told(&server.client());
    // The list is made anew from the log.
    server.stop();
    for file in ["list.sqlite", "list.sqlite-wal", "list.sqlite-shm", "list.sums"] {
        drop(fs::remove_file(folder.path().join(file)));
    }
    let server = Server::start(folder.path(), catalog::games());
    is_told(&server.client());
}

#[test]
fn a_finished_position_is_a_finished_match() {
    let (server, folder) = server();
    let client = server.client();
    let table = Table::rosenkoenig(&client);
    table.finish(&mut Dice::new(112));
    let position = client.position(&table.id, "").ok();
    let seats = json!([{}, {"open": true}]);
    let body = json!({"game": "rosenkoenig", "seats": seats, "position": position});
    let loaded = Table::open(&client, &body);
    let info = loaded.info();
    assert_eq!(info["status"], "finished");
    assert_eq!(info["standing"], table.info()["standing"]);
    assert_eq!(client.position(&loaded.id, "").ok(), position);
    client.take_seat(&loaded.id, 1, &json!({})).problem(409, "match_finished");
    let all = client.stream(&loaded.id, "", None).rest();
    assert_eq!(all.len(), 1);
    let server = restarted(server, &folder);
    assert_eq!(loaded.through(&server.client()).info(), info);
}

#[test]
fn a_branch_goes_on_from_any_version() {
    let (server, folder) = server();
    let client = server.client();
    let table = Table::rosenkoenig(&client);
    table.finish(&mut Dice::new(113));
    let last = table.version();
    for at in [1, last / 2] {
        // A version in the middle of a commit has a position, too; whether it can be played is the game's to say.
        let answer = client.branch(&table.id, &json!({"at": at, "seats": [{"name": "Idun"}, {}]}));
        if answer.status == 422 {
            answer.refused("invalid_position", "R-96");
            continue;
        }
        let branch = Table::read(&client, &answer.created());
        let path = format!("/v1/matches/{}", branch.id);
        assert_eq!(answer.header("location"), Some(path.as_str()));
        let info = branch.info();
        assert_eq!(info["branched_from"], json!({"match": table.id, "at": at}));
        assert_eq!(info["seats"][0]["name"], "Idun");
        assert_ne!(info["seed_commitment"], table.info()["seed_commitment"]);
        let event = client.commits(&branch.id, "").ok()["items"][0]["events"][0].clone();
        assert_eq!(event["type"], "PositionLoaded");
        assert_eq!(event["position"]["draw_pile"]["cards"], Value::Null);
        table.seat(0).view(&branch.id, "").problem(403, "not_yours");
        branch.play(&mut Dice::new(114), 4);
    }
    let ends = client.all_commits(&table.id);
    let at = ends[ends.len() / 2]["last_version"].as_u64().expect("a version");
    let branch = Table::read(&client, &client.branch(&table.id, &json!({"at": at})).created());
    branch.finish(&mut Dice::new(115));
    let begun = client.position(&branch.id, "at=1").ok();
    assert_eq!(begun, client.position(&table.id, &format!("at={at}")).ok());
    for body in [json!({}), json!({"at": "1"}), json!({"at": -1}), json!({"at": 1, "x": 1})] {
        client.branch(&table.id, &body).problem(400, "malformed");
    }
    let alone = json!({"at": 1, "seats": [{}]});
    client.branch(&table.id, &alone).refused("invalid_options", "R-01");
    let info = branch.info();
    let server = restarted(server, &folder);
    assert_eq!(branch.through(&server.client()).info(), info);
}

#[test]
fn a_branch_of_any_game_begins_at_a_whole_position() {
    let (client, _server) = client();
    let mut refused = 0;
    for info in catalog::games().iter().map(|game| game.info()) {
        let (game, seats) = (info.id, vec![json!({}); usize::from(*info.seats.start())]);
        let over =
            json!({"game": game, "seats": seats, "sandbox": {"fast_forward": {"bot": "greedy"}}});
        let over = Table::open(&client, &over);
        for commit in client.commits(&over.id, "limit=8").items() {
            let last = commit["last_version"].as_u64().expect("a version");
            for at in commit["first_version"].as_u64().expect("a version")..=last {
                let answer = client.branch(&over.id, &json!({"at": at}));
                if answer.status == 422 && at < last {
                    let detail = answer.problem(422, "invalid_position")["detail"].to_string();
                    let within =
                        format!("version {at} is in the middle of commit {}", commit["commit"]);
                    assert!(detail.contains(&within), "{game}: {detail}");
                    refused += 1;
                    continue;
                }
                let branch = Table::read(&client, &answer.created());
                branch.owner().close(&branch.id).ok();
            }
        }
    }
    assert!(refused > 0, "every position was whole");
}

#[test]
fn options_and_seats_are_as_asked_for() {
    let (client, _server) = client();
    let options = json!({"colors": ["white", "red"], "start": "red", "show_draw_pile": true});
    let body =
        json!({"game": "rosenkoenig", "options": options, "seats": [{"name": "A"}, {"name": "B"}]});
    let answer = client.open(&body);
    let table = Table::read(&client, &answer.created());
    let path = format!("/v1/matches/{}", table.id);
    assert_eq!(answer.header("location"), Some(path.as_str()));
    let info = table.info();
    let complete =
        json!({"colors": ["white", "red"], "start": "red", "show_draw_pile": true, "light": false});
    assert_eq!(info["options"], complete);
    assert_eq!(info["active_seat"], 1, "red begins");
    assert_eq!(
        client.view(&table.id, "").ok()["draw_pile"]["cards"].as_array().map(Vec::len),
        Some(14)
    );
    for name in ["created_at", "updated_at"] {
        let time = info[name].as_str().unwrap_or("");
        assert_eq!((time.len(), &time[10..11], &time[19..20], &time[23..]), (24, "T", ".", "Z"));
    }
    let defaults =
        Table::open(&client, &json!({"game": "rosenkoenig", "options": null, "seats": [{}, {}]}));
    assert_eq!(
        defaults.info()["options"],
        start()["options"].as_object().map_or(Value::Null, |known| {
            let mut known = known.clone();
            known.insert("start".to_owned(), json!("random"));
            Value::Object(known)
        })
    );
}

/// A match from a position takes the very options that opened the match where it was found.
#[test]
fn options_beside_a_position_may_say_the_same_in_another_way() {
    let (client, _server) = client();
    let options = json!({"set": "custom", "custom_types": ["raven", "hel"]});
    let body = json!({"game": "voluspa", "options": options, "seats": [{}, {}]});
    let table = Table::open(&client, &body);
    table.finish(&mut Dice::new(5));
    let position = client.get(&format!("/v1/matches/{}/position", table.id)).ok();
    assert_eq!(position["options"]["custom_types"], json!(["hel", "raven"]));
    let open = |options: Value| {
        let mut body = json!({"game": "voluspa", "position": position, "seats": [{}, {}]});
        body["options"] = options;
        client.open(&body)
    };
    for same in [
        options,
        json!({"custom_types": ["raven", "hel"]}),
        json!({"custom_types": null}),
        json!({"set": "custom"}),
    ] {
        open(same).created();
    }
    for (other, says) in [
        (json!({"set": "custom", "custom_types": ["raven"]}), "the option custom_types differs"),
        (json!({"no_late_hel": true}), "the option no_late_hel differs"),
        (json!({"set": "base"}), "the option set differs"),
        (json!({"custom_types": ["raven", "raven"]}), "names a type twice"),
        (json!({"late_hel": true}), "late_hel"),
    ] {
        let problem = open(other.clone()).problem(422, "invalid_options");
        assert_eq!(problem["rule"], "V-102", "{other}");
        let detail = problem["detail"].as_str().expect("a sentence");
        assert!(detail.contains(says), "{other}: {detail}");
    }
    // What breaks a rule by itself is refused by that rule.
    let mut body = opening(&start());
    body["options"] = json!({"colors": ["red", "red"]});
    assert_eq!(client.open(&body).problem(422, "invalid_options")["rule"], "R-02");
}

#[test]
fn the_largest_map_of_delphi_is_one() {
    let (client, _server) = client();
    let mut position =
        client.start_position("delphi", &json!({"seats": 2})).ok()["position"].take();
    let hexes = position["map"]["hexes"].as_array_mut().expect("a list");
    let block = (20..40).flat_map(|r| {
        (-20..20).map(move |q| json!({"q": q, "r": r, "kind": "shallow", "color": null}))
    });
    hexes.extend(block);
    hexes.truncate(255);
    hexes.sort_by_key(|hex| (hex["r"].as_i64(), hex["q"].as_i64()));
    let open = json!({"game": "delphi", "seats": [{}, {}], "position": position});
    client.open(&open).created();
    // Only water has a colour.
    let hexes = position["map"]["hexes"].as_array_mut().expect("a list");
    let water = hexes.iter_mut().find(|hex| hex["kind"] == "water").expect("there is water");
    water["color"] = Value::Null;
    let open = json!({"game": "delphi", "seats": [{}, {}], "position": position});
    let problem = client.open(&open).refused("invalid_position", "D-131");
    let told = problem["detail"].as_str().unwrap_or_default();
    assert!(told.contains("has a color if it is water"), "{told}");
}

#[test]
fn a_loaded_position_names_only_seats_and_ranks_that_are_there() {
    let (client, _server) = client();
    let fixtures = client.fixtures("delphi");
    let fixture = |wanted: &dyn Fn(&Value) -> bool| {
        let mut positions = fixtures.iter().map(|fixture| &fixture["position"]);
        let found = positions.find(|position| wanted(position));
        found.expect("a fixture").clone()
    };
    let open = |position: &Value| {
        let seats = vec![json!({}); position["players"].as_array().expect("a list").len()];
        client.open(&json!({"game": "delphi", "seats": seats, "position": position}))
    };
    let over = fixture(&|position| position["stage"] == "over" && position["standing"].is_array());
    for rank in [0, 5, 255] {
        let wrong = with(over.clone(), "/standing/0/rank", json!(rank));
        open(&wrong).refused("invalid_position", "D-131");
    }
    // Whatever a list says, the result follows from the players, and nothing is damaged.
    let twice = json!([over["standing"][0], over["standing"][0]]);
    for told in [Value::Null, json!([]), twice] {
        let table = open(&with(over.clone(), "/standing", told)).created();
        let table = Table::read(&client, &table);
        assert_eq!(table.info()["standing"], over["standing"]);
        assert_eq!(client.view(&table.id, "").ok()["standing"], over["standing"]);
    }
    assert_eq!(client.get("/v1/tables/seats.csv").status, 200);
    assert_eq!(client.get("/v1/damaged").ok()["items"], json!([]));
    let running = fixture(&|position| position["stage"] == "main" && position["seats"] == 2);
    let colors = json!(vec!["red"; 1000]);
    open(&with(running.clone(), "/options/colors", colors)).refused("invalid_position", "D-131");
    open(&with(running.clone(), "/options/start_seat", json!(1))).created();
    for seat in [2, 7, 255] {
        let wrong = with(running.clone(), "/options/start_seat", json!(seat));
        open(&wrong).refused("invalid_position", "D-131");
    }
}
