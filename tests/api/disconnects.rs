//! Clients that go away in the middle of something.

use serde_json::json;

use crate::{restarted, server};
use acceptance::server::Server;
use acceptance::{Client, Connection, Dice, Request, Table, until};

/// Sends a request and is gone before the answer: the connection is reset, since an older answer was left unread in it.
fn send_and_vanish(client: &Client, request: Request, looks: usize) {
    let mut connection = Connection::open(client.address).expect("the server listens");
    let unread = Request::new("GET", "/healthz");
    unread.leave(&mut connection).expect("the server reads");
    connection.wait().expect("an answer comes");
    let request = client.signed(request);
    request.leave(&mut connection).expect("the server reads");
    for _ in 0..looks {
        client.get("/healthz");
    }
}

#[test]
fn a_command_whose_client_vanished_leaves_the_match_playable() {
    let (server, folder) = server();
    let client = server.client();
    let body = json!({"game": "rosenkoenig", "seats": [{}, {}], "take_back": true});
    let table = Table::open(&client, &body);
    let path = format!("/v1/matches/{}/commands", table.id);
    let mut dice = Dice::new(61);
    for round in 0..30 {
        let Some(seat) = table.active() else { break };
        let legal = table.legal();
        let command = json!({"command": legal[dice.below(legal.len())]});
        let request = Request::new("POST", &path).json(&command);
        send_and_vanish(&table.seat(seat), request, round % 6);
        // Whether it was carried out or not: whoever is to act can act. It may be carried out just now.
        while let Some(seat) = table.active() {
            let legal = table.seat(seat).legal_commands(&table.id, "");
            if legal.status == 403 {
                continue;
            }
            let legal = legal.items();
            // Somebody else is to act by now.
            let Some(legal) = legal.first() else { continue };
            let answer = table.seat(seat).command(&table.id, legal);
            if answer.status == 201 {
                break;
            }
            assert!(matches!(answer.status, 409 | 422), "{}", answer.text());
        }
    }
    let commits = client.commits(&table.id, "limit=1000").ok()["items"].clone();
    let server = restarted(server, &folder);
    let again = server.client().commits(&table.id, "limit=1000").ok()["items"].clone();
    assert_eq!(again, commits, "what is on disk is what was shown");
}

#[test]
fn an_opening_or_closing_whose_client_vanished_is_whole() {
    let (server, folder) = server();
    let client = server.client();
    for looks in 0..12 {
        let body = json!({"game": "rosenkoenig", "seats": [{"open": true}, {}]});
        let table = Table::open(&client, &body);
        let id = table.id.clone();
        let seat = Request::new("POST", &format!("/v1/matches/{id}/seats/0")).json(&json!({}));
        send_and_vanish(&client, seat, looks % 4);
        let close = Request::new("POST", &format!("/v1/matches/{id}/close"));
        send_and_vanish(&table.owner(), close, looks % 4);
        let open = Request::new("POST", "/v1/matches").json(&body);
        send_and_vanish(&client, open, looks % 4);
    }
    let server = restarted(server, &folder);
    let client = server.client();
    let listed = Table::pages(5, |query| client.matches(query).ok());
    let opened = client.feed("type=MatchStarted&limit=1000").items();
    assert_eq!(listed.len(), opened.len(), "every match is in the list");
    for entry in opened {
        let id = entry["match"].as_str().expect("an id");
        let info = client.info(id).ok();
        assert!(listed.iter().any(|item| item["match"] == id && item["status"] == info["status"]));
    }
}

#[test]
fn a_request_whose_client_gave_up_is_counted() {
    const ENDLESS: &str =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
    const GAVE_UP: &str =
        "muninn_http_requests_total{method=\"POST\",route=\"/v1/query\",status=\"499\"} ";
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::asked(folder.path(), catalog::games());
    let (client, door) = (server.client(), server.operator());
    until("the tables", || client.query("SELECT 1").status == 200);
    let count = || {
        let metrics = door.get("/metrics").text();
        metrics.lines().find_map(|line| line.strip_prefix(GAVE_UP)?.parse::<u64>().ok())
    };
    assert_eq!(count(), None, "who waited for the answer is not counted");
    until("it is counted", || {
        let query = Request::new("POST", "/v1/query").json(&json!({"sql": ENDLESS}));
        send_and_vanish(&client, query, 5);
        count().is_some()
    });
}
