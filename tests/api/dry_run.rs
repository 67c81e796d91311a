//! A dry run stores nothing, draws nothing, and tells nothing that is hidden.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::client;
use crate::positions::{draw, opening, p2, play, start, with};
use acceptance::{Client, Request, Table};

#[test]
fn a_dry_run_answers_like_the_command_and_stores_nothing() {
    let (client, _server) = client();
    let table = Table::open(&client, &opening(&start()));
    let id = &table.id;
    let before = (table.info(), client.feed("").ok(), client.view(id, "").ok());
    let run = table.seat(0).dry_run(id, &play("n1", false));
    let run = run.ok();
    assert_eq!(
        (&run["version"], &run["commit"], &run["complete"]),
        (&json!(6), &json!(2), &json!(true))
    );
    assert_eq!((table.info(), client.feed("").ok(), client.view(id, "").ok()), before);
    let done = table.seat(0).command(id, &play("n1", false)).created();
    assert_eq!(
        (&done["view"], &done["version"], &done["commit"]),
        (&run["view"], &run["version"], &run["commit"])
    );
    let events = client.commits(id, "after=1").ok()["items"][0]["events"].clone();
    assert_eq!(run["events"], events);
}

#[test]
fn a_dry_run_is_refused_like_the_command() {
    let (client, _server) = client();
    let table = Table::open(&client, &opening(&start()));
    let id = &table.id;
    table.seat(0).dry_run(id, &draw()).refused("illegal_command", "R-45");
    table.seat(0).dry_run(id, &json!({})).refused("illegal_command", "R-24");
    table.seat(1).dry_run(id, &play("n2", false)).problem(409, "not_active_seat");
    client.dry_run(id, &play("n1", false)).problem(401, "token_required");
    table.owner().dry_run(id, &play("n1", false)).problem(403, "not_yours");
    let path = format!("/v1/matches/{id}/commands?dry_run=true");
    let stale = json!({"command": play("n1", false), "expected_version": 1});
    table.seat(0).post(&path, &stale).problem(409, "version_conflict");
    assert_eq!(table.version(), 2);
}

#[test]
fn a_field_that_is_there_twice_is_refused_in_a_dry_run_too() {
    let (client, _server) = client();
    for (game, command, rule) in [
        ("copenhagen", r#"{"type": "TakeCard", "slot": 0, "slot": 1}"#, "C-302"),
        ("rosenkoenig", r#"{"type": "Nope", "type": "DrawCard"}"#, "R-24"),
        ("voluspa", r#"{"type": "PlaceTile", "at": {"x": 0, "x": 0, "y": -1}}"#, "V-202"),
    ] {
        let table = Table::open(&client, &json!({"game": game, "seats": [{}, {}]}));
        let seat = table.seat(table.active().expect("it runs"));
        for dry_run in ["", "?dry_run=true"] {
            let path = format!("/v1/matches/{}/commands{dry_run}", table.id);
            let body = format!(r#"{{"command": {command}}}"#);
            let request = Request::new("POST", &path).bytes("application/json", body);
            seat.send(request).refused("illegal_command", rule);
        }
    }
}

/// The dry run of a draw must not tell which card it is.
#[track_caller]
fn tells_no_card(seat: &Client, id: &str) {
    let run = seat.dry_run(id, &draw()).ok();
    assert_eq!(run["complete"], false, "{run}");
    assert_eq!(run["events"], json!([]), "{run}");
    assert_eq!(run["view"], seat.view(id, "").ok(), "nothing is certain");
}

#[test]
fn a_dry_run_of_a_draw_does_not_show_the_hidden_card() {
    let (client, _server) = client();
    let table = Table::open(&client, &opening(&p2()));
    tells_no_card(&table.seat(1), &table.id);
    assert_eq!(table.act(&draw())["commit"], 2);
    let mut position = with(p2(), "/draw_pile", json!([]));
    let mut discarded = p2()["draw_pile"].as_array().expect("cards").clone();
    discarded.extend(p2()["discard_pile"].as_array().expect("cards").iter().cloned());
    position["discard_pile"] = json!(discarded);
    let table = Table::open(&client, &opening(&position));
    tells_no_card(&table.seat(1), &table.id);
    // A draw that was only tried changes no later chance.
    let first = client.commits(&table.id, "").ok();
    assert_eq!(first["items"].as_array().map(Vec::len), Some(1));
    assert_eq!(table.info()["seed"], Value::Null);
}

#[test]
fn a_dry_run_shows_what_one_s_own_tile_scores_and_no_more() {
    let (client, _server) = client();
    let table = Table::open(&client, &json!({"game": "voluspa", "seats": [{}, {}]}));
    let seat = table.info()["active_seat"].as_u64().expect("it runs");
    let seat = table.seat(usize::try_from(seat).expect("a seat"));
    let legal = seat.legal_commands(&table.id, "").ok();
    let run = seat.dry_run(&table.id, &legal["items"][0]).ok();
    assert_eq!(run["events"][0]["type"], "TilePlaced", "{run}");
    assert_eq!(run["complete"], false, "a tile will be drawn: {run}");
    let events = run["events"].as_array().expect("a list");
    assert!(events.iter().all(|event| event["type"] != "TileDrawn"));
    let (now, then) = (seat.view(&table.id, "").ok(), &run["view"]);
    assert_eq!(now["pile_count"], then["pile_count"], "nothing was drawn");
}

/// Who has looked at an island knows its face: turning it up is no news to that seat, and what follows is certain.
#[test]
fn a_dry_run_goes_on_behind_what_the_seat_has_looked_at() {
    let (client, _server) = client();
    let position = include_str!("../../domain/delphi/tests/cases/example.json");
    let mut position: Value = serde_json::from_str(position).expect("JSON");
    position["players"][0]["gods"]["artemis"] = json!(6);
    let islands = position["islands"].as_array().expect("islands");
    let own = islands.iter().position(|island| island["face"]["color"] == "blue");
    let own = own.expect("the seat has islands of its colour");
    let at = islands[own]["at"].clone();
    let command =
        json!({"type": "InvokeGod", "god": "artemis", "target": {"kind": "island", "at": at}});
    for (seen_by, complete, gain) in
        [(json!([]), false, 0), (json!([1]), false, 0), (json!([0]), true, 1)]
    {
        position["islands"][own]["seen_by"] = seen_by.clone();
        let opened = json!({"game": "delphi", "position": position, "seats": [{}, {}]});
        let table = Table::open(&client, &opened);
        let page = table.seat(0).legal_commands(&table.id, "include=points").ok();
        let items = page["items"].as_array().expect("commands");
        let listed = items.iter().position(|item| {
            item["type"] == "InvokeGod" && item.to_string().contains(&at.to_string())
        });
        let listed = listed.unwrap_or_else(|| panic!("{command} is not among {items:?}"));
        assert_eq!(page["points"][listed], gain, "{seen_by}");
        let run = table.seat(0).dry_run(&table.id, &items[listed]).ok();
        assert_eq!(run["complete"], complete, "{seen_by}: {run}");
        let done = table.seat(0).command(&table.id, &items[listed]).created();
        assert_eq!(done["view"] == run["view"], complete, "{seen_by}");
    }
}

/// Whoever has looked at an island already learns nothing by looking again.
#[test]
fn a_dry_run_goes_on_behind_a_look_at_what_the_seat_has_seen() {
    let (client, _server) = client();
    let fixture = client.fixture("delphi", "source_chosen");
    for (seen_by, complete) in [(json!([]), false), (json!([0, 1]), true)] {
        let mut position = fixture.clone();
        for island in position["islands"].as_array_mut().expect("islands") {
            island["seen_by"] =
                if island["revealed"] == true { json!([]) } else { seen_by.clone() };
        }
        let table = Table::at(&client, "delphi", &position);
        let seat = table.seat(table.active().expect("it runs"));
        let legal = table.legal();
        let look = legal.iter().find(|command| command["type"] == "LookAtIsland");
        let run = seat.dry_run(&table.id, look.expect("there is an island")).ok();
        let looked = run["events"].as_array().expect("events").iter();
        let looked = looked.filter(|event| event["type"] == "IslandLookedAt").count();
        assert_eq!(looked > 0, complete, "{seen_by}: {run}");
    }
}

#[test]
fn half_a_command_is_told_what_completes_it_and_what_stands_against_it() {
    let (client, _server) = client();
    let table = Table::open(&client, &opening(&p2()));
    let (id, seat) = (&table.id, table.seat(1));
    let half = seat.dry_run(id, &json!({"type": "PlayCard"})).ok();
    assert_eq!(half["completions"], json!([play("ne2", false), play("e3", true)]));
    assert_eq!(half["exhaustive"], true);
    assert_eq!(
        (&half["complete"], &half["events"]),
        (&json!(false), &json!([])),
        "nothing happens"
    );
    let ways = half["refused"].as_array().expect("a list").iter();
    let count: u64 = ways.filter_map(|of| of["ways"].as_u64()).sum();
    assert_eq!(count + 2, 48, "24 cards, each with a hero and without: {half}");
    let one = seat.dry_run(id, &json!({"type": "PlayCard", "card": "e3"})).ok();
    assert_eq!(one["completions"], json!([play("e3", true)]));
    assert_eq!(one["refused"][0]["example"], play("e3", false));
    let pile = seat.dry_run(id, &json!({"spot": "pile:draw"})).ok();
    assert_eq!(pile["completions"], json!([draw()]));
    // A card that is not in the hand fits nothing, and what has no form is refused as ever.
    let none = seat.dry_run(id, &json!({"spot": "card:n2"})).refused("illegal_command", "R-30");
    assert!(none["detail"].as_str().is_some_and(|said| said.contains("R-30 (2)")), "{none}");
    let spot = seat.dry_run(id, &json!({"spot": "cell:8,8"})).refused("illegal_command", "R-24");
    assert!(spot["detail"].as_str().is_some_and(|said| said.contains("cell:8,8")), "{spot}");
    for wrong in [
        json!({"spot": "pile:none"}),
        json!({"type": "Fly"}),
        json!({"card": "e3"}),
        json!({"spot": 1}),
    ] {
        seat.dry_run(id, &wrong).refused("illegal_command", "R-24");
    }
    seat.command(id, &json!({"type": "PlayCard"})).refused("illegal_command", "R-24");
    assert_eq!(table.version(), 2);
}

#[test]
fn in_every_game_the_completions_of_a_type_are_its_legal_commands() {
    let (client, _server) = client();
    for game in catalog::games() {
        let game_id = game.info().id;
        for fixture in client.fixtures(game_id) {
            let table = Table::at(&client, game_id, &fixture["position"]);
            if table.active().is_none() {
                continue;
            }
            let (seat, legal) = (table.seat(table.active().unwrap_or_default()), table.legal());
            for kind in legal.iter().map(|command| command["type"].clone()) {
                let of_kind = |command: &&Value| command["type"] == kind;
                let expected: Vec<_> = legal.iter().filter(of_kind).collect();
                let run = seat.dry_run(&table.id, &json!({"type": kind}));
                let whole = expected[0].as_object().map_or(0, serde_json::Map::len) == 1;
                if !whole {
                    assert_eq!(run.ok()["completions"], json!(expected), "{game_id}: {kind}");
                    break;
                }
            }
        }
    }
}

#[test]
fn the_ways_of_a_type_are_those_of_its_form_alone() {
    let (client, _server) = client();
    for (game, moment, half, ways) in [
        ("delphi", "heal_color", "HealColor", 6),
        ("delphi", "advance_god", "AdvanceGod", 6),
        ("delphi", "main", "UseDie", 36),
        ("copenhagen", "action", "TakeCard", 7),
        ("voluspa", "surplus", "DiscardTile", 17),
    ] {
        let table = Table::at(&client, game, &client.fixture(game, moment));
        let seat = table.seat(table.active().expect("it runs"));
        let run = seat.dry_run(&table.id, &json!({"type": half})).ok();
        let refused = run["refused"].as_array().expect("a list").iter();
        let count: u64 = refused.filter_map(|of| of["ways"].as_u64()).sum();
        let completions = run["completions"].as_array().map_or(0, Vec::len) as u64;
        assert_eq!(
            (count + completions, &run["exhaustive"]),
            (ways, &json!(true)),
            "{half}: {run}"
        );
    }
}

/// A command that lacks nothing is refused as it is, not completed.
#[test]
fn a_whole_command_of_another_phase_is_no_half_of_one() {
    let (client, _server) = client();
    let table = Table::open(&client, &json!({"game": "voluspa", "seats": [{}, {}]}));
    let seat = table.seat(table.active().expect("it runs"));
    let told =
        seat.dry_run(&table.id, &json!({"type": "KeepRaven"})).refused("illegal_command", "V-202");
    let done =
        seat.command(&table.id, &json!({"type": "KeepRaven"})).refused("illegal_command", "V-202");
    assert_eq!(told["detail"], done["detail"]);
}

#[test]
fn ways_that_lead_nowhere_name_no_spot() {
    let (client, _server) = client();
    let table = Table::open(&client, &json!({"game": "voluspa", "seats": [{}, {}]}));
    let seat = table.seat(table.active().expect("it runs"));
    let half = json!({"spot": "cell:0,0", "type": "PlaceTile", "at": {"x": 50, "y": 50}});
    let told = seat.dry_run(&table.id, &half).refused("illegal_command", "V-202");
    let said = told["detail"].as_str().unwrap_or_default();
    assert!(said.contains("no command like this names \"cell:0,0\""), "{told}");
}

#[test]
fn ways_are_all_tried_only_where_all_can_be_counted() {
    let (client, _server) = client();
    let voluspa = Table::open(&client, &json!({"game": "voluspa", "seats": [{}, {}]}));
    let position = &client.fixtures("copenhagen")[0]["position"];
    let copenhagen = Table::at(&client, "copenhagen", position);
    for (table, field) in [(voluspa, "at"), (copenhagen, "payment")] {
        let seat = table.seat(table.active().expect("it runs"));
        let legal = table.legal();
        let whole = legal.iter().find(|command| command["type"] == "PlaceTile");
        let mut half = whole.unwrap_or_else(|| panic!("nothing can be placed: {legal:?}")).clone();
        half.as_object_mut().expect("a command").remove(field);
        let run = seat.dry_run(&table.id, &half).ok();
        assert_eq!(run["exhaustive"], false, "not every {field} is tried: {run}");
        let mut known = whole.expect("it is there").clone();
        for name in ["mode", "bump", "orientation"] {
            drop(known.as_object_mut().and_then(|fields| fields.remove(name)));
        }
        let run = seat.dry_run(&table.id, &known).ok();
        assert_eq!(run["exhaustive"], true, "what is left can be counted: {run}");
    }
}

#[test]
fn a_type_with_a_spot_is_completed_in_every_game() {
    let (client, _server) = client();
    let mut against = BTreeSet::new();
    for game in catalog::games().iter().map(|game| game.info().id) {
        let mut tried = 0;
        for moment in client.fixtures(game) {
            let table = Table::at(&client, game, &moment["position"]);
            let Some(seat) = table.active().map(|seat| table.seat(seat)) else { continue };
            let page = seat.legal_commands(&table.id, "include=spots").ok();
            let spots = |at: usize| page["spots"][at].as_array().expect("spots").as_slice();
            let legal = page["items"].as_array().expect("a list");
            let Some(first) = (0..legal.len()).find(|at| !spots(*at).is_empty()) else { continue };
            let (kind, spot) = (&legal[first]["type"], &spots(first)[0]);
            let run = seat.dry_run(&table.id, &json!({"type": kind, "spot": spot})).ok();
            let names_it = |at: &usize| legal[*at]["type"] == *kind && spots(*at).contains(spot);
            let whole: Vec<&Value> =
                (0..legal.len()).filter(names_it).map(|at| &legal[at]).collect();
            assert_eq!(run["completions"], json!(whole), "{game}: {kind} with {spot}");
            let refused = run["refused"].as_array().expect("a list").iter();
            against.extend(refused.map(|of| of["rule"].to_string()));
            tried += 1;
            if tried == 4 {
                break;
            }
        }
        assert!(tried > 0, "{game}");
    }
    assert!(against.len() > 3, "the rules of several games stand against ways: {against:?}");
}
