//! Who may do what: tokens, hidden things, private matches.

use serde_json::{Value, json};

use crate::{client, positions, restarted, server};
use acceptance::{Client, Dice, Request, Table};

/// Reads everything of a match; each answer must be this problem.
#[track_caller]
fn all_reads(client: &Client, id: &str, status: u16, code: &str) {
    let stream = format!("/v1/matches/{id}/stream");
    for answer in [
        client.info(id),
        client.view(id, ""),
        client.legal_commands(id, ""),
        client.commits(id, ""),
        client.events(id, ""),
        client.replay(id, ""),
        client.position(id, ""),
        client.get(&stream),
    ] {
        answer.problem(status, code);
    }
}

#[test]
fn tokens_that_were_never_given_are_invalid() {
    let (client, _server) = client();
    let table = Table::rosenkoenig(&client);
    let never = "0123456789abcdef".repeat(4);
    all_reads(&client.with_token(&never), &table.id, 401, "token_invalid");
    let command = json!({"command": positions::draw()});
    let path = format!("/v1/matches/{}/commands", table.id);
    let own = table.seat_tokens[0].clone().expect("a token");
    for value in [
        format!("Bearer {never}"),
        "Bearer x".to_owned(),
        "Bearer ".to_owned(),
        format!("Basic {own}"),
        own.clone(),
        format!("Bearer {}", own.to_uppercase() + "0"),
    ] {
        let request = Request::new("POST", &path).json(&command);
        let answer = client.send(request.header("Authorization", &value));
        answer.problem(401, "token_invalid");
        assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
    }
    client.command(&table.id, &positions::draw()).problem(401, "token_required");
    client.take_back(&table.id).problem(401, "token_required");
    client.close(&table.id).problem(401, "token_required");
    client.legal_commands(&table.id, "").problem(401, "token_required");
    client.view(&table.id, "viewer=0").problem(401, "token_required");
}

#[test]
fn tokens_are_good_for_their_match_and_role_alone() {
    let (client, _server) = client();
    let (table, other) = (Table::rosenkoenig(&client), Table::rosenkoenig(&client));
    let id = &table.id;
    for stranger in [other.seat(0), other.owner()] {
        all_reads(&stranger, id, 403, "not_yours");
        stranger.command(id, &positions::draw()).problem(403, "not_yours");
        stranger.take_back(id).problem(403, "not_yours");
        stranger.close(id).problem(403, "not_yours");
    }
    table.owner().command(id, &table.legal()[0]).problem(403, "not_yours");
    table.owner().take_back(id).problem(403, "not_yours");
    table.seat(0).close(id).problem(403, "not_yours");
    let mut tokens: Vec<&String> = table.seat_tokens.iter().flatten().collect();
    tokens.extend([&table.owner_token, &other.owner_token]);
    tokens.extend(other.seat_tokens.iter().flatten());
    tokens.sort_unstable();
    tokens.dedup();
    assert_eq!(tokens.len(), 6, "all tokens are different");
    assert!(tokens.iter().all(|token| token.len() == 64));
}

#[test]
fn what_is_hidden_stays_hidden_while_the_match_lives() {
    let (client, _server) = client();
    let table = Table::rosenkoenig(&client);
    let id = &table.id;
    let active = table.active().expect("it runs");
    for asker in [client.clone(), table.seat(active), table.owner()] {
        asker.position(id, "").problem(403, "hidden");
        asker.branch(id, &json!({"at": 1})).problem(403, "hidden");
    }
    let page = table.seat(1 - active).legal_commands(id, "").ok();
    assert_eq!((&page["items"], &page["active_seat"]), (&json!([]), &json!(active)));
    table.owner().legal_commands(id, "").problem(403, "hidden");
    table.seat(0).view(id, "viewer=1").problem(403, "hidden");
    table.seat(0).commits(id, "viewer=1").problem(403, "hidden");
    table.seat(0).replay(id, "viewer=1").problem(403, "hidden");
    table.owner().view(id, "viewer=0").problem(403, "hidden");
    assert_eq!(table.seat(0).view(id, "viewer=0").ok(), table.seat(0).view(id, "").ok());
    assert_eq!(table.seat(0).view(id, "viewer=spectator").ok(), client.view(id, "").ok());
    let info = table.info();
    assert_eq!((&info["seed"], &info["standing"]), (&Value::Null, &Value::Null));
    table.owner().close(id).ok();
    client.position(id, "").problem(403, "hidden");
    assert_eq!(table.info()["seed"], Value::Null, "an abandoned match keeps its secrets");
    assert_eq!(
        client.commits(id, "").ok()["items"][0]["events"][0]["draw_pile"]["cards"],
        Value::Null
    );
}

#[test]
fn a_private_match_is_read_with_its_tokens_alone() {
    let (client, _server) = client();
    let private =
        json!({"game": "rosenkoenig", "seats": [{"name": "Frigg"}, {}], "visibility": "private"});
    let (table, other) = (Table::open(&client, &private), Table::rosenkoenig(&client));
    let id = &table.id;
    all_reads(&client, id, 401, "token_required");
    all_reads(&other.seat(0), id, 403, "not_yours");
    for reader in [table.seat(0), table.seat(1), table.owner()] {
        assert_eq!(reader.info(id).ok()["visibility"], "private");
        reader.view(id, "").ok();
        assert_eq!(reader.events(id, "").ok()["items"].as_array().map(Vec::len), Some(2));
    }
    table.finish(&mut Dice::new(11));
    all_reads(&client, id, 401, "token_required");
    client.branch(id, &json!({"at": 1})).problem(401, "token_required");
    table.seat(0).position(id, "").ok();
    for text in [
        client.matches("").text(),
        client.matches("player=Frigg").text(),
        client.feed("limit=1000").text(),
        client.feed_lines("").text(),
        table.seat(0).feed("limit=1000").text(),
    ] {
        assert!(!text.contains(id.as_str()), "a private match is in no list and in no feed");
    }
}

#[test]
fn the_owner_closes_a_match_and_that_is_all() {
    let (server, folder) = server();
    let client = server.client();
    let table = Table::rosenkoenig(&client);
    table.play(&mut Dice::new(12), 2);
    let version = table.version();
    let seat = table.seat(table.active().expect("it runs"));
    assert_eq!(table.owner().close(&table.id).ok()["status"], "abandoned");
    assert_eq!(table.owner().close(&table.id).ok()["status"], "abandoned", "twice is once");
    let problem = seat.command(&table.id, &positions::draw()).problem(409, "match_finished");
    assert_eq!(problem["current_version"], version + 1);
    assert_eq!(table.version(), version + 1, "closing it is an event");
    let server = restarted(server, &folder);
    let table = table.through(&server.client());
    assert_eq!(table.info()["status"], "abandoned");
    let listed = server.client().matches("status=abandoned").ok();
    assert_eq!(listed["items"][0]["match"], table.id);
    let finished = Table::rosenkoenig(&server.client());
    finished.finish(&mut Dice::new(13));
    finished.owner().close(&finished.id).problem(409, "match_finished");
    assert_eq!(finished.info()["status"], "finished");
}
