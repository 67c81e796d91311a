//! One request a turn: what an answer to a command tells, and what clients need between the turns.

use acceptance::{Client, Dice, Request, Table};
use serde_json::{Value, json};

use crate::client;

/// A match of every game.
fn tables(client: &Client) -> impl Iterator<Item = Table> {
    catalog::games().iter().map(|game| {
        let seats = vec![json!({}); usize::from(*game.info().seats.start())];
        Table::open(client, &json!({"game": game.info().id, "seats": seats}))
    })
}

/// A match at random of Delphi takes thousands of commands.
fn is_short(table: &Table) -> bool {
    table.info()["game"] != "delphi"
}

#[test]
fn an_answer_tells_what_came_of_the_command() {
    let (client, _server) = client();
    for table in tables(&client) {
        let mut dice = Dice::new(9);
        let path = format!("/v1/matches/{}/commands", table.id);
        for _ in 0..12 {
            let Some(active) = table.active() else { break };
            let (seat, legal) = (table.seat(active), table.legal());
            let body = json!({"command": legal[dice.below(legal.len())]});
            let include = "include=events,legal_commands,spots,labels,view&lang=de";
            let answer = seat.post(&format!("{path}?{include}"), &body);
            let told = answer.created();
            assert_eq!(told["view"], seat.view(&table.id, "").ok());
            let commits = seat.commits(&table.id, "limit=1000&viewer=spectator").ok();
            let count = commits["items"].as_array().map_or(0, Vec::len);
            let own = seat.commits(&table.id, &format!("after={}", count - 1)).ok();
            assert_eq!(told["commit"], count);
            if table.active().is_some() {
                assert_eq!(told["events"], own["items"][0]["events"]);
                let page = seat.legal_commands(&table.id, "include=spots,labels&lang=de").ok();
                assert_eq!(told["legal_commands"], page["items"]);
                assert_eq!(told["spots"], page["spots"]);
                assert_eq!(told["labels"], page["labels"]);
                assert_eq!(told["active_seat"], page["active_seat"]);
            }
            assert_eq!(answer.header("content-language"), Some("de"));
        }
        let Some(seat) = table.active() else { continue };
        let body = json!({"command": table.legal()[0]});
        let plain = table.seat(seat).post(&path, &body).created();
        let mut names: Vec<&str> =
            plain.as_object().into_iter().flatten().map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        assert_eq!(names, ["active_seat", "commit", "version", "view"]);
    }
}

#[test]
fn a_repeated_command_is_told_of_its_own_commit() {
    let (client, _server) = client();
    for table in tables(&client) {
        let (seat, legal) = (table.active().expect("it runs"), table.legal());
        let path = format!("/v1/matches/{}/commands", table.id);
        let send = |query: &str| {
            let request = Request::new("POST", &format!("{path}{query}"));
            let request = request.json(&json!({"command": legal[0]}));
            table.seat(seat).send(request.header("Idempotency-Key", "once")).created()
        };
        let all = "?include=events,labels";
        let first = send(all);
        table.play(&mut Dice::new(3), 9);
        assert_eq!(send(all), first);
        assert_eq!(send("")["view"], first["view"], "what is included is no part of the key");
        if is_short(&table) {
            table.finish(&mut Dice::new(4));
            assert_eq!(send(all), first, "the end opens nothing of it");
        }
    }
}

#[test]
fn unknown_names_are_refused_before_anything_happens() {
    let (client, _server) = client();
    let table = Table::rosenkoenig(&client);
    let (seat, version) = (table.seat(table.active().expect("it runs")), table.version());
    let path = format!("/v1/matches/{}/commands", table.id);
    let body = json!({"command": table.legal()[0]});
    for wrong in
        ["include=", "include=position", "include=events;view", "dry_run=true&include=view"]
    {
        let problem = seat.post(&format!("{path}?{wrong}"), &body).problem(400, "malformed");
        assert_eq!(problem["errors"][0]["pointer"], "include");
    }
    assert_eq!(table.version(), version);
}

#[test]
fn a_seat_out_of_turn_has_no_legal_commands() {
    let (client, _server) = client();
    for table in tables(&client) {
        let active = table.active().expect("it runs");
        let waiting = table.seat((active + 1) % table.seat_tokens.len());
        let page = waiting.legal_commands(&table.id, "include=spots,labels").ok();
        assert_eq!((&page["items"], &page["active_seat"]), (&json!([]), &json!(active)));
        assert_eq!((&page["spots"], &page["labels"]), (&json!([]), &json!([])));
        table.owner().legal_commands(&table.id, "").problem(403, "hidden");
        client.legal_commands(&table.id, "").problem(401, "token_required");
        if !is_short(&table) {
            continue;
        }
        table.finish(&mut Dice::new(5));
        let page = client.legal_commands(&table.id, "").ok();
        assert_eq!((&page["items"], &page["active_seat"]), (&json!([]), &Value::Null));
    }
}

#[test]
fn views_carry_their_version_wherever_they_are() {
    let (client, _server) = client();
    for table in tables(&client) {
        let accepted = table.play(&mut Dice::new(6), 3);
        assert!(accepted.iter().all(|accepted| accepted["view"]["version"] == accepted["version"]));
        assert_eq!(client.view(&table.id, "").ok()["version"], table.version());
        assert_eq!(client.view(&table.id, "at=2").ok()["version"], 2);
        let replay = client.replay(&table.id, "").text();
        for frame in replay.lines() {
            let frame: Value = serde_json::from_str(frame).expect("a frame");
            assert_eq!(frame["view"]["version"], frame["version"]);
        }
        let seat = table.seat(table.active().expect("it runs"));
        let run = seat.dry_run(&table.id, &table.legal()[0]).ok();
        assert_eq!(run["view"]["version"], run["version"]);
    }
}

#[test]
fn lists_say_who_is_to_act() {
    let folder = tempfile::tempdir().expect("a folder");
    let listed = |client: &Client| -> Vec<(Value, Value)> {
        let items = client.matches("").items();
        items.iter().map(|item| (item["match"].clone(), item["active_seat"].clone())).collect()
    };
    let server = acceptance::server::Server::start(folder.path(), catalog::games());
    let client = server.client();
    let mut tables: Vec<Table> = tables(&client).collect();
    tables.iter().for_each(|table| drop(table.play(&mut Dice::new(7), 5)));
    let (short, long): (Vec<&Table>, Vec<&Table>) =
        tables.iter().partition(|table| is_short(table));
    short[0].finish(&mut Dice::new(7));
    long[0].owner().close(&long[0].id).ok();
    tables.reverse();
    let expected: Vec<(Value, Value)> = tables
        .iter()
        .map(|table| {
            let info = table.info();
            let is_over = info["status"] == "abandoned";
            let seat = if is_over { Value::Null } else { info["active_seat"].clone() };
            (json!(table.id), seat)
        })
        .collect();
    assert_eq!(listed(&client), expected);
    drop(server);
    let server = acceptance::server::Server::start(folder.path(), catalog::games());
    assert_eq!(listed(&server.client()), expected, "after a restart no match is in memory");
}
