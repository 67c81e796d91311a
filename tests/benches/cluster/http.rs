//! Commands a second over HTTP.

use std::net::SocketAddr;
use std::time::Duration;

use acceptance::frugal::{self, Client, request};
use acceptance::process::Process;
use actix_web::rt;
use serde_json::{Value, json};

use crate::stores::{Databases, Place, Server};
use crate::{compare, length};

/// So many clients, each with a match of its own.
const CLIENTS: usize = 64;

/// A match that is played for ever: a card is played and taken back, each time at one of these servers.
pub(crate) struct Match {
    servers: [SocketAddr; 2],
    play: Vec<u8>,
    take_back: Vec<u8>,
}

pub(crate) fn measure() {
    let (one, three) = (Databases::one(), Databases::three());
    let folder = Place::folder();
    let alone = Server::on(&folder);
    let (of_one, of_three) = (Server::two(&one), Server::two(&three));
    let mut ways = vec![("64 clients, a folder".to_owned(), open(&[&alone.process], |_| [0, 0]))];
    for (name, servers) in [("one database", &of_one), ("three databases", &of_three)] {
        let both = servers.each_ref().map(|server| &server.process);
        let ways_of_it = [
            ("one server", open(&both, |_| [0, 0])),
            ("two servers", open(&both, |nth| [nth % 2; 2])),
            ("two servers, in turn", open(&both, |nth| [nth % 2, 1 - nth % 2])),
        ];
        let named = |(how, matches)| (format!("64 clients, {name}, {how}"), matches);
        ways.extend(ways_of_it.map(named));
    }
    compare(ways, |matches| rt::System::new().block_on(play(matches)));
}

/// Opens matches; `at` says which servers get the commands of which match.
fn open(servers: &[&Process], at: impl Fn(usize) -> [usize; 2]) -> Vec<Match> {
    let open = |nth| playable(servers, at(nth));
    (0..CLIENTS).map(open).collect()
}

/// Opens a match whose first seat can play a card, at the first of these servers.
pub(crate) fn playable(servers: &[&Process], at: [usize; 2]) -> Match {
    let body = json!({"game": "rosenkoenig", "seats": [{}, {}], "take_back": true, "options": {"start": "red"}});
    let client = servers[at[0]].client();
    let opened = client.open(&body).created();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let (id, token) = (text(&opened["match"]), text(&opened["seat_tokens"][0]));
    let legal = client.with_token(&token).legal_commands(&id, "").ok();
    let command = json!({"command": legal["items"][0]}).to_string();
    let path = |what: &str| format!("/v1/matches/{id}/{what}");
    Match {
        servers: at.map(|at| servers[at].address),
        play: request("POST", &path("commands"), Some(&token), &command),
        take_back: request("POST", &path("take-back"), Some(&token), "{}"),
    }
}

/// Plays all matches at the same time, as fast as they go; the time of each command.
async fn play(matches: &[Match]) -> Vec<Duration> {
    let mut players = Vec::new();
    for one in matches {
        let clients =
            vec![Client::connect(one.servers[0]).await, Client::connect(one.servers[1]).await];
        players.push((clients, [one.play.clone(), one.take_back.clone()]));
    }
    frugal::play(players, length()).await
}
