//! Memory with many running matches.

use std::net::SocketAddr;
use std::thread;
use std::time::Duration;

use actix_web::rt;
use serde_json::{Value, json};
use testkit::figure;

use crate::CONNECTIONS;
use acceptance::frugal::{Client, muninn, request};

const MATCHES: usize = 10_000;
/// Commands in each.
const PLAYED: usize = 2;
/// What is freed late is free by then.
const AFTERMATH: Duration = Duration::from_secs(5);
/// The goal, in MB.
const GOAL: f64 = 120.0;

pub(crate) fn measure() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (server, address) = muninn(folder.path());
    let empty = server.resident_mb();
    rt::System::new().block_on(async {
        let tasks: Vec<_> =
            (0..CONNECTIONS).map(|number| rt::spawn(open_many(address, number))).collect();
        for task in tasks {
            task.await.expect("a player does not panic");
        }
    });
    thread::sleep(AFTERMATH);
    let full = server.resident_mb();
    println!(
        "{:<44} {full:>10.0} MB (goal {GOAL:.0}), {empty:.0} of them the empty server's, {:.1} kB a match",
        format!("{MATCHES} running matches"),
        1e3 * (full - empty) / MATCHES as f64
    );
    figure("goal / memory of 10,000 running matches", GOAL / full);
}

/// Opens every 64th of the matches, the games taking turns, and plays the first legal commands in each.
async fn open_many(address: SocketAddr, number: usize) {
    let mut client = Client::connect(address).await;
    for round in (number..MATCHES).step_by(CONNECTIONS) {
        let game = catalog::games()[round % catalog::games().len()].info().id;
        let body = json!({"game": game, "seats": [{}, {}]}).to_string();
        let opened = client.post("/v1/matches", None, &body).await;
        let path = format!("/v1/matches/{}", opened["match"].as_str().expect("an id"));
        for _ in 0..PLAYED {
            let info = get(&mut client, &path, None).await;
            let seat = usize::try_from(info["active_seat"].as_u64().expect("it is running"));
            let token = opened["seat_tokens"][seat.expect("a small number")].as_str();
            let legal = get(&mut client, &format!("{path}/legal-commands"), token).await;
            let body = json!({"command": legal["items"][0]}).to_string();
            client.post(&format!("{path}/commands"), token, &body).await;
        }
    }
}

async fn get(client: &mut Client, path: &str, token: Option<&str>) -> Value {
    let (status, answer) = client.send(&request("GET", path, token, "")).await;
    assert_eq!(status, 200, "{}", String::from_utf8_lossy(&answer));
    serde_json::from_slice(&answer).expect("JSON")
}
