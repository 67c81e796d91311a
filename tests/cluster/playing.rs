//! One match, played at both servers in turn: what one was told, the other shows at once.

use acceptance::{Dice, Table};
use serde_json::{Value, json};

use crate::Two;

#[test]
fn commands_of_one_match_alternate_between_the_servers() {
    let Some(two) = Two::start() else { return };
    let clients = two.clients();
    let mut dice = Dice::new(19);
    let table = Table::dealt(&clients[0], &json!({}));
    let mut turn = 0;
    let mut version = table.version();
    while let Some(seat) = table.through(&clients[turn % 2]).active() {
        let (here, there) =
            (table.through(&clients[turn % 2]), table.through(&clients[(turn + 1) % 2]));
        let legal = here.seat(seat).legal_commands(&table.id, "").items();
        let command = &legal[dice.below(legal.len())];
        // Chosen at one server for its version, sent to the other.
        let body = json!({"command": command, "expected_version": version});
        let path = format!("/v1/matches/{}/commands", table.id);
        let accepted = there.seat(seat).post(&path, &body).created();
        version = accepted["version"].as_u64().expect("a version");
        for at in [&here, &there] {
            assert_eq!(at.seat(seat).view(&table.id, "").ok(), accepted["view"]);
            assert_eq!(at.version(), version);
        }
        turn += 1;
    }
    assert!(turn > 20, "the match was played");
    let all = clients.each_ref().map(|client| {
        let commits = Table::pages(100, |query| client.commits(&table.id, query).ok());
        let position = client.position(&table.id, "").ok();
        let mut info = table.through(client).info();
        assert_eq!(info["status"], "finished");
        info["viewer"] = Value::Null;
        (commits, position, info)
    });
    assert_eq!(all[0], all[1]);
    assert_eq!(all[0].0.len(), turn + 1);
}

/// What was opened, joined, closed or finished at one server, every read at the other shows: page, list, feed and tokens.
#[test]
fn every_read_shows_what_was_acknowledged_elsewhere() {
    let Some(two) = Two::start() else { return };
    let clients = two.clients();
    for round in 0..20 {
        let (here, there) = (&clients[round % 2], &clients[(round + 1) % 2]);
        let name = format!("Gro {round}");
        let body = json!({"game": "rosenkoenig", "seats": [{"name": name}, {"open": true}]});
        let table = Table::open(here, &body);
        let listed =
            |query: &str| there.matches(query).ok()["items"].as_array().expect("a list").clone();
        assert_eq!(listed("limit=1")[0]["match"], table.id.as_str());
        assert_eq!(listed("limit=1&status=open")[0]["version"], 2);
        let query = format!("player={}", name.replace(' ', "%20"));
        assert_eq!(listed(&query).len(), 1);
        let feed = there.feed_lines("").lines();
        assert_eq!(feed.last().expect("an event")["match"], table.id.as_str());
        // The other server seats somebody, whose token is good at the first one at once.
        let joined = there.take_seat(&table.id, 1, &json!({"name": "Ase"})).created();
        let token = joined["seat_token"].as_str().expect("a token");
        let mine = here.with_token(token);
        let info = mine.info(&table.id).ok();
        assert_eq!((&info["viewer"], &info["status"]), (&json!(1), &json!("running")));
        assert_eq!(info["seats"][1]["name"], "Ase");
        assert_eq!(listed("limit=1")[0]["status"], "running");
        here.with_token(&table.owner_token).close(&table.id);
        assert_eq!(there.info(&table.id).ok()["status"], "abandoned");
        assert_eq!(listed("limit=1&status=abandoned")[0]["match"], table.id.as_str());
    }
}

/// A look at the past asks the database nothing; a token that this server does not know makes it ask.
#[test]
fn a_token_that_another_server_gave_out_is_known_at_once() {
    let Some(two) = Two::start() else { return };
    let [there, here] = two.clients();
    for _ in 0..40 {
        let body = json!({"game": "rosenkoenig", "seats": [{}, {"open": true}]});
        let table = Table::open(&here, &body);
        assert!(table.version() > 1, "there is a past");
        let taken = there.take_seat(&table.id, 1, &json!({})).created();
        let token = taken["seat_token"].as_str().expect("a token");
        assert_eq!(here.with_token(token).view(&table.id, "at=1").status, 200);
    }
}
