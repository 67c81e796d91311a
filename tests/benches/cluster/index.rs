//! What it costs to ask the database how far the feed is, before a match that goes on is shown.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use acceptance::frugal::{Client, request};
use acceptance::{Dice, Table};
use actix_web::rt;

use crate::stores::{Databases, Place, Server};
use crate::{compare, length};

pub(crate) fn measure() {
    let (one, three) = (Databases::one(), Databases::three());
    let folder = Place::folder();
    let alone = Server::on(&folder);
    let (of_one, of_three) = (Server::two(&one), Server::two(&three));
    let servers = [
        ("a folder", &alone, &alone),
        ("one database", &of_one[0], &of_one[1]),
        ("three", &of_three[0], &of_three[1]),
    ];
    for clients in [1, 64] {
        let mut ways = Vec::new();
        for (name, opened_at, read_at) in &servers {
            let table = Table::rosenkoenig(&opened_at.process.client());
            let view = format!("/v1/matches/{}/view", table.id);
            // A version below one that is known, both in memory there from now on.
            let version = table.version();
            table.play(&mut Dice::new(1), 1);
            let (client, past) = (read_at.process.client(), format!("{view}?at={version}"));
            [&view, &past].iter().for_each(|path| drop(client.get(path).ok()));
            let address = read_at.process.address;
            let name = |how: &str| format!("a view, {clients} clients, {name}, {how}");
            ways.push((name("at="), (address, past)));
            ways.push((name("newest"), (address, view)));
        }
        compare(ways, |(address, path)| rt::System::new().block_on(read(*address, path, clients)));
    }
}

/// So many clients read; the time of each read.
async fn read(address: SocketAddr, path: &str, clients: usize) -> Vec<Duration> {
    let mut readers = Vec::new();
    for _ in 0..clients {
        let request = request("GET", path, None, "");
        let mut client = Client::connect(address).await;
        readers.push(rt::spawn(async move {
            let (start, mut times) = (Instant::now(), Vec::new());
            while start.elapsed() < length() {
                let sent = Instant::now();
                assert_eq!(client.send(&request).await.0, 200);
                times.push(sent.elapsed());
            }
            times
        }));
    }
    let mut times = Vec::new();
    for reader in readers {
        times.extend(reader.await.expect("a reader does not panic"));
    }
    times
}
