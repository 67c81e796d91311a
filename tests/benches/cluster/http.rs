//! Commands a second over HTTP.

use std::net::SocketAddr;
use std::time::Duration;

use acceptance::frugal::{self, Client};
use acceptance::process::Process;
use actix_web::rt;

use crate::stores::{Databases, Place, Server};
use crate::{compare, length};

/// So many clients, each with a match of its own.
const CLIENTS: usize = 64;

/// A match that is played for ever, each command of it at one of these servers.
struct Match {
    servers: [SocketAddr; 2],
    requests: [Vec<u8>; 2],
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

/// Opens matches; `at` says which servers get the commands of which match. It is opened at the first of them.
fn open(servers: &[&Process], at: impl Fn(usize) -> [usize; 2]) -> Vec<Match> {
    let open = |nth| {
        let servers = at(nth).map(|at| servers[at]);
        let requests = frugal::open(&servers[0].client()).requests;
        Match { servers: servers.map(|server| server.address), requests }
    };
    (0..CLIENTS).map(open).collect()
}

/// Plays all matches at the same time, as fast as they go; the time of each command.
async fn play(matches: &[Match]) -> Vec<Duration> {
    let mut players = Vec::new();
    for one in matches {
        let clients =
            vec![Client::connect(one.servers[0]).await, Client::connect(one.servers[1]).await];
        players.push((clients, one.requests.clone()));
    }
    frugal::play(players, length()).await
}
